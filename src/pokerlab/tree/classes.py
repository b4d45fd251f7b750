"""Two-player poker whose betting is over before a board comes: hands in classes, and the betting over them as arrays.

Push or fold, limit and no-limit hold'em before the flop with roll-outs, Kuhn's poker. Hands that the rules cannot tell
apart are one class: a card of a one-card deck, or one of the 169 classes of two cards, of which a pair is weighted by
the number of ways in which its hands fit together. What an end of the betting pays to player 0 is then

    fixed + won * (chance to win - chance to lose)

since a tie pays the mean of winning and losing. With A and B for `fixed` and `won` by the last action of each player (a
sequence, see tree/sequence.py), and C and D for the chance of two hands alone and times who wins, values of all
sequences and hands against a plan y of the other are A (y C') + B (y D'): two small products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.game import start_pot
from pokerlab.games.poker.betting_tree import Decision, Node, Settled, Showdown, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import load
from pokerlab.tree.form import SPOT_IS_PUBLIC, FormKind, FormSize, Problem
from pokerlab.tree.public.reading import past_deals
from pokerlab.tree.roles import (
    BOARD_SIZES,
    CardDeal,
    NumberDeal,
    betting_of,
    board_size,
    card_arrays,
    is_ordered,
    number_arrays,
)

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BYTES_A_PAIR = 60  # of hands: chances and who wins
BYTES_A_SEQUENCE = 140  # and hand: regrets, averages, values and room to work in
MOST_ACTIONS = 100  # at the first decision: a tree of more in a row is far too large
ROWS = 8  # of a product of matrices
EMPTY = 0  # the sequence before a player's first action


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions of a player, each before those that follow it; their actions are the player's sequences."""

    nodes: tuple[Decision, ...]
    parent: np.ndarray  # [node] int64: the own sequence before it
    start: np.ndarray  # [node + 1] int64: its sequences are start[node] .. start[node + 1] - 1

    @property
    def sequences(self) -> int:
        """How many there are, the empty one included."""
        return int(self.start[-1])

    def of(self, node: int) -> slice:
        """The sequences of a node."""
        return slice(int(self.start[node]), int(self.start[node + 1]))


@dataclass(frozen=True, eq=False)
class ClassForm:
    """The game as arrays. H hands, S sequences of each player."""

    name: str
    hands: tuple[str, ...]
    betting: Node
    own: tuple[Decisions, Decisions]
    chance: np.ndarray  # [hand of 0, hand of 1] probability of the two hands
    edge: np.ndarray  # [hand of 0, hand of 1] the same times (chance that 0 wins - chance that 1 does)
    fixed: csr_matrix  # [S of 0, S of 1] chips to player 0 where betting ends with these sequences
    won: csr_matrix  # [S of 0, S of 1] chips that hands decide there
    deal: NumberDeal | CardDeal
    deck: Deck
    pot: float  # at the start, in chips
    blind: float  # the largest, in chips; 0 where there is none
    seats: tuple[str, str] = ("player 0", "player 1")

    @property
    def kind(self) -> str:
        """Which form this is."""
        return "classes"

    @property
    def players(self) -> int:
        """Two."""
        return 2

    @property
    def is_zero_sum(self) -> bool:
        """What one wins the other loses."""
        return True

    @cached_property
    def max_abs_payoff(self) -> float:
        """The largest payoff of anyone, won or lost, in chips."""
        return float((abs(self.fixed) + abs(self.won)).max())

    @property
    def size(self) -> FormSize:
        """How large it is."""
        return _size(self.betting, len(self.hands))

    def small(self) -> ClassForm:
        """Kuhn's poker."""
        return class_form(load("games", "kuhn"))

    @cached_property
    def places(self) -> dict[Decision, tuple[int, int]]:
        """The player and the number of each decision."""
        return {node: (player, k) for player in (0, 1) for k, node in enumerate(self.own[player].nodes)}

    @cached_property
    def hand_chances(self) -> np.ndarray:
        """How likely each hand is. [hand]"""
        return np.asarray(self.chance.sum(1))

    # ---- plans and behaviours: [S, hand] each ------------------------------------------------------------------------

    def uniform(self, player: int) -> np.ndarray:
        """The behaviour that takes every action alike."""
        own = self.own[player]
        counts = np.diff(own.start)
        return np.repeat(np.concatenate([[1.0], np.repeat(1.0 / counts, counts)])[:, None], len(self.hands), axis=1)

    def plan(self, player: int, behaviour: np.ndarray) -> np.ndarray:
        """How likely a player, as far as it is up to him, comes to each of his sequences with each hand."""
        own, found = self.own[player], behaviour.copy()
        found[EMPTY] = 1.0
        for node, parent in enumerate(own.parent.tolist()):
            found[own.of(node)] *= found[parent]
        return found

    def behaviour(self, player: int, weights: np.ndarray, otherwise: np.ndarray | None = None) -> np.ndarray:
        """Weights of sequences as probabilities at each node; where all are zero those of `otherwise`, or uniform."""
        own = self.own[player]
        totals = np.add.reduceat(weights[1:], own.start[:-1] - 1, axis=0)
        total = np.repeat(totals, np.diff(own.start), axis=0)
        rest = (self.uniform(player) if otherwise is None else otherwise)[1:]
        shares = np.divide(weights[1:], total, out=rest.copy(), where=total > 0)
        return np.concatenate([np.ones((1, weights.shape[1])), shares])

    # ---- values ------------------------------------------------------------------------------------------------------

    def values(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What ends behind each own sequence win a player against a plan of the other, in chips. [S, hand]

        Weighted by the chance of the hand, so that the value of a plan is a sum over sequences and hands.
        """
        if player == 0:
            paid = self.fixed @ _product(plan, self.chance.T) + self.won @ _product(plan, self.edge.T)
            return np.asarray(paid)
        return -np.asarray(self.fixed.T @ _product(plan, self.chance) + self.won.T @ _product(plan, self.edge))

    def with_later(self, player: int, values: np.ndarray, behaviour: np.ndarray) -> np.ndarray:
        """Values of sequences with what is won at own decisions behind them. [S, hand]"""
        own, total = self.own[player], values.copy()
        for node in range(len(own.nodes) - 1, -1, -1):
            part = own.of(node)
            total[own.parent[node]] += np.einsum("ah,ah->h", behaviour[part], total[part])
        return total

    def best_response(self, player: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The most that values of sequences let each hand win, [hand], and the behaviour that does. [S, hand]"""
        total, choice = self.best_values(player, values)
        return total[EMPTY], choice

    def best_values(self, player: int, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The most that can be won from each sequence on, and the behaviour that does: [S, hand] each."""
        own, total = self.own[player], values.copy()
        choice = np.zeros_like(total)
        choice[EMPTY] = 1.0
        every = np.arange(len(self.hands))
        for node in range(len(own.nodes) - 1, -1, -1):
            part = own.of(node)
            best = part.start + total[part].argmax(0)
            choice[best, every] = 1.0
            total[own.parent[node]] += total[best, every]
        return total, choice

    def value(self, first: np.ndarray, second: np.ndarray) -> float:
        """Chips to player 0, of the plans of both."""
        return float((first * self.values(0, second)).sum())


def _product(plan: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """plan @ matrix, a few rows at a time: libraries that share larger products among threads wait for each other."""
    found = np.empty((len(plan), matrix.shape[1]))
    for start in range(0, len(plan), ROWS):
        np.matmul(plan[start : start + ROWS], matrix, out=found[start : start + ROWS])
    return found


def class_form(game: PokerGame) -> ClassForm:
    """A game whose betting is over before a board comes.

    >>> form = class_form(load("games", "kuhn"))
    >>> form.hands, [own.sequences for own in form.own]
    (('J', 'Q', 'K'), [5, 5])
    """
    from scipy.sparse import csr_matrix

    betting = betting_of(game)
    own, ends = _sequences(betting)
    shape = own[0].sequences, own[1].sequences
    rows, columns = (np.array([end[player] for end in ends]) for player in (0, 1))
    paid = [_paid(end[2]) for end in ends]
    fixed, won = (csr_matrix((np.array(numbers), (rows, columns)), shape) for numbers in zip(*paid, strict=True))
    arrays = number_arrays(game) if game.rules.rounds[0].private == 1 else card_arrays(board_size(game))
    chance, win, tie = arrays["chance"], arrays["win"], arrays["tie"]
    return ClassForm(
        name=game.name,
        hands=tuple(arrays["hands"][0]),
        betting=betting,
        own=own,
        chance=chance,
        edge=chance * (2 * win + tie - 1),
        fixed=fixed,
        won=won,
        deal=arrays["deal"],
        deck=game.deck,
        pot=start_pot(game),
        blind=max(game.rules.blinds),
        seats=_seats(game.rules.blinds),
    )


def _seats(blinds: tuple[int, ...]) -> tuple[str, str]:
    """What the players are called: by their blinds, where these differ."""
    if blinds[0] == blinds[1]:
        return "player 0", "player 1"
    return ("big blind", "small blind") if blinds[0] > blinds[1] else ("small blind", "big blind")


def _sequences(betting: Node) -> tuple[tuple[Decisions, Decisions], list[tuple[int, int, Settled | Showdown]]]:
    """The decisions of both players, and each end with the last sequences that led to it."""
    nodes: tuple[list[Decision], list[Decision]] = ([], [])
    parents: tuple[list[int], list[int]] = ([], [])
    starts: tuple[list[int], list[int]] = ([1], [1])
    ends: list[tuple[int, int, Settled | Showdown]] = []

    def visit(node: Node, last: tuple[int, int]) -> None:
        node = past_deals(node)
        if not isinstance(node, Decision):
            assert isinstance(node, Settled | Showdown)
            ends.append((*last, node))
            return
        player = node.player
        first = starts[player][-1]
        nodes[player].append(node)
        parents[player].append(last[player])
        starts[player].append(first + len(node.actions))
        for action, child in enumerate(node.children):
            visit(child, (first + action, last[1]) if player == 0 else (last[0], first + action))

    visit(betting, (EMPTY, EMPTY))
    one, other = (
        Decisions(tuple(nodes[player]), np.array(parents[player], np.int64), np.array(starts[player], np.int64))
        for player in (0, 1)
    )
    return (one, other), ends


def _paid(end: Settled | Showdown) -> tuple[float, float]:
    """What an end pays player 0 whatever the hands, and what they decide."""
    if isinstance(end, Settled):
        return end.returns[0], 0.0
    return (end.win[0] + end.lose[0]) / 2, (end.win[0] - end.lose[0]) / 2


def why_not(problem: Problem) -> str:
    """Why a problem has no form over classes; "" where it has one."""
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
        if board_size(problem) or not is_ordered(problem):
            return f"{name} has no classes form: cards may tie"
    elif rules.deck != FULL_DECK or rules.showdown != "high" or rules.rounds[0].private != 2 or rules.replacement:
        return f"{name} has no classes form: that is for one card, or two of the full deck"
    elif board_size(problem) not in BOARD_SIZES:
        return f"{name} has no classes form: that is for a board of three or five cards"
    if len(problem.betting.actions(problem.betting.start())) > MOST_ACTIONS:
        return f"{name} has no classes form: its betting alone is too large; choose a menu of raises"
    try:
        decisions = [node.player for node in walk(betting_of(problem)) if isinstance(node, Decision)]
    except TooLarge:
        return f"{name} has no classes form: its betting alone is too large; choose a smaller menu"
    except BadSetting:
        return f"{name} has no classes form"
    return "" if set(decisions) == {0, 1} else f"{name} has no classes form: that is for two players who both decide"


def _size(betting: Node, hands: int) -> FormSize:
    nodes = [past_deals(node) for node in walk(betting)]
    decisions = {id(node): node for node in nodes if isinstance(node, Decision)}.values()
    sequences = 2 + sum(len(node.actions) for node in decisions)
    places = sum(isinstance(node, Decision | Settled | Showdown) for node in walk(betting))
    size = BYTES_A_PAIR * hands * hands + BYTES_A_SEQUENCE * sequences * hands
    return FormSize(places * hands * hands, len(decisions) * hands, size)


def _forecast(problem: Problem) -> FormSize:
    assert isinstance(problem, PokerGame)
    hands = problem.deck.size if problem.rules.rounds[0].private == 1 else 169
    return _size(betting_of(problem), hands)


def _lay_out(problem: Problem, **_: Any) -> ClassForm:
    assert isinstance(problem, PokerGame)
    return class_form(problem)


FORM = FormKind(why_not, _forecast, _lay_out, default_algorithm="lp")
