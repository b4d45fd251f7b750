"""Joint clustering of hand and public cards: k-means of hand strength together with the texture of the board.

As in the players of the 2012 competition that bucket "hands and public cards together" (quoted in Schmid, "Game theory
and poker", 2013). Hands of equal strength on boards of different textures fall into different classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.board_texture import StrengthOnBoard
from pokerlab.abstraction.method import Arrays
from pokerlab.settings import declared, number, whole


@dataclass(frozen=True)
class ByJoint(ByFeature):
    """Strength and texture."""

    spec: str
    count: int
    texture: float = 0.5  # the weight of the board's numbers beside those of the hand

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> StrengthOnBoard:
        return StrengthOnBoard()

    def columns(self, features: np.ndarray) -> np.ndarray:
        """The board's numbers, weighted."""
        weights = np.array([1, 1, *[self.texture] * (features.shape[1] - 2)], np.float32)
        return np.ascontiguousarray(features * weights)


@declared("joint")
def method(
    name: str,
    *,
    count: Annotated[int, whole(1, 10**6)] = 100,
    texture: Annotated[float, number(0, 100)] = 0.5,
) -> ByJoint:
    """Classes of similar hand strength on boards of similar texture."""
    return ByJoint(f"joint:{count}{'' if texture == 0.5 else f'(texture={texture:g})'}", count, texture)
