"""All-in equity: a showdown settled before the last card counts for its expected value over all run-outs."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.agents.agent import Agent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.estimators.run_outs import expected_payoffs
from pokerlab.settings import checked


class AllInHands:
    """Needs no memory."""

    def __init__(self, game: PokerGame) -> None:
        self._game = game

    def estimate(self, state: State, seats: Sequence[Agent]) -> Sequence[float]:
        return expected_payoffs(self._game, state) or self._game.returns(state)


class AllIn:
    """The estimator for every poker game; where no cards were to come, or cards are drawn, payoffs stay as they are."""

    def start(self, game: PokerGame, agents: Sequence[Agent]) -> AllInHands:
        return AllInHands(game)


@checked
def estimator() -> AllIn:
    """All players, all games."""
    return AllIn()
