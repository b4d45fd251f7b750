"""The grid of a node as a PNG: the shares of actions, or a number for each class."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.browse.node import number_grid, number_words, strategy_grid
from pokerlab.display.elements.figure import STYLE, letters
from pokerlab.display.elements.grid import fitted
from pokerlab.display.elements.palette import css

EMPTY = "#e4e8ec"
DPI = 130


def grid_png(view: Any, kind: str, player: int) -> bytes:
    """A picture of the grid of a player: "strategy", "ev", "equity" or "reach"."""
    from matplotlib import rc_context

    from pokerlab.display.elements.picture import Picture

    with rc_context(STYLE):
        picture = Picture(figsize=(7.4, 7.6), layout="constrained")
        axes = picture.add_subplot()
        axes.set_xlim(0, 13)
        axes.set_ylim(13, 0)
        axes.set_axis_off()
        where = f"{view.board_text}  {', '.join(view.moves)}".strip()
        if kind == "strategy":
            _draw_mix(axes, view)
            axes.set_title(letters(where or "start"), loc="left", fontsize=9)
        else:
            _draw_numbers(axes, number_grid(view, kind, player))
            axes.set_title(letters(f"{where}\n{number_words(view, kind, player)}".strip()), loc="left", fontsize=9)
        buffer = io.BytesIO()
        picture.savefig(buffer, format="png", dpi=DPI)
    return buffer.getvalue()


def _draw_mix(axes: Any, view: Any) -> None:
    mixed = strategy_grid(view)
    colours = [css(colour) for colour in mixed.colours]
    for number, (row, column) in enumerate(np.ndindex(13, 13)):
        _rectangle(axes, column, row, 1.0, EMPTY)
        left, shares = 0.0, mixed.shares[row, column]
        for share, colour in zip(shares.tolist(), colours, strict=True):
            _rectangle(axes, column + 0.96 * left, row, share, colour)
            left += share
        axes.text(column + 0.48, row + 0.5, CLASS_NAMES[number], ha="center", va="center", fontsize=7)
    for action, colour in zip(view.actions, colours, strict=True):
        axes.plot([], [], "s", color=colour, label=letters(action))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=min(5, len(colours)), frameon=False)


def _draw_numbers(axes: Any, numbers: Any) -> None:
    values = np.asarray(numbers.values).reshape(-1)
    for number, ((row, column), text) in enumerate(zip(np.ndindex(13, 13), fitted(values, 5), strict=True)):
        known = values[number] == values[number]
        colour = numbers.scale.colour(float(values[number])) if known else None
        _rectangle(axes, column, row, 1.0, EMPTY if colour is None else css(colour))
        dark = colour is not None and sum(colour) < 330
        words = f"{CLASS_NAMES[number]}\n{text}"
        axes.text(column + 0.48, row + 0.5, words, ha="center", va="center", fontsize=6, color="w" if dark else "k")


def _rectangle(axes: Any, x: float, y: float, share: float, colour: str) -> None:
    from matplotlib.patches import Rectangle

    if share > 0:
        axes.add_patch(Rectangle((x, y), 0.96 * share, 0.96, color=colour, linewidth=0))
