"""Von Neumann's continuous poker: text and figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pokerlab.display.elements.numbers import SHADES, number_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.papers.paper import make_folder, write_figures_of
from pokerlab.figure import Figure, Line, Mark, Panel
from pokerlab.games.von_neumann_continuous import Check, ContinuousPoker, Steps, sampled
from pokerlab.lab.preflop.von_neumann import Study

_WIDTH = 50


def strip(strategy: Steps) -> str:
    """A strategy as a line of shaded blocks, from hand 0 to hand 1."""
    shades = []
    for cell in range(_WIDTH):
        share = strategy.area(Fraction(cell + 1, _WIDTH)) - strategy.area(Fraction(cell, _WIDTH))
        level = share * _WIDTH
        shades.append(SHADES[0 if not level else min(4, 1 + int(level * 3))])
    return "".join(shades)


def print_study(study: Study, console: Any) -> None:
    """The equilibrium, the checked strategies or else Dealer's equilibria, and the requested margins."""
    game = study.game
    _print_solution(game, console)
    for role, check in study.checks.items():
        _print_check(role, study.strategy(role), check, console)
    if study.player is not None:
        console.print("\n[bold]Dealer's net winnings from this Player[/bold], chips a hand")
        for name, value in study.dealer_winnings():
            console.print(f"  {name:<28}{number_text(value, 6)}")
    if not study.checks:
        console.print(
            "\n[bold]Dealer's equilibria[/bold], from the loosest to the admissible one, and what each wins "
            "from a Player who always bets"
        )
        for _, steps in study.family:
            console.print(f"  {steps!s:<46} {number_text(-game.value(Steps.read('always'), steps), 6)}")
    for hand in study.hands:
        for name, line in study.margins.items():
            console.print(f"  {name}({hand}) = {number_text(line.at(hand), 6)}")


def write_figures(study: Study, folder: Path) -> list[Path]:
    """Draw strategies and margins into a folder, created if missing; return the files."""
    folder = make_folder(folder)
    drawn = figures(study.game, player=study.player, dealer=study.dealer)
    return [path for figure in drawn for path in write_figures_of(figure, folder)]


def _print_solution(game: ContinuousPoker, console: Any) -> None:
    """The numbers of the equilibrium, and both strategies as strips."""
    solution = game.equilibrium
    numbers = (
        ("x1", solution.x1, "Player bluffs below"),
        ("x2", solution.x2, "Player bets for value above"),
        ("c", solution.c, "share of hands between x1 and x2 that Dealer calls"),
        ("y0", solution.y0, "the admissible Dealer calls above"),
        ("value", solution.value, "chips a hand to Player; Dealer loses them"),
    )
    rows = [
        (f"[bold]{name}[/bold]", number_text(value, 6), f"[dim]{meaning}[/dim]") for name, value, meaning in numbers
    ]
    title = f"Von Neumann poker, ante {game.ante}, bet {game.bet}"
    console.print(plain_table(("", "exact", "meaning"), rows, left=3, title=title, title_justify="left"))
    console.print(f"\n  Player bets               [cyan]│{strip(solution.player)}│[/cyan]")
    console.print(f"  Dealer calls, admissible  [magenta]│{strip(solution.dealer)}│[/magenta]")
    console.print(f"  Dealer calls, loosest     [magenta]│{strip(solution.loosest_dealer)}│[/magenta]")
    console.print(f"                             0{' ' * (_WIDTH - 2)}1")
    console.print(
        f"[dim]Dealer's equilibria: fold below x1, call above x2, and between them call with c = {solution.c} of all"
        f" hands, so that, counted upwards from x1, never more than {solution.call_rate} of the hands are called.[/dim]"
    )


def _print_check(role: str, strategy: Steps, check: Check, console: Any) -> None:
    """The verdict on a strategy."""
    verdict = (
        "[green]an equilibrium strategy[/green]" if check.equilibrium else "[red]not an equilibrium strategy[/red]"
    )
    undominated = {True: "[green]admissible[/green]", False: "[red]dominated[/red]", None: "not known to be dominated"}
    console.print(f"\n[bold]{role}[/bold] {'bets' if role == 'Player' else 'calls'} with {strategy}")
    console.print(f"  {verdict}, {undominated[check.admissible]}: {check.reason}")
    loss = number_text(check.loss, 6)
    console.print(f"  guarantees {number_text(check.guarantee, 6)} chips a hand; {loss} less than equilibrium play")
    console.print(f"  wins {number_text(check.against_equilibrium, 6)} against the equilibrium of the other side")
    if check.dominated_by is not None:
        console.print(f"  never worse and sometimes better: {check.dominated_by}")


def figures(game: ContinuousPoker, *, player: Steps | None = None, dealer: Steps | None = None) -> list[Figure]:
    """Strategies with marked regions, and e1 and e2, of the equilibrium or of the given strategies."""
    solution = game.equilibrium
    points = [Fraction(i, 600) for i in range(601)]
    floats = [float(x) for x in points]
    regions = (Mark(0.0, "bluff", end=float(solution.x1)), Mark(float(solution.x2), "value bet", end=1.0))
    calls = (Mark(float(solution.x1), "x1"), Mark(float(solution.y0), "y0"), Mark(float(solution.x2), "x2"))
    shown_player = player or solution.player
    family = [("admissible", solution.dealer), ("half-way", game.dealer_family(3)[1][1])]
    family.append(("loosest", solution.loosest_dealer))
    dealers = [("given", dealer)] if dealer is not None else family

    def panel(title: str, curves: Sequence[tuple[str, Any]], y_label: str, **settings: Any) -> Panel:
        lines = tuple(Line(floats, sampled(curve, points), label) for label, curve in curves)
        return Panel(lines, title, y_label=y_label, **settings)

    span = (-0.05, 1.05)
    strategies = (
        panel("Player", [("Player bets", shown_player)], "p(x)", y_range=span, marks=regions),
        panel("Dealer", dealers, "q(y)", x_label="hand", y_range=span, marks=calls),
    )
    betting = [(f"against {label}", game.player_margin(steps)) for label, steps in dealers]
    calling = [("", game.dealer_margin(shown_player))]
    margins = (
        panel("Player's margin of betting", betting, "e1(x), chips", marks=regions),
        panel("Dealer's margin of calling", calling, "e2(y), chips", x_label="hand", marks=calls),
    )
    caption = "Gain of betting over checking against each Dealer, e1; gain of calling over folding against Player, e2."
    return [
        Figure("strategies", f"Strategies for ante {game.ante} and bet {game.bet}, over the hand.", strategies),
        Figure("margins", caption, margins),
    ]
