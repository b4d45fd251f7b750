"""Von Neumann's continuous poker: its equilibrium, the Dealer's family of equilibria, and checks of any strategy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.von_neumann_continuous import Check, ContinuousPoker, Steps, StraightLine, number

LONGEST_LIST = 2000  # characters of a list of hands
NUMBERS = ("x1", "x2", "c", "y0", "call_rate", "value")  # of the equilibrium


@dataclass(frozen=True)
class Study:
    """A game of von Neumann's poker with the requested analyses."""

    game: ContinuousPoker
    player: Steps | None  # the given strategies
    dealer: Steps | None
    checks: Mapping[str, Check]  # of the given strategies, by role
    margins: Mapping[str, StraightLine]  # e1 against the given (or the admissible) Dealer, e2 against the given Player
    hands: tuple[Fraction, ...]  # at which the margins are evaluated
    family: tuple[tuple[Fraction, Steps], ...]  # (share, strategy): the Dealer's equilibria

    def strategy(self, role: str) -> Steps:
        """The given strategy of a role."""
        given = self.player if role == "Player" else self.dealer
        assert given is not None
        return given

    def dealer_winnings(self) -> list[tuple[str, Fraction]]:
        """The Dealer's winnings against the given Player, in chips per hand, by the Dealer's strategy."""
        game, player, solution = self.game, self.strategy("Player"), self.game.equilibrium
        rows = [("the best response", game.best_against_player(player))]
        if self.dealer is not None:
            rows.append(("the Dealer given", -game.value(player, self.dealer)))
        rows.append(("the admissible equilibrium", -game.value(player, solution.dealer)))
        rows.append(("the loosest equilibrium", -game.value(player, solution.loosest_dealer)))
        return rows

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        solution = self.game.equilibrium
        result: dict[str, Any] = {
            **_numbers(ante=self.game.ante, bet=self.game.bet),
            **_numbers(**{name: getattr(solution, name) for name in NUMBERS}),
            "player": str(solution.player),
            "dealer": str(solution.dealer),
            "family": [_numbers(share=share) | {"dealer": str(steps)} for share, steps in self.family],
        }
        for role, check in self.checks.items():
            result[f"{role.lower()}_check"] = _check_dict(self.strategy(role), check)
        if self.player is not None and self.dealer is not None:
            result |= _numbers(value_of_the_two=self.game.value(self.player, self.dealer))
        return result | {name: _margin_dict(line, self.hands) for name, line in self.margins.items()}


def _numbers(**numbers: Fraction) -> dict[str, Any]:
    """Each as a number, and under its name plus `_exact` as a fraction."""
    forms = (("", float), ("_exact", str))
    return {name + suffix: form(fraction) for name, fraction in numbers.items() for suffix, form in forms}


def _check_dict(strategy: Steps, check: Check) -> dict[str, Any]:
    return {
        "strategy": str(strategy),
        "equilibrium": check.equilibrium,
        "admissible": check.admissible,
        **_numbers(guarantee=check.guarantee, loss=check.loss, against_equilibrium=check.against_equilibrium),
        "dominated_by": None if check.dominated_by is None else str(check.dominated_by),
        "reason": check.reason,
    }


def _margin_dict(line: StraightLine, hands: tuple[Fraction, ...]) -> dict[str, Any]:
    return {
        "breaks": list(map(float, line.breaks)),
        "breaks_exact": list(map(str, line.breaks)),
        "values": list(map(float, line.values)),
        "values_exact": list(map(str, line.values)),
        "at": [_numbers(hand=hand, value=line.at(hand)) for hand in hands],
    }


def study(
    *, ante: str, bet: str, player: str | None = None, dealer: str | None = None, at: str | None = None, family: int = 5
) -> Study:
    """Solve a game, and check the given strategies; all arguments are text."""
    game = ContinuousPoker(number(ante), number(bet))
    given_player = None if player is None else Steps.read(player)
    given_dealer = None if dealer is None else Steps.read(dealer)
    hands = () if at is None else tuple(map(number, at[:LONGEST_LIST].split(",")))
    if any(hand > 1 for hand in hands):
        raise BadSetting(f"hands are numbers from 0 to 1, not {max(hands)}")
    solution = game.equilibrium
    margins = {
        "e1": game.player_margin(solution.dealer if given_dealer is None else given_dealer),
        "e2": game.dealer_margin(solution.player if given_player is None else given_player),
    }
    checks = {}
    if given_player is not None:
        checks["Player"] = game.check_player(given_player)
    if given_dealer is not None:
        checks["Dealer"] = game.check_dealer(given_dealer)
    members = tuple(game.dealer_family(family))
    return Study(game, given_player, given_dealer, checks, margins, hands, members)
