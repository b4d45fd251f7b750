"""The action probabilities of a policy for every hand of a game at a public node, by action, with a cache.

Nodes with few actions are asked for their whole table; at nodes of no-limit games with thousands of bet sizes the
policy is asked hand by hand, and only actions that it may take are listed.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.policy import Policy, policy_name

MOST_ACTIONS = 100  # up to this many, the whole table of a node is computed
MOST_CACHED = 4_000_000  # probabilities


def has_few_actions(place: PublicNode) -> bool:
    """Whether the actions at a node are few enough to list with every hand."""
    betting = place.game.betting
    legal = betting.legal(place.betting)
    return betting.limit == "fixed" or bool(legal.menu) or legal.most - legal.least < MOST_ACTIONS


class PolicyRows:
    """A policy's probabilities, in the order of `hands_of`; 0 for hands that hold a card of the board.

    Where the policy has no entry, all listed actions are equally likely, or with `complete` it is an error.
    """

    def __init__(self, policy: Policy, game: PokerGame, *, complete: bool = False, cached: bool = True) -> None:
        self.game, self.hands = game, hands_of(game)
        self._policy, self._complete, self._cached = policy, complete, cached
        self._known: dict[tuple[str, tuple[int, ...]], tuple[dict[str, np.ndarray], list[int]]] = {}
        self._stored = 0

    def at(self, place: PublicNode, *, needed: tuple[str, ...] = ()) -> Mapping[str, np.ndarray]:
        """The probability of each action with each hand, and at least of the actions `needed`.  # [hand] each"""
        key = place.betting.history, place.board
        if key not in self._known:
            if self._stored > MOST_CACHED or not self._cached:
                self._known.clear()
                self._stored = 0
            self._known[key] = (self._table(place), []) if has_few_actions(place) else self._asked(place)
            self._stored += len(self._known[key][0]) * len(self.hands)
        rows, missing = self._known[key]
        for action in needed:
            if action not in rows:
                rows[action] = np.zeros(len(self.hands))
                rows[action][missing] = 1 / len(rows)
        return rows

    def _table(self, place: PublicNode) -> dict[str, np.ndarray]:
        table = self._policy.table(place)
        unknown = np.isnan(table.probability)
        if unknown.any():
            self._check_complete(place)
        full = np.zeros((len(table.actions), len(self.hands)))
        uniform = 1 / max(len(table.actions), 1)
        full[:, self.hands.numbers(table.hands)] = np.where(unknown, uniform, table.probability).T
        return dict(zip(table.actions, full, strict=True))

    def _asked(self, place: PublicNode) -> tuple[dict[str, np.ndarray], list[int]]:
        """The rows of actions that are taken, and the numbers of hands that the policy has no entry for."""
        rows: dict[str, np.ndarray] = {}
        missing = []
        for hand, view in place.views():
            [number] = self.hands.numbers([hand])
            try:
                chances: Mapping[str, float] = self._policy.probabilities(view)
            except UnknownName:
                self._check_complete(place)
                missing.append(number)
                continue
            for text, chance in chances.items():
                if chance > 0:
                    rows.setdefault(text, np.zeros(len(self.hands)))[number] = chance
        for row in rows.values():
            row[missing] = 1 / len(rows)
        return rows, missing

    def _check_complete(self, place: PublicNode) -> None:
        if self._complete:
            raise BadSetting(
                f"{policy_name(self._policy)} does not know its probabilities with every hand after "
                f"{place.betting.history!r} in {self.game.name}, which are needed here"
            )
