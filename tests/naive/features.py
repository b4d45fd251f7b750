"""Features of hands the slow way: every run-out, every opponent's hand, one after the other."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.cards.canonical import HandIndexer
from pokerlab.games.poker.showdown import strength_of

Outcomes = list[tuple[tuple[int, ...], int]]  # an opponent's cards, and 1 where we win, 0 tied, -1 lost


def showdowns(cards: CardRounds, hand: list[int]) -> tuple[Outcomes, ...]:
    """For every way to complete the board, every opponent's hand and who wins."""
    return _showdowns(cards, tuple(hand))


@cache
def _showdowns(cards: CardRounds, hand: tuple[int, ...]) -> tuple[Outcomes, ...]:
    size = cards.private + cards.boards[-1]
    strength = strength_of(cards.showdown, cards.deck, size)
    left = [card for card in range(cards.deck.size) if card not in hand]
    found: list[Outcomes] = []
    for run_out in combinations(left, size - len(hand)):
        board = [*hand[cards.private :], *run_out]
        ours = strength([*hand[: cards.private], *board])
        free = [card for card in left if card not in run_out]
        others = list(combinations(free, cards.private))
        theirs = [strength([*other, *board]) for other in others]
        found.append([(other, (its > ours) - (its < ours)) for other, its in zip(others, theirs, strict=True)])
    return tuple(found)


def strength(cards: CardRounds, hand: list[int]) -> list[float]:
    """E[HS] and E[HS^2]."""
    shares = [np.mean([(1 + outcome) / 2 for _, outcome in one]) for one in showdowns(cards, hand)]
    return [float(np.mean(shares)), float(np.mean(np.square(shares)))]


def histogram(cards: CardRounds, hand: list[int], bins: int) -> list[float]:
    """The share of run-outs in each part; a share on a border belongs to the upper part."""
    counts, total = [0] * bins, 0
    for one in showdowns(cards, hand):
        score = sum(1 + outcome for _, outcome in one)
        counts[min(score * bins // (2 * len(one)), bins - 1)] += 1
        total += 1
    return [count / total for count in counts]


def rates(cards: CardRounds, hand: list[int]) -> list[float]:
    """How often we lose, tie and win."""
    found = Counter(outcome for one in showdowns(cards, hand) for _, outcome in one)
    return [found[outcome] / sum(found.values()) for outcome in (-1, 0, 1)]


def clusters(cards: CardRounds, hand: list[int], of_hand: tuple[int, ...]) -> list[float]:
    """Equity against each cluster of opponent's hands."""
    indexer = HandIndexer((cards.private,), len(cards.deck.ranks), len(cards.deck.suits))
    won, met = np.zeros(max(of_hand) + 1), np.zeros(max(of_hand) + 1)
    for one in showdowns(cards, hand):
        numbers = indexer.index_batch(np.array([other for other, _ in one]))
        for number, (_, outcome) in zip(numbers.tolist(), one, strict=True):
            won[of_hand[number]] += (1 + outcome) / 2
            met[of_hand[number]] += 1
    return [float(share / count) if count else 0.5 for share, count in zip(won, met, strict=True)]


def next_buckets(cards: CardRounds, round: int, hand: list[int], table: np.ndarray) -> dict[int, int]:
    """In how many ways the next cards lead into each bucket."""
    left = [card for card in range(cards.deck.size) if card not in hand]
    deals = combinations(left, cards.boards[round + 1] - cards.boards[round])
    rows = np.array([[*hand, *deal] for deal in deals], np.uint8)
    return dict(sorted(Counter(table[cards.index(round + 1, rows)].tolist()).items()))


def disjoint_scores(strengths: np.ndarray, holdings: np.ndarray, clusters: np.ndarray) -> tuple[np.ndarray, ...]:
    """Twice the wins and the ties, and the number met, of each holding against each cluster; 0 is no holding.

    strengths [holding], larger is weaker; holdings [holding, cards]; clusters [holding] -> two of [holding, cluster]
    """
    count = len(strengths)
    scores, met = np.zeros((2, count, int(clusters.max()) + 1), np.int64)
    for one in range(count):
        for other in range(count):
            if strengths[one] and strengths[other] and not set(holdings[one]) & set(holdings[other]):
                met[one, clusters[other]] += 1
                scores[one, clusters[other]] += 1 + np.sign(int(strengths[other]) - int(strengths[one]))
    return scores, met
