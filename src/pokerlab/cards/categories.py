"""Categories of two-card hands on a board, as players name them: sets, top pair, flush draws, air.

A hand has one made category, by its strongest part that uses a hole card, and before the river also its draws. "air" is
a high card without a draw.
"""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.errors import BadSetting, shortened

MADE = (
    "straight flush", "quads", "full house", "flush", "straight", "set", "trips", "two pair", "overpair", "top pair",
    "middle pair", "bottom pair", "underpair", "ace high", "high card",
)  # fmt: skip
DRAWS = ("flush draw", "open-ended", "gutshot")
CATEGORIES = (*MADE, *DRAWS, "air")
_ACE = 12


def categories(hole: Sequence[int], board: Sequence[int]) -> tuple[str, ...]:
    """The categories of a hand on a board of three to five cards.

    >>> from pokerlab.cards.card import FULL_DECK
    >>> [categories(FULL_DECK.cards(hand), FULL_DECK.cards("Kh7h2c")) for hand in ("7s7d", "KsQd", "AhQh", "JsTd")]
    [('set',), ('top pair',), ('ace high', 'flush draw'), ('high card', 'air')]
    """
    made = _made(hole, board)
    draws = _draws(hole, board) if len(board) < 5 and MADE.index(made) > MADE.index("straight") else ()
    return (made, *draws, *(("air",) if made == "high card" and not draws else ()))


def category_named(text: str) -> str:
    """The category that a text names; sets, Top Pair and top-pair are read too."""
    word = text.strip().lower().replace("-", " ")
    known = {name.replace("-", " "): name for name in CATEGORIES}
    for attempt in (word, word.removesuffix("s")):
        if attempt in known:
            return known[attempt]
    raise BadSetting(f"{shortened(text)!r} is not a category of hands; they are {', '.join(CATEGORIES)}")


def _made(hole: Sequence[int], board: Sequence[int]) -> str:
    own, lying = [card >> 2 for card in hole], sorted((card >> 2 for card in board), reverse=True)
    ranks = own + lying
    flush = _flush_cards(hole, board, 5)
    if flush and _straights(flush):
        return "straight flush"
    counts = sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)
    of_own = max(ranks.count(rank) for rank in own)
    if of_own == 4:
        return "quads"
    if counts[0] >= 3 and counts[1:2] and counts[1] >= 2 and of_own >= 2:
        return "full house"
    if flush:
        return "flush"
    if _straights(ranks) - _straights(lying):
        return "straight"
    if own[0] == own[1]:
        return "set" if of_own == 3 else "overpair" if own[0] > lying[0] else "underpair"
    if of_own == 3:
        return "trips"
    paired = sorted((rank for rank in own if rank in lying), reverse=True)
    if len(paired) == 2:
        return "two pair"
    if paired:
        return "top pair" if paired[0] == lying[0] else "bottom pair" if paired[0] == lying[-1] else "middle pair"
    return "ace high" if _ACE in own else "high card"


def _draws(hole: Sequence[int], board: Sequence[int]) -> tuple[str, ...]:
    own, lying = [card >> 2 for card in hole], [card >> 2 for card in board]
    outs = {rank for rank in range(13) if _straights([*own, *lying, rank]) - _straights([*lying, rank])}
    names = ["flush draw"] if _flush_cards(hole, board, 4) else []
    names += ["open-ended"] if len(outs) >= 2 else ["gutshot"] if outs else []
    return tuple(names)


def _flush_cards(hole: Sequence[int], board: Sequence[int], least: int) -> list[int]:
    """The ranks of a suit with at least this many cards, one of them in the hand."""
    for suit in {card & 3 for card in hole}:
        ranks = [card >> 2 for card in (*hole, *board) if card & 3 == suit]
        if len(ranks) >= least:
            return ranks
    return []


def _straights(ranks: Sequence[int]) -> set[int]:
    """The highest rank of each straight among these ranks; the wheel's is the five."""
    there = set(ranks) | ({-1} if _ACE in ranks else set())
    return {top for top in range(3, 13) if there >= set(range(top - 4, top + 1))}
