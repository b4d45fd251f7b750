"""A spot at a table: the rule engine with the spot's cards, bet menus and rake.

Betting is counted in the integer units of `Spot.rules`, and its history uses the codes of the spot's betting tree
("cr350c/c"). Payoffs are in chips, as in that tree: half the pot belongs to each player, and the winner pays the rake.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBOS
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange
from pokerlab.games.poker.betting import Betting, BettingRules
from pokerlab.games.poker.dealing import Dealing
from pokerlab.games.poker.engine import MOST_OUTCOMES, PokerGame
from pokerlab.games.poker.menu_betting import MenuBetting
from pokerlab.games.poker.pots import Payoffs
from pokerlab.games.poker.state import State
from pokerlab.games.spot.spot import Spot


class Pairs(NamedTuple):
    """Every pair of hands that can be dealt: P pairs, which share no card with each other or with the board.

    The probability of a pair is proportional to the product of the weights of its hands.
    """

    hands: np.ndarray  # [P, 4] uint8: the first player's two cards and the second's, the higher card first
    probability: np.ndarray  # [P] float64
    running: np.ndarray  # [P] float64: cumulative probabilities


@lru_cache(maxsize=4)
def pairs_of(first: Range, second: Range, board: tuple[int, ...]) -> Pairs:
    """The pairs of hands of two ranges on a board; raises BadRange if there are none."""
    ranges = [held.without(board) for held in (first, second)]
    combos = [held.combos for held in ranges]
    # only proportions matter, and products of very small weights would underflow
    weights = [
        held.weights[chosen] / held.weights.max(initial=1e-300) for held, chosen in zip(ranges, combos, strict=True)
    ]
    masks = [(np.uint64(1) << COMBOS[chosen].astype(np.uint64)).sum(axis=1, dtype=np.uint64) for chosen in combos]
    joint = np.where(masks[0][:, None] & masks[1] == 0, np.multiply.outer(*weights), 0.0)  # [hand, hand]
    rows, columns = np.nonzero(joint)
    if not len(rows):
        raise BadRange("every hand of one range shares a card with every hand of the other")
    probability = joint[rows, columns] / joint[rows, columns].sum()
    hands = np.hstack([COMBOS[combos[0][rows]][:, ::-1], COMBOS[combos[1][columns]][:, ::-1]])
    return Pairs(hands, probability, np.cumsum(probability))


class SpotDealing(Dealing):
    """How the cards of one spot are dealt."""

    def __init__(self, spot: Spot) -> None:
        super().__init__(spot.rules)
        self._spot = spot

    @property
    def pairs(self) -> Pairs:
        """The pairs of hands that can be dealt; computed on first use."""
        return pairs_of(*self._spot.ranges, self._spot.board)

    def deals(self, rng: np.random.Generator, count: int) -> list[tuple[int, ...]]:
        board = np.array(self._spot.board)
        pairs = self.pairs
        drawn = np.searchsorted(pairs.running, rng.random(count) * pairs.running[-1], side="right")
        hands = pairs.hands[np.minimum(drawn, len(pairs.hands) - 1)].astype(np.int64)  # [count, 4]
        known = np.hstack([hands, np.broadcast_to(board, (count, len(board)))])
        coming = self.cards_in_deal - known.shape[1]
        if coming:
            order = rng.random((count, self._size))
            np.put_along_axis(order, known, 2.0, axis=1)  # sort after all others
            known = np.hstack([known, order.argsort(axis=1)[:, :coming]])
        return list(map(tuple, known.tolist()))

    def count(self, state: State) -> int:
        return super().count(state) if state.cards else len(self.pairs.hands)

    def every(self, state: State) -> Iterator[tuple[int, ...]]:
        if state.cards:
            return super().every(state)
        return (tuple(hands) + self._spot.board for hands in self.pairs.hands.tolist())

    def sample(self, state: State, rng: np.random.Generator) -> tuple[int, ...]:
        return super().sample(state, rng) if state.cards else self.deals(rng, 1)[0][: self.needed[0]]


class SpotGame(PokerGame):
    """A spot as a poker game; player 0 is out of position and acts first on every street.

    `name` can be read by `formats.opening.open_game` if the spot came from a file.
    """

    def __init__(self, spot: Spot, name: str = "") -> None:
        super().__init__(spot.rules, name or f"spot on {FULL_DECK.text(spot.board)}")
        self.spot = spot
        self.unit = spot.unit
        self.betting: MenuBetting = MenuBetting(spot.rules, spot.choices, called="this spot", streets=spot.streets)
        self.payoffs: RakedPayoffs = RakedPayoffs(spot, self.betting)
        self.dealing: SpotDealing = SpotDealing(spot)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpotGame) and (self.name, self.spot) == (other.name, other.spot)

    __hash__ = PokerGame.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        return SpotGame, (replace(self.spot), self.name)  # without cached trees

    def outcomes(self, state: State) -> Sequence[tuple[tuple[int, ...], float]]:
        """Every possible deal of the next cards; hands by their weights, later cards uniformly."""
        if state.cards:
            return super().outcomes(state)
        pairs = self.dealing.pairs
        assert len(pairs.probability) <= MOST_OUTCOMES  # 1,176 times 1,081 on a flop
        return list(zip(self.dealing.every(state), pairs.probability.tolist(), strict=True))

    def size(self, *, effort: float = 1.0) -> None:
        """Spots are not counted: hands are not equally likely, and bets are those of a menu."""

    def said_total(self, betting: Betting, total: int) -> float:
        """The displayed total of a raise by the seat to act, as in the menu: chips on this street."""
        return self.chips(total - self.betting.antes[betting.actor] - self.betting.level_before(betting.history))

    def start(self, cards: Sequence[int]) -> State:
        state = super().start(cards)
        if state.cards[4 : 4 + len(self.spot.board)] != self.spot.board:
            raise BadCards(f"{self.name} has the board {FULL_DECK.text(self.spot.board)}, and these cards another")
        return state


class RakedPayoffs(Payoffs):
    """How the pot of a spot is paid out: in chips, less the rake."""

    def __init__(self, spot: Spot, betting_rules: BettingRules) -> None:
        super().__init__(spot.rules, betting_rules)
        self._unit, self._rake = spot.unit, spot.rake

    def returns(self, betting: Betting, strengths: Sequence[int | None]) -> tuple[float, ...]:
        """Each player's net result in chips; a tie gives the mean of winning and losing."""
        matched = (self._antes[0] + min(betting.live)) * self._unit
        won = matched - self._rake.of(2 * matched)
        if betting.folded_out:
            return (won, -matched) if betting.alive == 1 else (-matched, won)
        first, second = strengths
        assert first is not None
        assert second is not None
        if first == second:
            return ((won - matched) / 2,) * 2
        return (won, -matched) if first < second else (-matched, won)
