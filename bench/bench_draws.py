"""Five-card draw: exact measures of every hand, against counting hand by hand; decisions of its players, compiled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import combinations

import numpy as np

from bench import Row, interleaved, seconds
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.cards import draws
from pokerlab.cards.draw_potential import potential_of
from pokerlab.cards.strength import strengths
from pokerlab.compiled import kernel
from pokerlab.registry import load

SAMPLE = 4  # hands counted one by one; their time is scaled to all hands
DECISIONS = 1_000_000
QUICK = {"SAMPLE": 1, "DECISIONS": 1000}


def measure() -> Iterator[Row]:
    """All hands at once, in seconds of the processor."""
    hands = draws.all_hands()
    classes = strengths(hands, check=False)
    numbers = np.linspace(0, len(hands) - 1, SAMPLE).astype(int)
    contenders = {
        "all": partial(draws._opposing, hands, classes),
        "sample": partial(_one_by_one, hands[numbers], classes[numbers], np.array(list(combinations(range(47), 5)))),
    }
    times = interleaved(contenders, repeats=3, clock=time.process_time)
    counted = times["sample"] / SAMPLE * len(hands)
    yield Row(f"strength of {len(hands):,} hands", times["all"], counted, "hand by hand", unit="s", asked=1000)
    best = draws.draw_measures().best
    potential_of(best[:20], np.arange(20))
    yield Row("potential of the same", seconds(partial(potential_of, best), time.process_time), unit="s")
    yield from _decisions()


def _one_by_one(hands: np.ndarray, classes: np.ndarray, every: np.ndarray) -> None:
    for hand, own in zip(hands, classes, strict=True):
        theirs = strengths(np.setdiff1d(np.arange(52), hand)[every].astype(np.uint8), check=False)
        assert (theirs > own).sum() >= 0


def _decisions() -> Iterator[Row]:
    """First decisions of a player, by a kernel and by its agent."""
    from pokerlab.solvers.bucketed._kernels.draw_rules import Facts, agent_action

    @kernel
    def decided(tables, facts, number):  # type: ignore[no-untyped-def]
        raised = 0
        for one in range(number):
            hand = one % tables.strength.shape[0]
            raised += agent_action(tables, hand, hand, facts, np.uint64(one) << np.uint64(43)) == 2
        return raised

    game, agent = load("games", "five-card-draw"), open_agent("draw-pot-odds")
    rng = np.random.default_rng(1)
    views = [game.view(game.start(cards), 0) for cards in game.deals(rng, 2000)]
    facts = Facts(0, 0, 1, 3, 2, 0, 0, 0, 0)
    contenders = {
        "kernel": partial(decided, decisions("draw-pot-odds"), facts, DECISIONS),
        "agent": lambda: [agent.act(view, rng) for view in views],
    }
    times = interleaved(contenders, repeats=3)
    yield Row(
        "decisions of draw-pot-odds", DECISIONS / times["kernel"], len(views) / times["agent"], "its agent", asked=10
    )
