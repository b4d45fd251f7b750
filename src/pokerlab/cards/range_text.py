"""Parse ranges from text, ours and that of other programs. Letters may be in either case. The syntax:

  AA, AKs, AKo, AK      a class; without s or o both the suited and the offsuit hands
  KdQh                  one hand
  QQ+, A2s+, T9s+       this class and better. Pairs and connectors raise both cards (T9s+ is T9s, JTs, QJs, KQs, AKs,
                        as in solvers); all others raise the lower card up to just below the higher (A2s+)
  66-99, A2s-A5s        everything between two classes with the same higher card, or with the same gap (65s-98s); the
                        two ends in either order
  Ax, Kxs, Qxo          a rank with any lower or higher one, except pairs: Ax is A2 to AK
  top 20%               the best 265.2 hands by equity against a random hand (BEST_FIRST)
  random                every hand
  ...:0.35, ...:35%     any of these with a weight from 0 to 1, or in percent (as in Pio)
  [35]AA,KQs[/35]       some of these with a weight in percent (as in GTO+ and Flopzilla)
  35: AA, KQs           the same (as in Equilab): the weight of what follows, up to the next weight
  0 0.5 1 ...           1,326 weights in Pio's order, which is ours

Entries are separated by commas or whitespace. A later entry overrides an earlier one, so "AA,AsAh:0" is aces without
AsAh. Every error is a BadRange with its position.
"""

from __future__ import annotations

import re
import warnings
from decimal import Decimal

import numpy as np

from pokerlab.cards.card import RANKS, SUIT_SYMBOLS, SUITS
from pokerlab.cards.combos import CLASS_COMBOS, CLASS_NAMES, COMBO_COUNT, class_of, combo_index, combo_name
from pokerlab.errors import BadRange, Notice, shortened

_NUMBER = re.compile(r"(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{0,400})?|\.\d{1,400})\s*%", re.ASCII)
_BLOCK = re.compile(r"\[\s*(/?)\s*(\d{1,3}(?:\.\d{0,400})?|\.\d{1,400})\s*%?\s*\]", re.ASCII)
_GROUP = re.compile(  # followed by a hand, not a weight; a hand of two digits needs a space, so 99:55 is an error
    r"(\d{1,3}(?:\.\d{0,400})?)\s*%?\s*:(?:\s*(?=[tjqka][2-9tjqkaxcdhs])|\s*(?=[2-9][tjqkaxcdhs])|\s+(?=[2-9][2-9]))"
    r"(?!\d+(?:\.\d*)?(?:e|\s*%))",
    re.ASCII,
)
_FEWEST_NUMBERS = 100  # a text of at least this many numbers and nothing else is a list of weights
_SPACE = " \t\r\n\f\v\u00a0"
_SUIT_OF = {name: number for number, suit in enumerate(SUITS) for name in (suit, SUIT_SYMBOLS[suit])}
_EXAMPLE = "ranges are written like AA, AKs, KQo, 66-99, A2s+, KdQh:0.5"

_DIGITS = 9  # decimals of hand counts, so that the weight of the last class is readable
# the classes of hands by `preflop_table().against_random()`, ties counted half (verified by a test); no two are equal.
# Other programs rank hands differently, for example by play against several players: their best 20 % differ slightly.
BEST_FIRST = tuple(
    """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs K9s A5s A6s
    A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s
    Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o
    J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s 76s J3o 87o T2s
    85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s
    84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
    """.split()
)

Class = tuple[int, int, str]  # higher rank, lower rank, "s", "o" or "" (a pair, or both)


class _Reader:
    """Reads a text once, from left to right; errors carry their position."""

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
        """Consume a mark, possibly after whitespace; without it, do not advance."""
        before = self.position
        self.space()
        if self.take(word):
            return True
        self.position = before
        return False

    def rank(self) -> int:
        if self.take("10"):
            return RANKS.index("T")
        rank = RANKS.lower().find(self.peek() or " ")
        if rank < 0:
            letter = self.text[self.position : self.position + 1]
            wrong = {"": "the range ends where a rank is expected", ",": "there is a comma where a rank is expected"}
            raise self.fail(f"{wrong.get(letter, f'{letter!r} is not a rank ({RANKS})')}; {_EXAMPLE}")
        self.position += 1
        return rank

    def suit(self) -> int | None:
        suit = _SUIT_OF.get(self.peek())
        if suit is not None:
            self.position += 1
        return suit


def read(text: str) -> np.ndarray:
    """The weights [1326] of a text."""
    reader = _Reader(text)
    reader.space()
    if not reader.peek():
        raise BadRange(f"the range is empty; {_EXAMPLE}")
    listed = _listed(reader)
    if listed is not None:
        return listed
    weights, block = np.zeros(COMBO_COUNT), _Block(reader)
    while reader.peek():
        block.begin()
        held, start = _entry(reader), reader.position
        own = _weight(reader)
        if own is not None and block.weight is not None:
            raise reader.fail(f"a hand after {block.mark} has no weight of its own", start)
        combos = np.flatnonzero(held)
        weights[combos] = held[combos] * next(share for share in (own, block.weight, 1.0) if share is not None)
        block.end()
        comma = reader.take_spaced(",")
        reader.space()
        if comma and not reader.peek():
            raise reader.fail("the range ends with a comma; leave it out", len(text.rstrip(_SPACE)) - 1)
    block.check_closed()
    return weights


class _Block:
    """The weight that several entries share: of [50]AA,KK[/50], or of 50: AA, KK up to the next weight."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.weight: float | None = None
        self.mark = ""  # as written
        self.start = 0
        self.is_closed_by = ""  # the number of [50], which [/50] repeats; empty for 50:

    def begin(self) -> None:
        """Before an entry: read the mark of a new block, if there is one."""
        reader = self.reader
        bracket = _BLOCK.match(reader.lowered, reader.position)
        if bracket and bracket[1]:
            why = "stands after a comma; leave the comma out" if self.is_closed_by else "closes nothing"
            raise reader.fail(f"{bracket[0]} {why}: a block is written [50]AA,KQs[/50]")
        if bracket and self.is_closed_by:
            raise reader.fail(f"{bracket[0]} is inside {self.mark}: write [/{self.is_closed_by}] before it")
        match = bracket if bracket or self.is_closed_by else _GROUP.match(reader.lowered, reader.position)
        if match:
            number = match[2] if bracket else match[1]
            others = (float(other[1]) for other in _GROUP.finditer(reader.lowered))  # above 1: all are in percent
            if not bracket and "%" not in match[0] and 0 < float(number) <= 1 and max(others) <= 1:
                hand = reader.text[match.end() : match.end() + 4].split(",")[0].strip()
                warnings.warn(
                    f"{shortened(reader.text)!r} gives {hand} a weight of {number} %: a weight before hands is in "
                    f"percent; write {hand}:{number} for a weight from 0 to 1, or {number}%: {hand} if this is meant",
                    Notice,
                    stacklevel=2,
                )
            self.weight, self.mark, self.start = _part(reader, number), match[0].strip(), reader.position
            self.is_closed_by = number if bracket else ""
            reader.position = match.end()
            reader.space()
            self.begin()  # raises an error if a block begins at once

    def end(self) -> None:
        """After an entry: read the mark that closes the block, if there is one."""
        reader, before = self.reader, self.reader.position
        reader.space()
        match = _BLOCK.match(reader.lowered, reader.position)
        if not match or not match[1]:
            reader.position = before
            return
        if not self.is_closed_by or float(match[2]) != float(self.is_closed_by):
            what = f"{self.mark} is closed by [/{self.is_closed_by}]" if self.is_closed_by else "no block is open"
            raise reader.fail(f"{match[0]} does not fit here: {what}")
        reader.position = match.end()
        self.weight, self.is_closed_by = None, ""

    def check_closed(self) -> None:
        """Raise BadRange if a block is open at the end."""
        if self.is_closed_by:
            raise self.reader.fail(
                f"{self.mark} is never closed; write [/{self.is_closed_by}] after its hands", self.start
            )


def _part(reader: _Reader, number: str) -> float:
    """A weight in percent, exact to the last digit."""
    if float(number) > 100:
        raise reader.fail(f"{number} % is more than 100 %")
    return float(Decimal(number).scaleb(-2))


def _listed(reader: _Reader) -> np.ndarray | None:
    """The weights of a text that is only a list of numbers; None for any other text."""
    words = list(re.finditer(r"[^\s,]+", reader.lowered))
    if len(words) < _FEWEST_NUMBERS or not all(_NUMBER.fullmatch(word[0]) for word in words):
        return None
    if all(re.fullmatch("[2-9]{2}", word[0]) for word in words):  # classes of hands
        return None
    if len(words) != COMBO_COUNT:
        raise reader.fail(f"a range as a list of weights has {COMBO_COUNT:,} of them, got {len(words):,}", 0)
    for number, word in enumerate(words):
        if not float(word[0]) <= 1:
            raise reader.fail(f"the weight {word[0][:20]!r} of {combo_name(number)} is above 1", word.start())
    return np.array([float(word[0]) for word in words])


def _entry(reader: _Reader) -> np.ndarray:
    """How much of every hand [1326] the next entry holds, before its weight."""
    start = reader.position
    if reader.take("random"):
        return np.ones(COMBO_COUNT)
    if reader.take("top"):
        reader.space()
        share = _percent(reader)
        if share is None:
            raise reader.fail("after top comes a percentage, as in top 20%", start)
        return top_weights(share)
    if _PERCENT.match(reader.lowered, start):
        shown = reader.text[start : reader.text.index("%", start) + 1]
        raise reader.fail(f"{shown!r} is not a hand: write top {shown} for the best hands, AA:{shown} for a weight")
    if reader.peek() == "[":
        raise reader.fail("a bracket holds a weight in percent, as in [50]AA,KQs[/50]")
    held = np.zeros(COMBO_COUNT)
    held[_hands(reader)] = 1.0
    return held


def top_weights(share: float) -> np.ndarray:
    """The weights [1326] of the best hands that make up a given share; the last class in part, so that it is exact.

    >>> float(top_weights(0.2).sum())
    265.2
    """
    weights = np.zeros(COMBO_COUNT)
    left = round(share * COMBO_COUNT, _DIGITS)
    for name in BEST_FIRST:
        combos = CLASS_COMBOS[CLASS_NAMES.index(name)]
        weights[combos] = min(1.0, round(left / len(combos), _DIGITS))
        left = round(left - len(combos), _DIGITS)
        if left <= 0:
            break
    return weights


def _percent(reader: _Reader) -> float | None:
    """A percentage as a fraction of one; without one, do not advance."""
    match = _PERCENT.match(reader.lowered, reader.position)
    if match is None:
        return None
    share = _part(reader, match[1])
    reader.position = match.end()
    return share


def _hands(reader: _Reader) -> np.ndarray:
    start = reader.position
    high = reader.rank()
    suit = reader.suit()
    if suit is not None:
        return _one_hand(reader, start, high, suit)
    if reader.take("x"):
        suited = "s" if reader.take("s") else "o" if reader.take("o") else ""
        return _combos([(max(high, other), min(high, other), suited) for other in range(13) if other != high])
    first = _class(reader, start, high)
    if reader.take_spaced("+"):
        top, low, suited = first
        if top - low <= 1:  # pairs and connectors raise both cards
            return _combos([(rank, rank - (top - low), suited) for rank in range(top, 13)])
        return _combos([(top, rank, suited) for rank in range(low, top)])
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


def _weight(reader: _Reader) -> float | None:
    """The weight after an entry, None if there is none."""
    if not reader.take_spaced(":"):
        _check_apart(reader)
        return None
    reader.space()
    start = reader.position
    share = _percent(reader)
    if share is not None:
        _check_apart(reader)
        return share
    while reader.peek() not in ("", ",", "[", *_SPACE):
        reader.position += 1
    word = reader.lowered[start : reader.position]
    if not word:
        raise reader.fail("a weight from 0 to 1 is missing after the colon", start)
    if not _NUMBER.fullmatch(word) or not 0 <= float(word) <= 1:
        shown = word if len(word) <= 20 else word[:17] + "..."
        percent = f"; write {word}% if it is in percent" if re.fullmatch(r"\d{1,2}(\.\d{1,6})?|100", word) else ""
        raise reader.fail(f"the weight {shown!r} is not a number from 0 to 1{percent}", start)
    return float(word)


def _check_apart(reader: _Reader) -> None:
    """Raise BadRange if something follows an entry without a separator."""
    after = reader.peek()
    if after and after not in (",", "[", *_SPACE):
        shown = reader.text[reader.position]
        raise reader.fail(f"{shown!r} is not expected here: after a hand comes a comma, or a weight like :0.5")
