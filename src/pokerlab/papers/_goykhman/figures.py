"""The paper's thirty-three figures as data, and our additional ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.figure import Figure, Line, Mark, Panel
from pokerlab.games.von_neumann_continuous import sampled
from pokerlab.papers._goykhman.exact import AMOUNTS, FLOP, VON_NEUMANN, continuous
from pokerlab.papers._goykhman.runs import GENETIC, REGRET, Outcome, select

_NAMES = [list(CLASS_NAMES[13 * row : 13 * row + 13]) for row in range(13)]


def paper_figures(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Figures 1 to 33, for the first seed of each run."""
    drawn = []
    for place, amounts in enumerate(AMOUNTS):
        for method, cards, hands, margins in ((GENETIC, 1, 10, 16), (REGRET, 7, 22, 28)):  # their first figures
            on_cards, on_flop = (select(outcomes, game, amounts, method)[0] for game in (VON_NEUMANN, FLOP))
            drawn.append(_card_strategies(cards + place, on_cards))
            if method == GENETIC:
                drawn.append(_fitness(4 + place, on_cards))
            for role in (0, 1):
                drawn.append(_hand_strategy(hands + 2 * place + role, on_flop, role))
                drawn.append(_against_margin(margins + 2 * place + role, on_flop, role))
    return sorted(drawn, key=lambda figure: figure.name)


def _figure(number: int, caption: str, *panels: Panel, columns: int = 1) -> Figure:
    return Figure(f"figure-{number:02d}", f"Figure {number}. {caption}", panels, columns)


def _run_text(outcome: Outcome) -> str:
    plan = outcome.plan
    if plan.settings:
        agents = f"{plan.settings.population:,} agents{'' if plan.settings.united else ' a role'}"
        return f"{agents}, {plan.settings.rounds:,} games each a generation, {plan.iterations:,} generations"
    return f"{plan.iterations:.3g} rounds of sampled regret matching"


def _card_strategies(number: int, outcome: Outcome) -> Figure:
    exact, method = outcome.exact, outcome.plan.method
    solution = continuous(exact.amounts)
    cards = np.arange(1, 101)
    marks = [Mark(100 * float(getattr(solution, name)) + 0.5, name) for name in ("x1", "y0", "x2")]
    loosest = sampled(solution.loosest_dealer, [Fraction(2 * card - 1, 200) for card in range(1, 101)])
    player = Panel(
        lines=(
            Line(cards, outcome.first, method, style="bars"),
            Line(cards, exact.solution.first, "exact", style="steps"),
        ),
        title="Player bets",
        y_label="probability",
        y_range=(0, 1.05),
        marks=(marks[0], marks[2]),
    )
    dealer = Panel(
        lines=(
            Line(cards, outcome.second, method, style="bars"),
            Line(cards, exact.admissible, "admissible equilibrium", style="steps"),
            Line(cards, loosest, "loosest equilibrium (continuous)", style="steps"),
        ),
        title="Dealer calls",
        x_label="card",
        y_label="probability",
        y_range=(0, 1.05),
        marks=tuple(marks),
    )
    caption = f"Von Neumann poker, {exact.text}: {_run_text(outcome)}. Marks are the continuous game's."
    return _figure(number, caption, player, dealer)


def _fitness(number: int, outcome: Outcome) -> Figure:
    history, drift = outcome.history, outcome.drift
    times, ends = np.arange(1, len(history) + 1), [1, len(history)]
    panel = Panel(
        lines=(
            Line(times, history[:, 0], "Players selected"),
            Line(times, history[:, 1], "Dealers selected"),
            Line(ends, [1 + drift, 1 + drift], "Player at equilibrium"),
            Line(ends, [1 - drift, 1 - drift], "Dealer at equilibrium"),
        ),
        x_label="generation",
        y_label="bankroll at the end / at the start",
    )
    caption = f"Fitness of the selected, von Neumann poker, {outcome.exact.text}."
    return _figure(number, caption, panel)


def _hand_strategy(number: int, outcome: Outcome, role: int) -> Figure:
    solution = outcome.exact.solution
    strategies = {
        outcome.plan.method: (outcome.first, outcome.second)[role],
        "exact equilibrium": (solution.first, solution.second)[role],
    }
    act = ("Player bets", "Dealer calls")[role]
    panels = (
        Panel(cells=strategy.reshape(13, 13), cell_text=_NAMES, title=f"{act}: {name}")
        for name, strategy in strategies.items()
    )
    caption = f"Flop poker, {outcome.exact.text}: {_run_text(outcome)}. Suited hands stand above the diagonal."
    return _figure(number, caption, *panels, columns=2)


def _against_margin(number: int, outcome: Outcome, role: int) -> Figure:
    exact, method = outcome.exact, outcome.plan.method
    own = exact.game.margins(outcome.first, outcome.second)[role]
    equilibrium = (exact.solution.first, exact.solution.second)[role]
    symbol = ("e_P(i)", "e_D(j)")[role]
    strategy, label = (outcome.first, outcome.second)[role], f"{method}, margin against the run's own opponent"
    panel = Panel(
        lines=(
            Line(own, strategy, label, style="points"),
            Line(exact.margins[role], equilibrium, "exact equilibrium", style="points"),
        ),
        x_label=f"{symbol}, chips",
        y_label=("probability to bet", "probability to call")[role],
        y_range=(-0.05, 1.05),
        marks=(Mark(0.0),),
    )
    decisions = f"{('Player', 'Dealer')[role]}'s decisions against {symbol}"
    return _figure(number, f"{method}: {decisions}, flop poker, {exact.text}.", panel)
