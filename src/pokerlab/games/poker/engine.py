"""One table-driven poker engine: every poker game here is a `PokerGame` with its own `Rules`.

A state is the betting (betting.py), the cards in dealing order, and the exchanges. There are two modes. From `root()`
chance deals the cards, one round at a time and all of a round together, with exact probabilities; trees are built this
way. From `start(cards)` the complete deal is given (`deal(rng)` makes one) and chance never acts; hands are played this
way. The visible cards follow from the round, so a transition costs the same in both modes.

An infoset is "cards:betting", each with its rounds separated by "/": "Kb/Qa:rrc/c" in Leduc is the king of b in hand
and the queen of a on the board. A player's own discards are written "d(5h4c)", those of others as their number, "d2".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadCards, IllegalAction, TooLarge
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action, Betting, BettingRules, Legal, raise_to
from pokerlab.games.poker.dealing import Dealing, exchanged
from pokerlab.games.poker.menu_betting import MenuBetting, menus_of
from pokerlab.games.poker.pots import Payoffs, Pot
from pokerlab.games.poker.rules import Rules
from pokerlab.games.poker.showdown import Strength, strength_of
from pokerlab.games.poker.state import Draw, State, View

if TYPE_CHECKING:
    from pokerlab.games.sizes import Size

__all__ = ["CALL", "FOLD", "RAISE", "Action", "PokerGame", "State", "View", "raise_to"]

_new = tuple.__new__  # builds a named tuple without the overhead of its constructor

MOST_OUTCOMES = 3_000_000  # beyond this, chance is sampled and never listed


class PokerGame:
    """The eight methods of a Game, and methods for playing a hand, for any poker rules."""

    unit: float = 1  # chips, as displayed, per integer unit of the rules

    def __init__(self, rules: Rules, name: str = "poker") -> None:
        self.rules = rules
        self.name = name
        self.players = rules.players
        self.deck = rules.deck
        self.betting = MenuBetting(rules, menus_of(rules)) if rules.has_menus else BettingRules(rules)
        self.payoffs = Payoffs(rules, self.betting)
        self.dealing = Dealing(rules)
        self._start = self.betting.start()
        self._needed = self.dealing.needed
        self._hole_cards = rules.rounds[0].private
        self._first_board_card = rules.players * self._hole_cards
        self._plain = self.dealing.at_once and not self.dealing.draws
        self._names = [rules.deck.name(card) for card in range(rules.deck.size)]
        self._gap = "" if len({len(name) for name in self._names}) == 1 else " "

    @cached_property
    def strength(self) -> Strength:
        """The strength of a hand with the board (smaller is stronger); its tables are loaded on first use."""
        hand_size = sum(round_.private + round_.public for round_ in self.rules.rounds)
        return strength_of(self.rules.showdown, self.deck, hand_size)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PokerGame) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.rules))  # of all rules: agents look up games at every decision

    def __reduce__(self) -> tuple[Any, ...]:
        return PokerGame, (self.rules, self.name)

    # ---- the eight questions ---------------------------------------------------------------------------------------

    def root(self) -> State:
        """The state before the deal; chance acts first."""
        return State(self._start, ())

    def player(self, state: State) -> int:
        betting, cards, draws = state
        if len(cards) < self._needed[betting[0]] or (draws and len(draws[-1].received) < len(draws[-1].discarded)):
            return CHANCE
        return betting[1]

    def actions(self, state: State) -> Sequence[Action]:
        """Every action of the seat to act: fold, call, raises from the least; or every set of discards."""
        betting = state.betting
        return self.seat_actions(betting, self.hand(state, betting.actor) if betting.drawing else ())

    def seat_actions(self, betting: Betting, hand: tuple[int, ...]) -> Sequence[Action]:
        """The actions of the seat to act with this hand (which matters only in a draw)."""
        if not betting.drawing:
            return self.betting.actions(betting)
        most = min(self.rules.rounds[betting.round].draw, len(hand))
        ordered = sorted(hand, reverse=True)
        return [Action("d", 0, chosen) for count in range(most + 1) for chosen in combinations(ordered, count)]

    def outcomes(self, state: State) -> Sequence[tuple[tuple[int, ...], float]]:
        """Every possible deal of the next cards, all equally likely."""
        count = self.dealing.count(state)
        if count > MOST_OUTCOMES:
            raise TooLarge(f"{self.name} has {count:,} deals here, too many to list; use start(deal(rng)) or sample")
        return [(dealt, 1 / count) for dealt in self.dealing.every(state)]

    def outcome_count(self, state: State) -> int:
        """The number of chance outcomes, computed without listing them."""
        return self.dealing.count(state)

    def sample(self, state: State, rng: np.random.Generator) -> tuple[int, ...]:
        """One chance outcome, drawn without listing them."""
        return self.dealing.sample(state, rng)

    def child(self, state: State, action: Any) -> State:
        """The state after an action of the seat to act (an Action), or after a deal by chance (a tuple of cards)."""
        betting, cards, draws = state
        if len(cards) < self._needed[betting[0]]:
            return State(betting, cards + tuple(action), draws)
        if draws and len(draws[-1].received) < len(draws[-1].discarded):
            return State(betting, cards, (*draws[:-1], draws[-1]._replace(received=tuple(action))))
        if betting[10]:
            return self._exchange(state, action)
        return _new(State, (self.betting.act(betting, action), cards, draws))

    def _exchange(self, state: State, action: Action) -> State:
        self.verify_action(state, action)
        betting, cards, draws = state
        draw = Draw(betting.actor, len(betting.history), action.cards, ())
        if len(cards) >= self.dealing.cards_in_deal:  # a complete deal: no chance nodes
            draw = draw._replace(received=self.dealing.replacements(State(betting, cards, (*draws, draw))))
        return State(self.betting.act(betting, action), cards, (*draws, draw))

    def returns(self, state: State) -> tuple[float, ...]:
        """Each seat's net result in chips."""
        betting = state[0]
        if betting[1] != TERMINAL:
            raise IllegalAction("the hand is not over, so nobody has won it yet")
        alive = betting[6]
        if alive & (alive - 1) == 0:
            return self.payoffs.returns(betting, ())
        return self.payoffs.returns(betting, self.strengths(state))

    def infoset(self, state: State, player: int) -> str:
        """What a seat knows, as "cards:betting"."""
        return self.infoset_of(self.view(state, player))

    def view(self, state: State, player: int) -> View:
        """What a seat may see."""
        betting, cards, draws = state
        shown = () if betting[1] != TERMINAL else self._shown(state)
        if self._plain:
            start = player * self._hole_cards
            hand = cards[start : start + self._hole_cards]
            board = cards[self._first_board_card : self._needed[betting[0]]]
            return _new(View, (self, player, hand, board, betting, hand, (), shown))
        dealt = self.dealing.dealt(state, player)
        own = tuple(draw for draw in draws if draw.seat == player)
        return View(self, player, exchanged(dealt, own), self.board(state), betting, dealt, own, shown)

    # ---- playing a hand --------------------------------------------------------------------------------------------

    def start(self, cards: Sequence[int]) -> State:
        """The state after the deal, given all cards of the hand as `deal` returns them."""
        if len(cards) < self._needed[-1]:
            raise BadCards(f"a hand of {self.name} needs {self._needed[-1]} cards, and these are {len(cards)}")
        return _new(State, (self._start, tuple(cards), ()))

    def deal(self, rng: np.random.Generator) -> tuple[int, ...]:
        """The shuffled cards of one hand."""
        return self.dealing.deals(rng, 1)[0]

    def deals(self, rng: np.random.Generator, count: int) -> list[tuple[int, ...]]:
        """The cards of many hands; much faster than one at a time."""
        return self.dealing.deals(rng, count)

    def hand(self, state: State, seat: int) -> tuple[int, ...]:
        """The cards that a seat currently holds."""
        if self._plain:
            return state.cards[seat * self._hole_cards : (seat + 1) * self._hole_cards]
        return self.dealing.hand(state, seat)

    def board(self, state: State) -> tuple[int, ...]:
        """The visible public cards."""
        if self._plain:
            return state[1][self._first_board_card : self._needed[state[0][0]]]
        return self.dealing.board(state)

    def strengths(self, state: State) -> list[int | None]:
        """The strength of each hand at the showdown (smaller is stronger); None for folded seats."""
        board = self.board(state)
        alive = state[0].alive
        strength, hand = self.strength, self.hand
        if -1 in state.cards and any(alive >> seat & 1 and -1 in hand(state, seat) for seat in range(self.players)):
            raise BadCards("the winner is unknown: not all cards shown down are known")
        return [strength(hand(state, seat) + board) if alive >> seat & 1 else None for seat in range(self.players)]

    def legal(self, state: State) -> Legal:
        """The kinds and amounts of action available to the seat to act."""
        return self.betting.legal(state.betting)

    def verify_action(self, state: State, action: Action) -> None:
        """Raise IllegalAction, with the reason in a sentence, if the seat to act may not do this."""
        if self.player(state) == CHANCE:
            raise IllegalAction(f"{str(action)[:40]!r} is not allowed: the next cards have not been dealt yet")
        self.betting.verify(state.betting, action)
        if action.kind == "d":
            hand = self.hand(state, state.betting.actor)
            if len(set(action.cards)) != len(action.cards) or not set(action.cards) <= set(hand):
                text = self.text(card for card in action.cards if 0 <= card < self.deck.size)
                raise IllegalAction(f"cannot discard {text!r}: the hand is {self.text(hand)}, and each card goes once")

    def _shown(self, state: State) -> tuple[tuple[int, ...], ...]:
        betting = state.betting
        if betting.folded_out or len(state.cards) < self._needed[-1]:
            return ()
        return tuple(self.hand(state, seat) if betting.alive >> seat & 1 else () for seat in range(self.players))

    # ---- chips -----------------------------------------------------------------------------------------------------

    def pots(self, state: State) -> list[Pot]:
        """The main pot and the side pots."""
        return self.payoffs.pots(state.betting)

    def pot(self, betting: Betting) -> int:
        """All chips in the pot."""
        return sum(betting.live) + sum(self.betting.antes)

    def spent(self, betting: Betting) -> tuple[int, ...]:
        """Each seat's chips in the pot over the hand, including antes."""
        return tuple(live + ante for live, ante in zip(betting.live, self.betting.antes, strict=True))

    def stacks(self, betting: Betting) -> tuple[int, ...]:
        """Each seat's remaining chips."""
        return tuple(behind - live for live, behind in zip(betting.live, self.betting.behind, strict=True))

    def size(self, *, effort: float = 1.0) -> Size | None:
        """The exact size of the game; see games/sizes.py."""
        from pokerlab.games.poker.betting_count import poker_size
        from pokerlab.games.poker.draw_count import draw_size

        return draw_size(self, effort=effort) if self.dealing.draws else poker_size(self, effort=effort)

    def chips(self, amount: int) -> float:
        """An amount of the betting as displayed; an int if it is whole."""
        if self.unit == 1:
            return amount
        counted = round(amount * self.unit, 10)
        return int(counted) if counted == int(counted) else counted

    def said_total(self, betting: Betting, total: int) -> float:
        """The displayed total of a raise by the seat to act: chips over the whole hand."""
        return self.chips(total)

    # ---- text ------------------------------------------------------------------------------------------------------

    def text(self, cards: Iterable[int]) -> str:
        """Cards as text, in the order given."""
        return self._gap.join([self._names[card] for card in cards])

    def action_text(self, action: Action) -> str:
        """An action as written in the history, discards as cards: "f", "c", "r300", "d(5h4c)"."""
        return f"d({self.text(action.cards)})" if action.kind == "d" and action.cards else str(action)

    def infoset_of(self, view: View) -> str:
        """The infoset of a view: its own cards and the public ones by round, then the betting."""
        betting = view.betting
        if not self._plain:
            return f"{self._segments(view)}:{self._own_history(view)}"
        text = self._sorted(view.dealt)
        first = self._first_board_card
        for round_ in range(betting.round + 1):
            start, end = self.dealing.boards[round_]
            text += ("/" if round_ else "") + self._sorted(view.board[start - first : end - first])
        return f"{text}:{betting.history}"

    def _sorted(self, cards: tuple[int, ...]) -> str:
        if len(cards) < 2:
            return self._names[cards[0]] if cards else ""
        return self._gap.join([self._names[card] for card in sorted(cards, reverse=True)])

    def _segments(self, view: View) -> str:
        dealt, board, draws = iter(view.dealt), iter(view.board), iter(view.draws)
        segments = []
        for round_ in self.rules.rounds[: view.betting.round + 1]:
            own, public = tuple(islice(dealt, round_.private)), tuple(islice(board, round_.public))
            drawn = [card for draw in islice(draws, round_.draw > 0) for card in draw.received]
            segments.append(self._sorted(own) + self._sorted(public) + self._sorted(tuple(drawn)))
        return "/".join(segments)

    def _own_history(self, view: View) -> str:
        """The history with this seat's discards shown as cards."""
        history = view.betting.history
        for draw in reversed(view.draws):
            if draw.discarded:
                end = draw.place + 1 + len(str(len(draw.discarded)))
                history = f"{history[: draw.place]}d({self._sorted(draw.discarded)}){history[end:]}"
        return history
