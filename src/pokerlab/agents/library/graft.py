"""A coarse equilibrium of the whole game, with finer strategies grafted onto it after each first round of betting.

Waugh, Bard and Bowling, "Strategy grafting in extensive games", 2009; Rubin and Watson, "Computer poker: a review",
2011, sections 4.5.2 and 4.6.6: Hyperborean of 2009 was made of grafts. How grafts are solved is explained in
agents/parts/grafting.py.

Differences from the paper: buckets are percentiles of roll-out strength and the base merges neighbours; the parts are
what follows each betting sequence of the first round; a graft is solved when a hand first needs it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pokerlab.agents.parts.bucket_signals import bucket_signals
from pokerlab.agents.parts.grafting import Grafted
from pokerlab.agents.parts.model_player import ModelPlayer
from pokerlab.agents.parts.models import ModelPolicy, effort_of, truncated_betting
from pokerlab.agents.parts.subgames import Effort
from pokerlab.games.poker.engine import PokerGame
from pokerlab.settings import Flag, declared, number, whole, whole_numbers


class GraftPlayer(ModelPlayer):
    """A base strategy and its grafts at the table."""

    def __init__(self, name: str, *, buckets: tuple[int, ...], finer: int, effort: Effort, grafts: bool = True) -> None:
        super().__init__(name, buckets=buckets)
        self._effort = effort
        self._finer, self._grafts = finer, grafts

    def made(self, game: PokerGame) -> ModelPolicy:
        rounds = len(game.rules.rounds)
        counts = self._buckets[:1] + tuple(self._finer * count for count in self._buckets[1:]) * (rounds - 1)
        finer = (1,) + (self._finer,) * (rounds - 1)
        return grafted(game, counts, finer, self._effort, self._grafts)


@lru_cache(maxsize=4)
def grafted(
    game: PokerGame, counts: tuple[int, ...], finer: tuple[int, ...], effort: Effort, grafts: bool
) -> ModelPolicy:
    """The base and its grafts, solved once for all agents that share them."""
    betting = truncated_betting(game, len(game.rules.rounds))
    return Grafted(bucket_signals(game, counts), betting, finer, effort, grafts=grafts)


@declared("graft")
def agent(
    name: str,
    *,
    buckets: Annotated[tuple[int, ...], whole_numbers(1, count=2, each="kind of round")] = (5, 2),
    finer: Annotated[int, whole(1)] = 2,
    iterations: Annotated[int, whole(1)] = 300,
    seconds: Annotated[float, number(above=0)] = 60.0,
    grafts: Flag = True,
) -> GraftPlayer:
    """A base with this many `buckets` in the first round and in each later one, and grafts that split each bucket of a
    later round into `finer`; each is solved by at most `iterations` of discounted CFR or for `seconds`. Without
    `grafts`, the base plays alone."""
    return GraftPlayer(name, buckets=buckets, finer=finer, effort=effort_of(iterations, seconds), grafts=grafts)
