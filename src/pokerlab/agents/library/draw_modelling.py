"""Five-card draw: like draw-basic, but weights opposing hands by how the opponent has played so far in the match.

Agent modelling of Ee's appendix C (2024). The opponent's actions are counted by situation: the round, the earlier
actions of the round, and the number of cards the opponent has drawn. An opponent who has raised in a situation one time
in five and raises again is assumed to hold the best fifth of hands, mu = 0.8; one who calls holds any hand that is not
folded there. The highest mu of a round multiplies the weight of every hand by a ramp around it: 1 for hands that are
better by more than the spread, LEAST for those that are worse by more, linear in between.

The paper gives mu and "some level of standard deviation"; the rest follows Loki, on which it builds (Papp, "Dealing
with imperfect information in poker", 1998, section 7.2), or is our choice: a situation seen fewer than `seen` times is
ignored; hands that were strong before the draw are assumed strong after it. It draws as draw-basic does. The model
lasts for one pass of a match (a block of deals) and is then forgotten.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.agents.parts.draw_player import HandAction, check_five_card_draw, exchanges, facts_of, hand_actions
from pokerlab.agents.parts.triple import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, PotFraction, betting_options
from pokerlab.cards.rank_hands import rank_tables
from pokerlab.cards.strength import strength
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, number, whole

LEAST = 0.01  # the weight of a hand that the opponent would not play this way
Situation = tuple[int, str, int]  # round, earlier actions in it, cards drawn by the opponent


class ModellingPlayer:
    """The player who learns how the opponent plays."""

    def __init__(self, name: str, *, spread: float, seen: int, pot_fraction: float) -> None:
        self.name = name
        self._spread, self._seen, self._pot_fraction = spread, seen, pot_fraction
        self._counts: dict[Situation, Counter[str]] = defaultdict(Counter)

    def check_game(self, game: PokerGame) -> None:
        check_five_card_draw(game, "draw-modelling")

    def act(self, view: View, rng: np.random.Generator) -> Action:
        from pokerlab.solvers.bucketed._kernels.draw_rules import by_strength

        self.check_game(view.game)
        if view.betting.drawing:
            return exchanges(view, decisions("draw-basic"))[0][0]
        triple = (ALWAYS_FOLD, ALWAYS_CALL, ALWAYS_RAISE)[by_strength(self.strength(view), facts_of(view).bets)]
        return betting_options(triple, view, pot_fraction=self._pot_fraction)[0][0]

    def strength(self, view: View) -> float:
        """The weighted share of opposing hands that are behind; ties count one half."""
        from pokerlab.cards._kernels.rank_hands import weighted_strength

        weights = self.weights(view)
        cards = np.array(view.cards, np.uint8)
        counts = np.zeros(len(weights), np.int64)
        return float(weighted_strength(cards, strength(view.cards), weights, rank_tables(), counts))

    def weights(self, view: View) -> np.ndarray:
        """The weight of opposing hands of each class after the opponent's actions.  # [class from 0] float64"""
        strengths = _class_strengths()
        weights = np.ones(len(strengths))
        for threshold in self.thresholds(view):
            if threshold > 0:
                weights *= np.clip((strengths - threshold) / (2 * self._spread) + 0.5, LEAST, 1)
        return weights

    def thresholds(self, view: View) -> tuple[float, float]:
        """The highest mu of the opponent's actions in each round."""
        highest = [0.0, 0.0]
        for situation, action_taken in _opposing(view):
            highest[action_taken.round] = max(highest[action_taken.round], self.threshold(situation, action_taken.kind))
        return highest[0], highest[1]

    def threshold(self, situation: Situation, kind: str) -> float:
        """Mu, the share of hands too weak for an action; 0 if unknown."""
        counts = self._counts.get(situation, Counter())
        times = counts.total()
        if times < self._seen:
            return 0.0
        return 1 - counts["r"] / times if kind == "r" else counts["f"] / times

    def observe(self, view: View) -> None:
        """Count the opponent's actions in a hand."""
        for situation, action_taken in _opposing(view):
            self._counts[situation][action_taken.kind] += 1

    def reset(self) -> None:
        """Forget the opponent."""
        self._counts.clear()


def _opposing(view: View) -> list[tuple[Situation, HandAction]]:
    """The bets, calls and folds of the opponent, each with its situation."""
    actions, drawn = [], 0
    for action_taken in hand_actions(view):
        if action_taken.seat != view.seat:
            if action_taken.kind == "d":
                drawn = action_taken.cards
            else:
                actions.append(((action_taken.round, action_taken.before, drawn), action_taken))
    return actions


@cache
def _class_strengths() -> np.ndarray:
    """The share of all hands weaker than each class; ties count one half.  # [class from 0] float64"""
    from pokerlab.cards._kernels.rank_hands import count_opposing

    tables = rank_tables()
    counts = np.zeros(tables.class_count + 1, np.int64)
    count_opposing(np.zeros(0, np.uint8), tables, counts)
    return np.asarray(1 - (counts.cumsum() - counts / 2) / counts.sum())


@declared("draw-modelling")
def agent(
    name: str,
    *,
    spread: Annotated[float, number(above=0, most=1)] = 0.2,
    seen: Annotated[int, whole(1)] = 20,
    pot_fraction: PotFraction = 0.0,
) -> ModellingPlayer:
    """A player who learns. `spread` is the half width of the ramp around mu, `seen` how often a situation must have
    occurred before it is used, `pot_fraction` the size of raises outside fixed limit (0: the minimum)."""
    return ModellingPlayer(name, spread=spread, seen=seen, pot_fraction=pot_fraction)
