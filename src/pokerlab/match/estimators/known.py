"""A seat whose player states its probabilities."""

from __future__ import annotations

import numpy as np

from pokerlab.agents.agent import Agent, Observer
from pokerlab.agents.opening import PolicyAdapter
from pokerlab.agents.parts.policy_rows import PolicyRows
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.match.estimators.path import Acted, Cards
from pokerlab.match.estimators.values import Side
from pokerlab.match.estimators.walk import Chances
from pokerlab.strategy.policy import Policy

ROUNDING = 1e-5  # of the sum of probabilities; files may store them in few bits


class KnownAgent:
    """An agent that states its probabilities; those of an agent that learns are asked again in every hand."""

    def __init__(self, agent: Agent, game: PokerGame) -> None:
        self.name, self._game = agent.name, game
        self._policy: Policy = agent if isinstance(agent, Policy) else PolicyAdapter(agent)
        self._rows = PolicyRows(self._policy, game, complete=True, cached=not isinstance(agent, Observer))

    def chances(self, event: Acted, side: Side, hand: Cards) -> Chances:
        """The probability of each action: with each hand of the side if it is this seat's, else with `hand`."""
        place = PublicNode(self._game, event.before, event.board)
        if side.varies and event.before.actor == side.seat:
            rows = dict(self._rows.at(place))
            total = np.sum(list(rows.values()), axis=0)
            held = total > 0  # others hold a card of the board
            self._check_sum(event, total[held])
            total[~held] = 1.0
            return {text: row / total for text, row in rows.items() if row.any()}
        chances = {text: p for text, p in self._policy.probabilities(place.view(hand[::-1])).items() if p > 0}
        sum_of = sum(chances.values())
        self._check_sum(event, np.array([sum_of]))
        return {text: np.array([p / sum_of]) for text, p in chances.items()}

    def _check_sum(self, event: Acted, total: np.ndarray) -> None:
        if not (np.abs(total - 1) < ROUNDING).all():
            raise BadSetting(
                f"the probabilities of {self.name} after {event.before.history!r} in {self._game.name} do not sum to 1"
            )


def is_known(agent: Agent) -> bool:
    """Whether an agent states its probabilities."""
    return hasattr(agent, "probabilities")
