"""Calls where it is cheap."""

from dataclasses import dataclass

from pokerlab.agents.agent import Memoryless
from pokerlab.games.poker.betting import CALL, FOLD
from pokerlab.settings import Share


@dataclass(frozen=True)
class Careful(Memoryless):
    dear: Share = 0.5  # part of the pot that is too much to call

    def act(self, view, rng):
        if view.betting.drawing:
            return view.actions[0]
        return FOLD if view.to_call > self.dear * view.pot else CALL


agent = Careful
