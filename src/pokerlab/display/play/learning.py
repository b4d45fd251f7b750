"""What an agent learned from saved hands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pokerlab.display.elements.numbers import counted
from pokerlab.lab.play.evolution import Evolved
from pokerlab.lab.play.learning import Learned


def show_learned(screen: Any, learned: Learned, file: Path) -> None:
    """Say whose decisions were learned, and how to play with them."""
    shown = ", ".join(learned.players[:4]) + (" and others" if len(learned.players) > 4 else "")
    screen.print(f"{learned.agent} learned {counted(learned.decisions, 'decision')} of {shown} in {learned.game}")
    screen.print(f"from {counted(learned.hands, 'hand')}", highlight=False)
    if learned.hidden:
        screen.print(f"[dim]{counted(learned.hidden, 'decision')} with unknown cards did not count[/dim]")
    screen.print(f"[dim]play it: pokerlab match {learned.agent}:{file} formula[/dim]", highlight=False)


def show_evolved(screen: Any, evolved: Evolved, file: Path) -> None:
    """Say how fitness changed over the generations, and how to play the result."""
    agent, fitness = evolved.settings.player, evolved.fitness
    words = "average place" if agent == "nicolai" else "big blinds a hand"
    screen.print(f"{agent} evolved for {counted(len(fitness), 'generation')}")
    if fitness:
        screen.print(f"best member of the first: {fitness[0]:.3g} ({words}); of the last: {fitness[-1]:.3g}")
        screen.print("[dim]fitness is against members of the same generation, so it need not rise[/dim]")
    screen.print(f"[dim]play it: pokerlab match {agent}:{file} formula[/dim]", highlight=False)
