"""Stochastic games from TOML files: a table for each state with its game and its transitions.

    discount = 0.9                     # the probability that play continues; 1 by default
    [state.low]
    payoffs = [[1, 0], [0, 2]]         # to the row player (zero sum), or a list for each player in every cell
    next = [["low", "high"], ["high", { low = 0.5, high = 0.25 }]]   # what is missing to 1 ends the game
    [state.high]
    game = "kuhn"                      # any game by name; `next` is by what player 0 wins, or one state for all
    next = { 2 = "low", -2 = "low" }   # after other payoffs the game is over

Play starts in the first state of the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats.matrix import game as matrix_game
from pokerlab.games.game import Game
from pokerlab.games.stochastic import StochasticGame
from pokerlab.games.strategic import StrategicGame
from pokerlab.reading import read_text, toml_table
from pokerlab.settings import number
from pokerlab.specs import spec_text

MOST_STATES = 10_000
MOST_BYTES = 10_000_000
_KNOWN = ("discount", "state", "title")
_OF_A_STATE = ("game", "next", "payoffs")


class StochasticFile(StochasticGame):
    """The stochastic game that a table of settings defines."""

    def __init__(self, settings: Mapping[str, Any], name: str = "stochastic") -> None:
        tables = settings.get("state")
        is_table = isinstance(tables, Mapping) and all(isinstance(table, Mapping) for table in tables.values())
        if not is_table or not tables:
            raise BadSetting("a stochastic game has a table for each state, written [state.NAME]")
        if len(tables) > MOST_STATES:
            raise BadSetting(f"a stochastic game has at most {MOST_STATES:,} states, not {len(tables):,}")
        registry.check_names("a stochastic game", settings, _KNOWN)
        for state, table in tables.items():
            registry.check_names(f"state {state[:40]!r}", table, _OF_A_STATE)
        self.name = name
        self.states = tuple(tables)
        self.discount = float(number(0, 1)("discount", settings.get("discount", 1.0)))
        self._tables = tables
        self.players = self.stage(self.states[0]).players
        for state in self.states:
            self._check_next(state)

    def stage(self, state: str) -> Game:
        table = self._tables[state]
        if ("game" in table) == ("payoffs" in table):
            raise BadSetting(f"state {state[:40]!r} needs either a game or a table of payoffs")
        if "payoffs" in table:
            return matrix_game(payoffs=table["payoffs"])
        if not isinstance(table["game"], str) or registry.is_own(table["game"]):
            raise BadSetting(f"the game of state {state[:40]!r} must be the name of one of the library")
        stage = registry.load("games", table["game"])
        assert isinstance(stage, Game)
        return stage

    def successors(self, state: str, terminal: Any) -> Mapping[str, float]:
        """The next states after a cell of the table, or after a payoff of player 0."""
        following = self._tables[state].get("next", {})
        stage = self.game_of(state)
        if isinstance(stage, StrategicGame) and isinstance(following, list):
            for names, action in zip(stage.action_names, terminal, strict=True):
                following = following[names.index(action)]
        elif isinstance(following, Mapping) and not set(following) <= set(self.states):
            following = following.get(f"{stage.returns(terminal)[0]:g}", {})
        return {following: 1.0} if isinstance(following, str) else following

    def _check_next(self, state: str) -> None:
        """Raise BadSetting if `next` of a state is invalid."""
        following = self._tables[state].get("next", {})
        stage = self.game_of(state)
        shape = tuple(map(len, stage.action_names)) if isinstance(stage, StrategicGame) else ()
        if isinstance(following, list):
            cells = _cells(following, shape, state)
        elif isinstance(following, Mapping) and not set(following) <= set(self.states):
            cells = list(following.values())
        else:
            cells = [following]
        for cell in cells:
            names = [cell] if isinstance(cell, str) else list(cell) if isinstance(cell, Mapping) else None
            if names is None or not set(names) <= set(self.states):
                raise BadSetting(
                    f'next of state {state[:40]!r} must name states of the file, as "{self.states[0][:40]}" or '
                    f"{{ {self.states[0][:40]} = 0.5 }}, not {str(cell)[:40]!r}"
                )
            if isinstance(cell, Mapping):
                total = sum(number(0, 1)(f"the probability of {name[:40]!r}", cell[name]) for name in names)
                number(0, 1 + 1e-9)(f"the sum of the probabilities after {state[:40]!r}", total)


def _cells(table: Any, shape: tuple[int, ...], state: str) -> list[Any]:
    """The cells of a nested list of this shape."""
    if not shape:
        return [table]
    if not isinstance(table, list) or len(table) != shape[0]:
        raise BadSetting(f"next of state {state[:40]!r} must be a table of the same shape as its payoffs")
    return [cell for row in table for cell in _cells(row, shape[1:], state)]


def read(path: str | Path) -> StochasticFile:
    """The stochastic game in a TOML file; raises BadFile if it is invalid."""
    try:
        table = toml_table(read_text(path, most=MOST_BYTES))
        return StochasticFile(table, spec_text("file", {"path": str(path)}))
    except PokerlabError as problem:
        raise BadFile(f"{path}: {problem}") from problem
