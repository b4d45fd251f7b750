"""A table as it is drawn: seats, cards and chips, what was done, and the buttons of the person."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from pokerlab.app.theme import action_button
from pokerlab.app.widgets.cards import cards_html
from pokerlab.app.widgets.felt import Felt, face_up
from pokerlab.display.elements.numbers import counted
from pokerlab.display.play.session import result_words, said
from pokerlab.games.poker.state import View
from pokerlab.games.poker.typed import street_base
from pokerlab.lab.play.live_table import NEXT, LiveTable, Snapshot
from pokerlab.lab.play.playing import PERSON
from pokerlab.match.table.session import HandEnds, PlayerActs

PARTS = {"1/3": "33%", "1/2": "50%", "3/4": "75%", "pot": "100%"}
KEYS = (
    "Keys: <kbd>f</kbd> fold, <kbd>c</kbd> check or call, <kbd>r</kbd> bet or raise, <kbd>1</kbd> to <kbd>5</kbd> size "
    "of a bet (or cards to exchange), <kbd>-</kbd> <kbd>+</kbd> smaller or larger, <kbd>n</kbd> next hand"
)


class TableView:
    """Draws the snapshots of a table."""

    def __init__(self, table: LiveTable, title: str, *, on_leave: Callable[[], Any]) -> None:
        self.live, self.game = table, table.seating.game
        self._discards: set[int] = set()
        self._last: View | None = None
        with ui.element("div").classes("columns wide"):
            with ui.element("div").classes("stack"):
                with ui.element("div").classes("spread"):
                    ui.label(title).classes("heading level-2")
                    self.standing = ui.label("").classes("dim")
                self.felt = Felt(self.game)
                self.message = ui.label("").classes("problem").props('role="alert"')
                self.bar = ui.element("div").classes("line").props('role="group" aria-label="Your action"')
                ui.html(KEYS, sanitize=False).classes("keys")
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
            f"{counted(snapshot.hands, 'hand')}, {won_text(snapshot.won)}{blinds}"
            if snapshot.hands
            else "the first hand"
        )
        self._draw_tale(snapshot)
        self._draw_bar(snapshot)

    # ---- the felt ----------------------------------------------------------------------------------------------------

    def _draw_felt(self, view: View, snapshot: Snapshot) -> None:
        exchanges = view.legal.discards >= 0 and not snapshot.end
        self.felt.draw(
            view,
            snapshot.names,
            hands=face_up(self.game, view),
            returns=snapshot.end.returns if snapshot.end else (),
            own=(lambda: self._exchange(view)) if exchanges else None,
        )

    def _exchange(self, view: View) -> None:
        """The person's cards as buttons: those that are pressed are exchanged."""
        with ui.element("div").classes("line"):
            for number, card in enumerate(view.cards, 1):
                name = self.game.deck.name(card)
                button = ui.element("button").classes(f"card big {name[-1]}")
                button.props(f'type="button" aria-pressed="false" aria-label="exchange {name}" data-key="{number}"')
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
        """An amount by slider, by keys, or by a part of the pot."""
        game, legal = self.game, view.legal
        least, most = (game.chips(total - base) for total in (legal.least, legal.most))
        step = max(game.unit, game.chips(max(game.rules.blinds)))

        def part(text: str) -> float:
            share = float(text.rstrip("%")) / 100
            level = view.spent[view.seat] + view.to_call
            total = legal.nearest(round(level + share * (view.pot + view.to_call)))
            return float(game.chips(total - base))

        def now() -> float:
            return float(field.value or least)

        def change(amount: float) -> None:
            field.set_value(min(most, max(least, now() + amount)))

        go = action_button(f"{verb} {least:g}", lambda: self.live.act(f"r {now():g}"))
        go.props('data-key="r" title="key r"')
        with ui.element("div").classes("bet-line"):
            field: Any = ui.number(f"{verb} (chips)", value=least, min=least, max=most, step=game.unit)
            field.props("outlined dense").style("width: 130px")
            field.on_value_change(lambda event: go.set_text(f"{verb} {float(event.value or least):g}"))
            slider = ui.slider(min=least, max=most, step=game.unit, value=least).props(f'aria-label="{verb}, chips"')
            slider.style("width: 150px").bind_value(field)
            sizes = {words: part(text) for words, text in PARTS.items()} | {"all-in": most}
            for number, (words, amount) in enumerate(sizes.items(), 1):
                self._size(words, str(number), partial(field.set_value, amount))
            self._size("–", "-", partial(change, -step))
            self._size("+", "+", partial(change, step))

    def _size(self, words: str, key: str, on_click: Callable[[], Any]) -> None:
        """A button that sets the size of a bet."""
        label = {"–": "smaller", "+": "larger"}.get(words, words)
        button = action_button(words, on_click, kind="slim")
        button.props(f'data-key="{key}" title="key {key}" aria-label="{label}"')

    def _button(self, words: str, text: str, *, key: str = "", kind: str = "") -> None:
        button = action_button(words, lambda: self.live.act(text), kind=kind)
        if key:
            button.props(f'data-key="{key}" title="key {key}"')


def won_text(chips: float) -> str:
    """What was won or lost.

    >>> won_text(-8), won_text(0)
    ('lost 8 chips', 'won 0 chips')
    """
    return f"{'lost' if chips < 0 else 'won'} {abs(chips):g} {'chip' if abs(chips) == 1 else 'chips'}"
