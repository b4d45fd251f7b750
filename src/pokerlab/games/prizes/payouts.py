"""Stacks and prizes, from the first place down: parsing, validation, and deals at a final table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise

from pokerlab.errors import BadSetting, shortened

MOST_PLAYERS = 1000
LONGEST_LIST = 20_000  # characters
LARGEST = 10**15
Amounts = str | float | Sequence[float]  # as people give them in Python
_ITEM = re.compile(r"(\d{1,16}(?:\.\d{1,9})?|\.\d{1,9})(?:\s*[*x]\s*(\d{1,4}))?")


def read_numbers(text: str, what: str) -> tuple[Fraction, ...]:
    """A list of numbers, "1500, 20.5, 800*3"; *3 repeats a number three times.

    >>> read_numbers("10, 2.5*2", "stacks")
    (Fraction(10, 1), Fraction(5, 2), Fraction(5, 2))
    """
    if len(text) > LONGEST_LIST:
        raise BadSetting(f"{what} must have at most {LONGEST_LIST:,} characters, got {len(text):,}")
    numbers: list[Fraction] = []
    for word in text.split(","):
        match = _ITEM.fullmatch(word.strip())
        if match is None:
            raise BadSetting(f"{what} must be numbers like 50,30,20 or 1500*9; got {shortened(word.strip())!r}")
        numbers += [Fraction(match[1])] * int(match[2] or 1)
        if len(numbers) > MOST_PLAYERS:
            raise BadSetting(f"{what} must be at most {MOST_PLAYERS:,} numbers")
    return tuple(numbers)


def amounts_text(amounts: Amounts) -> str:
    """The text of one number or of several, as `read_numbers` reads it; a text is returned unchanged.

    >>> amounts_text([12, 8.5]), amounts_text("1500*3")
    ('12,8.5', '1500*3')
    """
    if isinstance(amounts, str):
        return amounts
    return ",".join(map(str, amounts)) if isinstance(amounts, Iterable) else str(amounts)


def check_stacks(stacks: Sequence[Fraction]) -> None:
    """Raise BadSetting if nobody has chips; a stack of 0 is an eliminated player, who finishes last."""
    if not 2 <= len(stacks) <= MOST_PLAYERS:
        raise BadSetting(f"a tournament has 2 to {MOST_PLAYERS:,} players, not {len(stacks)}")
    if min(stacks) < 0 or max(stacks) > LARGEST:
        raise BadSetting(f"stacks are chips from 0 to {LARGEST:,}")
    if not any(stacks):
        raise BadSetting("at least one player must have chips: all stacks are 0")


def check_payouts(payouts: Sequence[Fraction | float], *, of: Fraction | None = None) -> None:
    """Raise BadSetting if there are no prizes, or a lower place is paid more; with `of`, they must sum to it."""
    if not payouts:
        raise BadSetting("there must be a prize for the first place at least")
    if min(payouts) < 0 or max(payouts) > LARGEST:
        raise BadSetting(f"prizes are numbers from 0 to {LARGEST:,}")
    if not any(payouts):
        raise BadSetting("at least one prize must be above 0")
    for place, (better, worse) in enumerate(pairwise(payouts), start=1):
        if worse > better:
            what = f"place {place + 1} pays {float(worse):g} and place {place} {float(better):g}"
            raise BadSetting(f"a better place must not pay less: {what}; write prizes from the first place down")
    if of is not None and sum(payouts) != of:
        total = float(sum(payouts))
        raise BadSetting(f"shares of the prize pool must sum to {float(of):g}; these sum to {total:g}")


def shared_pool(payouts: Sequence[Fraction], pool: Fraction) -> tuple[Fraction, ...]:
    """Prizes in money from shares of a prize pool, given as percentages or fractions.

    >>> [int(prize) for prize in shared_pool(read_numbers("60,40", "prizes"), Fraction(500))]
    [300, 200]
    """
    if not 0 < pool <= LARGEST:
        raise BadSetting(f"a prize pool is more than 0 and at most {LARGEST:,}")
    whole = Fraction(1) if sum(payouts) == 1 else Fraction(100)
    check_payouts(payouts, of=whole)
    return tuple(share * pool / whole for share in payouts)


def for_places(payouts: Sequence[Fraction], players: int) -> tuple[Fraction, ...]:
    """A prize for each place that these players can still take, 0 for unpaid places.

    Prizes beyond the remaining players belong to eliminated players.
    """
    return tuple(payouts[:players]) + (Fraction(0),) * (players - len(payouts))


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
    shares = []
    for stack in stacks:
        better = sum(other > stack for other in stacks)
        equal = sum(other == stack for other in stacks)
        shares.append(sum(prizes[better : better + equal], Fraction(0)) / equal)
    return shares
