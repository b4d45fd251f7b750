"""The bucketed form of games with one draw: three stages, betting, exchange and betting again.

An exchange is a decision whose actions are the discard options of the buckets (abstraction/exchange_buckets.py). The
other players see only the number of cards, so such a node has more actions than children: action `option` leads to
child number `discards[option]`.

After the exchange a bucket implies how many cards its player drew. Nodes that differ only in that number therefore
share a slot of a row: each of them uses the rows of different buckets, and no number is unused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.exchange_buckets import (
    AFTER,
    BEFORE,
    EXCHANGE,
    DiscardOption,
    ExchangeBuckets,
    exchange_buckets,
)
from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.errors import BadSetting
from pokerlab.events import SILENT, Watch
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed.betting import (
    BettingArrays,
    BettingForm,
    arrays_of,
    check_nodes,
    decisions_of,
    form_of,
    grow,
)
from pokerlab.tree.bucketed.form import BYTES, MISSING, BucketedForm
from pokerlab.tree.form import FormSize
from pokerlab.tree.read_only import locked

if TYPE_CHECKING:
    from pokerlab.tree.bucketed._kernels.exchange import ExchangeTables

MOST_CACHED = 100_000  # nodes of a betting that is cached for the next strategy of its game


@dataclass(frozen=True, eq=False)
class ExchangeForm(BucketedForm):
    """A poker game with an exchange of cards, as betting and buckets."""

    buckets: ExchangeBuckets  # type: ignore[assignment]

    has_draws = True

    @property
    def size(self) -> FormSize:
        buckets = self.buckets
        tables = buckets.before.nbytes + buckets.masks.nbytes + buckets.memory.nbytes + 2 * buckets.after.nbytes
        return FormSize(self.betting.nodes, self.infosets, float(self.numbers * BYTES + tables))

    def small(self) -> ExchangeForm:
        return _small()

    @cached_property
    def exchange(self) -> ExchangeTables:
        """How cards are dealt and exchanged, as kernels read it."""
        from pokerlab.tree.bucketed._kernels.exchange import ExchangeTables

        buckets, cards = self.buckets, self.buckets.cards
        return ExchangeTables(
            deck=cards.deck.size,
            held=cards.held,
            memories=buckets.memories,
            choose=locked(cards.choose),
            before=locked(buckets.before),
            masks=locked(buckets.masks),
            discards=locked(buckets.discards.astype(np.int64)),
            order=locked(np.argsort(buckets.discards, kind="stable").astype(np.int64)),
            after=locked(np.stack([buckets.after, cards.strength], axis=1).astype(np.int32)),
            memory=locked(buckets.memory),
        )

    @cached_property
    def drawn(self) -> np.ndarray:
        """How many cards each player has drawn at each node, -1 before.  # [node, player] int8"""
        arrays = self.betting.arrays
        drawn = np.full((self.betting.nodes, self.players), -1, np.int8)
        for node, actor in enumerate(arrays.actor.tolist()):
            below = slice(int(arrays.first[node]), int(arrays.first[node]) + int(arrays.children[node]))
            drawn[below] = drawn[node]
            if actor >= 0 and arrays.round[node] == EXCHANGE:
                drawn[below, actor] = np.arange(arrays.children[node])
        return drawn

    def infoset_numbers(self, name: str, moves: int) -> np.ndarray:
        """The offsets of an infoset of the real game; MISSING for discards that are not an option.  # [action]"""
        game, buckets = self.game, self.buckets
        words, _, history = name.partition(":")
        dealt, *received = (tuple(game.deck.cards(part)) for part in words.split("/"))
        thrown = re.search(r"d\(([^)]*)\)", history)
        discarded = tuple(game.deck.cards(thrown[1])) if thrown else ()
        node = self.betting.node_of(re.sub(r"d\([^)]*\)", f"d{len(discarded)}", history))
        cards = tuple(card for card in dealt if card not in discarded) + (received[0] if received else ())
        stage = int(self.betting.arrays.round[node])
        first = self.first_number(node, buckets.bucket(stage, dealt, discarded, cards))
        if stage != EXCHANGE:
            return np.asarray(first + np.arange(moves))
        numbers = {frozenset(cards): first + option for option, cards in enumerate(buckets.thrown(dealt))}
        actions = game.seat_actions(game.betting.start()._replace(round=1, drawing=True), dealt)
        return np.array([numbers.get(frozenset(action.cards), MISSING) for action in actions])

    @property
    def deals(self) -> Any:
        """Not available: cards are exchanged, so a deal of hands does not determine the outcome."""
        raise BadSetting(f"{self.name} exchanges cards, and only external sampling knows how: choose --with external")

    def deal_buffers(self, at_a_time: int = 0, *, players: int | None = None) -> Any:
        """Not available: there are no such deals."""
        return self.deals


@cache
def _small() -> ExchangeForm:
    from pokerlab.registry import load

    tiny = load("games", "small-draw(cards=1, ranks=2, suits=2)")
    return exchange_form(tiny, exchange_buckets("lossless", tiny))


def why_not(game: PokerGame) -> str:
    """Why a game has no form of this kind; "" if it has one."""
    try:
        ExchangeCards.of(game)
    except BadSetting as reason:
        return f"{game.name} has no bucketed form: {reason}"
    return ""


def exchange_form(game: PokerGame, buckets: ExchangeBuckets, *, watch: Watch = SILENT) -> ExchangeForm:
    """A game with buckets of its exchange; BadSetting if they are for other cards."""
    if buckets.cards != ExchangeCards.of(game):
        raise BadSetting(f"the buckets are of other cards than those of {game.name}")
    return ExchangeForm(game, exchange_betting(game, buckets.options, watch=watch), buckets)


def exchange_betting(game: PokerGame, options: tuple[DiscardOption, ...], *, watch: Watch = SILENT) -> BettingForm:
    """Build the betting and the exchange of a game; TooLarge if it has too many nodes."""
    rounds = tuple(replace(round_, draw=0) for round_ in game.rules.rounds)
    exchanges = (max(option.cards for option in options) + 1) ** game.players  # if all players reach the exchange
    without_draws = PokerGame(replace(game.rules, rounds=rounds), game.name)
    nodes = check_nodes(without_draws, "the betting with the exchanges", factor=exchanges)
    return _cached(game, options) if nodes <= MOST_CACHED else _grown(game, options, watch)


@lru_cache(maxsize=4)
def _cached(game: PokerGame, options: tuple[DiscardOption, ...]) -> BettingForm:
    """The betting of a small game, grown once for all its strategies."""
    return _grown(game, options, SILENT)


def _grown(game: PokerGame, options: tuple[DiscardOption, ...], watch: Watch) -> BettingForm:
    tree = grow(game, options, watch=watch)
    arrays = arrays_of(game, tree, [_stage(state) for state in tree.states])
    slot, rows, decisions = _slots(arrays, players=game.players)
    return form_of(game, tree, arrays._replace(slot=slot), rows, decisions)


def _stage(state: Betting) -> int:
    if state.drawing:
        return EXCHANGE
    return AFTER if state.round else BEFORE


def _slots(arrays: BettingArrays, *, players: int) -> tuple[np.ndarray, tuple[int, ...], tuple[int, ...]]:
    """Offsets of the decisions' numbers in a row; row lengths and slots by stage.  # [node], [stage], [stage]"""
    shape, entry = _shapes(arrays, players=players)
    slot = np.zeros(len(arrays.actor), np.int32)
    rows, counts = [], []
    for stage in (BEFORE, EXCHANGE, AFTER):
        nodes = decisions_of(arrays, stage)
        order = np.lexsort((nodes, entry[nodes], arrays.actor[nodes]))  # a player's decisions of a subtree are adjacent
        known: dict[int, int] = {}  # the slot of each shape
        row = 0
        for node in nodes[order].tolist():
            if shape[node] not in known:
                known[shape[node]] = row
                row += int(arrays.moves[node])
            slot[node] = known[shape[node]]
        rows.append(row)
        counts.append(len(known))
    return slot, tuple(rows), tuple(counts)


def _shapes(arrays: BettingArrays, *, players: int) -> tuple[np.ndarray, np.ndarray]:
    """Among nodes that differ only in the exchange of the player to act: the first, and the first of its stage.

    That player's bucket implies the exchange.  # [node], [node]
    """
    like = np.zeros((len(arrays.actor), players), np.int64)  # the same node if a player had discarded nothing
    entry = np.zeros_like(like)
    for node, (actor, stage) in enumerate(zip(arrays.actor.tolist(), arrays.round.tolist(), strict=True)):
        for action in range(int(arrays.children[node])):
            child = int(arrays.first[node]) + action
            like[child] = arrays.first[like[node]] + action
            if stage == EXCHANGE:
                like[child, actor] -= action
            entered = arrays.round[child] == AFTER and stage != AFTER
            entry[child] = like[child] if entered else entry[node]
    nodes, actors = np.arange(len(like)), np.maximum(arrays.actor, 0)
    return like[nodes, actors], entry[nodes, actors]
