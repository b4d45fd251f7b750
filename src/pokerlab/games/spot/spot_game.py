"""A spot at a table: the rule engine with the spot's cards, bet menus and rake.

Betting is counted in the integer units of `Spot.rules`, and its history uses the codes of the spot's betting tree
("cr350c/c"). Payoffs are in chips, as in that tree: half the pot belongs to each player, and the winner pays the rake.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadCards
from pokerlab.games.poker.betting import Betting, BettingRules
from pokerlab.games.poker.engine import MOST_OUTCOMES, PokerGame
from pokerlab.games.poker.menu_betting import MenuBetting
from pokerlab.games.poker.pots import Payoffs
from pokerlab.games.poker.state import State
from pokerlab.games.spot.dealing import SpotDealing
from pokerlab.games.spot.spot import Spot


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

    def __repr__(self) -> str:
        return f"SpotGame({self.name})"

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
        """The state after the deal, given all cards of the hand as `deal` returns them."""
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
