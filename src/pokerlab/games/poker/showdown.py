"""Who wins at the showdown: the strength of a player's cards with the public ones, smaller being stronger.

"high" is the best five cards of any number; with fewer than five cards on the table only pairs, threes and fours and
then high cards count, so that one card is its rank (Kuhn) and two are a pair or their ranks (Leduc). "short_deck" puts
a flush over a full house. "three_card" is Rhode Island hold'em. The ace also plays below the deuce, and in short-deck
poker below the six. Hands of the full deck are read from the tables of cards/strength.py, kept here as plain lists
because one hand at a time is looked up; other decks and sizes are worked out from the definition and remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pokerlab.cards.card import FULL_DECK, Deck

Strength = Callable[[Sequence[int]], int]

_HIGH_ORDER = ("high", "pair", "two pair", "three", "straight", "flush", "full house", "four", "straight flush")
_SHORT_ORDER = ("high", "pair", "two pair", "three", "straight", "full house", "flush", "four", "straight flush")
_THREE_ORDER = ("high", "pair", "flush", "straight", "three", "straight flush")
_ORDERS = {"high": (5, _HIGH_ORDER), "short_deck": (5, _SHORT_ORDER), "three_card": (3, _THREE_ORDER)}
_KINDS = {(4,): "four", (3, 2): "full house", (3,): "three", (2, 2): "two pair", (2,): "pair"}


def strength_of(showdown: str, deck: Deck, cards: int) -> Strength:
    """The function from this many cards of the deck to a strength, smaller being stronger; equal strengths tie."""
    if is_looked_up(showdown, deck, cards):
        return _from_tables(showdown, deck, cards)
    return _from_definition(showdown, deck)


def is_looked_up(showdown: str, deck: Deck, cards: int) -> bool:
    """Whether strengths of this many cards come from tables; else they are worked out, which is slow."""
    sizes = (3,) if showdown == "three_card" else (5, 6, 7)
    return cards in sizes and _in_full_deck(deck, lowest="6" if showdown == "short_deck" else "2")


def _in_full_deck(deck: Deck, *, lowest: str) -> bool:
    """Whether the tables hold for this deck: ranks from the lowest of the order up to the ace."""
    whole = FULL_DECK.ranks[FULL_DECK.ranks.index(lowest) :]
    return deck.ranks == whole and set(deck.suits) <= set(FULL_DECK.suits)


@lru_cache(maxsize=16)
def _from_tables(ranking: str, deck: Deck, size: int) -> Strength:
    """Look-ups in lists; see cards/_kernels/strength.py for how a key is read."""
    from pokerlab.cards.strength import ranking as load

    tables = load(ranking)
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


def _from_definition(showdown: str, deck: Deck) -> Strength:
    size, order = _ORDERS[showdown]
    ranks, suits = len(deck.ranks), len(deck.suits)
    below = "".join(deck.ranks[: size - 1]) == "2345"[: size - 1] or showdown == "short_deck"
    has_wheel = deck.ranks[-1] == "A" and below and ranks > size
    place = {category: number for number, category in enumerate(order)}

    def straight(found: set[int], length: int) -> int:
        """The top rank of the best straight, -1 where there is none."""
        for top in range(ranks - 1, length - 2, -1):
            if all(rank in found for rank in range(top - length + 1, top + 1)):
                return top
        wheel = has_wheel and ranks - 1 in found and all(rank in found for rank in range(length - 1))
        return length - 2 if wheel else -1

    def candidates(cards: tuple[int, ...]) -> list[tuple[int, ...]]:
        """(category, ranks that decide), one for each way to read the cards."""
        held = [card // suits for card in cards]
        by_count = sorted(((held.count(rank), rank) for rank in set(held)), reverse=True)
        found = [_kinds(by_count, size, place)]
        if len(cards) >= size:
            if (top := straight(set(held), size)) >= 0:
                found.append((place["straight"], top))
            for suit in range(suits):
                suited = {card // suits for card in cards if card % suits == suit}
                if len(suited) >= size:
                    found.append((place["flush"], *sorted(suited, reverse=True)[:size]))
                    if (top := straight(suited, size)) >= 0:
                        found.append((place["straight flush"], top))
        return found

    @lru_cache(maxsize=100_000)
    def strength(cards: tuple[int, ...]) -> int:
        best = max(candidates(cards))
        number = 0
        for position in range(size + 1):
            number = number * (ranks + len(order)) + (best[position] + 1 if position < len(best) else 0)
        return -number

    return lambda cards: strength(tuple(cards))


def _kinds(by_count: list[tuple[int, int]], size: int, place: dict[str, int]) -> tuple[int, ...]:
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
    category = next((name for kind, name in _KINDS.items() if counts[: len(kind)] == kind and name in place), "high")
    return (place[category], *(rank for _, rank in groups))
