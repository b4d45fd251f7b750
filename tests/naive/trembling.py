"""A plain twin of CFR with trembling hands: the schedule of another algorithm in a game of what is meant."""

from __future__ import annotations

from typing import Any

import numpy as np

from naive.solve import Profile, counterfactual_regrets, matched, named, own_reach
from pokerlab.games.game import Game
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree


def played(meant: Profile, tremble: float) -> Profile:
    """What is played where this is meant."""
    return {name: (1 - tremble) * chances + tremble / len(chances) for name, chances in meant.items()}


def scheduled_cfr(game: Game, tree: HistoryTree, schedule: Schedule, trembles: np.ndarray) -> Profile:
    """The average play after an iteration with each of these trembles, since the last one changed."""
    meant = {name: chances.copy() for name, chances in named(tree, tree.uniform()).items()}
    regret = {name: np.zeros(len(chances)) for name, chances in meant.items()}
    average = {name: np.zeros(len(chances)) for name, chances in meant.items()}

    def update(player: int, seen: Profile, tremble: float, step: Any) -> None:
        shaken = played(seen, tremble)
        reach = own_reach(game, shaken, player)
        for name, gain in counterfactual_regrets(game, shaken, player).items():
            average[name] = average[name] * step.keep_average + step.average_weight * reach[name] * shaken[name]
            gain = (1 - tremble) * (gain - seen[name] @ gain)  # over what was meant
            kept = np.where(regret[name] > 0, step.keep_positive, step.keep_negative) * regret[name] + gain
            regret[name] = np.maximum(kept, 0) if step.floor else kept
            meant[name] = matched(regret[name] + step.prediction * gain)

    for index, tremble in enumerate(trembles.tolist()):
        if index and tremble != trembles[index - 1]:
            average = {name: np.zeros(len(chances)) for name, chances in meant.items()}
        frozen = dict(meant)
        for player in range(game.players):
            update(player, dict(meant) if schedule.alternating else frozen, tremble, schedule.step(index + 1))
    return {
        name: weights / weights.sum() if weights.sum() > 0 else matched(weights) for name, weights in average.items()
    }
