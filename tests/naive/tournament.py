"""The independent chip model from its definition: every order in which players can finish."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np


def orders(stacks: Sequence[Fraction]) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every finishing order of players who all have chips, with its chance."""
    found = []
    for order in permutations(range(len(stacks))):
        chance, left = Fraction(1), sum(stacks)
        for player in order:
            chance *= Fraction(stacks[player]) / left
            left -= stacks[player]
        found.append((order, chance))
    return found


def values(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> list[Fraction]:
    """What each stack is worth."""
    found = [Fraction(0)] * len(stacks)
    for order, chance in orders(stacks):
        for place, player in enumerate(order[: len(payouts)]):
            found[player] += chance * payouts[place]
    return found


def bounty_values(stacks: Sequence[Fraction], bounties: Sequence[Fraction]) -> list[Fraction]:
    """What each collects: the one who is out is knocked out by a player ahead, by its share of their chips."""
    found = [Fraction(0)] * len(stacks)
    for order, chance in orders(stacks):
        found[order[0]] += chance * bounties[order[0]]
        for place in range(1, len(order)):
            ahead = order[:place]
            for player in ahead:
                share = Fraction(stacks[player]) / sum(stacks[other] for other in ahead)
                found[player] += chance * share * bounties[order[place]]
    return found


def subset_values(stacks: np.ndarray, payouts: np.ndarray) -> np.ndarray:
    """What each stack is worth, over all sets of players ahead: for a dozen players."""
    count = len(stacks)
    chances = np.zeros(2**count)
    chances[0] = 1
    found = np.zeros(count)
    for ahead in range(2**count - 1):
        others = [player for player in range(count) if not ahead >> player & 1]
        place = count - len(others)
        left = sum(stacks[player] for player in others)
        for player in others:
            chance = chances[ahead] * stacks[player] / left
            chances[ahead | 1 << player] += chance
            found[player] += chance * (payouts[place] if place < len(payouts) else 0)
    return found
