"""Lists of boards for a report, parsed from text: boards with weights, a file of them, all flops, a subset.

"flops" are the 1,755 flops up to suit isomorphism, each weighted by how many of the 22,100 it represents; "flops:49" is
a weighted subset of 49 that represents them (cards/flop_subsets.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pokerlab.cards.canonical import canonical_flops
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.flop_subsets import SIZES, flop_subset
from pokerlab.errors import BadCards, BadSetting, shortened
from pokerlab.reading import read_text

LONGEST_LIST = 30_000
MOST_WEIGHT = 1e9
LONGEST_NAME = 200  # characters of a file name
_EXAMPLE = f'"Ks7h2d, QsJsTs:2", a file of them, flops, or flops:{SIZES[1]}'


@dataclass(frozen=True)
class WeightedBoard:
    """A board and its weight."""

    board: str
    weight: float


def all_flops() -> list[WeightedBoard]:
    """The flops up to suit isomorphism, weighted by how many each represents: 1,755 of 22,100."""
    return [WeightedBoard(FULL_DECK.text(flop[::-1]), count) for flop, count in canonical_flops()]


def boards_text(boards: str) -> str:
    """The text of a list of boards: as given, or read from a file."""
    source = Path(boards)
    looks_like_file = "," not in boards and len(boards) < LONGEST_NAME and (source.suffix != "" or "/" in boards)
    if not looks_like_file and not (len(boards) < LONGEST_NAME and source.is_file()):
        return boards
    return read_text(source)


def subset_size(text: str) -> int | None:
    """The size of the flop subset that a text requests: 49 for "flops:49"."""
    word, colon, size = text.strip().lower().partition(":")
    if word.strip() != "flops" or not colon:
        return None
    if size.strip() not in map(str, SIZES):
        known = ", ".join(map(str, SIZES[:-1]))
        raise BadSetting(
            f"there is no subset of {shortened(size.strip(), 20)!r} flops; there are {known} and {SIZES[-1]}"
        )
    return int(size)


def read_boards(text: str) -> list[WeightedBoard]:
    """Boards from text: "flops", "flops:49", or boards separated by commas or lines, each with an optional weight.

    >>> read_boards("Ks7h2d, Qs Js Ts:2")
    [WeightedBoard(board='Ks7h2d', weight=1.0), WeightedBoard(board='QsJsTs', weight=2.0)]
    >>> len(read_boards("flops:25"))
    25
    """
    if text.strip().lower() == "flops":
        return all_flops()
    size = subset_size(text)
    if size is not None:
        return [WeightedBoard(board, weight) for board, weight in flop_subset(size)]
    words = [word.strip() for word in re.split(r"[,\n;]+", text[: 40 * LONGEST_LIST])]
    boards = [_read_board(word) for word in words if word and not word.startswith("#")]
    if not boards:
        raise BadCards(f"name some boards: {_EXAMPLE}")
    seen: dict[frozenset[int], str] = {}
    for item in boards:
        cards = frozenset(FULL_DECK.cards(item.board))  # in any order
        if cards in seen:
            again = "" if seen[cards] == item.board else f", the second time as {item.board}"
            raise BadCards(f"the board {seen[cards]} is named twice{again}; name it once, with a weight")
        seen[cards] = item.board
    return boards


def _read_board(word: str) -> WeightedBoard:
    text, _, weight = word.partition(":")
    try:
        share = float(weight) if weight.strip() else 1.0
    except ValueError:
        share = -1.0
    try:
        cards = FULL_DECK.cards(text)
    except BadCards as problem:
        raise BadCards(f"{problem}; boards are {_EXAMPLE}") from problem
    if not 3 <= len(cards) <= 5:
        count = "no cards" if not cards else "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        raise BadCards(f"the board {shortened(text.strip(), 20)!r} has {count}; a flop has 3, a turn 4, a river 5")
    if not 0 < share < MOST_WEIGHT:
        raise BadSetting(
            f"the weight {weight.strip()[:20]!r} of the board {text.strip()[:20]!r} is not a number above 0 and below "
            f"{MOST_WEIGHT:g}"
        )
    return WeightedBoard(FULL_DECK.text(cards), share)
