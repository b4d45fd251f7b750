"""A solved spot: walk through its tree, see what every hand does and wins, lock a node and solve again."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.app.pages.lock_dialog import LockDialog
from pokerlab.app.theme import action_button, dim, frame, heading, panel, problem
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets import node_html
from pokerlab.app.widgets.hand_grid import HandGrid, mix_cells, number_cells
from pokerlab.app.widgets.solving import Solving
from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.display.browse.grid_picture import grid_png
from pokerlab.display.browse.node import action_rows, csv_rows, number_grid, number_words, strategy_grid
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.kinds import SOLUTION
from pokerlab.lab.jobs.record import Job
from pokerlab.lab.spots.study import combos_of_class, next_cards, nodes_along
from pokerlab.strategy.files.solution import Solution
from pokerlab.tables import csv_text

GRIDS = {"strategy": "Strategy", "ev": "EV", "equity": "Equity", "reach": "Reach"}


def show(visitor: Visitor, job_id: str, place: dict[str, str]) -> None:
    """The page of a job that solves a spot."""
    with frame(visitor, "Spot", active="/spots"):
        try:
            job = visitor.shelf.get(job_id)
        except PokerlabError as trouble:
            heading("Spot")
            problem(str(trouble))
            ui.link("Set up a spot", "/spots")
            return
        heading(job.title)
        visitor.opened(f"/spots/view?job={job.id}", job.title)
        walk = ui.element("div").classes("stack")
        with walk:
            dim("The tree appears here as soon as there is a solution.")
        opened: list[Walk] = []

        async def solved() -> None:
            """Show the tree as soon as there is a solution."""
            walk.clear()
            with walk:
                opened[:] = [Walk(visitor, visitor.shelf.get(job_id), place)]
                await opened[0].open()

        Solving(visitor, job_id, on_solution=solved)
        walk.move(target_index=-1)


@dataclass(frozen=True)
class Picture:
    """Everything that is drawn of a node; `complete` once EVs are known."""

    crumbs: str
    cells: list[Any]
    label: str
    words: str
    actions: str
    hands: str
    cards: str
    complete: bool


@dataclass
class Place:
    """Where a walk is, and what it shows."""

    moves: tuple[str, ...] = ()
    grid: str = "strategy"
    player: int | None = None  # None: the player to act
    cell: int = 0
    pinned: tuple[str, ...] | None = None
    both: bool = False  # whether the other player's grid is shown too
    version: int = field(default=0)


class Walk:
    """A walk through a solution."""

    def __init__(self, visitor: Visitor, job: Job, place: dict[str, str]) -> None:
        self.visitor, self.solutions, self.job = visitor, visitor.house.solutions, job
        moves = tuple(move.strip() for move in place.get("at", "")[:2000].split(",") if move.strip())
        grid = place.get("grid", "strategy")
        player = {"0": 0, "1": 1}.get(place.get("player", ""))
        cell = CLASS_NAMES.index(place["hand"]) if place.get("hand") in CLASS_NAMES else 0
        self.place = Place(moves, grid if grid in GRIDS else "strategy", player, cell)
        self.path = visitor.shelf.folder(job.id).file(SOLUTION)
        self._build()

    # ---- the parts of the page ---------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.crumbs = ui.html("", sanitize=False).props('aria-label="Moves" role="navigation"')
        self.crumbs.on("click", self._went, js_handler=node_html.CLICKED)
        with ui.element("div").classes("columns wide"):
            with ui.element("div").classes("stack"), panel():
                self._toolbar()
                self.words = ui.label("").classes("dim small")
                self.grid = HandGrid("hands", on_pick=self._picked)
            with ui.element("div").classes("stack"):
                with panel() as self.second:
                    self.second_title = ui.label("").classes("heading level-2")
                    self.second_words = ui.label("").classes("dim small")
                    self.second_grid = HandGrid("hands of the node beside it", on_pick=self._picked)
                self.second.set_visibility(False)
                with panel("Actions") as self.actions_panel:
                    self.actions = ui.html("", sanitize=False)
                with panel("Next card") as self.cards_panel:
                    self.cards = ui.html("", sanitize=False)
                    self.cards.on("click", self._went, js_handler=node_html.CLICKED)
                with panel() as self.hands_panel:
                    self.hand_title = ui.label("").classes("heading level-2")
                    self.hands = ui.html("", sanitize=False)

    def _toolbar(self) -> None:
        self.grid_buttons: dict[str, Any] = {}
        with ui.element("div").classes("spread"):
            with ui.element("div").classes("line").props('role="group" aria-label="What the grid shows"'):
                for name, words in GRIDS.items():
                    self.grid_buttons[name] = action_button(words, self._grid_setter(name), kind="slim")
                other = action_button("Other player", self._other_player, kind="slim")
                other.props('data-key="p" title="key p"')
                self.both_button = action_button("Both players", self._both, kind="slim")
                self.both_button.props('data-key="b" title="key b" aria-pressed="false"')
            with ui.element("div").classes("line"):
                back = action_button("Back", self._back, kind="slim")
                back.props('data-key="Backspace" title="key Backspace"')
                self.lock_button = action_button("Lock", self._lock, kind="slim")
                self.pin_button = action_button("Pin", self._pin, kind="slim")
                action_button("CSV", self._csv, kind="slim")
                action_button("PNG", self._png, kind="slim")
                action_button("Link", self._link, kind="slim")

    # ---- drawing -----------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the solution, and draw the node."""
        try:
            await self.visitor.compute(self.solutions.open, self.path)
        except (PokerlabError, OSError) as trouble:
            problem(str(trouble))
            return
        await self.draw()

    async def draw(self) -> None:
        """Draw the node: at once what is known at once, then EVs and equities."""
        self.place.version += 1
        version = self.place.version
        for values in (False, True):
            picture = await self.visitor.compute(self._picture, values, version)
            if version != self.place.version or picture is None:
                return
            if isinstance(picture, str):
                ui.notify(picture, type="negative")
                return
            self._apply(picture)
            if picture.complete:
                break
        await self._draw_second()
        self._note_address()

    def _apply(self, picture: Picture) -> None:
        self.crumbs.set_content(picture.crumbs)
        self.grid.show(picture.cells, label=picture.label)
        self.grid.choose(self.place.cell)
        self.words.set_text(picture.words)
        self.actions.set_content(picture.actions)
        self.actions_panel.set_visibility(bool(picture.actions))
        self.cards.set_content(picture.cards)
        self.cards_panel.set_visibility(bool(picture.cards))
        self.lock_button.set_enabled(bool(picture.actions))
        self.hands.set_content(picture.hands)
        self.hands_panel.set_visibility(bool(picture.hands))
        self.hand_title.set_text(CLASS_NAMES[self.place.cell])
        for name, button in self.grid_buttons.items():
            button.classes(
                add="chosen" if name == self._grid_name else "", remove="" if name == self._grid_name else "chosen"
            )

    def _picture(self, values: bool, version: int) -> Picture | str | None:
        """Compute a picture of the node, with EVs or without; None if another node was chosen before EVs were computed.

        Only EVs need the lock, so a click does not wait for those of the node before.
        """
        solution, lock = self.solutions.open(self.path)
        try:
            with lock if values else nullcontext():
                return self._picture_of(solution, values) if version == self.place.version else None
        except PokerlabError as trouble:
            return str(trouble)

    def _picture_of(self, solution: Solution, values: bool) -> Picture:
        nodes = nodes_along(solution.root, self.place.moves)
        view = nodes[-1]
        self.place.moves = view.moves
        whose = self._whose(view)
        kind = self._kind(view, whose)
        self._grid_name = kind
        needs_values = kind in ("ev", "equity")
        cells, words = _cells(view, kind, whose) if values or not needs_values else (self.grid._props["cells"], "")
        actions = hands = cards = ""
        if view.player is not None:
            rows = action_rows(view) if values else _quick_rows(view)
            actions = str(node_html.action_list(rows, view.money))
        if not view.is_deal or view.coming == 0:
            rows = combos_of_class(view, self.place.cell, whose, values=values)
            hands = str(node_html.combo_table(rows, view.actions))
        if view.is_deal and view.coming == 1:
            found = next_cards(view, values=values)
            cards = str(node_html.card_choice(found, len(view.moves), view.seats, by_ev=self.place.grid == "ev"))
        label = f"{GRIDS[kind]} of the hands {view.seats[whose]}"
        return Picture(str(node_html.crumbs(nodes, view.moves)), cells, label, words, actions, hands, cards, values)

    def _whose(self, view: Any) -> int:
        """The player whose hands are shown."""
        if self.place.player is not None:
            return self.place.player
        return view.player if view.player is not None else 0

    def _kind(self, view: Any, whose: int) -> str:
        """What the grid shows: the strategy only for the player to act."""
        return "reach" if self.place.grid == "strategy" and view.player != whose else self.place.grid

    async def _draw_second(self) -> None:
        """The grid beside the first one: the pinned node, or the other player at this node."""
        pinned, both = self.place.pinned, self.place.both
        self.second.set_visibility(both or pinned is not None)
        self.both_button.props(f'aria-pressed="{str(both).lower()}"')
        self.pin_button.set_text("Pin" if pinned is None else "Unpin")
        if pinned is None and not both:
            return

        def compute() -> tuple[list[Any], str, str]:
            solution, lock = self.solutions.open(self.path)
            with lock:
                view = nodes_along(solution.root, self.place.moves if pinned is None else pinned)[-1]
                whose = 1 - self._whose(view) if pinned is None else self._whose(view)
                kind = self._kind(view, whose)
                cells, words = _cells(view, kind, whose)
                where = ", ".join(view.moves) or "the start"
                title = f"The player {view.seats[whose]}" if pinned is None else f"Pinned: {where}"
                return cells, title, words

        cells, title, words = await self.visitor.compute(compute)
        self.second_grid.show(cells, label=f"{title}, {words}")
        self.second_title.set_text(title)
        self.second_grid.choose(self.place.cell)
        self.second_words.set_text(words)

    def _note_address(self) -> None:
        """Put the node into the address, so that the link of the page opens it again."""
        ui.navigate.history.replace(self.address())

    def address(self) -> str:
        """The address of this node."""
        from urllib.parse import quote

        parts = [f"job={self.job.id}", f"at={quote(','.join(self.place.moves))}", f"grid={self.place.grid}"]
        parts += [] if self.place.player is None else [f"player={self.place.player}"]
        return f"/spots/view?{'&'.join(parts)}&hand={CLASS_NAMES[self.place.cell]}"

    # ---- what is clicked ---------------------------------------------------------------------------------------------

    async def _went(self, event: Any) -> None:
        """Go where a button says: the number of moves to keep, and the next move."""
        depth, colon, move = str(event.args)[:200].partition(":")
        if not colon or not depth.isdecimal() or int(depth) > len(self.place.moves):
            return
        kept = self.place.moves[: int(depth)]
        self.place.moves = (*kept, move) if move else kept
        await self.draw()

    async def _back(self) -> None:
        self.place.moves = self.place.moves[:-1]
        await self.draw()

    def _grid_setter(self, name: str) -> Any:
        async def chosen() -> None:
            self.place.grid = name
            await self.draw()

        return chosen

    async def _other_player(self) -> None:
        solution, _ = self.solutions.open(self.path)
        self.place.player = 1 - self._whose(nodes_along(solution.root, self.place.moves)[-1])
        await self.draw()

    async def _picked(self, cell: int) -> None:
        self.place.cell = cell
        self.grid.choose(cell)
        self.second_grid.choose(cell)
        picture = await self.visitor.compute(self._picture, True, self.place.version)
        if isinstance(picture, Picture):
            self.hands.set_content(picture.hands)
            self.hand_title.set_text(CLASS_NAMES[cell])

    async def _pin(self) -> None:
        """Show this node beside others, or no longer."""
        self.place.pinned = self.place.moves if self.place.pinned is None else None
        self.place.both = False
        await self._draw_second()

    async def _both(self) -> None:
        """Show the grid of the other player too, or no longer."""
        self.place.both, self.place.pinned = not self.place.both, None
        await self._draw_second()

    def _lock(self) -> None:
        solution, _ = self.solutions.open(self.path)
        view = nodes_along(solution.root, self.place.moves)[-1]
        if view.player is not None:
            LockDialog(self.visitor, self.job, view, CLASS_NAMES[self.place.cell]).open()

    async def _csv(self) -> None:
        def table() -> str:
            solution, lock = self.solutions.open(self.path)
            with lock:
                heads, *rows = csv_rows(nodes_along(solution.root, self.place.moves)[-1], None)
                return csv_text(heads, rows)

        ui.download.content(await self.visitor.compute(table), "hands.csv", "text/csv")

    async def _png(self) -> None:
        def picture() -> bytes:
            solution, lock = self.solutions.open(self.path)
            with lock:
                view = nodes_along(solution.root, self.place.moves)[-1]
                whose = self._whose(view)
                return grid_png(view, self._kind(view, whose), whose)

        ui.download.content(await self.visitor.compute(picture), "grid.png", "image/png")

    def _link(self) -> None:
        """Copy the link; a browser lets nobody copy on a page that is neither local nor encrypted."""
        ui.run_javascript(f"navigator.clipboard?.writeText(location.origin + {json.dumps(self.address())})")
        ui.notify("the link to this node is in the clipboard, and in the address bar")


def _cells(view: Any, kind: str, whose: int) -> tuple[list[Any], str]:
    """The cells of a grid, and what their numbers mean."""
    reach = number_grid(view, "reach", whose)
    if kind == "strategy":
        mixed = strategy_grid(view)
        words = "colours: actions; height: the share of the hand that is still here"
        shares = mixed.shares.reshape(169, -1)
        return mix_cells(shares, mixed.colours, view.actions, reach.values.reshape(-1) / 100), words
    numbers = reach if kind == "reach" else number_grid(view, kind, whose)
    values = np.asarray(numbers.values).reshape(-1)
    unit = view.money or "chips" if kind == "ev" else "%"
    return number_cells(values, numbers.scale, unit=unit), number_words(view, kind, whose)


def _quick_rows(view: Any) -> list[dict[str, Any]]:
    """The frequencies of the actions, without EV and equity."""
    held = np.asarray(view.range(view.player))
    combos = np.nan_to_num(held[:, None] * np.asarray(view.frequencies)).sum(axis=0)
    shares = view.strategy()
    return [
        {"action": action, "frequency": share, "combos": float(count), "ev": None, "equity": None}
        for (action, share), count in zip(shares.items(), combos, strict=True)
    ]
