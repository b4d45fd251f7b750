"""Matches: hands per second, refereed and compiled, and what keeping hands and playing longer costs."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench import Row, interleaved, seconds
from pokerlab.agents.agent import Memoryless
from pokerlab.agents.library.random import Random
from pokerlab.games.poker.betting import CALL, FOLD, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.lab.solve.solving import solve
from pokerlab.match.hands.history import History
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.saved import save_match
from pokerlab.match.run.tables import play_table_match
from pokerlab.registry import load

HANDS, COMPILED_HANDS = 5000, 2_000_000
QUICK = {"HANDS": 50, "COMPILED_HANDS": 2000}


@dataclass(frozen=True)
class MenuRandom(Memoryless):
    """rlcard's choice of actions, evenly: fold, check or call, half a pot, a pot, all-in, where they are allowed."""

    label = "menu"

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """One of the menu."""
        fold, _, least, most, *_ = view.legal
        totals = [-1, 0] if fold else [0]  # a fold, a call, or the total of a raise
        if most:
            live = view.betting.live
            pot, mine = live[0] + live[1], live[view.seat]
            if least <= mine + pot // 2 < most:
                totals.append(mine + pot // 2)
            if least <= mine + pot < most:
                totals.append(mine + pot)
            totals.append(most)
        total = totals[int(rng.random() * len(totals))]
        return tuple.__new__(Action, ("r", total, ())) if total > 0 else FOLD if total else CALL


def ours(game: PokerGame, agent: Any, hands: int | None = None) -> None:
    """A whole match: deals, referee, statistics."""
    play_match(MatchSettings.of(game, (agent, agent), hands=hands or HANDS))


def pokerkit() -> None:
    """The same game and policy on PokerKit's state, dealing and chip handling automatic."""
    from pokerkit import Automation, NoLimitTexasHoldem

    automations = tuple(Automation)
    chance = random.Random(1)
    for _ in range(HANDS // 10):
        state = NoLimitTexasHoldem.create_state(automations, True, 0, (50, 100), 100, (20000, 20000), 2)
        while state.status:
            kinds = []
            if state.can_fold():
                kinds.append("fold")
            if state.can_check_or_call():
                kinds.append("call")
            if state.can_complete_bet_or_raise_to():
                kinds.append("raise")
            kind = kinds[int(chance.random() * len(kinds))]
            if kind == "fold":
                state.fold()
            elif kind == "call":
                state.check_or_call()
            else:
                least = state.min_completion_betting_or_raising_to_amount
                most = state.max_completion_betting_or_raising_to_amount
                state.complete_bet_or_raise_to(least + int(chance.random() * (most - least + 1)))


def rlcard() -> None:
    """rlcard's own environment of the same game, its actions drawn evenly, but no folds where a check is free."""
    import rlcard as peer

    environment = peer.make("no-limit-holdem", config={"seed": 1, "chips_for_each": 200})
    chance = random.Random(1)

    class Even:
        use_raw = False

        def eval_step(self, state: Any) -> tuple[int, dict[str, Any]]:
            actions = list(state["legal_actions"])
            seen = state["raw_obs"]
            if seen["my_chips"] == max(seen["all_chips"]) and actions[0] == 0:
                del actions[0]
            return actions[int(chance.random() * len(actions))], {}

    environment.set_agents([Even(), Even()])
    for _ in range(HANDS // 10):
        environment.run(is_training=False)


def measure() -> Iterator[Row]:
    """Medians of interleaved runs, in seconds of this process: all contenders are one thread."""
    game = load("games", "holdem-nolimit")
    shared = load("games", "holdem-nolimit(stack=200, blinds=(1, 2))")
    times = interleaved(
        {
            "ours": lambda: ours(game, Random()),
            "pokerkit": pokerkit,
            "menu": lambda: ours(shared, MenuRandom()),
            "rlcard": rlcard,
        },
        repeats=7,
        clock=time.process_time,
    )
    rate = {name: (HANDS if name in ("ours", "menu") else HANDS // 10) / taken for name, taken in times.items()}
    yield Row("no-limit hold'em, random, any size", rate["ours"], rate["pokerkit"], "PokerKit", "hands/s", 20)
    yield Row("no-limit hold'em, random, menu of five", rate["menu"], rate["rlcard"], "rlcard", "hands/s", 10)
    yield from _longer(game)
    yield from _compiled()


def _longer(game: PokerGame) -> Iterator[Row]:
    """Ten times the hands, and hands kept in a file; memory is the growth of the process's peak."""
    import resource
    import tempfile
    from pathlib import Path

    def kept() -> None:
        with tempfile.TemporaryDirectory() as folder, History(Path(folder) / "hands.duckdb") as history:
            settings = MatchSettings.of(game, (Random(), Random()), hands=HANDS)
            play_match(settings, saved=save_match(history, settings.as_dict()))

    times = interleaved({"short": lambda: ours(game, Random()), "kept": kept}, repeats=3, clock=time.process_time)
    yield Row("the same, every hand kept", HANDS / times["kept"], unit="hands/s")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    long = seconds(lambda: ours(game, Random(), 10 * HANDS), time.process_time)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    note = f"{10 * HANDS:,} hands v {HANDS:,}: peak memory grew by {grown:.1f} MB"
    yield Row("ten times the hands", 10 * HANDS / long, HANDS / times["short"], "ours, short", "hands/s", note=note)


def _compiled() -> Iterator[Row]:
    for game in ("kuhn", "leduc"):
        strategy = solve(game, target=0.01).strategy
        play_table_match(game, [strategy] * 2, hands=1000)
        for duplicate in (False, True):
            result = play_table_match(game, [strategy] * 2, hands=COMPILED_HANDS, duplicate=duplicate)
            what = f"{game}, two table strategies{', duplicate' if duplicate else ''}"
            yield Row(what, result.hands / result.seconds, unit="hands/s", note="compiled, with statistics")
