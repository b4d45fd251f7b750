"""Play: a table against any agent or blueprint, heads-up or with more, limit, no-limit or draw; then a review."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.review_table import show_review
from pokerlab.app.widgets.table import TableView, won_text
from pokerlab.display.elements.numbers import counted
from pokerlab.errors import PokerlabError
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.jobs.kinds import SOLUTION, SOLUTION_OF, opened_agent
from pokerlab.lab.jobs.names import checked_name
from pokerlab.lab.play.live_table import LiveTable
from pokerlab.lab.play.reviewing import review_file

TABLES = {  # name: game, opponents that suit it
    "holdem-limit": ("Limit hold'em, heads-up", "holdem-limit", ("blueprint", "formula", "rules", "random")),
    "holdem-nolimit": ("No-limit hold'em, heads-up", "holdem-nolimit", ("blueprint", "formula", "rules", "random")),
    "three": ("Limit hold'em, 3 players", "holdem-limit(players=3)", ("formula", "rules", "random")),
    "ring": ("No-limit hold'em, 6 players", "holdem-nolimit(players=6)", ("formula", "rules", "random")),
    "draw": ("Five-card draw", "five-card-draw", ("draw-blueprint", "draw-basic", "draw-article", "random")),
    "short-deck": ("Short deck", "short-deck", ("formula", "random")),
    "leduc": ("Leduc, six cards", "leduc", ("formula", "random")),
    "kuhn": ("Kuhn, three cards", "kuhn", ("formula", "random")),
}
POLL_SECONDS = 0.12
MOST_PAST = 6  # sessions that are listed


def show(visitor: Visitor, table: str) -> None:
    """The table, or the choice of one."""
    with frame(visitor, "Play", active="/play"):
        heading("Play")
        place = ui.element("div").classes("stack")
        Playing(visitor, place, table if table in TABLES else "")


class Playing:
    """A visitor at a table, or choosing one."""

    def __init__(self, visitor: Visitor, place: Any, wanted: str) -> None:
        self.visitor, self.tables, self.place = visitor, visitor.house.tables, place
        self.view: TableView | None = None
        self._seen = -1
        self.timer = ui.timer(POLL_SECONDS, self._look)
        if self.tables.of(visitor.name) is not None:
            self._draw_table()
        else:
            self._draw_choice(wanted)

    # ---- choosing ----------------------------------------------------------------------------------------------------

    def _draw_choice(self, wanted: str) -> None:
        self.place.clear()
        self.view = None
        with self.place, panel("Take a seat"), ui.element("div").classes("stack"):
            games = {name: words for name, (words, _, _) in TABLES.items()} | self._solved()
            game = (
                ui.select(games, label="Game", value=wanted or "holdem-limit")
                .props("outlined dense")
                .classes("wide-field")
            )
            opponent = ui.select([], label="Against").props("outlined dense").classes("wide-field")

            def changed() -> None:
                names = list(TABLES[game.value][2]) if game.value in TABLES else ["its solution", "formula", "random"]
                opponent.set_options(names, value=names[0])

            game.on_value_change(changed)
            changed()
            with ui.expansion("Another agent of the library").classes("wide-field"):
                own = ui.input("Agent with its settings", placeholder="formula(bluff=0.2)").props(
                    "outlined dense maxlength=200"
                )
            error = ui.label("").classes("problem").props('role="alert"')
            waiting = dim("")

            async def sit() -> None:
                waiting.set_text("preparing the table")
                name = str(own.value or "").strip() or str(opponent.value)
                message = await self.visitor.compute(take_seat, self.visitor, str(game.value), name)
                waiting.set_text("")
                error.set_text(message)
                if not message:
                    self._draw_table()

            action_button("Deal", sit, kind="main-act")
        self._draw_past()

    def _draw_past(self) -> None:
        """The hands that were played before, each session with its review."""
        folder = self.visitor.folder / "played"
        logs = sorted(folder.glob("*.log"), reverse=True)[:MOST_PAST]
        if not logs:
            return
        with self.place, panel("Played before"), ui.element("div").classes("stack"):
            review_box = ui.element("div").classes("stack")

            def review(log: Path) -> Any:
                async def clicked() -> None:
                    review_box.clear()
                    with review_box:
                        heading(_when(log), 3)
                        try:
                            show_review(await self.visitor.compute(review_file, log))
                        except PokerlabError as problem:
                            dim(str(problem))

                return clicked

            for log in logs:
                with ui.element("div").classes("job"):
                    ui.label(_when(log)).classes("job-title")
                    with ui.element("div").classes("line"):
                        action_button("Review", review(log), kind="slim").props["aria-label"] = f"Review {_when(log)}"
            review_box.move(target_index=-1)

    def _solved(self) -> dict[str, str]:
        """The solved spots of the visitor, as tables."""
        shelf = self.visitor.shelf
        jobs = [
            job for job in self.visitor.jobs() if job.kind == "spot" and shelf.folder(job.id).file(SOLUTION).exists()
        ]
        return {f"{SOLUTION_OF}{job.id}": f"Solved: {job.title}" for job in jobs}

    # ---- playing -----------------------------------------------------------------------------------------------------

    def _draw_table(self) -> None:
        table = self.tables.of(self.visitor.name)
        if table is None:
            return
        self.place.clear()
        with self.place:
            self.view = TableView(table, _title(table.seating.game), on_leave=self._leave)
        self._seen = -1
        self._look()

    def _look(self) -> None:
        """Draw the table if it changed."""
        table = self.tables.of(self.visitor.name)
        if table is None or self.view is None or table.version == self._seen:
            return
        snapshot = table.snapshot()
        self._seen = snapshot.version
        self.view.draw(snapshot)

    async def _leave(self) -> None:
        """Leave the table, and review what was played."""
        table = self.tables.of(self.visitor.name)
        if table is None:
            return
        self.tables.close(self.visitor.name)
        await self.visitor.compute(table.wait)
        self._draw_choice("")
        result = table.result
        if result is None or not result.hands:
            return
        with self.place, panel("What was played") as box, ui.element("div").classes("stack"):
            box.move(target_index=1)
            ui.label(f"{counted(result.hands, 'hand')}, {won_text(result.won)}.")
            try:
                review = await self.visitor.compute(table.review)
            except PokerlabError as problem:
                dim(str(problem))
                return
            show_review(review)


def take_seat(visitor: Visitor, game: str, opponent: str) -> str:
    """Open a table; what was wrong, if anything."""
    shelf = visitor.shelf
    log = visitor.folder / "played" / f"{time.strftime('%Y%m%d-%H%M%S')}.log"
    try:
        if game in TABLES:
            name, against = TABLES[game][1], checked_name("agents", opponent)
        elif game.startswith(SOLUTION_OF):
            shelf.get(game.removeprefix(SOLUTION_OF))
            path = shelf.folder(game.removeprefix(SOLUTION_OF)).file(SOLUTION)
            name = str(path)
            against = opened_agent(game if opponent == "its solution" else opponent, shelf.path)
        else:
            return "choose a game"
        visitor.house.tables.seat(visitor.name, LiveTable.at(name, [against], log=log))
    except PokerlabError as problem:
        return str(problem)
    visitor.opened("/play", "the table")
    return ""


def _when(log: Path) -> str:
    """When a session was played, from the name of its file."""
    day, clock = log.stem.split("-")[:2]
    return f"{day[:4]}-{day[4:6]}-{day[6:]}, {clock[:2]}:{clock[2:4]}"


def _title(game: PokerGame) -> str:
    """The name of a table; of a spot, no path of a file."""
    return "A solved spot" if game.unit != 1 else {name: words for words, name, _ in TABLES.values()}[game.name]
