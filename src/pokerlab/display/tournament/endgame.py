"""Tournaments solved to the end: values and strategies of stacks, and the error of the chip model."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table

from pokerlab.cards.combos import COMBO_CLASS
from pokerlab.cards.range_writing import write
from pokerlab.display.elements.numbers import counted, duration
from pokerlab.display.elements.table import plain_table
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.tournament.endgame import SEATS, TwoPlayers
from pokerlab.lab.tournament.endgame_three import DECISIONS, ThreePlayers
from pokerlab.tables import rows_of

MOST_ROWS = 24
MIXED = 0.05  # frequencies this close to 0 or 1 are rounded


def show_two(screen: Any, result: TwoPlayers) -> None:
    """Winning probabilities of every stack, or of a sample if there are many."""
    columns = result.columns()
    headings = ("chips", "small blind wins %", "big blind wins %", "share of chips %", "pushes %", "calls %")
    step = -(-len(columns["chips"]) // MOST_ROWS)
    middle = (len(columns["chips"]) - 1) // 2
    shown = list(rows_of(columns))[middle % step :: step]
    rows = [
        (f"{chips:,}", *(f"{100 * share:.3f}" for share in shares[:3]), *(f"{100 * share:.1f}" for share in shares[3:]))
        for chips, *shares in shown
    ]
    screen.print()
    screen.print(plain_table(headings, rows, left=0))
    solution = result.solution
    screen.print(
        f"\n[dim]{result.setting.state_count} states of {result.setting.unit} chips, every hand by a linear program, "
        f"{counted(solution.rounds, 'round')}; a best response to the end wins {max(solution.epsilon, 0):.1e} more "
        f"at most; {duration(result.seconds)}[/dim]"
    )


def two_figure(result: TwoPlayers) -> Figure:
    """Winning probability minus the share of chips, and frequencies of pushes and calls, by chips."""
    columns = result.columns()
    chips, share = columns["chips"], columns["share_of_chips"]
    small = Line(chips, 100 * (columns["small_blind_wins"] - share), "small blind")
    big = Line(chips, 100 * (columns["big_blind_wins"] - share), "big blind")
    title = "Probability of winning the tournament, minus the share of chips"
    advantage = Panel((small, big), title, "chips", "percentage points")
    pushes = Line(chips, 100 * columns["push"], "small blind pushes")
    calls = Line(chips, 100 * columns["call"], "big blind calls")
    played = Panel((pushes, calls), "Hands played", "own chips", "percent of hands")
    return Figure("endgame", "A heads-up tournament to the end.", (advantage, played))


def show_three(screen: Any, result: ThreePlayers, at: int | None = None) -> None:
    """The exploitability, the error of the chip model, and one state with its ranges."""
    setting = result.setting
    size = np.abs(result.errors)
    screen.print(
        f"\n[bold]{setting.chips:,} chips, blinds {setting.blinds[0]:,}/{setting.blinds[1]:,}, prizes "
        f"{', '.join(f'{prize:g}' for prize in setting.payouts)}[/bold]: {len(result.states):,} states"
    )
    screen.print(
        f"after {counted(len(result.rounds), 'round')} no player gains more than "
        f"[bold]{result.epsilon_percent:.4f} %[/bold] of the entry fee by deviating, from any state"
    )
    screen.print(
        f"the chip model is off by {size.mean():.3f} % of the entry fee on average, by {size.max():.2f} % at most:"
    )
    screen.print()
    screen.print(_worst_table(result))
    if at is not None:
        screen.print()
        _show_state(screen, result, at)
    ended = "; interrupted, --resume continues" if result.interrupted else ""
    screen.print(f"\n[dim]{result.method} iteration, {duration(result.seconds)}{ended}[/dim]")


def _worst_table(result: ThreePlayers) -> Table:
    rows = [
        (
            *(f"{stack:,}" for stack in result.states[state]),
            SEATS[3][seat],
            f"{result.chip_model[state, seat]:.4f}",
            f"{result.values[state, seat]:.4f}",
            f"{result.errors[state, seat]:+.2f}",
        )
        for state, seat in result.worst()
    ]
    return plain_table(("button", "small", "big blind", "of", "chip model", "value", "off by %"), rows, left=0)


def _show_state(screen: Any, result: ThreePlayers, state: int) -> None:
    numbers = result.state_dict(state)
    rows = [
        (
            name,
            f"{result.states[state, seat]:,}",
            f"[bold]{result.values[state, seat]:.4f}[/bold]",
            f"{result.chip_model[state, seat]:.4f}",
            f"{result.errors[state, seat]:+.2f}",
            f"{numbers['gains_percent'][seat]:+.4f}",
        )
        for seat, name in enumerate(SEATS[3])
    ]
    screen.print(plain_table(("seat", "chips", "value", "chip model", "off by %", "best response %"), rows))
    for number, name in enumerate(DECISIONS):
        share = 100 * numbers["played"][name]
        screen.print(f"\n{name} [bold]{share:.1f} %[/bold]: [cyan]{range_of(result.profile[state, number])}[/cyan]")


def range_of(played: np.ndarray) -> str:
    """Classes [169] as a range; nearly pure frequencies are rounded to 0 or 1."""
    rounded = np.where(played < MIXED, 0.0, np.where(played > 1 - MIXED, 1.0, np.round(played, 2)))
    return write(rounded[COMBO_CLASS]) if rounded.any() else "nothing"


def three_figure(result: ThreePlayers) -> Figure:
    """The chip model against the computed values, by chips and by seat, and the convergence."""
    share = result.states / result.setting.chips
    computed = Line(share.reshape(-1), result.values.reshape(-1), "computed", style="points")
    model = Line(share.reshape(-1), result.chip_model.reshape(-1), "chip model", style="points")
    values = Panel((computed, model), "Value of chips", "share of all chips", "prize money")
    seats = [Line(share[:, seat], result.errors[:, seat], name, style="points") for seat, name in enumerate(SEATS[3])]
    fee = "percent of the entry fee"
    errors = Panel(tuple(seats), "Chip model minus computed value", "share of all chips", fee)
    numbers = list(range(1, len(result.rounds) + 1))
    gaps = [100 * one.epsilon / result.setting.entry_fee for one in result.rounds]
    moves = [100 * one.change / result.setting.entry_fee for one in result.rounds]
    curves = Line(numbers, gaps, "best response to the end"), Line(numbers, moves, "largest change of a value")
    rounds = Panel(curves, "Rounds", "round", fee, y_log=True)
    return Figure("endgame", "A tournament of three players to the end.", (values, errors, rounds))
