"""A model of the first round and one model of all later rounds for each way to get there: the line of PsOpti (Sparbot).

Billings, Burch, Davidson, Holte, Schaeffer, Schauenberg and Szafron, "Approximating game-theoretic optimal strategies
for full-scale poker", 2003; Rubin and Watson, "Computer poker: a review", 2011, section 4.5.1. The first model ends
with the first round, after which hands are rolled out (as Selby's, 1999). In limit hold'em seven betting sequences
reach the flop; each has a postflop model of its own, with the pot and the ranges that the first model leaves there.

Differences from PsOpti: buckets are percentiles of roll-out strength, the same for both players, and hands keep their
bucket sequences (perfect recall); betting is not reduced. A postflop model is solved when a hand first needs it: by
discounted CFR on the signal form or, with `method=lp`, by a linear program, as PsOpti was. With 4 buckets a round a
program of three rounds has some ten million coefficients; CFR is within a small part of a chip in seconds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.bucket_signals import BucketSignals, bucket_signals
from pokerlab.agents.parts.model_player import ModelPlayer
from pokerlab.agents.parts.models import Model, ModelPolicy, betting_from, effort_of, solve_model, truncated_betting
from pokerlab.agents.parts.subgames import Effort
from pokerlab.games.poker.action import actions_of
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Flag, declared, number, one_of, whole, whole_numbers
from pokerlab.strategy.public_profile import decision_after


class TiedModels(ModelPolicy):
    """The models of one game."""

    def __init__(self, buckets: BucketSignals, effort: Effort | None, *, tied: bool = True) -> None:
        self.buckets, self.effort, self.tied = buckets, effort, tied
        self.first = solve_model(buckets, truncated_betting(buckets.game, 1), effort, first=0, last=0)
        self._later: dict[str, Model] = {}

    def model_at(self, betting: Betting) -> Model:
        if betting.round == 0:
            return self.first
        end = betting.history.index("/") + 1
        history = betting.history[:end]
        if history not in self._later:
            self._later[history] = self._solved(history)
        return self._later[history]

    def _solved(self, history: str) -> Model:
        """The model of the rounds after a betting sequence of the first."""
        game = self.buckets.game
        state = game.betting.start()
        for action in actions_of(history):
            state = game.betting.act(state, action)
        return solve_model(
            self.buckets,
            betting_from(game, state),
            self.effort,
            first=1,
            last=len(game.rules.rounds) - 1,
            before=state.history,
            weights=self.ranges(history) if self.tied else None,
        )

    def ranges(self, history: str) -> tuple[np.ndarray, np.ndarray]:
        """[signal] How likely each player takes their actions of the first round with each bucket."""
        reach = [np.ones(self.buckets.counts[0]) for _ in range(2)]
        path = ""
        for action in actions_of(history):
            node = decision_after(self.first.form.betting, path, self.first.form.name)
            rows = self.first.form.rows(self.first.profile, node)
            reach[node.player] *= rows[:, node.codes.index(str(action))]
            path += str(action)
        later = self.buckets.later(0)
        first, second = (np.repeat(own if own.any() else np.ones(len(own)), later) for own in reach)
        return first, second


class PsOpti(ModelPlayer):
    """Tied models at the table."""

    def __init__(self, name: str, *, buckets: tuple[int, ...], effort: Effort | None, tied: bool = True) -> None:
        super().__init__(name, buckets=buckets)
        self._effort = effort
        self._tied = tied

    def made(self, game: PokerGame) -> ModelPolicy:
        counts = self._buckets[:1] + self._buckets[1:] * (len(game.rules.rounds) - 1)
        return tied_models(game, counts, self._effort, self._tied)


@lru_cache(maxsize=4)
def tied_models(game: PokerGame, counts: tuple[int, ...], effort: Effort | None, tied: bool) -> TiedModels:
    """The models of a game, solved once for all agents that share them."""
    return TiedModels(bucket_signals(game, counts), effort, tied=tied)


@declared("psopti")
def agent(
    name: str,
    *,
    buckets: Annotated[tuple[int, ...], whole_numbers(1, count=2, each="kind of round")] = (10, 4),
    iterations: Annotated[int, whole(1)] = 300,
    seconds: Annotated[float, number(above=0)] = 20.0,
    tied: Flag = True,
    method: Annotated[str, one_of("dcfr", "lp")] = "dcfr",
) -> PsOpti:
    """Models with this many `buckets` in the first round and in each later one, each solved by at most `iterations` of
    discounted CFR or for `seconds`, or with `method=lp`, for few buckets, exactly by a linear program; unless `tied`,
    later models begin with any hand instead of the ranges of the first."""
    effort = effort_of(iterations, seconds) if method == "dcfr" else None
    return PsOpti(name, buckets=buckets, effort=effort, tied=tied)
