"""A table as it is drawn: seats, cards and chips, what was done, and the buttons of the person."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button
from pokerlab.app.widgets.cards import cards_html
from pokerlab.display.elements.numbers import game_title
from pokerlab.display.play.session import result_words, said
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import round_name
from pokerlab.games.poker.typed import street_base
from pokerlab.lab.play.live_table import NEXT, LiveTable, Snapshot
from pokerlab.lab.play.playing import PERSON
from pokerlab.match.table.session import HandEnds, PlayerActs

PARTS = {"1/3": "33%", "1/2": "50%", "3/4": "75%", "pot": "100%"}


class TableView:
    """Draws the snapshots of a table."""

    def __init__(self, table: LiveTable, *, on_leave: Callable[[], Any]) -> None:
        self.live, self.game = table, table.seating.game
        self._discards: set[int] = set()
        self._last: View | None = None
        with ui.element("div").classes("columns wide"):
            with ui.element("div").classes("stack"):
                with ui.element("div").classes("spread"):
                    ui.label(_title(self.game)).classes("heading level-2")
                    self.standing = ui.label("").classes("dim")
                self.felt = (
                    ui.element("div").classes("felt").props('aria-live="polite" aria-label="The table" role="region"')
                )
                self.message = ui.label("").classes("problem").props('role="alert"')
                self.bar = ui.element("div").classes("line").props('role="group" aria-label="Your action"')
                ui.html(
                    "Keys: <kbd>f</kbd> fold, <kbd>c</kbd> check or call, <kbd>r</kbd> bet or raise, "
                    "<kbd>n</kbd> next hand",
                    sanitize=False,
                ).classes("keys")
            with ui.element("section").classes("panel").props('aria-label="This hand"'):
                ui.label("This hand").classes("heading level-2")
                self.tale = ui.element("div").classes("tale")
                action_button("Leave the table", on_leave, kind="slim")

    def draw(self, snapshot: Snapshot) -> None:
        """Draw the table now."""
        view = snapshot.view
        if view is None and snapshot.end is not None:
            seat = snapshot.names.index(PERSON)
            view = self.game.view(snapshot.end.state, seat)
        if view is not None:
            if view is not self._last:
                self._discards.clear()
            self._last = view
            self._draw_felt(view, snapshot)
        self.message.set_text(snapshot.message or snapshot.problem)
        blind = max(self.game.rules.blinds) or 1
        blinds = f" ({snapshot.won / blind:+.1f} big blinds)" if self.game.unit == 1 else ""
        self.standing.set_text(
            f"{snapshot.hands} hands, {snapshot.won:+g}{blinds}" if snapshot.hands else "the first hand"
        )
        self._draw_tale(snapshot)
        self._draw_bar(snapshot)

    # ---- the felt ----------------------------------------------------------------------------------------------------

    def _draw_felt(self, view: View, snapshot: Snapshot) -> None:
        self.felt.clear()
        others = [(view.seat + step) % self.game.players for step in range(1, self.game.players)]
        with self.felt:
            with ui.element("div").classes("seats"):
                for seat in others:
                    self._seat(view, seat, snapshot)
            with ui.element("div").classes("line board-row"):
                if view.board:
                    ui.html(cards_html(self.game.deck, view.board, kind="big"), sanitize=False, tag="span")
                ui.label(f"pot {self.game.chips(view.pot):g}").classes("pot chip")
            if not snapshot.end:
                ui.label(round_name(self.game, view.round)).classes("dim small")
            with ui.element("div").classes("seats"):
                self._seat(view, view.seat, snapshot)

    def _seat(self, view: View, seat: int, snapshot: Snapshot) -> None:
        game, mine = self.game, seat == view.seat
        alive = bool(view.betting.alive >> seat & 1)
        acts = not snapshot.end and view.betting.actor == seat
        shown = view.cards if mine else view.shown[seat] if view.shown else ()
        hidden = 0 if shown or not alive else len(view.cards)
        with ui.element("div").classes(f"seat {'acting' if acts else ''} {'' if alive or mine else 'out'}"):
            button = " · button" if seat == view.button and game.players > 1 else ""
            ui.label(f"{snapshot.names[seat]}{button}").classes("name")
            if mine and view.legal.discards >= 0 and not snapshot.end:
                self._exchange(view)
            elif shown or hidden:
                ui.html(
                    cards_html(game.deck, shown, hidden=hidden, kind="big" if mine else ""), sanitize=False, tag="span"
                )
            else:
                ui.label("folded").classes("dim small")
            chips = f"in {game.chips(view.spent[seat]):g}"
            if game.rules.stacks is not None:
                chips += f" · behind {game.chips(view.stacks[seat]):g}"
            ui.label(chips).classes("dim small")
            won = snapshot.end.returns[seat] if snapshot.end else 0.0
            if won > 0:
                ui.label(f"wins {won:g}").classes("good")

    def _exchange(self, view: View) -> None:
        """The person's cards as buttons: those that are pressed are exchanged."""
        with ui.element("div").classes("line"):
            for card in view.cards:
                name = self.game.deck.name(card)
                button = ui.element("button").classes(f"card big {name[-1]}")
                button.props(f'type="button" aria-pressed="false" aria-label="exchange {name}"')
                with button:
                    ui.html(
                        cards_html(self.game.deck, [card]).replace('class="card', 'class="bare'),
                        sanitize=False,
                        tag="span",
                    )

                def toggle(card: int = card, button: Any = button) -> None:
                    self._discards ^= {card}
                    button.props["aria-pressed"] = str(card in self._discards).lower()
                    button.update()

                button.on("click", toggle)

    # ---- what was done -----------------------------------------------------------------------------------------------

    def _draw_tale(self, snapshot: Snapshot) -> None:
        self.tale.clear()
        with self.tale:
            for event in snapshot.events:
                if isinstance(event, PlayerActs):
                    ui.label(said(self.game, event.state, event.action, event.name))
                elif isinstance(event, HandEnds):
                    for line in result_words(self.game, event.state, event.names, event.returns):
                        ui.label(line.plain).classes("good" if "win" in line.plain else "")

    # ---- the person's buttons ----------------------------------------------------------------------------------------

    def _draw_bar(self, snapshot: Snapshot) -> None:
        self.bar.clear()
        view = snapshot.view
        with self.bar:
            if snapshot.end is not None:
                self._button("Next hand", NEXT, key="n", kind="main-act")
            elif view is not None:
                self._choices(view)
            elif snapshot.is_open:
                ui.label("the others act").classes("dim")

    def _choices(self, view: View) -> None:
        legal, game = view.legal, self.game
        if legal.discards >= 0:
            exchange = action_button(
                "Exchange",
                lambda: self.live.act(f"d {game.text(sorted(self._discards))}" if self._discards else "pat"),
                kind="main-act",
            )
            exchange.props('data-key="c"')
            self._button("Stand pat", "pat", key="f")
            return
        if legal.fold:
            self._button("Fold", "f", key="f")
        if legal.call >= 0:
            words = f"Call {game.chips(legal.call):g}" if legal.call else "Check"
            self._button(words, "c", key="c", kind="main-act")
        if not legal.can_raise:
            return
        base = street_base(view)
        verb = "Raise to" if view.to_call or base < max(view.spent) else "Bet"
        if legal.menu:
            for number, total in enumerate(legal.menu):
                amount = game.chips(total - base)
                self._button(f"{verb} {amount:g}", f"r {amount}", key="r" if not number else "")
        elif game.rules.limit == "fixed":
            self._button(f"{verb} {game.chips(legal.least - base):g}", "r", key="r")
        else:
            self._slider(view, base, verb)

    def _slider(self, view: View, base: int, verb: str) -> None:
        """An amount by slider or by a part of the pot."""
        game, legal = self.game, view.legal
        least, most = (game.chips(total - base) for total in (legal.least, legal.most))
        field = ui.number(f"{verb} (chips)", value=least, min=least, max=most, step=game.unit).props("outlined dense")
        field.style("width: 130px")
        slider = ui.slider(min=least, max=most, step=game.unit, value=least).props(f'aria-label="{verb}, chips"')
        slider.style("width: 160px").bind_value(field)

        def part(text: str) -> Callable[[], None]:
            share = float(text.rstrip("%")) / 100
            level = view.spent[view.seat] + view.to_call
            total = legal.nearest(round(level + share * (view.pot + view.to_call)))
            return lambda: field.set_value(game.chips(total - base))

        for words, text in PARTS.items():
            action_button(words, part(text), kind="slim")
        action_button("all-in", lambda: field.set_value(most), kind="slim")
        go = action_button(verb, lambda: self.live.act(f"r {float(field.value or least):g}"), kind="")
        go.props('data-key="r"')

    def _button(self, words: str, text: str, *, key: str = "", kind: str = "") -> None:
        button = action_button(words, lambda: self.live.act(text), kind=kind)
        if key:
            button.props(f'data-key="{key}" title="key {key}"')


def _title(game: PokerGame) -> str:
    """The name of the table; of a spot, no path of a file."""
    return "a solved spot" if game.unit != 1 else game_title(game.name)
