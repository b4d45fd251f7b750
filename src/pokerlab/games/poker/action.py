"""A player's action, and its text in the engine: "f", "c", "r", "r300", "d2".

`text.read_action` reads an action back; typed.py reads what people type.
"""

from __future__ import annotations

import re
from operator import index
from typing import NamedTuple

_ACTION = re.compile(r"([fcrd])(\d*)")  # of a history
_new = tuple.__new__  # builds a named tuple without the overhead of its constructor


class Action(NamedTuple):
    """A player's action. In fixed limit a raise needs no amount; else the amount is the total put in over the hand."""

    kind: str  # "f" fold, "c" check or call, "r" bet or raise, "d" discard
    amount: int = 0  # of a raise: the player's total chips in the pot over the whole hand
    cards: tuple[int, ...] = ()  # of a discard

    def __str__(self) -> str:
        if self.kind == "r" and self.amount:
            return f"r{self.amount}"
        return f"d{len(self.cards)}" if self.kind == "d" else self.kind


FOLD = Action("f")
CALL = Action("c")  # check or call
RAISE = Action("r")  # the only bet or raise in fixed limit
STAND_PAT = Action("d")


def raise_to(total: int) -> Action:
    """A bet or raise to this total over the whole hand."""
    return _new(Action, ("r", index(total), ()))


def discard(*cards: int) -> Action:
    """An exchange of these cards."""
    return Action("d", 0, cards)


def actions_of(history: str) -> list[Action]:
    """The actions of a history, in order; of discards only the number of cards counts, so they are cards 0, 1, ...

    >>> [str(action) for action in actions_of("cr300c/d2d0")]
    ['c', 'r300', 'c', 'd2', 'd0']
    """
    words = [(kind, int(number or 0)) for kind, number in _ACTION.findall(history)]
    return [Action("d", 0, tuple(range(n))) if kind == "d" else Action(kind, n) for kind, n in words]
