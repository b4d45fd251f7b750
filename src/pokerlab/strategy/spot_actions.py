"""Actions of a spot as people type them: "bet 75", "b75", "x", "allin"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pokerlab.errors import IllegalAction
from pokerlab.games.poker.typed import WORDS
from pokerlab.registry import nearest

_WITH_AMOUNT = ("", "bet", "raise")  # after these words the amount alone identifies the action


def action_number(text: str, actions: Sequence[str]) -> int:
    """The index of the action that a text means; IllegalAction lists the legal ones.

    >>> action_number("allin", ["check", "bet 75", "all-in 200"]), action_number("b75", ["check", "bet 75"])
    (2, 1)
    >>> action_number("75", ["check", "bet 75"]), action_number("raise to 200", ["check", "bet 75", "all-in 200"])
    (1, 2)
    """
    words, plain = _plain(text), [_plain(action) for action in actions]
    if words in plain:
        return plain.index(words)
    of_kind = [number for number, action in enumerate(plain) if action.split()[0] == words]
    if len(of_kind) == 1:
        return of_kind[0]
    word, _, amount = words.partition(" ")
    if amount and word in _WITH_AMOUNT:
        for number, action in enumerate(plain):
            if amount == action.partition(" ")[2]:
                return number
    raise IllegalAction(f"{text[:40]!r} is not an action here; {nearest(text[:40], list(actions))}")


def _plain(text: str) -> str:
    """An action's text in canonical form: "all-in 300", "bet 75", "check"."""
    match = re.fullmatch(r"([a-z-]*?)\s*(?:to\s*)?(\d*\.?\d*)", text.strip().lower())
    if not match:
        return text.strip().lower()
    word, amount = match.groups()
    word = WORDS.get(word, word)
    return f"{word} {float(amount):.10g}" if amount and amount != "." else word
