"""Hand strength: the hand's category, what it beats now, and its prospects at the river or after a draw."""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.agents.parts.draw_player import thrown_cards
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index, combo_name
from pokerlab.cards.draw_potential import potential_of
from pokerlab.cards.draws import OPPOSING, draw_measures, hand_indexer
from pokerlab.cards.equity import equity
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.cards.ranges import Range
from pokerlab.cards.strength import HIGH, ranking
from pokerlab.errors import BadCards, BadSetting

ORDERS = ("high", "short-deck", "three-card")
MEASURES = ("immediate", "positive", "negative", "effective", "rollout", "squared")  # of a hand on a board


def hand_strength(
    hand: str, *, board: str = "", against: str = "random", order: str | None = None, bins: int = 10
) -> dict[str, Any]:
    """Measures of a hand by name: of two cards against a range, or of a whole hand in a hand ranking."""
    hole, shown = FULL_DECK.cards(hand), FULL_DECK.cards(board)
    whole = order is not None or len(hole) != 2
    if len(hole) not in (2, 3, 5, 6, 7):
        raise BadCards(f"a hand is two cards, three, or five to seven, and {hand[:40]!r} has {len(hole)}")
    FULL_DECK.check(hole + shown)
    opponent = Range.parse(against)
    if whole and opponent != Range.random():
        raise BadSetting("a complete hand, or an --order of hands, is ranked by itself: leave out --against")
    result: dict[str, Any] = {"hand": FULL_DECK.text(hole), "board": FULL_DECK.text(shown), "against": opponent.text()}
    if whole:
        ranked = _in_order(hole + shown, order or ("three-card" if len(hole + shown) == 3 else "high"))
        return result | ranked | (_before_the_draw(hole) if len(hole) == 5 and not shown and order is None else {})
    if shown:
        return result | _on_board(hole, shown, opponent, bins)
    return result | _before_the_flop(hole, opponent, bins)


def _in_order(cards: list[int], order: str) -> dict[str, Any]:
    """The best hand among some cards, in a hand ranking."""
    if order not in ORDERS:
        raise BadSetting(f"the orders of hands are {', '.join(ORDERS[:-1])} or {ORDERS[-1]}, not {order[:40]!r}")
    table = ranking(order.replace("-", "_"))
    strength = table.strength(cards)
    return {
        "order": order,
        "name": table.name(strength),
        "category": table.category(strength),
        "class": strength,
        "class_count": table.class_count,
    }


def _before_the_draw(cards: list[int]) -> dict[str, Any]:
    """The measures of five-card draw (Ee, appendix C): strength now, potential, and the discards with the best mean.

    The opponent holds any five of the other 47 cards and does not draw; see cards/draws.py and cards/draw_potential.py.
    """
    measures, number = draw_measures(), hand_indexer().index(cards)
    ahead, tied, best = int(measures.ahead[number]), int(measures.tied[number]), int(measures.best[number])
    immediate = float(measures.strength[number])
    positive = float(potential_of(measures.best[[number]], np.array([number]))[0])
    return {
        "wins": ahead,
        "ties": tied,
        "losses": OPPOSING - ahead - tied,
        "immediate": immediate,
        "positive": positive,
        "effective": immediate + (1 - immediate) * positive,
        "discards": FULL_DECK.text(thrown_cards(cards, best, len(cards))),
        "after_draw": float(measures.improved[number, best]),
    }


def _before_the_flop(hole: list[int], opponent: Range, bins: int) -> dict[str, Any]:
    """The equity against a range, and against random hands also its distribution over boards."""
    combo = combo_index(*hole)
    hand_class = int(COMBO_CLASS[combo])
    result: dict[str, Any] = {"name": CLASS_NAMES[hand_class]}
    if opponent != Range.random():
        equities = equity([combo_name(combo), opponent])
        share = equities.players[0]
        return result | {"rollout": share.equity, "standard_error": share.standard_error, "exact": equities.exact}
    strength = preflop_strength()
    rollout, squared = float(strength.rollout[hand_class]), float(strength.squared[hand_class])
    return result | {"rollout": rollout, "squared": squared, "histogram": strength.histogram(bins)[hand_class]}


def _on_board(hole: list[int], board: list[int], opponent: Range, bins: int) -> dict[str, Any]:
    measured = hand_measures(hole, board, weights=opponent.weights)
    high = HIGH()
    strength = high.strength([*hole, *board])
    result: dict[str, Any] = {
        "name": high.name(strength),
        "category": high.category(strength),
        "class": strength,
        "class_count": high.class_count,
        "wins": measured.wins,
        "ties": measured.ties,
        "losses": measured.losses,
    }
    result |= {name: getattr(measured, name) for name in MEASURES}
    if len(board) == 3:
        turn = hand_measures(hole, board, weights=opponent.weights, lookahead=1)
        result["next_card"] = {name: getattr(turn, name) for name in ("positive", "negative", "effective")}
    return result | {"histogram": measured.histogram(bins)}
