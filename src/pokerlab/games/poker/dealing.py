"""The cards of a hand: who holds what, what is still to be dealt, and from which cards.

The cards of a deal are stored in dealing order: round by round, each seat's private cards and then the public ones.
Replacements in draws come after them, in deck order. If the deck runs out, the muck (folded hands and earlier discards,
but never the player's own last ones) is shuffled and dealt again: a complete deal of a draw game therefore contains the
deck twice, in two independent orders, the second for that reshuffle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from math import comb, prod

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.rules import Rules
from pokerlab.games.poker.state import Draw, State


class Dealing:
    """The card layout of one game, and how its cards are dealt."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._size = rules.deck.size
        self.hands: list[list[tuple[int, int]]] = [[] for _ in range(rules.players)]  # [seat][round] slice of the deal
        self.boards: list[tuple[int, int]] = []  # [round] slice of the deal
        self.needed: list[int] = []  # [round] cards dealt up to and including this round
        offset = 0
        for round_ in rules.rounds:
            for hand in self.hands:
                hand.append((offset, offset + round_.private))
                offset += round_.private
            self.boards.append((offset, offset + round_.public))
            offset += round_.public
            self.needed.append(offset)
        self.draws = any(round_.draw for round_ in rules.rounds)
        self.at_once = all(round_.private == 0 for round_ in rules.rounds[1:])  # all private cards come first
        self.cards_in_deal = 2 * self._size if self.draws else offset

    def public(self, number: int) -> int:
        """The number of public cards on the board in a round."""
        return sum(end - start for start, end in self.boards[: number + 1])

    def dealt(self, state: State, seat: int) -> tuple[int, ...]:
        """A seat's cards before any exchange."""
        slices = self.hands[seat][: state.betting.round + 1]
        return tuple(card for start, end in slices for card in state.cards[start:end])

    def board(self, state: State) -> tuple[int, ...]:
        """The visible public cards."""
        slices = self.boards[: state.betting.round + 1]
        return tuple(card for start, end in slices for card in state.cards[start:end])

    def hand(self, state: State, seat: int) -> tuple[int, ...]:
        """The cards that a seat currently holds."""
        return exchanged(self.dealt(state, seat), (draw for draw in state.draws if draw.seat == seat))

    def deals(self, rng: np.random.Generator, count: int) -> list[tuple[int, ...]]:
        """The shuffled cards of many hands."""
        if self._rules.replacement:
            private = sum(round_.private for round_ in self._rules.rounds)
            decks = [self._shuffled(rng, count)[:, :private] for _ in range(self._rules.players)]
            rows = np.hstack(decks)
        elif self.draws:
            rows = np.hstack([self._shuffled(rng, count), self._shuffled(rng, count)])
        else:
            rows = self._shuffled(rng, count)[:, : self.cards_in_deal]
        return list(map(tuple, rows.tolist()))

    def _shuffled(self, rng: np.random.Generator, count: int) -> np.ndarray:
        return rng.random((count, self._size)).argsort(axis=1)  # [count, card]

    def count(self, state: State) -> int:
        """The number of ways to deal the next cards."""
        groups, pool, _ = self._next(state)
        if self._rules.replacement:
            return prod(comb(len(pool), size) for size in groups)
        return prod(comb(len(pool) - sum(groups[:i]), size) for i, size in enumerate(groups))

    def every(self, state: State) -> Iterator[tuple[int, ...]]:
        """Every possible deal of the next cards."""
        groups, pool, forced = self._next(state)
        if self._rules.replacement:
            hands = product(*(combinations(pool, size) for size in groups))
            return (tuple(chain.from_iterable(dealt)) for dealt in hands)
        return (forced + dealt for dealt in _deals(pool, groups))

    def sample(self, state: State, rng: np.random.Generator) -> tuple[int, ...]:
        """One deal of the next cards, drawn at random."""
        groups, pool, forced = self._next(state)
        if self._rules.replacement:
            return tuple(card for size in groups for card in rng.choice(pool, size, replace=False).tolist())
        return forced + tuple(rng.choice(pool, sum(groups), replace=False).tolist())

    def may_come(self, state: State, cards: Sequence[int]) -> bool:
        """Whether chance may deal these cards next, in any order within a group."""
        groups, pool, forced = self._next(state)
        dealt = set(cards)
        whole = len(cards) == len(dealt) == sum(groups) + len(forced)
        return whole and dealt >= set(forced) and dealt - set(forced) <= set(pool)

    def _next(self, state: State) -> tuple[list[int], list[int], tuple[int, ...]]:
        """The sizes of the groups to deal next, the pool they come from (highest first), and cards that are certain."""
        betting, cards, draws = state
        seen = set() if self._rules.replacement else set(cards).union(*(draw.received for draw in draws))
        pool = [card for card in range(self._size - 1, -1, -1) if card not in seen]
        if len(cards) < self.needed[betting.round]:
            round_ = self._rules.rounds[next(i for i, needed in enumerate(self.needed) if needed > len(cards))]
            return [size for size in [round_.private] * self._rules.players + [round_.public] if size], pool, ()
        if not draws or len(draws[-1].received) == len(draws[-1].discarded):
            raise BadSetting("chance does not act in this state")
        count = len(draws[-1].discarded)
        if len(pool) >= count:
            return [count], pool, ()
        return [count - len(pool)], self._muck(state, pool), tuple(pool)

    def replacements(self, state: State) -> tuple[int, ...]:
        """Replacements for the last discards in a complete deal: the stock in order, then the muck in second order."""
        count = len(state.draws[-1].discarded)
        used = self.needed[-1] + sum(len(draw.received) for draw in state.draws)
        stock = state.cards[min(used, self._size) : self._size][:count]
        if len(stock) == count:
            return stock
        muck = set(self._muck(state, stock))
        again = [card for card in state.cards[self._size :] if card in muck]
        return stock + tuple(again[: count - len(stock)])

    def _muck(self, state: State, stock: Iterable[int]) -> list[int]:
        """Cards that can be dealt again: all except hands in play, the board, the stock, and the last discards."""
        alive = [seat for seat in range(self._rules.players) if state.betting.alive >> seat & 1]
        unavailable = {card for seat in alive for card in self.hand(state, seat)}
        unavailable |= {*stock, *self.board(state), *state.draws[-1].discarded}
        return [card for card in range(self._size - 1, -1, -1) if card not in unavailable]


def exchanged(hand: tuple[int, ...], draws: Iterable[Draw]) -> tuple[int, ...]:
    """A hand after a player's exchanges."""
    for draw in draws:
        hand = tuple(card for card in hand if card not in draw.discarded) + draw.received
    return hand


def _deals(pool: Sequence[int], groups: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to deal groups of these sizes from the pool; cards of a group in the pool's order."""
    if not groups:
        yield ()
        return
    for chosen in combinations(pool, groups[0]):
        taken = set(chosen)
        for rest in _deals([card for card in pool if card not in taken], groups[1:]):
            yield chosen + rest
