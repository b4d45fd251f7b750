"""Plain twins of CFR-BR: recursion over the game itself, a spot hand by hand, every deal of a game with buckets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from naive.solve import Profile, best_response, counterfactual_regrets, matched, named, own_reach
from naive.spot import PlainSpot, Tables
from pokerlab.games.game import Game
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.bucketed.inside import InsideGame
from pokerlab.tree.history.layout import HistoryTree


def answered_cfr(game: Game, tree: HistoryTree, schedule: Schedule, iterations: int) -> tuple[Profile, Profile]:
    """The average and the current strategies: each player's regrets are against a best response to him."""
    current = {name: strategy.copy() for name, strategy in named(tree, tree.uniform()).items()}
    regret = {name: np.zeros(len(strategy)) for name, strategy in current.items()}
    average = {name: np.zeros(len(strategy)) for name, strategy in current.items()}
    for iteration in range(1, iterations + 1):
        step = schedule.step(iteration)
        for player in (0, 1):
            met = best_response(game, dict(current), 1 - player)
            reach = own_reach(game, met, player)
            for name, gain in counterfactual_regrets(game, met, player).items():
                average[name] = average[name] * step.keep_average + step.average_weight * reach[name] * met[name]
                kept = np.where(regret[name] > 0, step.keep_positive, step.keep_negative) * regret[name] + gain
                regret[name] = np.maximum(kept, 0) if step.floor else kept
                current[name] = matched(regret[name] + step.prediction * gain)
    return {name: matched(weights) for name, weights in average.items()}, current


class AnsweredTwin:
    """One step of a player over buckets, every deal at once; `trunk` rounds are played by a fixed opponent."""

    def __init__(self, laid: InsideGame, *, trunk: int = 0) -> None:
        self.laid, self.trunk = laid, trunk
        self.mixed: dict[int, np.ndarray] = {}  # by node of the trunk: what the opponent does, [board, hand, action]

    def step(self, player: int, play: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[int, np.ndarray]]:
        """Regrets of a player's buckets, what was played of each, and what hands of the opponent regret by node."""
        laid, form = self.laid, self.laid.form
        answer, shared, instant = dict(self.mixed), np.zeros(form.numbers), np.zeros(form.numbers)
        regretted: dict[int, np.ndarray] = {}

        def passing(node: int, reach: np.ndarray) -> np.ndarray:
            turn, _, _ = laid.place(node)
            share = laid.play(node, play)
            for action in range(share.shape[2]):
                laid.rows(node, shared)[:, action] = laid.by_bucket(turn, reach * share[:, :, action]) / laid.pairs
            return share

        def answering(node: int, reach: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
            worth = np.stack(values, axis=-1)
            if laid.place(node)[0] >= self.trunk:
                answer[node] = np.eye(len(values))[worth.argmax(axis=-1)]
            mean = (answer[node] * worth).sum(axis=-1)
            regretted[node] = worth - mean[..., None]
            return np.asarray(mean)

        def meeting(node: int, reach: np.ndarray, values: Sequence[np.ndarray]) -> np.ndarray:
            turn, moves, _ = laid.place(node)
            worth = np.stack(values, axis=-1)
            mean = (laid.play(node, play) * worth).sum(axis=-1)
            for action in range(moves):
                gain = laid.by_bucket(turn, worth[..., action] - mean)
                laid.rows(node, instant)[:, action] = gain / laid.pairs
            return np.asarray(mean)

        laid.walk(1 - player, answering, passing)
        laid.walk(player, meeting, lambda node, reach: answer[node])
        return instant, shared, regretted


def best_answer(plain: PlainSpot, player: int, plays: Tables, *, trunk: int = 0) -> Tables:
    """The same strategies of a spot, but a player's best actions after so many rounds."""
    found = dict(plays)
    for (node, board), regret in plain.walk(player, plays, best=True).regrets.items():
        if plain.tree.places[node].round >= trunk:
            found[node, board] = np.eye(regret.shape[1])[regret.argmax(axis=1)]
    return found
