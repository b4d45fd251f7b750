"""Von Neumann's continuous poker in words and pictures."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from pokerlab.display.elements.figure import draw
from pokerlab.display.elements.numbers import SHADES
from pokerlab.display.papers.paper import make_folder
from pokerlab.figure import Figure, Line, Mark, Panel
from pokerlab.games.von_neumann_continuous import Check, ContinuousPoker, Steps, sampled
from pokerlab.lab.von_neumann import Study
from pokerlab.writing import replacing

_WIDTH = 50


def strip(strategy: Steps) -> str:
    """A strategy as one line of shaded blocks, from hand 0 to hand 1."""
    shades = []
    for cell in range(_WIDTH):
        share = strategy.area(Fraction(cell + 1, _WIDTH)) - strategy.area(Fraction(cell, _WIDTH))
        level = share * _WIDTH
        shades.append(SHADES[0 if not level else min(4, 1 + int(level * 3))])
    return "".join(shades)


def exact(value: Fraction) -> str:
    """A fraction with its decimals."""
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.6f}"


def print_study(found: Study, console: Any) -> None:
    """The equilibrium, the strategies that were checked or else Dealer's equilibria, and the margins asked for."""
    game = found.game
    _print_solution(game, console)
    for role, check in found.checks.items():
        _print_check(role, found.strategy(role), check, console)
    if found.player is not None:
        console.print("\n[bold]Dealer's net winnings from this Player[/bold], chips a hand")
        for name, value in found.dealer_winnings():
            console.print(f"  {name:<28}{exact(value)}")
    if not found.checks:
        console.print(
            "\n[bold]Dealer's equilibria[/bold], from the loosest to the admissible one, and what each wins "
            "from a Player who always bets"
        )
        for _, steps in found.family:
            console.print(f"  {steps!s:<46} {exact(-game.value(Steps.read('always'), steps))}")
    for hand in found.hands:
        for name, line in found.margins.items():
            console.print(f"  {name}({hand}) = {exact(line.at(hand))}")


def write_figures(found: Study, folder: Path) -> list[Path]:
    """Strategies and margins as pictures in a folder, which is made where it is not there; the files."""
    folder = make_folder(folder)
    written = []
    for figure in figures(found.game, player=found.player, dealer=found.dealer):
        for ending, data in draw(figure).items():
            path = folder / f"{figure.name}.{ending}"
            with replacing(path) as temporary:
                temporary.write_bytes(data)
            written.append(path)
    return written


def _print_solution(game: ContinuousPoker, console: Any) -> None:
    """The equilibrium: its numbers, and both strategies as strips."""
    from rich.table import Table

    solution = game.equilibrium
    table = Table(title=f"Von Neumann poker, ante {game.ante}, bet {game.bet}", title_justify="left", box=None)
    for heading in ("", "exact", "meaning"):
        table.add_column(heading)
    for name, value, meaning in (
        ("x1", solution.x1, "Player bluffs below"),
        ("x2", solution.x2, "Player bets for value above"),
        ("c", solution.c, "what Dealer calls of the hands between x1 and x2"),
        ("y0", solution.y0, "the admissible Dealer calls above"),
        ("value", solution.value, "chips a hand to Player; Dealer loses them"),
    ):
        table.add_row(f"[bold]{name}[/bold]", exact(value), f"[dim]{meaning}[/dim]")
    console.print(table)
    console.print(f"\n  Player bets               [cyan]│{strip(solution.player)}│[/cyan]")
    console.print(f"  Dealer calls, admissible  [magenta]│{strip(solution.dealer)}│[/magenta]")
    console.print(f"  Dealer calls, loosest     [magenta]│{strip(solution.loosest_dealer)}│[/magenta]")
    console.print(f"                             0{' ' * (_WIDTH - 2)}1")
    console.print(
        f"[dim]Dealer's equilibria: fold below x1, call above x2, and between them call with c = {solution.c} of all"
        f" hands, so that, counted upwards from x1, never more than {solution.call_rate} of the hands are called.[/dim]"
    )


def _print_check(role: str, strategy: Steps, check: Check, console: Any) -> None:
    """What can be said of one strategy of a role."""
    verdict = (
        "[green]an equilibrium strategy[/green]" if check.equilibrium else "[red]not an equilibrium strategy[/red]"
    )
    undominated = {True: "[green]admissible[/green]", False: "[red]dominated[/red]", None: "not known to be dominated"}
    console.print(f"\n[bold]{role}[/bold] {'bets' if role == 'Player' else 'calls'} with {strategy}")
    console.print(f"  {verdict}, {undominated[check.admissible]}: {check.reason}")
    console.print(f"  guarantees {exact(check.guarantee)} chips a hand; {exact(check.loss)} less than equilibrium play")
    console.print(f"  wins {exact(check.against_equilibrium)} against the equilibrium of the other side")
    if check.dominated_by is not None:
        console.print(f"  never worse and sometimes better: {check.dominated_by}")


def figures(game: ContinuousPoker, *, player: Steps | None = None, dealer: Steps | None = None) -> list[Figure]:
    """Strategies with the regions marked, and e1 and e2, of the equilibrium or of the strategies given."""
    solution = game.equilibrium
    points = [Fraction(i, 600) for i in range(601)]
    floats = [float(x) for x in points]
    regions = (
        Mark(0.0, "bluff", end=float(solution.x1)),
        Mark(float(solution.x2), "value bet", end=1.0),
    )
    calls = (Mark(float(solution.x1), "x1"), Mark(float(solution.y0), "y0"), Mark(float(solution.x2), "x2"))
    shown_player = player or solution.player
    family = [("admissible", solution.dealer), ("half-way", game.dealer_family(3)[1][1])]
    family.append(("loosest", solution.loosest_dealer))
    dealers = [("given", dealer)] if dealer is not None else family
    strategies = Figure(
        name="strategies",
        caption=f"Strategies for ante {game.ante} and bet {game.bet}, over the hand.",
        panels=(
            Panel(
                lines=(Line(floats, sampled(shown_player, points), "Player bets"),),
                title="Player",
                y_label="p(x)",
                y_range=(-0.05, 1.05),
                marks=regions,
            ),
            Panel(
                lines=tuple(Line(floats, sampled(steps, points), label) for label, steps in dealers),
                title="Dealer",
                x_label="hand",
                y_label="q(y)",
                y_range=(-0.05, 1.05),
                marks=calls,
            ),
        ),
    )
    margins = Figure(
        name="margins",
        caption="What betting wins more than checking, e1, against each Dealer strategy; what calling wins more than "
        "folding, e2, against the Player strategy.",
        panels=(
            Panel(
                lines=tuple(
                    Line(floats, sampled(game.player_margin(steps), points), f"against {label}")
                    for label, steps in dealers
                ),
                title="Player's margin of betting",
                y_label="e1(x), chips",
                marks=regions,
            ),
            Panel(
                lines=(Line(floats, sampled(game.dealer_margin(shown_player), points), ""),),
                title="Dealer's margin of calling",
                x_label="hand",
                y_label="e2(y), chips",
                marks=calls,
            ),
        ),
    )
    return [strategies, margins]
