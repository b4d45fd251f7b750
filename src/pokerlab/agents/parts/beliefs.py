"""What hands the opponents may hold: a weight table for each, reweighted by Bayes' rule at every action.

At the start of a hand all hands that share no card with the known ones are equally likely. Every action of an opponent
multiplies the weight of each hand by the probability of that action with it, which an `ActionModel` predicts. No weight
falls below a floor in one step: a model is never certain. (Weight tables of Loki and Poki; Brennus' belief table.)
"""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.hand_tables import EFFECTIVE, percentiles
from pokerlab.agents.parts.opponent_model import ActionModel
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.situations import PastAction, past_actions, relative_seat
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View


class Beliefs:
    """The weight tables of one hand after another."""

    def __init__(self, model: ActionModel, *, floor: float = 0.02, measure: str = EFFECTIVE) -> None:
        self._model, self._floor, self._measure = model, floor, measure
        self._deal: object = None  # which hand the weights are of
        self._seen = 0  # actions that they include
        self._weights: dict[int, np.ndarray] = {}  # by seat, [hand]

    def weights(self, view: View) -> dict[int, np.ndarray]:
        """The probability of each hand, by seat of the opponents that are still in.  # [hand]"""
        game, past = view.game, past_actions(view.game, view.history)
        deal = game, view.seat, view.cards, view.board[:1], past[: self._seen]
        if self._seen == 0 or deal != self._deal:
            self._seen = 0
            self._weights = {seat: np.ones(len(hands_of(game))) for seat in range(game.players) if seat != view.seat}
        for action in past[self._seen :]:
            if action.seat != view.seat:
                self._weights[action.seat] = self._weights[action.seat] * self.likelihood(view, action)
        self._seen = len(past)
        self._deal = game, view.seat, view.cards, view.board[:1], past
        return {
            seat: possible(game, weights, (*view.cards, *view.board))
            for seat, weights in self._weights.items()
            if view.betting.alive >> seat & 1
        }

    def likelihood(self, view: View, past: PastAction) -> np.ndarray:
        """How likely an action was with each hand, never less than the floor.  # [hand]"""
        board = view.board[: view.game.dealing.public(past.before.round)]
        strength = percentiles(view.game, board, measure=self._measure)
        triple = self._model.triple(strength, past.situation, relative_seat(view, past.seat))
        chance = {"f": triple.fold, "c": triple.call, "r": triple.raise_}[past.action.kind]
        return np.asarray(np.maximum(chance, self._floor))


def possible(game: PokerGame, weights: np.ndarray, known: tuple[int, ...]) -> np.ndarray:
    """Weights without the hands that contain a known card; they sum to one. Uniform if nothing is left.  # [hand]"""
    free = hands_of(game).without(known)
    left = np.where(free, weights, 0.0)
    total = left.sum()
    return np.asarray(left / total if total > 0 else free / free.sum())
