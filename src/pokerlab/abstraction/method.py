"""What a way of bucketing is: it puts the hands of one round into classes, and says where any hand belongs.

Each file of library/ defines `method(count, **settings)`. A method is written as people type it, "emd:1000" or
"ochs:500(opponents=4)". What it finds is a table for all hands and the arrays of a rule, with which the class of one
hand is worked out alone, bit for bit the same: a file without tables is small, and plays.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pokerlab import registry
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.specs import read

_COUNT = re.compile(r"\s*([\w+-]+)\s*(?::\s*(\d+)(?:\s*x\s*(\d+))?)?\s*(\(.*\))?\s*", re.DOTALL)
_BLOCK = 1 << 20

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Grouped:
    """The hands of a round in classes."""

    count: int
    table: np.ndarray  # [hand] uint16 or uint32
    arrays: Arrays = field(default_factory=dict)  # of the rule
    distortion: float = 0.0  # mean distance of hands from the centres of their classes, in the method's own measure
    skipped: float = 0.0  # share of distances that bounds made unnecessary


@dataclass(frozen=True, eq=False)
class HandValues:
    """What the hands of a round are expected to win at each decision of the round."""

    values: np.ndarray  # [hand, decision] float32: chips to whoever decides
    depth: np.ndarray  # [decision] actions of the round before it


Valuing = Callable[[CardRounds, int, int], HandValues]  # of hands of a round, after so many iterations of a warm-up


@dataclass(frozen=True, eq=False)
class Work:
    """One round to be done."""

    cards: CardRounds
    round: int
    seed: int = 0
    threads: int = 1
    watch: Watch = SILENT
    following: tuple[Method, Grouped] | None = None  # what was done with the next round
    values: Valuing | None = None  # for methods that compare expected values

    def weights(self) -> np.ndarray:
        """How many hands each canonical hand stands for, in the smallest type.  # [hand]"""
        indexer, total = self.cards.indexer(self.round), self.cards.hands(self.round)
        found = np.empty(total, np.uint16)
        for start in range(0, total, _BLOCK):
            part = np.arange(start, min(start + _BLOCK, total))
            found[part] = indexer.counts(part)
        return found

    def watched(self, stage: str) -> Watch:
        """The watch for a stage of the work."""
        return replace(self.watch, stage=stage)


class Method(ABC):
    """A way of bucketing with its settings."""

    spec: str  # as it is typed
    asked: int  # classes wanted
    is_rule: bool = True  # whether the class of one hand can be told without tables
    for_two: bool = False  # whether what it promises is true of games for two alone
    is_nested: bool = False  # whether classes are those of all hands also within the buckets of the round before

    @abstractmethod
    def grouped(self, work: Work) -> Grouped:
        """Put all hands of a round into classes."""

    @abstractmethod
    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The classes of some hands, by the rule's arrays.  # [n, cards] uint8 -> [n]"""

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether arrays of a file, which anyone may have written, are a rule for so many classes: kernels trust it."""
        return all(array.dtype.kind in "uif" and np.isfinite(array).all() for array in arrays.values())

    def ground(self, found: Grouped) -> np.ndarray:
        """How far classes are from one another, for methods that look ahead.  # [class, class]"""
        raise BadSetting(f"buckets made by {self.spec} have no distances between them, and cannot be looked ahead to")


def is_array(arrays: Arrays, name: str, shape: tuple[int, ...], kind: str = "f") -> bool:
    """Whether there is an array of this name, shape and kind of number, finite throughout."""
    array = arrays.get(name)
    return array is not None and array.shape == shape and array.dtype.kind == kind and bool(np.isfinite(array).all())


def open_method(text: str) -> Method:
    """The method that a text names: "emd:1000", "nested:5x10", "ochs:500(opponents=4)", "lossless".

    >>> open_method("strength:10").asked
    10
    """
    found = _COUNT.fullmatch(text)
    if not found:
        raise BadSetting(f"a method is written as emd:1000, not {text[:40]!r}")
    name, count, inner, settings = found.groups()
    given: dict[str, Any] = {}
    if count:
        given["count"] = int(count)
    if inner:
        given["inner"] = int(inner)
    made = registry.load("abstractions", name + (settings or ""), **given)
    assert isinstance(made, Method)
    return made


def method_name(text: str) -> str:
    """The name alone."""
    return read(text.partition(":")[0])[0]
