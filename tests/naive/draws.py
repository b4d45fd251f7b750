"""Plain twins of the measures of five-card draw: every opposing hand and every draw, looked at one by one."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from pokerlab.cards.strength import strengths

EVERY = np.array(list(combinations(range(47), 5)))  # [hand, 5]: places among 47 cards


def unseen(hand: list[int]) -> np.ndarray:
    """The cards that a hand does not hold."""
    return np.setdiff1d(np.arange(52), hand)


def opposing_classes(hand: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The class of every hand without a card of this one, and its cards as bits."""
    hands = unseen(hand)[EVERY]
    return strengths(hands.astype(np.uint8), check=False).astype(np.int64), (np.int64(1) << hands).sum(1)


def class_of(hand: list[int]) -> int:
    return int(strengths(np.array([hand], np.uint8))[0])


def drawn_hands(hand: list[int], thrown: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Every hand that may come of throwing these cards, and the new cards of each as bits."""
    kept = [card for card in hand if card not in thrown]
    new = unseen(hand)[np.array(list(combinations(range(47), len(thrown))), np.int64).reshape(-1, len(thrown))]
    hands = np.hstack([np.tile(np.array(kept, np.int64), (len(new), 1)), new])
    return hands, (np.int64(1) << new.astype(np.int64)).sum(1)


def potential(hand: list[int], thrown: list[int]) -> float:
    """PPOT by a table T of outcomes before and after, over every draw and every opposing hand that it leaves."""
    theirs, their_cards = opposing_classes(hand)
    counted = theirs <= class_of(hand)  # those that are weaker are in no part of the formula
    theirs, their_cards = theirs[counted], their_cards[counted]
    before = np.sign(theirs - class_of(hand))  # 0 tied, -1 behind
    hands, new_cards = drawn_hands(hand, thrown)
    after_classes = strengths(hands.astype(np.uint8)).astype(np.int64)
    table = np.zeros((3, 3), np.int64)
    for ours, cards in zip(after_classes.tolist(), new_cards.tolist(), strict=True):
        free = (their_cards & cards) == 0
        after = np.sign(theirs[free] - ours)
        table += np.bincount(3 * before[free] + after + 4, minlength=9).reshape(3, 3)
    met = table[0].sum() + table[1].sum() / 2
    return float((table[0, 2] + table[0, 1] / 2 + table[1, 2] / 2) / met) if met else 0.0


def sampled_potential(
    hand: list[int], thrown: list[int], samples: int, rng: np.random.Generator
) -> tuple[float, float]:
    """An estimate of the same from random draws and opposing hands, and its standard error."""
    count = len(thrown)
    kept = np.array([card for card in hand if card not in thrown], np.int64)
    dealt = unseen(hand)[rng.random((samples, 47)).argsort(axis=1)[:, : count + 5]]
    ours = np.hstack([np.tile(kept, (samples, 1)), dealt[:, :count]])
    after = strengths(ours.astype(np.uint8)).astype(np.int64)
    theirs = strengths(np.ascontiguousarray(dealt[:, count:]).astype(np.uint8)).astype(np.int64)
    before = class_of(hand)
    behind, tied, won = theirs < before, theirs == before, (after < theirs) + (after == theirs) / 2
    gained = behind * won + tied * (after < theirs) / 2
    weight = behind + tied / 2
    ratio = gained.sum() / weight.sum()
    return float(ratio), float(np.sqrt(((gained - ratio * weight) ** 2).sum()) / weight.sum())


def made(hand: list[int]) -> set[int]:
    """The cards beside the current highest hand: those of no pair, three or four; all but one where there is none."""
    ranks = [card // 4 for card in hand]
    alone = {card for card in hand if ranks.count(card // 4) == 1}
    if len(alone) < 5:
        return alone
    run = sorted(ranks)
    straight = run[4] - run[0] == 4 or run == [0, 1, 2, 3, 12]
    if straight or len({card % 4 for card in hand}) == 1:
        return set()
    return alone - {max(hand)}


def mean_strength(hand: list[int], thrown: list[int], strength_of: np.ndarray, index) -> float:  # type: ignore[no-untyped-def]
    """The mean strength after a draw, from the strengths of all hands."""
    hands, _ = drawn_hands(hand, thrown)
    assert len(hands) == comb(47, len(thrown))
    return float(strength_of[index(hands.astype(np.uint8))].mean())
