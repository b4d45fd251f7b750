"""Winnings predicted from held-out hands, against exact ones in Leduc hold'em over buckets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.agents.agent import Agent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, RAISE, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.run.held_out import HeldOutHands, Weighed
from pokerlab.match.run.observing import hold_out, watch_agents
from pokerlab.solvers.analysis.restriction import frequencies
from pokerlab.strategy.forms.kinds import StrategyNames, profile_in, strategy_of
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.form import Form, build_form

FEW, MANY, BATCHES = 150, 5000, 25  # hands of the model, hands held out, and how many intervals they give
LEAST_COVERED = 19  # of 25 intervals of 95 %: fewer in 1 of 3,000 runs


class Cautious:
    """Never folds, and raises good cards more often: a player whose actions depend on its cards."""

    name = "cautious"

    def probabilities(self, view: View) -> dict[str, float]:
        raised = (0.65 if max(view.cards) > 3 else 0.35) if view.legal.can_raise else 0.0
        return {"c": 1 - raised} | ({"r": raised} if raised else {})

    def act(self, view: View, rng: np.random.Generator) -> Action:
        return RAISE if rng.random() < self.probabilities(view).get("r", 0.0) else CALL

    def reset(self) -> None:
        pass


@dataclass(frozen=True, eq=False)
class Task:
    """An opponent who plays hands of one bucket differently."""

    game: PokerGame
    form: BucketedForm
    whole: Form  # the game itself
    opponent: str

    def counter(self, against: Agent) -> tuple[np.ndarray, np.ndarray]:
        """A frequentist best response to few hands, and the model that it is a best response to."""
        seen = watch_agents(self.game, self.form, open_agent(self.opponent), against, hands=FEW, seed=5)
        model = frequencies(
            self.form, seen.counts, profile_in(open_policy("always-call", self.game), self.game, self.form)
        )
        profile = model.copy()
        for seat in (0, 1):
            own = self.form.slots_of(seat)
            profile[own] = self.form.best_response(model, seat).profile[own]
        return profile, model

    def truth(self, profile: np.ndarray, *, seat: int) -> float:
        """What a profile wins from the opponent itself in a seat, exactly."""
        strategy = strategy_of(self.form, self.form.pack(profile), StrategyNames())
        both = profile_in(open_policy(self.opponent, self.game), self.game, self.whole)
        own = self.whole.slots_of(seat)
        both[own] = profile_in(strategy, self.game, self.whole)[own]
        return self.whole.expected_values(both)[seat]


def task(name: str, methods: tuple[str, ...], opponent: str) -> Task:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    form = bucketed_form(game, make(Plan(CardRounds.of(game), methods, PERFECT)))
    return Task(game, form, build_form(game, "sequence"), opponent)


@pytest.mark.parametrize(
    ("name", "opponent", "against"),
    [
        ("leduc", "formula", open_agent("probe")),
        ("leduc", "rules", Cautious()),  # only its own hand counts
        ("leduc-nolimit(stack=7, menu='100%,allin')", "formula", open_agent("probe(sizes='menu')")),
    ],
)
def test_intervals_cover_what_is_won_and_the_model_promises_more(name: str, opponent: str, against: Any) -> None:
    one = task(name, ("strength:2", "strength:2"), opponent)
    profile, model = one.counter(against)
    held = HeldOutHands(one.form, one.game, against, seed=3)
    hold_out(one.game, open_agent(opponent), against, held, hands=MANY, seed=6)
    truths = [one.truth(profile, seat=seat) for seat in (0, 1)]
    assert sum(map(_value_of(one, profile, model), (0, 1))) / 2 > sum(truths) / 2 + 0.05
    weighed, seats = held._arrays.winnings(one.form, one.form.normalize(profile)), held._arrays.seat
    for seat in (0, 1):
        assert covered(weighed, seats == seat, truths[seat]) >= LEAST_COVERED
        predicted = held.winnings(profile, seats=(seat,))
        assert predicted is not None
        assert abs(predicted.mean - truths[seat]) < 4 * predicted.standard_error
    both = held.winnings(profile)
    assert both is not None
    assert both.count == MANY
    assert abs(both.mean - sum(truths) / 2) < 4 * both.standard_error


def _value_of(one: Task, profile: np.ndarray, model: np.ndarray) -> Callable[[int], float]:
    """By seat: what a profile wins from the model."""

    def value(seat: int) -> float:
        both, own = model.copy(), one.form.slots_of(seat)
        both[own] = profile[own]
        return float(one.form.expected_values(both)[seat])

    return value


def covered(weighed: Weighed, held: np.ndarray, truth: float) -> int:
    """How many intervals, each from a part of the hands, cover a value."""
    parts = np.array_split(np.random.default_rng(0).permutation(np.flatnonzero(held)), BATCHES)
    summaries = [weighed.summary(np.isin(np.arange(len(held)), part)) for part in parts]
    return sum(one.low <= truth <= one.high for one in summaries)


def test_hands_that_cannot_tell_give_no_prediction() -> None:
    """Few hands; and players who never act as the strategy does."""
    one = task("leduc", ("strength:2", "strength:2"), "formula")
    always_raise = profile_in(open_policy("always-raise", one.game), one.game, one.form)
    for against, hands, known in (
        ("probe", 20, False),
        ("probe", 400, True),
        ("always-call", 400, False),
        ("formula", 400, False),
    ):
        held = HeldOutHands(one.form, one.game, open_policy(against, one.game))
        hold_out(one.game, open_agent("formula"), open_agent(against), held, hands=hands, seed=1)
        assert (held.winnings(always_raise) is not None) == known
