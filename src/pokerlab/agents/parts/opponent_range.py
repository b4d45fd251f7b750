"""How likely the other seat holds each hand, if it plays a known policy."""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.errors import UnknownName
from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.strategy.policy import Policy

MOST_ACTIONS = 100  # up to this many, the whole table of a node is computed; beyond, only the action that was taken
MOST_CACHED = 4_000_000  # probabilities


def has_few_actions(place: PublicNode) -> bool:
    """Whether the actions at a node are few enough to list with every hand."""
    betting = place.game.betting
    legal = betting.legal(place.betting)
    return betting.limit == "fixed" or bool(legal.menu) or legal.most - legal.least < MOST_ACTIONS


class OpponentRange:
    """The range of the other seat in a two-player game, by Bayes' rule.

    Initially every hand without our own cards is equally likely. Each of the opponent's actions multiplies the weight
    of a hand by the policy's probability of that action with it; public cards remove hands that contain them.
    """

    def __init__(self, policy: Policy, game: PokerGame) -> None:
        self.game, self.hands = game, hands_of(game)
        self._policy = policy
        self._known: dict[tuple[str, tuple[int, ...], str], np.ndarray] = {}

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
        key = place.betting.history, place.board, text
        if key not in self._known:
            if len(self._known) * len(self.hands) >= MOST_CACHED:
                self._known.clear()
            self._known |= self._columns(place, text)
        return self._known[key]

    def _columns(self, place: PublicNode, text: str) -> dict[tuple[str, tuple[int, ...], str], np.ndarray]:
        """The policy at a node: all actions if there are few, otherwise this one and folding."""
        columns = {text: np.zeros(len(self.hands))}
        if has_few_actions(place):
            table = self._policy.table(place)
            uniform = 1 / max(len(table.actions), 1)  # where the policy has no entry
            full = np.zeros((len(table.actions), len(self.hands)))
            known = np.where(np.isnan(table.probability), uniform, table.probability)
            full[:, self.hands.numbers(table.hands)] = known.T
            columns |= zip(table.actions, full, strict=True)
        else:
            columns |= self._some(place, ("f", text))
        return {(place.betting.history, place.board, action): column for action, column in columns.items()}

    def _some(self, place: PublicNode, texts: tuple[str, ...]) -> dict[str, np.ndarray]:
        columns = {text: np.zeros(len(self.hands)) for text in texts}
        for hand, view in place.views():
            [number] = self.hands.numbers([hand])
            try:
                chances = self._policy.probabilities(view)
            except UnknownName:
                chances = dict.fromkeys(texts, 1 / len(texts))
            for text in texts:
                columns[text][number] = chances.get(text, 0.0)
        return columns
