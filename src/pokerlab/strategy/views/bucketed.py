"""A node of a solution over buckets: the player to act, and the bucket and action probabilities of each hand.

Hands are real ones: each plays as its bucket does, and its reach follows from its buckets on the path. EV is not known
in a game this large. Equity is known for two-player hold'em, against the range that the opponent's own play leaves:
from the flop on, and before it if the preflop table has been computed.

The likelihood of a hand accounts for the cards of the others: exactly with two and three players, and with more as if
those others could share cards among themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import IllegalAction
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import action_label, seat_name
from pokerlab.games.poker.typed import read_typed
from pokerlab.strategy.spot_actions import action_number
from pokerlab.strategy.views.hands import DealtHands, HandNode, normalized
from pokerlab.strategy.views.node import GRIDS, SolutionNode

if TYPE_CHECKING:
    pass

MOST_COMPARED = 3_000  # hands with a table of shared cards; beyond, card removal is ignored
NO_BUCKET = -1


@dataclass(frozen=True, eq=False)
class GameHands(DealtHands):
    """Every hand that a game deals, the one with the highest cards last, and which of them share cards."""

    @staticmethod
    def of(game: PokerGame) -> GameHands:
        """The hands of a game."""
        dealt = combinations(range(game.deck.size), game.rules.rounds[0].private)
        return GameHands(game.deck, tuple(sorted(dealt, key=lambda hand: hand[::-1])), game.players)

    @cached_property
    def holds(self) -> np.ndarray:
        """[hand, card] Whether a hand contains a card."""
        holds = np.zeros((len(self.hands), self.deck.size), bool)
        holds[np.arange(len(self.hands))[:, None], np.array(self.hands, np.int64).reshape(len(self.hands), -1)] = True
        return holds

    @cached_property
    def apart(self) -> np.ndarray:
        """[hand, hand] 1 if two hands share no card."""
        holds = self.holds.astype(np.float32)
        return np.asarray(holds @ holds.T == 0, float)

    def free(self, board: Sequence[int]) -> np.ndarray:
        """[hand] Whether a hand shares no card with a board."""
        return np.asarray(~self.holds[:, list(board)].any(axis=1))


class BucketShare(NamedTuple):
    """A bucket at a node, and how many of the possible hands on its board are in it."""

    bucket: int
    hands: int


@dataclass(frozen=True, eq=False)
class BettingView(SolutionNode):
    """What views of strategies over buckets share: the game, the betting, and actions as people type them."""

    source: Any  # BucketedStrategy
    place: PublicNode
    moves: tuple[str, ...]

    @property
    def game(self) -> PokerGame:
        """The game."""
        return self.source.form.game  # type: ignore[no-any-return]

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players, with their blinds."""
        seats = range(self.game.players)
        if not any(self.game.rules.blinds):
            return tuple(f"player {seat}" for seat in seats)
        names = [seat_name(self.game, seat).replace("seat", "player", 1) for seat in seats]
        return tuple(name.replace("small blind, button", "small blind") for name in names)  # as usual with two players

    @property
    def player(self) -> int | None:
        return None if self.is_deal or self.place.seat == TERMINAL else self.place.seat

    @property
    def pot(self) -> float:
        return float(self.game.chips(self.game.pot(self.place.betting)))

    @cached_property
    def _choices(self) -> tuple[Action, ...]:
        """The legal actions, as the rule engine represents them."""
        return () if self.player is None else tuple(self.game.seat_actions(self.place.betting, ()))

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The legal actions, with amounts on this street: "raise 300"; in fixed limit "raise"."""
        return self._action_names()

    def _action_names(self) -> tuple[str, ...]:
        return tuple(action_label(self.game, self.place.betting, action) for action in self._choices)

    def action_number(self, text: str) -> int:
        """The index of the action that a text means: "raise", "r", "call", "bet 50%", "3bb", "half pot", "allin"."""
        if self.player is None:
            raise IllegalAction(f"{text[:40]!r} cannot be done: the hand is over")
        try:
            return action_number(text, self.actions)
        except IllegalAction as unknown:
            view = View(self.game, self.player, (), self.place.board, self.place.betting, (), (), ())
            try:
                meant = read_typed(text, view)
            except IllegalAction as problem:  # the rules give the best reason why an amount is illegal
                is_amount = view.legal.can_raise and any(letter.isdigit() for letter in text)
                raise problem if is_amount else unknown from None
            if meant not in self._choices:
                raise
            return self._choices.index(meant)


@dataclass(frozen=True, eq=False)
class BucketedView(BettingView, HandNode):
    """A public node of a game that was solved over buckets."""

    reach: tuple[np.ndarray, ...]  # [player] of [hand]

    @property
    def board(self) -> tuple[int, ...]:  # type: ignore[override]
        """The public cards."""
        return self.place.board

    @property
    def is_deal(self) -> bool:
        return self.place.missing > 0 and not self.place.betting.folded_out

    @property
    def coming(self) -> int:
        """How many cards are dealt next; after an all-in, still one round at a time."""
        if not self.is_deal:
            return 0
        lying = len(self.board)
        return int(min(size for size in self.source.form.buckets.cards.boards if size > lying)) - lying

    def _after_action(self, number: int) -> BucketedView:
        reach = self._reach_after(self.reach, np.nan_to_num(self.frequencies[:, number]))
        place = self.place.after(self.game.action_text(self._choices[number]))
        return replace(self, place=place, moves=(*self.moves, self.actions[number]), reach=reach)

    def _after_cards(self, cards: Sequence[int]) -> BucketedView:
        place = self.place._replace(board=(*self.board, *cards))
        live = self.holdings.free(place.board)
        reach = tuple(np.where(live, held, 0.0) for held in self.reach)
        return replace(self, place=place, moves=(*self.moves, self.deck.text(cards)), reach=reach)

    @cached_property
    def buckets(self) -> np.ndarray:
        """[hand] The bucket of each hand on this board, NO_BUCKET if it is impossible."""
        buckets = np.full(len(self.holdings.hands), NO_BUCKET, np.int64)
        if self.bucket_count:
            live = np.flatnonzero(self.holdings.free(self.board))
            buckets[live[::-1]] = self.source.held(self.place)[1]
        return buckets

    @cached_property
    def frequencies(self) -> HandArray:
        _ = self.acting
        node = self.source.node(self.place.betting.history)
        live = self.buckets >= 0
        rows = np.full((len(live), len(self.actions)), np.nan)
        rows[live] = self.source.rows(node, self.buckets[live])
        return self.labelled(rows)

    def range(self, player: int) -> HandArray:
        """[hand] A player's own reach probability with each hand."""
        return self.labelled(self.reach[player])

    def likelihood(self, player: int) -> HandArray:
        return self.labelled(normalized(self.reach[player] * self._opposing_weight(player)))

    def _opposing_weight(self, player: int) -> np.ndarray:
        """[hand] The weight of the others' hands that are compatible with each hand of a player, up to scale."""
        if player in self._compatible:
            return self._compatible[player]
        others = [held for seat, held in enumerate(self.reach) if seat != player]
        weight = np.ones(len(self.holdings.hands))
        if len(weight) <= MOST_COMPARED:
            apart = self.holdings.apart
            if len(others) == 2:
                weight = ((apart * others[0]) @ apart * (apart * others[1])).sum(axis=1)
            else:
                weight = np.prod([apart @ held for held in others], axis=0)
        self._compatible[player] = weight
        return weight

    @cached_property
    def _compatible(self) -> dict[int, np.ndarray]:
        return {}

    def is_present(self, player: int) -> np.ndarray:
        return np.asarray(self.holdings.free(self.board))

    @property
    def grids(self) -> tuple[str, ...]:
        """What is known of the hands here: never EV, and equity only in two-player hold'em."""
        missing = {"ev"} if self._has_equity else {"ev", "equity"}
        return tuple(name for name in GRIDS if name not in missing)

    @property
    def _has_equity(self) -> bool:
        from pokerlab.cards.preflop import is_saved

        cards = self.source.form.buckets.cards
        is_holdem = self.holdings.has_starting_hands and cards.showdown == "high" and cards.boards[-1] == 5
        if not is_holdem or self.game.players != 2:
            return False
        return len(self.board) in (3, 4, 5) or (not self.board and is_saved())

    def equities(self, player: int) -> HandArray:
        """[hand] The share of the pot that each hand would win against the opponent's range if all cards were dealt."""
        if not self._has_equity:
            return self.labelled(np.full(len(self.holdings.hands), np.nan))
        return self.labelled(self._equities[player])

    @cached_property
    def _equities(self) -> tuple[np.ndarray, ...]:
        from pokerlab.cards.equity import equity_of_hands
        from pokerlab.cards.ranges import Range

        equities = []
        for player in (0, 1):
            weights = self.reach[1 - player]
            if not weights.sum():
                equities.append(np.full(len(weights), np.nan))
                continue
            shares = equity_of_hands(Range(weights / weights.max()), board=self.board).equity
            live = self.is_present(player) & (self._opposing_weight(player) > 0)
            equities.append(np.where(live, shares, np.nan))
        return tuple(equities)

    def buckets_of(self, hand: str, player: int | None = None) -> list[BucketShare]:
        """The buckets of one hand or of the hands of a class, and how many hands of this board each contains."""
        numbers = self.buckets[self.hands(hand, player)]
        held = np.unique(numbers[numbers >= 0])
        return [BucketShare(int(bucket), int(np.count_nonzero(self.buckets == bucket))) for bucket in held]

    def hand_details(self, hand: str, player: int) -> dict[str, Any]:
        return super().hand_details(hand, player) | {"buckets": self.buckets_of(hand, player)}

    @property
    def bucket_count(self) -> int:
        """The number of buckets with this many cards on the board; 0 if cards are still to be dealt."""
        known, lying = self.source.form.buckets, len(self.board)
        sizes = zip(known.counts, known.cards.boards, strict=True)
        return max((int(count) for count, size in sizes if size == lying), default=0)

    def _columns(self, player: int) -> dict[str, np.ndarray]:
        return super()._columns(player) | ({"bucket": self.buckets} if self.bucket_count else {})
