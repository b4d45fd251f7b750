"""Inspect a bucket file: a hand's bucket in each round, and how the buckets of a round differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from pokerlab.abstraction.buckets import Buckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.histogram import Histogram
from pokerlab.abstraction.features.run_outs import RoundBoards
from pokerlab.abstraction.features.strength import Strength
from pokerlab.abstraction.method import open_method
from pokerlab.cards.canonical import HandIndexer
from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, COMBOS
from pokerlab.errors import BadCards, BadSetting, shortened
from pokerlab.lab.abstraction.bucketing import labels_of, round_names

FEWEST_SAMPLED = 40  # hands of a bucket whose histograms are always computed, however long it takes
MOST_NEIGHBOURS = 5
MOST_COMPARED = 5000  # buckets whose distances are held in memory at once
MOST_SHOWN = 12  # other hands of a bucket
MOST_TRIED = 50_000  # hands of a class that are tried as hands of a bucket
SAMPLED_WORK = 20_000_000  # hands on complete boards beyond which hands and boards are sampled


@dataclass(frozen=True, eq=False)
class HandBucket:
    """The bucket of a hand in a round."""

    round: int
    name: str
    board: str
    bucket: int
    buckets: int  # in this round
    hands: int | None  # in the bucket, up to suit isomorphism; None: unknown, as in `labels_of`
    share: float | None  # of all dealt hands
    neighbours: tuple[tuple[int, float], ...]  # the nearest buckets and their distances, if the method has them
    here: tuple[str, ...]  # some hands of the bucket on this board
    here_count: int  # their total number
    elsewhere: tuple[tuple[str, str], ...]  # some hands and boards of the bucket
    strength: float  # E[HS] of the hand
    histogram: np.ndarray  # [bin] distribution of the final hand strength
    bucket_strength: float | None  # mean over the bucket, or over a sample
    bucket_histogram: np.ndarray | None
    sampled: int | None  # hands of the bucket in the mean; None: all

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        neighbours = [{"bucket": bucket, "distance": distance} for bucket, distance in self.neighbours]
        elsewhere = [{"hand": hand, "board": board} for hand, board in self.elsewhere]
        return {**vars(self), "neighbours": neighbours, "elsewhere": elsewhere}


def histogram_columns(rounds: Sequence[HandBucket]) -> dict[str, list[Any]]:
    """The histograms of a hand and of its buckets: a row for each bin of each round."""
    columns: dict[str, list[Any]] = {name: [] for name in ("round", "board", "from", "to", "hand", "bucket")}
    for one in rounds:
        bins = len(one.histogram)
        whole = [None] * bins if one.bucket_histogram is None else one.bucket_histogram.tolist()
        for number, (own, shared) in enumerate(zip(one.histogram.tolist(), whole, strict=True)):
            row = one.name, one.board, number / bins, (number + 1) / bins, own, shared
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
    return columns


def hand_buckets(buckets: Buckets, hand: str, board: str = "", *, bins: int = 10) -> tuple[HandBucket, ...]:
    """The bucket of a hand in each round up to that of the board."""
    cards = buckets.cards
    held, shown = cards.deck.cards(hand), cards.deck.cards(board)
    if len(held) != cards.private:
        number = "one card" if cards.private == 1 else f"{cards.private} cards"
        raise BadCards(f"a hand of this game is {number}, and {shortened(hand, 40)!r} is {len(held)}")
    if len(shown) not in cards.boards:
        sizes = ", ".join(map(str, sorted(set(cards.boards))))
        raise BadCards(f"a board of this game has {sizes} cards, and {shortened(board, 40)!r} has {len(shown)}")
    cards.deck.check([*held, *shown])
    return tuple(
        _hand_bucket(buckets, round_index, held, shown[:size], bins)
        for round_index, size in enumerate(cards.boards)
        if size <= len(shown)
    )


def _hand_bucket(
    buckets: Buckets, round_index: int, held: Sequence[int], board: Sequence[int], bins: int
) -> HandBucket:
    cards, one, indexer = buckets.cards, buckets.rounds[round_index], buckets.cards.indexer(round_index)
    own = np.array([[*held, *board]], np.uint8)
    number, label = int(cards.index(round_index, own)[0]), int(one.classes(cards, round_index, own)[0])
    bucket = int(buckets.at(round_index, np.array([held], np.uint8), board)[0])
    labels, most = labels_of(buckets, round_index), max(FEWEST_SAMPLED, _boards(cards, round_index))
    known, weights = labels is not None, None
    if labels is not None:
        members = np.flatnonzero(labels == labels[number])
        chosen, is_sample = _chosen(indexer.counts(members), members, most)
        weights = None if is_sample else indexer.counts(chosen)
        same_bucket, others = indexer.unindex_batch(chosen), _spread(cards, round_index, members[members != number])
    else:
        same_bucket, is_sample = _sampled_rows(buckets, round_index, label, bucket), True
        same_bucket, others = (
            same_bucket[:most],
            same_bucket[cards.index(round_index, same_bucket) != number][: MOST_SHOWN // 2],
        )
    rows = np.concatenate([own, same_bucket])
    strengths, histograms = Strength().of(cards, round_index, rows)[:, 0], Histogram(bins).of(cards, round_index, rows)
    here = [hand for hand in _holdings_like(buckets, round_index, bucket, board) if sorted(hand) != sorted(held)]
    return HandBucket(
        round_index,
        round_names(cards)[round_index],
        cards.deck.text(board),
        bucket,
        one.count,
        len(members) if known else None,
        float(indexer.counts(members).sum() / _deals(indexer.rounds, cards.deck.size)) if known else None,
        _neighbours(buckets, round_index, label),
        tuple(cards.deck.text(sorted(hand, reverse=True)) for hand in _some(here)),
        len(here),
        _elsewhere(cards, round_index, others),
        float(strengths[0]),
        histograms[0],
        float(np.average(strengths[1:], weights=weights)) if len(same_bucket) else None,
        np.average(histograms[1:], axis=0, weights=weights) if len(same_bucket) else None,
        len(same_bucket) if is_sample and len(same_bucket) else None,
    )


def _sampled_rows(buckets: Buckets, round_index: int, label: int, bucket: int) -> np.ndarray:
    """Deals of a bucket, where hands alone do not determine it: hands of its class, their boards in a random order.

    Empty without the table of the round.  # [n, cards] uint8
    """
    cards, indexer, table = buckets.cards, buckets.cards.indexer(round_index), buckets.rounds[round_index].table
    if table is None:
        return np.zeros((0, cards.private + cards.boards[round_index]), np.uint8)
    rng, members = np.random.default_rng(bucket), np.flatnonzero(table == label)
    if len(members) > 10 * MOST_TRIED:
        members = rng.choice(members, 10 * MOST_TRIED)
    weights = indexer.counts(members)
    rows = indexer.unindex_batch(rng.choice(members, MOST_TRIED, p=weights / weights.sum()))
    rows[:, cards.private :] = rng.permuted(rows[:, cards.private :], axis=1)
    labels = np.zeros(len(rows), np.int64)
    for round in range(round_index + 1):
        one, then = buckets.rounds[round], cards.up_to(round, rows)
        classes = one.classes(cards, round, then)
        labels = np.asarray(classes if one.join is None else one.join[labels, classes], np.int64)
    return np.asarray(rows[labels == bucket])


def _boards(cards: CardRounds, round_index: int) -> int:
    """How many boards can be examined in about a second."""
    holdings = comb(cards.deck.size, cards.private)
    return max(1, SAMPLED_WORK // (holdings * RoundBoards(cards, round_index).run_outs))


def _chosen(weights: np.ndarray, members: np.ndarray, most: int) -> tuple[np.ndarray, bool]:
    """All members, or a weighted sample; and whether they are a sample."""
    if len(members) <= most:
        return members, False
    rng = np.random.default_rng(len(members))
    return rng.choice(members, most, p=weights / weights.sum()), True


def _deals(rounds: Sequence[int], deck: int) -> int:
    """The number of hands, counting suits as distinct."""
    total = 1
    for size in rounds:
        total, deck = total * comb(deck, size), deck - size
    return total


def _neighbours(buckets: Buckets, round_index: int, label: int) -> tuple[tuple[int, float], ...]:
    """The nearest classes, if they are buckets and the method has distances."""
    one = buckets.rounds[round_index]
    if one.join is not None or not one.arrays or one.count > MOST_COMPARED:
        return ()
    try:
        ground = open_method(one.method).ground(one.arrays)
    except BadSetting:  # a method without distances
        return ()
    order = [int(other) for other in np.argsort(ground[label], kind="stable") if other != label]
    return tuple((other, float(ground[label][other])) for other in order[:MOST_NEIGHBOURS])


def _holdings_like(buckets: Buckets, round_index: int, bucket: int, board: Sequence[int]) -> list[list[int]]:
    """All hands of a bucket on a board."""
    free = _holdings(buckets.cards, board)
    return free[buckets.at(round_index, free, board) == bucket].tolist()  # type: ignore[no-any-return]


def _holdings(cards: CardRounds, board: Sequence[int] | np.ndarray) -> np.ndarray:
    """The private cards that can be held on a board.  # [n, private] uint8"""
    holdings = FinalHands.of(cards).holdings.cards
    return holdings[~np.isin(holdings, np.asarray(board, np.uint8)).any(axis=1)]  # type: ignore[no-any-return]


def _some(items: list[Any]) -> list[Any]:
    """At most MOST_SHOWN items, spread over the list."""
    if len(items) <= MOST_SHOWN:
        return items
    return [items[index] for index in np.linspace(0, len(items) - 1, MOST_SHOWN).astype(int)]


def _spread(cards: CardRounds, round_index: int, members: np.ndarray) -> np.ndarray:
    """A few hands of a bucket, drawn at random.  # [n, cards] uint8"""
    rng = np.random.default_rng(len(members))
    chosen = np.sort(rng.choice(members, min(len(members), MOST_SHOWN // 2), replace=False))
    return cards.indexer(round_index).unindex_batch(chosen)


def _elsewhere(cards: CardRounds, round_index: int, rows: np.ndarray) -> tuple[tuple[str, str], ...]:
    """Hands and boards as text; none in a round without a board."""
    deck, held = cards.deck, cards.private
    return tuple((deck.text(row[:held]), deck.text(row[held:])) for row in rows.tolist() if cards.boards[round_index])


# ---- a round ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RoundView:
    """The buckets of a round, from weak to strong."""

    round: int
    name: str
    method: str
    buckets: np.ndarray  # [n] the numbers of those that occurred
    share: np.ndarray  # [n] of all dealt hands
    strength: np.ndarray  # [n] mean E[HS]
    sampled: int | None  # boards sampled; None: all
    grid: np.ndarray | None = None  # [13, 13] the bucket of each starting hand, before any board

    def columns(self) -> dict[str, list[Any]]:
        """The numbers of its picture: a row for each starting hand, later one for each bucket, from weak to strong."""
        if self.grid is None:
            numbers = {"bucket": self.buckets, "share": self.share, "strength": self.strength}
            return {name: column.tolist() for name, column in numbers.items()}
        ranks = {int(bucket): rank for rank, bucket in enumerate(self.buckets)}
        held = self.grid.reshape(-1).tolist()
        return {"hand": list(CLASS_NAMES), "bucket": held, "rank": [ranks[bucket] for bucket in held]}


def round_view(buckets: Buckets, round_index: int) -> RoundView:
    """The size and strength of the buckets of a round, over all boards or a sample."""
    cards = buckets.cards
    hands, weights, sampled = _round_hands(cards, round_index)
    held = cards.private
    labels = np.concatenate([buckets.at(round_index, rows[:, :held], rows[0, held:].tolist()) for rows in hands])
    strengths = Strength().of(cards, round_index, np.concatenate(hands))[:, 0]
    numbers, which = np.unique(labels, return_inverse=True)
    mass = np.bincount(which, weights)
    means = np.bincount(which, weights * strengths) / mass
    order = np.argsort(means, kind="stable")
    return RoundView(
        round_index,
        round_names(cards)[round_index],
        buckets.rounds[round_index].method,
        numbers[order],
        (mass / mass.sum())[order],
        means[order],
        sampled,
        _grid(buckets) if has_grid(cards) and not round_index and not cards.boards[0] else None,
    )


def has_grid(cards: CardRounds) -> bool:
    """Whether starting hands fit the usual 13 x 13 grid."""
    return cards.private == 2 and (len(cards.deck.ranks), len(cards.deck.suits)) == (13, 4)


def _grid(buckets: Buckets) -> np.ndarray:
    grid = np.zeros(len(CLASS_NAMES), np.int64)
    grid[COMBO_CLASS] = buckets.at(0, COMBOS, ())
    return grid.reshape(13, 13)


def _round_hands(cards: CardRounds, round_index: int) -> tuple[list[np.ndarray], np.ndarray, int | None]:
    """Hands by board, how many each represents, and the number of boards if sampled."""
    all_boards, boards = RoundBoards(cards, round_index).boards, _boards(cards, round_index)
    if len(all_boards) <= boards:
        chosen, sampled = all_boards, None
        weights = _board_counts(cards, round_index, chosen)
    else:
        rng, sampled = np.random.default_rng(round_index), boards
        drawn = [rng.choice(cards.deck.size, cards.boards[round_index], replace=False) for _ in range(boards)]
        chosen, weights = np.array(drawn, np.uint8), np.ones(boards)
    rows, mass = [], []
    for board, weight in zip(chosen, weights, strict=True):
        free = _holdings(cards, board)
        rows.append(np.concatenate([free, np.broadcast_to(board, (len(free), len(board)))], axis=1))
        mass.append(np.full(len(free), float(weight)))
    return rows, np.concatenate(mass), sampled


def _board_counts(cards: CardRounds, round_index: int, boards: np.ndarray) -> np.ndarray:
    """How many boards each represents."""
    if not boards.shape[1]:
        return np.ones(1)
    indexer = HandIndexer(cards.indexer(round_index).rounds[1:], len(cards.deck.ranks), len(cards.deck.suits))
    return indexer.counts(indexer.index_batch(boards))
