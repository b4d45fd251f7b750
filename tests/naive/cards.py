"""Plain twins of the cards layer: the prime-product evaluator of Goykhman's appendix, best of five by trying all."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
SUIT_CODES = (1024, 2048, 512, 256)  # clubs, diamonds, hearts, spades: equations (52) to (55)


def paper_code(card: int) -> int:
    """Card as the paper writes it: suit bit above the eight bits of the rank's prime."""
    return SUIT_CODES[card % 4] + PRIMES[card // 4]


def _sort_key(ranks: tuple[int, ...]) -> tuple[int, list[int]]:
    """Order of five ranks of different suits: (category, tie-breaks), larger is stronger."""
    counted = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
    shape = sorted((ranks.count(rank) for rank in counted), reverse=True)
    spread = sorted(ranks)
    if len(counted) == 5 and (spread[4] - spread[0] == 4 or spread == [0, 1, 2, 3, 12]):
        return 4, [3 if spread == [0, 1, 2, 3, 12] else spread[4]]
    return {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1,) * 5: 0}[tuple(shape)], counted


@cache
def prime_tables() -> tuple[dict[int, int], dict[int, int]]:
    """Product of primes -> class, for flushes and for the rest."""
    hands = [ranks for ranks in combinations_with_replacement(range(13), 5) if ranks[0] != ranks[4]]
    entries = [(_sort_key(ranks), ranks, False) for ranks in hands]
    for ranks in combinations(range(13), 5):
        category, breaks = _sort_key(ranks)
        entries.append(((8 if category == 4 else 5, breaks), ranks, True))
    entries.sort(reverse=True)
    flushes: dict[int, int] = {}
    others: dict[int, int] = {}
    for number, (_, ranks, suited) in enumerate(entries, start=1):
        product = int(np.prod([PRIMES[rank] for rank in ranks]))
        (flushes if suited else others)[product] = number
    return flushes, others


def prime_class(cards: tuple[int, ...]) -> int:
    """Class of exactly five cards by the paper's appendix."""
    flushes, others = prime_tables()
    codes = [paper_code(card) for card in cards]
    suits = 0xF
    product = 1
    for code in codes:
        suits &= code >> 8
        product *= code & 255
    return (flushes if suits else others)[product]


def prime_classes(hands: np.ndarray) -> np.ndarray:
    """The same for an array [n, 5], by table search."""
    codes = np.array([paper_code(card) for card in range(52)], np.int64)[hands]
    suited = np.bitwise_and.reduce(codes >> 8, axis=1) != 0
    products = np.prod(codes & 255, axis=1)
    result = np.zeros(len(hands), np.int64)
    for table, chosen in zip(prime_tables(), (suited, ~suited), strict=True):
        known = np.array(sorted(table))
        classes = np.array([table[product] for product in known.tolist()])
        result[chosen] = classes[np.searchsorted(known, products[chosen])]
    return result


def best_of_five(cards: tuple[int, ...]) -> int:
    """Class of five or more cards by trying every five of them."""
    return min(prime_class(five) for five in combinations(cards, 5))


def subsets(cards: int, size: int) -> np.ndarray:
    """All subsets of 0..cards-1 as rows [n, size] uint8; the first C(k, size) rows are those of 0..k-1."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = subsets(cards - 1, size - 1)
    blocks = []
    for top in range(size - 1, cards):
        below = smaller[: comb(top, size - 1)]
        blocks.append(np.hstack([below, np.full((len(below), 1), top, np.uint8)]))
    return np.concatenate(blocks)
