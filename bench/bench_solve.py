"""The tree engine against OpenSpiel's C++ (and LiteEFG where installed), one thread, same games, same algorithms.

Rates are iterations a second, compiled kernels already loaded; what compiling costs once is a row of its own. To a
given NashConv, OpenSpiel's time is its measured time an iteration times the iterations that CFR+ needs: the iterates
are the same (the tests say so), and waiting for them would take minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from bench import Row, interleaved, seconds
from pokerlab import registry
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

GAMES = {  # ours, OpenSpiel's, and how many of our iterations and of theirs to time
    "leduc": ("leduc_poker", 2000, 5),
    'openspiel(name="leduc_poker(suit_isomorphism=true)")': ("leduc_poker(suit_isomorphism=true)", 5000, 20),
    "liars-dice": ("liars_dice", 20, 1),
    "goofspiel(cards=4)": ("goofspiel(num_cards=4,imp_info=True,points_order=descending)", 5000, 50),
    "goofspiel(cards=4, points=random)": ("goofspiel(num_cards=4,imp_info=True,points_order=random)", 200, 2),
}
GROWTH = (1, 10, 100, 1_000, 10_684)  # copies of Leduc: from 936 to ten million infosets
NASH_CONV = 1e-3
QUICK = {"GAMES": {"leduc": ("leduc_poker", 2, 1)}, "GROWTH": (1, 10), "NASH_CONV": 1.0}


def form_of(game: str) -> SequenceForm:
    """The sequence form of a game."""
    return sequence_form(build(open_game(game)))


def spiel_game(name: str) -> Any:
    """The same game of OpenSpiel, in turns."""
    import pyspiel

    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    return game


class Lite:
    """An algorithm of LiteEFG on a game of OpenSpiel, and which of its iterates counts."""

    def __init__(self, name: str, algorithm: str = "CFRplus", iterate: str = "linear-avg-iterate") -> None:
        import contextlib
        import importlib
        import io

        import LiteEFG

        self.counts = iterate

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            before = os.getcwd()
            os.chdir(folder)  # it writes the game to a file
            try:
                self.graph = importlib.import_module(f"LiteEFG.baselines.{algorithm}").graph()
                self.env = LiteEFG.OpenSpielEnv(spiel_game(name), traverse_type="Enumerate")
                self.env.set_graph(self.graph)
            finally:
                os.chdir(before)

    def iterate(self, count: int) -> None:
        """Some iterations with their average."""
        for _ in range(count):
            self.graph.update_graph(self.env)
            self.env.update_strategy(self.graph.current_strategy())

    def nash_conv(self) -> float:
        """Of the iterate that counts."""
        return float(sum(self.env.exploitability(self.graph.current_strategy(), self.counts)))


def has_lite() -> bool:
    """Whether LiteEFG can be imported."""
    try:
        import LiteEFG  # noqa: F401
    except ImportError:
        return False
    return True


def iterations() -> Iterator[Row]:
    """CFR+ iterations a second."""
    import pyspiel

    for ours, (theirs, our_count, their_count) in GAMES.items():
        solver = registry.load("algorithms", "cfr+").start(form_of(ours))
        spiel = pyspiel.CFRPlusSolver(spiel_game(theirs))
        contenders = {
            "ours": lambda solver=solver, count=our_count: solver.advance(count),
            "spiel": lambda spiel=spiel, count=their_count: [spiel.evaluate_and_update_policy() for _ in range(count)],
        }
        lite_count = max(1, our_count // 50)
        if has_lite():
            lite = Lite(theirs)
            contenders["lite"] = lambda lite=lite, count=lite_count: lite.iterate(count)
        times = interleaved(contenders)
        rate = our_count / times["ours"]
        yield Row(f"CFR+, {ours}", rate, their_count / times["spiel"], "OpenSpiel C++", asked=30)
        if "lite" in times:
            yield Row(f"CFR+, {ours}", rate, lite_count / times["lite"], "LiteEFG", asked=5)
    if not has_lite():
        yield Row("CFR+ against LiteEFG", 0.0, asked=5, note="not installed: pip install LiteEFG")


def to_target() -> Iterator[Row]:
    """Seconds to a NashConv on Leduc, measuring included."""
    import pyspiel

    form = form_of("leduc")
    reached: dict[str, int] = {}

    def ours(name: str) -> None:
        done = run(registry.load("algorithms", name).start(form), Stop(target=NASH_CONV / 2), measure_every=25)
        reached[name] = done.last.iterations

    spiel = pyspiel.CFRPlusSolver(spiel_game("leduc_poker"))
    contenders: dict[str, Any] = {name: (lambda name=name: ours(name)) for name in ("cfr+", "dcfr")}
    contenders["spiel"] = lambda: [spiel.evaluate_and_update_policy() for _ in range(5)]
    if has_lite():

        def lite() -> None:
            solver = Lite("leduc_poker")
            while True:
                solver.iterate(100)
                if solver.nash_conv() <= NASH_CONV:
                    return

        contenders["lite"] = lite
    times = interleaved(contenders, repeats=3)
    needed = reached["cfr+"]
    note = f"{needed} iterations, CFR+ both; DCFR needs {times['dcfr']:.3f} s"
    yield Row("Leduc to NashConv 0.001", times["cfr+"], times["spiel"] / 5 * needed, "OpenSpiel C++", "s", 30, note)
    if "lite" in times:
        yield Row("Leduc to NashConv 0.001", times["cfr+"], times["lite"], "LiteEFG", "s", 5, "its set-up included")


def sampling() -> Iterator[Row]:
    """Monte-Carlo iterations a second."""
    import pyspiel

    for game, theirs in (("leduc", "leduc_poker"), ("kuhn", "kuhn_poker")):
        form = form_of(game)
        external, pure = (registry.load("algorithms", name).start(form, seed=1) for name in ("external", "pure"))
        spiel = pyspiel.ExternalSamplingMCCFRSolver(spiel_game(theirs), seed=1)
        external.advance(50_000)
        pure.advance(50_000)
        times = interleaved(
            {
                "external": lambda external=external: external.advance(50_000),
                "spiel": lambda spiel=spiel: [spiel.run_iteration() for _ in range(1_000)],
            },
            repeats=7,
        )
        ratio = 10 if game == "leduc" else None
        yield Row(
            f"external sampling, {game}",
            50_000 / times["external"],
            1_000 / times["spiel"],
            "OpenSpiel C++",
            asked=ratio,
        )
        promise = {"leduc": 1e6, "kuhn": 3e6}[game]
        took = min(processor_seconds(lambda pure=pure: pure.advance(20_000)) for _ in range(25))
        note = "the best of 25 runs, by processor time"
        yield Row(f"Pure CFR, {game}", 20_000 / took, promise, "what is promised", asked=1, note=note)


def processor_seconds(function: Callable[[], object]) -> float:
    """Processor seconds of one call, in this thread: for rates that are promised without a rival beside them."""
    began = time.thread_time()
    function()
    return time.thread_time() - began


def programs() -> Iterator[Row]:
    """The sequence-form linear program of Leduc, from the rules of the game to both strategies."""
    contenders: dict[str, Any] = {
        method: (
            lambda method=method: registry.load("algorithms", f"lp(method={method})").start(form_of("leduc")).advance(1)
        )
        for method in ("simplex", "ipm")
    }
    try:
        from open_spiel.python.algorithms import sequence_form_lp

        game = spiel_game("leduc_poker")
        sequence_form_lp.solve_zero_sum_game(game)
        contenders["spiel"] = lambda: sequence_form_lp.solve_zero_sum_game(game)
    except (ImportError, TypeError):  # it stumbles where its solver is not there
        pass
    times = interleaved(contenders, repeats=3)
    theirs = times.get("spiel")
    note = f"interior point {times['ipm']:.2f} s" + ("" if theirs else "; OpenSpiel's needs cvxpy and ecos")
    yield Row("linear program of Leduc", times["simplex"], theirs, "OpenSpiel" if theirs else "", "s", 1, note)


def copies(form: SequenceForm, count: int) -> SequenceForm:
    """A game that deals one of `count` copies of a two-player game, all of whose infosets are different."""
    tree = form.tree
    slots = [own.stop - own.start for own in (form.sequences_of(0), form.sequences_of(1))]
    base = [2, 2 + count * slots[0]]  # where each player's sequences begin
    starts, parents, players, lengths, others, values = [], [], [], [np.zeros(2, np.int64)], [], []
    row, copy = form.row.astype(np.int64), np.arange(count)[:, None]

    def moved(sequence: np.ndarray, player: int) -> np.ndarray:
        local = sequence.astype(np.int64) - form.sequences_of(player).start
        return np.where(sequence < 2, sequence.astype(np.int64), base[player] + copy * slots[player] + local)

    for player in range(2):
        low, high = form.tree.first_infoset[player : player + 2].tolist()
        own = form.sequences_of(player)
        starts.append(moved(form.start[low:high], player).astype(np.uint32).ravel())
        parents.append(moved(form.parent[low:high], player).astype(np.uint32).ravel())
        players.append(np.full(count * (high - low), player, np.int8))
        lengths.append(np.tile(np.diff(row)[own], count))
        leaves = slice(row[own.start], row[own.stop])
        others.append(moved(form.other[leaves, 0], 1 - player).astype(np.uint32).ravel())
        values.append(np.tile(form.value[leaves] / count, count))
    start = np.append(np.concatenate(starts), np.uint32(2 + count * sum(slots)))
    small = replace(tree, start=(start - 2).astype(np.int32), infoset_player=np.concatenate(players))
    return SequenceForm(
        tree=small,
        start=start,
        parent=np.concatenate(parents),
        row=np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.uint64),
        other=np.concatenate(others)[:, None],
        value=np.concatenate(values),
    )


def growth() -> Iterator[Row]:
    """Time an iteration against size: copies of Leduc behind one chance node."""
    form = form_of("leduc")
    per_infoset = []
    for count in GROWTH:
        larger = copies(form, count)
        solver = registry.load("algorithms", "cfr+").start(larger)
        repeats = max(1, 2000 // count)
        solver.advance(1)
        took = min(_seconds_an_iteration(solver, repeats) for _ in range(3))
        infosets = len(larger.parent)
        per_infoset.append(took / infosets * 1e9)
        held = larger.bytes + 5 * 8 * larger.sequences
        yield Row(
            f"CFR+ iteration, {infosets:,} infosets",
            took,
            unit="s",
            note=f"{per_infoset[-1]:.0f} ns, {held / infosets:.0f} B each: 20 GB hold {20e9 * infosets / held:.2g}",
        )
        del solver, larger
    slope = np.polyfit(np.log([936 * count for count in GROWTH]), np.log(per_infoset), 1)[0]
    yield Row("growth: time ~ size ^", 1 + float(slope), unit="", note="1 is a straight line")


def _seconds_an_iteration(solver: Any, repeats: int) -> float:
    return processor_seconds(lambda: solver.advance(repeats)) / repeats


def compiling() -> Iterator[Row]:
    """What a first run costs: Leduc by DCFR from an empty cache, and again from a full one."""
    program = "import pokerlab; pokerlab.solve('leduc', algorithm='dcfr', target=1e-3)"
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"POKERLAB_HOME": folder}
        call = [sys.executable, "-c", program]
        cold, warm = (seconds(lambda: subprocess.run(call, env=environment, check=True)) for _ in range(2))
    yield Row("Leduc to 0.001, a process, kernels kept", warm, unit="s", note=f"first time, compiling: {cold:.1f} s")


def measure() -> Iterator[Row]:
    """All of it."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before LiteEFG is imported
    yield from iterations()
    yield from to_target()
    yield from sampling()
    yield from programs()
    yield from growth()
    yield from compiling()
