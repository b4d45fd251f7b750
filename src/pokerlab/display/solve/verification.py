"""Whether a saved solution is as good as its file says."""

from __future__ import annotations

from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import game_title
from pokerlab.lab.analyse.verification import Verification


def show_verification(screen: Any, found: Verification) -> None:
    """The measured numbers, the verdict, and every wrong statement of the file."""
    verdict = "[green]matches[/green]" if found.matches else "[red]does not match[/red]"
    screen.print(f"{_numbers(found)}; {verdict} what {escape(found.file.name)} states")
    for one in found.wrong:
        screen.print(f"  {one.what}: the file says {str(one.stated)[:80]}, found {str(one.found)[:80]}", markup=False)
    left = ", ".join(found.not_recomputed)
    screen.print(f"[dim]rechecked {len(found.statements)} statements; cannot be rechecked: {left}[/dim]")


def _numbers(found: Verification) -> str:
    if found.pot is not None:
        ev = found.ev
        return f"exploitability {found.exploitability_percent:.6g} % of the pot, EV {ev[0]:.6g} and {ev[1]:.6g}"
    name, numbers = escape(game_title(found.name)), found.measure
    if not numbers.is_known:
        return f"[bold]{name}[/bold]: too large to be measured"
    return f"[bold]{name}[/bold]: exploitability {numbers.exploitability:.6g}, value {numbers.values[0]:+.6g}"
