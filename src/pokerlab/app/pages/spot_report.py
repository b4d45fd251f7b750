"""One spot on many boards: a table to sort and filter, and the boards in groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel, problem
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list, progress_text
from pokerlab.errors import PokerlabError
from pokerlab.formats.spot_file import settings_of, spot_from
from pokerlab.lab.jobs.kinds import boards_named
from pokerlab.lab.spots.board_list import read_boards
from pokerlab.lab.spots.boards import FREQUENCY, check_report, read_moves

EVERY = 1.0  # seconds between looks
TEXTS = ("board", "by", "group")  # columns
FIXED = "(value) => typeof value === 'number' ? value.toFixed({}) : value"
SHARES = ("equity_out_of_position", "equity_in_position", "reach")


def show(visitor: Visitor, job_id: str) -> None:
    """The form of a report, or a report."""
    with frame(visitor, "Many boards", active="/spots"):
        heading("Many boards")
        if not job_id:
            dim("The spot that was set up last, solved on many boards. Finished boards are saved at once.")
            _form(visitor)
            with panel("Reports"):
                job_list(visitor, kinds=("report",))
            return
        try:
            visitor.opened(f"/spots/report?job={job_id}", visitor.shelf.get(job_id).title)
        except PokerlabError as trouble:
            problem(str(trouble))
            return
        Report(visitor, job_id)


def _form(visitor: Visitor) -> None:
    with panel("Set up"), ui.element("div").classes("stack"):
        settings = visitor.recall("spot")
        try:
            spot = spot_from({name: value for name, value in settings.items() if name != "lock"})
        except PokerlabError as trouble:
            problem(f"set up a spot first: {trouble}")
            ui.link("Set up a spot", "/spots")
            return
        of_spot = settings_of(spot)
        dim(
            f"Pot {of_spot['pot']:g}, stacks {of_spot['stack']:g}; out of position {_short(spot, 0)}; "
            f"in position {_short(spot, 1)}"
        )
        boards = ui.input("Boards", value="flops:25").props("outlined dense maxlength=2000").classes("wide-field")
        dim("Boards as Ks7h2d, QsJsTs:2 (with a weight), flops (all 1,755), or flops:25, flops:49, flops:95, flops:184")
        at = (
            ui.input("Decision after these moves", value="").props("outlined dense maxlength=200").classes("wide-field")
        )
        target = ui.input("Until, % of the pot", value="0.5").props("outlined dense maxlength=10")
        error = ui.label("").classes("problem small").props('role="alert"')

        def solve() -> None:
            try:
                chosen = read_boards(boards_named(str(boards.value)))
                check_report({"lock": [], **settings}, chosen, read_moves(str(at.value)))
                values = {
                    "spot": settings,
                    "boards": str(boards.value),
                    "at": str(at.value),
                    "target": f"{target.value}%",
                }
                job = visitor.submit("report", f"{len(chosen)} boards, {at.value or 'first decision'}", values)
            except PokerlabError as trouble:
                error.set_text(str(trouble))
                return
            ui.navigate.to(f"/spots/report?job={job.id}")

        action_button("Solve all boards", solve, kind="main-act")


def _short(spot: Any, seat: int) -> str:
    return f"{100 * spot.ranges[seat].fraction:.0f} % of hands"


class Report:
    """A report, also while it runs."""

    def __init__(self, visitor: Visitor, job_id: str) -> None:
        self.visitor, self.job_id = visitor, job_id
        self.folder = visitor.shelf.folder(job_id)
        self.rows: list[dict[str, Any]] = []
        self._offset, self._state = 0, ""
        self.words = ui.label("").classes("dim").props('aria-live="polite"')
        with panel("Groups of boards"):
            self.groups = ui.element("div").classes("table-scroll")
            self.waiting = dim("Groups appear when every board is solved.")
        with panel("Boards"), ui.element("div").classes("stack"):
            needle = ui.input("Filter").props('outlined dense clearable maxlength=50 aria-label="Filter the boards"')
            self.table = ui.table(
                rows=[], columns=[{"name": "board", "label": "board", "field": "board"}], row_key="board"
            )
            self.table.props("dense flat").classes("wide-field").bind_filter_from(needle, "value")
        ui.timer(EVERY, self._look)
        self._look()

    def _look(self) -> None:
        job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        if job is None or (job.state == self._state and not job.is_active):
            return
        self._state = job.state
        lines, self._offset = self.folder.progress(self._offset)
        known = {row["board"]: row for row in self.rows} | {
            line["row"]["board"]: line["row"] for line in lines if "row" in line
        }
        self.rows = list(known.values())
        done = self.folder.result() if not job.is_active else {}
        if done:
            self.rows = done["rows"]
            self._draw_groups(done["groups"])
        self.words.set_text(f"{job.title}: {job.state}. {job.problem or progress_text(self.visitor, job)}")
        self._draw(self.rows)

    def _draw(self, rows: Sequence[Mapping[str, Any]]) -> None:
        names = [name for name in (rows[0] if rows else ()) if name not in ("spot", "problem", "weight")]
        self.table.columns = [_column(name) for name in names]
        self.table.rows = [{name: _text(name, row.get(name)) for name in names} for row in rows]
        self.table.update()

    def _draw_groups(self, groups: Sequence[Mapping[str, Any]]) -> None:
        self.groups.clear()
        self.waiting.set_text("" if groups else "There are no groups of these boards.")
        if not groups:
            return
        names = list(groups[0])
        columns = [_column(name) for name in names]
        rows = [{name: _text(name, group.get(name)) for name in names} for group in groups]
        with self.groups:
            ui.table(rows=rows, columns=columns, row_key="group").props("dense flat").classes("wide-field")


def _column(name: str) -> dict[str, Any]:
    """A column that can be sorted; its numbers have the same decimals."""
    column = {"name": name, "label": _heading(name), "field": name, "sortable": True}
    column["align"] = "left" if name in TEXTS else "right"
    if name.startswith("ev_"):
        column[":format"] = FIXED.format(2)
    elif name.startswith(FREQUENCY) or name in SHARES:
        column[":format"] = FIXED.format(1)
    return column


def _heading(name: str) -> str:
    words = name.removeprefix(FREQUENCY).replace("_", " ").replace("percent", "%")
    return words.replace("ev ", "EV ") + (", %" if name.startswith(FREQUENCY) or name in SHARES else "")


def _text(name: str, value: Any) -> Any:
    """A number rounded for a table; shares in percent."""
    if isinstance(value, float):
        return round(100 * value, 1) if name.startswith(FREQUENCY) or name in SHARES else round(value, 3)
    return value
