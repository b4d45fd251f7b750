"""Plays a saved solution: strategy:FILE, optionally purified or with rare actions dropped.

A solution has an entry for every infoset of the game it was solved for. Where there is no entry (the table's game has
other sizes, or the solver never visited the infoset), a fallback agent decides (default: `formula`), and the match
result reports how often: an average player with a good fallback beats one that plays randomly in unknown infosets (Ee,
"Approximating Optimal Strategies for Five-Card Draw Poker", section 4.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting, IllegalAction, UnknownName
from pokerlab.formats.spot_file import settings_of
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.place import Place
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.settings import Flag, Share, Text, declared, named
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.policy import Policy, PolicyTable, table_of

MOST_KNOWN = 200_000  # cached entries


class StrategyAgent:
    """A policy at the table: the strategies of a solution in any form."""

    def __init__(
        self, policy: Policy, *, name: str, fallback: Agent, purify: bool = False, threshold: float = 0.0
    ) -> None:
        self.policy, self.name = policy, name
        self._fallback = fallback
        self._purify, self._threshold = purify, threshold
        self._known: dict[tuple[int, str], tuple[list[Action], list[float]]] = {}  # actions, cumulative probabilities
        self._checked: PokerGame | None = None
        self._missed: Counter[str] = Counter()

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Sample an action from the entry of this infoset, or from the fallback."""
        if view.game is not self._checked:
            self.check_game(view.game)
            self._checked = view.game
        key = view.seat, view.infoset
        entry = self._known.get(key)
        if entry is None:
            try:
                entry = self._learn(key, view)
            except UnknownName:
                self._missed[f"no entry in the solution: {self._fallback.name} decided"] += 1
                return self._fallback.act(view, rng)
        actions, sums = entry
        return actions[min(bisect_right(sums, rng.random() * sums[-1]), len(actions) - 1)]

    def _learn(self, key: tuple[int, str], view: View) -> tuple[list[Action], list[float]]:
        played = self._entry(view)
        kept = [(text, chance) for text, chance in played.items() if chance > 0]
        try:
            actions = [read_action(view.game, text) for text, _ in kept]
        except IllegalAction as problem:
            raise BadFile(f"{self.name} does not fit: {problem}") from problem
        entry = actions, list(accumulate(chance for _, chance in kept))
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[key] = entry
        return entry

    def probabilities(self, view: View) -> dict[str, float]:
        """The entry of this infoset, or the fallback's probabilities; UnknownName if the fallback has none."""
        try:
            return self._entry(view)
        except UnknownName as problem:
            if isinstance(self._fallback, Policy):
                return dict(self._fallback.probabilities(view))
            raise UnknownName(
                f"{self.name} has no entry for {view.infoset}, and {self._fallback.name} tells nothing"
            ) from problem

    def _entry(self, view: View) -> dict[str, float]:
        """The policy at a decision, purified or with rare actions dropped."""
        found = dict(self.policy.probabilities(view))
        if not self._purify and not self._threshold:
            return found
        best = max(found, key=lambda action: found[action])
        if self._purify:
            return {action: float(action == best) for action in found}
        kept = {a: chance if chance >= self._threshold or a == best else 0.0 for a, chance in found.items()}
        total = sum(kept.values())
        return {action: chance / total for action, chance in kept.items()}

    def table(self, place: Place) -> PolicyTable:
        """The strategy for every hand at a public node."""
        return table_of(self, place)

    def reset(self) -> None:
        """Reset the fallback; solutions do not learn."""
        self._fallback.reset()

    def remarks(self) -> Counter[str]:
        """Messages about the play since the last call: how often there was no entry."""
        said, self._missed = self._missed, Counter()
        return said

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
            if own is None or settings_of(own) != settings_of(solved.spot):
                raise BadSetting(
                    f"{self.name} is a solution of a spot, and this is {game.name}: play from there with --from, or "
                    "add other_games=true to play it all the same"
                )
            return
        opened = solved.open_game()
        if not isinstance(opened, PokerGame) or opened.rules != game.rules:
            raise BadSetting(
                f"{self.name} is a solution of {solved.game}, and this is {game.name}: "
                "add other_games=true to play it all the same"
            )


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
