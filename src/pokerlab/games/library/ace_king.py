"""The ace-king game: each player is dealt an ace or a king, with one bet of one chip.

The worked example of M. Schmid's thesis (section 2.2.1). Its rules mention a pot of two and losing one, but its
utilities (2 for a fold or a checked showdown, 3 after a called bet) imply that each player has two chips in the pot; we
use the utilities. The two cards are independent, and equal cards split the pot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.settings import Settings, number

CARDS = ("A", "K")
Chips = Annotated[float, number(above=0, most=1e9)]
State = tuple[str, ...]  # the first card, the second card, then the betting: ("A", "K", "check", "bet")
_ENDS = (("check", "check"), ("bet", "fold"), ("bet", "call"), ("check", "bet", "fold"), ("check", "bet", "call"))


@dataclass(frozen=True)
class AceKing(Settings):
    """Each card is hidden from the other player; all betting is public."""

    label = "ace-king"
    players = 2
    stake: Chips = 2  # each player's chips in the pot at the start
    bet: Chips = 1

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if len(state) < 2:
            return CHANCE
        return TERMINAL if state[2:] in _ENDS else len(state) % 2

    def actions(self, state: State) -> tuple[str, ...]:
        return ("fold", "call") if "bet" in state else ("check", "bet")

    def outcomes(self, state: State) -> list[tuple[str, float]]:
        return [(card, 0.5) for card in CARDS]

    def child(self, state: State, action: str) -> State:
        return (*state, action)

    def returns(self, state: State) -> tuple[float, float]:
        if state[-1] == "fold":
            first_wins = len(state) % 2 == 0  # the player who would act next: the other one folded
        elif state[0] == state[1]:
            return 0.0, 0.0
        else:
            first_wins = state[0] == "A"
        lost = float(self.stake + (self.bet if state[-1] == "call" else 0))
        return (lost, -lost) if first_wins else (-lost, lost)

    def infoset(self, state: State, player: int) -> str:
        return " ".join((state[player], *state[2:]))

    def view(self, state: State, player: int) -> str:
        return self.infoset(state, player) if len(state) >= 2 else ""


game = AceKing
