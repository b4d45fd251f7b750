"""Stochastic games: each state has a game whose outcome pays the players and leads to the next state.

L. Shapley, "Stochastic games", 1953. The discount is the probability that play continues after a stage, which gives the
same values as discounting payoffs; so a stochastic game can also be played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pokerlab.errors import BadGame
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text

OVER = ""  # the chance outcome that ends the game
ROUNDING = 1e-9


class PlayState(NamedTuple):
    """A state of play: a state of the stochastic game, a state of its stage, and the payoffs so far."""

    state: str
    at: Any  # state of the stage
    won: tuple[float, ...]


class StochasticGame(ABC):
    """States, a game for each, and the transitions from its terminal states. Play starts in the first state.

    A subclass sets `name`, `players`, `states` and, if it is not 1, `discount`.
    """

    name: str = "stochastic"
    players: int = 2
    states: Sequence[str]
    discount: float = 1.0

    @abstractmethod
    def stage(self, state: str) -> Game:
        """The game played in a state; its returns are paid immediately."""

    @abstractmethod
    def successors(self, state: str, terminal: Any) -> Mapping[str, float]:
        """The probability of each next state after a terminal state of the stage; the remainder to 1 ends the game."""

    def next_states(self, state: str, terminal: Any) -> dict[str, float]:
        """The same times the discount; raises BadGame if these are not probabilities of states."""
        chances = dict(self.successors(state, terminal))
        for name, chance in chances.items():
            if name not in self.states:
                raise BadGame(f"state {state!r} of {self.name} leads to {name!r}, which is not one of its states")
            if not 0 <= chance <= 1 + ROUNDING:
                raise BadGame(
                    f"the probability of {name!r} after {state!r} in {self.name} must be 0 to 1, not {chance}"
                )
        if sum(chances.values()) > 1 + ROUNDING:
            raise BadGame(f"the probabilities of the states after {state!r} of {self.name} sum to more than 1")
        return {name: self.discount * chance for name, chance in chances.items() if self.discount * chance > 0}

    @cache  # noqa: B019  (a game lives as long as its stages)
    def game_of(self, state: str) -> Game:
        """The stage of a state; raises BadGame if its number of players differs."""
        stage = self.stage(state)
        if stage.players != self.players:
            raise BadGame(f"the game of state {state!r} has {stage.players} players, and {self.name} {self.players}")
        return stage

    def root(self) -> PlayState:
        return PlayState(self.states[0], self.game_of(self.states[0]).root(), (0.0,) * self.players)

    def player(self, state: PlayState) -> int:
        if state.state == OVER:
            return TERMINAL
        actor = self.game_of(state.state).player(state.at)
        return CHANCE if actor == TERMINAL else actor

    def actions(self, state: PlayState) -> Sequence[Any]:
        return self.game_of(state.state).actions(state.at)

    def outcomes(self, state: PlayState) -> Sequence[tuple[Any, float]]:
        """The chance outcomes in the stage, or the next states."""
        stage = self.game_of(state.state)
        if stage.player(state.at) != TERMINAL:
            return stage.outcomes(state.at)
        following = self.next_states(state.state, state.at)
        rest = 1.0 - sum(following.values())
        return [*following.items(), *([(OVER, rest)] if rest > ROUNDING or not following else [])]

    def child(self, state: PlayState, action: Any) -> PlayState:
        stage = self.game_of(state.state)
        if stage.player(state.at) != TERMINAL:
            return state._replace(at=stage.child(state.at, action))
        won = tuple(before + now for before, now in zip(state.won, stage.returns(state.at), strict=True))
        return PlayState(action, None if action == OVER else self.game_of(action).root(), won)

    def returns(self, state: PlayState) -> tuple[float, ...]:
        return state.won

    def infoset(self, state: PlayState, player: int) -> str:
        """The state and the infoset of its stage; a stationary strategy needs no more."""
        return f"{state.state}: {self.game_of(state.state).infoset(state.at, player)}"

    view = infoset

    def action_text(self, action: Any) -> str:
        """An action as its stage writes it."""
        return action_text(self.game_of(self.states[0]), action)

    def outcome_text(self, outcome: Any) -> str:
        """An outcome of chance, or the next state."""
        return "over" if outcome == OVER else outcome_text(self.game_of(self.states[0]), outcome)
