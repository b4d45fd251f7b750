"""What an agent learned from saved hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pokerlab.display.elements.numbers import counted
from pokerlab.lab.play.learning import Learned


def show_learned(screen: Any, learned: Learned, file: Path) -> None:
    """Say whose decisions were learned, and how to play with them."""
    shown = ", ".join(learned.players[:4]) + (" and others" if len(learned.players) > 4 else "")
    screen.print(f"{learned.agent} learned {counted(learned.decisions, 'decision')} of {shown} in {learned.game}")
    screen.print(f"from {counted(learned.hands, 'hand')}", highlight=False)
    if learned.hidden:
        screen.print(f"[dim]{counted(learned.hidden, 'decision')} with unknown cards did not count[/dim]")
    screen.print(f"[dim]play it: pokerlab match {learned.agent}:{file} formula[/dim]", highlight=False)
