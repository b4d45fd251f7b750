"""The runs behind the comparison of sampling with full traversals: one algorithm, one seed, one game, to a node budget.

Runs of a game share its form and the cores, one thread each. Results may be saved, so that a full rerun can be
interrupted: if all runs of a game are saved, its form is not even built.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab import parallel, store
from pokerlab.errors import BadFile
from pokerlab.events import SILENT, Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.game import CHANCE
from pokerlab.parallel import Shared
from pokerlab.registry import load
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form

ALGORITHMS = {
    "CFR": "cfr(alternating=false)",
    "CFR, pruned": "cfr(alternating=false, pruning=true)",
    "external sampling": "external",
    "outcome sampling": "outcome",
    "chance sampling": "chance",  # only for games with chance
}
POINTS = 24
_AT_ONCE = 3e7  # nodes touched between checks for Ctrl-C
_KIND = "kept curve"
_FACTS = ("nodes", "infosets", "chance nodes", "M of player 0", "M of player 1")


@dataclass(frozen=True)
class Curve:
    """One algorithm in one game: exploitability by nodes touched, for every seed."""

    algorithm: str
    nodes: np.ndarray  # [point]
    exploitability: np.ndarray  # [seed, point]
    iteration_seconds: float = 0.0  # of CPU

    def interval(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The mean over seeds and its 95 % interval, computed in logarithms.  # [point] each"""
        logs = np.log(np.maximum(self.exploitability, 1e-16))
        mean = logs.mean(axis=0)
        if len(logs) < 2:
            return np.exp(mean), np.exp(mean), np.exp(mean)
        from scipy.stats import t

        half = t.ppf(0.975, len(logs) - 1) * logs.std(axis=0, ddof=1) / np.sqrt(len(logs))
        return np.exp(mean), np.exp(mean - half), np.exp(mean + half)


@dataclass(frozen=True)
class GameCurves:
    """One game: its size, by _FACTS, and a curve of each algorithm."""

    facts: dict[str, float]
    curves: list[Curve]


@dataclass(frozen=True)
class _Run:
    """One run to make."""

    game: str
    algorithm: str
    seed: int
    budget: float

    @property
    def path(self) -> Path:
        """The name under which it is saved."""
        words = f"{self.game} {self.algorithm} {self.budget:.0e} seed {self.seed}"
        return store.home() / "papers" / "mccfr_comparison" / f"{re.sub('[^a-z0-9]+', '-', words.lower())}.safetensors"


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The outcome of a run."""

    nodes: np.ndarray  # [point]
    exploitability: np.ndarray  # [point]
    iteration_seconds: float
    facts: np.ndarray  # of the game, by _FACTS


def compare(name: str, *, seeds: Sequence[int], budget: float, keep: bool, watch: Watch) -> GameCurves:
    """All algorithms in one game."""
    runs = [
        _Run(name, label, seed, budget)
        for label, spec in ALGORITHMS.items()
        for seed in (seeds if load("algorithms", spec).random else seeds[:1])
    ]
    done = {run: saved for run in runs if keep and (saved := _saved(run))}
    facts = next((saved.facts for saved in done.values()), None)
    missing = [run for run in runs if run not in done and (facts is None or _applies(run, facts))]
    if missing:
        watch.at("building the tree", 0.0)
        form = sequence_form(build(open_game(name), watch=Watch(cancel=watch.cancel)))
        facts = facts_of(form)
        missing = [run for run in missing if _applies(run, facts)]
        with watch.interruptible() as watch:
            shared = Shared((form, facts))
            made = parallel.spread(_run_shared, [(shared, run) for run in missing], watch=watch)
            for count, (run, outcome) in enumerate(zip(missing, made, strict=True), start=1):
                done[run] = outcome
                if keep:
                    _keep(run, outcome)
                watch.at(run.algorithm, count, len(missing) + 1)
    assert facts is not None
    by_label = {label: [done[run] for run in runs if run.algorithm == label and run in done] for label in ALGORITHMS}
    curves = [_curve(label, outcomes) for label, outcomes in by_label.items() if outcomes]
    return GameCurves(dict(zip(_FACTS, facts.tolist(), strict=True)), curves)


def curve(form: SequenceForm, label: str, *, seeds: Sequence[int], budget: float) -> Curve:
    """One algorithm, all seeds."""
    facts = facts_of(form)
    return _curve(label, [_outcome(form, _Run("", label, seed, budget), facts, SILENT) for seed in seeds])


def facts_of(form: SequenceForm) -> np.ndarray:
    """The size of a game, by _FACTS."""
    tree = form.tree
    return np.array([tree.nodes, tree.infosets, np.count_nonzero(tree.actor == CHANCE), *constants(form)], float)


def constants(form: SequenceForm) -> tuple[float, float]:
    """M of each player: the square roots of the sizes of the classes of infosets with equal own actions before, summed.

    CFR's regret bound is proportional to it (theorem 3 of the paper).
    """
    tree = form.tree
    kinds: dict[tuple[str, ...], int] = {}
    kind = np.fromiter((kinds.setdefault(names, len(kinds)) for names in tree.action_names), np.int64, tree.infosets)
    words: dict[str, int] = {}
    action = np.empty(tree.slots, np.int64)  # the word of each slot
    for names, number in kinds.items():
        own = np.flatnonzero(kind == number)
        ids = [words.setdefault(name, len(words)) for name in names]
        action[tree.start[own][:, None] + np.arange(len(names))] = ids
    done = np.full(form.sequences, -1, np.int64)  # a player's actions up to a sequence, as a number
    done[: form.players] = np.arange(form.players)
    sums, given = np.zeros(form.players), form.players
    counts = np.diff(tree.start).astype(np.int64)
    waiting = np.arange(tree.infosets)
    while len(waiting):  # one layer of infosets after another
        before = done[form.parent[waiting]]
        now, waiting, before = waiting[before >= 0], waiting[before < 0], before[before >= 0]
        _, first, sizes = np.unique(before, return_index=True, return_counts=True)
        np.add.at(sums, tree.infoset_player[now[first]], np.sqrt(sizes))
        slots = np.repeat(tree.start[now].astype(np.int64) - np.r_[0, np.cumsum(counts[now])[:-1]], counts[now])
        slots += np.arange(len(slots))
        pairs = np.repeat(before, counts[now]) * len(words) + action[slots]  # the actions before, then this one
        numbers = np.unique(pairs, return_inverse=True)[1]
        done[form.players + slots] = given + numbers
        given += int(numbers.max()) + 1
    return float(sums[0]), float(sums[1])


def _applies(run: _Run, facts: np.ndarray) -> bool:
    return run.algorithm != "chance sampling" or facts[_FACTS.index("chance nodes")] > 0


def _run_shared(task: tuple[Shared[tuple[SequenceForm, np.ndarray]], _Run], watch: Watch) -> _Outcome:
    shared, run = task
    form, facts = shared.value
    return _outcome(form, run, facts, watch)


def _outcome(form: SequenceForm, run: _Run, facts: np.ndarray, watch: Watch) -> _Outcome:
    """Run an algorithm up to a number of nodes touched, measuring at logarithmically spaced points."""
    algorithm = load("algorithms", ALGORITHMS[run.algorithm])
    algorithm.rehearse(form)
    solver = algorithm.start(form, seed=run.seed)
    targets = np.geomspace(max(2 * form.tree.nodes, 1000), run.budget, POINTS)
    nodes, exploitability, seconds = np.zeros(POINTS), np.zeros(POINTS), 0.0
    for point, target in enumerate(targets):
        began = time.thread_time()
        _advance_to(solver, target, watch)
        seconds += time.thread_time() - began
        nodes[point], exploitability[point] = solver.nodes_touched, solver.measure().exploitability
    return _Outcome(nodes, exploitability, seconds / solver.iterations, facts)


def _keep(run: _Run, outcome: _Outcome) -> None:
    arrays = {name: np.atleast_1d(value) for name, value in vars(outcome).items()}
    store.keep(run.path, arrays, kind=_KIND, run=repr(run))


def _advance_to(solver: Solver, target: float, watch: Watch) -> None:
    """Whole iterations until this many nodes have been touched, extrapolated from the cost of iterations so far."""
    while solver.nodes_touched < target:
        watch.check()
        each = solver.nodes_touched / solver.iterations if solver.iterations else target
        missing = min(target - solver.nodes_touched, _AT_ONCE) / max(each, 1.0)
        solver.advance(max(1, int(missing)))


def _curve(label: str, outcomes: Sequence[_Outcome]) -> Curve:
    nodes = np.mean([one.nodes for one in outcomes], axis=0)
    seconds = float(np.median([one.iteration_seconds for one in outcomes]))
    return Curve(label, nodes, np.array([one.exploitability for one in outcomes]), seconds)


def _saved(run: _Run) -> _Outcome | None:
    """The saved outcome of a run; None if there is none, or if it is damaged."""
    try:
        saved = store.load(run.path, kind=_KIND)
        if saved.manifest["run"] != repr(run):
            return None
        nodes, left, seconds, facts = (np.array(saved.arrays[name]) for name in _Outcome.__dataclass_fields__)
        outcome = _Outcome(nodes, left, float(seconds[0]), facts)
    except (BadFile, IndexError, KeyError, TypeError, ValueError):
        return None
    shapes = outcome.nodes.shape, outcome.exploitability.shape, outcome.facts.shape
    return outcome if shapes == ((POINTS,), (POINTS,), (len(_FACTS),)) else None
