"""Hands by their showdown category, in the classes that players speak of: a flush, a pair of aces, king high."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.strength import Ranking, tables_of
from pokerlab.games.poker.showdown import ByOrder, is_looked_up, showdown

QUEEN = 10  # high cards below a queen form one class
LOW = "jack high or less"


class MadeHands(NamedTuple):
    """The class of every hand of a game."""

    names: tuple[str, ...]  # [class] the strongest first
    of: np.ndarray  # [hand] int64: class


def made_hands(cards: ExchangeCards) -> MadeHands | None:
    """The classes of the hands of a game; None unless these are whole hands of the full deck."""
    shown = showdown(cards.showdown)
    if cards.deck != FULL_DECK or not is_looked_up(cards.showdown, cards.deck, cards.held):
        return None
    if not isinstance(shown, ByOrder) or cards.held != shown.order.hand_size:
        return None
    tables = tables_of(shown.order)
    named = [_class_of(tables, strength) for strength in range(1, tables.class_count + 1)]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(named))}
    by_strength = np.array([0, *(numbers[name] for name in named)])
    return MadeHands(tuple(numbers), by_strength[cards.strength])


def _class_of(tables: Ranking, strength: int) -> str:
    """The name of the hands of a strength: pairs by their rank, high cards by the highest, others by category."""
    category = tables.category(strength)
    if category == "high card" and tables.members[strength][0] < QUEEN:
        return LOW
    return tables.name(strength).removeprefix("a ") if category in ("pair", "high card") else category
