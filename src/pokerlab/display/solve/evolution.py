"""A run on a game of one decision each: text, grids and a figure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from pokerlab.display.elements.grid import GAIN, Grid
from pokerlab.display.elements.numbers import SHADES, value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.preflop.charts import print_beside
from pokerlab.display.solve.convergence import LOWEST
from pokerlab.figure import Figure, Line, Panel
from pokerlab.games.von_neumann_continuous import thresholds

if TYPE_CHECKING:
    from pokerlab.lab.solve.evolving import Evolution, Strategies

_MARGIN_NAMES = {"Player": "e_P", "Dealer": "e_D"}


def series_figure(evolution: Evolution) -> Figure:
    """Exploitability and, for populations, the fitness by generation."""
    form, panels = evolution.form, []
    if evolution.fitness:
        times = np.arange(1, len(evolution.fitness) + 1)
        lines = [
            Line(times, [means[role] for means in evolution.fitness], f"{form.roles[role]}, selected")
            for role in (0, 1)
        ]
        panels.append(Panel(tuple(lines), x_label="generation", y_label="mean fitness of the selected"))
    curve = evolution.curve
    lowest = LOWEST * (max((gap for _, gap in curve), default=0.0) or 1.0)
    style = "line" if len(curve) > 1 else "points"
    gaps = Line([at for at, _ in curve], [max(gap, lowest) for _, gap in curve], style=style)
    label = f"exploitability, {form.money} a hand"
    panels.append(Panel((gaps,), x_label=evolution.unit, y_label=label, x_log=not panels, y_log=True))
    return Figure("series", f"{form.name}, {evolution.method}", tuple(panels))


def print_evolution(evolution: Evolution, console: Any, *, margins: bool = False) -> None:
    """The run, its value and exploitability, and both strategies beside the exact ones."""
    form = evolution.form
    console.print(f"[bold]{escape(form.name)}[/bold], {evolution.method}: {_size_words(evolution)}")
    console.print(f"  {_work_words(evolution)}")
    console.print(
        f"  value to {form.roles[0]} {value_text(evolution.value)} {form.money} a hand, exact "
        f"{value_text(evolution.exact_value)}"
    )
    console.print(f"  exploitability {evolution.exploitability:.6g} {form.money} a hand")
    for role, act, learned, exact in zip(form.roles, form.acts, evolution.strategies, evolution.exact, strict=True):
        console.print(f"\n[bold]{role} {act}[/bold]")
        _print_strategies(console, learned, exact)
    if form.is_von_neumann:
        console.print(
            f"\n  found  {threshold_words(*evolution.strategies)}\n  exact  {threshold_words(*evolution.exact)}"
        )
    if margins:
        _print_margins(evolution, console)


def _size_words(evolution: Evolution) -> str:
    if evolution.method == "lp":
        return "one linear program"
    here = evolution.iterations - evolution.resumed_at
    words = f"{evolution.iterations:,} {evolution.unit}"
    return f"{words}, {here:,} in this run" if evolution.resumed_at else words


def _work_words(evolution: Evolution) -> str:
    seconds = f"{evolution.seconds:.1f} s"
    if evolution.method == "lp":
        return f"solved in {evolution.seconds:.2f} s"
    if evolution.games is None:
        words = f"{evolution.iterations - evolution.resumed_at:,} {evolution.unit} in {seconds}"
        return f"{words}; scores are expected values; no games are played" if evolution.fitness else words
    whole = f"; {evolution.games_in_all:,} games in all" if evolution.resumed_at else ""
    if not evolution.games:
        return f"no games in this run{whole}"
    rate = evolution.games / max(evolution.seconds, 1e-9)
    return f"{evolution.games:,} games in {seconds}, {rate / 1e6:.1f} million per second{whole}"


def _print_strategies(console: Any, learned: np.ndarray, exact: np.ndarray) -> None:
    if len(learned) == 169:
        print_beside(console, ["found", "exact"], [Grid(numbers.reshape(13, 13)) for numbers in (learned, exact)])
        return
    for label, numbers in (("found", learned), ("exact", exact)):
        console.print(f"  {label}  │{shaded(numbers, console.width - 12)}│", soft_wrap=True)


def shaded(numbers: np.ndarray, width: int) -> str:
    """How often each hand acts, as a bar of at most this width: neighbours share a shade where there are more hands."""
    groups = np.array_split(numbers, min(len(numbers), max(width, 20)))
    means = [float(group.mean()) for group in groups]
    return "".join(SHADES[0 if mean < 0.02 else min(4, 1 + int(mean * 3.9))] for mean in means)


def threshold_words(bets: np.ndarray, calls: np.ndarray) -> str:
    """Where von Neumann's players change what they do: "x1 0.110, x2 0.780, y0 0.560"."""
    return ", ".join(f"{name} {value:.3f}" for name, value in thresholds(bets, calls)._asdict().items())


def _print_margins(evolution: Evolution, console: Any) -> None:
    """The gain from acting with each hand, in grids or in a table."""
    form = evolution.form
    learned, exact = form.one_decision.margins(*evolution.strategies), form.one_decision.margins(*evolution.exact)
    names = [_MARGIN_NAMES.get(role, f"e, {role}") for role in form.roles]
    console.print(f"\n[bold]e[/bold]: the gain from acting over not acting, in {form.money}, given the hand")
    if len(learned[0]) != 169:
        _print_margin_table(evolution, names, learned, exact, console)
        return
    for name, mine, true in zip(names, learned, exact, strict=True):
        console.print(f"\n[bold]{name}[/bold], hands as in the grids above")
        most = float(max(np.abs(mine).max(), np.abs(true).max()))
        scale, grids = replace(GAIN, low=-most, high=most), []
        for numbers in (mine, true):
            texts = [f"{_rounded(number, 2):+.2f}" for number in numbers]
            grids.append(Grid(numbers.reshape(13, 13), scale, texts, 6))
        print_beside(console, ["found", "exact"], grids)


def _print_margin_table(
    evolution: Evolution, names: list[str], learned: Strategies, exact: Strategies, console: Any
) -> None:
    form, headings, columns = evolution.form, ["hand"], []
    for role, (act, name) in enumerate(zip(form.acts, names, strict=True)):
        headings += [act, "exact", name, "exact"]
        columns += [evolution.strategies[role], evolution.exact[role], learned[role], exact[role]]
    rows = [
        (hand, *(f"{_rounded(number, 4):.4f}" for number in numbers))
        for hand, *numbers in zip(form.hands, *columns, strict=True)
    ]
    console.print(plain_table(headings, rows, left=0))


def _rounded(number: float, digits: int) -> float:
    """Rounded, without the sign of a zero."""
    return round(float(number), digits) + 0.0
