"""A die is rolled, and two guess it in turn without seeing the other; the nearer wins the difference."""

from dataclasses import dataclass
from typing import Annotated

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.settings import Settings, whole


@dataclass(frozen=True)
class Guess(Settings):
    label = "guess"
    sides: Annotated[int, whole(2, 100)] = 6
    players = 2

    def root(self):
        return ()

    def player(self, state):
        return (CHANCE, 0, 1, TERMINAL)[len(state)]

    def actions(self, state):
        return range(1, self.sides + 1)

    def outcomes(self, state):
        return [(side, 1 / self.sides) for side in range(1, self.sides + 1)]

    def child(self, state, action):
        return (*state, action)

    def returns(self, state):
        rolled, first, second = state
        won = abs(second - rolled) - abs(first - rolled)
        return won, -won

    def infoset(self, state, player):
        return "first" if player == 0 else "second"

    def view(self, state, player):
        return self.infoset(state, player)


game = Guess
