"""Spots: set one up, see what it will take, and solve it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.cards import BoardPicker
from pokerlab.app.widgets.job_list import job_list
from pokerlab.app.widgets.range_editor import RangeEditor
from pokerlab.cards.card import FULL_DECK
from pokerlab.display.elements.numbers import duration
from pokerlab.errors import PokerlabError
from pokerlab.formats.spot_file import sizes_by_street, spot_from
from pokerlab.lab.play.examples import examples_folder
from pokerlab.lab.spots.study import Outlook, outlook
from pokerlab.reading import toml_table

EXAMPLES = ("river", "turn", "flop")
SEATS = {"out_of_position": "Out of position", "in_position": "In position"}
MOST_FILE = 200_000  # bytes of an uploaded spot
NUMBERS = (  # key, words, least
    ("pot", "Pot", 0.01),
    ("stack", "Stack", 0.0),
    ("raise_cap", "Raises per street", 0),
    ("rake", "Rake, %", 0),
    ("rake_cap", "Rake cap", 0),
    ("all_in_from", "All-in from, % of stack", 1),
    ("merge", "Merge sizes within, %", 0),
)
PERCENTAGES = ("rake", "all_in_from", "merge")


def show(visitor: Visitor, example: str = "") -> None:
    """The page where a spot is set up."""
    with frame(visitor, "Spots", active="/spots"):
        heading("Spots")
        dim("A board, a pot, two ranges and bet sizes: solved to a measured distance from equilibrium.")
        SpotForm(visitor, _opening(visitor, example))
        with panel("Solved and running"):
            job_list(visitor, kinds=("spot", "report"))


def _opening(visitor: Visitor, example: str) -> dict[str, Any]:
    """The settings that the form starts with: an example, what was typed last, or the river."""
    if example not in EXAMPLES:
        kept = visitor.recall("spot")
        try:
            spot_from(kept)
        except (PokerlabError, TypeError, ValueError):
            example = "river"
        else:
            return kept
    return example_spot(example)


def example_spot(name: str) -> dict[str, Any]:
    """The settings of an example."""
    return toml_table((examples_folder() / f"{name}.toml").read_text(encoding="utf-8"))


def submit_spot(
    visitor: Visitor, settings: Mapping[str, Any], *, percent: float = 0.5, threads: int = 1, storage: str = "float32"
) -> str:
    """Solve a spot as a job; the address that shows it."""
    spot = spot_from({name: value for name, value in settings.items() if name != "lock"})
    title = f"Spot {FULL_DECK.text(spot.board)}, pot {spot.pot:g}"
    job_settings = {"spot": dict(settings), "target": f"{percent:g}%", "threads": threads, "storage": storage}
    return f"/spots/view?job={visitor.submit('spot', title, job_settings).id}"


class SpotForm:
    """The form of a spot, with its forecast."""

    def __init__(self, visitor: Visitor, settings: Mapping[str, Any]) -> None:
        self.visitor = visitor
        self.settings: dict[str, Any] = {**settings}
        self.target, self.threads, self.storage = "0.5", 1, "float32"
        self._asked = 0
        with ui.element("div").classes("columns side"):
            with ui.element("div").classes("stack"):
                self._board_panel()
                self._chips_panel()
                self._solve_panel()
            with panel("Ranges and bets"):
                self._ranges()
        self._changed()

    # ---- parts -------------------------------------------------------------------------------------------------------

    def _board_panel(self) -> None:
        with panel("Board"), ui.element("div").classes("stack"):
            cards = FULL_DECK.cards(self.settings["board"])
            self.picker = BoardPicker(cards, on_change=self._picked)
            self.board_field = ui.input("Board", value=FULL_DECK.text(cards), on_change=self._board_typed)
            self.board_field.props("outlined dense debounce=250 maxlength=40").classes("wide-field")
            self.board_error = ui.label().classes("problem small").props('role="alert"')
            with ui.element("div").classes("line"):
                for example in EXAMPLES:
                    action_button(f"Example: {example}", _goes(f"/spots?example={example}"), kind="slim")

    def _chips_panel(self) -> None:
        with panel("Chips"), ui.element("div").classes("stack"), ui.element("div").classes("fields"):
            for key, words, least in NUMBERS:
                self._number(key, words, least)

    def _number(self, key: str, words: str, least: float) -> None:
        value = self.settings.get(key)
        if isinstance(value, str):
            value = float(value.strip().rstrip("%bB") or 0) / (100 if value.strip().endswith("%") else 1)
        if value is not None and key in PERCENTAGES:
            value = 100 * value

        def changed(event: Any) -> None:
            number = event.value
            if number is None:
                self.settings.pop(key, None)
            elif key == "raise_cap":
                self.settings[key] = int(number)
            else:
                self.settings[key] = number / 100 if key in PERCENTAGES else float(number)
            self._changed()

        ui.number(words, value=value, min=least, on_change=changed).props("outlined dense debounce=250")

    def _ranges(self) -> None:
        self.editors: dict[str, RangeEditor] = {}
        with ui.element("div").classes("columns two"):
            for seat, words in SEATS.items():
                with ui.element("div").classes("stack"):
                    heading(words, 3)
                    self._seat(seat, words)

    def _seat(self, seat: str, words: str) -> None:
        table = dict(self.settings.get(seat) or {"range": "random", "bet": "50%,100%", "raise": "100%,allin"})
        self.settings[seat] = table

        def range_changed(text: str) -> None:
            table["range"] = text
            self._changed()

        self.editors[seat] = RangeEditor(
            f"Range {words.lower()}",
            str(table.get("range", "random")),
            on_change=range_changed,
            board=lambda: self.picker.cards,
        )
        with ui.element("div").classes("fields"):
            for kind, name in (
                ("bet", "Bets"),
                ("raise", "Raises"),
                *((("donk", "Donk bets"),) if seat in own_donk() else ()),
            ):
                self._sizes(table, kind, name)
        dim("Sizes: 33%, 75%, allin, 2.5x, 3bb; by street: flop 33%; turn 75%,allin").classes("small")

    def _sizes(self, table: dict[str, Any], kind: str, name: str) -> None:
        def changed(event: Any) -> None:
            text = str(event.value or "")[:300]
            if text.strip() or kind != "donk":
                table[kind] = sizes_by_street(text)
            else:
                table.pop(kind, None)
            self._changed()

        field = ui.input(name, value=sizes_text(table.get(kind, "")), on_change=changed)
        field.props("outlined dense debounce=300 maxlength=300")

    def _solve_panel(self) -> None:
        with panel("Solve"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields"):
                target = ui.input("Until, % of the pot", value=self.target, on_change=self._target_typed)
                target.props("outlined dense debounce=250 maxlength=10")
                ui.select([1, 2, 4, 8], label="Threads", value=1, on_change=self._threads_chosen).props(
                    "outlined dense"
                )
                ui.select(["float32", "int16"], label="Storage", value="float32", on_change=self._storage_chosen).props(
                    "outlined dense"
                )
            self.forecast = ui.label("").classes("small").props('aria-live="polite"')
            self.error = ui.label().classes("problem small").props('role="alert"')
            with ui.element("div").classes("line"):
                self.button = action_button("Solve", self._solve, kind="main-act")
                action_button("Many boards", self._report)
            with ui.expansion("Open a spot file").classes("wide-field"):
                upload = ui.upload(auto_upload=True, max_file_size=MOST_FILE, on_upload=self._uploaded, label="TOML")
                upload.props("flat bordered accept=.toml").classes("wide-field")

    # ---- changes -----------------------------------------------------------------------------------------------------

    def _picked(self, cards: tuple[int, ...]) -> None:
        self.settings["board"] = FULL_DECK.text(cards)
        self.board_field.value = self.settings["board"]
        self._changed()

    def _board_typed(self, event: Any) -> None:
        text = str(event.value or "")
        if text == self.settings["board"]:
            return
        try:
            cards = FULL_DECK.cards(text)
        except PokerlabError as problem:
            self.board_error.set_text(str(problem))
            return
        self.board_error.set_text("")
        self.settings["board"] = text
        self.picker.set(cards[:5])
        self._changed()

    def _target_typed(self, event: Any) -> None:
        self.target = str(event.value or "").strip().rstrip("%")
        self._changed()

    def _threads_chosen(self, event: Any) -> None:
        self.threads = int(event.value)
        self._changed()

    def _storage_chosen(self, event: Any) -> None:
        self.storage = str(event.value)
        self._changed()

    def _percent(self) -> float:
        """The target as a number; 0.5 while it cannot be read."""
        try:
            return min(100.0, max(0.001, float(self.target)))
        except ValueError:
            return 0.5

    def _changed(self) -> None:
        """Forecast again, a moment after the last change."""
        self._asked += 1
        asked = self._asked
        ui.timer(0.15, lambda: self._look(asked), once=True)

    async def _look(self, asked: int) -> None:
        if asked != self._asked:
            return
        found, message = await self.visitor.compute(self._outlook)
        if asked != self._asked:
            return
        self.error.set_text(message)
        self.forecast.set_text(
            "" if found is None else f"{found.text}; to {self._percent():g} % about {duration(found.size.seconds)}"
        )
        self.button.set_enabled(not message)
        if not message:
            self.visitor.remember("spot", self.settings)

    def _outlook(self) -> tuple[Outlook | None, str]:
        try:
            found = outlook(self.settings, target_percent=self._percent(), threads=self.threads, storage=self.storage)
        except (PokerlabError, TypeError, KeyError) as problem:
            return None, str(problem)
        return found, found.refusal

    # ---- what is done ------------------------------------------------------------------------------------------------

    async def _uploaded(self, event: Any) -> None:
        """Take the settings of a spot file; a file is never trusted."""
        try:
            text = (await event.file.read()).decode("utf-8")
            settings = toml_table(text)
            spot_from({name: value for name, value in settings.items() if name != "lock"})
        except (PokerlabError, UnicodeDecodeError) as problem:
            ui.notify(f"this is not a spot: {str(problem)[:200]}", type="negative")
            return
        self.visitor.remember("spot", settings)
        ui.navigate.to("/spots")

    def _solve(self) -> None:
        settings: dict[str, Any] = {"percent": self._percent(), "threads": self.threads, "storage": self.storage}
        try:
            address = submit_spot(self.visitor, self.settings, **settings)
        except PokerlabError as problem:
            ui.notify(str(problem), type="negative")
            return
        ui.navigate.to(address)

    def _report(self) -> None:
        self.visitor.remember("spot", self.settings)
        ui.navigate.to("/spots/report")


def own_donk() -> tuple[str, ...]:
    """The seats that make donk bets."""
    return ("out_of_position",)


def sizes_text(value: Any) -> str:
    """The sizes of a player as text: for all streets, or by street.

    >>> sizes_text({"flop": "33%", "turn": "75%,allin"})
    'flop 33%; turn 75%,allin'
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{street} {text}".strip() for street, text in value.items())
    return str(value)


def _goes(address: str) -> Any:
    return lambda: ui.navigate.to(address)
