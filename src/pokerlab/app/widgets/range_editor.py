"""A range editor: a grid to paint on, weights, text both ways, presets, and filters of hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.app.theme import action_button
from pokerlab.app.widgets.hand_grid import HandGrid, weight_cells
from pokerlab.cards.combos import CLASS_COMBOS, COMBO_COUNT
from pokerlab.cards.ranges import Range
from pokerlab.errors import PokerlabError

MOST_TEXT = 20_000  # characters
PRESETS = {
    "All hands": "random",
    "Best 10 %": "top 10%",
    "Best 20 %": "top 20%",
    "Best 40 %": "top 40%",
    "Pairs": "22+",
    "Suited aces": "A2s+",
    "Broadway": "TT+,AT+,KT+,QT+,JT",
    "Suited connectors": "54s-T9s,JTs,QJs,KQs,AKs",
    "Button opens": "22+,A2+,K2s+,K8o+,Q3s+,Q9o+,J6s+,J9o+,T6s+,T8o+,95s+,98o,85s+,74s+,64s+,53s+,43s",
    "Big blind defends": "22-TT,A2s-AJs,A5o-ATo,K2s-KQs,K9o-KJo,Q5s+,Q9o+,J7s+,J9o+,T7s+,T9o,96s+,85s+,75s+,64s+,54s",
}


class RangeEditor:
    """The range of one player."""

    def __init__(
        self, label: str, text: str, *, on_change: Callable[[str], Any], board: Callable[[], Sequence[int]] = tuple
    ) -> None:
        self.label, self._on_change, self._board = label, on_change, board
        self.range = Range.parse(text)
        self._brush = 1.0
        with ui.element("div").classes("stack"):
            self.grid = HandGrid(f"{label}: paint to add or remove hands", on_paint=self._paint)
            self.words = ui.label().classes("dim small")
            with ui.element("div").classes("line"):
                self._weight()
                self._presets()
                action_button("Clear", lambda: self._set(np.zeros(COMBO_COUNT)), kind="slim")
            field = ui.input(f"{label}, as text", value=text, on_change=self._typed)
            self.field = field.props(f"outlined dense debounce=300 maxlength={MOST_TEXT}").classes("wide-field")
            self.error = ui.label().classes("problem small").props('role="alert"')
            self._filters()
        self._draw()

    # ---- parts -------------------------------------------------------------------------------------------------------

    def _weight(self) -> None:
        ui.label("Weight").classes("dim small")
        slider = ui.slider(min=5, max=100, step=5, value=100).props(f'aria-label="{self.label}: weight of the brush"')
        slider.style("width: 110px")
        shown = ui.label("100 %").classes("small")

        def changed(event: Any) -> None:
            self._brush = min(1.0, max(0.05, float(event.value) / 100))
            shown.set_text(f"{100 * self._brush:.0f} %")

        slider.on_value_change(changed)

    def _presets(self) -> None:
        chosen = ui.select(list(PRESETS), label="Preset", on_change=lambda event: self._preset(event.value))
        chosen.props("outlined dense options-dense").style("min-width: 150px")

    def _preset(self, name: Any) -> None:
        if name in PRESETS:
            self._set(Range.parse(PRESETS[name]).weights)

    def _filters(self) -> None:
        """Keep or remove hands of a kind, among those of the range."""
        from pokerlab.lab.spots.hand_filters import filters_on, keep

        with ui.element("div").classes("line"):
            chosen = ui.select(list(filters_on(self._board())), label="Hand filter")
            chosen.props("outlined dense options-dense").style("min-width: 150px")
            chosen.on("popup-show", lambda: chosen.set_options(list(filters_on(self._board())), value=chosen.value))

            def apply(*, remove: bool) -> None:
                try:
                    kept = keep(self.range, str(chosen.value or ""), board=self._board(), remove=remove)
                except PokerlabError as problem:
                    self.error.set_text(str(problem) if chosen.value else "choose a hand filter first")
                    return
                self._set(kept.weights)

            action_button("Keep only", lambda: apply(remove=False), kind="slim")
            action_button("Remove", lambda: apply(remove=True), kind="slim")

    # ---- changes -----------------------------------------------------------------------------------------------------

    def _paint(self, cells: list[int]) -> None:
        """Set the painted classes to the weight of the brush, or to zero if all have it already."""
        weights = self.range.weights.copy()
        combos = np.concatenate([CLASS_COMBOS[cell] for cell in cells]) if cells else np.zeros(0, int)
        erases = bool(np.allclose(weights[combos], self._brush))
        weights[combos] = 0.0 if erases else self._brush
        self._set(weights)

    def _set(self, weights: np.ndarray) -> None:
        self.range = Range(np.round(weights, 4))
        self.error.set_text("")
        self.field.value = self.range.text() if self.range.count else ""
        self._draw()
        self._on_change(self.field.value)

    def _typed(self, event: Any) -> None:
        text = str(event.value or "")[:MOST_TEXT]
        if text == (self.range.text() if self.range.count else ""):
            return
        try:
            self.range = Range.parse(text)
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            return
        self.error.set_text("")
        self._draw()
        self._on_change(text)

    def set_text(self, text: str) -> None:
        """Show another range."""
        self.field.value = text

    def _draw(self) -> None:
        self.grid.show(weight_cells(self.range.grid().reshape(-1)))
        self.words.set_text(f"{self.range.count:g} hands, {100 * self.range.fraction:.1f} % of all")
