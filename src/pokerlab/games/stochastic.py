"""Stochastic games: a game in every state, whose outcome pays its players and leads to the next state.

L. Shapley, "Stochastic games", 1953. The discount is the probability that play continues after a stage, which gives the
same values as discounting payoffs; so a stochastic game is also a game that can be played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pokerlab.errors import BadGame
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text

OVER = ""  # the outcome of chance after which nothing follows
ROUNDING = 1e-9


class Moment(NamedTuple):
    """A state of play: a state of the stochastic game, one of its stage, and what was won before."""

    state: str
    at: Any  # in the stage
    won: tuple[float, ...]


class StochasticGame(ABC):
    """States, a game for each, and where its terminals lead. Play starts in the first state.

    A subclass sets `name`, `players`, `states` and, where it is not 1, `discount`.
    """

    name: str = "stochastic"
    players: int = 2
    states: Sequence[str]
    discount: float = 1.0

    @abstractmethod
    def stage(self, state: str) -> Game:
        """The game that is played in a state; its returns are won at once."""

    @abstractmethod
    def successors(self, state: str, terminal: Any) -> Mapping[str, float]:
        """The probability of each next state after a terminal of the stage; what is missing to 1 ends the game."""

    def next_states(self, state: str, terminal: Any) -> dict[str, float]:
        """The same times the discount; BadGame where these are not probabilities of states."""
        chances = dict(self.successors(state, terminal))
        for name, chance in chances.items():
            if name not in self.states:
                raise BadGame(f"state {state!r} of {self.name} leads to {name!r}, which is not one of its states")
            if not 0 <= chance <= 1 + ROUNDING:
                raise BadGame(
                    f"the probability of {name!r} after {state!r} of {self.name} must be 0 to 1, got {chance}"
                )
        if sum(chances.values()) > 1 + ROUNDING:
            raise BadGame(f"the probabilities of the states after {state!r} of {self.name} sum to more than 1")
        return {name: self.discount * chance for name, chance in chances.items() if self.discount * chance > 0}

    @cache  # noqa: B019  (a game lives as long as its stages)
    def game_of(self, state: str) -> Game:
        """The stage of a state; BadGame where it has another number of players."""
        stage = self.stage(state)
        if stage.players != self.players:
            raise BadGame(f"the game of state {state!r} has {stage.players} players, and {self.name} {self.players}")
        return stage

    # ---- the questions of a game -------------------------------------------------------------------------------------

    def root(self) -> Moment:
        """The start of the first state."""
        return Moment(self.states[0], self.game_of(self.states[0]).root(), (0.0,) * self.players)

    def player(self, state: Moment) -> int:
        """Who acts; chance between stages."""
        if state.state == OVER:
            return TERMINAL
        actor = self.game_of(state.state).player(state.at)
        return CHANCE if actor == TERMINAL else actor

    def actions(self, state: Moment) -> Sequence[Any]:
        """What the player to act may do in the stage."""
        return self.game_of(state.state).actions(state.at)

    def outcomes(self, state: Moment) -> Sequence[tuple[Any, float]]:
        """What chance may do in the stage, or the next states."""
        stage = self.game_of(state.state)
        if stage.player(state.at) != TERMINAL:
            return stage.outcomes(state.at)
        following = self.next_states(state.state, state.at)
        rest = 1.0 - sum(following.values())
        return [*following.items(), *([(OVER, rest)] if rest > ROUNDING or not following else [])]

    def child(self, state: Moment, action: Any) -> Moment:
        """The moment after an action, after chance, or at the start of the next state."""
        stage = self.game_of(state.state)
        if stage.player(state.at) != TERMINAL:
            return state._replace(at=stage.child(state.at, action))
        won = tuple(before + now for before, now in zip(state.won, stage.returns(state.at), strict=True))
        return Moment(action, None if action == OVER else self.game_of(action).root(), won)

    def returns(self, state: Moment) -> tuple[float, ...]:
        """What each player won in all stages."""
        return state.won

    def infoset(self, state: Moment, player: int) -> str:
        """The state, and what is known in its stage: a stationary strategy needs no more."""
        return f"{state.state}: {self.game_of(state.state).infoset(state.at, player)}"

    def view(self, state: Moment, player: int) -> str:
        """The infoset."""
        return self.infoset(state, player)

    def action_text(self, action: Any) -> str:
        """An action as its stage writes it."""
        return action_text(self.game_of(self.states[0]), action)

    def outcome_text(self, outcome: Any) -> str:
        """An outcome of chance, or the next state."""
        return "over" if outcome == OVER else outcome_text(self.game_of(self.states[0]), outcome)
