"""What hands do at a place of a game with an exchange of cards, averaged over the hands of a class.

Every hand counts alike. After the exchange a bucket is the class of a hand with a memory of the exchange. Where the way
of the exchange alone gives the memory, a class of hands is counted by its buckets; where the hand that was dealt does
too, each hand is averaged over those from which it can have come by that way.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, BEFORE, ExchangeBuckets
from pokerlab.abstraction.made_hands import MadeHands, made_hands

if TYPE_CHECKING:
    from pokerlab.strategy.exchange import ExchangeStrategy

AT_A_TIME = 256  # dealt hands that are compared with all others


@dataclass(frozen=True, eq=False)
class HandMeans:
    """The hands of a strategy in classes, and what these do."""

    source: ExchangeStrategy

    @property
    def buckets(self) -> ExchangeBuckets:
        """How hands and exchanges are told apart."""
        return self.source.form.buckets

    # ---- classes ---------------------------------------------------------------------------------------------------

    @cached_property
    def made(self) -> MadeHands | None:
        """The hands by what they are at a showdown; None where they are told by buckets."""
        return made_hands(self.buckets.cards)

    @cached_property
    def _names(self) -> dict[bool, tuple[str, ...]]:
        return {}

    def names(self, stage: int) -> tuple[str, ...]:
        """What the classes of a stage are called."""
        if self.made is not None:
            return self.made.names
        is_after, buckets = stage == AFTER, self.buckets
        if is_after not in self._names:
            step = buckets.memories if is_after else 1
            every = range(0, buckets.counts[AFTER if is_after else BEFORE], step)
            self._names[is_after] = tuple(buckets.name(AFTER if is_after else BEFORE, bucket) for bucket in every)
        return self._names[is_after]

    def _classes(self, stage: int) -> np.ndarray:
        """The class of every hand.  # [hand]"""
        if self.made is not None:
            return self.made.of
        return self.buckets.after if stage == AFTER else self.buckets.before

    def share(self, stage: int) -> np.ndarray:
        """The share of all hands that each class has.  # [class]"""
        counts = self._counts(stage)
        return np.asarray((counts if self.made is None else counts.sum(axis=1)) / self.buckets.cards.hands)

    def _counts(self, stage: int) -> np.ndarray:
        return self._after_counts if stage == AFTER else self._before_counts

    @cached_property
    def _before_counts(self) -> np.ndarray:
        return _counted(self.made, self.buckets.before)

    @cached_property
    def _after_counts(self) -> np.ndarray:
        return _counted(self.made, self.buckets.after)

    def _of_classes(self, stage: int, rows: np.ndarray) -> np.ndarray:
        """What classes do, from what buckets do.  # [bucket, action] -> [class, action]"""
        if self.made is None:
            return rows
        counts = self._counts(stage)
        return np.asarray(counts @ rows / counts.sum(axis=1, keepdims=True))

    # ---- what they do ----------------------------------------------------------------------------------------------

    def before(self, node: int) -> np.ndarray:
        """What each class does at a place before the exchange, or in it.  # [class, action]"""
        return self._of_classes(BEFORE, self.source.rows(node, np.arange(self.buckets.counts[BEFORE])))

    def after(self, node: int, way: int) -> np.ndarray:
        """What each class does after an own exchange by a way; NaN where none of it can be held.  # [class, action]"""
        memory = self.memory(way)
        if memory is None:
            return _grouped(self._classes(AFTER), self._hand_rows(node, way), len(self.names(AFTER)))
        classes = self.buckets.counts[AFTER] // self.buckets.memories
        return self._of_classes(AFTER, self.source.rows(node, np.arange(classes) * self.buckets.memories + memory))

    def of_hand(self, node: int, hand: int, way: int = -1) -> np.ndarray:
        """What one hand does; after the exchange, by a way, NaN where it cannot have led to the hand.  # [action]"""
        buckets = self.buckets
        if way < 0:
            return np.asarray(self.source.rows(node, buckets.before[[hand]])[0])
        memory = self.memory(way)
        if memory is None:
            return np.asarray(self._hand_rows(node, way)[hand])
        return np.asarray(self.source.rows(node, buckets.after[[hand]] * buckets.memories + memory)[0])

    def memory(self, way: int) -> int | None:
        """What is remembered of an exchange by a way; None where that depends on the hand that was dealt."""
        found = self.buckets.memory[:, way]
        return int(found[0]) if (found == found[0]).all() else None

    def _hand_rows(self, node: int, way: int) -> np.ndarray:
        """What each hand does, the mean over the hands that may have been dealt; NaN where none.  # [hand, action]"""
        buckets = self.buckets
        held, dealt = self._exchanges(way)
        memory = buckets.memory[buckets.before[dealt], way]
        rows = self.source.rows(node, buckets.after[held].astype(np.int64) * buckets.memories + memory)
        return _grouped(held, rows, buckets.cards.hands)

    @cached_property
    def _known(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}

    def _exchanges(self, way: int) -> tuple[np.ndarray, np.ndarray]:
        """Every hand with each of those that a way may have turned into it.  # [n] held, [n] dealt"""
        if way not in self._known:
            self._known[way] = self._compared(way)
        return self._known[way]

    def _compared(self, way: int) -> tuple[np.ndarray, np.ndarray]:
        cards, masks = self.buckets.cards, self.buckets.masks
        card_bits = np.uint64(1) << cards.every.astype(np.uint64)  # [hand, place]
        places = masks[:, way].astype(np.uint64)[:, None] >> np.arange(cards.held, dtype=np.uint64)
        stays = (places & np.uint64(1)) == 0  # [hand or 1, place]
        hands, kept = card_bits.sum(axis=1, dtype=np.uint64), (card_bits * stays).sum(axis=1, dtype=np.uint64)
        found = []
        for first in range(0, len(hands), AT_A_TIME):
            some = slice(first, first + AT_A_TIME)
            held, dealt = np.nonzero(hands[:, None] & hands[some] == kept[some])
            found.append((held, dealt + first))
        held, dealt = (np.concatenate(part) for part in zip(*found, strict=True))
        return held, dealt


def _counted(made: MadeHands | None, buckets: np.ndarray) -> np.ndarray:
    """How many hands each bucket has, by class where there are classes.  # [class, bucket] or [bucket]"""
    count = int(buckets.max()) + 1
    if made is None:
        return np.bincount(buckets, minlength=count)
    found = np.bincount(made.of * count + buckets, minlength=len(made.names) * count)
    return found.reshape(len(made.names), count).astype(float)


def _grouped(groups: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The mean of the known rows of each group; NaN where there are none.  # [n], [n, action] -> [group, action]"""
    known = ~np.isnan(rows[:, 0])
    groups, rows = groups[known], rows[known]
    sizes = np.bincount(groups, minlength=count)
    sums = np.stack([np.bincount(groups, column, count) for column in rows.T], axis=1)
    return np.asarray(np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], np.nan))
