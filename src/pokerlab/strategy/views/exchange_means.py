"""Action probabilities at a node of a game with one draw, by hand and averaged over the hands of a class.

Every hand has the same weight. After the draw a bucket is the class of a hand with a memory of the draw. If the memory
depends only on the discard option, a class is averaged over its buckets; if the dealt hand matters too, each hand is
averaged over those from which the option can have led to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, BEFORE, ExchangeBuckets
from pokerlab.abstraction.made_hands import made_hands

if TYPE_CHECKING:
    from pokerlab.strategy.forms.exchange import ExchangeStrategy

AT_A_TIME = 256  # dealt hands compared with all others


class PrivateHands(NamedTuple):
    """The possible private hands at a public node, as far as the buckets distinguish them."""

    held: np.ndarray  # [n] the number of each hand
    option: np.ndarray  # [n] the player's discard option; -1 if it does not matter
    dealt: np.ndarray  # [n] the number of the hand dealt; -1 if it does not matter
    bucket: np.ndarray  # [n]


class HandClasses(NamedTuple):
    """The hands of a stage, grouped into classes."""

    names: tuple[str, ...]
    of: np.ndarray  # [hand] class
    share: np.ndarray  # [class] of all hands
    counts: np.ndarray | None  # [class, bucket] hands in each bucket; None if classes are buckets

    def means(self, rows: np.ndarray) -> np.ndarray:
        """Average the rows of buckets over classes.  # [bucket, action] -> [class, action]"""
        if self.counts is None:
            return rows
        return np.asarray(self.counts @ rows / self.counts.sum(axis=1, keepdims=True))


@dataclass(frozen=True, eq=False)
class HandMeans:
    """The hand classes of a strategy, and their average play."""

    source: ExchangeStrategy

    @property
    def buckets(self) -> ExchangeBuckets:
        """The buckets of hands and draws."""
        return self.source.form.buckets

    # ---- classes ---------------------------------------------------------------------------------------------------

    @cached_property
    def _classes(self) -> dict[int, HandClasses]:
        return {stage: _classes(self.buckets, stage) for stage in (BEFORE, AFTER)}

    def classes(self, stage: int) -> HandClasses:
        """The classes of hands at a stage."""
        return self._classes[AFTER if stage == AFTER else BEFORE]

    # ---- what they do ----------------------------------------------------------------------------------------------

    def own_options(self, node: int) -> tuple[int, ...]:
        """The options by which the player to act may have drawn the number of cards that all saw.

        Of those with the same memory, the first.
        """
        form = self.source.form
        count, memories = form.drawn[node, form.betting.arrays.actor[node]], set()
        options = []
        for option in np.flatnonzero(self.buckets.discards == count).tolist():
            memory = self.memory(option)
            if memory not in memories:
                options.append(option)
                memories |= {memory} - {None}
        return tuple(options)

    def before(self, node: int) -> np.ndarray:
        """Action probabilities of each class at a node before the draw, or at it.  # [class, action]"""
        return self.classes(BEFORE).means(self.source.rows(node, np.arange(self.buckets.counts[BEFORE])))

    def after(self, node: int, option: int) -> np.ndarray:
        """Action probabilities of each class after drawing by an option; NaN if it is impossible.  # [class, action]"""
        memory = self.memory(option)
        if memory is None:
            return _grouped(self.classes(AFTER).of, self._hand_rows(node, option), len(self.classes(AFTER).names))
        classes = np.arange(self.buckets.counts[AFTER] // self.buckets.memories)
        return self.classes(AFTER).means(self.source.rows(node, classes * self.buckets.memories + memory))

    def of_hand(self, node: int, hand: int, option: int = -1) -> np.ndarray:
        """Action probabilities of one hand; after the draw, NaN if the option cannot have led to it.  # [action]"""
        if option < 0:
            return np.asarray(self.source.rows(node, self.buckets.before[[hand]])[0])
        if self.memory(option) is None:
            return np.asarray(self._hand_rows(node, option)[hand])
        return np.asarray(self.source.rows(node, self._buckets_after(np.array([hand]), option))[0])

    def memory(self, option: int) -> int | None:
        """What is remembered of a draw by an option; None if that depends on the dealt hand."""
        memories = self.buckets.memory[:, option]
        return int(memories[0]) if (memories == memories[0]).all() else None

    def _buckets_after(self, held: np.ndarray, option: int, dealt: np.ndarray | None = None) -> np.ndarray:
        """Buckets of hands after a draw by an option, from dealt hands if those are remembered.  # [n]"""
        buckets = self.buckets
        memory = self.memory(option) if dealt is None else buckets.memory[buckets.before[dealt], option]
        return np.asarray(buckets.after[held].astype(np.int64) * buckets.memories + memory)

    def private_hands(self, node: int, among: np.ndarray | None = None) -> PrivateHands:
        """Possible hands of the player to act at a node, as far as buckets distinguish them; all, or some [n]."""
        every = np.arange(self.buckets.cards.hands) if among is None else among
        unknown = np.full(len(every), -1)
        if self.source.form.betting.arrays.round[node] != AFTER:
            return PrivateHands(every, unknown, unknown, self.buckets.before[every])
        options, parts = self.own_options(node), []
        for option in options:
            held, dealt, shown = every, unknown, option if len(options) > 1 else -1
            if self.memory(option) is None:
                held, dealt = self._exchanges(option)
                held, dealt = (column[np.isin(held, every)] for column in (held, dealt))
            buckets = self._buckets_after(held, option, None if dealt is unknown else dealt)
            parts.append((held, np.full(len(held), shown), dealt, buckets))
        return PrivateHands(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def _hand_rows(self, node: int, option: int) -> np.ndarray:
        """Action probabilities of each hand, averaged over possible dealt hands; NaN if none.  # [hand, action]"""
        held, dealt = self._exchanges(option)
        rows = self.source.rows(node, self._buckets_after(held, option, dealt))
        return _grouped(held, rows, self.buckets.cards.hands)

    @cached_property
    def _known(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}

    def _exchanges(self, option: int) -> tuple[np.ndarray, np.ndarray]:
        """Every hand with each dealt hand that an option can turn into it.  # [n] held, [n] dealt"""
        if option in self._known:
            return self._known[option]
        cards, masks = self.buckets.cards, self.buckets.masks
        card_bits = np.uint64(1) << cards.every.astype(np.uint64)  # [hand, card position]
        places = masks[:, option].astype(np.uint64)[:, None] >> np.arange(cards.held, dtype=np.uint64)
        stays = (places & np.uint64(1)) == 0  # [hand or 1, card position]
        hands, kept = card_bits.sum(axis=1, dtype=np.uint64), (card_bits * stays).sum(axis=1, dtype=np.uint64)
        pairs = []
        for first in range(0, len(hands), AT_A_TIME):
            some = slice(first, first + AT_A_TIME)
            held, dealt = np.nonzero(hands[:, None] & hands[some] == kept[some])
            pairs.append((held, dealt + first))
        held, dealt = (np.concatenate(part) for part in zip(*pairs, strict=True))
        self._known[option] = held, dealt
        return held, dealt


def _classes(buckets: ExchangeBuckets, stage: int) -> HandClasses:
    """Hands by showdown class, or by bucket if hands have no such classes."""
    of, step = (buckets.after, buckets.memories) if stage == AFTER else (buckets.before, 1)
    count, made = int(of.max()) + 1, made_hands(buckets.cards)
    if made is None:
        names = tuple(buckets.name(stage, bucket * step) for bucket in range(count))
        return HandClasses(names, of, np.bincount(of, minlength=count) / buckets.cards.hands, None)
    counts = np.bincount(made.of * count + of, minlength=len(made.names) * count).reshape(-1, count).astype(float)
    return HandClasses(made.names, made.of, counts.sum(axis=1) / buckets.cards.hands, counts)


def _grouped(groups: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """The mean of the known rows of each group; NaN if there are none.  # [n], [n, action] -> [group, action]"""
    known = ~np.isnan(rows[:, 0])
    groups, rows = groups[known], rows[known]
    sizes = np.bincount(groups, minlength=count)
    sums = np.stack([np.bincount(groups, column, count) for column in rows.T], axis=1)
    return np.asarray(np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], np.nan))
