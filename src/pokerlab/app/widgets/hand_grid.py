"""The 13×13 grid of hands: cells with the shares of actions, or with numbers, or to paint a range on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.cards.combos import CLASS_COUNT, CLASS_NAMES
from pokerlab.display.elements.grid import Scale, fitted
from pokerlab.display.elements.palette import css

Cell = tuple[str, int, str, str, str]  # background, ink (0 dim, 1 dark, 2 white, 3 on both), name, number, description
EMPTY = "var(--raised)"
PAINT = "#f5c451"
EVEN_CONTRAST = 0.179  # the luminance on which black and white are equally legible, with a contrast of 4.58


class HandGrid(ui.element, component="hand_grid.js"):  # type: ignore[call-arg]
    """A cell per class of hands, reachable by arrow keys."""

    def __init__(
        self,
        label: str,
        *,
        on_pick: Callable[[int], Any] | None = None,
        on_paint: Callable[[list[int]], Any] | None = None,
    ) -> None:
        super().__init__()
        self._props["label"] = label
        self._props["cells"] = [(EMPTY, 0, name, "", name) for name in CLASS_NAMES]
        self._props["chosen"] = -1
        self._props["paintable"] = on_paint is not None
        if on_pick is not None:
            self.on("pick", _with_cell(on_pick))
        if on_paint is not None:
            self.on("paint", _with_cells(on_paint))

    def show(self, cells: Sequence[Cell], *, label: str = "") -> None:
        """Show other cells."""
        with self._props.suspend_updates():
            self._props["cells"] = list(cells)
            if label:
                self._props["label"] = label
        self.update()

    def choose(self, cell: int) -> None:
        """Mark a cell."""
        self._props["chosen"] = cell
        self.update()


def _with_cell(handler: Callable[[int], Any]) -> Callable[[Any], Any]:
    """A handler of events that only takes the number of a cell."""

    def handle(event: Any) -> Any:
        if isinstance(event.args, int) and 0 <= event.args < CLASS_COUNT:
            return handler(event.args)
        return None

    return handle


def _with_cells(handler: Callable[[list[int]], Any]) -> Callable[[Any], Any]:
    def handle(event: Any) -> Any:
        cells = event.args if isinstance(event.args, list) else []
        if all(isinstance(cell, int) and 0 <= cell < CLASS_COUNT for cell in cells) and len(cells) <= CLASS_COUNT:
            return handler(cells)
        return None

    return handle


def mix_cells(
    shares: np.ndarray, colours: Sequence[Any], actions: Sequence[str], reach: np.ndarray | None = None
) -> list[Cell]:
    """Cells filled from the left by the shares of actions [169, action], and as high as the hand's reach [169]."""
    tints = [css(colour) for colour in colours]
    light = np.array([luminance(colour) for colour in colours])
    cells: list[Cell] = []
    for name, row, held in zip(CLASS_NAMES, shares, _heights(reach), strict=True):
        total = float(row.sum())
        if total <= 0 or held <= 0:
            cells.append((EMPTY, 0, name, "", f"{name}: not here"))
            continue
        stops, start, words = [], 0.0, []
        for tint, share, action in zip(tints, row / total, actions, strict=True):
            if share < 0.0005:
                continue
            stops.append(f"{tint} {100 * start:.1f}% {100 * (start + share):.1f}%")
            words.append(f"{action} {100 * share:.0f} %")
            start += float(share)
        fill = f"linear-gradient(90deg, {', '.join(stops)})"
        if held < 0.995:
            fill += f" bottom / 100% {100 * max(held, 0.06):.0f}% no-repeat, {EMPTY}"
        ink = 3 if held < 0.8 else ink_on(light[row / total > 0.15])
        cells.append((fill, ink, name, "", f"{name}: {', '.join(words)}"))
    return cells


def _heights(reach: np.ndarray | None) -> np.ndarray:
    return np.ones(CLASS_COUNT) if reach is None else np.clip(np.nan_to_num(reach), 0.0, 1.0)


def number_cells(values: np.ndarray, scale: Scale, *, unit: str = "") -> list[Cell]:
    """Cells with a number each [169], coloured by a scale; NaN for none."""
    texts = fitted(values, 5)
    cells: list[Cell] = []
    for name, value, number in zip(CLASS_NAMES, values, texts, strict=True):
        if np.isnan(value):
            cells.append((EMPTY, 0, name, "", f"{name}: not here"))
            continue
        colour = scale.colour(float(value))
        ink = ink_on(np.array([luminance(colour)]))
        cells.append((css(colour), ink, name, number, f"{name}: {number} {unit}".strip()))
    return cells


def weight_cells(weights: np.ndarray) -> list[Cell]:
    """Cells of a range [169]: filled as high as the weight of the class."""
    cells: list[Cell] = []
    for name, weight in zip(CLASS_NAMES, weights.tolist(), strict=True):
        percent = f"{100 * weight:.0f}"
        if weight <= 0:
            cells.append((EMPTY, 0, name, "", f"{name}: 0 %"))
            continue
        fill = (
            PAINT if weight > 0.999 else f"linear-gradient(0deg, {PAINT} {percent}%, transparent {percent}%), {EMPTY}"
        )
        number = "" if weight > 0.999 else percent
        cells.append((fill, 1 if weight > 0.999 else 3, name, number, f"{name}: {percent} %"))
    return cells


def ink_on(grounds: np.ndarray) -> int:
    """The ink for a text on grounds of these luminances: black, white, or white with a dark edge if they differ."""
    dark = grounds > EVEN_CONTRAST
    return 1 if dark.all() else 3 if dark.any() else 2


def luminance(colour: Any) -> float:
    """The relative luminance of a colour, from 0 to 1, as WCAG defines it."""
    shares = np.array([channel / 255 for channel in colour])
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
