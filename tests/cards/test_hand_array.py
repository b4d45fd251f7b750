"""Arrays that know their hands, as they are printed."""

from __future__ import annotations

import numpy as np

from pokerlab.cards.hand_array import HandArray


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
        "... 1 more hands",
        "M  12  12.5",
    ]
