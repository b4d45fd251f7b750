"""Von Neumann's poker on [0, 1] in closed form, in exact rationals.

Player and Dealer ante a each and get independent uniform numbers x and y. Player checks (showdown for the antes) or
bets B; facing a bet Dealer folds or calls (showdown for antes and bets). With P = 2a and strategies p(x), q(y),
betting wins Player e1(x) more than checking and calling wins Dealer e2(y) more than folding:

    e1(x) = P (1 - x) + B Q(x) - (P + B) (Q(1) - Q(x)),    Q(x) = integral of q from 0 to x
    e2(y) = (P + B) A(y) - B (A(1) - A(y)),                A(y) = integral of p from 0 to y

Strategies here are step functions, so e1 and e2 are piecewise linear and every integral is an exact rational.
Equilibrium (von Neumann and Morgenstern 1944; Goykhman, "On self-play computation of equilibrium in poker", section 2):
Player bets below x1 and above x2, uniquely. Dealer folds below x1, calls above x2, and between them may use any
strategy whose Q stays on or below the straight line from (x1, 0) to (x2, c): calling at most as often, counted from
below, as the pot odds P / (P + 2B) allow. Of these the admissible one, which no other dominates, calls from y0 = x2 - c
on. That the family is exactly this is our result; the paper says only that the admissible strategy is not the only one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pokerlab.errors import BadSetting, shortened

ZERO, ONE = Fraction(0), Fraction(1)
_NUMBER = r"\d{1,12}(?:\.\d{1,12})?(?:/\d{1,12})?"
_PIECE = re.compile(rf"({_NUMBER})\s*-\s*({_NUMBER})(?:\s*:\s*({_NUMBER}))?")


def number(text: str) -> Fraction:
    """Parse a non-negative number: "3", "0.25" or "7/9".

    >>> number("7/9")
    Fraction(7, 9)
    """
    stripped = text.strip()
    if not re.fullmatch(_NUMBER, stripped):
        raise BadSetting(f"{shortened(text)!r} is not a number; write it as 3, 0.25 or 7/9")
    above, _, below = stripped.partition("/")
    if below and not int(below):
        raise BadSetting(f"{shortened(text)!r} divides by zero")
    return Fraction(above) / int(below or 1)


@dataclass(frozen=True)
class Steps:
    """A probability for each number in [0, 1], constant between breaks.

    >>> Steps.read("0-1/9, 7/9-1").area()
    Fraction(1, 3)
    """

    breaks: tuple[Fraction, ...]  # [n + 1], from 0 to 1
    values: tuple[Fraction, ...]  # [n], of the piece that starts at each break

    @staticmethod
    def of(*pieces: tuple[Fraction, Fraction, Fraction]) -> Steps:
        """From pieces (start, end, probability) in order; zero elsewhere."""
        before = ZERO
        for start, end, value in pieces:
            if not before <= start <= end <= 1 or not 0 <= value <= 1:
                raise BadSetting(
                    f"the piece {start}-{end}:{value} does not fit: pieces must be in order inside 0-1, "
                    "must not overlap, and must have probabilities from 0 to 1"
                )
            before = end
        breaks = sorted({ZERO, ONE, *(x for piece in pieces for x in piece[:2])})
        values = (sum((value for start, end, value in pieces if start <= x < end), ZERO) for x in breaks[:-1])
        return Steps(tuple(breaks), tuple(values))._merged()

    @staticmethod
    def read(text: str) -> Steps:
        """Parse a text: "0-1/9, 7/9-1" acts on these, "0.5-1:1/2" acts there half of the time, "never" and "always"."""
        constant = {"never": ZERO, "always": ONE}.get(text.strip().lower())
        if constant is not None:
            return Steps((ZERO, ONE), (constant,))
        pieces = []
        for piece in text[:4000].split(","):
            match = _PIECE.fullmatch(piece.strip())
            if not match:
                problem = f"cannot read {shortened(piece)!r} as a piece of a strategy"
                raise BadSetting(f"{problem}; write 0-1/9, 7/9-1 or 0.5-1:1/2, never or always")
            pieces.append((number(match[1]), number(match[2]), number(match[3] or "1")))
        return Steps.of(*sorted(pieces))

    def __str__(self) -> str:
        pieces = ((f"{start}-{end}", value) for start, end, value in self._pieces() if value)
        return ", ".join(span if value == 1 else f"{span}:{value}" for span, value in pieces) or "never"

    def _pieces(self) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        return zip(self.breaks, self.breaks[1:], self.values, strict=False)

    def _merged(self) -> Steps:
        breaks, values = [self.breaks[0]], [self.values[0]]
        for start, value in zip(self.breaks[1:-1], self.values[1:], strict=True):
            if value != values[-1]:
                breaks.append(start)
                values.append(value)
        return Steps((*breaks, ONE), tuple(values))

    def at(self, x: Fraction) -> Fraction:
        """The probability at x (of the piece that starts there, at a break)."""
        return self.values[min(bisect_right(self.breaks, x), len(self.values)) - 1]

    def area(self, x: Fraction = ONE) -> Fraction:
        """The integral from 0 to x."""
        return sum(((min(end, x) - start) * value for start, end, value in self._pieces() if start < x), ZERO)

    def mixed(self, other: Steps, share: Fraction) -> Steps:
        """This strategy with probability 1 - share, the other with probability share, independently at each number."""
        breaks = sorted({*self.breaks, *other.breaks})
        values = tuple((1 - share) * self.at(x) + share * other.at(x) for x in breaks[:-1])
        return Steps(tuple(breaks), values)._merged()


@dataclass(frozen=True)
class StraightLine:
    """A continuous function on [0, 1], linear between breaks."""

    breaks: tuple[Fraction, ...]
    values: tuple[Fraction, ...]  # at the breaks

    def at(self, x: Fraction) -> Fraction:
        """Its value at x."""
        for (start, before), (end, after) in self._pieces():
            if x <= end:
                return before + (after - before) * (x - start) / (end - start)
        return self.values[-1]

    def _pieces(self) -> Iterator[tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]]:
        """The points (x, value) at the start and end of each piece."""
        return pairwise(zip(self.breaks, self.values, strict=True))

    def positive_area(self) -> Fraction:
        """The integral of the function where it is positive."""
        crossings = [
            start + (end - start) * before / (before - after)
            for (start, before), (end, after) in self._pieces()
            if before * after < 0
        ]
        breaks = sorted({*self.breaks, *crossings})
        return StraightLine(tuple(breaks), tuple(max(self.at(x), ZERO) for x in breaks)).area()

    def area(self) -> Fraction:
        """The integral of the function."""
        return sum(((end - start) * (before + after) / 2 for (start, before), (end, after) in self._pieces()), ZERO)

    def area_under(self, steps: Steps) -> Fraction:
        """The integral of the function times a strategy."""
        pieces = pairwise(sorted({*self.breaks, *steps.breaks}))
        return sum((steps.at(x) * (y - x) * (self.at(x) + self.at(y)) / 2 for x, y in pieces), ZERO)


@dataclass(frozen=True)
class Equilibrium:
    """The quantities of formulas (16) to (23), and the resulting strategies."""

    x1: Fraction  # Player bluffs below
    x2: Fraction  # Player bets for value above
    c: Fraction  # how much Dealer calls between x1 and x2
    y0: Fraction  # the admissible Dealer calls above
    call_rate: Fraction  # the pot odds P / (P + 2B): the slope that Dealer's calls between may not exceed
    value: Fraction  # net to Player; Dealer's is the negative
    player: Steps
    dealer: Steps  # the admissible one
    loosest_dealer: Steps  # calls at call_rate throughout: the family's other extreme, dominated by every other member


@dataclass(frozen=True)
class Check:
    """The analysis of one strategy."""

    guarantee: Fraction  # net value for its player against a best response
    loss: Fraction  # how far that is below the equilibrium value
    against_equilibrium: Fraction  # net value for its player against the other side's (admissible) equilibrium strategy
    admissible: bool | None  # None: undecided, no dominating strategy was found
    dominated_by: Steps | None
    reason: str

    @property
    def equilibrium(self) -> bool:
        """Whether the strategy guarantees the equilibrium value."""
        return self.loss == 0


@dataclass(frozen=True)
class ContinuousPoker:
    """The game with ante a and bet B.

    >>> ContinuousPoker(Fraction(1), Fraction(2)).equilibrium.value
    Fraction(1, 9)
    """

    ante: Fraction
    bet: Fraction

    def __post_init__(self) -> None:
        for what, amount in (("ante", self.ante), ("bet", self.bet)):
            if amount <= 0:
                raise BadSetting(f"the {what} must be positive, not {amount}")

    @property
    def pot(self) -> Fraction:
        """The two antes."""
        return 2 * self.ante

    @cached_property
    def equilibrium(self) -> Equilibrium:
        """The solution: Player's unique strategy, and the two extremes of Dealer's family."""
        pot, bet = self.pot, self.bet
        scale = pot * bet + 2 * (pot + bet) ** 2
        c = pot * (pot + bet) / scale
        x1, x2 = pot * bet / scale, (2 * (pot + bet) ** 2 - pot**2) / scale
        y0 = bet * (3 * pot + 2 * bet) / scale
        call_rate = pot / (pot + 2 * bet)
        player, dealer = Steps.of((ZERO, x1, ONE), (x2, ONE, ONE)), Steps.of((y0, ONE, ONE))
        loosest_dealer = Steps.of((x1, x2, call_rate), (x2, ONE, ONE))
        return Equilibrium(x1, x2, c, y0, call_rate, pot / 2 * x1, player, dealer, loosest_dealer)

    def player_margin(self, dealer: Steps) -> StraightLine:
        """e1(x), equation (5): Player's gain from betting over checking."""
        total = dealer.area()
        values = [
            self.pot * (1 - x) + self.bet * dealer.area(x) - (self.pot + self.bet) * (total - dealer.area(x))
            for x in dealer.breaks
        ]
        return StraightLine(dealer.breaks, tuple(values))

    def dealer_margin(self, player: Steps) -> StraightLine:
        """e2(y), equation (6): Dealer's gain from calling over folding, before Player's hand is known."""
        total = player.area()
        values = [(self.pot + self.bet) * player.area(y) - self.bet * (total - player.area(y)) for y in player.breaks]
        return StraightLine(player.breaks, tuple(values))

    def value(self, player: Steps, dealer: Steps) -> Fraction:
        """Net winnings of Player, equations (3), (8) and (9)."""
        return self.player_margin(dealer).area_under(player)

    def best_against_dealer(self, dealer: Steps) -> Fraction:
        """Net winnings of a best response to this Dealer."""
        return self.player_margin(dealer).positive_area()

    def best_against_player(self, player: Steps) -> Fraction:
        """Net winnings of a best response to this Player."""
        folding = -self.value(player, Steps((ZERO, ONE), (ZERO,)))
        return folding + self.dealer_margin(player).positive_area()

    def check_dealer(self, dealer: Steps) -> Check:
        """Whether a Dealer strategy is an equilibrium one and whether it is admissible.

        Every Player strategy wins the integral of p e1, so one Dealer strategy dominates another exactly when its e1
        is nowhere larger; at x = 0 and x = 1 that forces equal areas, and then the smallest Q calls with the top hands
        only.
        """
        best, latest = self.best_against_dealer(dealer), Steps.of((1 - dealer.area(), ONE, ONE))
        loss = best - self.equilibrium.value
        reason = "it guarantees the value of the game"
        if loss:
            reason = f"a best response beats it by {loss} more than the value of the game"
        if latest != dealer:
            reason += "; calling as often but with the strongest hands only dominates it"
        against_equilibrium = -self.value(self.equilibrium.player, dealer)
        return Check(-best, loss, against_equilibrium, latest == dealer, None if latest == dealer else latest, reason)

    def check_player(self, player: Steps) -> Check:
        """Whether a Player strategy is the equilibrium one and whether it is admissible.

        The equilibrium strategy is unique, hence admissible. For others, a linear program on a grid searches for a
        dominating strategy, which is then proved in exact rationals; if none is found the question is left open.
        """
        guarantee, against_equilibrium = -self.best_against_player(player), self.value(player, self.equilibrium.dealer)
        loss = self.equilibrium.value - guarantee
        if not loss:
            reason = "it guarantees the value of the game, and is the only strategy that does"
            return Check(guarantee, loss, against_equilibrium, True, None, reason)
        better = self._dominating(player)
        reason = f"a best response holds it to {loss} less than the value of the game"
        reason += "; another strategy is never worse" if better else "; no strategy that is never worse was found"
        return Check(guarantee, loss, against_equilibrium, False if better else None, better, reason)

    def advantage_of(self, better: Steps, worse: Steps) -> Fraction:
        """The minimum gain of one Player strategy over another, over all Dealer strategies.

        With D the difference of their areas A it is the integral of min(P D, B (D(1) - 2 D)), since Dealer folds or
        calls at each number, whichever is worse; zero or more means that `better` dominates (or equals) `worse`.
        """
        breaks = sorted({*better.breaks, *worse.breaks})
        gap = [better.area(x) - worse.area(x) for x in breaks]
        folding = StraightLine(tuple(breaks), tuple(self.pot * difference for difference in gap))
        calling = [self.bet * (gap[-1] - 2 * difference) for difference in gap]
        cost = StraightLine(tuple(breaks), tuple(a - b for a, b in zip(folding.values, calling, strict=True)))
        return folding.area() - cost.positive_area()

    def _dominating(self, player: Steps, cells: int = 60) -> Steps | None:
        from scipy.optimize import linprog

        breaks = sorted({*player.breaks, *(Fraction(i, cells) for i in range(cells + 1))})
        edges = np.array([float(x) for x in breaks])
        widths, count = np.diff(edges), len(breaks) - 1
        before = np.array([float(player.at(x)) for x in breaks[:-1]])  # [cell]
        # variables: the better p [cell], then the minimum gain at each edge, bounded by both of Dealer's responses
        area = np.tril(np.ones((count + 1, count)), -1) * widths  # [edge, cell]: A at the edge
        whole = self.pot + self.bet  # the tolerances of the linear program are relative to it
        pot, bet = float(self.pot / whole), float(self.bet / whole)
        folding, calling = pot * area, bet * (area[-1] - 2 * area)
        identity = np.eye(count + 1)
        weights = np.concatenate([widths, [0.0]]) / 2 + np.concatenate([[0.0], widths]) / 2  # trapezoids, from below
        result = linprog(
            np.concatenate([np.zeros(count), -weights]),
            A_ub=np.block([[-folding, identity], [-calling, identity]]),
            b_ub=np.concatenate([-folding @ before, -calling @ before]),
            bounds=[(0, 1)] * count + [(None, None)] * (count + 1),
        )
        if result.fun is None or result.x is None or result.fun > -1e-9:
            return None
        values = tuple(min(ONE, Fraction(float(value)).limit_denominator(10**6)) for value in result.x[:count])
        better = Steps(tuple(breaks), values)._merged()
        return better if better != player and self.advantage_of(better, player) >= 0 else None

    def dealer_family(self, count: int = 5) -> list[tuple[Fraction, Steps]]:
        """Dealer's equilibrium strategies from the loosest (share 0) to the admissible (share 1), equally spaced."""
        if count < 2:
            raise BadSetting(f"a family has at least its two ends, so count must be 2 or more, not {count}")
        shares = [Fraction(i, count - 1) for i in range(count)]
        loosest, latest = self.equilibrium.loosest_dealer, self.equilibrium.dealer
        return [(share, loosest.mixed(latest, share)) for share in shares]


class Thresholds(NamedTuple):
    """Where a pair of strategies over cards changes, as shares of the cards."""

    x1: float  # Player bluffs below
    x2: float  # Player bets for value above
    y0: float  # Dealer calls above, if the strongest cards call


def thresholds(bets: np.ndarray, calls: np.ndarray) -> Thresholds:
    """Read x1, x2 and y0 off how often each card bets and calls, the lowest first: bets below y0 are bluffs.

    >>> thresholds(np.array([1, 0, 0, 0, 0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]))
    Thresholds(x1=0.1, x2=0.7, y0=0.5)
    """
    cards = len(bets)
    y0 = 1 - float(calls.sum()) / cards
    middle = round(y0 * cards)
    return Thresholds(float(bets[:middle].sum()) / cards, 1 - float(bets[middle:].sum()) / cards, y0)


def sampled(function: Steps | StraightLine, points: Sequence[Fraction]) -> list[float]:
    """Values as floats, for plotting."""
    return [float(function.at(x)) for x in points]
