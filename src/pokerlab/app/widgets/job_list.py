"""A list of jobs with their progress, and buttons to pause, stop, resume and open them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim
from pokerlab.app.visitor import Visitor
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.kinds import KINDS
from pokerlab.lab.jobs.record import PAUSED, RUNNING, STOPPED, Job

EVERY = 1.0  # seconds between looks
ADDRESS = {  # of the page that shows a job
    "spot": "/spots/view?job={}",
    "report": "/spots/report?job={}",
    "solve": "/laboratory?job={}",
    "compare": "/laboratory?job={}",
    "match": "/matches?job={}",
    "tournament": "/matches?job={}",
    "pushfold": "/preflop?job={}",
    "paper": "/papers?job={}",
}


def job_list(visitor: Visitor, *, most: int = 100, kinds: tuple[str, ...] = ()) -> Any:
    """The newest jobs; the list updates itself."""
    shown: list[Any] = []

    @ui.refreshable  # type: ignore[untyped-decorator]
    def rows() -> None:
        jobs = [job for job in visitor.jobs() if not kinds or job.kind in kinds][:most]
        shown[:] = jobs
        if not jobs:
            dim("No jobs yet.")
        for job in jobs:
            _row(visitor, job, rows.refresh)

    def look() -> None:
        """Draw the list again if something changed, or runs."""
        jobs = [job for job in visitor.jobs() if not kinds or job.kind in kinds][:most]
        if jobs != shown or any(job.is_active for job in jobs):
            rows.refresh()

    rows()
    ui.timer(EVERY, look)
    return rows


def _row(visitor: Visitor, job: Job, refresh: Callable[[], Any]) -> None:
    """One job."""
    with ui.element("div").classes("job"):
        with ui.element("div"):
            with ui.element("div").classes("line"):
                ui.label(job.title).classes("job-title")
                ui.label(job.state).classes(f"state {job.state}")
            if job.problem:
                ui.label(job.problem).classes("problem small")
            ui.label(progress_text(visitor, job)).classes("dim small")
        with ui.element("div").classes("line"):
            _buttons(visitor, job, refresh)


def _buttons(visitor: Visitor, job: Job, refresh: Callable[[], Any]) -> None:
    def act(function: Callable[..., Any], **settings: Any) -> Callable[[], None]:
        def acted() -> None:
            try:
                function(visitor.shelf, job.id, **settings)
            except PokerlabError as problem:
                ui.notify(str(problem), type="negative")
            refresh()

        return acted

    def delete(shelf: Any, job_id: str) -> None:
        shelf.delete(job_id)

    queue, name = visitor.queue, job.title

    def button(words: str, function: Callable[..., Any], **settings: Any) -> None:
        made = action_button(words, act(function, **settings), kind="slim")
        made.props["aria-label"] = f"{words}: {name}"

    if job.is_active and KINDS[job.kind].can_pause and job.state == RUNNING:
        button("Pause", queue.end, state=PAUSED)
    if job.is_active:
        button("Stop", queue.end, state=STOPPED)
    if job.can_resume:
        button("Resume" if KINDS[job.kind].can_pause else "Run again", queue.resume)
    if not job.is_active:
        button("Delete", delete)
    ui.link("Open", ADDRESS[job.kind].format(job.id)).props["aria-label"] = f"Open: {name}"


def progress_text(visitor: Visitor, job: Job) -> str:
    """How far a job is, or what came of it, in words."""
    if job.state == RUNNING:
        last = visitor.shelf.folder(job.id).latest()
        if not last:
            return "starting"
        total = f" of {last['total']:,.0f}" if last.get("total") and last.get("unit") else ""
        words = f"{last['done']:,.0f}{total} {last['unit']}" if last.get("unit") else f"{100 * last['done']:.0f} %"
        return f"{words}, {last['seconds']:.0f} s"
    summary = job.summary
    if summary.get("exploitability_percent") is not None:
        return f"exploitability {summary['exploitability_percent']:.3g} % after {summary['iterations']:,} iterations"
    for name in ("leader", "title", "boards"):
        if summary.get(name):
            return {"leader": "leader: {}", "title": "{}", "boards": "{} boards"}[name].format(summary[name])
    return ""
