"""An array over hands that knows the text of each hand.

It is a NumPy array in every respect; besides, `values["AhKh"]` is the row of a hand, `values["AKs"]` those of a class,
and printing shows the hands beside their numbers. What is computed from it is a plain array, since sorting or selecting
would leave wrong names on the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES, COMBO_COUNT
from pokerlab.errors import BadCards
from pokerlab.tables import frame

_SHOWN = 6  # rows at each end of a printed array


class HandArray(np.ndarray):
    """Numbers by hand, [hand] or [hand, column], with the text of each hand.

    >>> row = HandArray.of(np.array([0.25, 0.5, 1.0]), ("J", "Q", "K"))
    >>> float(row["Q"]), float(row.sum())
    (0.5, 1.75)
    >>> print(row)
    J  0.25
    Q  0.5
    K  1
    """

    hands: tuple[str, ...]  # [hand]; empty for arrays that were computed from a labelled one
    columns: tuple[str, ...]  # names of the columns, actions for example; empty if there are none

    @staticmethod
    def of(values: np.ndarray, hands: Sequence[str], columns: Sequence[str] = ()) -> HandArray:
        """Label numbers [hand] or [hand, column]."""
        labelled = np.asarray(values).view(HandArray)
        labelled.hands, labelled.columns = tuple(hands), tuple(columns)
        return labelled

    def __array_finalize__(self, source: object) -> None:
        self.hands, self.columns = (), ()

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        if "out" in settings:
            settings["out"] = tuple(_plain(array) for array in settings["out"])
        return getattr(ufunc, method)(*map(_plain, inputs), **settings)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return _plain(self)[key]
        return self._rows(key.strip())

    def _rows(self, text: str) -> Any:
        plain = _plain(self)
        half = len(text) // 2
        for name in (text, text[half:] + text[:half]):
            if name in self.hands:
                return plain[self.hands.index(name)]
        if text in CLASS_NAMES and len(self.hands) == COMBO_COUNT:
            numbers = CLASS_COMBOS[CLASS_NAMES.index(text)]
            return HandArray.of(plain[numbers], [self.hands[number] for number in numbers], self.columns)
        example = f": write one as {self.hands[-1]}" if self.hands else ""
        raise BadCards(f"{text[:40]!r} is not a hand of this array{example}")

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each hand."""
        plain = _plain(self)
        names = self.columns or ("value",)
        table = plain.reshape(len(plain), -1)
        return frame({"hand": list(self.hands)} | {name: table[:, k] for k, name in enumerate(names)})

    def __str__(self) -> str:
        if not self.hands:
            return str(_plain(self))
        table = _plain(self).reshape(len(self), -1)
        numbers = list(range(len(table)))
        if len(numbers) > 2 * _SHOWN:
            numbers = numbers[:_SHOWN] + numbers[-_SHOWN:]
        rows = [["", *self.columns]] if self.columns else []
        rows += [[self.hands[number], *(f"{value:.4g}" for value in table[number])] for number in numbers]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        if len(table) > 2 * _SHOWN:
            left = len(table) - 2 * _SHOWN
            lines.insert(len(lines) - _SHOWN, f"... {left:,} more {'hand' if left == 1 else 'hands'}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self) if self.hands else repr(_plain(self))


def _plain(value: Any) -> Any:
    return cast(Any, value.view(np.ndarray)) if isinstance(value, HandArray) else value
