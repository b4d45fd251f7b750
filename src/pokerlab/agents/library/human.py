"""A human at the terminal: sees the table, types actions, can ask for help and leave at any time."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from pokerlab.errors import BadCards, IllegalAction, PokerlabError, printable
from pokerlab.games.poker.engine import Action, View
from pokerlab.games.poker.typed import HELP, read_typed

LEAVE = ("q", "quit", "exit", "leave")


class Leaves(PokerlabError):
    """The person has left the table, or their input has ended."""


class Human:
    """An agent that prompts a human; prompt and display are injectable, so it can be tested and shown anywhere."""

    name = "human"
    repeatable = False
    one_process = True

    def __init__(self, ask: Callable[[View], str] | None = None, show: Callable[[str], None] | None = None) -> None:
        self._ask, self._show = ask or _ask_plainly, show or _show_plainly

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """The action that the person types; prompts until it is valid."""
        while True:
            try:
                text = self._ask(view).strip()
            except EOFError:
                raise Leaves("the input ended before the hand did") from None
            if text.lower() in LEAVE:
                raise Leaves("the player left the table")
            if text in ("?", "help", "h"):
                self._show(HELP)
                continue
            if not text:
                continue
            try:
                return read_typed(text, view)
            except (IllegalAction, BadCards) as problem:
                self._show(str(problem))

    def reset(self) -> None:
        """Do nothing: humans remember what they like."""


def _ask_plainly(view: View) -> str:
    """Prompt on standard error, so that standard output holds only results."""
    game = view.game
    owed = f", {game.chips(view.to_call)} to call" if view.to_call else ""
    cards = f"{game.text(view.cards)} | {game.text(view.board)}"  # rules files may rename cards
    sys.stderr.write(printable(f"{cards} | {view.history} | pot {game.chips(view.pot)}{owed} > "))
    sys.stderr.flush()
    return input()


def _show_plainly(text: str) -> None:
    sys.stderr.write(printable(text) + "\n")


def agent() -> Human:
    """A human at the terminal."""
    return Human()
