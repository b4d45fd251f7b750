"""How exploitable a blueprint of draw poker is at least: what a player wins who learned to beat it.

The whole game is too large for a best response, and local best response knows no exchange of cards. So a player learns
against the fixed blueprint, in its own betting (solvers/bucketed/exploiting.py), and then plays it. On average a best
response wins at least as much.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.lab.playing import open_poker
from pokerlab.lab.training import exchange_buckets_for
from pokerlab.match.run.moments import Moments
from pokerlab.match.run.result import units_of
from pokerlab.match.statistics import Summary, Units
from pokerlab.parallel import core_count
from pokerlab.solvers.bucketed.exploiting import Exploiter
from pokerlab.solvers.bucketed.playing import Side, outcomes
from pokerlab.strategy.exchange import ExchangeStrategy
from pokerlab.strategy.solution import Solution
from pokerlab.tree.bucketed.exchange import exchange_form

AT_ONCE = 20_000  # iterations between looks at the bar
HANDS = 200_000


@dataclass(frozen=True)
class LearnedResponse:
    """What a player who learned to beat a blueprint won from it: on average a lower bound of its exploitability."""

    game: str  # the blueprint's own, with its bets
    agent: str
    buckets: str  # of the one who learned
    iterations: int
    hands: int
    deals: int  # each was played from every seat
    seed: int
    units: Units
    winnings: Summary  # chips a hand; the unit of observation is the deal
    seats: tuple[Summary, ...]
    seconds: float

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return {
            "game": self.game,
            "agents": [self.agent],
            "buckets": self.buckets,
            "iterations": self.iterations,
            "hands": self.hands,
            "deals": self.deals,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "winnings": self.units.as_dict(self.winnings),
            "seats": [self.units.as_dict(summary) for summary in self.seats],
        }


def learned_response(
    game: str,
    blueprint: str | Solution,
    *,
    iterations: int,
    hands: int = HANDS,
    seed: int = 0,
    buckets: str = "",
    threads: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> LearnedResponse:
    """Learn to beat a blueprint of a game with an exchange of cards, then play it from every seat.

    The blueprint is a file, an agent that plays one ("draw-blueprint") or a solution. `buckets` are those of the player
    who learns, as `pokerlab train` takes them. With more than one thread a rerun is not the same.
    """
    watch = Watch("learned response", on_progress, cancel, "iterations")
    solution, name = _solution(game, blueprint)
    strategy = solution.strategy
    if not isinstance(strategy, ExchangeStrategy):
        raise BadSetting(f"{name} exchanges no cards: measure it by best responses, or by --local")
    if iterations < 1:
        raise BadSetting(f"learning takes at least one iteration, not {iterations}")
    own = strategy.form.game
    form = exchange_form(own, exchange_buckets_for(own, buckets or None))
    fixed = Side(strategy.form, strategy.flat())
    learner = Exploiter(form, fixed, seed=seed, threads=threads or core_count())
    while learner.iterations < iterations:
        learner.advance(min(AT_ONCE, iterations - learner.iterations))
        watch.at("", learner.iterations, iterations)
    deals = max(2, hands // own.players)
    won = outcomes(Side(form, learner.numbers), fixed, hands=deals, seed=seed + 1).won
    seats = Moments.none(own.players).add(won)
    return LearnedResponse(
        game=own.name,
        agent=name,
        buckets=form.buckets.method,
        iterations=iterations,
        hands=deals * own.players,
        deals=deals,
        seed=seed,
        units=units_of(own),
        winnings=Moments.none(1).add(won.mean(axis=1, keepdims=True)).summary(0),
        seats=tuple(seats.summary(seat) for seat in range(own.players)),
        seconds=time.perf_counter() - watch.began,
    )


def _solution(game: str, blueprint: str | Solution) -> tuple[Solution, str]:
    """The solution that an agent plays, and what it is called; BadSetting where it is of another game."""
    table = open_poker(game, ", and a blueprint plays at a poker table")
    agent = BlueprintAgent("the solution", blueprint) if isinstance(blueprint, Solution) else open_agent(blueprint)
    if not isinstance(agent, BlueprintAgent):
        raise BadSetting(f"{agent.name} is no blueprint: name the file of one, or draw-blueprint")
    agent.check_game(table)
    return agent.playing(table), agent.name
