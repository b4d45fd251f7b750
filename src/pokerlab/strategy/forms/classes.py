"""Strategies over hand classes, in games whose betting is over before a board is dealt, and views of their nodes.

EV is in chips won from the current pot, as in the public form, so folding has EV 0. In games with one decision per
player it is the gain or loss of the whole hand, in big blinds if there are blinds, as in push-or-fold charts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import UnknownName
from pokerlab.games.poker.betting_tree import Decision, FoldPayoffs, Node, Showdown
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.class_profile import ClassHands, class_profile_of
from pokerlab.strategy.forms.kinds import BuiltStrategy, StrategyKind
from pokerlab.strategy.policy import PolicyTable, StrategyLine, hand_line
from pokerlab.strategy.public_profile import decision_after
from pokerlab.strategy.views.hands import TreeNode, normalized
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.public.reading import past_deals


@dataclass(frozen=True, eq=False, repr=False)
class ClassStrategy(BuiltStrategy):
    """How both players play, class by class."""

    form: ClassForm
    behaviours: tuple[np.ndarray, np.ndarray]  # [S, class] for each player

    def __len__(self) -> int:
        return len(self.form.hands) * sum(len(own.nodes) for own in self.form.own)

    @cached_property
    def hands(self) -> ClassHands:
        """The hands that may be held."""
        return ClassHands.of(self.form)

    def probabilities(self, view: Any) -> Mapping[str, float]:
        node = decision_after(self.form.betting, view.betting.history, self.game)
        number = self.hands.hand_numbers.get(frozenset(view.cards))
        if number is None:
            raise UnknownName(f"the strategy of {self.game} has no hand {view.game.text(view.cards)}")
        return dict(zip(node.codes, self.rows(node)[self.hands.group[number]].tolist(), strict=True))

    def table(self, place: PublicNode) -> PolicyTable:
        node = decision_after(self.form.betting, place.betting.history, self.game)
        numbers = range(len(self.hands.hands) - 1, -1, -1)
        rows = self.rows(node)[self.hands.group[::-1]]
        return PolicyTable([self.hands.hand_text(number) for number in numbers], node.codes, rows)

    def rows(self, node: Decision) -> np.ndarray:
        """Action probabilities of a decision.  # [class, action]"""
        player, number = self.form.decision_numbers[node]
        return np.asarray(self.behaviours[player][self.form.own[player].of(number)].T)

    def profile(self, form: ClassForm) -> np.ndarray:
        return form.profile_of(self.behaviours)

    @property
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        """In a game with one decision per player, the probability [class] of acting, in the order of deciding."""
        return self.form.acts_of(self.behaviours)

    def details(self) -> dict[str, Any]:
        """The names of the players, in the order of deciding, and the unit of values, for JSON."""
        form = self.form
        return {"roles": list(form.roles), "seats": list(form.order), "money": form.money, "chips_a_unit": form.chips}

    @property
    def money(self) -> str:
        """The unit of values: big blinds if there are blinds."""
        return self.form.money

    @property
    def has_charts(self) -> bool:
        return self.form.decides_once and len(self.form.hands) == CLASS_COUNT

    @property
    def root(self) -> ClassView:
        every = np.ones(len(self.form.hands))
        return ClassView(self, past_deals(self.form.betting), (), (every, every))

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
                if match in f"{hand}:{moves}":
                    row, likely = rows[number].tolist(), float(reach[number])
                    yield hand_line(hand, moves, view.node.player, view.actions, row, likely)
            pending += [view._after_action(action) for action in range(len(view.actions))]


@dataclass(frozen=True, eq=False)
class ClassView(TreeNode):
    """A node of the betting; after it the board is dealt, and no more decisions follow."""

    source: ClassStrategy
    node: Node
    moves: tuple[str, ...]
    reach: tuple[np.ndarray, ...]  # [player] of [class]

    @property
    def form(self) -> ClassForm:
        """The form."""
        return self.source.form

    @property
    def seats(self) -> tuple[str, str]:
        return self.source.form.seats

    def _after_action(self, number: int) -> ClassView:
        assert isinstance(self.node, Decision)
        return replace(
            self,
            node=past_deals(self.node.children[number]),
            moves=(*self.moves, self.actions[number]),
            reach=self._reach_after(self.reach, self.source.rows(self.node)[:, number]),
        )

    def _by_hand(self, by_class: np.ndarray) -> np.ndarray:
        return np.asarray(by_class[self.holdings.group])

    @property
    def frequencies(self) -> HandArray:
        _ = self.acting
        assert isinstance(self.node, Decision)
        return self.labelled(self._by_hand(self.source.rows(self.node)))

    def range(self, player: int) -> HandArray:
        return self.labelled(self._by_hand(self.reach[player]))

    def _opposing_weight(self, player: int, reach: np.ndarray, matrix: np.ndarray) -> np.ndarray:
        """[class] of a player: a matrix over both players' classes, summed over the opponent's reach."""
        return np.asarray(matrix @ reach if player == 0 else reach @ matrix)

    def likelihood(self, player: int) -> HandArray:
        weight = self.reach[player] * self._opposing_weight(player, self.reach[1 - player], self.form.chance)
        return self.labelled(self._by_hand(normalized(weight)) / self.holdings.sizes)

    def equities(self, player: int) -> HandArray:
        net_win = self._opposing_weight(player, self.reach[1 - player], self.form.net_win) * (1 if player == 0 else -1)
        return self.labelled(self._by_hand(0.5 + self._given(player, net_win) / 2))

    def _given(self, player: int, values: np.ndarray) -> np.ndarray:
        """Divide values [class, ...] by the opponent's weight for each hand; NaN where that is zero."""
        weight = self._opposing_weight(player, self.reach[1 - player], self.form.chance)
        shape = (-1,) + (1,) * (values.ndim - 1)
        held = np.broadcast_to(weight.reshape(shape), values.shape)
        return np.asarray(np.divide(values, held, out=np.full(values.shape, np.nan), where=held > 0))

    def _value_of(self, node: Node, player: int, reach: np.ndarray) -> np.ndarray:
        """[class] A player's counterfactual value of a node in chips, given the opponent's reach there."""
        sign = 1 if player == 0 else -1
        if isinstance(node, Decision):
            rows = self.source.rows(node)
            children = list(enumerate(map(past_deals, node.children)))
            if node.player == player:
                return np.asarray(sum(rows[:, k] * self._value_of(child, player, reach) for k, child in children))
            return np.asarray(sum(self._value_of(child, player, reach * rows[:, k]) for k, child in children))
        opposing = self._opposing_weight(player, reach, self.form.chance)
        if isinstance(node, FoldPayoffs):
            return np.asarray(node.returns[player] * opposing)
        assert isinstance(node, Showdown)
        middle, half = (node.win[player] + node.lose[player]) / 2, (node.win[player] - node.lose[player]) / 2
        return np.asarray(middle * opposing + sign * half * self._opposing_weight(player, reach, self.form.net_win))

    @cached_property
    def action_values(self) -> HandArray:
        """[hand, action] EV of each action to the player to act."""
        node = self.node
        assert isinstance(node, Decision)
        reach = self.reach[1 - node.player]
        values = [self._value_of(past_deals(child), node.player, reach) for child in node.children]
        return self._ev(self._given(node.player, np.stack(values, axis=1)), node.player)

    def values(self, player: int) -> HandArray:
        return self._ev(self._given(player, self._value_of(self.node, player, self.reach[1 - player])), player)

    def _ev(self, values: np.ndarray, player: int) -> HandArray:
        """Convert values [class, ...] of the whole hand in chips to EV [hand, ...] in `money`."""
        by_hand = self._by_hand(values)
        return self.labelled(by_hand / self.form.chips if self.form.decides_once else by_hand + self.node.put[player])

    @property
    def payoffs_per_value(self) -> float:
        """Chips in a unit of EV."""
        return self.form.chips if self.form.decides_once else 1.0

    @property
    def money(self) -> str:
        return self.form.money if self.form.decides_once else "chips"

    def summary(self) -> dict[str, Any]:
        return super().summary() | {"money": self.money}


KIND = StrategyKind(
    lambda form, arrays, naming: ClassStrategy(form, form.behaviours(form.unpack(arrays))), profile_of=class_profile_of
)
