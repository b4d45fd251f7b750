"""Train yourself: random decisions of a solution, what it does, what a choice costs, and a score."""

from __future__ import annotations

from typing import Any

import numpy as np
from markupsafe import Markup
from nicegui import ui

from pokerlab.app.theme import action_button, dim, frame, heading, panel, text
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets import node_html
from pokerlab.app.widgets.cards import show_cards
from pokerlab.cards.card import FULL_DECK
from pokerlab.display.browse.node import action_colours, chips, percent_text
from pokerlab.display.elements.palette import css
from pokerlab.errors import PokerlabError
from pokerlab.lab.jobs.kinds import SOLUTION
from pokerlab.lab.play.trainer import CHARTS, Answer, PushFoldTrainer, Question, Score, SpotTrainer, Trainer

CHART = "chart:"  # prefix of a source that is a chart


def show(visitor: Visitor, source: str) -> None:
    """The trainer."""
    with frame(visitor, "Train", active="/train"):
        heading("Train yourself")
        dim("Choose, then see what the solution does and what your choice costs.")
        Training(visitor, source)


class Training:
    """Questions, one after the other."""

    def __init__(self, visitor: Visitor, source: str) -> None:
        self.visitor, self.solutions = visitor, visitor.house.solutions
        self.rng = np.random.default_rng()
        self.score = Score.of(visitor.recall("score"))
        self.question: Question | None = None
        self.trainer: Trainer | None = None
        sources = self._sources()
        start = source if source in sources else next(iter(sources))
        with ui.element("div").classes("columns wide"):
            with panel(kind="stack"):
                chosen = ui.select(sources, value=start, label="What to train", on_change=self._chosen)
                chosen.props("outlined dense").classes("wide-field")
                self.table = ui.element("div").classes("felt").props('aria-live="polite"')
                self.choices = ui.element("div").classes("line").props('role="group" aria-label="Your choice"')
                self.verdict = ui.element("div").classes("stack").props('aria-live="polite"')
                ui.html("Keys: <kbd>1</kbd> to <kbd>9</kbd> choose, <kbd>n</kbd> next", sanitize=False).classes("keys")
            with panel("Score"):
                self.scores = ui.html("", sanitize=False)
                action_button("Start the score again", self._reset, kind="slim")
        self._draw_score()
        ui.timer(0.01, lambda: self._open(start), once=True)

    def _sources(self) -> dict[str, str]:
        """What can be trained: charts, and the solved spots of the visitor."""
        charts = {f"{CHART}{stack}": f"Push or fold, {stack} big blinds" for stack in CHARTS}
        shelf = self.visitor.shelf
        spots = {
            job.id: job.title
            for job in self.visitor.jobs()
            if job.kind == "spot" and shelf.folder(job.id).file(SOLUTION).exists()
        }
        return spots | {f"{CHART}10": charts.pop(f"{CHART}10")} | charts

    async def _chosen(self, event: Any) -> None:
        await self._open(str(event.value))

    async def _open(self, source: str) -> None:
        """Open a source, and ask the first question."""
        try:
            self.trainer = await self.visitor.compute(self._trainer, source)
        except (PokerlabError, OSError) as problem:
            ui.notify(str(problem), type="negative")
            return
        title = self._sources().get(source, "").removeprefix("Spot ")
        self.visitor.opened(f"/train?source={source}", f"training, {title}")
        await self._ask()

    def _trainer(self, source: str) -> Trainer:
        if source.startswith(CHART):
            stack = source.removeprefix(CHART)
            return PushFoldTrainer(stack if stack in CHARTS else CHARTS[0])
        job = self.visitor.shelf.get(source)
        solution, _ = self.solutions.open(self.visitor.shelf.folder(source).file(SOLUTION))
        return SpotTrainer(solution, job.title)

    async def _ask(self) -> None:
        if self.trainer is None:
            return
        try:
            self.question = await self.visitor.compute(self.trainer.ask, self.rng)
        except PokerlabError as problem:
            ui.notify(str(problem), type="negative")
            return
        self._draw_question(self.question)

    def _draw_question(self, question: Question) -> None:
        self.table.clear()
        self.choices.clear()
        self.verdict.clear()
        with self.table:
            if question.board:
                show_cards(FULL_DECK, FULL_DECK.cards(question.board), kind="big")
            ui.label(f"Pot {question.pot:g} {question.unit}").classes("pot")
            moves = ", ".join(question.moves)
            ui.label(f"Before you: {moves}" if moves else "Nobody has acted yet").classes("dim")
            ui.label(f"You are {'the ' if 'blind' in question.seat else ''}{question.seat}")
            show_cards(FULL_DECK, FULL_DECK.cards(question.hand), kind="big")
        with self.choices:
            for number, action in enumerate(question.actions):
                button = action_button(action, lambda action=action: self._answer(action))
                button.props(f'data-key="{number + 1}" title="key {number + 1}"')

    def _answer(self, choice: str) -> None:
        question = self.question
        if question is None:
            return
        try:
            answer = question.answer(choice)
        except PokerlabError:
            return
        self.question = None
        self.score.add(answer)
        self.visitor.remember("score", self.score.rows)
        self.choices.clear()
        with self.choices:
            button = action_button("Next", self._ask, kind="main-act")
            button.props('data-key="n" title="key n"')
        self._draw_answer(answer)
        self._draw_score()

    def _draw_answer(self, answer: Answer) -> None:
        question = answer.question
        self.verdict.clear()
        with self.verdict:
            words = {
                "best": f"{answer.choice}: nothing lost",
                "small mistake": f"{answer.choice}: a small mistake",
                "mistake": f"{answer.choice}: a mistake",
            }[answer.grade]
            lost = "" if answer.grade == "best" else f", {answer.cost:.2f} {question.unit} lost"
            kind = "good" if answer.grade == "best" else "problem"
            text(f"{words}{lost}. The solution does it {100 * answer.frequency:.0f} % of the time.", kind=kind)
            ui.html(str(_answer_table(question, answer.choice)), sanitize=False)

    def _draw_score(self) -> None:
        rows = [
            (source, street, f"{count:,}", percent_text(best), f"{100 * cost:.2f} %")
            for source, street, count, best, cost in self.score.table()
        ]
        heads = ("what", "street", "decisions", "without mistake", "mean cost, of the pot")
        self.scores.set_content(
            str(node_html.plain_table(heads, rows)) if rows else "<p class='dim'>No decisions yet.</p>"
        )

    def _reset(self) -> None:
        self.score = Score()
        self.visitor.remember("score", {})
        self._draw_score()


def _answer_table(question: Question, choice: str) -> Markup:
    """Each action with its share and its EV."""
    colours = [css(colour) for colour in action_colours(question.actions)]
    lines = []
    for action, share, value, colour in zip(
        question.actions, question.frequencies, question.values, colours, strict=True
    ):
        mine = Markup("<b>{}</b>").format(action) if action == choice else Markup("{}").format(action)
        lines.append(
            Markup("<tr><td>{}{}</td><td>{}</td><td>{}</td></tr>").format(
                node_html.swatch(colour), mine, percent_text(share), chips(value)
            )
        )
    heads = Markup("<th>action</th><th>the solution</th><th>EV, {}</th>").format(question.unit)
    return node_html.table(heads, lines)
