"""Equity by sampling: random deals from a seed, with a standard error.

Hands are drawn player by player, the narrowest range first, each from the part of the range that the earlier hands do
not block; the weight of a deal is the product of the unblocked shares. With these weights, sequential drawing agrees
with drawing all hands at once and rejecting deals with a shared card, and it never gets stuck on ranges that seldom fit
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from pokerlab import parallel
from pokerlab.cards.combos import COMBOS
from pokerlab.cards.contest import CARD_BITS, HAND_MASKS, Contest
from pokerlab.cards.strength import HIGH
from pokerlab.events import SILENT, Cancelled, Watch

_SAMPLES = 1 << 15  # random deals per unit of work


@dataclass(frozen=True, eq=False)
class SampledEquity:
    """The result of random deals, as shares of 1."""

    shares: np.ndarray  # [player, 4]: win, tie, equity, and the standard error of the equity
    samples: int
    weight: float  # 0 if no deal was possible
    interrupted: bool = False  # cancelled, or by Ctrl-C


def sample(contest: Contest, *, samples: int, seconds: float | None, seed: int, watch: Watch = SILENT) -> SampledEquity:
    """Random deals until there are enough, time is up or it is cancelled; reproducible by seed and number."""
    order = sorted(range(len(contest.ranges)), key=lambda player: len(contest.hands[player]))
    sampler = _sampler(contest, order, seed)
    sampler((0, 0))  # compile before the clock starts
    began = perf_counter()
    moments = np.zeros((len(order) + 1, 5))
    drawn, interrupted = 0, False

    def pieces() -> Iterator[tuple[int, int]]:
        for number, start in enumerate(range(0, samples, _SAMPLES)):
            if number and seconds is not None and perf_counter() - began > seconds:
                return
            yield number, min(_SAMPLES, samples - start)

    try:
        for result in parallel.run(sampler, pieces(), cancel=watch.cancel):
            moments += result
            drawn = min(samples, drawn + _SAMPLES)
            spent = (perf_counter() - began) / seconds if seconds else 0.0
            watch.at("sampling", min(1.0, max(drawn / samples, spent)))
    except (KeyboardInterrupt, Cancelled):
        if not drawn:
            raise
        interrupted = True
    sums = np.empty((5, len(order)))
    sums[:, order] = moments[:-1].T
    weight, squares = moments[-1, :2]
    if weight == 0:
        return SampledEquity(np.zeros((len(order), 4)), drawn, 0.0, interrupted)
    equity = sums[2] / weight
    variance = (sums[4] - 2 * equity * sums[3] + equity**2 * squares) / weight**2
    shares = np.stack([sums[0] / weight, sums[1] / weight, equity, np.sqrt(np.maximum(variance, 0))], axis=1)
    return SampledEquity(shares, drawn, float(weight), interrupted)


def _sampler(contest: Contest, order: list[int], seed: int) -> Callable[[tuple[int, int]], np.ndarray]:
    from pokerlab.cards._kernels.deals import DeckCards, Drawing, PartialBoard, Ranges, random_deals

    ranking = HIGH()
    weights = np.ascontiguousarray(contest.weights[order])
    lengths, hands, keep, other = _alias_tables(weights)
    card_weights = np.zeros((len(order), 52))
    for row, held in enumerate(weights):
        card_weights[row] = np.bincount(COMBOS[:, 0], held, 52) + np.bincount(COMBOS[:, 1], held, 52)
    board = list(contest.board)
    known = PartialBoard(
        closed=np.uint64(sum(1 << card for card in {*board, *contest.dead})),
        to_come=contest.to_come,
        key=np.uint64(ranking.start + ranking.keys[board].sum()),
        bits=np.uint64(CARD_BITS[board].sum()),
    )
    ranges, drawing = Ranges(lengths, hands, weights), Drawing(keep, other, weights.sum(1), card_weights)
    cards, tables = DeckCards(COMBOS, HAND_MASKS, CARD_BITS), ranking.tables(7)

    def piece(numbered: tuple[int, int]) -> np.ndarray:
        number, size = numbered
        moments = np.zeros((len(order) + 1, 5))
        state = np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)
        moments[-1, :2] = random_deals(size, state, known, ranges, drawing, cards, tables, moments[:-1])
        return moments

    return piece


def _alias_tables(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Walker's alias tables: lengths [player]; hands, probabilities of the own hand, other hands [player, most]."""
    supports = [np.flatnonzero(row) for row in weights]
    lengths = np.array([len(support) for support in supports])
    shape = (len(weights), int(lengths.max()))
    hands, keep, other = np.zeros(shape, np.int16), np.ones(shape), np.zeros(shape, np.int16)
    for player, support in enumerate(supports):
        share = weights[player, support] * len(support) / weights[player].sum()
        hands[player, : len(support)] = other[player, : len(support)] = support
        small, large = np.flatnonzero(share < 1).tolist(), np.flatnonzero(share >= 1).tolist()
        while small and large:
            under, over = small.pop(), large[-1]
            keep[player, under] = share[under]
            other[player, under] = support[over]
            share[over] -= 1 - share[under]
            if share[over] < 1:
                small.append(large.pop())
    return lengths, hands, keep, other
