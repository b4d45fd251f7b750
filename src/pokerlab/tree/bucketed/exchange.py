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
from functools import cached_property
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
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed.betting import MOST_NODES, BettingForm, Following, Grown, grow, packed, places_of
from pokerlab.tree.bucketed.form import BYTES, MISSING, BucketedForm, locked
from pokerlab.tree.form import FormSize

if TYPE_CHECKING:
    from pokerlab.tree.bucketed._kernels.exchange import ExchangeTables


@dataclass(frozen=True, eq=False)
class ExchangeForm(BucketedForm):
    """A poker game with an exchange of cards, as betting and buckets."""

    buckets: ExchangeBuckets  # type: ignore[assignment]

    has_draws = True

    @property
    def size(self) -> FormSize:
        """Its size."""
        buckets = self.buckets
        tables = (
            sum(array.nbytes for array in (buckets.before, buckets.masks, buckets.memory)) + 2 * buckets.after.nbytes
        )
        return FormSize(self.betting.nodes, self.infosets, float(self.numbers * BYTES + tables))

    def small(self) -> ExchangeForm:
        """A game of few nodes that runs the same compiled code."""
        from pokerlab.registry import load

        tiny = load("games", "small-draw(cards=1, ranks=2, suits=2)")
        return exchange_form(tiny, exchange_buckets("lossless", tiny))

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
        node = self.betting.node_of[re.sub(r"d\([^)]*\)", f"d{len(discarded)}", history)]
        cards = tuple(card for card in dealt if card not in discarded) + (received[0] if received else ())
        stage = int(self.betting.arrays.round[node])
        first = self.first_number(node, buckets.bucket(stage, dealt, discarded, cards))
        if stage != EXCHANGE:
            return first + np.arange(moves)
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
    rules, names = game.betting, tuple(option.name for option in options)
    most = max(option.cards for option in options)
    _check(game, most)

    def following(betting: Betting) -> Following:
        if betting.actor == TERMINAL:
            return (), []
        if betting.drawing:
            after = [rules.act(betting, Action("d", 0, tuple(range(count)))) for count in range(most + 1)]
            return names, after
        actions = rules.actions(betting)
        return tuple(game.action_text(action) for action in actions), [rules.act(betting, one) for one in actions]

    grown = grow(rules.start(), following, watch=watch)
    stages = np.array([_stage(state) for state in grown.states], np.int8)
    slot, rows, decisions = _slots(grown, stages, most, players=game.players)
    return packed(game, grown, rounds=stages, slot=slot, rows=rows, decisions=decisions)


def _check(game: PokerGame, most: int) -> None:
    """Raise TooLarge, before building anything, if betting and exchanges have too many nodes.

    Counts each exchange that all players reach as a factor on what follows.
    """
    rounds = tuple(replace(round_, draw=0) for round_ in game.rules.rounds)
    try:
        places = places_of(PokerGame(replace(game.rules, rounds=rounds), game.name)) * (most + 1) ** game.players
        many = f"up to {places:,} places"
    except TooLarge:
        places, many = MOST_NODES + 1, "too many places to count"
    if places > MOST_NODES:
        raise TooLarge(
            f"the betting and the exchanges of {game.name} have {many}, and there may be {MOST_NODES:,}: choose a menu "
            'of few bet sizes, as in --menu "50%,100%,allin", or min, of which every raise is the least'
        )


def _stage(state: Betting) -> int:
    if state.drawing:
        return EXCHANGE
    return AFTER if state.round else BEFORE


def _slots(
    grown: Grown, stages: np.ndarray, most: int, *, players: int
) -> tuple[np.ndarray, tuple[int, ...], tuple[int, ...]]:
    """The offset of each decision's numbers in the row of a bucket, the row lengths, and the slots per row.

    # [node] int32, [stage], [stage]
    """
    shape, entry = _shapes(grown, stages, most, players=players)
    slot = np.zeros(len(grown.states), np.int32)
    rows, decisions = [], []
    for stage in (BEFORE, EXCHANGE, AFTER):
        own = [node for node, state in enumerate(grown.states) if stages[node] == stage and state.actor >= 0]
        own.sort(
            key=lambda node: (grown.states[node].actor, entry[node], node)
        )  # a player's decisions of a subtree are adjacent
        known: dict[tuple[int, int], int] = {}
        row = 0
        for node in own:
            key = grown.states[node].actor, shape[node]
            if key not in known:
                known[key] = row
                row += len(grown.actions[node])
            slot[node] = known[key]
        rows.append(row)
        decisions.append(len(known))
    return slot, tuple(rows), tuple(decisions)


def _shapes(grown: Grown, stages: np.ndarray, most: int, *, players: int) -> tuple[list[int], list[int]]:
    """Nodes as their player distinguishes them when their own exchange is in the bucket; and the start of their
    stage.

    Both are node numbers: of the representative node, and of the first node of its stage, among nodes that differ
    only in the player's own exchange.  # [node], [node]
    """
    count = len(grown.states)
    like = np.zeros((count, players), np.int64)  # the same node if the player had discarded nothing
    entry = np.zeros((count, players), np.int64)
    for node, state in enumerate(grown.states):
        for place in range(grown.children[node]):
            child = grown.first[node] + place
            for seat in range(players):
                same = int(like[node, seat])
                same_child = grown.first[same] + (0 if stages[node] == EXCHANGE and state.actor == seat else place)
                like[child, seat] = same_child
                entered = stages[child] == AFTER and stages[node] != AFTER
                entry[child, seat] = same_child if entered else entry[node, seat]
    actors = [max(state.actor, 0) for state in grown.states]
    return [int(like[node, seat]) for node, seat in enumerate(actors)], [
        int(entry[node, seat]) for node, seat in enumerate(actors)
    ]
