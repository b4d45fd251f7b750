"""A public node of a solution of a game with one draw: the player to act, and what each class of hands does.

A node is what all players see: the betting, and how many cards each player drew. Hands are grouped by their showdown
class, or by bucket if hands have no such classes. Every hand of a class has the same weight, however it was played so
far. After the draw a bucket also contains what its player remembers of their draw; frequencies are the mean over the
options that discard as many cards, and within an option over the hands that may have been dealt, if the buckets
remember those.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE, ExchangeBuckets
from pokerlab.errors import BadCards, BadSetting, IllegalAction
from pokerlab.games.poker.typed import WORDS
from pokerlab.registry import nearest
from pokerlab.strategy.views.bucketed import BettingView, BucketShare

if TYPE_CHECKING:
    from pokerlab.strategy.forms.exchange import ExchangeStrategy

MOST_OPTIONS = 12  # shown as columns of a table; beyond, columns are numbers of cards
_COUNTED = re.compile(r"(?:draw|discard|exchange|d)\s*(\d)")


@dataclass(frozen=True, eq=False)
class ExchangeView(BettingView):
    """A public node of a game with one draw."""

    source: ExchangeStrategy
    grids = ("strategy",)
    has_hand_classes = True

    @property
    def buckets(self) -> ExchangeBuckets:
        """The buckets of hands and draws."""
        return self.source.form.buckets

    @cached_property
    def node(self) -> int:
        """The number of this node in the form."""
        return self.source.form.betting.node_of(self.place.betting.history)

    @property
    def stage(self) -> int:
        """Whether this is before the draw, at it, or after it."""
        return int(self.source.form.betting.arrays.round[self.node])

    @property
    def _shows_options(self) -> bool:
        """Whether each discard option is a separate action here, and not only the number of cards."""
        return len(self.buckets.options) <= MOST_OPTIONS

    def _action_names(self) -> tuple[str, ...]:
        """The legal actions: "raise 4"; at a draw its options, "d3", or the number of cards, "draw 3"."""
        if self.player is None or self.stage != EXCHANGE:
            return super()._action_names()
        if self._shows_options:
            return tuple(option.name for option in self.buckets.options)
        return tuple(self._draw_text(count) for count in range(int(self.buckets.discards.max()) + 1))

    def _draw_text(self, count: int) -> str:
        """A draw as others see it: by the option of that name if options are named by numbers of cards."""
        options = self.buckets.options
        first = [
            next((option.name for option in options if option.cards == cards), "")
            for cards in sorted(set(self.buckets.discards.tolist()))
        ]
        if self._shows_options and first == [f"d{cards}" for cards in range(len(first))]:
            return f"d{count}"
        return f"draw {count}" if count else "stand pat"

    def _after(self, move: str) -> Self:
        if self.player is not None and self.stage == EXCHANGE:
            count = self._draw_count(move)
            code, text = f"d{count}", self._draw_text(count)
        else:
            number = self.action_number(move)
            code, text = self.game.action_text(self._choices[number]), self.actions[number]
        return replace(self, place=self.place.after(code), moves=(*self.moves, text))

    def _draw_count(self, text: str) -> int:
        """The number of discarded cards that a text means: an option, "draw 3", "d3", "stand pat"."""
        words, options = " ".join(text.lower().split()), self.buckets.options
        if self._shows_options and words in self.actions:
            return options[self.actions.index(words)].cards
        counted = _COUNTED.fullmatch(words)
        count = 0 if WORDS.get(words) == "pat" else int(counted[1]) if counted else -1
        if count not in self.buckets.discards:
            known = [*self.actions, *(() if "draw 1" in self.actions else ("stand pat", "draw 1"))]
            raise IllegalAction(f"{text[:40]!r} cannot be done here: cards are exchanged; {nearest(words[:40], known)}")
        return count

    @cached_property
    def _own_options(self) -> tuple[int, ...]:
        """The options by which the player to act may have drawn."""
        return self.source.own_options(self.node)

    @cached_property
    def frequencies(self) -> np.ndarray:
        """Action probabilities of each class of hands.  # [class, action]"""
        _ = self.acting
        if self.stage == AFTER:
            rows = np.stack([self.source.class_rows(self.node, option) for option in self._own_options])
            return np.asarray(np.nansum(rows, axis=0) / (~np.isnan(rows)).sum(axis=0))
        rows = self.source.class_rows(self.node)
        if self.stage != EXCHANGE or self._shows_options:
            return rows
        return np.stack([rows[:, self.buckets.discards == count].sum(axis=1) for count in range(len(self.actions))], 1)

    def strategy(self, hand: str | None = None) -> dict[str, float]:
        """How often each action is taken: by one hand ("AsAdKh7c2d"), or by all, with equal weights.

        At a draw, a hand's actions are all options by name.
        """
        _ = self.acting
        if hand is None:
            row = self.source.classes(self.stage).share @ self.frequencies
            return dict(zip(self.actions, row.tolist(), strict=True))
        if self.stage == AFTER:
            rows = [list(played.values()) for played in self.strategies(hand).values()]
            return dict(zip(self.actions, np.mean(rows, axis=0).tolist(), strict=True))
        row = self.source.hand_row(self.node, self.hand(hand))
        names = self.actions if self.stage != EXCHANGE else [option.name for option in self.buckets.options]
        return dict(zip(names, row.tolist(), strict=True))

    def strategies(self, hand: str) -> dict[str, dict[str, float]]:
        """A hand's action probabilities after each option that may have led to it; empty before the draw."""
        _ = self.acting
        if self.stage != AFTER:
            return {}
        number, played = self.hand(hand), {}
        for option in self._own_options:
            row = self.source.hand_row(self.node, number, option)
            if not np.isnan(row).any():
                played[self.buckets.options[option].name] = dict(zip(self.actions, row.tolist(), strict=True))
        return played

    def thrown(self, hand: str) -> dict[str, str]:
        """The cards of a hand that each option discards; empty if this is not a draw."""
        if self.player is None or self.stage != EXCHANGE:
            return {}
        self.hand(hand)
        thrown = self.buckets.thrown(self.game.deck.cards(hand))
        return {one.name: self.game.deck.text(cards) for one, cards in zip(self.buckets.options, thrown, strict=True)}

    def hand(self, text: str) -> int:
        """The number of a hand; BadCards if a text is not a hand."""
        deck, held = self.game.deck, self.buckets.cards.held
        cards = deck.cards(text)
        if len(cards) != held:
            example = deck.text(range(deck.size - 1, deck.size - 1 - held, -1))
            raise BadCards(f"{text[:40]!r} is not a hand of {held} cards; write one as {example}")
        return self.buckets.hand(cards)

    def buckets_of(self, hand: str, player: int | None = None) -> list[BucketShare]:
        """The bucket of a hand, after the draw one per option; empty if buckets remember the hand before."""
        number, buckets = self.hand(hand), self.buckets
        classes = buckets.after if self.stage == AFTER else buckets.before
        own = int(classes[number])
        count = int(np.count_nonzero(classes == own))
        if self.stage != AFTER:
            return [BucketShare(own, count)]
        memories = [self.source.memory(option) for option in self._own_options]
        return [BucketShare(own * buckets.memories + memory, count) for memory in memories if memory is not None]

    @property
    def bucket_count(self) -> int:
        """How many buckets this stage has."""
        return self.buckets.counts[self.stage]

    def is_present(self, player: int) -> np.ndarray:
        """[hand] Every hand is possible."""
        return np.ones(self.buckets.cards.hands, bool)

    def hand_details(self, hand: str, player: int) -> dict[str, Any]:
        """What is known about a hand of the player to act: strategy, buckets, options and the cards they discard."""
        if player != self.acting:
            raise BadSetting(f"{self.seats[player]} is not to act here: only the player to act has a strategy")
        return {
            "strategy": self.strategy(hand),
            "buckets": self.buckets_of(hand),
            "options": self.strategies(hand),
            "thrown": self.thrown(hand),
        }

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each class of hands of the player to act: its share of hands and its action probabilities."""
        if player != self.player:
            return []
        names, _, share, _ = self.source.classes(self.stage)
        return [
            {"hand": name, "likelihood": part, "strategy": dict(zip(self.actions, row, strict=True))}
            for name, part, row in zip(names, share.tolist(), self.frequencies.tolist(), strict=True)
        ]

    @property
    def note(self) -> str:
        """How the rows are averaged."""
        if self.player is None:
            return ""
        text = "every hand has the same weight, however it was played so far"
        if self.stage == AFTER and len(self._own_options) > 1:
            return f"{text}, and so does each option to discard as many cards; `hand` shows one hand by each"
        return f"{text}; `hand` shows what one does" + (", and discards" if self.stage == EXCHANGE else "")
