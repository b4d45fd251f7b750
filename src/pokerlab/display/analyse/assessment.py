"""What players believe and where they could do better, in words and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import game_title
from pokerlab.lab.assessing import AssessedInfoset, Assessment

MOST_HISTORIES = 3  # of the beliefs at an infoset


def show_assessment(screen: Any, found: Assessment, places: Sequence[AssessedInfoset], *, more: int) -> None:
    """The verdicts in sentences, and infosets with what is done, what would be better, and what is believed."""
    off, game = int(found.off_path.sum()), escape(game_title(found.strategy.game))
    screen.print(f"[bold]{game}[/bold]: {len(found.strategy):,} infosets, {off:,} of them off the path of play")
    screen.print(_rational(found))
    screen.print(_consistent(found))
    if places:
        screen.print()
        screen.print(_table(places))
    if more:
        screen.print(f"[dim]{more:,} more; --rows, --player and --match choose[/dim]")


def _rational(found: Assessment) -> str:
    if found.is_rational:
        return (
            f"[green]sequentially rational[/green]: nowhere does another play gain more than {found.tolerance:.3g} "
            f"(the most is {found.largest_loss:.3g}, in payoffs of the game)"
        )
    off = int(found.off_path[found.irrational].sum())
    count = len(found.irrational)
    where = f"{count:,} infoset{'s' * (count != 1)}, {off:,} off the path of play"
    return (
        f"[red]not sequentially rational[/red]: at {where}, another play gains more than {found.tolerance:.3g} "
        f"(the most is {found.largest_loss:.3g}, in payoffs of the game)"
    )


def _consistent(found: Assessment) -> str:
    told = found.consistency
    course = ", ".join(f"{distance:.2g}" for distance in told.largest)
    if found.is_consistent:
        return (
            "[green]consistent[/green]: beliefs are the limit of Bayes' rule as hands tremble less and less "
            f"[dim](differences at {told.trembles[0]:g} ... {told.trembles[-1]:g}: {course})[/dim]"
        )
    names = ", ".join(found.strategy.infosets[index] for index in told.fails()[:3])
    return (
        f"[red]not consistent[/red] with these trembles: at {len(told.fails()):,} infosets ({escape(names)} ...) the "
        f"beliefs are not the limit of Bayes' rule [dim](differences: {course})[/dim]"
    )


def _table(places: Sequence[AssessedInfoset]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("player", "infoset", "reach", "loss", "plays", "better", "believes"):
        table.add_column(heading, justify="right" if heading in ("reach", "loss") else "left")
    for one in places:
        reach = f"{one.reach:.2g}" if one.reach else f"{one.accidents} accident{'s' * (one.accidents != 1)}"
        plays = "  ".join(f"{action} {chance:.0%}" for action, chance in one.actions.items())
        infoset, better = escape(one.infoset) or "(start)", escape(one.better)
        table.add_row(
            str(one.player), infoset, reach, f"{one.loss:.3g}", escape(plays), better, escape(_believed(one.beliefs))
        )
    return table


def _believed(beliefs: Mapping[str, float]) -> str:
    """The likeliest histories."""
    told = [f"{history} {share:.0%}" for history, share in list(beliefs.items())[:MOST_HISTORIES]]
    more = len(beliefs) - len(told)
    return "; ".join(told) + (f"; {more} more" if more else "")
