"""Before the flop and in tournaments: push or fold for any stacks and prizes, ICM, deals and bubble factors."""

from __future__ import annotations

from typing import Any

import numpy as np
from nicegui import ui

from pokerlab.app.theme import action_button, frame, heading, panel, plot
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.hand_grid import HandGrid, mix_cells, number_cells
from pokerlab.app.widgets.job_list import job_list, progress_text
from pokerlab.app.widgets.node_html import plain_table
from pokerlab.display.elements.grid import Scale
from pokerlab.display.elements.palette import BETS, FOLD, VALUES
from pokerlab.errors import PokerlabError
from pokerlab.lab.preflop.push_fold import HeadsUp, push_fold, stakes
from pokerlab.lab.tournament.chip_values import ChipValues, chip_values

MOST_TEXT = 200  # characters of stacks and payouts
MOST_SHOWN = 10  # players in a table of bubble factors
LARGEST_STACK = 30  # big blinds, of the slider
EVERY = 0.7  # seconds between looks at a job


def show(visitor: Visitor, job_id: str) -> None:
    """The page before the flop."""
    with frame(visitor, "Preflop", active="/preflop"):
        heading("Before the flop and in tournaments")
        HeadsUpPanel(visitor)
        TablePanel(visitor, job_id)
        IcmPanel(visitor)


def act_cells(shares: np.ndarray, word: str) -> list[Any]:
    """Cells of a chart: how often each class acts, else it folds."""
    both = np.stack([shares, 1 - shares], axis=1)
    return mix_cells(both, (BETS[1], FOLD), (word, "fold"))


def ev_cells(evs: np.ndarray) -> list[Any]:
    """Cells with the EV of acting, in big blinds or prizes."""
    known = evs[~np.isnan(evs)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    return number_cells(evs, Scale(low, high, VALUES))


class HeadsUpPanel:
    """Heads-up, exactly, at once: the chart follows the sliders."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.amounts: dict[str, float] = {"small": 10, "big": 10, "ante": 0}
        self._asked = 0
        self.shows_ev = False
        with panel("Push or fold, heads-up"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields roomy"):
                self._slider("small", "Stack of the small blind", 1, LARGEST_STACK, 0.5)
                self._slider("big", "Stack of the big blind", 1, LARGEST_STACK, 0.5)
                self._slider("ante", "Ante of each player", 0, 1, 0.05)
            with ui.element("div").classes("line"):
                self.words = ui.label("").props('aria-live="polite"')
                self.switch = action_button("Show EV", self._toggle, kind="slim")
            with ui.element("div").classes("columns two"):
                with ui.element("div"):
                    self.push_title = heading("The small blind pushes", 3)
                    self.push = HandGrid("hands that the small blind pushes")
                with ui.element("div"):
                    self.call_title = heading("The big blind calls", 3)
                    self.call = HandGrid("hands that the big blind calls")
        self._changed()

    def _slider(self, name: str, words: str, least: float, most: float, step: float) -> None:
        with ui.element("div"):
            shown = ui.label("").classes("small")

            def changed(event: Any) -> None:
                value = min(most, max(least, float(event.value if event.value is not None else least)))
                self.amounts[name] = value
                shown.set_text(f"{words}: {value:g} bb")
                self._changed()

            shown.set_text(f"{words}: {self.amounts[name]:g} bb")
            slider = ui.slider(min=least, max=most, step=step, value=self.amounts[name], on_change=changed)
            slider.props(f'aria-label="{words}, big blinds"')

    def _toggle(self) -> None:
        self.shows_ev = not self.shows_ev
        self.switch.set_text("Show actions" if self.shows_ev else "Show EV")
        self._changed()

    def _changed(self) -> None:
        self._asked += 1
        asked = self._asked
        ui.timer(0.05, lambda: self._look(asked), once=True)

    async def _look(self, asked: int) -> None:
        if asked != self._asked:
            return
        try:
            solved = await self.visitor.compute(self._solve)
        except PokerlabError as trouble:
            self.words.set_text(str(trouble))
            return
        if asked == self._asked:
            self._draw(solved)

    def _solve(self) -> HeadsUp:
        amounts = self.amounts
        solved = push_fold(stakes(stacks=f"{amounts['small']:g},{amounts['big']:g}", ante=f"{amounts['ante']:g}"))
        _ = solved.value, solved.evs
        return solved

    def _draw(self, solved: HeadsUp) -> None:
        pushes, calls = (np.asarray(acts, float) for acts in solved.strategy.acts)
        push_share, call_share = solved.game.frequencies(*solved.strategy.acts)
        self.words.set_text(
            f"The small blind wins {100 * solved.value:+.2f} bb per 100 hands; pushes {100 * push_share:.1f} % of "
            f"hands, and is called by {100 * call_share:.1f} %."
        )
        if self.shows_ev:
            self.push.show(ev_cells(np.asarray(solved.evs[0][1])))
            self.call.show(ev_cells(np.asarray(solved.evs[1][1])))
        else:
            self.push.show(act_cells(pushes, "push"))
            self.call.show(act_cells(calls, "call"))


class TablePanel:
    """Three to nine players, for chips or prizes: a job, whose charts are shown by seat."""

    def __init__(self, visitor: Visitor, job_id: str) -> None:
        self.visitor, self.job_id = visitor, job_id
        self.decisions: list[dict[str, Any]] = []
        with panel("Push or fold, 3 to 9 players"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields roomy"):
                self.stacks = self._field("Stacks in the order of acting, big blind last", "12,8,20")
                self.payouts = self._field("Prizes from the first place (empty: chips)", "50,30,20")
                self.ante = self._field("Ante", "0")
                self.big_blind_ante = self._field("Big blind ante", "0")
                self._sliders()
            self.error = ui.label("").classes("problem small").props('role="alert"')
            with ui.element("div").classes("line"):
                action_button("Solve", self._submit, kind="main-act")
                self.words = ui.label("").classes("dim small").props('aria-live="polite"')
            with ui.element("div").classes("stack") as self.result:
                self.choice = ui.select({}, label="Decision", on_change=self._chosen).props("outlined dense")
                self.facts = ui.label("").classes("small")
                self.grid = HandGrid("hands that go all-in")
            self.result.set_visibility(False)
            with ui.expansion("Solved tables").classes("wide-field"):
                job_list(visitor, kinds=("pushfold",), most=10)
        if job_id:
            self.timer = ui.timer(EVERY, self._look)

    def _sliders(self) -> None:
        """Sliders that fill the fields: a number of players with equal stacks, and the ante."""
        amounts = {"players": 3.0, "stack": 10.0}

        def add(name: str, words: str, least: float, most: float, *, step: float, value: float) -> None:
            with ui.element("div"):
                shown = ui.label(f"{words}: {value:g}").classes("small")

                def changed(event: Any) -> None:
                    number = min(most, max(least, float(event.value if event.value is not None else least)))
                    shown.set_text(f"{words}: {number:g}")
                    if name == "ante":
                        self.ante.value = f"{number:g}"
                        return
                    amounts[name] = number
                    self.stacks.value = ",".join([f"{amounts['stack']:g}"] * int(amounts["players"]))

                ui.slider(min=least, max=most, step=step, value=value, on_change=changed).props(f'aria-label="{words}"')

        add("players", "Players", 3, 9, step=1, value=3)
        add("stack", "Stack of each, bb", 1, LARGEST_STACK, step=0.5, value=10)
        add("ante", "Ante, bb", 0, 1, step=0.05, value=0)

    def _field(self, words: str, value: str) -> Any:
        return ui.input(words, value=value).props(f"outlined dense maxlength={MOST_TEXT}")

    def _submit(self) -> None:
        settings = {"stacks": self.stacks.value, "payouts": self.payouts.value, "ante": self.ante.value}
        settings |= {"big_blind_ante": self.big_blind_ante.value}
        settings = {name: str(value or "")[:MOST_TEXT].strip() for name, value in settings.items()}
        from pokerlab.lab.preflop.push_fold_table import table_stakes

        try:
            amounts = {name: settings[name] or "0" for name in ("ante", "big_blind_ante")}
            table = table_stakes(settings["stacks"], payouts=settings["payouts"] or None, **amounts)
            job = self.visitor.submit("pushfold", f"Push or fold {table.text()}", settings)
        except PokerlabError as trouble:
            self.error.set_text(str(trouble))
            return
        self.visitor.opened(f"/preflop?job={job.id}", job.title)
        ui.navigate.to(f"/preflop?job={job.id}")

    def _look(self) -> None:
        """Follow the job of this page."""
        job = next((one for one in self.visitor.jobs() if one.id == self.job_id), None)
        if job is None:
            self.timer.deactivate()
            return
        self.words.set_text(f"{job.title}: {job.state}. {job.problem or progress_text(self.visitor, job)}")
        if job.is_active:
            return
        self.timer.deactivate()
        found = self.visitor.shelf.folder(job.id).result()
        self.decisions, self.unit = found.get("decisions", []), str(found.get("unit", ""))
        if self.decisions:
            options = {number: _named(one) for number, one in enumerate(self.decisions)}
            self.result.set_visibility(True)
            self.choice.set_options(options, value=0)
            self._draw(0)

    def _chosen(self, event: Any) -> None:
        if isinstance(event.value, int) and event.value < len(self.decisions):
            self._draw(event.value)

    def _draw(self, number: int) -> None:
        one = self.decisions[number]
        shares = np.array([row["all_in"] or 0.0 for row in one["hands"]], float)
        self.grid.show(act_cells(shares, one["kind"]), label=_named(one))
        self.facts.set_text(f"{100 * one['share']:.1f} % of hands: {one['range']}")


def _named(decision: dict[str, Any]) -> str:
    """A decision in words: "SB push", "BB call against SB"."""
    against = ", ".join(decision["against"])
    return f"{decision['seat']} {decision['kind']}" + (f" against {against}" if against else "")


class IcmPanel:
    """The value of tournament stacks, deals, and bubble factors."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self._asked = 0
        with panel("ICM, deals and bubble factors"), ui.element("div").classes("stack"):
            with ui.element("div").classes("fields roomy"):
                self.fields = {
                    name: ui.input(words, value=value, on_change=self._changed).props(
                        f"outlined dense debounce=250 maxlength={MOST_TEXT}"
                    )
                    for name, words, value in (
                        ("stacks", "Stacks", "5000,3000,1500,500"),
                        ("payouts", "Prizes from the first place", "50,30,20"),
                        ("bounties", "Bounties (may be empty)", ""),
                    )
                }
            self.error = ui.label("").classes("problem small").props('role="alert"')
            with ui.element("div").classes("columns two"):
                with ui.element("div").classes("stack"):
                    self.table = ui.html("", sanitize=False)
                    self.pairs = ui.html("", sanitize=False)
                self.chart = plot(
                    [{"x": [], "y": [], "mode": "lines", "name": "value"}],
                    label="Value of the first player's stack by its size",
                    xaxis={"title": {"text": "chips of player 1"}},
                    yaxis={"title": {"text": "value"}},
                    showlegend=False,
                )
        self._changed()

    def _changed(self, _: Any = None) -> None:
        self._asked += 1
        asked = self._asked
        ui.timer(0.05, lambda: self._look(asked), once=True)

    async def _look(self, asked: int) -> None:
        if asked != self._asked:
            return
        words = {name: str(field.value or "")[:MOST_TEXT] for name, field in self.fields.items()}
        try:
            values, curve = await self.visitor.compute(_valued, words)
        except PokerlabError as trouble:
            self.error.set_text(str(trouble))
            return
        if asked == self._asked:
            self.error.set_text("")
            self._draw(values, curve)

    def _draw(self, values: ChipValues, curve: tuple[np.ndarray, np.ndarray]) -> None:
        rows = [
            (
                number + 1,
                f"{float(stack):g}",
                f"{value:.3f}",
                f"{float(chop):.3f}",
                f"{100 * values.places[number, 0]:.1f} %",
            )
            for number, (stack, value, chop) in enumerate(
                zip(values.stacks, values.values, values.chip_chop, strict=True)
            )
        ]
        heads = ("player", "chips", "ICM value", "chip chop", "wins")
        self.table.set_content(str(plain_table(heads, rows[:60])))
        self.pairs.set_content(_pairs_html(values))
        x, y = (np.asarray(numbers).tolist() for numbers in curve)
        mine = {
            "x": [float(values.stacks[0])],
            "y": [float(values.values[0])],
            "mode": "markers",
            "marker": {"size": 11},
        }
        self.chart.figure["data"] = [{"x": x, "y": y, "mode": "lines"}, mine]
        self.chart.update()


def _valued(words: dict[str, str]) -> tuple[ChipValues, tuple[np.ndarray, np.ndarray]]:
    values = chip_values(stacks=words["stacks"], payouts=words["payouts"], bounties=words["bounties"].strip() or None)
    return values, values.curve()


def _pairs_html(values: ChipValues) -> str:
    """The bubble factors of all pairs of a few players."""
    if values.pressure is None or len(values.stacks) > MOST_SHOWN:
        return ""
    players = range(len(values.stacks))
    factor, needed = values.pressure.bubble_factor, values.pressure.needed_equity
    rows = [
        (
            f"{one + 1}",
            *(
                "–" if np.isnan(factor[one, other]) else f"{factor[one, other]:.2f} ({100 * needed[one, other]:.0f} %)"
                for other in players
            ),
        )
        for one in players
    ]
    return str(plain_table(("bubble factor", *(f"against {other + 1}" for other in players)), rows))
