"""Tournaments to the end, in tables and pictures: what stacks are worth, how they are played, how good the chip model
is."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.table import Table

from pokerlab.cards.combos import CLASS_COMBOS, COMBO_COUNT
from pokerlab.cards.range_writing import write
from pokerlab.display.elements.numbers import counted, duration
from pokerlab.figure import Figure, Line, Panel
from pokerlab.lab.endgame import SEATS, TwoPlayers
from pokerlab.lab.endgame_three import DECISIONS, ThreePlayers

MOST_ROWS = 24
MIXED = 0.05  # a hand played more rarely is left out of a range, one played more often than the rest is in it


def show_two(screen: Any, found: TwoPlayers) -> None:
    """Chances to win of every stack, or of every so many where there are many."""
    columns = found.columns()
    table = Table(box=None, pad_edge=False)
    for heading in ("chips", "small blind wins %", "big blind wins %", "share of chips %", "pushes %", "calls %"):
        table.add_column(heading, justify="right")
    step = -(-len(columns["chips"]) // MOST_ROWS)
    middle = (len(columns["chips"]) - 1) // 2
    for row in range(middle % step, len(columns["chips"]), step):
        cells = [f"{100 * columns[name][row]:.3f}" for name in list(columns)[1:4]]
        played = [f"{100 * columns[name][row]:.1f}" for name in ("push", "call")]
        table.add_row(f"{columns['chips'][row]:,}", *cells, *played)
    screen.print()
    screen.print(table)
    solution = found.solution
    screen.print(
        f"\n[dim]{found.setting.state_count} states of {found.setting.unit} chips, every hand by a linear program, "
        f"{counted(solution.rounds, 'round')}; a best response to the end wins {max(solution.epsilon, 0):.1e} more "
        f"at most; {duration(found.seconds)}[/dim]"
    )


def two_figure(found: TwoPlayers) -> Figure:
    """Chances to win less the share of chips, and how much is played, by chips."""
    columns = found.columns()
    chips, share = columns["chips"], columns["share_of_chips"]
    advantage = Panel(
        lines=tuple(
            Line(chips, 100 * (columns[name] - share), label)
            for name, label in (("small_blind_wins", "small blind"), ("big_blind_wins", "big blind"))
        ),
        title="Chance to win the tournament, less the share of chips",
        x_label="chips",
        y_label="points of percent",
    )
    played = Panel(
        lines=(
            Line(chips, 100 * columns["push"], "small blind pushes"),
            Line(chips, 100 * columns["call"], "big blind calls"),
        ),
        title="Hands played",
        x_label="own chips",
        y_label="percent of hands",
    )
    return Figure("endgame", "A heads-up tournament to the end.", (advantage, played))


def show_three(screen: Any, found: ThreePlayers, at: int | None = None) -> None:
    """How far it is solved, how good the chip model is, and one state with its ranges."""
    setting = found.setting
    size = np.abs(found.errors)
    screen.print(
        f"\n[bold]{setting.chips:,} chips, blinds {setting.blinds[0]:,}/{setting.blinds[1]:,}, prizes "
        f"{', '.join(f'{prize:g}' for prize in setting.payouts)}[/bold]: {len(found.states):,} states"
    )
    screen.print(
        f"after {counted(len(found.rounds), 'round')} no player gains more than "
        f"[bold]{found.epsilon_percent:.4f} %[/bold] of the entry fee by any other way to play to the end, "
        "from any state"
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
    table = Table(box=None, pad_edge=False)
    for heading in ("button", "small", "big blind", "of", "chip model", "value", "off by %"):
        table.add_column(heading, justify="right")
    for state, seat in found.worst():
        chips = [f"{stack:,}" for stack in found.states[state]]
        table.add_row(
            *chips,
            SEATS[3][seat],
            f"{found.chip_model[state, seat]:.4f}",
            f"{found.values[state, seat]:.4f}",
            f"{found.errors[state, seat]:+.2f}",
        )
    return table


def _show_state(screen: Any, found: ThreePlayers, state: int) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("seat", "chips", "value", "chip model", "off by %", "best response %"):
        table.add_column(heading, justify="left" if heading == "seat" else "right")
    told = found.state_dict(state)
    for seat, name in enumerate(SEATS[3]):
        table.add_row(
            name,
            f"{found.states[state, seat]:,}",
            f"[bold]{found.values[state, seat]:.4f}[/bold]",
            f"{found.chip_model[state, seat]:.4f}",
            f"{found.errors[state, seat]:+.2f}",
            f"{told['gains_percent'][seat]:+.4f}",
        )
    screen.print(table)
    for number, name in enumerate(DECISIONS):
        share = 100 * told["played"][name]
        screen.print(f"\n{name} [bold]{share:.1f} %[/bold]: [cyan]{range_of(found.profile[state, number])}[/cyan]")


def range_of(played: np.ndarray) -> str:
    """Classes of hands as a range, what is played nearly never or nearly always as that: [169]."""
    rounded = np.where(played < MIXED, 0.0, np.where(played > 1 - MIXED, 1.0, np.round(played, 2)))
    weights = np.zeros(COMBO_COUNT)
    for number, combos in enumerate(CLASS_COMBOS):
        weights[list(combos)] = rounded[number]
    return write(weights) if weights.any() else "nothing"


def three_figure(found: ThreePlayers) -> Figure:
    """The chip model against the computed values: by chips, by seat."""
    share = found.states / found.setting.chips
    values = Panel(
        lines=(
            Line(share.reshape(-1), found.values.reshape(-1), "computed", style="points"),
            Line(share.reshape(-1), found.chip_model.reshape(-1), "chip model", style="points"),
        ),
        title="What chips are worth",
        x_label="share of all chips",
        y_label="prize money",
    )
    errors = Panel(
        lines=tuple(
            Line(share[:, seat], found.errors[:, seat], name, style="points") for seat, name in enumerate(SEATS[3])
        ),
        title="Chip model less computed value",
        x_label="share of all chips",
        y_label="percent of the entry fee",
    )
    numbers = list(range(1, len(found.rounds) + 1))
    gaps = [100 * one.epsilon / found.setting.entry_fee for one in found.rounds]
    moves = [100 * one.change / found.setting.entry_fee for one in found.rounds]
    rounds = Panel(
        lines=(Line(numbers, gaps, "best response to the end"), Line(numbers, moves, "largest change of a value")),
        title="Rounds",
        x_label="round",
        y_label="percent of the entry fee",
        y_log=True,
    )
    return Figure("endgame", "A tournament of three players to the end.", (values, errors, rounds))
