"""Published numbers of tournament poker.

M. Schmid, "Game Theory and Poker", 2013, table 6.1 and section 6.2; the fractions are recomputed. P. B. Miltersen and
T. B. Sorensen 2007; S. Ganzfried and T. Sandholm 2008 and 2009.
"""

from __future__ import annotations

from fractions import Fraction

# stacks -> printed values and exact ones, for prizes of 0.6 and 0.4
TABLE_6_1 = {
    (100, 100, 100): ((Fraction(1, 3),) * 3, (Fraction(1, 3),) * 3),
    (10, 1, 289): (
        (Fraction("0.37"), Fraction("0.04"), Fraction("0.59")),
        (Fraction(182711, 493350), Fraction(17741, 478500), Fraction(7707341, 13006500)),
    ),
    (1, 1, 298): (
        (Fraction("0.2"), Fraction("0.2"), Fraction("0.6")),
        (Fraction(90001, 448500), Fraction(90001, 448500), Fraction(134249, 224250)),
    ),
}
OTHER_PRIZES = {  # of stacks 10, 1, 289
    ("0.5", "0.5"): (0.45460, 0.04551, 0.49989),
    ("0.5", "0.3", "0.2"): (0.29759, 0.20977, 0.49264),
}
THREE_PLAYER_EPSILON = 0.005  # of the entry fee, in the tournament of 13,500 chips and blinds of 300 and 600
