"""Three cards, as in Rhode Island hold'em: three of a kind beats a straight, and a straight a flush."""

from __future__ import annotations

from pokerlab.cards.strength import ORDERS
from pokerlab.games.poker.showdown import ByOrder

showdown = ByOrder(ORDERS["three_card"])
