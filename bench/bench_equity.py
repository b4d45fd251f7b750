"""Equity: seconds to an exact answer; other programs' loops are measured on a sample of boards and extrapolated."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import combinations

import numpy as np

from bench import Row, interleaved, seconds
from bench.peers import eval7_loop, openspiel_showdowns, phevaluator_loop, treys_loop
from pokerlab import parallel
from pokerlab.cards import preflop
from pokerlab.cards.canonical import canonical_boards
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.equity import equity

PLAYERS = ("AhKh", "2c2d")
QUICK = {"SAMPLED": {"phevaluator": 10, "eval7": 10, "treys": 10, "OpenSpiel": 10}}
SAMPLED = {"phevaluator": 40_000, "eval7": 40_000, "treys": 2_000, "OpenSpiel": 2_000}


@contextmanager
def one_core() -> Iterator[None]:
    """Everything inside runs on one core, so that we use one thread like the others."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure() -> Iterator[Row]:
    """One hand against another, ranges on a flop, and the preflop tables."""
    with one_core():
        yield from hand_against_hand()
        yield from ranges()
    yield from tables()


def hand_against_hand() -> Iterator[Row]:
    """All 1,712,304 boards, against the same loop with other evaluators."""
    holes = FULL_DECK.cards("".join(PLAYERS))
    deck = [card for card in range(52) if card not in holes]
    boards = np.array(list(combinations(deck, 5)), np.uint8)
    contenders = {"ours": partial(equity, PLAYERS)}
    for peer, loop in (("phevaluator", phevaluator_loop), ("eval7", eval7_loop), ("treys", treys_loop)):
        chosen = boards[:: len(boards) // SAMPLED[peer]]
        first = loop(np.hstack([np.repeat([holes[:2]], len(chosen), 0), chosen]).astype(np.uint8))
        second = loop(np.hstack([np.repeat([holes[2:]], len(chosen), 0), chosen]).astype(np.uint8))
        contenders[peer] = partial(_both, first, second)
    contenders["OpenSpiel"] = openspiel_showdowns(holes, boards[:: len(boards) // SAMPLED["OpenSpiel"]])
    times = interleaved(contenders, repeats=7)
    result = equity(PLAYERS)
    for peer in list(contenders)[1:]:
        measured = len(boards[:: len(boards) // SAMPLED[peer]])
        yield Row(
            f"{PLAYERS[0]} v {PLAYERS[1]}, {len(boards):,} boards",
            ours=times["ours"],
            theirs=times[peer] * len(boards) / measured,
            peer=peer,
            unit="s",
            asked=40 if peer == "phevaluator" else None,
            note=f"equity {result.players[0].equity:.6f}; theirs from {measured:,} boards",
        )


def _both(first: object, second: object) -> int:
    return sum(a < b for a, b in zip(first(), second(), strict=True))  # type: ignore[operator]


def ranges() -> Iterator[Row]:
    """Other questions, one thread."""
    questions = {
        "AhKh v 2c2d v 7s6s preflop": partial(equity, [*PLAYERS, "7s6s"]),
        "AKs,QQ+ v random on a flop": partial(equity, ["AKs,QQ+", "random"], board="Td7s2c"),
        "random v random on a flop": partial(equity, ["random", "random"], board="Td7s2c"),
        "22+ v A2s+ v KQ on a turn": partial(equity, ["22+", "A2s+", "KQ"], board="Td7s2c9h"),
        "three random hands, 200,000 deals by chance": partial(equity, ["random"] * 3, samples=200_000),
    }
    for what, time in interleaved(questions, repeats=5).items():
        yield Row(what, ours=time, unit="s")


def tables() -> Iterator[Row]:
    """Every hand against every hand, from scratch, on all cores."""
    preflop.compute(3)  # compiled
    for size in (3, 4, 5):
        boards = len(canonical_boards(size)[0])
        yield Row(
            f"1326×1326 and 169×169 tables, {size}-card boards",
            ours=seconds(partial(preflop.compute, size)),
            unit="s",
            note=f"from scratch, {parallel.core_count()} cores, {boards:,} kinds of boards",
        )
