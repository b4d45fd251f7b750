"""One place of a solution of a game in which cards are exchanged: who acts, and what each class of hands does there.

A place is what all see: the betting, and how many cards each player exchanged. Hands are told by what they are at a
showdown, or by the names of their buckets where hands have no such classes. Every hand of a class counts alike, however
it was played on the way. After the exchange a bucket also holds what its player remembers of the own exchange; what
is done is the mean over the ways to exchange as many cards, which count alike, and within a way over the hands that may
have been dealt, where the buckets remember those.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE, ExchangeBuckets
from pokerlab.errors import BadCards, BadSetting, IllegalAction
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import action_label
from pokerlab.games.poker.typed import WORDS
from pokerlab.registry import nearest
from pokerlab.strategy.bucketed_view import BucketShare, seat_labels, typed_number
from pokerlab.strategy.exchange_means import HandMeans
from pokerlab.strategy.place import ShownPlace

if TYPE_CHECKING:
    from pokerlab.strategy.exchange import ExchangeStrategy

MOST_WAYS = 12  # that are columns of a table; where there are more, columns are numbers of cards
_COUNTED = re.compile(r"(?:draw|discard|exchange|d)\s*(\d)")


@dataclass(frozen=True, eq=False)
class ExchangeView(ShownPlace):
    """A public place of a game with an exchange of cards."""

    source: ExchangeStrategy
    betting: Betting
    moves: tuple[str, ...]
    means: HandMeans
    grids = ("strategy",)
    is_deal = False

    @staticmethod
    def start(source: ExchangeStrategy) -> ExchangeView:
        """Where a game begins."""
        return ExchangeView(source, source.form.game.betting.start(), (), HandMeans(source))

    # ---- walking ---------------------------------------------------------------------------------------------------

    @property
    def game(self) -> PokerGame:
        """What is played."""
        return self.source.form.game

    @property
    def buckets(self) -> ExchangeBuckets:
        """How hands and exchanges are told apart."""
        return self.source.form.buckets

    @cached_property
    def node(self) -> int:
        """The number of this place in the form."""
        return self.source.form.betting.node_of[self.betting.history]

    @property
    def stage(self) -> int:
        """Whether cards are to be exchanged, are being, or have been."""
        return int(self.source.form.betting.arrays.round[self.node])

    @property
    def seats(self) -> tuple[str, ...]:
        """What the players are called, with their blinds."""
        return seat_labels(self.game)

    @property
    def player(self) -> int | None:
        """Who acts; None where the hand is over."""
        return self.betting.actor if self.betting.actor >= 0 else None

    @property
    def is_over(self) -> bool:
        """Whether the hand is over here."""
        return self.player is None

    @property
    def pot(self) -> float:
        """All chips in the middle."""
        return float(self.game.chips(self.game.pot(self.betting)))

    @cached_property
    def _choices(self) -> tuple[Action, ...]:
        """What the player may do in a round of betting, as the rule engine has it."""
        return tuple(self.game.betting.actions(self.betting))

    @property
    def _has_ways(self) -> bool:
        """Whether each way to exchange is an action of its own here, and not only how many cards go."""
        return len(self.buckets.ways) <= MOST_WAYS

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """What the player may do: "raise 4"; in an exchange its ways, "d3", or how many cards go, "draw 3"."""
        if self.player is None:
            return ()
        if self.stage != EXCHANGE:
            return tuple(action_label(self.game, self.betting, action) for action in self._choices)
        if self._has_ways:
            return tuple(way.name for way in self.buckets.ways)
        return tuple(self._counted(count) for count in range(int(self.buckets.discards.max()) + 1))

    def _counted(self, count: int) -> str:
        """An exchange as others see it: by the way of that name where ways go by numbers of cards."""
        ways = self.buckets.ways
        first = [next((way.name for way in ways if way.cards == cards), "") for cards in range(ways[-1].cards + 1)]
        if self._has_ways and first == [f"d{cards}" for cards in range(len(first))]:
            return f"d{count}"
        return f"draw {count}" if count else "stand pat"

    def at(self, *moves: str) -> ExchangeView:
        """The place after some moves: actions ("raise 4", "call") and exchanges ("d3", "draw 3", "stand pat")."""
        view = self
        for move in moves:
            view = view._after(move)
        return view

    def _after(self, move: str) -> ExchangeView:
        if self.player is None:
            raise IllegalAction(f"{move[:40]!r} cannot be done: the hand is over")
        if self.stage == EXCHANGE:
            count = self._exchanged(move)
            action, told = Action("d", 0, tuple(range(count))), self._counted(count)
        else:
            turn = View(self.game, self.player, (), (), self.betting, (), (), ())
            number = typed_number(move, self.actions, choices=self._choices, turn=turn)
            action, told = self._choices[number], self.actions[number]
        return replace(self, betting=self.game.betting.act(self.betting, action), moves=(*self.moves, told))

    def _exchanged(self, text: str) -> int:
        """How many cards go by what was typed: a way, "draw 3", "d3", "stand pat"."""
        words, ways = " ".join(text.lower().split()), self.buckets.ways
        if self._has_ways and words in self.actions:
            return ways[self.actions.index(words)].cards
        counted = _COUNTED.fullmatch(words)
        count = 0 if WORDS.get(words) == "pat" else int(counted[1]) if counted else -1
        if count not in self.buckets.discards:
            told = [*self.actions, *(() if "draw 1" in self.actions else ("stand pat", "draw 1"))]
            raise IllegalAction(f"{text[:40]!r} cannot be done here: cards are exchanged; {nearest(words[:40], told)}")
        return count

    # ---- numbers ---------------------------------------------------------------------------------------------------

    @cached_property
    def _own_ways(self) -> tuple[int, ...]:
        """The ways by which the player to act may have exchanged as many cards as all saw; of some that are remembered
        alike, the first."""
        count, known = self.source.exchanged(self.node), set()
        found = []
        for number, way in enumerate(self.buckets.ways):
            memory = self.means.memory(number)
            if way.cards == count and memory not in known:
                found.append(number)
                known |= {memory} - {None}
        return tuple(found)

    def _check_turn(self) -> None:
        if self.player is None:
            raise IllegalAction("nobody acts here: the hand is over")

    @cached_property
    def frequencies(self) -> np.ndarray:
        """What each class of hands does.  # [class, action]"""
        self._check_turn()
        if self.stage == AFTER:
            return _mean([self.means.after(self.node, way) for way in self._own_ways])
        found = self.means.before(self.node)
        if self.stage != EXCHANGE or self._has_ways:
            return found
        return np.stack([found[:, self.buckets.discards == count].sum(axis=1) for count in range(len(self.actions))], 1)

    def strategy(self, hand: str | None = None) -> dict[str, float]:
        """How often each action is taken: by one hand ("AsAdKh7c2d"), or by all, which count alike.

        In an exchange, a hand's actions are all ways by name.
        """
        self._check_turn()
        if hand is None:
            row = self.means.share(self.stage) @ self.frequencies
            return dict(zip(self.actions, row.tolist(), strict=True))
        if self.stage == AFTER:
            found = [list(told.values()) for told in self.strategies(hand).values()]
            return dict(zip(self.actions, np.mean(found, axis=0).tolist(), strict=True))
        row = self.means.of_hand(self.node, self.hand(hand))
        names = self.actions if self.stage != EXCHANGE else [way.name for way in self.buckets.ways]
        return dict(zip(names, row.tolist(), strict=True))

    def strategies(self, hand: str) -> dict[str, dict[str, float]]:
        """What a hand does after each way of the own exchange that may have led to it; none before the exchange."""
        self._check_turn()
        if self.stage != AFTER:
            return {}
        number, found = self.hand(hand), {}
        for way in self._own_ways:
            row = self.means.of_hand(self.node, number, way)
            if not np.isnan(row).any():
                found[self.buckets.ways[way].name] = dict(zip(self.actions, row.tolist(), strict=True))
        return found

    def thrown(self, hand: str) -> dict[str, str]:
        """The cards of a hand that each way of an exchange throws away; none elsewhere."""
        if self.player is None or self.stage != EXCHANGE:
            return {}
        cards, buckets = self.game.deck.cards(hand), self.buckets
        self.hand(hand)
        thrown = zip(buckets.ways, buckets.thrown(cards), strict=True)
        return {way.name: self.game.deck.text(gone) for way, gone in thrown}

    def hand(self, text: str) -> int:
        """The number of a hand; BadCards where a text is none."""
        deck, held = self.game.deck, self.buckets.cards.held
        cards = deck.cards(text)
        if len(cards) != held:
            example = deck.text(range(deck.size - 1, deck.size - 1 - held, -1))
            raise BadCards(f"{text[:40]!r} is not a hand of {held} cards; write one as {example}")
        return self.buckets.hand(cards)

    def buckets_of(self, hand: str, player: int | None = None) -> list[BucketShare]:
        """The bucket of a hand, after the exchange one for each way; none where buckets remember the hand before."""
        number, buckets = self.hand(hand), self.buckets
        if self.stage != AFTER:
            bucket = int(buckets.before[number])
            return [BucketShare(bucket, int(np.count_nonzero(buckets.before == bucket)))]
        own = int(buckets.after[number])
        alike = int(np.count_nonzero(buckets.after == own))
        memories = [self.means.memory(way) for way in self._own_ways]
        return [BucketShare(own * buckets.memories + memory, alike) for memory in memories if memory is not None]

    @property
    def bucket_count(self) -> int:
        """How many buckets this stage has."""
        return self.buckets.counts[self.stage]

    def is_present(self, player: int) -> np.ndarray:
        """[hand] Every hand may be held."""
        return np.ones(self.buckets.cards.hands, bool)

    def check_acts(self, player: int) -> None:
        """BadSetting for a player of whom nothing is told here, since somebody else is to act."""
        self._check_turn()
        if player != self.player:
            raise BadSetting(f"{self.seats[player]} is not to act here, and what is known is what the one to act does")

    def table(self, player: int) -> list[dict[str, Any]]:
        """One row for each class of hands of the player to act: its share of all hands, and what is done."""
        if player != self.player:
            return []
        share = self.means.share(self.stage).tolist()
        return [
            {"hand": name, "likelihood": part, "strategy": dict(zip(self.actions, row, strict=True))}
            for name, part, row in zip(self.means.names(self.stage), share, self.frequencies.tolist(), strict=True)
        ]

    @property
    def note(self) -> str:
        """How the rows are averaged."""
        if self.player is None:
            return ""
        told = "every hand counts alike, however it was played so far"
        if self.stage == AFTER and len(self._own_ways) > 1:
            return f"{told}, and so does each way to exchange as many cards; `hand` tells one hand by each"
        return f"{told}; `hand` tells what one does" + (", and throws away" if self.stage == EXCHANGE else "")

    def summary(self) -> dict[str, Any]:
        """The totals of this place, for JSON."""
        told: dict[str, Any] = {
            "moves": list(self.moves),
            "pot": self.pot,
            "player": self.player,
            "actions": list(self.actions),
        }
        return told | ({} if self.player is None else {"frequencies": self.strategy()})


def _mean(found: list[np.ndarray]) -> np.ndarray:
    """The mean of arrays, cell by cell over those that have a number there."""
    stacked = np.stack(found)
    known = ~np.isnan(stacked)
    return np.asarray(np.where(known, stacked, 0.0).sum(axis=0) / known.sum(axis=0))
