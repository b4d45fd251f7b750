"""Who wins at the showdown: the strength of a player's cards with the public ones; smaller is stronger.

Rules name one of the orders of hand categories in cards/strength.py. With fewer cards than a full hand, only pairs,
trips, quads and high cards count, so one card is its rank (Kuhn) and two are a pair or their ranks (Leduc). The ace
also plays below the lowest rank of the order. Hands of the full deck are looked up in the tables of cards/strength.py,
stored here as plain lists because hands are looked up one at a time; other decks and sizes are computed from the
definition and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.strength import ORDERS, HandOrder, tables_of

Strength = Callable[[Sequence[int]], int]

_KINDS = {
    (4,): "four of a kind",
    (3, 2): "full house",
    (3,): "three of a kind",
    (2, 2): "two pair",
    (2,): "pair",
}


def strength_of(name: str, deck: Deck, cards: int) -> Strength:
    """A function from this many cards of the deck to a strength (smaller is stronger); equal strengths tie."""
    order = ORDERS[name]
    return _from_tables(order, deck, cards) if is_looked_up(name, deck, cards) else from_definition(order, deck)


def is_looked_up(name: str, deck: Deck, cards: int) -> bool:
    """Whether strengths of this many cards come from tables; otherwise they are computed, which is slow.

    Tables need all ranks from the lowest of the order to the ace, and a number of cards that they cover.
    """
    order = ORDERS[name]
    fits = deck.ranks == FULL_DECK.ranks[order.lowest_rank :] and set(deck.suits) <= set(FULL_DECK.suits)
    return fits and order.hand_size <= cards <= order.most_cards


@lru_cache(maxsize=16)
def _from_tables(order: HandOrder, deck: Deck, size: int) -> Strength:
    """Lookups in lists; see cards/_kernels/strength.py for the key layout."""
    tables = tables_of(order)
    full = [FULL_DECK.card(deck.name(card)) for card in range(deck.size)]
    key_of = [int(tables.keys[card]) for card in full].__getitem__
    flush_bits = 0x8888 << 31
    rank_bit = [1 << (card >> 2) for card in full]
    suit = [card & 3 for card in full]
    start = int(tables.start)
    base, low = tables.base[size].tolist(), tables.low.tolist()
    classes, flushes = tables.classes.tolist(), tables.flushes.tolist()

    def strength(cards: Sequence[int]) -> int:
        key = sum(map(key_of, cards), start)
        best: int = classes[base[key & 0x1FFFF] + low[key >> 17 & 0x3FFF]]
        if key & flush_bits:
            masks = [0, 0, 0, 0]
            for card in cards:
                masks[suit[card]] |= rank_bit[card]
            for mask in masks:
                if flushes[mask] < best:
                    best = flushes[mask]
        return best

    return strength


def from_definition(order: HandOrder, deck: Deck) -> Strength:
    """Strengths of any number of cards of any deck, from the definition of each category."""
    size = order.hand_size
    ranks, suits = len(deck.ranks), len(deck.suits)
    below = "".join(deck.ranks[: size - 1]) == "2345"[: size - 1] or order.lowest_rank > 0
    has_wheel = deck.ranks[-1] == "A" and below and ranks > size
    order_of = {category: number for number, category in enumerate(reversed(order.categories))}

    def straight(held: set[int], length: int) -> int:
        """The top rank of the best straight, -1 if there is none."""
        for top in range(ranks - 1, length - 2, -1):
            if all(rank in held for rank in range(top - length + 1, top + 1)):
                return top
        wheel = has_wheel and ranks - 1 in held and all(rank in held for rank in range(length - 1))
        return length - 2 if wheel else -1

    def candidates(cards: tuple[int, ...]) -> list[tuple[int, ...]]:
        """(category, deciding ranks), one for each way to read the cards."""
        held = [card // suits for card in cards]
        by_count = sorted(((held.count(rank), rank) for rank in set(held)), reverse=True)
        readings = [_kinds(by_count, size, order_of)]
        if len(cards) >= size:
            if (top := straight(set(held), size)) >= 0:
                readings.append((order_of["straight"], top))
            for suit in range(suits):
                suited = {card // suits for card in cards if card % suits == suit}
                if len(suited) >= size:
                    readings.append((order_of["flush"], *sorted(suited, reverse=True)[:size]))
                    if (top := straight(suited, size)) >= 0:
                        readings.append((order_of["straight flush"], top))
        return readings

    @lru_cache(maxsize=100_000)
    def strength(cards: tuple[int, ...]) -> int:
        best = max(candidates(cards))
        number = 0
        for position in range(size + 1):
            number = number * (ranks + len(order_of)) + (best[position] + 1 if position < len(best) else 0)
        return -number

    return lambda cards: strength(tuple(cards))


def _kinds(by_count: list[tuple[int, int]], size: int, order_of: dict[str, int]) -> tuple[int, ...]:
    """The best reading by equal ranks: the largest groups first, then single cards, `size` cards in all.

    `by_count` is (how many, rank), most frequent and then highest first.
    """
    groups: list[tuple[int, int]] = []
    left = size
    rest = list(by_count)
    while left and rest:
        rest.sort(key=lambda group: (min(group[0], left), group[1]), reverse=True)
        count, rank = rest.pop(0)
        groups.append((min(count, left), rank))
        left -= min(count, left)
    counts = tuple(count for count, _ in groups)
    kinds = (name for kind, name in _KINDS.items() if counts[: len(kind)] == kind and name in order_of)
    return (order_of[next(kinds, "high card")], *(rank for _, rank in groups))
