"""A coach: learns which of several players, strategies or arms pays most, while it still tries the others.

UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002): after each arm has
been tried once, the next is the one with the largest mean payoff plus sqrt(2 ln n / n_j), where n is the number of
trials and n_j those of the arm, with payoffs scaled so that the largest loss is 0 and the largest win is 1.
"""

from __future__ import annotations

import math

from pokerlab.games.poker.engine import PokerGame


class Coach:
    """UCB1 over a fixed number of arms."""

    def __init__(self, arms: int, *, exploration: float = 1.0) -> None:
        self.exploration = exploration
        self.trials = [0] * arms  # of each arm
        self.sums = [0.0] * arms  # of their scaled payoffs

    def choice(self) -> int:
        """The next arm: the first that has not been tried, else by UCB1 (the first of equals)."""
        if 0 in self.trials:
            return self.trials.index(0)
        logarithm = 2 * math.log(sum(self.trials))
        bounds = [
            total / count + self.exploration * math.sqrt(logarithm / count)
            for total, count in zip(self.sums, self.trials, strict=True)
        ]
        return bounds.index(max(bounds))

    def add(self, arm: int, payoff: float) -> None:
        """Count a trial of an arm and its scaled payoff."""
        self.trials[arm] += 1
        self.sums[arm] += payoff

    def reset(self) -> None:
        """Forget all trials."""
        self.trials = [0] * len(self.trials)
        self.sums = [0.0] * len(self.sums)


def scaled(won: float, most: float, players: int = 2) -> float:
    """A payoff as a share of the span from losing the most to winning it from all others."""
    return (won + most) / (most * players)


def most_lost(game: PokerGame) -> float:
    """The most chips that one seat can lose in a hand; UNLIMITED if there is no bound."""
    rules = game.rules
    stacks = max(behind + ante for behind, ante in zip(game.betting.behind, game.betting.antes, strict=True))
    if rules.limit != "fixed" or any(round_.betting and round_.raises is None for round_ in rules.rounds):
        return stacks
    bets = sum(round_.bet * (round_.raises or 0) for round_ in rules.rounds if round_.betting)
    return min(stacks, max(rules.antes) + max(rules.blinds) + bets)
