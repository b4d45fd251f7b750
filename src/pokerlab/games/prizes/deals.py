"""How the players at a final table may divide the remaining prizes: by chips, or by the chip model."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pokerlab.games.prizes.payouts import for_places


def chip_chop(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> list[Fraction]:
    """Everyone gets the lowest remaining prize, and the rest is divided by chips.

    A chip leader may get more than the first prize this way, which is why chip leaders like it.

    >>> [int(share) for share in chip_chop([Fraction(80), Fraction(20)], [Fraction(60), Fraction(40)])]
    [56, 44]
    """
    prizes = for_places(payouts, len(stacks))
    lowest, chips = prizes[-1], sum(stacks)
    rest = sum(prizes) - lowest * len(stacks)
    return [lowest + rest * stack / chips for stack in stacks]


def standings_prizes(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> list[Fraction]:
    """What each player would get if play ended now with places by chips; equal stacks share their places.

    >>> [int(prize) for prize in standings_prizes([Fraction(1), Fraction(5), Fraction(5)], [Fraction(6), Fraction(4)])]
    [0, 5, 5]
    """
    prizes = for_places(payouts, len(stacks))
    found = []
    for stack in stacks:
        better = sum(other > stack for other in stacks)
        equal = sum(other == stack for other in stacks)
        found.append(sum(prizes[better : better + equal], Fraction(0)) / equal)
    return found
