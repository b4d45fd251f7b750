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


# ------------------------------------------------------------------------------------------------- a hand of three

PLACES = (
    *((0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 0, 1), (1, 2, 0), (2, 1, 0)),
    *((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 0), (0, 0, 0)),
)  # of three hands, in the order of pokerlab.cards.multiway


def random_cards(hands: int, rng: np.random.Generator) -> np.ndarray:
    """A deal of three of a few hands with any chances, the same whoever holds which: [z, order, x, y] float32."""
    joint = np.zeros((hands, hands, hands, len(PLACES)))  # [x, y, z, order]
    raw = rng.random(joint.shape) ** 4
    for seats in permutations(range(3)):
        moved = np.transpose(raw, (*seats, 3))
        for order, places in enumerate(PLACES):
            joint[..., PLACES.index(tuple(places[seat] for seat in seats))] += moved[..., order]
    joint /= joint.sum()
    return np.ascontiguousarray(np.transpose(joint, (2, 3, 0, 1)), np.float32)


def end_of(actions: tuple[bool, bool, bool], places: tuple[int, int, int]) -> int:
    """The end of a hand by who stays in, and the places of their hands."""
    button, small, big = actions
    if not button and not small:
        return 0
    if button and not small and not big:
        return 1
    if small and not button and not big:
        return 2
    if button and small and big:
        return 12 + PLACES.index(places)
    first, second = (player for player in range(3) if actions[player])
    pair = {(0, 1): 3, (0, 2): 6, (1, 2): 9}[first, second]
    return pair + (0 if places[first] < places[second] else 1 if places[first] == places[second] else 2)


def decisions_of(actions: tuple[bool, bool, bool]) -> tuple[int | None, ...]:
    """Which decision each player has come to: button's 0, small blind's 1 or 2, big blind's 3, 4, 5 or none."""
    button, small, _ = actions
    big = {(True, False): 3, (False, True): 4, (True, True): 5}.get((button, small))
    return 0, 1 if button else 2, big


def leads(cards: np.ndarray, profile: np.ndarray) -> np.ndarray:
    """How likely each hand at each decision comes to each end, its own action there left out: [6, hand, 25]."""
    hands = cards.shape[0]
    found = np.zeros((6, hands, 25))
    for x in range(hands):
        for y in range(hands):
            for z in range(hands):
                for button in (False, True):
                    for small in (False, True):
                        for big in (False, True) if button or small else (True,):
                            _add_leads(found, cards[z, :, x, y], profile, (x, y, z), (button, small, big))
    return found


def _add_leads(
    found: np.ndarray,
    chances: np.ndarray,
    profile: np.ndarray,
    held: tuple[int, int, int],
    actions: tuple[bool, bool, bool],
) -> None:
    decisions = decisions_of(actions)
    plays = [
        1.0 if decision is None else profile[decision, hand] if action else 1 - profile[decision, hand]
        for decision, hand, action in zip(decisions, held, actions, strict=True)
    ]
    for order, places in enumerate(PLACES):
        end = end_of(actions if decisions[2] is not None else (False, False, True), places)
        for player, decision in enumerate(decisions):
            if decision is not None:
                others = np.prod([play for other, play in enumerate(plays) if other != player])
                found[decision, held[player], end] += chances[order] * others


def fictitious_play(
    cards: np.ndarray, ends: np.ndarray, start: np.ndarray, decides: Sequence[bool], counted: int, iterations: int
) -> np.ndarray:
    """Averages after some iterations, everything computed anew in each: [6, hand]."""
    average = np.where(np.array(decides)[:, None], start, 1.0)
    for iteration in range(iterations):
        best = average.copy()
        margins = margins_of(leads(cards, average), ends)
        for decision in range(6):
            if decides[decision]:
                best[decision] = margins[decision] > 0
        average = average + (best - average) / (counted + iteration + 1)
    return average


def margins_of(leading: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """What staying in wins more than folding, by decision and hand: [6, hand]."""
    stays = [{1, *range(3, 9), *range(12, 25)}, {3, 4, 5, *range(12, 25)}, {2, 9, 10, 11}]
    stays += [{6, 7, 8}, {9, 10, 11}, set(range(12, 25))]
    found = np.zeros(leading.shape[:2])
    for decision, player in enumerate((0, 1, 1, 2, 2, 2)):
        signs = np.array([1 if end in stays[decision] else -1 for end in range(25)])
        found[decision] = leading[decision] @ (signs * ends[:, player])
    return found
