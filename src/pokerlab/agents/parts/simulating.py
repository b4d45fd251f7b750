"""An agent that simulates: what it knows of its opponents, what it predicts of itself, and the values of its actions.

`SimulatingAgent` is the shared part of selective_sampling.py, realbot.py and mcts.py. It counts all actions of the
match, keeps the weight tables of the opponents' hands, and forgets both when it is reset.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np

from pokerlab.agents.parts.hand_reading import opponents
from pokerlab.agents.parts.match_memory import MatchMemory
from pokerlab.agents.parts.opponent_model import FrequencyModel, RepeatingModel, WithoutHands
from pokerlab.agents.parts.situations import Situation, check_open_betting
from pokerlab.agents.parts.triple import PotFraction, Triple
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import Settings, number, one_of, whole

LEAST_TRIALS = 2  # for a standard error
FIXED, LEARNED, FREQUENCIES = "fixed", "learned", "frequencies"  # models of oneself
Trials = Annotated[int, whole(2, 1_000_000)]
RunOuts = Annotated[int, whole(1, 1_000_000)]
Observations = Annotated[float, number(0, 1_000_000)]


class ModelOfAll:
    """The model of every seat: opponents as they were observed, oneself by another model or as observed too."""

    def __init__(self, opponents: RepeatingModel, oneself: RepeatingModel) -> None:
        self._opponents, self._oneself = opponents, oneself

    def triple(self, strength: Any, now: Situation, player: int) -> Triple:
        return (self._opponents if player else self._oneself).triple(strength, now, player)

    def inputs(self, now: Situation, player: int) -> Hashable:
        return player, (self._opponents if player else self._oneself).inputs(now, player)


@dataclass(frozen=True)
class SimulatingAgent(Settings):
    """Settings that all agents with simulations have, and their memory."""

    trials: Trials = 100  # simulated hands per decision, divided by the number of opponents in the hand
    run_outs: RunOuts = 25  # different boards among them
    self_model: Annotated[str, one_of(FIXED, LEARNED, FREQUENCIES)] = FIXED  # how it predicts its own later actions
    prior: Observations = 10.0  # how many observed actions the default opponent counts as
    pot_fraction: PotFraction = 1.0  # size of raises outside fixed limit

    @cached_property
    def memory(self) -> MatchMemory:
        """What it has learned."""
        return MatchMemory(prior=self.prior)

    @cached_property
    def model(self) -> RepeatingModel:
        """What it predicts for every seat."""
        learned = self.memory.observed
        of_oneself: dict[str, RepeatingModel] = {FIXED: FrequencyModel(), LEARNED: learned}
        return ModelOfAll(learned, of_oneself.get(self.self_model, WithoutHands(learned)))

    def trials_of(self, view: View) -> int:
        """How many hands to simulate: each takes longer with more opponents."""
        return max(self.trials // opponents(view), LEAST_TRIALS)

    def weights(self, view: View) -> Mapping[int, np.ndarray]:
        """The weight tables of the opponents.  # [hand]"""
        return self.memory.weights(view)

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for games with draws or later private cards."""
        check_open_betting(game, self.name)

    def observe(self, view: View) -> None:
        """Count the actions of a finished hand."""
        self.memory.observe(view)

    def reset(self) -> None:
        """Forget the opponents."""
        self.memory.reset()
