"""What `match` and `tournament` share when stacks are carried from hand to hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.cli._options import FORMATS
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from pokerlab.games.poker.engine import PokerGame
    from pokerlab.match.run.contest import ContestRules


def check_format(format: str, *, contest: dict[str, object], hands_only: dict[str, object]) -> bool:
    """Whether contests are to be played; raises BadSetting for options of the other formats that were given."""
    if format not in FORMATS:
        raise BadSetting(f"the format is {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, not {format[:40]!r}")
    others, why = (
        (contest, "needs --format freezeout or match-play")
        if format == "cash"
        else (hands_only, f"does not go with --format {format}")
    )
    if given := [name for name, value in others.items() if value]:
        raise BadSetting(f"{given[0]} {why}")
    return format != "cash"


def rules_of(
    table: PokerGame,
    *,
    format: str,
    stack: str | None,
    blinds: str | None,
    payouts: str | None,
    hands: int,
    repeat: int,
    most_hands: int,
    when_broke: str,
) -> ContestRules:
    """The rules of contests from the options."""
    from pokerlab.lab.play.contests import contest_rules

    if format == "match-play":
        if payouts is not None:
            raise BadSetting("--payouts are the prizes of freeze-outs: leave it out, or choose --format freezeout")
        most_hands = max(hands // repeat, 1)
    return contest_rules(
        table,
        kind=format,
        stack=stack,
        blinds=blinds,
        payouts=payouts,
        most_hands=most_hands,
        when_broke=when_broke,
    )
