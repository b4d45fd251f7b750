"""The first rounds from a truncated model solved ahead, the last rounds solved at the table: the line of GS1 and GS2.

Gilpin and Sandholm, "A competitive Texas Hold'em poker player via automated abstraction and real-time equilibrium
computation", 2006; Rubin and Watson, "Computer poker: a review", 2011, section 4.5.1. In the model, hands are in
buckets and betting ends after the first rounds (hold'em: the flop); hands are rolled out from there. From the next
round on, the rest of the hand is solved between the ranges that Bayes' rule carries over from the model.

Differences from GS1: buckets are percentiles of roll-out strength, not those of GameShrink; the model is solved by
discounted CFR, since a linear program takes far longer for the same accuracy; rounds at the table are solved over every
hand, not over buckets, and by discounted CFR too. Like GS1, it is unsafe: gluing separate solutions together is no
equilibrium (section 4.5.2), whatever the accuracy of each.
"""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import Annotated

from pokerlab.agents.parts.bucket_signals import bucket_signals, refuse_unsuitable
from pokerlab.agents.parts.models import Trunk, effort_of, solve_model, truncated_betting
from pokerlab.agents.parts.resolving import ResolvingAgent
from pokerlab.agents.parts.subgames import UNSAFE, Effort
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Flag, declared, number, or_none, whole, whole_numbers
from pokerlab.strategy.policy import Policy


class TruncatedPlayer(ResolvingAgent):
    """A truncated model whose later rounds are solved at the table."""

    def __init__(
        self,
        name: str = "gs",
        *,
        from_round: int | None = None,
        buckets: tuple[int, ...],
        model: Effort,
        effort: Effort,
        beliefs: bool = True,
    ) -> None:
        super().__init__(name, method=UNSAFE, effort=effort, beliefs=beliefs)
        self._from_round, self._buckets, self._model = from_round, buckets, model

    def first_round(self, game: PokerGame) -> int:
        return max(1, len(game.rules.rounds) // 2) if self._from_round is None else self._from_round

    def policy_for(self, game: PokerGame) -> Policy:
        refuse_unsuitable(self.name, game)
        first = self.first_round(game)
        counts = (self._buckets[:1] + self._buckets[1:] * (first - 1)) + (1,) * (len(game.rules.rounds) - first)
        return trunk(game, counts, first, self._model)


@lru_cache(maxsize=4)
def trunk(game: PokerGame, counts: tuple[int, ...], rounds: int, effort: Effort) -> Policy:
    """The model of the first rounds, solved once for all agents that share it."""
    betting = truncated_betting(game, rounds)
    return Trunk(solve_model(bucket_signals(game, counts), betting, effort, first=0, last=rounds - 1))


@declared("gs")
def agent(
    name: str,
    *,
    from_round: Annotated[int | None, or_none(whole(1))] = None,
    buckets: Annotated[tuple[int, ...], whole_numbers(1, count=2, each="kind of round")] = (10, 6),
    model_iterations: Annotated[int, whole(1)] = 1000,
    iterations: Annotated[int, whole(1)] = 200,
    seconds: Annotated[float, number(above=0)] = 10.0,
    beliefs: Flag = True,
) -> TruncatedPlayer:
    """A truncated model, solved ahead with this many `buckets` in the first round and in later ones, plays the rounds
    before `from_round` (default: the first half); from there the hand is solved at the table, by at most `iterations`
    or for `seconds`. Without `beliefs`, any hand may come there."""
    return TruncatedPlayer(
        name,
        from_round=from_round,
        buckets=buckets,
        model=effort_of(model_iterations, inf),
        effort=effort_of(iterations, seconds),
        beliefs=beliefs,
    )
