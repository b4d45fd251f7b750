"""An opponent's range by Bayes' rule, given the policy that the opponent plays.

Initially every hand without our own cards is equally likely. Each of the opponent's actions multiplies the weight of a
hand by the policy's probability of that action with it; public cards remove hands that contain them.
"""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.roll_out import Hands, hands_of
from pokerlab.errors import UnknownName
from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.place import Place
from pokerlab.games.poker.state import View
from pokerlab.strategy.policy import Policy

MOST_ACTIONS = 100  # up to this many, the whole table of a node is computed; beyond, only the action that was taken
MOST_KEPT = 4_000_000  # cached probabilities


class OpponentRange:
    """Tracks the range of the other seat in a two-player game."""

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
                weights *= self.likelihood(Place(self.game, betting, board), action)
            betting = rules.act(betting, action)
        total = weights.sum()
        return weights / total if total > 0 else weights

    def likelihood(self, place: Place, action: Action) -> np.ndarray:
        """The probability that the seat to act takes this action with each hand.  # [hand]"""
        text = self.game.action_text(action)
        key = place.betting.history, place.board, text
        if key not in self._known:
            if len(self._known) * len(self.hands) >= MOST_KEPT:
                self._known.clear()
            self._known |= self._columns(place, text)
        return self._known[key]

    def _columns(self, place: Place, text: str) -> dict[tuple[str, tuple[int, ...], str], np.ndarray]:
        """The policy at a node: all actions if there are few, otherwise this one and folding."""
        legal = self.game.betting.legal(place.betting)
        few = self.game.betting.limit == "fixed" or legal.menu or legal.most - legal.least < MOST_ACTIONS
        columns = _table(self._policy, place, self.hands) if few else self._some(place, ("f", text))
        columns = {text: np.zeros(len(self.hands)), **columns}
        return {(place.betting.history, place.board, action): column for action, column in columns.items()}

    def _some(self, place: Place, texts: tuple[str, ...]) -> dict[str, np.ndarray]:
        columns = {text: np.zeros(len(self.hands)) for text in texts}
        for hand, view in place.views():
            number = self.hands.places([hand])[0]
            try:
                chances = self._policy.probabilities(view)
            except UnknownName:
                chances = dict.fromkeys(texts, 1 / len(texts))
            for text in texts:
                columns[text][number] = chances.get(text, 0.0)
        return columns


def _table(policy: Policy, place: Place, hands: Hands) -> dict[str, np.ndarray]:
    """The table of a node by action, over all hands; uniform where the policy has no entry."""
    table = policy.table(place)
    known = np.where(np.isnan(table.probability), 1 / max(len(table.actions), 1), table.probability)
    full = np.zeros((len(table.actions), len(hands)))
    full[:, hands.places(table.hands)] = known.T
    return dict(zip(table.actions, full, strict=True))
