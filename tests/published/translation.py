"""Numbers of Ganzfried and Sandholm, "Action Translation in Games with Large Action Spaces", IJCAI 2013."""

from __future__ import annotations

SMALLER = (0.0, 0.001, 0.01, 0.05, 0.1)
CHANCES = {  # table 1: the chance of the smaller size A, for a bet of 0.25 pots and B = 1
    "arithmetic": (0.75, 0.751, 0.758, 0.789, 0.833),
    "geometric": (0.0, 0.012, 0.111, 0.429, 0.667),
    "geometric(variant=second)": (0.0, 0.015, 0.131, 0.439, 0.641),
    "pseudo-harmonic": (0.6, 0.601, 0.612, 0.663, 0.733),
}
STACKS = (1, 3, 5, 10, 20, 50, 100)
CLAIRVOYANCE = {  # table 2: how exploitable the caller of the clairvoyance game is, by stack; menu check, pot, all-in
    "nearest": (0.01, 0.24, 0.49, 1.12, 2.38, 6.12, 12.37),
    "arithmetic": (0.00, 0.02, 0.09, 0.36, 0.96, 2.82, 5.94),
    "geometric(random=false)": (0.23, 0.28, 0.36, 0.63, 0.99, 1.68, 2.43),
    "geometric": (0.23, 0.23, 0.23, 0.24, 0.36, 0.66, 1.01),
    "geometric(variant=second)": (0.23, 0.23, 0.23, 0.25, 0.36, 0.65, 1.00),
    "pseudo-harmonic(random=false)": (0.15, 0.19, 0.33, 0.47, 0.59, 0.67, 0.71),
    "pseudo-harmonic": (0.00, 0.00, 0.00, 0.00, 0.00, 0.00, 0.00),
}
IN_THE_MIDDLE = {  # where a bet just between two sizes decides: what reading it as the smaller size gives instead
    ("nearest", 1): 0.10,
    ("nearest", 20): 2.3726,
    ("geometric(random=false)", 100): 2.45,
}
