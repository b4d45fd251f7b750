"""What a bucketing method is: it puts the hands of one round into classes, and can classify any single hand.

Each file of library/ defines `method(count, **settings)`. A method is named as users type it, "emd:1000" or
"ochs:500(opponents=4)". Its result is a table for all hands and the arrays of a rule, which classifies a single hand
without the table, bit for bit the same: a file without tables is small, and enough to play.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pokerlab import registry
from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.specs import read, spec_text

_COUNT = re.compile(r"\s*([\w+-]+)\s*(?::\s*(\d+)(?:\s*x\s*(\d+))?)?\s*(\(.*\))?\s*", re.DOTALL)
_BLOCK = 1 << 20

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class HandValues:
    """The expected values of the hands of a round at each decision of the round."""

    values: np.ndarray  # [hand, decision] float32: chips to the player to act
    depth: np.ndarray  # [decision] number of actions before it in the round


ValueFunction = Callable[[CardRounds, int, int], HandValues]  # of a round, after a number of warm-up iterations


@dataclass(frozen=True, eq=False)
class ClusteringTask:
    """One round to be clustered."""

    cards: CardRounds
    round: int
    seed: int = 0
    threads: int = 1
    watch: Watch = SILENT
    following: RoundBuckets | None = None  # the buckets of the next round
    values: ValueFunction | None = None  # for methods that compare expected values

    def weights(self) -> np.ndarray:
        """How many hands each canonical hand represents, in the smallest type.  # [hand]"""
        indexer, total = self.cards.indexer(self.round), self.cards.hands(self.round)
        weights = np.empty(total, np.uint16)
        for start in range(0, total, _BLOCK):
            part = np.arange(start, min(start + _BLOCK, total))
            weights[part] = indexer.counts(part)
        return weights

    def watched(self, stage: str) -> Watch:
        """The watch for a stage of the work."""
        return replace(self.watch, stage=stage)


class Method(ABC):
    """A bucketing method with its settings."""

    spec: str  # as typed
    count: int  # number of classes requested
    is_rule: bool = True  # whether one hand can be classified without tables
    for_two: bool = False  # whether its guarantees hold only for two players
    is_nested: bool = False  # whether clustering within the buckets of the previous round gives the same classes

    @abstractmethod
    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        """Put all hands of a round into classes."""

    def place(self, arrays: Arrays, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The classes of some hands, by the rule's arrays; BadSetting without `is_rule`.  # [n, cards] uint8 -> [n]"""
        raise BadSetting(f"{self.spec} cannot classify a single hand: its buckets need their tables")

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        """Whether untrusted arrays from a file are a rule for this many classes; kernels do not check."""
        return all(array.dtype.kind in "uif" and np.isfinite(array).all() for array in arrays.values())

    def ground(self, arrays: Arrays) -> np.ndarray:
        """Distances between the classes of a rule, for methods that look ahead.  # [class, class]"""
        raise BadSetting(f"buckets made by {self.spec} have no distances between them, which looking ahead needs")


def is_array(arrays: Arrays, name: str, shape: tuple[int, ...], kind: str = "f") -> bool:
    """Whether there is an array of this name, shape and dtype kind, with finite entries."""
    array = arrays.get(name)
    return array is not None and array.shape == shape and array.dtype.kind == kind and bool(np.isfinite(array).all())


def is_partition(arrays: Arrays, name: str, groups: int, count: int) -> bool:
    """Whether an array divides this many classes among groups, none of which is empty.  # [group + 1]"""
    if not groups or not is_array(arrays, name, (groups + 1,), "i"):
        return False
    offsets = arrays[name]
    return bool(offsets[0] == 0 and offsets[-1] == count and (np.diff(offsets) > 0).all())


def open_method(text: str) -> Method:
    """The method of a name: "emd:1000", "nested:5x10", "ochs:500(opponents=4)", "lossless".

    >>> open_method("strength:10").count
    10
    """
    match = _COUNT.fullmatch(text)
    if not match:
        raise BadSetting(f"a method is written as emd:1000, not {text[:40]!r}")
    name, count, inner, settings = match.groups()
    counts: dict[str, Any] = {key: int(number) for key, number in (("count", count), ("inner", inner)) if number}
    method = registry.load("abstractions", name + (settings or ""), **counts)
    assert isinstance(method, Method)
    return method


def counted_spec(name: str, count: int) -> str:
    """The spec of a method, with its count after a colon.

    >>> counted_spec("emd(count=20, bins=10)", 20)
    'emd:20(bins=10)'
    """
    label, settings = read(name)
    return spec_text(f"{label}:{count}", {key: value for key, value in settings.items() if key != "count"})


def method_name(text: str) -> str:
    """The name without arguments."""
    return read(text.partition(":")[0])[0]
