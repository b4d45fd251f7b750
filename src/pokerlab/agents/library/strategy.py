"""Plays a saved solution: strategy:FILE, optionally purified or with rare actions dropped.

A solution has an entry for every infoset of the game it was solved for. Where there is no entry (the table's game has
other sizes, or the solver never visited the infoset), a fallback agent decides (default: `formula`), and the match
result reports how often: an average player with a good fallback beats one that plays randomly in unknown infosets (Ee,
"Approximating Optimal Strategies for Five-Card Draw Poker", section 4.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.agent import Agent, ReportingPolicyPlayer
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting, IllegalAction, UnknownName
from pokerlab.formats.spot_file import settings_of
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.settings import Flag, Share, Text, declared, named
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.policy import Policy

MOST_KNOWN = 200_000  # cached entries


def thinned(chances: Mapping[str, float], *, purify: bool, threshold: float) -> dict[str, float]:
    """Probabilities with all weight on the most likely action, or without actions below a threshold."""
    best = max(chances, key=lambda action: chances[action])
    if purify:
        return {action: float(action == best) for action in chances}
    likely = {action: p if p >= threshold or action == best else 0.0 for action, p in chances.items()}
    total = sum(likely.values())
    return {action: chance / total for action, chance in likely.items()}


class StrategyAgent(ReportingPolicyPlayer):
    """A policy at the table: the strategies of a solution in any form."""

    def __init__(
        self, policy: Policy, *, name: str, fallback: Agent, purify: bool = False, threshold: float = 0.0
    ) -> None:
        super().__init__(name)
        self.policy, self._fallback = policy, fallback
        self._purify, self._threshold = purify, threshold
        self._known: dict[tuple[int, str], tuple[list[Action], list[float]]] = {}  # actions, cumulative probabilities
        self._checked: PokerGame | None = None

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Sample an action from the entry of this infoset, or from the fallback."""
        if view.game is not self._checked:
            self.check_game(view.game)
            self._checked = view.game
        key = view.seat, view.infoset
        if key not in self._known:
            try:
                positive = {text: chance for text, chance in self._entry(view).items() if chance > 0}
                own_actions = [read_action(view.game, text) for text in positive]
            except UnknownName:
                self._remarks[f"no entry in the solution: {self._fallback.name} decided"] += 1
                return self._fallback.act(view, rng)
            except IllegalAction as problem:
                raise BadFile(f"{self.name} does not fit: {problem}") from problem
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = own_actions, list(accumulate(positive.values()))
        actions, sums = self._known[key]
        return actions[min(bisect_right(sums, rng.random() * sums[-1]), len(actions) - 1)]

    def probabilities(self, view: View) -> dict[str, float]:
        """The entry of this infoset, or the fallback's probabilities; UnknownName if the fallback has none."""
        try:
            return self._entry(view)
        except UnknownName as problem:
            if isinstance(self._fallback, Policy):
                return dict(self._fallback.probabilities(view))
            raise UnknownName(
                f"{self.name} has no entry for {view.infoset}, and {self._fallback.name} has no known probabilities"
            ) from problem

    def _entry(self, view: View) -> dict[str, float]:
        """The policy at a decision, purified or with rare actions dropped."""
        chances = dict(self.policy.probabilities(view))
        if not self._purify and not self._threshold:
            return chances
        return thinned(chances, purify=self._purify, threshold=self._threshold)

    def reset(self) -> None:
        """Reset the fallback; solutions do not learn."""
        self._fallback.reset()

    def check_game(self, game: PokerGame) -> None:
        """Accept any game: the fallback decides where the policy has no entry."""


class SolutionAgent(StrategyAgent):
    """A solution at the table of its own game."""

    def __init__(self, solution: Solution, *, other_games: bool = False, **settings: Any) -> None:
        super().__init__(solution.strategy, **settings)
        self.solution = solution
        self._other_games = other_games

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if the solution is for another game, unless other games are allowed."""
        solved = self.solution
        if self._other_games or (solved.spot is None and solved.game == game.name):
            return
        if solved.spot is not None:
            own = getattr(game, "spot", None)
            fits = own is not None and settings_of(own) == settings_of(solved.spot)
        else:
            opened = solved.open_game()
            fits = isinstance(opened, PokerGame) and opened.rules == game.rules
        if not fits:
            what, hint = (solved.game, "") if solved.spot is None else ("a spot", "play from there with --from, or ")
            problem = f"{self.name} is a solution of {what}, and this is {game.name}"
            raise BadSetting(f"{problem}: {hint}add other_games=true to play it anyway")


@declared("strategy")
def agent(
    name: str,
    file: Annotated[str, named("name the file of the solution: strategy:kuhn.solution")],
    *,
    purify: Flag = False,
    threshold: Share = 0.0,
    fallback: Text = "formula",
    other_games: Flag = False,
) -> SolutionAgent:
    """The solution in a file. `purify` always plays the most likely action, `threshold` drops actions below that
    probability, `fallback` names the agent that decides where there is no entry, `other_games` allows games with other
    rules."""
    return SolutionAgent(
        load(file),
        name=name,
        fallback=open_agent(fallback),
        purify=purify,
        threshold=threshold,
        other_games=other_games,
    )
