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
from pokerlab.errors import BadCards, TooLarge
from pokerlab.games.poker.betting import CALL, Action, Betting, BettingRules, Legal
from pokerlab.games.poker.betting_tree import DEEPEST_BETTING
from pokerlab.games.poker.engine import MOST_OUTCOMES, PokerGame
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
        self.betting: MenuBetting = MenuBetting(spot)
        self.payoffs: RakedPayoffs = RakedPayoffs(spot, self.betting)
        self.dealing: SpotDealing = SpotDealing(spot)

    def __repr__(self) -> str:
        return f"SpotGame({self.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpotGame) and (self.name, self.spot) == (other.name, other.spot)

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

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


class MenuBetting(BettingRules):
    """The betting of a spot: of all that the rules allow, the choices of its menus."""

    def __init__(self, spot: Spot) -> None:
        super().__init__(spot.rules)
        self._spot = spot
        self._free = BettingRules(spot.rules)  # without menus
        self._known: dict[str, tuple[Legal, tuple[tuple[str, Action], ...]]] = {}  # by history
        for street in range(len(spot.streets)):
            self._check_raising(street)

    def _check_raising(self, street: int) -> None:
        """TooLarge where the smallest raises of a street go on and on, as nobody would play or solve them."""
        betting, raises = self.start(), 0
        while betting.actor >= 0 and betting.round <= street and raises <= DEEPEST_BETTING:
            legal = self.legal(betting)
            raising = betting.round == street and legal.can_raise
            raises += raising
            action = Action("r", 0 if self.limit == "fixed" else legal.least) if raising else CALL
            betting = self.act(betting, action)
        if raises > DEEPEST_BETTING:
            raise TooLarge(
                f"the raising on the {self._spot.streets[street]} of this spot goes on for more than {DEEPEST_BETTING} "
                "actions; choose larger sizes, a cap on raises, or a smaller stack"
            )

    def choices(self, betting: Betting) -> tuple[tuple[str, Action], ...]:
        """What the player to act may do, by the label that people know it under: ("bet 50", r200)."""
        return self._look_up(betting)[1]

    def _look_up(self, betting: Betting) -> tuple[Legal, tuple[tuple[str, Action], ...]]:
        found = self._known.get(betting.history)
        if found is None:
            found = self._known[betting.history] = self._make(betting)
        return found

    def _make(self, betting: Betting) -> tuple[Legal, tuple[tuple[str, Action], ...]]:
        legal = self._free.legal(betting)
        if betting.actor < 0:
            return legal, ()
        choices = tuple(self._spot.choices(self._free, betting, self._free.level_before(betting.history)))
        if self.limit == "fixed":
            return legal, choices
        totals = tuple(action.amount for _, action in choices if action.kind == "r")
        least, most = (totals[0], totals[-1]) if totals else (0, 0)
        return legal._replace(least=least, most=most, menu=totals), choices

    def legal(self, betting: Betting) -> Legal:
        """What the seat to act may do."""
        return self._look_up(betting)[0]

    def actions(self, betting: Betting) -> Sequence[Action]:
        """Every choice of the seat to act."""
        return [action for _, action in self.choices(betting)]

    def act(self, betting: Betting, action: Action) -> Betting:
        """The betting after an action of the seat to act; IllegalAction says why it cannot be."""
        if action.kind == "r":
            self.verify(betting, action)
        return super().act(betting, action)

    def _objection(self, betting: Betting, action: Action) -> str:
        reason = super()._objection(betting, action)
        menu = self.legal(betting).menu
        if action.kind == "r" and menu and action.amount not in menu:
            return f"the choices of this spot here are {', '.join(label for label, _ in self.choices(betting))}"
        return reason

    def _no_raise(self, betting: Betting) -> str:
        if self._free.legal(betting).can_raise:
            word = "raise" if self.legal(betting).call > 0 else "bet"
            labels = " or ".join(label for label, _ in self.choices(betting))
            return f"the menu of this spot has no {word} here, only {labels}"
        return super()._no_raise(betting)


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
