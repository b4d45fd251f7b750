"""Grids of starting hands at a node: strategy, EV, equity and reach of each class; and the actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import blend_rgb
from rich.color_triplet import ColorTriplet

from pokerlab.cards.combos import CLASS_COUNT, COMBO_CLASS
from pokerlab.cards.ranges import class_averages
from pokerlab.display.elements.grid import EQUITY, WEIGHT, MixGrid, NumberGrid, Scale, mark_of
from pokerlab.display.elements.table import plain_table

if TYPE_CHECKING:
    from rich.table import Table

    from pokerlab.strategy.views.hands import HandPlace
    from pokerlab.strategy.views.place import ShownPlace

PASSIVE: dict[str, ColorTriplet] = {
    "fold": ColorTriplet(70, 110, 170),
    "check": ColorTriplet(72, 150, 96),
    "call": ColorTriplet(72, 150, 96),
}
AGGRESSIVE = (ColorTriplet(226, 150, 84), ColorTriplet(150, 30, 40))  # from the smallest bet to the largest


def action_colours(actions: Sequence[str]) -> list[ColorTriplet]:
    """A colour per action: blue for folds, green for checks and calls, orange to dark red for bets."""
    bets = [action for action in actions if action.split()[0] not in PASSIVE]
    colours = []
    for action in actions:
        word = action.split()[0]
        if word in PASSIVE:
            colours.append(PASSIVE[word])
            continue
        place = bets.index(action) / max(1, len(bets) - 1) if len(bets) > 1 else 0.5
        colours.append(blend_rgb(*AGGRESSIVE, cross_fade=place))
    return colours


def strategy_grid(view: HandPlace) -> MixGrid:
    """The strategy of each class, its hands weighted by their likelihood."""
    player = view.player
    assert player is not None
    likely, frequencies = view.likelihood(player), np.nan_to_num(view.frequencies)
    total = np.bincount(COMBO_CLASS, likely, CLASS_COUNT)
    shares = np.stack(
        [np.bincount(COMBO_CLASS, likely * frequencies[:, k], CLASS_COUNT) for k in range(len(view.actions))], axis=1
    )
    shares = np.divide(shares, total[:, None], out=np.zeros_like(shares), where=total[:, None] > 0)
    return MixGrid(shares.reshape(13, 13, -1), action_colours(view.actions))


def number_grid(view: HandPlace, kind: str, player: int) -> NumberGrid:
    """EV of each class in chips, or its equity or reach in percent, its hands weighted by their likelihood."""
    if kind == "reach":
        present = view.is_present(player)
        held = class_averages(np.where(present, view.range(player), 0.0), present)
        numbers = np.bincount(COMBO_CLASS, present, CLASS_COUNT).reshape(13, 13)
        return NumberGrid(np.where(numbers > 0, 100 * held, np.nan), Scale(0.0, 100.0, WEIGHT.colours))
    values = view.values(player) if kind == "ev" else 100 * view.equities(player)
    known = np.where(np.isnan(values), 0.0, view.likelihood(player))
    total = np.bincount(COMBO_CLASS, known, CLASS_COUNT)
    summed = np.bincount(COMBO_CLASS, known * np.nan_to_num(values), CLASS_COUNT)
    means = np.divide(summed, total, out=np.full(CLASS_COUNT, np.nan), where=total > 0).reshape(13, 13)
    if kind == "equity":
        return NumberGrid(means, Scale(0.0, 100.0, EQUITY.colours))
    low, high = (float(np.nanmin(means)), float(np.nanmax(means))) if (total > 0).any() else (0.0, 0.0)
    return NumberGrid(means, Scale(low, high, EQUITY.colours))


def number_words(view: HandPlace, kind: str, player: int) -> str:
    """What the numbers of a grid mean, and their total."""
    seat = view.seats[player]
    if kind == "ev":
        mean = view.ev(player)
        share = f", {chips(100 * mean / view.pot, 1)} % of the pot" if view.pot else ""
        return f"EV {seat}, in chips; all {chips(mean)}{share}"
    if kind == "equity":
        return f"equity {seat}, in percent of the pot; all {chips(100 * view.equity(player), 1)} %"
    present = view.is_present(player)
    here, at_start = (float(weights[present].sum()) for weights in (view.range(player), view.holdings.weights[player]))
    return f"reach {seat}, in percent of each class; {chips(here, 1)} of {chips(at_start, 1)} combos"


def action_rows(view: HandPlace) -> list[dict[str, Any]]:
    """Frequency and combos of each action and, if known, EV and equity over the hands that take it."""
    player = view.player
    assert player is not None
    likely, equities = view.likelihood(player), view.equities(player)
    values = view.action_ev() if "ev" in view.grids else {}
    rows: list[dict[str, Any]] = []
    for number, action in enumerate(view.actions):
        weight = np.nan_to_num(likely * view.frequencies[:, number])
        known = np.where(np.isnan(equities), 0.0, weight)
        equity = float(known @ np.nan_to_num(equities) / known.sum()) if known.sum() > 0 else float("nan")
        combos = float(np.nan_to_num(view.range(player) * view.frequencies[:, number]).sum())
        row = {"action": action, "frequency": float(weight.sum()), "combos": combos}
        row |= {"ev": values[action]} if "ev" in view.grids else {}
        rows.append(row | ({"equity": equity} if "equity" in view.grids else {}))
    return rows


def action_table(screen: Any, view: HandPlace, grid: MixGrid | None) -> Table:
    """A row per action: its number and colour, frequency, combos, EV and equity."""
    from rich.markup import escape

    known = [(name, "EV" if name == "ev" else name) for name in ("ev", "equity") if name in view.grids]
    rows = [
        (
            mark_of(number) if grid is None else grid.mark(screen, number),
            escape(row["action"]),
            f"{100 * row['frequency']:.1f} %",
            chips(row["combos"], 1),
            *(chips(row[name]) if name == "ev" else f"{chips(100 * row[name], 1)} %" for name, _ in known),
        )
        for number, row in enumerate(action_rows(view))
    ]
    return plain_table(("", "action", "frequency", "combos", *(heading for _, heading in known)), rows, left=2)


def chips(number: float | None, digits: int = 2) -> str:
    """A rounded number: a dash for none, and 0 instead of -0."""
    if number is None or number != number:
        return "–"
    return f"{round(number, digits) + 0.0:.{digits}f}"


def percent(share: float | None) -> float | None:
    """A share in percent, or None."""
    return None if share is None else 100 * share


def has_grid(view: ShownPlace) -> bool:
    """Whether hands are two cards of the full deck, which a grid can show."""

    return bool(view.has_starting_hands)
