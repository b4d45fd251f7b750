"""Features of every hold'em hand, up to names of suits: all at once, against hand by hand and board by board."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import numpy as np

from bench import Row, seconds
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.histogram import Histogram
from pokerlab.abstraction.features.ochs import OpponentClusters
from pokerlab.abstraction.features.run_outs import RoundBoards
from pokerlab.abstraction.features.strength import Strength
from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.measures import board_measures, hand_measures
from pokerlab.parallel import core_count

CARDS = CardRounds(FULL_DECK, 2, (0, 3, 4, 5))
RIVER = CardRounds(FULL_DECK, 2, (5,), ordered=True)  # the last round alone, and not from the store
ASKED_SECONDS = 120.0  # for all river hands, on two cores
SAMPLE = {3: 2000, 2: 4, 1: 2}  # hands of the river, boards of the turn and the flop
_SHORT = Deck.of("TJQKA", "cdhs")
QUICK = {
    "CARDS": CardRounds(_SHORT, 2, (0, 3, 4, 5)),
    "RIVER": CardRounds(_SHORT, 2, (5,), ordered=True),
    "SAMPLE": {3: 2, 2: 1, 1: 1},
}


def measure() -> Iterator[Row]:
    """Seconds of the wall for all hands of a round, on every core; what is slow is scaled up from a sample."""
    threads = core_count()
    hands = RIVER.hands(0)
    _drained(Strength().blocks(CARDS, 0))  # compiles
    ours = seconds(lambda: _drained(Strength().blocks(RIVER, 0, threads=threads)))
    told = f"{threads} cores, {hands / ours / 1e6:.1f} million hands/s"
    yield Row(f"river: strength of {hands:,} hands", ours, ASKED_SECONDS, "what is asked for", "s", 1, told)
    yield Row("river: hands a second", hands / ours, _hand_by_hand(), "hand by hand, one core")
    for round, street in ((2, "turn"), (1, "flop")):
        ours = seconds(lambda round=round: Histogram(50).counts(CARDS, round, threads=threads))
        what = f"{street}: histograms of {CARDS.hands(round):,} hands"
        yield Row(what, ours, _board_by_board(round), "board by board, one core", "s")
    clusters = OpponentClusters.of_game(CARDS)
    ours = seconds(lambda: _drained(clusters.blocks(RIVER, 0, threads=threads)))
    yield Row(f"river: strength against {clusters.count} clusters", ours, unit="s")


def _drained(blocks: Iterable[object]) -> None:
    for _ in blocks:
        pass


def _hand_by_hand() -> float:
    """River hands that `hand_measures` takes in a second."""
    rng = np.random.default_rng(1)
    rows = CARDS.indexer(3).unindex_batch(rng.integers(0, CARDS.hands(3), SAMPLE[3])).tolist()
    hand_measures(rows[0][:2], rows[0][2:])
    began = time.perf_counter()
    for row in rows:
        hand_measures(row[:2], row[2:])
    return len(rows) / (time.perf_counter() - began)


def _board_by_board(round: int) -> float:
    """Seconds that `board_measures` would take for the boards of a round up to names of suits."""
    boards = RoundBoards(CARDS, round).boards
    chosen = boards[np.linspace(0, len(boards) - 1, SAMPLE[round]).astype(int)].tolist()
    board_measures(chosen[0], bins=50)
    began = time.perf_counter()
    for board in chosen:
        board_measures(board, bins=50)
    return (time.perf_counter() - began) / len(chosen) * len(boards)
