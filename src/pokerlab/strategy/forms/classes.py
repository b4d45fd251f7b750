"""Strategies over hand classes, in games whose betting is over before a board is dealt, and views of their nodes.

EV is in chips won from the current pot, as in the public form, so folding has EV 0. In games with one decision per
player it is the gain or loss of the whole hand, in big blinds if there are blinds, as in push-or-fold charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from pokerlab.cards.card import FULL_DECK, Deck
from pokerlab.cards.combos import COMBO_CLASS, COMBOS
from pokerlab.errors import IllegalAction, UnknownName
from pokerlab.games.poker.betting_tree import Decision, Node, Settled, Showdown
from pokerlab.games.poker.place import Place
from pokerlab.strategy.forms.kinds import Naming, StrategyKind
from pokerlab.strategy.policy import Policy, PolicyTable, StrategyLine
from pokerlab.strategy.views.hands import ValuedPlace
from pokerlab.tree.class_deals import CardDeal
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.reading import past_deals

_WORD = re.compile(r"[fc]|r\d*")


@dataclass(frozen=True, eq=False)
class ClassHands:
    """The possible hands, and the class of each."""

    deck: Deck
    hands: Sequence[tuple[int, ...]]
    group: np.ndarray  # [hand] class
    players: int = 2

    @staticmethod
    def of(form: ClassForm) -> ClassHands:
        """The hands of a form: all two-card hands, or the cards of its deck."""
        if isinstance(form.deal, CardDeal):
            return ClassHands.of_starting_hands(2)
        cards = range(form.deck.size)
        return ClassHands(form.deck, list(combinations(cards, 1)), np.arange(form.deck.size))

    @staticmethod
    def of_starting_hands(players: int) -> ClassHands:
        """All two-card hands, for `players` players."""
        return ClassHands(FULL_DECK, [(int(low), int(high)) for low, high in COMBOS], COMBO_CLASS, players)

    @cached_property
    def hand_numbers(self) -> dict[frozenset[int], int]:
        """The number of each by its cards."""
        return {frozenset(hand): number for number, hand in enumerate(self.hands)}

    @cached_property
    def weights(self) -> tuple[np.ndarray, ...]:
        """[player] of [hand] Weight 1 for every hand."""
        return (np.ones(len(self.hands)),) * self.players

    @cached_property
    def sizes(self) -> np.ndarray:
        """[hand] The number of hands of the same class."""
        return np.asarray(np.bincount(self.group)[self.group])

    @property
    def has_starting_hands(self) -> bool:
        """Whether hands are two cards of the full deck, grouped into 169 classes."""
        return len(self.hands[0]) == 2

    def hand_text(self, hand: int) -> str:
        """The text of a hand, its higher card first."""
        return self.deck.text(sorted(self.hands[hand], reverse=True))


@dataclass(frozen=True, eq=False, repr=False)
class ClassStrategy:
    """How both players play, class by class."""

    form: ClassForm
    behaviours: tuple[np.ndarray, np.ndarray]  # [S, class] for each player

    def __repr__(self) -> str:
        return f"<ClassStrategy of {self.form.name}: {len(self):,} infosets of 2 players>"

    def __len__(self) -> int:
        return len(self.form.hands) * sum(len(own.nodes) for own in self.form.own)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.form.name

    @property
    def players(self) -> int:
        """Two."""
        return 2

    @cached_property
    def hands(self) -> ClassHands:
        """The hands that may be held."""
        return ClassHands.of(self.form)

    # ---- the policy ------------------------------------------------------------------------------------------------

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """Action probabilities for the hand of a view, by the action codes of the rule engine."""
        node = self._node(view.betting.history)
        number = self.hands.hand_numbers.get(frozenset(view.cards))
        if number is None:
            raise UnknownName(f"the strategy of {self.game} has no hand {view.game.text(view.cards)}")
        return dict(zip(node.codes, self.rows(node)[self.hands.group[number]].tolist(), strict=True))

    def table(self, place: Place) -> PolicyTable:
        """The strategy of every hand at a public node."""
        node = self._node(place.betting.history)
        numbers = range(len(self.hands.hands) - 1, -1, -1)
        rows = self.rows(node)[self.hands.group[::-1]]
        return PolicyTable([self.hands.hand_text(number) for number in numbers], node.codes, rows)

    def rows(self, node: Decision) -> np.ndarray:
        """Action probabilities of a decision.  # [class, action]"""
        player, number = self.form.decision_numbers[node]
        return np.asarray(self.behaviours[player][self.form.own[player].of(number)].T)

    def _node(self, history: str) -> Decision:
        """The decision node after a history of the rule engine."""
        node: Node = past_deals(self.form.betting)
        for word in _WORD.findall(history):
            if not isinstance(node, Decision) or word not in node.codes:
                raise UnknownName(f"the strategy of {self.game} does not know the betting {history[:60]!r}")
            node = past_deals(node.children[node.codes.index(word)])
        if not isinstance(node, Decision):
            raise UnknownName(f"nobody decides after {history[:60]!r} in {self.game}")
        return node

    # ---- values and files --------------------------------------------------------------------------------------------

    def profile_in(self, form: Any) -> np.ndarray | None:
        """This strategy as a profile of its form; None for another form.  # [A]"""
        return self.form.profile_of(self.behaviours) if (form.kind, form.name) == ("classes", self.game) else None

    def with_best_response(self, player: int, form: ClassForm) -> ClassStrategy:
        """This strategy with one player replaced by a best response to the other."""
        best = form.best_response(form.profile_of(self.behaviours), player).profile
        return replace(self, behaviours=form.behaviours(best))

    def measure_in(self, form: ClassForm) -> Measure:
        """Value and best response of each player."""
        return form.measure(form.profile_of(self.behaviours))

    def solver_arrays(self, form: ClassForm) -> dict[str, np.ndarray]:
        """The arrays of a solver that computed this strategy."""
        return form.pack(form.profile_of(self.behaviours))

    @property
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        """In a game with one decision per player, the probability [class] of acting, in the order of deciding."""
        return self.form.acts_of(self.behaviours)

    def details(self) -> dict[str, Any]:
        """The names of the players, in the order of deciding, and the unit of values, for JSON."""
        form = self.form
        return {"roles": list(form.roles), "seats": list(form.order), "money": form.money, "chips_a_unit": form.chips}

    def strategy_only(self) -> ClassStrategy:
        """This strategy: a file stores it in full precision."""
        return self

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The arrays and manifest entries of a file."""
        return self.solver_arrays(self.form), {"game": self.game, "players": self.players}

    # ---- browsing ----------------------------------------------------------------------------------------------------

    @property
    def root(self) -> ClassView:
        """The root node."""
        every = np.ones(len(self.form.hands))
        return ClassView(self, past_deals(self.form.betting), (), (), (every, every))

    def root_in(self, form: ClassForm) -> ClassView:
        """The root node."""
        return self.root

    def at(self, *moves: str) -> ClassView:
        """The node after some actions."""
        return self.root.at(*moves)

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every class at every decision whose text contains `match`, the first decision first."""
        pending = [self.root]
        while pending:
            view = pending.pop(0)
            if not isinstance(view.node, Decision):
                continue
            rows, moves = self.rows(view.node), "".join(view.moves)
            reach = view.reach[view.node.player]
            for number, hand in enumerate(self.form.hands):
                if match not in f"{hand}:{moves}":
                    continue
                actions = dict(zip(view.actions, rows[number].tolist(), strict=True))
                yield StrategyLine(f"{hand}:{moves}", view.node.player, float(reach[number]), actions, hand, "", moves)
            pending += [view._after_action(action) for action in range(len(view.actions))]


@dataclass(frozen=True, eq=False)
class ClassView(ValuedPlace):
    """A node of the betting; after it the board is dealt, and no more decisions follow."""

    source: ClassStrategy
    node: Node
    moves: tuple[str, ...]
    board: tuple[int, ...]  # empty: it is dealt after the betting
    reach: tuple[np.ndarray, np.ndarray]  # [class] for each player

    @property
    def form(self) -> ClassForm:
        """The form."""
        return self.source.form

    @property
    def holdings(self) -> ClassHands:
        """The hands."""
        return self.source.hands

    @property
    def seats(self) -> tuple[str, str]:
        """The names of the players."""
        return self.source.form.seats

    @property
    def player(self) -> int | None:
        """The player to act; None when the betting is over."""
        return self.node.player if isinstance(self.node, Decision) else None

    @property
    def actions(self) -> tuple[str, ...]:
        """The legal actions."""
        return self.node.actions if isinstance(self.node, Decision) else ()

    is_deal = False
    coming = 0

    @property
    def pot(self) -> float:
        """The chips in the pot."""
        return sum(self.node.put)

    def _after_action(self, number: int) -> ClassView:
        assert isinstance(self.node, Decision)
        player, chosen = self.node.player, self.source.rows(self.node)[:, number]
        reach = tuple(held * chosen if seat == player else held for seat, held in enumerate(self.reach))
        return replace(
            self,
            node=past_deals(self.node.children[number]),
            moves=(*self.moves, self.actions[number]),
            reach=(reach[0], reach[1]),
        )

    def _after_cards(self, cards: Sequence[int]) -> ClassView:
        raise IllegalAction("the betting is over before cards come")

    # ---- numbers -----------------------------------------------------------------------------------------------------

    def _by_hand(self, by_class: np.ndarray) -> np.ndarray:
        return np.asarray(by_class[self.holdings.group])

    @property
    def frequencies(self) -> np.ndarray:
        """[hand, action] Action probabilities of the player to act, by hand."""
        if not isinstance(self.node, Decision):
            raise self._nobody()
        return self._by_hand(self.source.rows(self.node))

    def range(self, player: int) -> np.ndarray:
        """[hand] The fraction of each hand that a player still holds here."""
        return self._by_hand(self.reach[player])

    def _met(self, player: int, reach: np.ndarray, matrix: np.ndarray) -> np.ndarray:
        """[class] of a player: a matrix over both players' classes, summed over the opponent's reach."""
        return np.asarray(matrix @ reach if player == 0 else reach @ matrix)

    def likelihood(self, player: int) -> np.ndarray:
        """[hand] The probability of each hand of a player here; sums to one, or to zero if not reached."""
        weight = self.reach[player] * self._met(player, self.reach[1 - player], self.form.chance)
        total = weight.sum()
        return np.asarray(self._by_hand(weight / total if total > 0 else weight) / self.holdings.sizes)

    def equities(self, player: int) -> np.ndarray:
        """[hand] The share of the pot that each hand would win if the board were dealt without further betting."""
        net_win = self._met(player, self.reach[1 - player], self.form.net_win) * (1 if player == 0 else -1)
        return self._by_hand(0.5 + self._given(player, net_win) / 2)

    def _given(self, player: int, values: np.ndarray) -> np.ndarray:
        """Divide values [class, ...] by the opponent's weight for each hand; NaN where that is zero."""
        weight = self._met(player, self.reach[1 - player], self.form.chance)
        shape = (-1,) + (1,) * (values.ndim - 1)
        held = np.broadcast_to(weight.reshape(shape), values.shape)
        return np.asarray(np.divide(values, held, out=np.full(values.shape, np.nan), where=held > 0))

    def _worth(self, node: Node, player: int, reach: np.ndarray) -> np.ndarray:
        """[class] A player's counterfactual value of a node in chips, given the opponent's reach there."""
        sign = 1 if player == 0 else -1
        if isinstance(node, Decision):
            rows = self.source.rows(node)
            children = list(enumerate(map(past_deals, node.children)))
            if node.player == player:
                return np.asarray(sum(rows[:, k] * self._worth(child, player, reach) for k, child in children))
            return np.asarray(sum(self._worth(child, player, reach * rows[:, k]) for k, child in children))
        met = self._met(player, reach, self.form.chance)
        if isinstance(node, Settled):
            return np.asarray(node.returns[player] * met)
        assert isinstance(node, Showdown)
        middle, half = (node.win[player] + node.lose[player]) / 2, (node.win[player] - node.lose[player]) / 2
        return np.asarray(middle * met + sign * half * self._met(player, reach, self.form.net_win))

    @cached_property
    def action_values(self) -> np.ndarray:
        """[hand, action] EV of each action to the player to act."""
        node = self.node
        assert isinstance(node, Decision)
        reach = self.reach[1 - node.player]
        found = [self._worth(past_deals(child), node.player, reach) for child in node.children]
        return self._ev(self._given(node.player, np.stack(found, axis=1)), node.player)

    def values(self, player: int) -> np.ndarray:
        """[hand] EV of each hand of a player."""
        return self._ev(self._given(player, self._worth(self.node, player, self.reach[1 - player])), player)

    def _ev(self, values: np.ndarray, player: int) -> np.ndarray:
        """Convert values [class, ...] of the whole hand in chips to EV [hand, ...] in `money`."""
        by_hand = self._by_hand(values)
        return by_hand / self.form.chips if self.form.decides_once else by_hand + self.node.put[player]

    @property
    def payoffs_per_value(self) -> float:
        """Chips in a unit of EV."""
        return self.form.chips if self.form.decides_once else 1.0

    @property
    def money(self) -> str:
        """The unit of EV."""
        return self.form.money if self.form.decides_once else "chips"

    def summary(self) -> dict[str, Any]:
        """The totals of this node, for JSON."""
        return super().summary() | {"money": self.money}

    def is_present(self, player: int) -> np.ndarray:
        """[hand] Whether a player may hold each hand: always."""
        return np.ones(len(self.holdings.hands), np.bool_)


def _named(form: ClassForm, answer: Mapping[str, np.ndarray], naming: Naming) -> ClassStrategy:
    return ClassStrategy(form, form.behaviours(form.unpack(answer)))


def _wanted(form: ClassForm, storage: str) -> dict[str, tuple[int, Any]]:
    return {name: (len(array), array.dtype) for name, array in form.pack(form.uniform()).items()}


def _profile_of(policy: Policy, game: Any, form: ClassForm, player: int | None) -> np.ndarray:
    from pokerlab.strategy.class_profile import class_profile_of

    return class_profile_of(policy, game, form, player)


KIND = StrategyKind(_named, _wanted, profile_of=_profile_of)
