"""A replayer of saved hands: every action on the felt, forwards and backwards, with all cards face up."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from nicegui import ui

from pokerlab.app.theme import action_button
from pokerlab.app.visitor import Visitor
from pokerlab.app.widgets.felt import Felt
from pokerlab.display.play.session import result_words, said
from pokerlab.errors import PokerlabError
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.query import HandsFile


class Replay(NamedTuple):
    """A hand as its states, and the words for what happens in each."""

    game: PokerGame
    names: tuple[str, ...]
    states: list[Any]  # before each action, then the end
    words: list[str]
    payoffs: tuple[float, ...]


def replay_of(path: Path, number: int) -> Replay:
    """A hand of the last match of a file."""
    with HandsFile(path) as file:
        match = file.match()
        hand = file.hand(match, number)
        steps, end = hand.steps(match)
        game, names = hand.game(match), hand.names(match)
    words = [said(game, step.state, step.action, names[step.seat]) for step in steps]
    words.append("; ".join(line.plain for line in result_words(game, end, names, hand.payoffs)))
    return Replay(game, names, [*(step.state for step in steps), end], words, hand.payoffs)


class Replayer:
    """The hands of a file, one at a time."""

    def __init__(self, visitor: Visitor, path: Path) -> None:
        self.visitor, self.path = visitor, path
        self.replay: Replay | None = None
        self.felt: Felt | None = None
        self.step = 0
        with ui.element("div").classes("line"):
            self.number = ui.number("Hand", value=0, min=0, step=1).props("outlined dense")
            action_button("Show", self.open)
            action_button("Next hand", self._next).props('data-key="n" title="key n"')
        self.error = ui.label("").classes("problem small").props('role="alert"')
        with ui.element("div").classes("columns wide"):
            with ui.element("div").classes("stack"):
                self.box = ui.element("div")
                with ui.element("div").classes("line") as self.buttons:
                    for words, key, change in (
                        ("First", "Home", -10_000),
                        ("Back", "ArrowLeft", -1),
                        ("Forward", "ArrowRight", 1),
                        ("Last", "End", 10_000),
                    ):
                        button = action_button(words, lambda change=change: self._go(self.step + change), kind="slim")
                        button.props(f'data-key="{key}" title="key {key}"')
                    ui.html("Keys: <kbd>←</kbd> <kbd>→</kbd> step, <kbd>n</kbd> next hand", sanitize=False).classes(
                        "keys"
                    )
            self.tale = ui.element("div").classes("tale").props('aria-live="polite"')
        self.buttons.set_visibility(False)

    async def open(self) -> None:
        """Show the hand whose number is in the field."""
        try:
            replay = await self.visitor.compute(replay_of, self.path, int(self.number.value or 0))
        except PokerlabError as problem:
            self.error.set_text(str(problem))
            return
        self.error.set_text("")
        self.replay = replay
        self.box.clear()
        with self.box:
            self.felt = Felt(replay.game)
        self.buttons.set_visibility(True)
        self._go(0)

    async def _next(self) -> None:
        self.number.value = int(self.number.value or 0) + 1
        await self.open()

    def _go(self, step: int) -> None:
        """Show the hand before its action of this number, or its end."""
        if self.replay is None or self.felt is None:
            return
        game, names, states, words, payoffs = self.replay
        self.step = min(len(states) - 1, max(0, step))
        state = states[self.step]
        over = self.step == len(states) - 1
        hands = {seat: game.view(state, seat).cards for seat in range(game.players)}
        self.felt.draw(game.view(state, 0), names, hands=hands, returns=payoffs if over else ())
        self.tale.clear()
        with self.tale:
            for number, line in enumerate(words[: self.step + 1]):
                ui.label(line).classes("good" if number == self.step else "dim")
