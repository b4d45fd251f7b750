"""Papers: each published experiment, run from the page, its figures beside our numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel, plot
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list, progress_text
from pokerlab.app.widgets.node_html import plain_table
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.record import JobFolder
from pokerlab.reading import json_value, read_bytes
from pokerlab.registry import available

EVERY = 0.7  # seconds between looks
SCALES = {"quick": "a preview of seconds", "usual": "the usual scale", "full": "the scale of the paper"}
MOST_FIGURE = 20_000_000  # bytes
MODES = {"line": "lines", "points": "markers", "rings": "markers", "steps": "lines", "bars": ""}


def show(visitor: Visitor, job_id: str) -> None:
    """The page of papers."""
    with frame(visitor, "Papers", active="/papers"):
        heading("Published experiments, rerun")
        dim("Our numbers beside the printed ones. A preview takes seconds and will not match the paper.")
        if job_id:
            Rerun(visitor, job_id)
        with panel("Papers"):
            for entry in available("papers"):
                _paper(visitor, entry.name, entry.summary)
        with panel("Runs"):
            job_list(visitor, kinds=("paper",), most=20)


def _paper(visitor: Visitor, name: str, summary: str) -> None:
    with ui.element("div").classes("job"):
        with ui.element("div"):
            ui.label(name).classes("job-title")
            ui.label(summary).classes("dim small")
        with ui.element("div").classes("line"):
            scale = ui.select(SCALES, value="quick").props(f'outlined dense options-dense aria-label="Scale of {name}"')

            def run() -> None:
                try:
                    job = visitor.submit(
                        "paper", f"Paper {name}, {SCALES[scale.value]}", {"paper": name, "scale": scale.value}
                    )
                except PokerlabError as problem:
                    ui.notify(str(problem), type="negative")
                    return
                visitor.opened(f"/papers?job={job.id}", job.title)
                ui.navigate.to(f"/papers?job={job.id}")

            action_button("Run", run, kind="slim").props["aria-label"] = f"Run {name}"


class Rerun:
    """A run of a paper, and its result."""

    def __init__(self, visitor: Visitor, job_id: str) -> None:
        self.visitor, self.job_id = visitor, job_id
        with panel("The run"), ui.element("div").classes("stack"):
            self.words = ui.label("").props('aria-live="polite"')
            self.bar = ui.linear_progress(0.0, show_value=False).props('aria-label="progress"')
            self.result = ui.element("div").classes("stack")
        self.timer = ui.timer(EVERY, self._look)

    def _look(self) -> None:
        job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        if job is None:
            self.words.set_text("there is no such run")
            self.timer.deactivate()
            return
        folder = self.visitor.shelf.folder(self.job_id)
        last = folder.latest()
        if last.get("total"):
            self.bar.value = min(1.0, last["done"] / last["total"])
        message = str(last.get("message", "")) if job.is_active else ""
        self.words.set_text(f"{job.title}: {job.state}. {job.problem or message or progress_text(self.visitor, job)}")
        if not job.is_active:
            self.timer.deactivate()
            self.bar.set_visibility(False)
            found = folder.result()
            if found:
                with self.result:
                    _draw(found, folder)


def _draw(found: Mapping[str, Any], folder: JobFolder) -> None:
    """The tables, findings and figures of a paper."""
    heading(str(found["title"]), 2)
    dim(str(found["source"]))
    for note in found["notes"]:
        dim(str(note)).classes("small")
    for finding in found["findings"]:
        ui.label(f"{finding['claim']}: {finding['verdict']}. {finding['evidence']}").classes("small")
    for table in found["tables"]:
        heading(str(table["title"]), 3)
        ui.html(_table_html(table["rows"]), sanitize=False)
    for figure in found["figures"]:
        path = folder.file("figures") / f"{figure['name']}.json"
        if path.is_file():
            _draw_figure(json_value(read_bytes(path, most=MOST_FIGURE)))


def _table_html(rows: Sequence[Mapping[str, Any]]) -> str:
    methods = list(dict.fromkeys(method for row in rows for method in row["ours"]))
    heads = ("", "printed", "exact", *methods)
    lines = [
        (
            row["what"],
            _value(row["printed"]),
            _value(row["exact"]),
            *(_value(row["ours"].get(method)) for method in methods),
        )
        for row in rows
    ]
    return str(plain_table(heads, lines))


def _value(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _draw_figure(figure: Mapping[str, Any]) -> None:
    """A figure as plots, one for each panel."""
    dim(str(figure["caption"])).classes("small")
    for one in figure["panels"]:
        axes = {
            "xaxis": {"title": {"text": one["x_label"]}, "type": "log" if one["x_log"] else "linear"},
            "yaxis": {"title": {"text": one["y_label"]}, "type": "log" if one["y_log"] else "linear"},
        }
        if one["cells"] is not None:
            data = [
                {
                    "type": "heatmap",
                    "z": one["cells"],
                    "text": one["cell_text"],
                    "texttemplate": "%{text}",
                    "colorscale": "YlGnBu",
                }
            ]
            axes["yaxis"]["autorange"] = "reversed"
        else:
            data = [_trace(line) for line in one["lines"]]
        plot(
            data,
            label=str(one["title"] or figure["caption"]),
            title={"text": one["title"], "font": {"size": 13}},
            **axes,
        )


def _trace(line: Mapping[str, Any]) -> dict[str, Any]:
    trace: dict[str, Any] = {"x": line["x"], "y": line["y"], "name": line["label"]}
    if line["style"] == "bars":
        return trace | {"type": "bar"}
    if line["style"] == "steps":
        trace["line"] = {"shape": "hvh"}
    if line["style"] == "rings":
        trace["marker"] = {"symbol": "circle-open", "size": 14}
    return trace | {"mode": MODES.get(line["style"], "lines")}
