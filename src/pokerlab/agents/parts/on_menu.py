"""A policy as it would play with only the bets of a menu: each of its other bets becomes the nearest on the menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.agents.parts.policy_rows import has_few_actions
from pokerlab.errors import UnknownName
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.policy import Policy, PolicyTable, policy_name
from pokerlab.tree.public.subgame import Choose


class OnMenu:
    """A policy with other bets. Nearest is by chips; a bet where the menu has none becomes a call."""

    def __init__(self, policy: Policy, choose: Choose) -> None:
        self.policy, self._choose = policy, choose
        self.name = policy_name(policy)

    def _codes(self, place: PublicNode) -> list[str]:
        base = place.game.betting.level_before(place.betting.history)
        return [str(action) for _, action in self._choose(place.betting, base)]

    def probabilities(self, view: Any) -> Mapping[str, float]:
        codes = self._codes(PublicNode(view.game, view.betting, view.board))
        played = self.policy.probabilities(view)
        row = np.array([list(played.values())]) @ _moves(list(played), codes)
        return dict(zip(codes, row[0].tolist(), strict=True))

    def table(self, place: PublicNode) -> PolicyTable:
        codes = self._codes(place)
        if has_few_actions(place):
            table = self.policy.table(place)
            return PolicyTable(table.hands, codes, table.probability @ _moves(table.actions, codes))
        rows = []
        for _, view in place.views():
            try:
                rows.append(list(self.probabilities(view).values()))
            except UnknownName:
                rows.append([float("nan")] * len(codes))
        return PolicyTable(place.hands().texts, codes, np.array(rows).reshape(-1, len(codes)))


def _moves(actions: Sequence[str], codes: Sequence[str]) -> np.ndarray:
    """1 where an action becomes one of the menu.  # [action, code]

    >>> _moves(["c", "r4", "r9"], ["c", "r8"]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
    """
    sizes = {code: actions_of(code)[0].amount for code in codes if code[0] == "r"}
    moved = np.zeros((len(actions), len(codes)))
    for number, action in enumerate(actions):
        chosen = action
        if action not in codes:
            amount = actions_of(action)[0].amount
            nearest = min(sizes, key=lambda code: abs(sizes[code] - amount)) if sizes else "c"
            chosen = nearest if action[0] == "r" else "c"
        moved[number, list(codes).index(chosen)] = 1.0
    return moved
