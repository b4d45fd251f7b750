"""A spot at a table: the rule engine with the spot's cards, bet menus and rake.

Betting is counted in the whole numbers of `Spot.rules`, and its history has the codes of the spot's betting tree
("cr350c/c"). What a player wins is in chips, as in that tree: half the pot is each player's own, and the rake is
taken from who wins.
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

    `name` is one that `formats.opening.open_game` reads where the spot came from a file.
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
        return SpotGame, (replace(self.spot), self.name)  # without the trees that a spot remembers

    def outcomes(self, state: State) -> Sequence[tuple[tuple[int, ...], float]]:
        """Every way in which chance may deal the next cards; hands by their weights, later cards all alike."""
        if state.cards:
            return super().outcomes(state)
        pairs = self.dealing.pairs
        assert len(pairs.probability) <= MOST_OUTCOMES  # 1,176 times 1,081 on a flop
        return list(zip(self.dealing.every(state), pairs.probability.tolist(), strict=True))

    def size(self, *, effort: float = 1.0) -> None:
        """A spot is not counted: its hands are not all alike, and its bets are those of a menu."""

    def said_total(self, betting: Betting, total: int) -> float:
        """The total of a raise of the seat to act as the menu says it: chips on this street."""
        return self.chips(total - self.betting.antes[betting.actor] - self.betting.level_before(betting.history))

    def start(self, cards: Sequence[int]) -> State:
        """The state after the deal, with all cards of the hand given, as `deal` gives them."""
        state = super().start(cards)
        if state.cards[4 : 4 + len(self.spot.board)] != self.spot.board:
            raise BadCards(f"{self.name} has the board {FULL_DECK.text(self.spot.board)}, and these cards another")
        return state


class RakedPayoffs(Payoffs):
    """How the pot of a spot is paid: in chips, less the rake."""

    def __init__(self, spot: Spot, betting_rules: BettingRules) -> None:
        super().__init__(spot.rules, betting_rules)
        self._unit, self._rake = spot.unit, spot.rake

    def returns(self, betting: Betting, strengths: Sequence[int | None]) -> tuple[float, ...]:
        """What each player has won or lost, in chips; a tie gives the mean of winning and losing."""
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
