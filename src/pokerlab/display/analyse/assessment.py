"""Checks of a solution: beliefs and profitable deviations, fewer actions, and whether its file is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import counted, game_title, gap_text, value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.analyse.assessing import AssessedInfoset, Assessment
from pokerlab.lab.analyse.thinning import ThinnedSolution
from pokerlab.lab.analyse.verification import Verification

MOST_HISTORIES = 3  # of the beliefs at an infoset
LEGEND = (
    "reach: probability, or how many actions that the strategy never takes lead there; loss: what the better action "
    "would gain; believes: the likeliest histories there (deal, actions, public cards), with their probabilities"
)


def show_assessment(screen: Any, assessment: Assessment, infosets: Sequence[AssessedInfoset], *, more: int) -> None:
    """The verdicts, and infosets with the actions, the better action and the beliefs."""
    off, game = int(assessment.off_path.sum()), escape(game_title(assessment.strategy.game))
    screen.print(f"[bold]{game}[/bold]: {len(assessment.strategy):,} infosets, {off:,} of them off the path of play")
    screen.print(_rational(assessment))
    screen.print(_consistent(assessment))
    if infosets:
        screen.print()
        screen.print(_infoset_table(infosets))
        screen.print(f"[dim]{LEGEND}[/dim]")
    if more:
        screen.print(f"[dim]{more:,} more; select with --rows, --player and --containing[/dim]")


def _rational(assessment: Assessment) -> str:
    verdict = "[green]sequentially rational[/green]: no deviation"
    if not assessment.is_rational:
        off = int(assessment.off_path[assessment.irrational].sum())
        where = f"{counted(len(assessment.irrational), 'infoset')}, {off:,} off the path of play"
        verdict = f"[red]not sequentially rational[/red]: at {where}, a deviation"
    most = f"(the most is {assessment.largest_loss:.3g}, in payoffs of the game)"
    return f"{verdict} gains more than {assessment.tolerance:.3g} {most}"


def _consistent(assessment: Assessment) -> str:
    consistency = assessment.consistency
    trembles, largest = consistency.trembles, consistency.largest
    course = (
        f"[dim](largest difference {largest[0]:.2g} with trembles of {trembles[0]:g}, "
        f"{largest[-1]:.2g} with {trembles[-1]:g})[/dim]"
    )
    if assessment.is_consistent:
        return f"[green]consistent[/green]: beliefs are limits of Bayes' rule under vanishing trembles {course}"
    failures = consistency.fails()
    names = ", ".join(assessment.strategy.infosets[index] for index in failures[:3])
    return (
        f"[red]not consistent[/red] with these trembles: at {len(failures):,} infosets ({escape(names)} ...) "
        f"the beliefs are not limits of Bayes' rule {course}"
    )


def _infoset_table(infosets: Sequence[AssessedInfoset]) -> Table:
    rows = []
    for one in infosets:
        reach = f"{one.reach:.2g}" if one.reach else counted(one.accidents, "tremble")
        plays = "  ".join(f"{action} {chance:.0%}" for action, chance in one.actions.items())
        beliefs = [f"{history} {share:.0%}" for history, share in list(one.beliefs.items())[:MOST_HISTORIES]]
        if len(one.beliefs) > MOST_HISTORIES:
            beliefs.append(f"{len(one.beliefs) - MOST_HISTORIES} more")
        cells = one.infoset or "(start)", reach, f"{one.loss:.3g}", plays, one.better, "; ".join(beliefs)
        rows.append((str(one.player), *map(escape, cells)))
    headings = ("player", "infoset", "reach", "loss", "plays", "better", "believes")
    return plain_table(headings, rows, left={*headings} - {"reach", "loss"})


def show_thinned(screen: Any, thinned: ThinnedSolution, *, rows: int) -> None:
    """The number of actions left, their cost, and the states where most were dropped."""
    (used_before, used), solution, before = thinned.used, thinned.solution, thinned.before
    title = f"[bold]{escape(game_title(solution.game))}[/bold]: {used:,} actions at {len(thinned.states):,} states"
    screen.print(f"{title} do the work of {used_before:,}", soft_wrap=True)
    gaps = gap_text(before.exploitability), gap_text(solution.exploitability)
    values = value_text(before.values[0]), value_text(solution.value)
    screen.print(f"value {values[0]} before, {values[1]} now; exploitability {gaps[0]} before, {gaps[1]} now, a hand")
    lines = []
    for state in thinned.changed[:rows]:
        name = (thinned.names[state.infosets[0]] or "(start)") + (" ..." if len(state.infosets) > 1 else "")
        counts = len(state.infosets), state.actions, state.used_before, state.used, state.bound
        lines.append((str(state.player), escape(name), *map(str, counts)))
    if lines:
        headings = ("player", "state", "infosets", "actions", "used before", "used", "bound")
        screen.print()
        screen.print(plain_table(headings, lines, left=2))
    if len(thinned.changed) > rows:
        screen.print(f"[dim]{len(thinned.changed) - rows:,} more states; --rows shows them[/dim]")


def show_verification(screen: Any, verified: Verification) -> None:
    """The measured numbers, the verdict, and every wrong statement of the file."""
    measure = verified.measure
    if verified.pot is not None:
        gap, ev = verified.exploitability_percent, verified.ev
        measured = f"exploitability {gap:.6g} % of the pot, EV {ev[0]:.6g} and {ev[1]:.6g}"
    else:
        measured = f"[bold]{escape(game_title(verified.name))}[/bold]: too large to be measured"
        if measure.is_known:
            numbers = f"exploitability {measure.exploitability:.6g}, value {measure.values[0]:+.6g}"
            measured = f"[bold]{escape(game_title(verified.name))}[/bold]: {numbers}"
    verdict = "[green]matches[/green]" if verified.matches else "[red]does not match[/red]"
    screen.print(f"{measured}; {verdict} what {escape(verified.file.name)} states")
    for one in verified.wrong:
        screen.print(
            f"  {one.what}: the file says {str(one.stated)[:80]}, found {str(one.recomputed)[:80]}", markup=False
        )
    left = ", ".join(verified.not_recomputed)
    screen.print(f"[dim]rechecked {len(verified.statements)} statements; cannot be rechecked: {left}[/dim]")
