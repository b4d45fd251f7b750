"""Liar's dice: roll in secret, bid how many dice show a face, and call the last bidder a liar.

A bid is a quantity and a face; each must exceed the last, by quantity first. The highest face is wild and counts for
every bid. The player who calls "liar" wins if all dice together do not fulfil the bid; otherwise the bidder wins.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Annotated, NamedTuple

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.sizes import Size
from pokerlab.settings import Settings, whole

LIAR = "liar"


class State(NamedTuple):
    """The sorted rolls, and the bids as numbers in their order; LIAR ends the game."""

    rolls: tuple[tuple[int, ...], ...]  # [player, die]
    bids: tuple[int, ...]
    called: bool


@dataclass(frozen=True)
class LiarsDice(Settings):
    """A number of dice per player and of sides per die."""

    label = "liars-dice"
    always_named = ("dice", "sides")
    dice: Annotated[int, whole(1, 10)] = 1  # per player
    sides: Annotated[int, whole(2, 20)] = 6
    players: Annotated[int, whole(2, 10)] = 2

    def root(self) -> State:
        return State((), (), False)

    def player(self, state: State) -> int:
        if len(state.rolls) < self.players:
            return CHANCE
        return TERMINAL if state.called else len(state.bids) % self.players

    def actions(self, state: State) -> list[str]:
        first = state.bids[-1] + 1 if state.bids else 0
        bids = [self.bid_text(bid) for bid in range(first, self.dice * self.players * self.sides)]
        return [*bids, LIAR] if state.bids else bids

    def bid_text(self, bid: int) -> str:
        """A bid as people write it: "2x5" claims two fives."""
        return f"{bid // self.sides + 1}x{bid % self.sides + 1}"

    def outcomes(self, state: State) -> list[tuple[tuple[int, ...], float]]:
        rolls = list(combinations_with_replacement(range(1, self.sides + 1), self.dice))
        orders = [factorial(self.dice) // prod(map(factorial, Counter(roll).values())) for roll in rolls]
        return [(roll, count / self.sides**self.dice) for roll, count in zip(rolls, orders, strict=True)]

    def child(self, state: State, action: str | tuple[int, ...]) -> State:
        if not isinstance(action, str):
            return state._replace(rolls=(*state.rolls, action))
        if action == LIAR:
            return state._replace(called=True)
        quantity, face = action.split("x")
        return state._replace(bids=(*state.bids, (int(quantity) - 1) * self.sides + int(face) - 1))

    def returns(self, state: State) -> tuple[float, ...]:
        bid = state.bids[-1]
        quantity, face = bid // self.sides + 1, bid % self.sides + 1
        shown = sum(die in (face, self.sides) for roll in state.rolls for die in roll)
        caller = len(state.bids) % self.players
        bidder = (len(state.bids) - 1) % self.players
        winner, loser = (bidder, caller) if shown >= quantity else (caller, bidder)
        return tuple(float((player == winner) - (player == loser)) for player in range(self.players))

    def infoset(self, state: State, player: int) -> str:
        roll = "".join(map(str, state.rolls[player])) if self.sides < 10 else "-".join(map(str, state.rolls[player]))
        return " ".join((f"{roll}:", *(self.bid_text(bid) for bid in state.bids)))

    def view(self, state: State, player: int) -> str:
        return self.infoset(state, player) if player < len(state.rolls) else ""

    def outcome_text(self, roll: tuple[int, ...]) -> str:
        """A roll without brackets."""
        return "-".join(map(str, roll))

    def size(self, *, effort: float = 1.0) -> Size:
        """A history is a set of bids, in rising order, for every roll."""
        bids = self.dice * self.players * self.sides
        rolls = comb(self.sides + self.dice - 1, self.dice)
        together = rolls**self.players
        facts = []
        for player in range(self.players):
            turns = range(player, bids + 1, self.players)  # possible numbers of earlier bids when this player acts
            infosets = rolls * sum(comb(bids, made) for made in turns)
            # a higher bid extends a history by one bid, in exactly one way; after any bid there is also the call
            pairs = rolls * sum(comb(bids, made + 1) + (comb(bids, made) if made else 0) for made in turns)
            facts.append((infosets, pairs + 1))
        states, terminals = together * 2**bids, together * (2**bids - 1)
        chance = sum(rolls**rolled for rolled in range(self.players))
        return Size.counted(self.name, tuple(facts), states=states, terminals=terminals, chance=chance)


game = LiarsDice
