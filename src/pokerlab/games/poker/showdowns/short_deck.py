"""The best five cards of a deck from the six up: a flush beats a full house, and A-6-7-8-9 is a straight."""

from __future__ import annotations

from pokerlab.cards.strength import ORDERS
from pokerlab.games.poker.showdown import ByOrder

showdown = ByOrder(ORDERS["short_deck"])
