"""Two-player poker whose betting is over before a board is dealt: hands in classes, and the betting over them.

Von Neumann poker, push or fold, limit and no-limit hold'em before the flop with roll-outs, Kuhn's poker. Hands that the
rules cannot tell apart are one class (class_deals.py). A terminal node of the betting pays player 0

    fixed + contested * (probability of winning - probability of losing)

since a tie pays the mean of winning and losing. Let A and B be `fixed` and `contested` by the last sequence of each
player (class_betting.py), and C and D the chance of two hands, alone and times the difference above. The values of all
sequences and hands against a plan y of the opponent are A (y C') + B (y D'): two small matrix products.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadGame, BadSetting, TooLarge
from pokerlab.games.game import start_pot
from pokerlab.games.poker.betting_tree import Decision, FoldPayoffs, Node, Showdown, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import load
from pokerlab.tree import class_deals
from pokerlab.tree.class_betting import EMPTY, PlayerDecisions, decides_once, in_words, payment, sequences_of
from pokerlab.tree.class_deals import CardDeal, NumberDeal, board_size
from pokerlab.tree.form import SPOT_IS_PUBLIC, Form, FormKind, FormSize, Problem
from pokerlab.tree.one_decision import OneDecision
from pokerlab.tree.public.poker import betting_of
from pokerlab.tree.public.reading import past_deals
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BYTES_PER_PAIR = 60  # of hands: chances and who wins
BYTES_PER_SEQUENCE = 140  # and hand: regrets, averages, values and buffers
MAX_ACTIONS = 100  # at the first decision: a tree with more in a row is far too large
ROWS = 8  # of a product of matrices
MAX_DENSE = 4096  # pairs of sequences: payoffs of more are sparse
PACKED = ("player0", "player1")  # the names of the players' strategies in files


@dataclass(frozen=True, eq=False)
class ClassForm(Form):
    """The game as arrays. S sequences of each player."""

    name: str
    hands: tuple[str, ...]
    betting: Node
    own: tuple[PlayerDecisions, PlayerDecisions]
    chance: np.ndarray  # [hand of 0, hand of 1] probability of the two hands
    win: np.ndarray  # [hand, other hand] probability that the hand beats the other at a showdown
    tie: np.ndarray  # [hand, other hand]
    fixed: csr_matrix  # [S of 0, S of 1] chips to player 0 if the betting ends with these sequences
    contested: csr_matrix  # [S of 0, S of 1] chips that the showdown decides there
    deal: NumberDeal | CardDeal
    deck: Deck
    pot: float  # at the start, in chips
    blind: float  # the largest, in chips; 0 if there is none
    seats: tuple[str, str] = ("player 0", "player 1")

    kind = "classes"
    players = 2
    is_zero_sum = True

    @cached_property
    def max_abs_payoff(self) -> float:
        return float((abs(self.fixed) + abs(self.contested)).max())

    @property
    def size(self) -> FormSize:
        return _size(self.betting, len(self.hands))

    def small(self) -> ClassForm:
        """A game of three cards, for each kind of deal and betting."""
        if not self.decides_once:
            return class_form(load("games", "kuhn"))
        if isinstance(self.deal, CardDeal):
            return self  # its tables have the same size for every game
        return class_form(load("games", "von-neumann", cards=3, replacement=self.deal.replacement))

    @cached_property
    def decision_numbers(self) -> dict[Decision, tuple[int, int]]:
        """The player and the number of each decision."""
        return {node: (player, k) for player in (0, 1) for k, node in enumerate(self.own[player].nodes)}

    @cached_property
    def net_win(self) -> np.ndarray:
        """[hand of 0, hand of 1] The chance of the hands times (probability that 0 wins - that 1 wins)."""
        return np.asarray(self.chance * (2 * self.win + self.tie - 1))

    @cached_property
    def hand_chances(self) -> np.ndarray:
        """The probability of each hand. [hand]"""
        return np.asarray(self.chance.sum(1))

    def by_combos(self) -> ClassForm:
        """The same game with all 1,326 hands separate, if hands are classes of two cards."""
        assert isinstance(self.deal, CardDeal)
        return replace(self, **class_deals.combo_table(self.deal.board_size)._asdict())

    # ---- units, and games of one decision each -----------------------------------------------------------------------

    @property
    def is_von_neumann(self) -> bool:
        """Whether hands are numbers, the lowest first, and each player decides once."""
        return self.decides_once and isinstance(self.deal, NumberDeal)

    @property
    def money(self) -> str:
        """The display unit: big blinds if there are blinds."""
        return "big blinds" if self.blind else "chips"

    @property
    def chips(self) -> float:
        """Chips in one unit of `money`."""
        return float(self.blind) or 1.0

    @property
    def order(self) -> tuple[int, int]:
        """The players in the order in which they first decide."""
        first = past_deals(self.betting)
        assert isinstance(first, Decision)
        return first.player, 1 - first.player

    @property
    def roles(self) -> tuple[str, str]:
        """The names of the players, in the order of deciding."""
        first, second = self.order
        return self.seats[first], self.seats[second]

    @property
    def acts(self) -> tuple[str, str]:
        """In a game of one decision each, the verbs for acting: ("bets", "calls")."""
        first = past_deals(self.betting)
        assert isinstance(first, Decision)
        return "pushes" if first.actions[1] == "push" else "bets", "calls"

    @cached_property
    def decides_once(self) -> bool:
        """Whether each player decides once, yes or no."""
        return decides_once(self.betting)

    @cached_property
    def one_decision(self) -> OneDecision:
        """The game of one decision each, in the order of deciding and in units of `money`; else BadGame."""
        if not self.decides_once:
            raise BadGame(f"{self.name} is not a game in which each of two players makes one yes-or-no decision")
        fixed, contested, chance = self.fixed.toarray(), self.contested.toarray(), self.chance
        if self.order != (0, 1):
            fixed, contested, chance = -fixed.T, contested.T, np.ascontiguousarray(chance.T)
        last = fixed.shape[1] - 1  # 0 if the second player does not decide
        payoffs = np.empty((3, 2, 2))
        for result, sign in enumerate((1, 0, -1)):
            paid = fixed + sign * contested  # by the last sequence of the first player and of the second
            payoffs[result] = (paid[1, EMPTY], paid[1, EMPTY]), (paid[2, min(1, last)], paid[2, last])
        return OneDecision(chance, self.win, self.tie, payoffs * (1 / self.chips))

    def behaviours_of(self, acts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The behaviours [S, hand] of both players by their probability of acting [hand], in the order of deciding."""
        first, second = (
            np.stack([np.ones_like(act), 1 - act, act])[: self.own[player].sequences]
            for player, act in enumerate(acts if self.order == (0, 1) else acts[::-1])
        )
        return first, second

    def acts_of(self, behaviours: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """The probabilities [hand] of acting, in the order of deciding; 1 for a player without a decision."""
        first, second = (behaviours[player][-1] for player in self.order)
        return first, second

    # ---- plans and profiles: hand by hand, so that the actions of an infoset are neighbours --------------------------

    @cached_property
    def treeplexes(self) -> Treeplexes:
        """The betting of each hand of each player."""
        trees = []
        for own in self.own:
            width, hands = own.sequences - 1, len(self.hands)
            shift = width * np.arange(hands)[:, None]
            parent = np.where(own.parent == EMPTY, EMPTY, own.parent + shift)
            trees.append((np.append(own.start[:-1] + shift, 1 + width * hands), parent.reshape(-1)))
        return Treeplexes.joined(trees)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        values = self.values(player, self._table(1 - player, plan[self.treeplexes.sequences_of(1 - player)]))
        out[player] = values[EMPTY].sum()
        out[self.treeplexes.sequences_of(player)] = values[1:].T.reshape(-1)

    def _table(self, player: int, numbers: np.ndarray) -> np.ndarray:
        """Numbers of a player's sequences, with 1 for the empty one. [S, hand]"""
        table = np.ones((self.own[player].sequences, len(self.hands)))
        table[1:] = numbers.reshape(len(self.hands), -1).T
        return table

    def behaviours(self, profile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A profile as one table of each player. [S, hand]"""
        return self._table(0, profile[self.slots_of(0)]), self._table(1, profile[self.slots_of(1)])

    def profile_of(self, behaviours: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """The profile of such tables.  # [A]"""
        return np.concatenate([behaviour[1:].T.reshape(-1) for behaviour in behaviours])

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        """The table of each player without the empty sequence, flat."""
        return {name: table[1:].reshape(-1) for name, table in zip(PACKED, self.behaviours(profile), strict=True)}

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        hands = len(self.hands)
        return np.concatenate([np.asarray(arrays[name]).reshape(-1, hands).T.reshape(-1) for name in PACKED])

    def largest_payoff_sum(self, player: int) -> float:
        """What follows a sequence is weighted by the chance of a hand, except after the empty one."""
        paid = np.asarray((abs(self.fixed) + abs(self.contested)).sum(1 - player)).reshape(-1)
        likeliest = float(self.chance.sum(1 - player).max())
        return max(float(paid[EMPTY]), likeliest * float(paid[1:].max(initial=0.0)))

    @property
    def nodes_per_pass(self) -> int:
        """Terminal nodes of the betting times pairs of hands."""
        return int(self.fixed.nnz * self.chance.size)

    # ---- values ------------------------------------------------------------------------------------------------------

    def values(self, player: int, plan: np.ndarray) -> np.ndarray:
        """The value in chips of the terminal nodes after each own sequence, against the opponent's plan. [S, hand]

        Weighted by the chance of the hand, so that the value of a plan is a sum over sequences and hands.
        """
        fixed, contested, both = self._factors[player]
        products, hands = product_by_rows(plan, both), len(self.hands)
        return np.asarray(fixed @ products[:, :hands] + contested @ products[:, hands:])

    @cached_property
    def _factors(self) -> tuple[tuple[Any, Any, np.ndarray], ...]:
        """The matrices of each player's values: two by own and the opponent's sequence, one by the opponent's hand."""
        rows, columns = self.fixed.shape
        own: list[Any] = [one.toarray() if rows * columns <= MAX_DENSE else one for one in (self.fixed, self.contested)]
        other: list[Any] = [-one.T if rows * columns <= MAX_DENSE else (-one.T).tocsr() for one in own]
        return (
            (own[0], own[1], np.hstack([self.chance.T, self.net_win.T])),
            (other[0], other[1], np.hstack([self.chance, self.net_win])),
        )


def product_by_rows(plan: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """plan @ matrix, a few rows at a time: multithreaded products of concurrent callers block each other."""
    product = np.empty((len(plan), matrix.shape[1]))
    for start in range(0, len(plan), ROWS):
        np.matmul(plan[start : start + ROWS], matrix, out=product[start : start + ROWS])
    return product


def class_form(game: PokerGame) -> ClassForm:
    """A game whose betting is over before a board is dealt.

    >>> form = class_form(load("games", "kuhn"))
    >>> form.hands, [own.sequences for own in form.own]
    (('J', 'Q', 'K'), [5, 5])
    """
    from scipy.sparse import csr_matrix

    betting = betting_of(game)
    once = decides_once(betting)
    if once:
        betting = in_words(betting, push=game.rules.limit == "push")
    own, terminals = sequences_of(betting)
    shape = own[0].sequences, own[1].sequences
    rows, columns = (np.array([terminal[player] for terminal in terminals]) for player in (0, 1))
    paid = [payment(terminal[2]) for terminal in terminals]
    fixed, contested = (csr_matrix((np.array(amounts), (rows, columns)), shape) for amounts in zip(*paid, strict=True))
    return ClassForm(
        name=game.name,
        betting=betting,
        own=own,
        **class_deals.deal_table(game)._asdict(),
        fixed=fixed,
        contested=contested,
        deal=class_deals.deal_of(game),
        deck=game.deck,
        pot=start_pot(game),
        blind=max(game.rules.blinds),
        seats=_seats(game.rules.blinds, betting if once else None),
    )


def _seats(blinds: tuple[int, ...], once: Node | None) -> tuple[str, str]:
    """The names of the players: by their blinds if these differ, else Player and Dealer if they decide once each."""
    if blinds[0] != blinds[1]:
        return ("big blind", "small blind") if blinds[0] > blinds[1] else ("small blind", "big blind")
    if not isinstance(once, Decision):
        return "player 0", "player 1"
    return ("Player", "Dealer") if once.player == 0 else ("Dealer", "Player")


def why_not(problem: Problem) -> str:
    """Why a problem has no form over classes; "" if it has one."""
    if not isinstance(problem, PokerGame):
        if isinstance(problem, Spot):
            return SPOT_IS_PUBLIC
        return f"{problem.name} has no classes form: that is for poker games of two players"
    rules, name = problem.rules, problem.name
    if rules.players != 2 or any(one.betting or one.draw or one.private for one in rules.rounds[1:]):
        return f"{name} has no classes form: that is for two players who bet in the first round alone"
    if rules.rounds[0].public:
        return f"{name} has no classes form: public cards come before its betting"
    if not problem.payoffs.splits_in_half:
        return f"{name} has no classes form: an odd chip of its antes goes to one seat where hands tie"
    if rules.rounds[0].private == 1:
        if board_size(problem) or not class_deals.is_ordered(problem):
            return f"{name} has no classes form: cards may tie"
    elif rules.deck != FULL_DECK or rules.showdown != "high" or rules.rounds[0].private != 2 or rules.replacement:
        return f"{name} has no classes form: that is for one card, or two of the full deck"
    elif board_size(problem) not in class_deals.BOARD_SIZES:
        return f"{name} has no classes form: that is for a board of three or five cards"
    if len(problem.betting.actions(problem.betting.start())) > MAX_ACTIONS:
        return f"{name} has no classes form: its betting alone is too large; choose a menu of raises"
    try:
        betting = betting_of(problem)
    except TooLarge:
        return f"{name} has no classes form: its betting alone is too large; choose a smaller menu"
    except BadSetting:
        return f"{name} has no classes form"
    return "" if isinstance(past_deals(betting), Decision) else f"{name} has no classes form: nobody decides in it"


def _size(betting: Node, hands: int) -> FormSize:
    nodes = [past_deals(node) for node in walk(betting)]
    decisions = {id(node): node for node in nodes if isinstance(node, Decision)}.values()
    sequences = 2 + sum(len(node.actions) for node in decisions)
    reached = sum(isinstance(node, Decision | FoldPayoffs | Showdown) for node in walk(betting))
    size = BYTES_PER_PAIR * hands * hands + BYTES_PER_SEQUENCE * sequences * hands
    return FormSize(reached * hands * hands, len(decisions) * hands, size)


def _forecast(problem: Problem) -> FormSize:
    assert isinstance(problem, PokerGame)
    hands = problem.deck.size if problem.rules.rounds[0].private == 1 else 169
    return _size(betting_of(problem), hands)


def _build(problem: Problem, **_: Any) -> ClassForm:
    assert isinstance(problem, PokerGame)
    return class_form(problem)


FORM = FormKind(why_not, _forecast, _build, default_algorithm="lp")
