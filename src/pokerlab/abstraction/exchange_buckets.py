"""Buckets of a game with one draw: hands before it, discard options, hands after it.

Every hand of a bucket before the draw has the same discard options. All players see how many cards an option discards;
which cards these are depends on the hand. What a player remembers after the draw is a memory, given by the bucket
before and the option, from which at least the number of cards follows. A bucket after the draw is the class of the hand
then held, with a memory.
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

BEFORE, EXCHANGE, AFTER = range(3)  # stages: betting, draw, betting
MOST_MEMORY = 50_000_000  # most buckets before, times options


class DiscardOption(NamedTuple):
    """One action of a draw."""

    name: str  # "d15"
    cards: int  # number discarded


def options_of_masks(masks: Sequence[int]) -> tuple[DiscardOption, ...]:
    """An option for each set of discards, by number."""
    return tuple(DiscardOption(f"d{number}", mask.bit_count()) for number, mask in enumerate(masks))


@dataclass(frozen=True, eq=False)
class ExchangeBuckets:
    """Buckets of the three stages."""

    cards: ExchangeCards
    method: str  # as typed: "no-suits"
    options: tuple[DiscardOption, ...]
    before: np.ndarray  # [hand] int32: bucket
    masks: np.ndarray  # [hand, option] uint8: the cards discarded; [1, option] if all hands have the same
    after: np.ndarray  # [hand] int32: class
    memory: np.ndarray  # [bucket before, option] int32
    written: Callable[[ExchangeCards, Sequence[int]], str] | None = None  # writes a class, given one of its hands
    file = ""
    seed = 0
    is_lean = False

    def __post_init__(self) -> None:
        memory, drawn = self.memory.reshape(-1), np.tile(self.discards, len(self.memory))
        implied = np.zeros(self.memories, drawn.dtype)
        implied[memory] = drawn
        if (implied[memory] != drawn).any():
            raise BadSetting("a memory must imply how many cards were drawn, and one of these does not")

    @property
    def discards(self) -> np.ndarray:
        """The number of cards that each option discards.  # [option] int64"""
        return np.array([option.cards for option in self.options])

    @cached_property
    def memories(self) -> int:
        """The number of memories."""
        return int(self.memory.max()) + 1

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of buckets of each stage."""
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
        """The numbers of buckets as text: "6175/6175/197600"."""
        return "/".join(str(count) for count in self.counts)

    @cached_property
    def fingerprint(self) -> str:
        """A short identifier of these buckets."""
        options = ", ".join(f"Way(name={one.name!r}, cards={one.cards})" for one in self.options)  # as in earlier files
        digest = hashlib.blake2b(f"({self.cards!r}, {self.method!r}, ({options}))".encode(), digest_size=8)
        for array in (self.before, self.masks, self.after, self.memory):
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    @cached_property
    def _examples(self) -> tuple[np.ndarray, np.ndarray]:
        """A hand of each class, before and after.  # [class] each"""
        return np.unique(self.before, return_index=True)[1], np.unique(self.after, return_index=True)[1]

    def name(self, stage: int, bucket: int) -> str:
        """A bucket's class as text: "56789", or one of its hands."""
        before, after = self._examples
        hand = after[bucket // self.memories] if stage == AFTER else before[bucket]
        cards = sorted(self.cards.every[hand].tolist())
        return self.written(self.cards, cards) if self.written else f"like {self.cards.deck.text(cards[::-1])}"

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], ...]:
        """The names of the classes before and after."""
        before, _, after = self.counts
        return (
            tuple(self.name(BEFORE, bucket) for bucket in range(before)),
            tuple(self.name(AFTER, bucket) for bucket in range(0, after, self.memories)),
        )

    def names(self, stage: int) -> tuple[str, ...]:
        """The classes of a stage as text."""
        return self._names[1 if stage == AFTER else 0]

    @cached_property
    def _discard_texts(self) -> dict[int, dict[str, str]]:
        return {}

    def discard_texts(self, bucket: int) -> dict[str, str]:
        """The cards that each option discards from the hand that names a bucket: ranks where its name is of ranks."""
        if bucket not in self._discard_texts:
            hand = self.cards.every[self._examples[0][bucket]].tolist()
            suits, deck = len(self.cards.deck.suits), self.cards.deck
            self._discard_texts[bucket] = {
                option.name: "".join(deck.ranks[card // suits] for card in reversed(cards))
                if self.written
                else deck.text(cards)
                for option, cards in zip(self.options, self.thrown(hand), strict=True)
            }
        return self._discard_texts[bucket]

    @cached_property
    def remembered(self) -> tuple[tuple[int, int], ...]:
        """For each memory, how many cards were drawn, and the option if only one has this memory, else -1."""
        remembered = []
        for memory in range(self.memories):
            options = np.flatnonzero((self.memory == memory).any(axis=0)).tolist() or [0, 0]
            remembered.append((self.options[options[0]].cards, options[0] if len(options) == 1 else -1))
        return tuple(remembered)

    def hand(self, cards: Sequence[int]) -> int:
        """The number of a hand."""
        return int(self.cards.number(np.array([cards]))[0])

    def thrown(self, hand: Sequence[int]) -> list[tuple[int, ...]]:
        """The cards that each option discards, highest first.  # [option]"""
        ordered = sorted(hand)
        masks = self.masks[self.hand(hand) if len(self.masks) > 1 else 0]
        return [
            tuple(card for place, card in reversed(list(enumerate(ordered))) if mask >> place & 1)
            for mask in masks.tolist()
        ]

    def option(self, dealt: Sequence[int], discarded: Sequence[int]) -> int:
        """The option that discards these cards of a hand, or else the closest: as many cards, most of them the same."""
        chosen = set(discarded)
        thrown = self.thrown(dealt)
        same = [option for option, cards in enumerate(thrown) if len(cards) == len(chosen)]
        if not same:
            raise BadSetting(f"these buckets have no option to discard {len(chosen)} cards")
        return max(same, key=lambda option: len(chosen & set(thrown[option])))

    def at(self, stage: int, view: Any) -> int:
        """The bucket of a player's hand at a stage, from a view."""
        return self.bucket(stage, view.dealt, view.draws[0].discarded if view.draws else (), view.cards)

    def bucket(self, stage: int, dealt: Sequence[int], discarded: Sequence[int], cards: Sequence[int]) -> int:
        """The bucket of a hand, given the cards dealt, discarded and now held."""
        before = int(self.before[self.hand(dealt)])
        if stage != AFTER:
            return before
        memory = int(self.memory[before, self.option(dealt, discarded)])
        return int(self.after[self.hand(cards)]) * self.memories + memory


def exchange_buckets(text: str, game: PokerGame) -> ExchangeBuckets:
    """The buckets of a game by name, "no-suits" or "by-draws(before=500)"."""
    make = registry.load("exchanges", text)
    return make(ExchangeCards.of(game))  # type: ignore[no-any-return]


def trained_buckets(words: Any, game: PokerGame, path: Any) -> ExchangeBuckets:
    """The buckets that a strategy was trained with; BadFile if the method no longer produces the same ones."""
    try:
        (method,), fingerprint = words["methods"], str(words["fingerprint"])
        buckets = exchange_buckets(str(method)[:200], game)
    except (KeyError, TypeError, ValueError, PokerlabError) as problem:
        raise BadFile(f"{path} does not say which buckets it plays with: {problem}") from problem
    if buckets.fingerprint != fingerprint:
        raise BadFile(f"{path} was trained with other buckets than {method} makes today: train it again")
    return buckets
