"""Buckets: which hands of a round are treated as one.

Each round has a table from hands (their suit-canonical index) to classes. With imperfect recall, a class is a bucket.
With perfect recall, a bucket is a class within a bucket of the previous round, and `join` maps the pair to the bucket.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadCards, BadSetting, TooLarge

MOST_LOSSLESS = 20_000_000  # most hands of a round that may each be a bucket
LOSSLESS = "lossless"


@dataclass(frozen=True, eq=False)
class RoundBuckets:
    """The buckets of one round."""

    method: str  # as typed: "emd:1000", "lossless"
    count: int  # number of buckets
    table: np.ndarray | None  # [hand] uint16 or uint32: the class of each hand; None: only the method's rule is stored
    join: np.ndarray | None = None  # [bucket of the previous round, class] int32; None: a class is a bucket
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)  # of the rule, see method.py
    distortion: float = 0.0  # mean distance of hands from the centres of their classes

    def classes(self, cards: CardRounds, round: int, hands: np.ndarray) -> np.ndarray:
        """The class of each hand with its board.  # [n, cards] uint8 -> [n]"""
        if self.table is not None:
            return np.asarray(self.table[cards.index(round, hands)])
        from pokerlab.abstraction.method import open_method

        return open_method(self.method).place(self.arrays, cards, round, hands)


@dataclass(frozen=True, eq=False)
class Buckets:
    """The buckets of every round of a game."""

    cards: CardRounds
    rounds: tuple[RoundBuckets, ...]
    seed: int = 0
    file: str = ""  # where they are saved

    def __post_init__(self) -> None:
        if len(self.rounds) != self.cards.rounds:
            raise BadSetting(f"the buckets have {len(self.rounds)} rounds, and the game has {self.cards.rounds}")

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of buckets of each round."""
        return tuple(one.count for one in self.rounds)

    @property
    def remembers(self) -> bool:
        """Whether a bucket determines the buckets of the earlier rounds."""
        return any(one.join is not None for one in self.rounds)

    @property
    def methods(self) -> tuple[str, ...]:
        """How the buckets of each round were made."""
        return tuple(one.method for one in self.rounds)

    @property
    def is_lossless(self) -> bool:
        """Whether every hand has a bucket of its own."""
        return set(self.methods) == {LOSSLESS}

    @property
    def text(self) -> str:
        """The numbers of buckets as text: "169/1000/1000/1000"."""
        return "/".join(str(count) for count in self.counts)

    @property
    def is_lean(self) -> bool:
        """Whether there are only rules and no tables: enough to play, too slow for training."""
        return any(one.table is None for one in self.rounds)

    def lean(self, *, most_hands: int = 0) -> Buckets:
        """The same buckets without the large tables that a rule can replace; the fingerprint stays the same."""
        from pokerlab.abstraction.method import open_method

        def thin(one: RoundBuckets) -> RoundBuckets:
            is_rule = bool(one.arrays) and one.join is None and open_method(one.method).is_rule
            if not is_rule or one.table is None:
                return one
            if len(one.table) > most_hands:
                return replace(one, table=None)
            return replace(one, table=one.table.astype(np.min_scalar_type(one.count - 1)))

        buckets = replace(self, rounds=tuple(thin(one) for one in self.rounds))
        vars(buckets)["fingerprint"] = self.fingerprint
        return buckets

    @cached_property
    def fingerprint(self) -> str:
        """A short identifier of these buckets."""
        words = repr((self.cards, self.methods, self.counts, self.seed))
        digest = hashlib.blake2b(words.encode(), digest_size=8)
        for array in (array for one in self.rounds for array in (one.table, one.join) if array is not None):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def of(self, hands: np.ndarray, board: Sequence[int]) -> np.ndarray:
        """The bucket of each hand in the last round that a board reaches.  # [n, private] uint8 -> [n] int64"""
        if len(board) not in self.cards.boards:
            raise BadCards(f"no board of this game has {len(board)} cards")
        return self.at(max(round for round, size in enumerate(self.cards.boards) if size == len(board)), hands, board)

    def at(self, last: int, hands: np.ndarray, board: Sequence[int]) -> np.ndarray:
        """The bucket of each hand in a round; the board may be longer.  # [n, private] uint8 -> [n] int64"""
        buckets = np.zeros(len(hands), np.int64)
        first = 0 if self.remembers else last
        for round in range(first, last + 1):
            shown = np.asarray(board[: self.cards.boards[round]], np.uint8)
            cards = np.concatenate([hands, np.broadcast_to(shown, (len(hands), len(shown)))], axis=1)
            one = self.rounds[round]
            classes = one.classes(self.cards, round, np.ascontiguousarray(cards, np.uint8))
            buckets = np.asarray(classes if one.join is None else one.join[buckets, classes], np.int64)
        return buckets


def lossless(cards: CardRounds) -> Buckets:
    """A bucket for every hand: at most the order of the board is lost, and only if it is forgotten."""
    rounds = []
    for round in range(cards.rounds):
        count = cards.hands(round)
        if count > MOST_LOSSLESS:
            raise TooLarge(f"round {round} has {count:,} hands, too many for a bucket each; choose a method with fewer")
        rounds.append(RoundBuckets(LOSSLESS, count, np.arange(count, dtype=np.uint32)))
    return Buckets(cards, tuple(rounds))
