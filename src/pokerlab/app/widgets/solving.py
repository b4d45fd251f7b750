"""A solve while it runs: its state, the curve of its exploitability, and buttons; afterwards its result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, plot
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import progress_text
from pokerlab.errors import PokerlabError
from pokerlab.formats.spot_file import spot_from
from pokerlab.lab.jobs.kinds import SOLUTION
from pokerlab.lab.jobs.record import FINISHED, PAUSED, RUNNING, STOPPED, Job

EVERY = 0.4  # seconds between looks
TARGETS = ("0.3%", "0.1%", "0.05%")


class Solving:
    """Follows a job that solves a spot."""

    def __init__(self, visitor: Visitor, job_id: str, *, on_solution: Callable[[], Awaitable[None]]) -> None:
        self.visitor, self.job_id, self._on_solution = visitor, job_id, on_solution
        self.folder = visitor.shelf.folder(job_id)
        self._offset, self._points = 0, [[], []]  # type: tuple[Any, Any]
        self._state, self._shown = "", False
        self.pot = _pot(visitor.shelf.get(job_id))
        with ui.element("section").classes("panel").props('aria-label="Solving"'):
            with ui.element("div").classes("spread"):
                with ui.element("div").classes("line"):
                    self.state = ui.label("").classes("state")
                    self.words = ui.label("").classes("small").props('aria-live="polite"')
                self.buttons = ui.element("div").classes("line")
            self.problem = ui.label("").classes("problem small").props('role="alert"')
            self.cost = ui.label("").classes("small")
            self.box = ui.element("div")
        self.chart: Any = None
        self.timer = ui.timer(EVERY, self._look)

    async def _look(self) -> None:
        """Follow the job."""
        try:
            job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        except PokerlabError:
            job = None
        if job is None:
            self.timer.deactivate()
            return
        lines, self._offset = self.folder.progress(self._offset)
        points = [line["point"] for line in lines if "point" in line]
        if points:
            self._points[0].extend(point[1] for point in points)
            self._points[1].extend(100 * point[2] / self.pot for point in points)
            self._draw_curve()
        self.words.set_text(progress_text(self.visitor, job))
        if job.state != self._state:
            self._state = job.state
            self.state.set_text(job.state)
            self.state.classes(replace=f"state {job.state}")
            self.problem.set_text(job.problem)
            self._draw_buttons(job.state)
            if job.state == FINISHED:
                self.box.clear()
                self.chart = None
            self._show_cost(job)
        if not job.is_active:
            self.timer.interval = 2.0
            if not self._shown and self.folder.file(SOLUTION).exists():
                self._shown = True
                await self._on_solution()
        else:
            self._shown, self.timer.interval = False, EVERY

    def _draw_curve(self) -> None:
        """The curve so far; there is a plot only while there is something to follow."""
        if self._state == FINISHED:
            return
        if self.chart is None:
            with self.box:
                self.chart = plot(
                    [{"x": [], "y": [], "mode": "lines+markers", "name": "exploitability"}],
                    label="Exploitability by seconds",
                    xaxis={"title": {"text": "seconds"}},
                    yaxis={"title": {"text": "exploitability, % of the pot"}, "type": "log", "dtick": "D2"},
                ).style("height: 220px")
        self.chart.figure["data"][0] |= {"x": self._points[0], "y": self._points[1]}
        self.chart.update()

    def _draw_buttons(self, state: str) -> None:
        self.buttons.clear()
        queue, shelf = self.visitor.queue, self.visitor.shelf

        def act(function: Any, **settings: Any) -> Any:
            def acted() -> None:
                try:
                    function(shelf, self.job_id, **settings)
                except PokerlabError as problem:
                    ui.notify(str(problem), type="negative")

            return acted

        with self.buttons:
            if state == RUNNING:
                action_button("Pause", act(queue.end, state=PAUSED), kind="slim")
                action_button("Stop", act(queue.end, state=STOPPED), kind="slim")
            elif state != "queued":
                if state != FINISHED:
                    action_button("Resume", act(queue.resume), kind="slim main-act")
                for target in TARGETS:
                    action_button(f"Solve to {target}", act(queue.resume, target=target), kind="slim")

    def _show_cost(self, job: Any) -> None:
        """What locks cost each player, if the spot without them was solved."""
        values, before = job.summary.get("values"), None
        if job.settings.get("unlocked") and values:
            try:
                before = self.visitor.shelf.get(str(job.settings["unlocked"])).summary.get("values")
            except PokerlabError:
                before = None
        if before and values:
            changes = [f"{value - old:+.2f}" for value, old in zip(values, before, strict=True)]
            self.cost.set_text(
                f"With the locks, EV changes by {changes[0]} out of position and {changes[1]} in position."
            )
        elif values:
            self.cost.set_text(f"EV {values[0]:.2f} out of position, {values[1]:.2f} in position.")


def _pot(job: Job) -> float:
    """The pot of the spot that a job solves."""
    try:
        return spot_from({name: value for name, value in job.settings["spot"].items() if name != "lock"}).pot
    except (PokerlabError, KeyError, AttributeError):
        return 1.0
