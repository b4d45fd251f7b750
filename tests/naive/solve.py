"""Plain twins of the solvers' kernels: recursion over the game itself, dictionaries by infoset."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL, Game
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree

Profile = dict[str, np.ndarray]  # by infoset, the probability of each action


def named(tree: HistoryTree, slots: np.ndarray) -> Profile:
    """An array by slot as a dictionary by infoset."""
    return {name: slots[tree.start[index] : tree.start[index + 1]] for index, name in enumerate(tree.infoset_names)}


def expected_values(game: Game, profile: Profile, state: Any = None) -> np.ndarray:
    """What each player wins on average from a state on."""
    state = game.root() if state is None else state
    actor = game.player(state)
    if actor == TERMINAL:
        return np.array(game.returns(state), dtype=float)
    if actor == CHANCE:
        return sum(
            (chance * expected_values(game, profile, game.child(state, move)) for move, chance in game.outcomes(state)),
            np.zeros(game.players),
        )
    strategy = profile[game.infoset(state, actor)]
    return sum(
        (
            strategy[index] * expected_values(game, profile, game.child(state, move))
            for index, move in enumerate(game.actions(state))
        ),
        np.zeros(game.players),
    )


def histories(game: Game, profile: Profile, player: int) -> dict[str, list[tuple[Any, float]]]:
    """The states of each of a player's infosets, with the probability that the others and chance play to it."""
    found: dict[str, list[tuple[Any, float]]] = defaultdict(list)

    def visit(state: Any, reach: float) -> None:
        actor = game.player(state)
        if actor == CHANCE:
            for move, chance in game.outcomes(state):
                visit(game.child(state, move), reach * chance)
        elif actor >= 0:
            infoset = game.infoset(state, actor)
            if actor == player:
                found[infoset].append((state, reach))
            for index, move in enumerate(game.actions(state)):
                visit(game.child(state, move), reach if actor == player else reach * profile[infoset][index])

    visit(game.root(), 1.0)
    return found


def best_response_value(game: Game, profile: Profile, player: int) -> float:
    """The most that a player can win against the others' part of a profile."""
    infosets = histories(game, profile, player)
    chosen: dict[str, int] = {}

    def choice(infoset: str) -> int:
        if infoset not in chosen:
            states = infosets[infoset]
            actions = game.actions(states[0][0])
            worth = [sum(reach * value(game.child(state, action)) for state, reach in states) for action in actions]
            chosen[infoset] = int(np.argmax(worth))
        return chosen[infoset]

    def value(state: Any) -> float:
        actor = game.player(state)
        if actor == TERMINAL:
            return float(game.returns(state)[player])
        if actor == CHANCE:
            return sum(chance * value(game.child(state, move)) for move, chance in game.outcomes(state))
        infoset = game.infoset(state, actor)
        actions = game.actions(state)
        if actor == player:
            return value(game.child(state, actions[choice(infoset)]))
        return sum(
            probability * value(game.child(state, action))
            for probability, action in zip(profile[infoset], actions, strict=True)
        )

    return value(game.root())


def counterfactual_regrets(game: Game, profile: Profile, player: int) -> Profile:
    """What each action, taken alone instead, would add, weighted by the others' reach."""
    found = {}
    for infoset, states in histories(game, profile, player).items():
        actions = game.actions(states[0][0])
        worth = np.array(
            [
                sum(
                    reach * expected_values(game, profile, game.child(state, action))[player] for state, reach in states
                )
                for action in actions
            ]
        )
        found[infoset] = worth - profile[infoset] @ worth
    return found


def own_reach(game: Game, profile: Profile, player: int) -> dict[str, float]:
    """The probability that a player himself plays to each of his infosets."""
    found: dict[str, float] = {}

    def visit(state: Any, reach: float) -> None:
        actor = game.player(state)
        if actor == CHANCE:
            for move, _ in game.outcomes(state):
                visit(game.child(state, move), reach)
        elif actor >= 0:
            infoset = game.infoset(state, actor)
            if actor == player:
                found[infoset] = reach
            for index, move in enumerate(game.actions(state)):
                visit(game.child(state, move), reach * profile[infoset][index] if actor == player else reach)

    visit(game.root(), 1.0)
    return found


def matched(regret: np.ndarray) -> np.ndarray:
    """Regret matching: in proportion to positive regret, uniform where there is none."""
    positive = np.maximum(regret, 0)
    return positive / positive.sum() if positive.sum() > 0 else np.full(len(regret), 1 / len(regret))


class PlainSums:
    """What CFR with a schedule keeps of each infoset, updated from the definitions alone."""

    def __init__(self, tree: HistoryTree) -> None:
        self.current = {name: strategy.copy() for name, strategy in named(tree, tree.uniform()).items()}
        self.regret = {name: np.zeros(len(strategy)) for name, strategy in self.current.items()}
        self.average = {name: np.zeros(len(strategy)) for name, strategy in self.current.items()}

    def update(self, name: str, gain: np.ndarray, played: np.ndarray, step: Any) -> None:
        """With what each action would have gained, and the strategy played, weighted by its player's reach."""
        regret = self.regret[name]
        self.average[name] = self.average[name] * step.keep_average + step.average_weight * played
        kept = np.where(regret > 0, step.keep_positive, step.keep_negative) * regret + gain
        self.regret[name] = np.maximum(kept, 0) if step.floor else kept
        self.current[name] = matched(self.regret[name] + step.prediction * gain)

    def run(
        self, update: Callable[[int, Profile, Any], None], *, players: int, schedule: Schedule, iterations: int
    ) -> Profile:
        """The averages after so many iterations, in each of which every player updates once."""
        for iteration in range(1, iterations + 1):
            frozen = dict(self.current)
            for player in range(players):
                update(player, dict(self.current) if schedule.alternating else frozen, schedule.step(iteration))
        return {name: sums / sums.sum() if sums.sum() > 0 else matched(sums) for name, sums in self.average.items()}


def scheduled_cfr(game: Game, tree: HistoryTree, schedule: Schedule, iterations: int) -> Profile:
    """The average strategy after some iterations of CFR with a schedule, from the definitions alone."""
    sums = PlainSums(tree)

    def update(player: int, seen: Profile, step: Any) -> None:
        reach = own_reach(game, seen, player)
        for name, gain in counterfactual_regrets(game, seen, player).items():
            sums.update(name, gain, reach[name] * seen[name], step)

    return sums.run(update, players=game.players, schedule=schedule, iterations=iterations)


def mean_and_error(draw: Callable[[], np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
    """The mean of random arrays and its standard error."""
    draws = np.array([draw() for _ in range(count)])
    return draws.mean(axis=0), draws.std(axis=0, ddof=1) / np.sqrt(count)


def best_response(game: Game, profile: Profile, player: int) -> Profile:
    """A pure best response of a player, the first of equal actions, by plain enumeration from the last infosets up."""
    infosets = histories(game, profile, player)
    answer = dict(profile)

    def worth(state: Any) -> float:
        return float(expected_values(game, answer, state)[player])

    for infoset in sorted(infosets, key=lambda name: -len(infosets[name][0][0])):
        states = infosets[infoset]
        actions = game.actions(states[0][0])
        values = [sum(reach * worth(game.child(state, action)) for state, reach in states) for action in actions]
        answer[infoset] = np.eye(len(actions))[int(np.argmax(values))]
    return answer


def fictitious_play(game: Game, tree: HistoryTree, iterations: int, *, alternating: bool) -> Profile:
    """Averages of best responses to averages; first beliefs are uniform. States must have a length, which is depth."""
    owner = dict(zip(tree.infoset_names, tree.infoset_player, strict=True))
    average = dict(named(tree, tree.uniform()))
    sums = {name: np.zeros(len(strategy)) for name, strategy in average.items()}
    for _ in range(iterations):
        frozen = dict(average)
        for player in range(game.players):
            answer = best_response(game, dict(average) if alternating else frozen, player)
            reach = own_reach(game, answer, player)
            for name in [name for name in owner if owner[name] == player]:
                sums[name] += reach[name] * answer[name]
                average[name] = sums[name] / sums[name].sum() if sums[name].sum() > 0 else matched(sums[name])
    return average
