"""A range: a weight from 0 to 1 for each of the 1,326 hands, and conversion from and to text.

The syntax is described in cards/range_text.py, and written by cards/range_writing.py; the fixed order of hands is in
cards/combos.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pokerlab.cards import range_text, range_writing
from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS, COMBO_COUNT, blocked, combo_name
from pokerlab.cards.combos import combo_index as combo_index  # also offered here, beside Range
from pokerlab.errors import BadRange
from pokerlab.notebook_display import NotebookDisplay


@dataclass(frozen=True, eq=False)
class Range(NotebookDisplay):
    """Weights of all two-card hands.

    >>> held = Range.parse("QQ+, AKs, A2s-A5s:0.5, KdQh:0.35")
    >>> held.text()
    'QQ+,AKs,A2s-A5s:0.5,KdQh:0.35'
    >>> held.count
    30.35
    >>> held.without([51]).count
    24.35
    """

    weights: np.ndarray  # [1326] float64, read-only

    def __post_init__(self) -> None:
        weights = np.array(self.weights, np.float64)
        if weights.shape != (COMBO_COUNT,):
            raise BadRange(f"a range has {COMBO_COUNT} weights, one for each hand, not an array of {weights.shape}")
        if not ((weights >= 0) & (weights <= 1)).all():
            wrong = int(np.flatnonzero(~((weights >= 0) & (weights <= 1)))[0])
            raise BadRange(f"the weight {weights[wrong]} of {combo_name(wrong)} is not a number from 0 to 1")
        weights += 0.0  # no negative zero
        weights.setflags(write=False)
        object.__setattr__(self, "weights", weights)

    @staticmethod
    def parse(text: str) -> Range:
        """Parse a text; BadRange points at an error."""
        return Range(range_text.read(text))

    @staticmethod
    def random() -> Range:
        """Every hand with weight 1."""
        return Range(np.ones(COMBO_COUNT))

    def text(self) -> str:
        """Compact text that `parse` reads back as exactly these weights."""
        return range_writing.write(self.weights)

    def without(self, cards: Iterable[int]) -> Range:
        """The same range when these cards are known to be elsewhere: blocked hands get weight 0."""
        return Range(np.where(blocked(cards), 0.0, self.weights))

    def grid(self, cards: Iterable[int] = ()) -> np.ndarray:
        """The mean weight of each class, [13, 13], over the hands without these cards; 0 if there are none."""
        return class_averages(self.weights, ~blocked(cards))

    @property
    def count(self) -> float:
        """The number of hands, counted by their weights."""
        return float(self.weights.sum())

    @property
    def fraction(self) -> float:
        """The share of all 1,326 hands."""
        return self.count / COMBO_COUNT

    @property
    def combos(self) -> np.ndarray:
        """The hands with positive weight, as indices in the fixed order."""
        return np.flatnonzero(self.weights)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __str__(self) -> str:
        return self.text()


def class_averages(values: np.ndarray, counted: np.ndarray | None = None) -> np.ndarray:
    """The mean of values [1326] over each class, as a grid [13, 13]; only the counted [1326] hands enter."""
    share = np.ones(COMBO_COUNT) if counted is None else np.asarray(counted, np.float64)
    total = np.bincount(COMBO_CLASS, share * np.asarray(values, np.float64), CLASS_COUNT)
    size = np.bincount(COMBO_CLASS, share, CLASS_COUNT)
    return np.asarray(np.divide(total, size, out=np.zeros(CLASS_COUNT), where=size > 0).reshape(13, 13))
