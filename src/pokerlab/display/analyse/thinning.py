"""A thinned solution, as text and as a table."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import game_title, gap_text, value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.analyse.thinning import Thinned
from pokerlab.solvers.analysis.thinning import ThinnedState


def show_thinned(screen: Any, found: Thinned, *, rows: int) -> None:
    """The number of actions left, their cost, and the states where most were dropped."""
    before, after = found.used
    screen.print(
        f"[bold]{escape(game_title(found.solution.game))}[/bold]: {after:,} actions at {len(found.states):,} states "
        f"do the work of {before:,}",
        soft_wrap=True,
    )
    gaps = gap_text(found.before.exploitability), gap_text(found.solution.exploitability)
    values = value_text(found.before.values[0]), value_text(found.solution.value)
    screen.print(f"value {values[0]} before, {values[1]} now; exploitability {gaps[0]} before, {gaps[1]} now, a hand")
    changed = found.changed
    if changed:
        screen.print()
        screen.print(_table(found, rows))
    if len(changed) > rows:
        screen.print(f"[dim]{len(changed) - rows:,} more states; --rows shows them[/dim]")


def _table(found: Thinned, rows: int) -> Table:
    lines = []
    for state in found.changed[:rows]:
        counts = len(state.infosets), state.actions, state.used_before, state.used, state.bound
        lines.append((str(state.player), escape(_name(found, state)), *map(str, counts)))
    return plain_table(("player", "state", "infosets", "actions", "used before", "used", "bound"), lines, left=2)


def _name(found: Thinned, state: ThinnedState) -> str:
    """A state, named by one of its infosets."""
    name = found.names[state.infosets[0]] or "(start)"
    return name if len(state.infosets) == 1 else f"{name} ..."
