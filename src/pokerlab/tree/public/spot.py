"""A spot in public form: its betting over the boards that may still come."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS
from pokerlab.games.spot.spot import Spot
from pokerlab.tree.public.boards import HandImages
from pokerlab.tree.public.layout import Outline, PublicTree, build
from pokerlab.tree.public.poker import suit_symmetries

SMALLEST_WEIGHT = 1e-9  # of the heaviest hand of a range: lighter ranges are scaled up
HANDS: list[tuple[int, int]] = [(int(low), int(high)) for low, high in COMBOS]
_HOLDS = (np.arange(52)[:, None, None] == COMBOS).any(axis=2)  # [card, hand]


def spot_tree(spot: Spot, *, symmetric: bool = True, preserved: Sequence[np.ndarray] = ()) -> PublicTree:
    """The spot in public form. `preserved` are further numbers per hand [1326] that a symmetry must preserve."""
    return build(outline_of(spot, symmetric=symmetric, preserved=preserved))


def outline_of(spot: Spot, *, symmetric: bool = True, preserved: Sequence[np.ndarray] = ()) -> Outline:
    """The public form of a spot before its boards are built."""
    return Outline(
        name="spot",
        betting=spot.betting,
        hands=HANDS,
        weights=(_weights(spot, 0), _weights(spot, 1)),
        deck=FULL_DECK,
        strength=strength,
        board=spot.board,
        deals=(1,) * (5 - len(spot.board)),
        symmetries=symmetries(symmetric=symmetric, preserved=preserved),
        pot=spot.pot,
    )


def _weights(spot: Spot, player: int) -> np.ndarray:
    """[1326] A range, scaled away from the limits of float32: only proportions of weights matter."""
    weights = spot.ranges[player].weights
    heaviest = float(spot.ranges[player].without(spot.board).weights.max())
    if heaviest >= SMALLEST_WEIGHT:
        return weights
    exponent = math.frexp(heaviest)[1]  # scaling by a power of two is exact
    return np.asarray(np.ldexp(weights, -exponent))


def symmetries(*, symmetric: bool = True, preserved: Sequence[np.ndarray] = ()) -> list[np.ndarray]:
    """The suit permutations that preserve some numbers per hand [1326], or none at all."""
    images = HandImages(HANDS, FULL_DECK.size)
    return [
        permutation
        for permutation in (suit_symmetries(FULL_DECK) if symmetric else ())
        if all(np.array_equal(numbers[images.under(permutation)], numbers) for numbers in preserved)
    ]


def strength(board: tuple[int, ...]) -> np.ndarray:
    """[1326] The strength of each hand with five board cards, larger is stronger; 0 if it conflicts with the board."""
    from pokerlab.cards.strength import strengths

    meets = _HOLDS[list(board)].any(axis=0)
    rows = np.concatenate([COMBOS[~meets], np.tile(np.array(board, np.uint8), (int((~meets).sum()), 1))], axis=1)
    powers = np.zeros(len(COMBOS), np.int64)
    powers[~meets] = 10_000 - strengths(rows, check=False).astype(np.int64)
    return powers
