"""Tournaments solved to the end: values and strategies of stacks, and the error of the chip model."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table

from pokerlab.cards.combos import CLASS_COMBOS, COMBO_COUNT
from pokerlab.cards.range_writing import write
from pokerlab.display.elements.numbers import counted, duration
from pokerlab.display.elements.table import plain_table
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.tournament.endgame import SEATS, TwoPlayers
from pokerlab.lab.tournament.endgame_three import DECISIONS, ThreePlayers

MOST_ROWS = 24
MIXED = 0.05  # frequencies this close to 0 or 1 are rounded


def show_two(screen: Any, found: TwoPlayers) -> None:
    """Winning probabilities of every stack, or of a sample if there are many."""
    columns = found.columns()
    headings = ("chips", "small blind wins %", "big blind wins %", "share of chips %", "pushes %", "calls %")
    rows: list[tuple[str, ...]] = []
    step = -(-len(columns["chips"]) // MOST_ROWS)
    middle = (len(columns["chips"]) - 1) // 2
    for row in range(middle % step, len(columns["chips"]), step):
        cells = [f"{100 * columns[name][row]:.3f}" for name in list(columns)[1:4]]
        played = [f"{100 * columns[name][row]:.1f}" for name in ("push", "call")]
        rows.append((f"{columns['chips'][row]:,}", *cells, *played))
    screen.print()
    screen.print(plain_table(headings, rows, left=0))
    solution = found.solution
    screen.print(
        f"\n[dim]{found.setting.state_count} states of {found.setting.unit} chips, every hand by a linear program, "
        f"{counted(solution.rounds, 'round')}; a best response to the end wins {max(solution.epsilon, 0):.1e} more "
        f"at most; {duration(found.seconds)}[/dim]"
    )


def two_figure(found: TwoPlayers) -> Figure:
    """Winning probability minus the share of chips, and frequencies of pushes and calls, by chips."""
    columns = found.columns()
    chips, share = columns["chips"], columns["share_of_chips"]
    advantage = Panel(
        tuple(
            Line(chips, 100 * (columns[name] - share), label)
            for name, label in (("small_blind_wins", "small blind"), ("big_blind_wins", "big blind"))
        ),
        "Probability of winning the tournament, minus the share of chips",
        "chips",
        "percentage points",
    )
    pushes = Line(chips, 100 * columns["push"], "small blind pushes")
    calls = Line(chips, 100 * columns["call"], "big blind calls")
    played = Panel((pushes, calls), "Hands played", "own chips", "percent of hands")
    return Figure("endgame", "A heads-up tournament to the end.", (advantage, played))


def show_three(screen: Any, found: ThreePlayers, at: int | None = None) -> None:
    """The exploitability, the error of the chip model, and one state with its ranges."""
    setting = found.setting
    size = np.abs(found.errors)
    screen.print(
        f"\n[bold]{setting.chips:,} chips, blinds {setting.blinds[0]:,}/{setting.blinds[1]:,}, prizes "
        f"{', '.join(f'{prize:g}' for prize in setting.payouts)}[/bold]: {len(found.states):,} states"
    )
    screen.print(
        f"after {counted(len(found.rounds), 'round')} no player gains more than "
        f"[bold]{found.epsilon_percent:.4f} %[/bold] of the entry fee by deviating, from any state"
    )
    screen.print(
        f"the chip model is off by {size.mean():.3f} % of the entry fee on average, by {size.max():.2f} % at most:"
    )
    screen.print()
    screen.print(_worst_table(found))
    if at is not None:
        screen.print()
        _show_state(screen, found, at)
    ended = "; interrupted, --resume continues" if found.interrupted else ""
    screen.print(f"\n[dim]{found.method} iteration, {duration(found.seconds)}{ended}[/dim]")


def _worst_table(found: ThreePlayers) -> Table:
    rows = [
        (
            *(f"{stack:,}" for stack in found.states[state]),
            SEATS[3][seat],
            f"{found.chip_model[state, seat]:.4f}",
            f"{found.values[state, seat]:.4f}",
            f"{found.errors[state, seat]:+.2f}",
        )
        for state, seat in found.worst()
    ]
    return plain_table(("button", "small", "big blind", "of", "chip model", "value", "off by %"), rows, left=0)


def _show_state(screen: Any, found: ThreePlayers, state: int) -> None:
    numbers = found.state_dict(state)
    rows = [
        (
            name,
            f"{found.states[state, seat]:,}",
            f"[bold]{found.values[state, seat]:.4f}[/bold]",
            f"{found.chip_model[state, seat]:.4f}",
            f"{found.errors[state, seat]:+.2f}",
            f"{numbers['gains_percent'][seat]:+.4f}",
        )
        for seat, name in enumerate(SEATS[3])
    ]
    screen.print(plain_table(("seat", "chips", "value", "chip model", "off by %", "best response %"), rows))
    for number, name in enumerate(DECISIONS):
        share = 100 * numbers["played"][name]
        screen.print(f"\n{name} [bold]{share:.1f} %[/bold]: [cyan]{range_of(found.profile[state, number])}[/cyan]")


def range_of(played: np.ndarray) -> str:
    """Classes [169] as a range; nearly pure frequencies are rounded to 0 or 1."""
    rounded = np.where(played < MIXED, 0.0, np.where(played > 1 - MIXED, 1.0, np.round(played, 2)))
    weights = np.zeros(COMBO_COUNT)
    for number, combos in enumerate(CLASS_COMBOS):
        weights[list(combos)] = rounded[number]
    return write(weights) if weights.any() else "nothing"


def three_figure(found: ThreePlayers) -> Figure:
    """The chip model against the computed values, by chips and by seat, and the convergence."""
    share = found.states / found.setting.chips
    computed = Line(share.reshape(-1), found.values.reshape(-1), "computed", style="points")
    model = Line(share.reshape(-1), found.chip_model.reshape(-1), "chip model", style="points")
    values = Panel((computed, model), "Value of chips", "share of all chips", "prize money")
    seats = [Line(share[:, seat], found.errors[:, seat], name, style="points") for seat, name in enumerate(SEATS[3])]
    fee = "percent of the entry fee"
    errors = Panel(tuple(seats), "Chip model minus computed value", "share of all chips", fee)
    numbers = list(range(1, len(found.rounds) + 1))
    gaps = [100 * one.epsilon / found.setting.entry_fee for one in found.rounds]
    moves = [100 * one.change / found.setting.entry_fee for one in found.rounds]
    curves = Line(numbers, gaps, "best response to the end"), Line(numbers, moves, "largest change of a value")
    rounds = Panel(curves, "Rounds", "round", fee, y_log=True)
    return Figure("endgame", "A tournament of three players to the end.", (values, errors, rounds))
