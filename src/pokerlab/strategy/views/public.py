"""A node of a solved public form: the player to act, and the strategy and value of each hand.

Frequencies, values and equities are arrays over the hands in their fixed order (for hold'em: cards/combos.py), NaN
where a hand is impossible. EV is in chips won from the current pot, so folding has EV 0, and at the start of a spot the
two players' EVs sum to the pot (less rake).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.hand_array import HandArray
from pokerlab.errors import IllegalAction
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown
from pokerlab.strategy.views.hands import TreeNode, normalized
from pokerlab.tree.public.layout import PublicTree, compatible_weight
from pokerlab.tree.public.reading import BoardMapping, after_cards, chances, first_value, is_on_board

if TYPE_CHECKING:
    from pokerlab.strategy.forms.public import PublicStrategy


@dataclass(frozen=True, eq=False)
class PublicView(TreeNode):
    """A node of a public form on an actual board. Reach is in the frame of its representative board."""

    source: PublicStrategy
    node: Node
    moves: tuple[str, ...]
    mapping: BoardMapping
    reach: tuple[np.ndarray, ...]  # [player] of [hand]
    reach_of_round: tuple[np.ndarray, ...]  # [player] of [hand] the same at the start of this round
    board: tuple[int, ...] = ()

    @property
    def tree(self) -> PublicTree:
        """The form."""
        return self.source.form

    @property
    def seats(self) -> tuple[str, str]:
        return self.source.seats

    @property
    def money(self) -> str:
        return self.source.amounts

    @property
    def is_deal(self) -> bool:
        return isinstance(self.node, Deal)

    @property
    def coming(self) -> int:
        if not self.is_deal:
            return 0
        rounds, number = self.tree.rounds, self.mapping.number
        return len(rounds[number + 1].boards[0]) - len(rounds[number].boards[0])

    def past_empty_deals(self) -> PublicView:
        view = self
        while view.is_deal and not view.coming:
            view = view._dealt(())
        return view

    def _after_action(self, number: int) -> PublicView:
        assert isinstance(self.node, Decision)
        return replace(
            self,
            node=self.node.children[number],
            moves=(*self.moves, self.actions[number]),
            reach=self._reach_after(self.reach, np.nan_to_num(self._raw_strategy[:, number])),
        )

    def _after_cards(self, cards: Sequence[int]) -> PublicView:
        return replace(self._dealt(cards), moves=(*self.moves, self.deck.text(cards)))

    def _dealt(self, cards: Sequence[int]) -> PublicView:
        assert isinstance(self.node, Deal)
        mapping, hands = after_cards(self.tree, self.mapping, cards)
        live = [is_on_board(self.tree, mapping, player) for player in (0, 1)]
        reach = tuple(np.where(here, held[hands], 0.0) for here, held in zip(live, self.reach, strict=True))
        return replace(
            self,
            node=self.node.child,
            board=(*self.board, *cards),
            mapping=mapping,
            reach=reach,
            reach_of_round=reach,
        )

    def _shown(self, values: np.ndarray) -> np.ndarray:
        """Map numbers per hand from the frame of the representative board to this board."""
        shown = np.empty_like(values)
        shown[self.tree.image(self.mapping.frame)] = values
        return shown

    @cached_property
    def _raw_strategy(self) -> np.ndarray:
        assert isinstance(self.node, Decision)
        return chances(self.tree, self.source.sums, self.node, self.mapping)

    @cached_property
    def frequencies(self) -> HandArray:
        return self.labelled(self._shown(self._raw_strategy))

    @cached_property
    def _weight(self) -> tuple[np.ndarray, np.ndarray]:
        """[hand] The opponent's reach that is compatible with each hand, for each player."""
        tree = self.tree
        weights = [compatible_weight(tree.hand_cards, self.reach[1 - seat], tree.tokens) for seat in (0, 1)]
        return np.maximum(weights[0], 0.0), np.maximum(weights[1], 0.0)

    def range(self, player: int) -> HandArray:
        return self.labelled(self._shown(self.reach[player]))

    def likelihood(self, player: int) -> HandArray:
        return self.labelled(self._shown(normalized(self.reach[player] * self._weight[player])))

    def _sequence_values(self, player: int) -> np.ndarray:
        root, reach = self.tree.places[self.node].root, self.reach_of_round[1 - player]
        return self.source.sequence_values(self.mapping, player, root=root, reach=reach)

    def _per_hand(self, values: np.ndarray, player: int) -> np.ndarray:
        """Convert counterfactual values to EV in chips won from the current pot."""
        weight, held = self._weight[player], self._valued(player)
        start = self.node.put[player]
        with np.errstate(divide="ignore", invalid="ignore"):
            shape = (-1,) + (1,) * (values.ndim - 1)
            return np.where(held.reshape(shape), values / weight.reshape(shape) + start, np.nan)

    def _valued(self, player: int) -> np.ndarray:
        """[hand] Whether a player can hold each hand here against some opposing hand, in the representative's frame."""
        weight = self._weight[player]
        return is_on_board(self.tree, self.mapping, player) & np.asarray(
            weight > 1e-9 * max(float(weight.max()), 1e-30)
        )

    @cached_property
    def action_values(self) -> HandArray:
        """[hand, action] EV of each action to the player to act."""
        node = self.node
        assert isinstance(node, Decision)
        first = first_value(self.tree, node)
        values = self._sequence_values(node.player)[:, first : first + len(node.actions)]
        return self.labelled(self._shown(self._per_hand(values, node.player)))

    def values(self, player: int) -> HandArray:
        return self.labelled(self._values(player))

    def _values(self, player: int) -> np.ndarray:
        if player == self.player:
            return np.asarray((self.action_values * self.frequencies).sum(axis=1))
        start, end = self.node.put[player], self._end
        if isinstance(end, FoldPayoffs):
            return np.where(np.isnan(self.equities(player)), np.nan, end.returns[player] + start)
        if isinstance(end, Showdown):
            won = self.equities(player) * (end.win[player] - end.lose[player])
            return np.asarray(end.lose[player] + won + start)
        if not isinstance(self.node, Decision):
            return self._deal_values(player)
        sequence = self.tree.places[self.node].sequences[player]
        return self._shown(self._per_hand(self._sequence_values(player)[:, sequence], player))

    @property
    def _end(self) -> FoldPayoffs | Showdown | None:
        """The terminal that the hand reaches without further decisions, if there is one."""
        node = self.node
        while isinstance(node, Deal):
            node = node.child
        return None if isinstance(node, Decision) else node

    def _deal_values(self, player: int) -> np.ndarray:
        """EV before a card is dealt: the mean over the cards."""
        total, count = np.zeros(len(self.tree.hands)), np.zeros(len(self.tree.hands))
        for view in self.cards():
            values, weight = view.values(player), view._shown(view._weight[player])
            total += np.nan_to_num(values) * weight
            count += np.where(np.isnan(values), 0.0, weight)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(count > 0, total / count, np.nan)

    def equities(self, player: int) -> HandArray:
        plain = self.source.showdown
        values = plain.sequence_values(self.mapping, player, root=0, reach=self.reach[1 - player])[:, 0]
        weight, held = self._weight[player], self._valued(player)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.labelled(self._shown(np.where(held, values / weight, np.nan)))

    def is_present(self, player: int) -> np.ndarray:
        return self._shown(is_on_board(self.tree, self.mapping, player))

    def cards(self) -> list[PublicView]:
        if not self.is_deal:
            raise IllegalAction("no card comes here")
        free = [card for card in range(self.tree.deck.size - 1, -1, -1) if card not in self.board]
        return [self.at(self.tree.deck.text(cards)) for cards in combinations(free, self.coming)]
