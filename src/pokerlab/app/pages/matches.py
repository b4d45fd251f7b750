"""Matches: agents against each other, with intervals that shrink; the cross table, single hands, and SQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel, plot
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.job_list import job_list, progress_text
from pokerlab.app.widgets.node_html import plain_table
from pokerlab.app.widgets.replayer import Replayer
from pokerlab.display.elements import palette
from pokerlab.display.elements.numbers import counted
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.kinds import HANDS
from pokerlab.lab.jobs.names import checked_name, library_names
from pokerlab.lab.jobs.record import Job
from pokerlab.lab.play.queries import Reply, ask_apart
from pokerlab.match.run.match import MatchSettings

EVERY = 0.5  # seconds between looks
MOST_HANDS, MOST_ROWS, MOST_QUERY = 1_000_000, 200, 2_000
QUERY_SECONDS = 10.0
EXAMPLE = "select agent, count(*) as hands, avg(payoff) as mean from players group by agent"


def show(visitor: Visitor, job_id: str) -> None:
    """The page of matches."""
    with frame(visitor, "Matches", active="/matches"):
        heading("Matches")
        if job_id:
            MatchMonitor(visitor, job_id)
        _form(visitor, visitor.settings_of(job_id))
        with panel("Played and running"):
            job_list(visitor, kinds=("match", "tournament"), most=20)


def _form(visitor: Visitor, settings: Mapping[str, Any]) -> None:
    """The form of a match, with the settings of the match that is shown."""
    agents_before = list(settings.get("agents", ("formula", "random")))
    names = [*library_names("agents"), *(name for name in agents_before if name not in library_names("agents"))]
    with panel("A new match"), ui.element("div").classes("stack"):
        with ui.element("div").classes("fields roomy"):
            game = ui.input(
                "Game", value=str(settings.get("game", "leduc")), autocomplete=library_names("games")
            ).props("outlined dense maxlength=200")
            agents = ui.select(names, label="Agents", value=agents_before, multiple=True, new_value_mode="add-unique")
            agents.props("outlined dense use-chips")
            hands = ui.number("Hands", value=settings.get("hands", 10_000), min=2, max=MOST_HANDS).props(
                "outlined dense"
            )
            seed = ui.number("Seed", value=settings.get("seed", 0), min=0).props("outlined dense")
        duplicate = ui.checkbox("Duplicate: every deal from every seat", value=bool(settings.get("duplicate", True)))
        error = ui.label("").classes("problem small").props('role="alert"')

        def submit(kind: str) -> None:
            chosen = [str(name) for name in agents.value or []][:9]
            settings: dict[str, Any] = {
                "game": str(game.value or ""),
                "agents": chosen,
                "duplicate": bool(duplicate.value),
            }
            settings |= {"hands": min(MOST_HANDS, int(hands.value or 2)), "seed": int(seed.value or 0)}
            try:
                table = checked_name("games", settings["game"])
                checked = [checked_name("agents", name) for name in chosen]
                MatchSettings.of(
                    table, checked if kind == "match" else checked[:2], hands=settings["hands"], seed=settings["seed"]
                )
                job = visitor.submit(kind, f"{' v '.join(chosen)}, {table}", settings)
            except PokerlabError as problem:
                error.set_text(str(problem))
                return
            visitor.opened(f"/matches?job={job.id}", job.title)
            ui.navigate.to(f"/matches?job={job.id}")

        with ui.element("div").classes("line"):
            action_button("Play the match", lambda: submit("match"), kind="main-act")
            action_button("Play a round robin", lambda: submit("tournament"))
        dim("An agent may have settings: type formula(bluff=0.2) and press Enter.").classes("small")


class MatchMonitor:
    """A match while it is played, and afterwards."""

    def __init__(self, visitor: Visitor, job_id: str) -> None:
        self.visitor, self.job_id = visitor, job_id
        self._offset = 0
        self.standings: list[dict[str, Any]] = []
        with panel("The match"), ui.element("div").classes("stack"):
            self.words = ui.label("").props('aria-live="polite"')
            self.table = ui.html("", sanitize=False)
            self.box = ui.element("div")
        self.hands = ui.element("div").classes("stack").style("margin: 1rem 0")
        self.chart: Any = None
        self.timer = ui.timer(EVERY, self._look)

    def _look(self) -> None:
        job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        if job is None:
            self.words.set_text("there is no such match")
            self.timer.deactivate()
            return
        lines, self._offset = self.visitor.shelf.folder(self.job_id).progress(self._offset)
        new = [line["standing"] for line in lines if "standing" in line]
        self.standings += new
        self.words.set_text(f"{job.title}: {job.state}. {job.problem or progress_text(self.visitor, job)}")
        if new:
            (self._draw if job.kind == "match" else self._draw_pairs)()
        if not job.is_active:
            self.timer.deactivate()
            self._draw_result(job)

    def _draw(self) -> None:
        """The means so far, with their intervals as bands."""
        last = self.standings[-1]
        rows = [
            (agent, _number(mean), "–" if half is None else f"± {half:.1f}")
            for agent, mean, half in zip(last["agents"], last["means"], last["half_widths"], strict=True)
        ]
        self.table.set_content(
            str(plain_table((f"after {last['hands']:,} hands", last["unit"], "95 % interval"), rows))
        )
        self._chart("Winnings of each agent by hands, with 95 % intervals", last["unit"])
        self.chart.figure["data"] = [
            trace
            for number, agent in enumerate(last["agents"])
            for trace in _band(self.standings, number, agent, palette.LINES[number % len(palette.LINES)])
        ]
        self.chart.update()

    def _draw_pairs(self) -> None:
        """The matches of a round robin so far: the winnings of the first of each pair, and a cross table."""
        pairs: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for one in self.standings:
            pairs.setdefault(tuple(one["agents"]), []).append(one)
        last = self.standings[-1]
        agents = list(dict.fromkeys(name for pair in pairs for name in pair))
        cells = {}
        for pair, standings in pairs.items():
            for me, other in ((0, 1), (1, 0)) if len(pair) == 2 else ():
                cells[pair[me], pair[other]] = _interval(standings[-1]["means"][me], standings[-1]["half_widths"][me])
        rows = [(agent, *(cells.get((agent, other), "–") for other in agents)) for agent in agents]
        self.table.set_content(str(plain_table((last["unit"], *agents), rows)))
        self._chart("Winnings of the first agent of each pair by hands, with 95 % intervals", last["unit"])
        self.chart.figure["data"] = [
            trace
            for number, (pair, standings) in enumerate(pairs.items())
            for trace in _band(standings, 0, " v ".join(pair), palette.LINES[number % len(palette.LINES)])
        ]
        self.chart.update()

    def _chart(self, label: str, unit: str) -> None:
        """Make the plot when there is something to draw."""
        if self.chart is None:
            with self.box:
                axes = {"xaxis": {"title": {"text": "hands"}}, "yaxis": {"title": {"text": unit}}}
                self.chart = plot([], label=label, **axes)

    def _draw_result(self, job: Job) -> None:
        found = self.visitor.shelf.folder(job.id).result()
        if job.kind == "tournament" and found.get("agents"):
            self.table.set_content(_crosstable(found))
        self.hands.clear()
        if self.visitor.shelf.folder(job.id).file(HANDS).exists():
            with self.hands:
                Hands(self.visitor, job.id)


class Hands:
    """The hands of a finished match: one by one, and by SQL."""

    def __init__(self, visitor: Visitor, job_id: str) -> None:
        self.visitor = visitor
        self.path = visitor.shelf.folder(job_id).file(HANDS)
        with panel("Hand by hand"), ui.element("div").classes("stack"):
            Replayer(visitor, self.path)
        with panel("SQL over the hands"), ui.element("div").classes("stack"):
            dim("Tables: hands, players, matches, blocks, actions. Queries can only read, and only these hands.")
            self.query = ui.textarea("Query", value=EXAMPLE).props(f"outlined dense autogrow maxlength={MOST_QUERY}")
            self.query.classes("wide-field")
            with ui.element("div").classes("line"):
                action_button("Run", self._run)
                self.words = ui.label("").classes("dim small").props('aria-live="polite"')
            self.answer = ui.html("", sanitize=False)
            self.error = ui.label("").classes("problem small").props('role="alert"')

    async def _run(self) -> None:
        text = str(self.query.value or "")[:MOST_QUERY]

        def answer() -> Reply:
            return ask_apart(self.path, text, most=MOST_ROWS, seconds=QUERY_SECONDS)

        self.error.set_text("")
        self.answer.set_content("")
        self.words.set_text("the query runs")
        try:
            reply = await self.visitor.compute(answer)
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            self.words.set_text("")
            return
        self.words.set_text(f"the first {MOST_ROWS} rows" if reply.more else counted(len(reply.rows), "row"))
        self.answer.set_content(str(plain_table(reply.columns, reply.rows)))


def _band(standings: list[dict[str, Any]], number: int, name: str, colour: str) -> list[dict[str, Any]]:
    """A line with the band of its intervals."""
    known = [one for one in standings if one["means"][number] is not None]
    hands = [one["hands"] for one in known]
    means = np.array([one["means"][number] for one in known], float)
    halves = np.array([one["half_widths"][number] or 0.0 for one in known], float)
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    band = {
        "x": hands + hands[::-1],
        "y": [*(means + halves).tolist(), *(means - halves)[::-1].tolist()],
        "fill": "toself",
        "fillcolor": f"rgba({red},{green},{blue},.2)",
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
    }
    line = {"x": hands, "y": means.tolist(), "name": name, "mode": "lines", "line": {"color": colour, "width": 2}}
    return [band, line]


def _interval(mean: float | None, half: float | None) -> str:
    """A mean with the half width of its interval."""
    return f"{_number(mean)}" + ("" if half is None else f" ± {half:.1f}")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:+.1f}"


def _crosstable(found: dict[str, Any]) -> str:
    """Every agent against every other, with the half widths of their intervals."""
    agents = found["agents"]
    unit = next(
        name
        for name in found
        if name not in ("summary", "game", "hands", "agents", "half_widths", "bankroll", "runoff")
    )
    rows = [
        (
            agent,
            *(
                "–" if i == j else _interval(found[unit][i][j], abs(found["half_widths"][i][j] or 0))
                for j in range(len(agents))
            ),
        )
        for i, agent in enumerate(agents)
    ]
    ranking = ", ".join(str(one["agent"]) for one in found["bankroll"])
    return str(plain_table((unit, *agents), rows)) + str(plain_table(("ranking by winnings",), [(ranking,)]))
