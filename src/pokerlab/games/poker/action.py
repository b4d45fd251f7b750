"""A player's action, and its text in the engine: "f", "c", "r", "r300", "d2".

`text.read_action` reads an action back; typed.py reads what people type.
"""

from __future__ import annotations

from operator import index
from typing import NamedTuple

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
