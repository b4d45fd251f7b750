"""The colours of actions and values, everywhere the same: in terminals, pictures and on the page.

They can be told apart with every kind of colour blindness, checked by tests/display/test_palette.py: actions differ in
lightness as well as in hue, and values run from dark to light.
"""

from __future__ import annotations

from rich.color_triplet import ColorTriplet

FOLD = ColorTriplet(63, 116, 194)
CALL = ColorTriplet(124, 200, 171)  # and check
BETS = (ColorTriplet(245, 196, 81), ColorTriplet(217, 112, 47), ColorTriplet(142, 42, 58))  # from small to large
VALUES = (ColorTriplet(43, 58, 103), ColorTriplet(49, 135, 143), ColorTriplet(242, 222, 110))  # from low to high
LINES = """#3f8fd9 #e39a1b #2fa38f #d1495b #9d7bd8 #8a949e #c2b02f #b5651d #e377c2 #5aa02c""".split()  # of plots


def css(colour: ColorTriplet) -> str:
    """A colour for a style sheet.

    >>> css(FOLD)
    '#3f74c2'
    """
    return colour.hex
