"""Ranges as text, both ways. What is understood, in any case and with free whitespace:

  AA, AKs, AKo, AK      a class; without s or o both the suited and the offsuit hands
  KdQh                  one hand
  QQ+, A2s+, T9s+       this class and better. Pairs and connectors climb with both cards (T9s+ is T9s, JTs, QJs, KQs,
                        AKs, as solvers have it); all others raise the lower card up to just below the higher (A2s+)
  66-99, A2s-A5s        everything between two classes with the same higher card, or with the same gap (65s-98s); the
                        two ends in any order
  random                every hand
  ...:0.35              any of these with a weight from 0 to 1

Entries are separated by commas or by whitespace alone. A later entry overrides an earlier one, so "AA,AsAh:0" is aces
without AsAh. Every mistake is a BadRange with its position.
"""

from __future__ import annotations

import re

import numpy as np

from pokerlab.cards.card import RANKS, SUIT_SYMBOLS, SUITS
from pokerlab.cards.combos import CLASS_COMBOS, COMBO_CLASS, COMBO_COUNT, class_of, combo_index, combo_name
from pokerlab.errors import BadRange

_NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII)
_SPACE = " \t\r\n\f\v\u00a0"
_SUIT_OF = {suit: number for number, suit in enumerate(SUITS)} | {
    SUIT_SYMBOLS[suit]: number for number, suit in enumerate(SUITS)
}
_EXAMPLE = "ranges are written like AA, AKs, KQo, 66-99, A2s+, KdQh:0.5"

Class = tuple[int, int, str]  # higher rank, lower rank, "s", "o" or "" (a pair, or both)


class _Reader:
    """Walks through a text once; every complaint knows where it stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lowered = "".join(letter.lower() if letter.isascii() else letter for letter in text)
        self.position = 0

    def fail(self, message: str, position: int | None = None) -> BadRange:
        return BadRange(message, text=self.text, position=self.position if position is None else position)

    def space(self) -> None:
        while self.position < len(self.text) and self.text[self.position] in _SPACE:
            self.position += 1

    def peek(self) -> str:
        return self.lowered[self.position : self.position + 1]

    def take(self, word: str) -> bool:
        if self.lowered.startswith(word, self.position):
            self.position += len(word)
            return True
        return False

    def take_spaced(self, word: str) -> bool:
        """Take a mark that may stand after whitespace; without it, do not move."""
        before = self.position
        self.space()
        if self.take(word):
            return True
        self.position = before
        return False

    def rank(self) -> int:
        if self.take("10"):
            return RANKS.index("T")
        letter = self.peek()
        place = RANKS.lower().find(letter) if letter else -1
        if place < 0:
            raise self.fail(self._rank_complaint(self.text[self.position : self.position + 1]))
        self.position += 1
        return place

    def _rank_complaint(self, letter: str) -> str:
        if not letter:
            return f"the range ends where a rank is expected; {_EXAMPLE}"
        if letter == ",":
            return f"there is a comma where a rank is expected; {_EXAMPLE}"
        return f"{letter!r} is not a rank ({RANKS}); {_EXAMPLE}"

    def suit(self) -> int | None:
        suit = _SUIT_OF.get(self.peek())
        if suit is not None:
            self.position += 1
        return suit


def read(text: str) -> np.ndarray:
    """The weights [1326] that a text means."""
    reader = _Reader(text)
    weights = np.zeros(COMBO_COUNT)
    reader.space()
    if not reader.peek():
        raise BadRange(f"the range is empty; {_EXAMPLE}")
    while reader.peek():
        combos = _entry(reader)
        weights[combos] = _weight(reader)
        comma = reader.take_spaced(",")
        reader.space()
        if comma and not reader.peek():
            raise reader.fail("the range ends with a comma; leave it out", len(text.rstrip(_SPACE)) - 1)
    return weights


def _entry(reader: _Reader) -> np.ndarray:
    start = reader.position
    if reader.take("random"):
        return np.arange(COMBO_COUNT)
    high = reader.rank()
    suit = reader.suit()
    if suit is not None:
        return _one_hand(reader, start, high, suit)
    first = _class(reader, start, high)
    if reader.take_spaced("+"):
        return _combos(_plus(first))
    if reader.take_spaced("-"):
        reader.space()
        second_start = reader.position
        second = _class(reader, second_start, reader.rank())
        return _combos(_between(reader, first, second, second_start))
    return _combos([first])


def _one_hand(reader: _Reader, start: int, rank: int, suit: int) -> np.ndarray:
    reader.space()
    if reader.peek() in ("", ",", ":", "+", "-"):
        name = reader.text[start : reader.position].strip()
        raise reader.fail(f"{name!r} is one card, and a hand has two, like KdQh", start)
    second_rank = reader.rank()
    second_suit = reader.suit()
    if second_suit is None:
        letter = reader.text[reader.position : reader.position + 1].strip(" ,:+-")
        wrong = f"{letter!r} is not a suit ({SUITS})" if letter else f"the suit ({SUITS}) of the second card is missing"
        raise reader.fail(f"{wrong}: one hand is written like KdQh")
    first, second = 4 * rank + suit, 4 * second_rank + second_suit
    if first == second:
        raise reader.fail(f"a hand cannot hold the card {RANKS[rank]}{SUITS[suit]} twice", start)
    return np.array([combo_index(first, second)])


def _class(reader: _Reader, start: int, first: int) -> Class:
    second = reader.rank()
    suited = "s" if reader.take("s") else "o" if reader.take("o") else ""
    if not suited and reader.peek() in _SUIT_OF:
        raise reader.fail("the first card has no suit: one hand is written like KdQh, a class like KQs, KQo or KQ")
    if first == second and suited:
        raise reader.fail(f"a pair is neither suited nor offsuit; write {RANKS[first] * 2}", start)
    return max(first, second), min(first, second), suited


def _plus(lowest: Class) -> list[Class]:
    high, low, suited = lowest
    if high - low <= 1:
        return [(top, top - (high - low), suited) for top in range(high, 13)]
    return [(high, other, suited) for other in range(low, high)]


def _between(reader: _Reader, first: Class, second: Class, position: int) -> list[Class]:
    if first[2] != second[2]:
        raise reader.fail("both ends of a range must be suited, both offsuit, or neither marked", position)
    (low_end, high_end), suited = sorted([first, second]), first[2]
    if low_end[0] - low_end[1] == high_end[0] - high_end[1]:
        steps = high_end[0] - low_end[0] + 1
        return [(low_end[0] + step, low_end[1] + step, suited) for step in range(steps)]
    if low_end[0] == high_end[0] and low_end[0] != high_end[1] and low_end[0] != low_end[1]:
        return [(low_end[0], other, suited) for other in range(low_end[1], high_end[1] + 1)]
    raise reader.fail(
        "the two ends of a range must have the same higher card (A2s-A5s) or the same gap (66-99, 65s-98s)", position
    )


def _combos(classes: list[Class]) -> np.ndarray:
    numbers = []
    for high, low, suited in classes:
        if suited != "o":
            numbers.append(class_of(high, low, suited=True))
        if suited != "s" and high != low:
            numbers.append(class_of(high, low, suited=False))
    return np.concatenate([CLASS_COMBOS[number] for number in numbers])


def _weight(reader: _Reader) -> float:
    if not reader.take_spaced(":"):
        after = reader.peek()
        if after and after != "," and after not in _SPACE:
            shown = reader.text[reader.position]
            raise reader.fail(f"{shown!r} is not expected here: after a hand comes a comma, or a weight like :0.5")
        return 1.0
    reader.space()
    start = reader.position
    while reader.peek() not in ("", ",", *_SPACE):
        reader.position += 1
    word = reader.lowered[start : reader.position]
    if not word:
        raise reader.fail("a weight from 0 to 1 is missing after the colon", start)
    if not _NUMBER.fullmatch(word) or not 0 <= float(word) <= 1:
        shown = word if len(word) <= 20 else word[:17] + "..."
        raise reader.fail(f"the weight {shown!r} is not a number from 0 to 1", start)
    return float(word)


# ---- writing -------------------------------------------------------------------------------------------------------


def write(weights: np.ndarray) -> str:
    """The shortest plain text that reads back as exactly these weights [1326]."""
    if (weights == weights[0]).all():
        return "random" + _suffix(float(weights[0]))
    common, exceptions = _class_weights(weights)
    entries = _runs([((rank, rank), class_of(rank, rank, suited=True)) for rank in range(12, -1, -1)], common, "")
    for high in range(12, 0, -1):
        suited = [((high, low), class_of(high, low, suited=True)) for low in range(high - 1, -1, -1)]
        offsuit = [((high, low), class_of(high, low, suited=False)) for low in range(high - 1, -1, -1)]
        if _runs(suited, common, "") == _runs(offsuit, common, ""):
            entries += _runs(suited, common, "")
        else:
            entries += _runs(suited, common, "s") + _runs(offsuit, common, "o")
    return ",".join(entries + exceptions)


def _class_weights(weights: np.ndarray) -> tuple[dict[int, float], list[str]]:
    """The weight of each class that has one, and hands that are written by themselves: the fewest entries."""
    common: dict[int, float] = {}
    exceptions: list[str] = []
    for number in np.unique(COMBO_CLASS[weights > 0]):
        combos = CLASS_COMBOS[number]
        values, counts = np.unique(weights[combos], return_counts=True)
        usual = float(values[np.argmax(counts)])
        others = len(combos) - int(counts.max())
        nonzero = int(np.count_nonzero(weights[combos]))
        base = usual if usual > 0 and others + 1 < nonzero + (others == 0) else 0.0
        if base > 0:
            common[int(number)] = base
        for combo in combos[::-1]:
            if weights[combo] != base:
                exceptions.append(combo_name(int(combo)) + _suffix(float(weights[combo])))
    return common, exceptions


def _runs(line: list[tuple[tuple[int, int], int]], common: dict[int, float], suited: str) -> list[str]:
    """Entries of one line of classes, best first, neighbours of equal weight joined."""
    entries: list[str] = []
    start = 0
    while start < len(line):
        weight = common.get(line[start][1], 0.0)
        end = start
        while end + 1 < len(line) and common.get(line[end + 1][1], 0.0) == weight:
            end += 1
        if weight > 0:
            best, worst = _ranks(line[start][0]) + suited, _ranks(line[end][0]) + suited
            joined = worst if start == end else f"{worst}+" if start == 0 else f"{worst}-{best}"
            entries.append(joined + _suffix(weight))
        start = end + 1
    return entries


def _ranks(ranks: tuple[int, int]) -> str:
    return RANKS[ranks[0]] + RANKS[ranks[1]]


def _suffix(weight: float) -> str:
    if weight == 1:
        return ""
    return ":0" if weight == 0 else f":{weight!r}"
