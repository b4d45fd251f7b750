"""A hidden Markov model of an opponent: how strong the hand is by round is hidden, what they do is seen.

A state is a tenth of all hands by strength. Between rounds the state moves as strengths do when public cards are dealt;
an action is seen with a chance that depends on the state and on what there is to call. The forward algorithm gives the
chances of the states after the actions so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.situations import RAISES, PastAction
from pokerlab.games.poker.engine import PokerGame

STATES = 10
FACING = RAISES + 1
SYMBOLS = 5  # fold, call, a raise of up to a pot, a larger one, all-in
SMOOTHING = 1.0  # of counts: what every symbol counts as at first


def symbol(game: PokerGame, past: PastAction) -> int:
    """What is seen of an action."""
    kind = "fcr".index(past.action.kind)
    if kind < 2 or game.betting.limit == "fixed":
        return kind
    legal = game.betting.legal(past.before)
    total = past.action.amount or legal.least
    if total >= legal.most:
        return 4
    added = total - game.betting.antes[past.seat] - past.before.level
    return 2 if added <= past.situation.pot + past.situation.to_call else 3


def state_of(strength: float) -> int:
    """The state of a strength."""
    return min(int(strength * STATES), STATES - 1)


class HandModel(NamedTuple):
    """The parameters of the model."""

    moves: np.ndarray  # [round, state, state] chance of each state in the next round; the last is used from then on
    emissions: np.ndarray  # [facing, state, symbol] counts

    def read(self, game: PokerGame, past: Sequence[PastAction], seat: int, round_: int) -> np.ndarray:
        """The chances of the states of a seat's hand in a round, after what it did.  # [state]"""
        chances, at = np.full(STATES, 1 / STATES), 0
        totals = self.emissions.sum(axis=2) + SYMBOLS * SMOOTHING
        for one in past:
            chances, at = self._moved(chances, at, one.before.round)
            if one.seat == seat:
                facing = one.situation.facing
                seen = (self.emissions[facing, :, symbol(game, one)] + SMOOTHING) / totals[facing]
                chances = chances * seen
                chances = chances / chances.sum()
        return self._moved(chances, at, round_)[0]

    def _moved(self, chances: np.ndarray, at: int, round_: int) -> tuple[np.ndarray, int]:
        for number in range(at, round_):
            chances = chances @ self.moves[min(number, len(self.moves) - 1)]
        return chances, max(at, round_)


def beaten(chances: np.ndarray, strength: float) -> float:
    """The chance to be ahead of a hand with these chances of states; an equal strength counts one half."""
    return float(chances @ np.clip(strength * STATES - np.arange(STATES), 0, 1))


def strength_moves(game: PokerGame, rng: np.random.Generator, deals: int) -> np.ndarray:
    """How states move from round to round, from random deals.  # [round, state, state]"""
    rounds = len(game.rules.rounds)
    counts = np.full((rounds - 1, STATES, STATES), 0.1)
    hands, private = hands_of(game), game.rules.rounds[0].private
    for cards in game.deals(rng, deals):
        held, public = cards[:private], cards[game.players * private :]
        boards = [public[: game.dealing.public(round_)] for round_ in range(rounds)]
        states = [state_of(float(percentiles(game, board, measure=NOW)[hands.number(held)])) for board in boards]
        for round_ in range(rounds - 1):
            counts[round_, states[round_], states[round_ + 1]] += 1
    return np.asarray(counts / counts.sum(axis=2, keepdims=True))
