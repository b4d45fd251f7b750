"""The felt of a table: seats around it, cards, chips, the board and the pot; of a live hand or of a replayed one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from pokerlab.app.widgets.cards import cards_html
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import round_name

RADII = 40.0, 38.0  # of the seats around a table, in percent of its width and height


class Felt:
    """Draws views of a game; the seat of the view is in front."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        around = "round" if game.players > 2 else ""
        self.box = ui.element("div").classes(f"felt {around}")
        self.box.props('aria-live="polite" aria-label="The table" role="region"')

    def draw(
        self,
        view: View,
        names: Sequence[str],
        *,
        hands: Mapping[int, Sequence[int]],
        returns: Sequence[float] = (),
        own: Callable[[], None] | None = None,
    ) -> None:
        """Draw a view.

        - hands: the cards of the seats whose cards are face up
        - returns: what each seat won, once the hand is over
        - own: draws the cards of the seat in front instead
        """
        count = self.game.players

        def seat(number: int) -> None:
            self._seat(view, number, names[number], hands=hands, returns=returns, own=own)

        self.box.clear()
        with self.box:
            with ui.element("div").classes("seats"):
                for step in range(1, count):
                    seat((view.seat + step) % count)
            with ui.element("div").classes("centre"):
                with ui.element("div").classes("line board-row"):
                    if view.board:
                        ui.html(cards_html(self.game.deck, view.board, kind="big"), sanitize=False, tag="span")
                    ui.label(f"pot {self.game.chips(view.pot):g}").classes("pot chip")
                if not returns:
                    ui.label(round_name(self.game, view.round)).classes("dim small")
            with ui.element("div").classes("seats"):
                seat(view.seat)

    def _seat(
        self,
        view: View,
        seat: int,
        name: str,
        *,
        hands: Mapping[int, Sequence[int]],
        returns: Sequence[float],
        own: Callable[[], None] | None,
    ) -> None:
        game, mine = self.game, seat == view.seat
        alive = bool(view.betting.alive >> seat & 1)
        acts = not returns and view.betting.actor == seat
        shown = hands.get(seat, ())
        hidden = 0 if shown or not alive else len(view.cards)
        with (
            ui.element("div")
            .classes(f"seat {'acting' if acts else ''} {'' if alive or mine else 'out'}")
            .style(_place((seat - view.seat) % game.players, game.players))
        ):
            button = " · button" if seat == view.button else ""
            ui.label(f"{name}{button}").classes("name")
            if mine and own is not None:
                own()
            elif shown or hidden:
                cards = cards_html(game.deck, shown, hidden=hidden, kind="big" if mine else "")
                ui.html(cards, sanitize=False, tag="span")
            if not alive:
                ui.label("folded").classes("dim small")
            chips = f"in {game.chips(view.spent[seat]):g}"
            if game.rules.stacks is not None:
                chips += f" · behind {game.chips(view.stacks[seat]):g}"
            ui.label(chips).classes("dim small")
            if returns and returns[seat] > 0:
                ui.label(f"wins {returns[seat]:g}").classes("good")


def _place(step: int, count: int) -> str:
    """The position of the seat `step` steps clockwise from the front, as variables of the style sheet."""
    angle = math.pi * (0.5 + 2 * step / count)
    x, y = 50 + RADII[0] * math.cos(angle), 50 + RADII[1] * math.sin(angle)
    return f"--x: {x:.1f}%; --y: {y:.1f}%"


def face_up(game: PokerGame, view: View) -> dict[int, Any]:
    """The cards that the seat of a view sees: its own, and those of a showdown."""
    shown = {seat: cards for seat, cards in enumerate(view.shown) if cards}
    return shown | {view.seat: view.cards}
