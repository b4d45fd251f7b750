"""Buckets of a game in which cards are exchanged: hands before, ways to exchange, hands after.

Before the exchange a hand is in one of some buckets. A way is an action of the exchange that every hand of a bucket
has, with the number of cards that it throws away, which all players see; which cards these are is each hand's own. What
a player remembers after the exchange is a memory, given by the bucket before and the way; it tells at least how many
cards were exchanged. A bucket after the exchange is the class of the hand then held, with a memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pokerlab import registry
from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.games.poker.engine import PokerGame

BEFORE, EXCHANGE, AFTER = range(3)  # stages: betting, exchange, betting
MOST_MEMORY = 50_000_000  # buckets before, times ways


class Way(NamedTuple):
    """One action of an exchange."""

    name: str  # "d15"
    cards: int  # thrown away


@dataclass(frozen=True, eq=False)
class ExchangeBuckets:
    """Buckets of the three stages."""

    cards: ExchangeCards
    method: str  # as it was asked for: "no-suits"
    ways: tuple[Way, ...]
    before: np.ndarray  # [hand] int32: bucket
    masks: np.ndarray  # [hand, way] uint8: the cards that a way throws away; [1, way] where hands do not differ
    after: np.ndarray  # [hand] int32: class
    memory: np.ndarray  # [bucket before, way] int32
    written: Callable[[ExchangeCards, Sequence[int]], str] | None = None  # how a class is called, by one of its hands
    file = ""
    seed = 0
    is_lean = False

    def __post_init__(self) -> None:
        held = np.unique(np.column_stack([self.memory.reshape(-1), np.tile(self.discards, len(self.memory))]), axis=0)
        if len(np.unique(held[:, 0])) != len(held):
            raise BadSetting("a memory of an exchange tells how many cards were exchanged, and one of these does not")

    @property
    def discards(self) -> np.ndarray:
        """How many cards each way throws away.  # [way] int64"""
        return np.array([way.cards for way in self.ways])

    @cached_property
    def memories(self) -> int:
        """How many memories there are."""
        return int(self.memory.max()) + 1

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many buckets each stage has."""
        before = int(self.before.max()) + 1
        return before, before, (int(self.after.max()) + 1) * self.memories

    @property
    def methods(self) -> tuple[str, ...]:
        """How the buckets were made."""
        return (self.method,)

    @property
    def is_lossless(self) -> bool:
        """Whether nothing is forgotten."""
        return self.method == "lossless"

    @property
    def text(self) -> str:
        """How many there are, as people write it: "6175/6175/197600"."""
        return "/".join(str(count) for count in self.counts)

    @cached_property
    def fingerprint(self) -> str:
        """A word that tells these buckets from others."""
        found = hashlib.blake2b(repr((self.cards, self.method, self.ways)).encode(), digest_size=8)
        for array in (self.before, self.masks, self.after, self.memory):
            found.update(np.ascontiguousarray(array).data)
        return found.hexdigest()

    # ---- names -----------------------------------------------------------------------------------------------------

    @cached_property
    def _examples(self) -> tuple[np.ndarray, np.ndarray]:
        """A hand of each class, before and after.  # [class] each"""
        before, after = (np.unique(table, return_index=True)[1] for table in (self.before, self.after))
        return before, after

    def name(self, stage: int, bucket: int) -> str:
        """What a bucket's class is called: "56789", or by one of its hands."""
        before, after = self._examples
        hand = after[bucket // self.memories] if stage == AFTER else before[bucket]
        cards = sorted(self.cards.every[hand].tolist())
        return self.written(self.cards, cards) if self.written else f"like {self.cards.deck.text(cards[::-1])}"

    @cached_property
    def remembered(self) -> tuple[tuple[int, int], ...]:
        """For each memory, how many cards it says were exchanged, and the way where there is one alone, else -1."""
        found = []
        ways = [set(np.flatnonzero((self.memory == memory).any(axis=0)).tolist()) for memory in range(self.memories)]
        for own in ways:
            way = min(own, default=0)
            found.append((self.ways[way].cards, way if len(own) == 1 else -1))
        return tuple(found)

    # ---- one hand --------------------------------------------------------------------------------------------------

    def hand(self, cards: Sequence[int]) -> int:
        """The number of a hand."""
        return int(self.cards.number(np.array([cards]))[0])

    def thrown(self, hand: Sequence[int]) -> list[tuple[int, ...]]:
        """The cards that each way throws away, highest first.  # [way]"""
        ordered = sorted(hand)
        masks = self.masks[self.hand(hand) if len(self.masks) > 1 else 0]
        return [
            tuple(card for place, card in reversed(list(enumerate(ordered))) if mask >> place & 1)
            for mask in masks.tolist()
        ]

    def way(self, dealt: Sequence[int], discarded: Sequence[int]) -> int:
        """The way that throws these cards of a hand away, or else the likest: as many, and most of them the same."""
        chosen = set(discarded)
        thrown = self.thrown(dealt)
        same = [place for place, one in enumerate(thrown) if len(one) == len(chosen)]
        if not same:
            raise BadSetting(f"these buckets know no exchange of {len(chosen)} cards")
        return max(same, key=lambda place: len(chosen & set(thrown[place])))

    def at(self, stage: int, view: Any) -> int:
        """The bucket of a player's hand at a stage, from a view."""
        return self.bucket(stage, view.dealt, view.draws[0].discarded if view.draws else (), view.cards)

    def bucket(self, stage: int, dealt: Sequence[int], discarded: Sequence[int], cards: Sequence[int]) -> int:
        """The bucket of a hand that was dealt, of which some cards were exchanged, so that others are held now."""
        before = int(self.before[self.hand(dealt)])
        if stage != AFTER:
            return before
        memory = int(self.memory[before, self.way(dealt, discarded)])
        return int(self.after[self.hand(cards)]) * self.memories + memory


def exchange_buckets(text: str, game: PokerGame) -> ExchangeBuckets:
    """The buckets that a text names, "no-suits" or "by-draws(before=500)", for a game."""
    made = registry.load("exchanges", text)
    return made(ExchangeCards.of(game))  # type: ignore[no-any-return]


def found_again(told: Any, game: PokerGame, path: Any) -> ExchangeBuckets:
    """The buckets that a file says it was trained with; BadFile where they are no longer made so."""
    try:
        (method,), fingerprint = told["methods"], str(told["fingerprint"])
        found = exchange_buckets(str(method)[:200], game)
    except (KeyError, TypeError, ValueError, PokerlabError) as problem:
        raise BadFile(f"{path} does not say which buckets it plays with: {problem}") from problem
    if found.fingerprint != fingerprint:
        raise BadFile(f"{path} was trained with other buckets than {method} makes today: train it anew")
    return found
