"""Plays a saved solution: strategy:FILE, purified or with rare actions dropped if told.

A solution has an entry for every infoset of the game it was solved for. Where it has none (the game at the table
has other sizes, or the solver never came there), another agent decides, `formula` unless told, and that is counted
and said in the result of the match: an average player with a good fallback beats one that plays randomly where it
knows nothing (Ee, "Approximating Optimal Strategies for Five-Card Draw Poker", section 4.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from itertools import accumulate
from typing import Annotated

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadFile, BadSetting, IllegalAction, UnknownName
from pokerlab.games.game import Game
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.place import Place
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.settings import Flag, Share, Text, declared
from pokerlab.strategy.policy import Policy, Table, table_of
from pokerlab.strategy.solution import load
from pokerlab.strategy.strategy import Strategy


class StrategyAgent:
    """A strategy at the table."""

    def __init__(
        self,
        strategy: Strategy,
        *,
        name: str,
        fallback: Agent,
        solved: Callable[[], Game],
        other_games: bool = False,
    ) -> None:
        self.strategy = strategy
        self._solved = solved  # opens the game of the solution
        self.name = name
        self._fallback = fallback
        self._other_games = other_games
        self._place = {
            (int(player), infoset): i
            for i, (player, infoset) in enumerate(zip(strategy.player, strategy.infosets, strict=True))
        }
        self._known: dict[int, tuple[list[Action], list[float]]] = {}  # entries in use: actions, summed chances
        self._checked: PokerGame | None = None
        self._missed: Counter[str] = Counter()

    def act(self, view: View, rng: np.random.Generator) -> Action:
        """Draw an action from the entry of this infoset, or ask the fallback."""
        if view.game is not self._checked:
            self.check_game(view.game)
            self._checked = view.game
        place = self._place.get((view.seat, view.infoset))
        if place is None:
            self._missed[f"no entry in the solution: {self._fallback.name} decided"] += 1
            return self._fallback.act(view, rng)
        actions, sums = self._known.get(place) or self._learn(place, view.game)
        return actions[min(bisect_right(sums, rng.random() * sums[-1]), len(actions) - 1)]

    def probabilities(self, view: View) -> dict[str, float]:
        """The entry of this infoset, or what the fallback tells; UnknownName where it can tell nothing."""
        place = self._place.get((view.seat, view.infoset))
        if place is not None:
            actions = self.strategy.actions[place]
            chances = self.strategy.probability[self.strategy.start[place] : self.strategy.start[place + 1]].tolist()
            return {text: chance for text, chance in zip(actions, chances, strict=True) if chance > 0}
        if isinstance(self._fallback, Policy):
            return dict(self._fallback.probabilities(view))
        raise UnknownName(f"{self.name} has no entry for {view.infoset}, and {self._fallback.name} tells nothing")

    def table(self, place: Place) -> Table:
        """The same for every hand that the seat to act may hold at a public place."""
        return table_of(self, place)

    def _learn(self, place: int, game: PokerGame) -> tuple[list[Action], list[float]]:
        strategy = self.strategy
        chances = strategy.probability[strategy.start[place] : strategy.start[place + 1]].tolist()
        kept = [(text, chance) for text, chance in zip(strategy.actions[place], chances, strict=True) if chance > 0]
        try:
            actions = [read_action(game, text) for text, _ in kept]
        except IllegalAction as problem:
            raise BadFile(f"{self.name} does not fit: {problem}") from problem
        entry = actions, list(accumulate(chance for _, chance in kept))
        self._known[place] = entry
        return entry

    def reset(self) -> None:
        """Solutions do not learn; the fallback may."""
        self._fallback.reset()

    def remarks(self) -> Counter[str]:
        """What there is to say about the play since the last time: how often there was no entry."""
        said, self._missed = self._missed, Counter()
        return said

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting where the solution is of another game, unless that was asked for."""
        if self._other_games or self.strategy.game == game.name:
            return
        solved = self._solved()
        if not isinstance(solved, PokerGame) or solved.rules != game.rules:
            raise BadSetting(
                f"{self.name} is a solution of {self.strategy.game}, and this is {game.name}: "
                "add other_games=true to play it all the same"
            )


def _solution_file(name: str, value: object) -> str:
    """The check of the setting that names a file."""
    if not isinstance(value, str) or not value:
        raise BadSetting("name the file of the solution: strategy:kuhn.safetensors")
    return value


@declared("strategy")
def agent(
    name: str,
    file: Annotated[str, _solution_file],
    *,
    purify: Flag = False,
    threshold: Share = 0.0,
    fallback: Text = "formula",
    other_games: Flag = False,
) -> StrategyAgent:
    """The solution in a file. `purify` plays the likeliest action alone, `threshold` drops actions rarer than it,
    `fallback` names the agent that decides where there is no entry, `other_games` allows games of other rules."""
    solution = load(file)
    strategy = solution.strategy
    if threshold:
        strategy = strategy.threshold(threshold)
    if purify:
        strategy = strategy.purify()
    return StrategyAgent(
        strategy, name=name, fallback=open_agent(fallback), solved=solution.open_game, other_games=other_games
    )
