"""Beliefs and profitable deviations, as text and as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import game_title
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.analyse.assessing import AssessedInfoset, Assessment

MOST_HISTORIES = 3  # of the beliefs at an infoset


def show_assessment(screen: Any, found: Assessment, places: Sequence[AssessedInfoset], *, more: int) -> None:
    """The verdicts, and infosets with the actions, the better action and the beliefs."""
    off, game = int(found.off_path.sum()), escape(game_title(found.strategy.game))
    screen.print(f"[bold]{game}[/bold]: {len(found.strategy):,} infosets, {off:,} of them off the path of play")
    screen.print(_rational(found))
    screen.print(_consistent(found))
    if places:
        screen.print()
        screen.print(_table(places))
    if more:
        screen.print(f"[dim]{more:,} more; select with --rows, --player and --match[/dim]")


def _rational(found: Assessment) -> str:
    if found.is_rational:
        return (
            f"[green]sequentially rational[/green]: no deviation gains more than {found.tolerance:.3g} "
            f"(the most is {found.largest_loss:.3g}, in payoffs of the game)"
        )
    off = int(found.off_path[found.irrational].sum())
    count = len(found.irrational)
    where = f"{count:,} infoset{'s' * (count != 1)}, {off:,} off the path of play"
    return (
        f"[red]not sequentially rational[/red]: at {where}, a deviation gains more than {found.tolerance:.3g} "
        f"(the most is {found.largest_loss:.3g}, in payoffs of the game)"
    )


def _consistent(found: Assessment) -> str:
    consistency = found.consistency
    course = ", ".join(f"{distance:.2g}" for distance in consistency.largest)
    if found.is_consistent:
        return (
            "[green]consistent[/green]: beliefs are limits of Bayes' rule under vanishing trembles "
            f"[dim](differences at {consistency.trembles[0]:g} ... {consistency.trembles[-1]:g}: {course})[/dim]"
        )
    names = ", ".join(found.strategy.infosets[index] for index in consistency.fails()[:3])
    count = len(consistency.fails())
    return (
        f"[red]not consistent[/red] with these trembles: at {count:,} infosets ({escape(names)} ...) "
        f"the beliefs are not limits of Bayes' rule [dim](differences: {course})[/dim]"
    )


def _table(places: Sequence[AssessedInfoset]) -> Table:
    rows = []
    for one in places:
        reach = f"{one.reach:.2g}" if one.reach else f"{one.accidents} accident{'s' * (one.accidents != 1)}"
        plays = "  ".join(f"{action} {chance:.0%}" for action, chance in one.actions.items())
        infoset, better = escape(one.infoset) or "(start)", escape(one.better)
        beliefs = escape(_likeliest(one.beliefs))
        rows.append((str(one.player), infoset, reach, f"{one.loss:.3g}", escape(plays), better, beliefs))
    headings = ("player", "infoset", "reach", "loss", "plays", "better", "believes")
    return plain_table(headings, rows, left={*headings} - {"reach", "loss"})


def _likeliest(beliefs: Mapping[str, float]) -> str:
    """The likeliest histories."""
    shown = [f"{history} {share:.0%}" for history, share in list(beliefs.items())[:MOST_HISTORIES]]
    more = len(beliefs) - len(shown)
    return "; ".join(shown) + (f"; {more} more" if more else "")
