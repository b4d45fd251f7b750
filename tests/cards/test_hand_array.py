"""Arrays that know their hands, as they are printed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab.cards.combos import combo_indices
from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import BadCards


def test_long_arrays_are_cut_in_the_middle() -> None:
    names = "ABCDEFGHIJKLMNO"
    shown = str(HandArray.of(np.arange(15), names)).splitlines()
    assert shown == [
        *(f"{names[k]}  {k}" for k in range(6)),
        "... 3 more hands",
        *(f"{names[k]}  {k}" for k in range(9, 15)),
    ]
    assert len(str(HandArray.of(np.arange(12), names[:12])).splitlines()) == 12
    columns = str(HandArray.of(np.arange(26).reshape(13, 2) / 2, names[:13], ("f", "c"))).splitlines()
    assert [columns[0], columns[1], columns[7], columns[-1]] == [
        "   f   c",
        "A  0   0.5",
        "... 1 more hand",
        "M  12  12.5",
    ]


@pytest.mark.parametrize("rows", [[0, 1], [[0, 1, 2]], [[[0, 1]]], [[0, 52]], [[-1, 3]], [[7, 7]]])
def test_hands_are_rows_of_two_cards(rows: list[Any]) -> None:
    with pytest.raises(BadCards, match=r"\[n, 2\]|two different cards"):
        combo_indices(np.array(rows))
