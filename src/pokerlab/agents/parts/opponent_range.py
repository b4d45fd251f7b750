"""How likely the other seat holds each hand, if it plays a known policy."""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.policy_rows import PolicyRows
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.strategy.policy import Policy


class OpponentRange:
    """The range of the other seat in a two-player game, by Bayes' rule.

    Initially every hand without our own cards is equally likely. Each of the opponent's actions multiplies the weight
    of a hand by the policy's probability of that action with it; public cards remove hands that contain them.
    """

    def __init__(self, policy: Policy, game: PokerGame) -> None:
        self.game, self.hands = game, hands_of(game)
        self._rows = PolicyRows(policy, game)

    def weights(self, view: View) -> np.ndarray:
        """The probability of each hand of the other seat; all 0 if its policy excludes every hand.  # [hand]"""
        weights = self.hands.without((*view.cards, *view.board)).astype(np.float64)
        rules = self.game.betting
        betting = rules.start()
        for action in actions_of(view.history):
            if betting.actor != view.seat:
                board = view.board[: self.game.dealing.public(betting.round)]
                weights *= self.likelihood(PublicNode(self.game, betting, board), action)
            betting = rules.act(betting, action)
        total = weights.sum()
        return weights / total if total > 0 else weights

    def likelihood(self, place: PublicNode, action: Action) -> np.ndarray:
        """The probability that the seat to act takes this action with each hand.  # [hand]"""
        text = self.game.action_text(action)
        return self._rows.at(place, needed=(text,))[text]
