"""Blinds that rise: a schedule of levels, each for a number of hands; the last lasts to the end."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from pokerlab.errors import BadSetting, shortened
from pokerlab.reading import read_text

MOST_LEVELS = 1000
_LEVEL = re.compile(r"(\d{1,9})(?:/(\d{1,9})(?:/(\d{1,9}))?)?(?:\s*[x*]\s*(\d{1,6}))?")


@dataclass(frozen=True)
class BlindLevel:
    """Small and big blind, and the ante of every player, in chips."""

    small: int
    big: int
    ante: int = 0
    hands: int = field(default=0, compare=False)  # how long it lasts; the last level of a schedule lasts to the end

    @property
    def size(self) -> int:
        """What bets are measured in: the big blind, or the ante of a game without blinds."""
        return self.big or self.ante

    def __str__(self) -> str:
        amounts = f"{self.small}/{self.big}" if self.big else str(self.ante)
        return amounts + (f"/{self.ante}" if self.big and self.ante else "")


@dataclass(frozen=True)
class BlindSchedule:
    """Levels in order."""

    levels: tuple[BlindLevel, ...]

    def at(self, hand: int) -> BlindLevel:
        """The level of a hand, counted from 0."""
        for level, end in zip(self.levels[:-1], accumulate(level.hands for level in self.levels), strict=False):
            if hand < end:
                return level
        return self.levels[-1]

    def __str__(self) -> str:
        return ", ".join(f"{level}x{level.hands}" for level in self.levels[:-1]) + (
            f", {self.levels[-1]}" if len(self.levels) > 1 else str(self.levels[-1])
        )


def read_schedule(text: str) -> BlindSchedule:
    """A schedule from its text, or from the file that the text names.

    A level is "small/big" or "small/big/ante", or the ante alone in a game without blinds; "x20" is the number of its
    hands. Levels are separated by commas or lines.

    >>> schedule = read_schedule("10/20x20, 15/30/3 x 20, 25/50")
    >>> [str(schedule.at(hand)) for hand in (0, 19, 20, 39, 40, 999)]
    ['10/20', '10/20', '15/30/3', '15/30/3', '25/50', '25/50']
    >>> str(schedule)
    '10/20x20, 15/30/3x20, 25/50'
    """
    if _is_file(text):
        text = read_text(text)
    levels = [_level(word) for line in text.splitlines() for word in line.partition("#")[0].split(",") if word.strip()]
    if not 1 <= len(levels) <= MOST_LEVELS:
        raise BadSetting(f"a blind schedule has 1 to {MOST_LEVELS:,} levels, as in 10/20x20, 15/30; got {len(levels)}")
    for number, level in enumerate(levels[:-1], start=1):
        if not level.hands:
            raise BadSetting(f"level {number} ({level}) does not say for how many hands: write {level}x20")
    return BlindSchedule(tuple(levels))


def _is_file(text: str) -> bool:
    try:
        return _LEVEL.match(text.strip()) is None and Path(text).is_file()
    except (OSError, ValueError):
        return False


def _level(word: str) -> BlindLevel:
    found = _LEVEL.fullmatch(word.strip())
    if found is None:
        raise BadSetting(f"a level of blinds is written as 10/20x20 or 10/20/2x20; got {shortened(word.strip())!r}")
    if found[4] is not None and not int(found[4]):
        raise BadSetting(f"a level lasts for one hand or more: {shortened(word.strip())!r} lasts for none")
    first, big, ante, hands = (int(part or 0) for part in found.groups())
    level = BlindLevel(first, big, ante, hands) if found[2] else BlindLevel(0, 0, first, hands)
    if not level.size or level.small > level.big:
        raise BadSetting(f"the level {word.strip()} has no big blind, or a larger small one: write small/big, as 10/20")
    return level
