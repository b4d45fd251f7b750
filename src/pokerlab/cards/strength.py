"""How strong a hand is: a class from 1 (the best) up, the same for hands that tie.

A `Ranking` is an order of hands: how many cards count, the categories and their order, and what a straight is. It holds
tables that give the class of any number of cards (the best hand among them) with one addition per card. Classes of six
and seven cards follow from those of five: the best hand of n cards is the best over leaving one out. `HIGH` is ordinary
poker: 7,462 classes, 1 the royal flush.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from pokerlab import store
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards

if TYPE_CHECKING:
    from pokerlab.cards._kernels.strength import StrengthTables


NO_CLASS = 65535
_UPPER_RANKS = 7
_LOWER_RANKS = 6
_RANK_WORDS = "two three four five six seven eight nine ten jack queen king ace".split()
_PLURALS = [word + ("es" if word == "six" else "s") for word in _RANK_WORDS]
_PATTERNS = {
    "four of a kind": (4, 1),
    "full house": (3, 2),
    "three of a kind": (3,),
    "two pair": (2, 2),
    "pair": (2,),
    "high card": (1,),
}


@dataclass(frozen=True)
class HandOrder:
    """The definition of an order of hands: everything the tables are built from."""

    name: str
    hand_size: int  # number of cards that count
    most_cards: int  # largest set that the tables cover
    lowest_rank: int  # 0 is the deuce
    categories: tuple[str, ...]  # strongest first


@dataclass(frozen=True)
class Ranking:
    """An order of hands as tables; see cards/_kernels/strength.py for the lookup."""

    order: HandOrder
    keys: np.ndarray  # [52] uint64: what each card adds to the key
    start: np.uint64  # the key of the empty set
    base: dict[int, np.ndarray]  # by number of cards: [2**17] int32, 5**7 of them used
    low: np.ndarray  # [2**14] uint16, 5**6 of them used
    classes: np.ndarray  # [multisets of every size, and padding] uint16
    flushes: np.ndarray  # [8192] uint16 by set of ranks
    members: np.ndarray  # [class + 1, hand_size] int8: ranks of the hand, most frequent first
    category_ends: np.ndarray  # [category] int32: last class of each category

    @property
    def class_count(self) -> int:
        """The number of distinct strengths."""
        return len(self.members) - 1

    def tables(self, size: int) -> StrengthTables:
        """The kernels' tables for the class of this many cards."""
        return self._by_size[size]

    @cached_property
    def _by_size(self) -> dict[int, StrengthTables]:
        from pokerlab.cards._kernels.strength import StrengthTables

        shared = self.low, self.classes, self.flushes
        return {size: StrengthTables(self.keys, self.start, base, *shared) for size, base in self.base.items()}

    def strength(self, cards: Sequence[int]) -> int:
        """The class of the best hand among these cards of the full deck."""
        FULL_DECK.check(cards)
        return int(self.strengths(np.array([cards], np.uint8), check=False)[0])

    def strengths(self, cards: np.ndarray, *, check: bool = True) -> np.ndarray:
        """The class of each row of an integer array [n, size]; BadCards if a row has a duplicate card.

        `check=False` skips that check, which is faster; such rows get a wrong class.
        """
        from pokerlab.cards._kernels.strength import first_repeat, strength_rows

        cards = np.asarray(cards)
        if cards.size and cards.dtype.kind not in "iu":
            raise BadCards(f"cards are whole numbers from 0 to 51, and these are of type {cards.dtype}")
        rows = np.ascontiguousarray(cards, np.uint8)
        if rows.ndim != 2:
            raise BadCards(f"hands are rows of cards, an array [n, cards]; got one of {rows.ndim} dimensions")
        size = rows.shape[1]
        if size < self.order.hand_size:
            raise BadCards(f"a hand needs at least {self.order.hand_size} cards, and there are {size}")
        if rows.size and (rows.max() > 51 or (rows is not cards and (np.min(cards) < 0 or np.max(cards) > 51))):
            raise BadCards("hands may only hold cards 0 to 51 of the full deck")
        if rows.size and self.order.lowest_rank and rows.min() < 4 * self.order.lowest_rank:
            raise BadCards(f"{FULL_DECK.name(int(rows.min()))} is not in the deck of {self.order.name} poker")
        wrong = int(first_repeat(rows)) if check else -1
        if wrong >= 0:
            raise BadCards(f"hand {wrong} holds a card twice: {' '.join(map(FULL_DECK.name, rows[wrong].tolist()))}")
        out = np.full(len(rows), NO_CLASS, np.uint16)
        if size <= self.order.most_cards:
            strength_rows(rows, self.tables(size), out)
            return out
        for chosen in combinations(range(size), self.order.most_cards):
            np.minimum(out, self.strengths(rows[:, chosen], check=False), out=out)
        return out

    def category(self, strength: int) -> str:
        """The category of a class: "full house"."""
        if not 1 <= strength <= self.class_count:
            raise BadCards(f"there is no hand class {strength}: they run from 1 to {self.class_count}")
        return self.order.categories[int(np.searchsorted(self.category_ends, strength))]

    def name(self, strength: int) -> str:
        """A class as text.

        >>> HIGH().name(167)
        'full house, aces over kings'
        """
        category = self.category(strength)
        if strength == 1 and self.order.hand_size == 5:
            return "royal flush"
        ranks = self.members[strength].tolist()
        many = [_PLURALS[rank] for rank in ranks]
        high = f"{_RANK_WORDS[ranks[0]]} high"
        if category in ("straight flush", "straight", "flush"):
            return f"{category}, {high}"
        if category == "full house":
            return f"full house, {many[0]} over {many[3]}"
        if category == "two pair":
            return f"two pair, {many[0]} and {many[2]}"
        if category == "high card":
            return high
        return {"four of a kind": "four", "three of a kind": "three", "pair": "a pair of"}[category] + f" {many[0]}"


_BELOW_STRAIGHTS = ("three of a kind", "two pair", "pair", "high card")
_HIGH = ("straight flush", "four of a kind", "full house", "flush", "straight", *_BELOW_STRAIGHTS)
_SHORT = ("straight flush", "four of a kind", "flush", "full house", "straight", *_BELOW_STRAIGHTS)
_THREE = ("straight flush", "three of a kind", "straight", "flush", "pair", "high card")
ORDERS = {
    "high": HandOrder("high", hand_size=5, most_cards=7, lowest_rank=0, categories=_HIGH),
    "short_deck": HandOrder("short-deck", hand_size=5, most_cards=7, lowest_rank=4, categories=_SHORT),
    "three_card": HandOrder("three-card", hand_size=3, most_cards=3, lowest_rank=0, categories=_THREE),
}


def ranking(name: str) -> Ranking:
    """The tables of an order by its name: "high", "short_deck" or "three_card"; see HIGH, SHORT and THREE."""
    return tables_of(ORDERS[name])


@cache
def tables_of(order: HandOrder) -> Ranking:
    """The tables of an order of hands; built once and saved in the store."""
    name = order.name.replace("-", "_")
    saved = store.computed(f"strength-{name}", lambda: _build(order), kind="strength table", edition=1)
    arrays = {key: np.array(array) for key, array in saved.arrays.items()}  # small: in memory, not mapped
    sizes = range(order.hand_size, order.most_cards + 1)
    return Ranking(
        order=order,
        keys=arrays["keys"],
        start=np.uint64(arrays["start"][0]),
        base={size: _padded(arrays[f"base{size}"], 1 << 17) for size in sizes},
        low=_padded(arrays["low"], 1 << 14),
        classes=_padded(arrays["classes"], len(arrays["classes"]) + int(arrays["low"].max())),
        flushes=arrays["flushes"],
        members=arrays["members"],
        category_ends=arrays["category_ends"],
    )


def _padded(table: np.ndarray, length: int) -> np.ndarray:
    """A table padded to cover every key: rows with a duplicate card get a wrong class, never out-of-bounds memory."""
    return np.concatenate([table, np.zeros(length - len(table), table.dtype)])


def HIGH() -> Ranking:  # noqa: N802
    """Ordinary poker, best five cards."""
    return ranking("high")


def SHORT() -> Ranking:  # noqa: N802
    """Short-deck hold'em: 36 cards, a flush beats a full house, A-6-7-8-9 is a straight."""
    return ranking("short_deck")


def THREE() -> Ranking:  # noqa: N802
    """Three-card hands of Rhode Island hold'em."""
    return ranking("three_card")


def strength(cards: Sequence[int]) -> int:
    """Class of five or more cards in ordinary poker, 1 (royal flush) to 7462.

    >>> strength(FULL_DECK.cards("AsKsQsJsTs 2c 2d"))
    1
    """
    return HIGH().strength(cards)


def strengths(cards: np.ndarray, *, check: bool = True) -> np.ndarray:
    """Class of each row of an array of cards [n, 5 or more] in ordinary poker; see Ranking.strengths."""
    return HIGH().strengths(cards, check=check)


def describe(cards: Sequence[int]) -> str:
    """The best hand among these cards, as text.

    >>> describe(FULL_DECK.cards("KsKdKc7h7d"))
    'full house, kings over sevens'
    """
    return HIGH().name(strength(cards))


# ---- building the tables -------------------------------------------------------------------------------------------


def _build(order: HandOrder) -> dict[str, np.ndarray]:
    hands = _ordered_hands(order)
    members = np.zeros((len(hands) + 1, order.hand_size), np.int8)
    category_ends = np.zeros(len(order.categories), np.int32)
    plain: dict[tuple[int, ...], int] = {}
    flushes = np.full(8192, NO_CLASS, np.uint16)
    for number, (category, ranks) in enumerate(hands, start=1):
        members[number] = ranks
        category_ends[order.categories.index(category)] = number
        if category in ("flush", "straight flush"):
            flushes[sum(1 << rank for rank in ranks)] = number
        else:
            plain[tuple(sorted(ranks))] = number
    for mask in range(8192):  # more suited cards than count: the best of leaving one out
        if mask.bit_count() > order.hand_size:
            flushes[mask] = min(flushes[mask & ~(1 << rank)] for rank in range(13) if mask >> rank & 1)
    of_rank = [5 ** (rank - _LOWER_RANKS) if rank >= _LOWER_RANKS else 5**rank << 17 for rank in range(13)]
    keys = [of_rank[card // 4] + (1 << (31 + 4 * (card % 4))) for card in range(52)]
    return {
        **_numbering(order, plain),
        "keys": np.array(keys, np.uint64),
        "start": np.array([sum((8 - order.hand_size) << (31 + 4 * suit) for suit in range(4))], np.uint64),
        "flushes": flushes,
        "members": members,
        "category_ends": category_ends,
    }


def _ordered_hands(order: HandOrder) -> list[tuple[str, tuple[int, ...]]]:
    """Every hand as (category, ranks), the most frequent ranks first, strongest hand first."""
    size, lowest = order.hand_size, order.lowest_rank
    straights = {frozenset(range(top - size + 1, top + 1)): top for top in range(lowest + size - 1, 13)}
    straights[frozenset([12, *range(lowest, lowest + size - 1)])] = lowest + size - 2  # the ace plays below the lowest
    hands = []
    for ranks in combinations_with_replacement(range(order.lowest_rank, 13), order.hand_size):
        if max(ranks.count(rank) for rank in ranks) > 4:
            continue
        shown = tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))
        counts = tuple(sorted((ranks.count(rank) for rank in set(ranks)), reverse=True))
        if len(set(ranks)) < order.hand_size:
            category = next(name for name, pattern in _PATTERNS.items() if counts[: len(pattern)] == pattern)
            hands.append((category, shown, shown))
            continue
        top = straights.get(frozenset(ranks))
        if top is not None:
            shown = tuple(top - step if top - step >= order.lowest_rank else 12 for step in range(order.hand_size))
            hands += [("straight flush", (top,), shown), ("straight", (top,), shown)]
        else:
            hands += [("flush", shown, shown), ("high card", shown, shown)]
    place = {category: len(order.categories) - i for i, category in enumerate(order.categories)}
    hands.sort(key=lambda hand: (place[hand[0]], hand[1]), reverse=True)
    return [(category, shown) for category, _, shown in hands]


def _digits(length: int) -> np.ndarray:
    return np.arange(5**length)[:, None] // 5 ** np.arange(length) % 5  # [code, digit]


def _numbering(order: HandOrder, plain: dict[tuple[int, ...], int]) -> dict[str, np.ndarray]:
    """The tables that number rank multisets of each size, and the class of each."""
    upper, lower = _digits(_UPPER_RANKS), _digits(_LOWER_RANKS)
    upper_count, lower_count = upper.sum(1), lower.sum(1)
    low = np.zeros(len(lower), np.int64)
    of_count = np.zeros(order.most_cards + 1, np.int64)  # lower codes with this many cards
    for count in range(order.most_cards + 1):
        chosen = np.flatnonzero(lower_count == count)
        low[chosen] = np.arange(len(chosen))
        of_count[count] = len(chosen)
    tables = {"low": low.astype(np.uint16)}
    classes = np.zeros(0, np.uint16)
    smaller: tuple[np.ndarray, np.ndarray] | None = None  # base and classes of one card fewer
    for size in range(order.hand_size, order.most_cards + 1):
        fits = upper_count <= size
        lengths = np.where(fits, of_count[np.clip(size - upper_count, 0, None)], 0)
        base = len(classes) + np.cumsum(lengths) - lengths
        counts = _multisets(upper, lower, upper_count, lower_count, size)  # [multiset, rank], in numbered order
        if smaller is None:
            multisets = (tuple(np.repeat(np.arange(13), row).tolist()) for row in counts)
            sized = np.array([plain.get(ranks, NO_CLASS) for ranks in multisets], np.uint16)
        else:
            sized = _best_leaving_one_out(counts, smaller[0], low, smaller[1])
        classes = np.concatenate([classes, sized])
        tables[f"base{size}"] = np.where(fits, base, 0).astype(np.int32)
        smaller = (base, classes)
    return tables | {"classes": classes}


def _multisets(
    upper: np.ndarray, lower: np.ndarray, upper_count: np.ndarray, lower_count: np.ndarray, size: int
) -> np.ndarray:
    by_count = {count: lower[lower_count == count] for count in range(size + 1)}
    blocks = []
    for code in np.flatnonzero(upper_count <= size):
        low_rows = by_count[size - int(upper_count[code])]
        blocks.append(np.hstack([low_rows, np.repeat(upper[code][None], len(low_rows), axis=0)]))
    return np.concatenate(blocks)


def _best_leaving_one_out(counts: np.ndarray, base: np.ndarray, low: np.ndarray, classes: np.ndarray) -> np.ndarray:
    lower_code = counts[:, :_LOWER_RANKS] @ 5 ** np.arange(_LOWER_RANKS)
    upper_code = counts[:, _LOWER_RANKS:] @ 5 ** np.arange(_UPPER_RANKS)
    best = np.full(len(counts), NO_CLASS, np.uint16)
    for rank in range(13):
        has = counts[:, rank] > 0
        less_upper = upper_code[has] - (5 ** (rank - _LOWER_RANKS) if rank >= _LOWER_RANKS else 0)
        less_lower = lower_code[has] - (5**rank if rank < _LOWER_RANKS else 0)
        best[has] = np.minimum(best[has], classes[base[less_upper] + low[less_lower]])
    return best
