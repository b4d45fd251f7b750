"""Parsing and validation of stacks and prizes: any chips, prizes from the first place down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from pokerlab.errors import BadSetting, shortened

MOST_PLAYERS = 1000
LONGEST_LIST = 20_000  # characters
LARGEST = 10**15
_ITEM = re.compile(r"(\d{1,16}(?:\.\d{1,9})?|\.\d{1,9})(?:\s*[*x]\s*(\d{1,4}))?")


def read_numbers(text: str, what: str) -> tuple[Fraction, ...]:
    """A list of numbers, "1500, 20.5, 800*3"; *3 repeats a number three times.

    >>> read_numbers("10, 2.5*2", "stacks")
    (Fraction(10, 1), Fraction(5, 2), Fraction(5, 2))
    """
    if len(text) > LONGEST_LIST:
        raise BadSetting(f"{what} are at most {LONGEST_LIST:,} letters long, not {len(text):,}")
    found: list[Fraction] = []
    for word in text.split(","):
        match = _ITEM.fullmatch(word.strip())
        if match is None:
            raise BadSetting(
                f"{what} are numbers from 0 up with commas between, like 50,30,20 or 1500*9, "
                f"and {shortened(word.strip())!r} is none"
            )
        found += [Fraction(match[1])] * int(match[2] or 1)
        if len(found) > MOST_PLAYERS:
            raise BadSetting(f"{what} are at most {MOST_PLAYERS:,} numbers")
    return tuple(found)


def check_stacks(stacks: Sequence[Fraction]) -> None:
    """Raise BadSetting if nobody has chips; a stack of 0 is an eliminated player, who finishes last."""
    if not 2 <= len(stacks) <= MOST_PLAYERS:
        raise BadSetting(f"a tournament has 2 to {MOST_PLAYERS:,} players, not {len(stacks)}")
    if min(stacks) < 0 or max(stacks) > LARGEST:
        raise BadSetting(f"stacks are chips from 0 to {LARGEST:,}")
    if not any(stacks):
        raise BadSetting("somebody must have chips: all stacks are 0")


def check_payouts(payouts: Sequence[Fraction] | Sequence[float], *, of: Fraction | None = None) -> None:
    """Raise BadSetting if there are no prizes, or a lower place is paid more; with `of`, they must sum to it."""
    if not payouts:
        raise BadSetting("there must be a prize for the first place at least")
    if min(payouts) < 0 or max(payouts) > LARGEST:
        raise BadSetting(f"prizes are numbers from 0 to {LARGEST:,}")
    if not any(payouts):
        raise BadSetting("somebody must win something: all prizes are 0")
    for place in range(1, len(payouts)):
        if payouts[place] > payouts[place - 1]:
            raise BadSetting(
                f"a better place pays no less: place {place + 1} pays {float(payouts[place]):g} and place {place} "
                f"{float(payouts[place - 1]):g}; write prizes from the first place down"
            )
    if of is not None and sum(payouts) != of:
        raise BadSetting(
            f"the prizes are shares of the prize pool and must sum to {float(of):g}; "
            f"these sum to {float(sum(payouts)):g}"
        )


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
