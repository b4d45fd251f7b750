"""Translation: a bet that is not on a menu is read as one of the two sizes around it.

Sizes are fractions of the pot after the call; a call, or a check, is the size 0. A translation is a small value: the
probability that a bet between two sizes is read as the smaller one. The size is drawn at random, or the likelier of the
two is used.

Ganzfried and Sandholm, "Action Translation in Extensive-Form Games with Large Action Spaces: Axioms, Paradoxes, and the
Pseudo-Harmonic Mapping", IJCAI 2013, compare these mappings by five axioms: a bet on the menu is read as itself, larger
bets are not read as smaller ones, the unit of chips does not matter, and the probability is continuous in the bet and
in the sizes around it. The pseudo-harmonic one solves a small game (the clairvoyance game, in which a bet of x pots is
called with probability 1 / (1 + x)).

Two differences from the paper. Without randomization, a bet in the middle is read as the smaller size: the paper's text
says the larger, but most of its table 2 uses the smaller. And a bet of a size on the menu is read as that size even if
it is 0, where the geometric formulas are undefined. Bets above the largest size, which is all-in if that is on the
menu, are read as the largest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pokerlab.errors import BadSetting, UnknownName, shortened
from pokerlab.registry import call, nearest
from pokerlab.settings import Flag, Settings, one_of
from pokerlab.specs import read

_EVEN = 0.5 - 1e-12  # probabilities from here on count as one half, so that rounding decides nothing


@dataclass(frozen=True)
class Translation(Settings, ABC):
    """How a bet between two sizes of a menu is read as one of them."""

    random: Flag = True  # draw one of the two; else use the likelier, the smaller one on a tie
    below: Annotated[str, one_of("smallest", "call")] = (
        "smallest"  # how to read a bet below the smallest size: always as that size, or between that and a call
    )

    @abstractmethod
    def formula(self, smaller: float, larger: float, bet: float) -> float:
        """The probability of the smaller size, for a bet between the two; all three are fractions of the pot."""

    def chance(self, smaller: float, larger: float, bet: float, *, pot: float = 1.0) -> float:
        """The probability that a bet is read as the smaller of two sizes; all in chips if the pot is in chips.

        >>> translation("pseudo-harmonic").chance(0, 100, 50, pot=100)
        0.3333333333333333
        """
        if not (0 <= smaller < larger and pot > 0):
            raise BadSetting(
                f"sizes must ascend from 0, in a pot above 0; got {smaller:g} and {larger:g} of a pot of {pot:g}"
            )
        if bet <= smaller:
            return 1.0
        if bet >= larger:
            return 0.0
        chance = self.formula(smaller / pot, larger / pot, bet / pot)
        return chance if self.random else float(chance >= _EVEN)

    def spread(self, sizes: Sequence[float], bet: float, *, pot: float = 1.0) -> tuple[tuple[int, float], ...]:
        """The sizes, by index in an ascending list, that a bet may be read as, each with its probability.

        >>> translation("arithmetic").spread([0.5, 1, 2], 1.25)
        ((1, 0.75), (2, 0.25))
        """
        if not sizes:
            raise BadSetting("a bet is read as one of the sizes of a menu, and this menu has none")
        index = next((index for index, size in enumerate(sizes) if bet <= size), len(sizes) - 1)
        if index == 0 or bet >= sizes[index]:
            return ((index, 1.0),)
        smaller = self.chance(sizes[index - 1], sizes[index], bet, pot=pot)
        return tuple(reading for reading in ((index - 1, smaller), (index, 1 - smaller)) if reading[1] > 0)

    def read(self, sizes: Sequence[float], bet: float, draw: float, *, pot: float = 1.0) -> int:
        """The index of the size that a bet is read as; `draw` is a random number from 0 to 1.

        >>> translation("nearest").read([0.5, 1, 2], 1.2, draw=0.99)
        1
        """
        readings = self.spread(sizes, bet, pot=pot)
        return readings[0][0] if draw < readings[0][1] else readings[-1][0]


@dataclass(frozen=True)
class Arithmetic(Translation):
    """By the distances from the two sizes."""

    label = "arithmetic"

    def formula(self, smaller: float, larger: float, bet: float) -> float:
        """(B - x) / (B - A)."""
        return (larger - bet) / (larger - smaller)


@dataclass(frozen=True)
class Nearest(Arithmetic):
    """The nearer of the two sizes: arithmetic(random=false)."""

    label = "nearest"
    random: Flag = False


@dataclass(frozen=True)
class Geometric(Translation):
    """By the ratios to the two sizes; between a call and a size always that size."""

    label = "geometric"
    variant: Annotated[str, one_of("first", "second")] = "first"  # of the paper's two; both give one half at sqrt(A B)

    def formula(self, smaller: float, larger: float, bet: float) -> float:
        """A (B - x) / (A (B - x) + x (x - A)); the second A (B + x) (B - x) / ((B - A) (x^2 + A B))."""
        if self.variant == "second":
            return smaller * (larger + bet) * (larger - bet) / ((larger - smaller) * (bet**2 + smaller * larger))
        up = smaller * (larger - bet)
        return up / (up + bet * (bet - smaller))


@dataclass(frozen=True)
class PseudoHarmonic(Translation):
    """A bet of x pots is called with probability 1 / (1 + x), as is a bet of the sizes around it."""

    label = "pseudo-harmonic"

    def formula(self, smaller: float, larger: float, bet: float) -> float:
        """(B - x) (1 + A) / ((B - A) (1 + x))."""
        return (larger - bet) * (1 + smaller) / ((larger - smaller) * (1 + bet))


TRANSLATIONS: dict[str, type[Translation]] = {
    kind.label: kind for kind in (Nearest, Arithmetic, Geometric, PseudoHarmonic)
}


def translation(spec: str | Translation) -> Translation:
    """The translation of a name: "nearest", "geometric(random=false)", "pseudo-harmonic(below=call)".

    >>> translation("geometric(random=false)").name
    'geometric(random=False)'
    """
    if isinstance(spec, Translation):
        return spec
    name, settings = read(spec)
    kind = TRANSLATIONS.get(name.lower().replace("_", "-"))
    if kind is None:
        raise UnknownName(f"there is no translation called {shortened(name)!r}; {nearest(name, [*TRANSLATIONS])}")
    reading = call(kind.label, kind, settings)
    assert isinstance(reading, Translation)
    return reading
