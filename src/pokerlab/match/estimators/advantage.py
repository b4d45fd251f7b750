"""Estimators that subtract control variates from payoffs: AIVAT, MIVAT, DIVAT and imaginary observations are settings.

The sides are the seats whose hands are averaged. With several, estimates are averaged over them, and without
imaginary observations there is one, whose hand is the one that was dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.match.estimators.equity_values import EquityValues
from pokerlab.match.estimators.fitting import SequentialFit
from pokerlab.match.estimators.known import KnownAgent, is_known
from pokerlab.match.estimators.path import Path, path_of
from pokerlab.match.estimators.showdown_values import ShowdownValues
from pokerlab.match.estimators.tree_values import is_small, tree_values
from pokerlab.match.estimators.values import Side, ValueFunction
from pokerlab.match.estimators.walk import Correction, WalkResult, walk

AUTO, EQUITY = "auto", "equity"


@dataclass(frozen=True)
class AdvantageEstimator:
    """A payoff, averaged over imaginary hands or not, minus weighted control variates."""

    name: str
    values: Callable[[PokerGame], ValueFunction]
    correct: Correction
    imaginary: bool
    fit: bool = True  # whether weights are learned

    def start(self, game: PokerGame, agents: Sequence[Agent]) -> AdvantageHands:
        """Raises BadSetting unless the game has public nodes, and some probabilities are known where needed."""
        problem = _why_not(game)
        if problem:
            raise BadSetting(f"{self.name} takes the luck out of games with public nodes, and {game.name} {problem}")
        if (self.imaginary or self.correct.actions) and not any(map(is_known, agents)):
            names = ", ".join(agent.name for agent in agents)
            raise BadSetting(
                f"{self.name} needs a player that states its action probabilities, which none of {names} does; "
                "mivat and divat do without"
            )
        return AdvantageHands(self, game)


class AdvantageHands:
    """The estimator at work."""

    def __init__(self, settings: AdvantageEstimator, game: PokerGame) -> None:
        self._settings, self._game = settings, game
        self._values = settings.values(game)
        self._fit = SequentialFit(self._values.weights)
        self._known: dict[int, tuple[Agent, KnownAgent | None]] = {}

    def estimate(self, state: State, seats: Sequence[Agent]) -> tuple[float, ...]:
        """What a hand was worth to each seat, by the weights learned from earlier hands."""
        walked = self.walk(state, seats)
        estimate = walked.payoff - self._fit.weights @ walked.variates
        if self._settings.fit:
            self._fit.add(float(walked.payoff[0]), walked.variates[:, 0])
        return tuple(estimate.tolist())

    def walk(self, state: State, seats: Sequence[Agent]) -> WalkResult:
        """The payoff of each seat and the control variates, averaged over sides."""
        settings, path = self._settings, path_of(self._game, state)
        needed = settings.imaginary or settings.correct.actions
        known = [self._known_agent(agent) if needed else None for agent in seats]
        walks = [
            walk(self._game, path, side, known=known, values=self._values, correct=settings.correct)
            for side in self._sides(path, known)
        ]
        return WalkResult(np.mean([one.payoff for one in walks], 0), np.mean([one.variates for one in walks], 0))

    def _sides(self, path: Path, known: Sequence[KnownAgent | None]) -> list[Side]:
        if not self._settings.imaginary:
            return [Side(0, (path.hands[0],), varies=False)]
        every = tuple(hands_of(self._game).cards)
        return [Side(seat, every, varies=True) for seat, player in enumerate(known) if player is not None]

    def _known_agent(self, agent: Agent) -> KnownAgent | None:
        if id(agent) not in self._known:  # the agent is stored too, so that its number stays its own
            self._known[id(agent)] = agent, KnownAgent(agent, self._game) if is_known(agent) else None
        return self._known[id(agent)][1]


def values_named(text: str) -> Callable[[PokerGame], ValueFunction]:
    """How to make the values that a setting names: "auto", "equity", "solved", or an agent."""

    def values(game: PokerGame) -> ValueFunction:
        if text == EQUITY or (text == AUTO and not is_small(game)):
            return equity_values(game)
        return tree_values(game) if text == AUTO else tree_values(game, text)

    return values


def equity_values(game: PokerGame) -> EquityValues:
    """Values by equity; BadSetting where pots are shared by more than two, or unevenly."""
    if game.players != 2 or not game.payoffs.splits_in_half:
        raise BadSetting(
            f"values by equity are for two players that split ties evenly, and {game.name} is too large for others: "
            "use all-in, or imaginary"
        )
    return EquityValues(game)


def payoffs_alone(game: PokerGame) -> ValueFunction:
    """Values for imaginary observations, which need none; two players' run-outs count at their expectation."""
    two = game.players == 2 and game.payoffs.splits_in_half
    return EquityValues(game) if two else ShowdownValues(game)


def _why_not(game: PokerGame) -> str:
    """Why a game's deals are not uniform over the cards that nobody has seen; "" if they are."""
    if isinstance(game, SpotGame):
        return "starts from ranges"
    if game.dealing.draws:
        return "exchanges cards"
    if not game.dealing.at_once:
        return "deals private cards in several rounds"
    return "deals from a deck for each player" if game.rules.replacement else ""
