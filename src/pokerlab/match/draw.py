"""Compiled matches of five-card draw: bucketed strategies, with or without Ee's fallback, and rule-based agents.

The fallback of B. Ee, "Approximating optimal strategies for five-card draw poker" (2024), section 4.2: an infoset that
training visited fewer than 1,000 times is played by hand strength (as draw-basic does), and nobody folds when checking
is free. The sum of an infoset's averages approximates its visits. Linear weights discount early visits: an infoset
visited evenly over training sums to half its visits.
"""

from __future__ import annotations

import numpy as np

from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, Outcomes, play_draw_hands
from pokerlab.tree.bucketed.exchange import ExchangeForm

BASIC = "draw-basic"


def strategy_player(form: ExchangeForm, numbers: np.ndarray, *, fallback: float = 0.0) -> DrawContestant:
    """A strategy, played by hand strength where its averages sum to less than `fallback`."""
    return DrawContestant(form, numbers, decisions(BASIC) if fallback else None, fallback)


def play(
    one: DrawContestant | str, other: DrawContestant | str, form: ExchangeForm, *, hands: int, seed: int = 0
) -> Outcomes:
    """Play deals of a form's game, each with `one` in both seats. Rule-based agents are given by name: "draw-basic"."""
    pair = [DrawContestant(form, rule=decisions(who)) if isinstance(who, str) else who for who in (one, other)]
    for who in pair:
        if who.form.game.rules != form.game.rules:
            raise BadSetting(f"{who.form.name} and {form.name} are different games: let them meet in a match")
    return play_draw_hands(*pair, hands=hands, seed=seed)
