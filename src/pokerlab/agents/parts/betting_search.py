"""Monte-Carlo tree search over one's own decisions: simulated hands build the tree, and the tree directs them.

A simulation plays a sampled deal. At an opponent's action the model of the opponent acts; at one's own, the tree
selects an action; where the tree ends, a decision is added and the hand is played out by the models. A decision is what
the player will know: the betting, and the class of its hand by strength, one of `STRENGTHS`. Results are backed up to
all decisions on the way (Rubin and Watson, "Computer poker: a review", 2011, section 3.3).

*Selection* is UCT, mean + c * pot * sqrt(ln N / n) (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006),
or by the standard error of the mean, mean + c * error: actions whose value is known well are not tried for their low
count. *Backup* is the mean of all results, or the expected maximum of the actions' values as normal variables, which
does not count results of actions that the player would not take again (Van den Broeck, Driessens and Ramon,
"Monte-Carlo tree search in poker using expected reward distributions", 2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, exp, inf, log, pi, sqrt
from typing import NamedTuple

from pokerlab.agents.parts.betting_graph import Node
from pokerlab.agents.parts.play_outs import LEVELS, PlayOuts, SampledDeal
from pokerlab.agents.parts.triple import sized_at
from pokerlab.games.poker.action import CALL, FOLD, Action

STRENGTHS = 8  # classes of one's own hand at later decisions
UCT, STANDARD_ERROR = "uct", "standard-error"
MEAN, MAX_DISTRIBUTION = "mean", "max-distribution"
_ALL_IN = 1e9  # pots
_FIRST_TRIES = 3  # of each action, before its standard error is used


class Search(NamedTuple):
    """How a tree is searched."""

    selection: str = UCT
    backup: str = MEAN
    exploration: float = 0.5  # c, in pots for UCT, in standard errors otherwise
    sizes: tuple[float, ...] = (0.5, 1.0, _ALL_IN)  # of one's raises in pots, outside fixed limit


class Choice:
    """An action of a decision, and the results that followed it."""

    __slots__ = ("action", "later", "squares", "total", "visits")

    def __init__(self, action: Action) -> None:
        self.action = action
        self.visits, self.total, self.squares = 0, 0.0, 0.0
        self.later: dict[tuple[Node, int], Decision] = {}

    @property
    def mean(self) -> float:
        """The value of the action."""
        return self.total / self.visits if self.visits else -inf

    @property
    def variance(self) -> float:
        """The squared standard error of the mean."""
        return max(self.squares / self.visits - (self.total / self.visits) ** 2, 0.0) / self.visits


class Decision:
    """One of the player's decisions in the tree."""

    __slots__ = ("choices", "visits")

    def __init__(self, actions: Sequence[Action]) -> None:
        self.choices = [Choice(action) for action in actions]
        self.visits = 0

    @property
    def value(self) -> float:
        """The expected maximum of the tried actions' values, as independent normal variables."""
        tried = [choice for choice in self.choices if choice.visits]
        mean, variance = tried[0].mean, tried[0].variance
        for choice in tried[1:]:
            mean, variance = maximum_of_two(mean, variance, choice.mean, choice.variance)
        return mean


class BettingSearch:
    """The search of one decision."""

    def __init__(self, plays: PlayOuts, search: Search) -> None:
        self._plays, self._search = plays, search
        self._scale = search.exploration
        if search.selection == UCT:
            self._scale *= plays.game.pot(plays.start.betting)
        self.root = Decision(self._actions(plays.start))

    def run(self, deals: Sequence[SampledDeal]) -> Decision:
        """One simulation for each deal; returns the root."""
        for deal in deals:
            self._simulate(deal)
        return self.root

    def _actions(self, node: Node) -> list[Action]:
        legal, game = node.legal, self._plays.game
        found = [FOLD] if legal.fold else []
        found += [CALL] if legal.call >= 0 else []
        if legal.can_raise:
            found += dict.fromkeys(sized_at(game, node.betting, legal, size) for size in self._search.sizes)
        return found

    def _simulate(self, deal: SampledDeal) -> None:
        plays, node, decision = self._plays, self._plays.start, self.root
        path: list[tuple[Decision, Choice]] = []
        while True:
            if node.actor < 0:
                value = plays.result(node, deal)
                break
            if node.actor != plays.seat:
                node = plays.graph.child(node, plays.move(node, deal))
                continue
            if path:
                later, key = path[-1][1].later, (node, self._strength(node, deal))
                if key not in later:
                    later[key] = Decision(self._actions(node))
                    value = plays.value(node, deal)
                    break
                decision = later[key]
            choice = self.select(decision)
            path.append((decision, choice))
            if choice.action is FOLD:
                value = -plays.spent(node)
                break
            node = plays.graph.child(node, choice.action)
        self._back_up(path, value)

    def _strength(self, node: Node, deal: SampledDeal) -> int:
        level = deal.levels[node.actor][node.round]
        return (level if level >= 0 else self._plays.level(deal, node.actor, node.round)) * STRENGTHS // LEVELS

    def select(self, decision: Decision) -> Choice:
        """The next action to try."""
        by_error = self._search.selection == STANDARD_ERROR
        least = min(decision.choices, key=lambda choice: choice.visits)
        if least.visits < (_FIRST_TRIES if by_error else 1):
            return least
        if by_error:
            return max(decision.choices, key=lambda choice: choice.mean + self._scale * sqrt(choice.variance))
        spread = log(decision.visits)
        return max(decision.choices, key=lambda choice: choice.mean + self._scale * sqrt(spread / choice.visits))

    def _back_up(self, path: Sequence[tuple[Decision, Choice]], value: float) -> None:
        by_maximum, gain = self._search.backup == MAX_DISTRIBUTION, value
        for decision, choice in reversed(path):
            before = decision.value * decision.visits if by_maximum and decision.visits else 0.0
            decision.visits += 1
            choice.visits += 1
            choice.total += gain
            choice.squares += value * value
            if by_maximum:
                gain = decision.value * decision.visits - before


def maximum_of_two(mean: float, variance: float, other: float, other_variance: float) -> tuple[float, float]:
    """The mean and variance of the maximum of two independent normal variables (Clark, 1961).

    >>> [round(number, 4) for number in maximum_of_two(0.0, 1.0, 0.0, 1.0)]
    [0.5642, 0.6817]
    """
    spread = sqrt(variance + other_variance)
    if spread < 1e-12:
        return (mean, variance) if mean >= other else (other, other_variance)
    ratio = (mean - other) / spread
    density, above = exp(-ratio * ratio / 2) / sqrt(2 * pi), (1 + erf(ratio / sqrt(2))) / 2
    first = mean * above + other * (1 - above) + spread * density
    second = (mean**2 + variance) * above + (other**2 + other_variance) * (1 - above)
    second += (mean + other) * spread * density
    return first, max(second - first * first, 0.0)
