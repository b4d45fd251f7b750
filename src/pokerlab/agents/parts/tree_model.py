"""A model of players in general, learned from hands of the library's own agents by a regression tree.

`TreeModel` predicts the chances of a fold, a call and a raise from the strength of the hand and the situation, for all
players alike (parts/regression_tree.py). It is an `ActionModel`, so beliefs and simulations use it as they use observed
frequencies. The tree that ships was learned with seed 0 from hands of rules and formula, in limit and no-limit hold'em
with two and with six seats: `python -m pokerlab.agents.parts.tree_model` writes the file again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.examples import KINDS, self_play
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.regression_tree import RegressionTree, grow
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.self_play import ship, trained
from pokerlab.agents.parts.situations import Situation, situation
from pokerlab.agents.parts.triple import Triple
from pokerlab.registry import load

NAME = "mcts-broeck"
TEACHERS = ("rules", "formula")
GAMES = ("holdem-limit", "holdem-limit(players=6)", "holdem-nolimit", "holdem-nolimit(players=6)")
HANDS = 600  # of each game
DEPTH, LEAST = 9, 25
_LEAST_CHANCE = 0.01  # of every kind of action: a tree that never saw one does not know that it cannot happen
_MOST_RAISES = 4


class TreeModel:
    """Predictions of a regression tree, the same for every player."""

    def __init__(self, tree: RegressionTree) -> None:
        self._tree = tree

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        parts = self._tree.predict(inputs_of(np.atleast_1d(np.asarray(strength, np.float64)), now))
        parts = np.maximum(parts, _LEAST_CHANCE)
        parts /= parts.sum(axis=1, keepdims=True)
        return Triple(*parts.T) if isinstance(strength, np.ndarray) else Triple(*parts[0].tolist())

    def inputs(self, now: Situation, player: int) -> Hashable:
        return numbers_of(now)


def numbers_of(now: Situation) -> tuple[float, ...]:
    """A situation as the features of the tree."""
    return (
        float(now.round),
        float(now.facing),
        float(min(now.raises, _MOST_RAISES)),
        float(now.opponents),
        round(now.pot_odds, 2),
    )


def inputs_of(strength: np.ndarray, now: Situation) -> np.ndarray:
    """The features of hands of these strengths in one situation.  # [hand, 6]"""
    numbers = np.broadcast_to(np.array(numbers_of(now)), (len(strength), 5))
    return np.column_stack([strength, numbers])


def train(seed: int) -> Mapping[str, np.ndarray]:
    """The arrays of a tree learned from hands of the teachers."""
    rows = [row for number, name in enumerate(GAMES) for row in _rows(name, seed=seed * len(GAMES) + number)]
    examples = np.array([inputs for inputs, _ in rows])
    targets = np.eye(len(KINDS))[[kind for _, kind in rows]]
    return grow(examples, targets, depth=DEPTH, least=LEAST)._asdict()


def _rows(name: str, *, seed: int) -> Iterator[tuple[np.ndarray, int]]:
    """The features of each decision of some hands, and the kind of action that was taken."""
    game = load("games", name)
    agents = [open_agent(TEACHERS[seat % len(TEACHERS)]) for seat in range(game.players)]
    for view, action, _ in self_play(game, agents, hands=HANDS, seed=seed):
        strength = percentiles(game, view.board, measure=NOW)[hands_of(game).number(view.cards)]
        yield inputs_of(np.array([strength]), situation(game, view.betting))[0], KINDS.index(action.kind)


@cache
def tree_model(seed: int) -> TreeModel:
    """The model that was trained with a seed; seed 0 ships."""
    arrays = trained(NAME, train, seed=seed, seconds=10)
    return TreeModel(RegressionTree(**{name: np.array(arrays[name]) for name in RegressionTree._fields}))


if __name__ == "__main__":
    ship(NAME, train)
