"""The laboratory: any game and any algorithms, their convergence live; game trees; learning in the simplex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel, plot
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list, progress_text
from pokerlab.app.widgets.node_html import plain_table
from pokerlab.display.elements import palette
from pokerlab.display.elements.numbers import number_text
from pokerlab.display.games.tree_drawing import draw_tree
from pokerlab.errors import PokerlabError
from pokerlab.formats.opening import open_game
from pokerlab.lab.analyse.browsing import Listing, list_infosets
from pokerlab.lab.jobs.kinds import SOLUTION
from pokerlab.lab.jobs.names import checked_name, library_names
from pokerlab.lab.solve.dynamics import DYNAMICS, MATRIX_GAMES, Trajectory, trajectory

EVERY = 0.4  # seconds between looks
FIRST = ("cfr", "cfr+", "dcfr", "pcfr+")
MOST_ROWS, MOST_BARS = 200, 48  # of a strategy, in its table and in its plot


def show(visitor: Visitor, game: str, job_id: str) -> None:
    """The laboratory."""
    with frame(visitor, "Laboratory", active="/laboratory"):
        heading("Laboratory")
        Convergence(visitor, game, job_id)
        TreePanel(visitor, game)
        SimplexPanel(visitor)
        with panel("Experiments"):
            job_list(visitor, kinds=("solve", "compare"), most=12)


class Convergence:
    """Several algorithms on one game, their curves on one plot while they run."""

    def __init__(self, visitor: Visitor, game: str, job_id: str) -> None:
        self.visitor, self.job_id = visitor, job_id
        self._offset, self._shown = 0, False
        self.curves: dict[str, tuple[list[float], list[float]]] = {}
        games = library_names("games")
        settings = visitor.settings_of(job_id)  # those that were typed
        game = game if game in games else str(settings.get("game", "leduc"))
        chosen = settings.get("algorithms") or ([settings["algorithm"]] if settings.get("algorithm") else FIRST)
        seconds = settings.get("seconds") or 3
        with panel("Convergence"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields roomy"):
                self.game = ui.input("Game", value=game, autocomplete=games)
                self.game.props("outlined dense maxlength=200")
                known = library_names("algorithms")
                self.algorithms = ui.select(
                    known, label="Algorithms", value=[name for name in chosen if name in known], multiple=True
                )
                self.algorithms.props("outlined dense use-chips")
                self.seconds = ui.number("Seconds for each", value=seconds, min=0.2, max=600).props("outlined dense")
            with ui.element("div").classes("line"):
                action_button("Compare", self._compare, kind="main-act")
                action_button("Solve with the first", self._solve)
                self.words = ui.label("").classes("dim small").props('aria-live="polite"')
            self.error = ui.label("").classes("problem small").props('role="alert"')
            self.box = ui.element("div")
            self.result = ui.element("div").classes("stack")
        self.chart: Any = None
        if job_id:
            self.timer = ui.timer(EVERY, self._look)

    def _submit(self, kind: str, title: str, settings: dict[str, Any]) -> None:
        try:
            checked_name("games", settings["game"])
            job = self.visitor.submit(kind, title, settings)
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            return
        self.visitor.opened(f"/laboratory?job={job.id}", title)
        ui.navigate.to(f"/laboratory?job={job.id}&game={settings['game']}")

    def _compare(self) -> None:
        names, game = list(self.algorithms.value or [])[:12], str(self.game.value or "")
        seconds = min(600.0, max(0.2, float(self.seconds.value or 3)))
        self._submit("compare", f"{game}: {', '.join(names)}", {"game": game, "algorithms": names, "seconds": seconds})

    def _solve(self) -> None:
        names, game = list(self.algorithms.value or []), str(self.game.value or "")
        settings: dict[str, Any] = {"game": game, "seconds": float(self.seconds.value or 3)}
        self._submit(
            "solve",
            f"{game} by {names[0] if names else 'the default'}",
            settings | ({"algorithm": names[0]} if names else {}),
        )

    def _look(self) -> None:
        """Follow the job of this page."""
        job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        if job is None:
            self.timer.deactivate()
            return
        lines, self._offset = self.visitor.shelf.folder(self.job_id).progress(self._offset)
        for line in lines:
            if "point" in line and line["point"][2] > 0:
                x, y = self.curves.setdefault(line["message"].partition("(")[0], ([], []))
                x.append(line["point"][1])
                y.append(line["point"][2])
        if lines:
            self._draw()
        self.words.set_text(f"{job.title}: {job.state}. {job.problem or progress_text(self.visitor, job)}")
        if not job.is_active:
            self.timer.deactivate()
            self._draw_result(job.kind)

    def _draw(self) -> None:
        if self.chart is None:
            with self.box:
                self.chart = plot(
                    [],
                    label="Exploitability of each algorithm by seconds",
                    xaxis={"title": {"text": "seconds"}, "type": "log"},
                    yaxis={"title": {"text": "exploitability"}, "type": "log"},
                ).style("height: 420px")
        dashes, marks = ("solid", "dash", "dot", "dashdot"), ("circle", "square", "diamond", "cross", "x")
        self.chart.figure["data"] = [
            {"x": x, "y": y, "name": name, "mode": "lines+markers", "line": {"dash": dashes[number % 4], "width": 1.5}}
            | {"marker": {"size": 4, "symbol": marks[number % 5]}}
            for number, (name, (x, y)) in enumerate(self.curves.items())
        ]
        self.chart.update()

    def _draw_result(self, kind: str) -> None:
        """The last numbers of a comparison, or the strategy of a solution."""
        found = self.visitor.shelf.folder(self.job_id).result()
        self.result.clear()
        with self.result:
            if kind == "compare" and found.get("results"):
                rows = [
                    (
                        name,
                        one["form"],
                        f"{one['iterations']:,}",
                        f"{one['exploitability']:.3g}" if one["exploitability"] is not None else "–",
                    )
                    for name, one in found["results"].items()
                ]
                ui.html(str(plain_table(("algorithm", "form", "iterations", "exploitability"), rows)), sanitize=False)
            elif kind == "solve":
                ui.timer(0.05, self._draw_strategy, once=True)

    async def _draw_strategy(self) -> None:
        path = self.visitor.shelf.folder(self.job_id).file(SOLUTION)
        if not path.exists():
            return

        def listing() -> Listing:
            solution, lock = self.visitor.house.solutions.open(path)
            with lock:
                return list_infosets(solution, rows=MOST_ROWS)

        found = await self.visitor.compute(listing)
        rows = [
            (line.infoset, line.player, number_text(line.reach, 3), ", ".join(_shares(line.actions)))
            for line in found.lines
        ]
        with self.result:
            heading("The strategy", 3)
            _strategy_plot(found)
            ui.html(str(plain_table(("infoset", "player", "reach", "strategy"), rows)), sanitize=False).classes("tale")
            if found.more:
                dim(f"and {found.more:,} more infosets")


def _shares(actions: Mapping[str, float]) -> list[str]:
    return [f"{name} {share:.3f}" for name, share in actions.items()]


def _strategy_plot(found: Listing) -> None:
    """A bar for each infoset, divided by the probabilities of its actions; opaque as far as it is reached."""
    lines = found.lines[:MOST_BARS]
    names = list(dict.fromkeys(name for line in lines for name in line.actions))
    infosets = [f"{line.infoset} ({line.player})" for line in lines]
    opacity = [0.35 + 0.65 * (line.reach or 0.0) for line in lines]
    data = [
        {"type": "bar", "name": name, "x": infosets, "y": [line.actions.get(name, 0.0) for line in lines]}
        | {"marker": {"color": palette.LINES[number % len(palette.LINES)], "opacity": opacity}}
        for number, name in enumerate(names)
    ]
    plot(
        data,
        label="The probability of each action in each infoset",
        barmode="stack",
        xaxis={"title": {"text": "infoset (player); pale: seldom reached"}, "type": "category"},
        yaxis={"title": {"text": "probability"}, "range": [0, 1]},
        legend={"y": 1.02, "yanchor": "bottom"},
        margin={"t": 40},
    )


class TreePanel:
    """The whole tree of a small game."""

    def __init__(self, visitor: Visitor, game: str) -> None:
        self.visitor = visitor
        with panel("The tree of a small game"), ui.element("div").classes("stack"):
            with ui.element("div").classes("line"):
                names = library_names("games")
                field = ui.input("Game", value=game if game in names else "kuhn", autocomplete=names).props(
                    "outlined dense maxlength=200"
                )
                action_button("Draw", lambda: self._draw(str(field.value or "")))
            self.error = ui.label("").classes("problem small").props('role="alert"')
            self.picture = ui.html("", sanitize=False).classes("tree-picture table-scroll")

    async def _draw(self, name: str) -> None:
        try:
            game = checked_name("games", name)
            svg = await self.visitor.compute(lambda: draw_tree(open_game(game)))
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            return
        self.error.set_text("")
        self.picture.set_content(svg[svg.index("<svg") :])


class SimplexPanel:
    """Regret matching and fictitious play in a matrix game, animated."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.found: Trajectory | None = None
        self.count = 0
        with panel("Learning in a matrix game"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields roomy"):
                self.game = ui.select(list(MATRIX_GAMES), label="Game", value=MATRIX_GAMES[0]).props("outlined dense")
                self.rule = ui.select(list(DYNAMICS), label="Rule", value=DYNAMICS[0]).props("outlined dense")
            with ui.element("div").classes("line"):
                action_button("Play", self._play)
                action_button("Pause", lambda: self.timer.deactivate())
                self.words = ui.label("").classes("dim small")
            self.box = ui.element("div")
        self.chart: Any = None
        self.timer: Any = ui.timer(0.12, self._step, active=False)

    async def _play(self) -> None:
        """Compute the run, then show it growing."""
        try:
            self.found = await self.visitor.compute(lambda: trajectory(str(self.game.value), str(self.rule.value)))
        except PokerlabError as problem:
            self.words.set_text(str(problem))
            return
        self.count = 0
        self.box.clear()
        three = len(self.found.actions) == 3
        axes = {
            name: {"title": {"text": action}, "min": 0}
            for name, action in zip(("aaxis", "baxis", "caxis"), self.found.actions, strict=False)
        }
        layout: dict[str, Any] = (
            {"ternary": axes | {"sum": 1, "bgcolor": "rgba(0,0,0,0)"}, "margin": {"t": 40, "l": 60, "r": 60}}
            if three
            else {
                "xaxis": {"title": {"text": "iteration"}},
                "yaxis": {"title": {"text": "average strategy"}, "range": [0, 1]},
            }
        )
        with self.box:
            self.chart = plot([], label="The average and the current strategy of the first player", **layout)
            self.chart.style("height: 420px")
        self.timer.activate()

    def _step(self) -> None:
        found = self.found
        if found is None:
            return
        total = len(found.average)
        self.count = min(total, self.count + max(1, self.count // 8))
        average, current = found.average[: self.count], found.current[: self.count]
        self.chart.figure["data"] = (
            _ternary(average, current) if len(found.actions) == 3 else _lines(average, found.actions)
        )
        self.chart.update()
        self.words.set_text(
            f"iteration {self.count} of {total}: average {', '.join(f'{share:.3f}' for share in average[-1])}"
        )
        if self.count >= total:
            self.timer.deactivate()


def _ternary(average: np.ndarray, current: np.ndarray) -> list[dict[str, Any]]:
    def points(rows: np.ndarray, **more: Any) -> dict[str, Any]:
        return {"type": "scatterternary", **dict(zip("abc", rows.T.tolist(), strict=True)), **more}

    last = points(average[-1:], mode="markers", name="now", marker={"size": 12})
    return [
        points(
            current, mode="markers", name="current strategy", marker={"size": 5, "opacity": 0.4, "symbol": "square"}
        ),
        points(average, mode="lines", name="average", line={"width": 2}),
        last,
    ]


def _lines(average: np.ndarray, actions: tuple[str, ...]) -> list[dict[str, Any]]:
    x = list(range(1, len(average) + 1))
    return [
        {"x": x, "y": average[:, number].tolist(), "mode": "lines", "name": name} for number, name in enumerate(actions)
    ]
