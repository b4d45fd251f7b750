"""What a learning player sees of a decision, as numbers from -1 to 1, the same in every game and at every stake.

Values are in pots: what a decision wins from then on, relative to folding, over the pot before it.
"""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.situations import BET, NOTHING, RAISES, situation
from pokerlab.games.poker.state import View

LAST_ROUND = 3
WIDTH = 15  # of `decision_inputs`
MOST_POTS = 20.0  # values are cut off there


def own_strength(view: View) -> float:
    """The share of possible hands that are weaker than one's own now."""
    return float(percentiles(view.game, view.board, measure=NOW)[hands_of(view.game).number(view.cards)])


def decision_inputs(view: View, strength: float) -> np.ndarray:
    """Strength, round, what is faced, its price, raises, depth of stacks, and position.  # [WIDTH]"""
    now = situation(view.game, view.betting)
    rounds = [float(min(now.round, LAST_ROUND) == number) for number in range(LAST_ROUND + 1)]
    facing = [float(now.facing == what) for what in (NOTHING, BET, RAISES)]
    depth = np.tanh(min(view.stacks) / max(4 * now.pot, 1))
    position = float(view.seat == view.button)
    price = (now.pot_odds, strength - now.pot_odds)
    hand = (strength, strength**2, strength**4)
    return np.array([*hand, *rounds, *facing, *price, min(now.raises / 4, 1.0), depth, position])


def in_pots(chips: float, pot: int) -> float:
    """A value in pots, cut off."""
    return float(np.clip(chips / max(pot, 1), -MOST_POTS, MOST_POTS))
