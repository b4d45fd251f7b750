"""The paper's thirty-three figures as data, and our additional ones."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.figure import Figure, Line, Mark, Panel
from pokerlab.games.von_neumann_continuous import ContinuousPoker, sampled
from pokerlab.papers._goykhman.numbers import amounts_words, of
from pokerlab.papers._goykhman.runs import (
    AMOUNTS,
    FLOP,
    GENETIC,
    REGRET,
    VON_NEUMANN,
    Outcome,
    exact_of,
    form_of,
)

_NAMES = [list(CLASS_NAMES[13 * row : 13 * row + 13]) for row in range(13)]


def paper_figures(outcomes: Sequence[Outcome]) -> list[Figure]:
    """Figures 1 to 33, for the first seed of each run."""
    drawn = []
    for number, amounts in enumerate(AMOUNTS, start=1):
        drawn.append(_card_strategies(number, of(outcomes, VON_NEUMANN, amounts, GENETIC)[0]))
    for number, amounts in enumerate(AMOUNTS, start=4):
        drawn.append(_fitness(number, of(outcomes, VON_NEUMANN, amounts, GENETIC)[0]))
    for number, amounts in enumerate(AMOUNTS, start=7):
        drawn.append(_card_strategies(number, of(outcomes, VON_NEUMANN, amounts, REGRET)[0]))
    for start, method in ((10, GENETIC), (22, REGRET)):
        for place, amounts in enumerate(AMOUNTS):
            outcome = of(outcomes, FLOP, amounts, method)[0]
            for role in (0, 1):
                drawn.append(_hand_strategy(start + 2 * place + role, outcome, role))
    for start, method in ((16, GENETIC), (28, REGRET)):
        for place, amounts in enumerate(AMOUNTS):
            outcome = of(outcomes, FLOP, amounts, method)[0]
            for role in (0, 1):
                drawn.append(_against_margin(start + 2 * place + role, outcome, role))
    return sorted(drawn, key=lambda figure: figure.name)


def _name(number: int) -> str:
    return f"figure-{number:02d}"


def _runs_words(outcome: Outcome) -> str:
    plan = outcome.plan
    if plan.settings:
        agents = f"{plan.settings.population:,} agents{'' if plan.settings.united else ' a role'}"
        return f"{agents}, {plan.settings.rounds:,} games each a generation, {plan.iterations:,} generations"
    return f"{plan.iterations:.3g} rounds of sampled regret matching"


def _card_strategies(number: int, outcome: Outcome) -> Figure:
    amounts = outcome.plan.amounts
    solution = ContinuousPoker(Fraction(amounts[0]), Fraction(amounts[1])).equilibrium
    exact = exact_of(VON_NEUMANN, amounts)
    cards = np.arange(1, 101)
    places = {"x1": solution.x1, "y0": solution.y0, "x2": solution.x2}
    player_marks = tuple(Mark(100 * float(places[name]) + 0.5, name) for name in ("x1", "x2"))
    dealer_marks = tuple(Mark(100 * float(places[name]) + 0.5, name) for name in ("x1", "y0", "x2"))
    dealer = [Line(cards, outcome.second, outcome.plan.method, style="bars")]
    dealer.append(Line(cards, exact.admissible, "admissible equilibrium", style="steps"))
    loosest = sampled(solution.loosest_dealer, [Fraction(2 * card - 1, 200) for card in range(1, 101)])
    dealer.append(Line(cards, loosest, "loosest equilibrium (continuous)", style="steps"))
    panels = (
        Panel(
            lines=(
                Line(cards, outcome.first, outcome.plan.method, style="bars"),
                Line(cards, exact.solution.first, "exact", style="steps"),
            ),
            title="Player bets",
            y_label="probability",
            y_range=(0, 1.05),
            marks=player_marks,
        ),
        Panel(
            lines=tuple(dealer),
            title="Dealer calls",
            x_label="card",
            y_label="probability",
            y_range=(0, 1.05),
            marks=dealer_marks,
        ),
    )
    words = f"Von Neumann poker, {amounts_words(amounts)}: {_runs_words(outcome)}. Marks are the continuous game's."
    return Figure(_name(number), f"Figure {number}. {words}", panels)


def _fitness(number: int, outcome: Outcome) -> Figure:
    amounts = outcome.plan.amounts
    history = outcome.history
    settings = outcome.plan.settings
    assert settings is not None
    drift = exact_of(VON_NEUMANN, amounts).solution.value * settings.rounds / settings.bankroll
    times = np.arange(1, len(history) + 1)
    ends = [1, len(history)]
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
    words = f"Fitness of the selected, von Neumann poker, {amounts_words(amounts)}."
    return Figure(_name(number), f"Figure {number}. {words}", (panel,))


def _hand_strategy(number: int, outcome: Outcome, role: int) -> Figure:
    amounts = outcome.plan.amounts
    exact = exact_of(FLOP, amounts).solution
    shown = (outcome.first, outcome.second)[role]
    truth = (exact.first, exact.second)[role]
    act = ("Player bets", "Dealer calls")[role]
    panels = (
        Panel(cells=shown.reshape(13, 13), cell_text=_NAMES, title=f"{act}: {outcome.plan.method}"),
        Panel(cells=truth.reshape(13, 13), cell_text=_NAMES, title=f"{act}: exact equilibrium"),
    )
    words = f"Flop poker, {amounts_words(amounts)}: {_runs_words(outcome)}. Suited hands stand above the diagonal."
    return Figure(_name(number), f"Figure {number}. {words}", panels, columns=2)


def _against_margin(number: int, outcome: Outcome, role: int) -> Figure:
    amounts = outcome.plan.amounts
    game, exact = form_of(FLOP, amounts).one_decision, exact_of(FLOP, amounts).solution
    shown = (outcome.first, outcome.second)[role]
    own = game.margins(outcome.first, outcome.second)[role]
    at_equilibrium = game.margins(exact.first, exact.second)[role]
    symbol = ("e_P(i)", "e_D(j)")[role]
    panel = Panel(
        lines=(
            Line(own, shown, f"{outcome.plan.method}, margin against the run's own opponent", style="points"),
            Line(at_equilibrium, (exact.first, exact.second)[role], "exact equilibrium", style="points"),
        ),
        x_label=f"{symbol}, chips",
        y_label=("probability to bet", "probability to call")[role],
        y_range=(-0.05, 1.05),
        marks=(Mark(0.0),),
    )
    words = f"{('Player', 'Dealer')[role]}'s decisions against {symbol}, flop poker, {amounts_words(amounts)}."
    return Figure(_name(number), f"Figure {number}. {outcome.plan.method}: {words}", (panel,))
