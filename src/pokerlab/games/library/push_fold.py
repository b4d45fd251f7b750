"""Push or fold: before the flop every player goes all-in or folds; stacks in big blinds."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.errors import BadSetting
from pokerlab.games.library._holdem import Players, first_after_blinds, seated_blinds
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.settings import declared, number, one_or_each, per_seat

BIG_BLIND = 100  # chips, so that stacks of hundredths of a big blind are whole numbers
MOST = 1e6  # big blinds


def hundredths(name: str, value: Any) -> Any:
    """The check of big blinds that are whole hundredths."""
    number(0, MOST)(name, value)
    if abs(chips(value) - value * BIG_BLIND) > 1e-6:
        raise BadSetting(f"{name} must be big blinds in hundredths; got {value}")
    return value


def chips(big_blinds: float) -> int:
    """Chips of so many big blinds."""
    return round(big_blinds * BIG_BLIND)


@declared("push-fold")
def game(
    name: str,
    *,
    stack: Annotated[Any, one_or_each(hundredths)] = 10,
    players: Players = 2,
    ante: Annotated[float, hundredths] = 0,
) -> PokerGame:
    """Blinds of half a big blind and one; a big blind is 100 chips. `stack` is one number or one per seat, and as
    `ante` it may have two decimals."""
    posted = seated_blinds((BIG_BLIND // 2, BIG_BLIND), players)
    rules = Rules(
        players=players,
        rounds=(
            Round(private=2, bet=BIG_BLIND, first=first_after_blinds(posted)),
            Round(public=3, betting=False),
            Round(public=1, betting=False),
            Round(public=1, betting=False),
        ),
        limit="push",
        antes=(chips(ante),) * players,
        blinds=posted,
        stacks=tuple(map(chips, per_seat("stack", stack, players))),
        odd_chips="split",
    )
    return PokerGame(rules, name)
