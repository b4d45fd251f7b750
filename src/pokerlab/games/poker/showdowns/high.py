"""The best five cards of any number, as in ordinary poker."""

from __future__ import annotations

from pokerlab.cards.strength import ORDERS
from pokerlab.games.poker.showdown import ByOrder

showdown = ByOrder(ORDERS["high"])
