"""A lower bound on the exploitability of a draw-poker blueprint: the winnings of a player that learned to beat it.

The whole game is too large for a best response, and local best response does not support draws. So a solver learns
against the fixed blueprint, in the blueprint's own betting (solvers/bucketed/exploiting.py), and then plays it. A best
response wins at least as much on average.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.agents.opening import open_agent
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.lab.analyse.local_response import MeasuredResponse
from pokerlab.lab.play.playing import open_poker
from pokerlab.lab.solve.solving import reopened, start
from pokerlab.lab.solve.training import build_form, exchange_buckets_for
from pokerlab.match.run.result import position_names, units_of
from pokerlab.match.statistics import Moments
from pokerlab.parallel import core_count
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, play_draw_hands
from pokerlab.solvers.bucketed.exploiting import exploiter_of
from pokerlab.solvers.core.run import Stop
from pokerlab.strategy.files.solution import Solution
from pokerlab.tree.resources import Resources

HANDS = 200_000


@dataclass(frozen=True)
class LearnedResponse(MeasuredResponse):
    """The winnings of a player that learned to beat a blueprint, in the blueprint's own game."""

    buckets: str  # of the player that learned
    iterations: int

    def as_dict(self) -> dict[str, Any]:
        """The numbers, for JSON."""
        return super().as_dict() | {"buckets": self.buckets, "iterations": self.iterations}


def is_for(game: str, agent: str) -> bool:
    """Whether an agent is a blueprint of a game with a draw, against which a solver learns."""
    opened = open_agent(agent)
    if not isinstance(opened, BlueprintAgent):
        return False
    table = open_poker(game, ", and a blueprint plays at a poker table")
    return table.dealing.draws


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
    save: Path | str | None = None,
    resume: Path | str | None = None,
) -> LearnedResponse:
    """Learn to beat a blueprint of a game with a draw, then play it from every seat.

    The blueprint is a file, an agent that plays one ("draw-blueprint") or a solution. `buckets` are those of the player
    that learns, as `pokerlab train` takes them. `save` stores what it learned, at the end and every minute; `resume`
    continues such a file up to `iterations` in all. Cancelling stops the learning; the result is saved and played.
    Reruns are identical with one thread only.
    """
    began = time.perf_counter()
    table = open_poker(game, ", and a blueprint plays at a poker table")
    agent = BlueprintAgent("the solution", blueprint) if isinstance(blueprint, Solution) else open_agent(blueprint)
    if not isinstance(agent, BlueprintAgent):
        raise BadSetting(f"{agent.name} is not a blueprint: name the file of one, or draw-blueprint")
    agent.check_game(table)
    strategy = agent.playing(table).strategy
    if not strategy.form.has_draws:
        raise BadSetting(f"{agent.name} exchanges no cards: measure it by best responses, or by --local")
    if iterations < 1:
        raise BadSetting(f"learning takes at least one iteration, not {iterations}")
    own, count = strategy.form.game, threads or core_count()
    fixed = DrawContestant(strategy.form, strategy.padded())
    algorithm = exploiter_of(strategy.form, strategy.padded())
    if resume is not None:
        running = reopened(resume, threads=count, algorithm=algorithm)
    else:
        problem = Abstracted(own, exchange_buckets_for(own, buckets or None))
        running = start(build_form(problem, algorithm=algorithm, threads=count), seed=seed, resources=Resources(count))
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel, "job": "learned response"}
    learned = running.run(Stop(iterations=iterations), save=save or resume, **watching)
    form, deals = learned.strategy.form, max(2, hands // own.players)
    learner = DrawContestant(form, learned.strategy.padded())
    won = play_draw_hands(learner, fixed, hands=deals, seed=learned.seed + 1).won
    seats = Moments.none(own.players).add(won)
    return LearnedResponse(
        game=own.name,
        agent=agent.name,
        buckets=form.buckets.method,
        iterations=learned.iterations,
        hands=deals * own.players,
        deals=deals,
        seed=learned.seed,
        units=units_of(own),
        winnings=Moments.none(1).add(won.mean(axis=1, keepdims=True)).summary(0),
        seats=tuple(seats.summary(seat) for seat in range(own.players)),
        seat_names=position_names(own),
        seconds=time.perf_counter() - began,
    )
