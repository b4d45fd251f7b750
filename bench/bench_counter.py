"""Counter-strategies in Leduc: the restricted game against the game itself and its linear program, hands watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from bench import Row, interleaved
from pokerlab import registry
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.match.run.observing import watch_agents, watch_policies
from pokerlab.solvers.counter.program import solve_restricted
from pokerlab.solvers.counter.restriction import held_by_infoset, held_for_the_game
from pokerlab.solvers.counter.solver import RestrictedSolver
from pokerlab.solvers.run import Stop, run
from pokerlab.strategy.profile import profile_of
from pokerlab.strategy.written import form_of

ITERATIONS = 1000
HANDS = 2000  # at a table; compiled, a hundred times as many


def measure() -> Iterator[Row]:
    """One thread; the opponent is `rules`, its hands are played against `probe`. Time of this process alone."""
    game = registry.load("games", "leduc")
    form = form_of(game)
    rules, probe = (profile_of(open_policy(name, game), game, form) for name in ("rules", "probe"))
    dcfr = registry.load("algorithms", "dcfr")
    whole = held_for_the_game(form, rules, 0.9, player=1)
    apart = held_by_infoset(form, rules, np.full(form.tree.infosets, 0.9), player=1)
    solvers: dict[str, Callable[[], Any]] = {
        "dcfr": partial(dcfr.start, form),
        "rnr": partial(RestrictedSolver, form, dcfr.schedule, whole),
        "dbr": partial(RestrictedSolver, form, dcfr.schedule, apart),
    }
    walks = {name: partial(_advance, made) for name, made in solvers.items()}
    found = interleaved(walks, clock=process_time)
    rates = {name: ITERATIONS / seconds for name, seconds in found.items()}
    for name in ("rnr", "dbr"):
        yield Row(f"iterations of {name}, p 0.9", rates[name], rates["dcfr"], "dcfr of the game", asked=0.5)
    contenders = {"dcfr": partial(_to_target, solvers["rnr"]), "lp": partial(solve_restricted, form, whole)}
    found = interleaved(contenders, repeats=3, clock=process_time)
    yield Row("rnr to 1e-4 of the pot", found["dcfr"], found["lp"], "linear program, exact", unit="s")
    table = partial(watch_agents, game, form, open_agent("rules"), open_agent("probe"), hands=HANDS)
    policies = partial(watch_policies, form, rules, probe, hands=100 * HANDS)
    found = interleaved({"policies": policies, "table": table}, repeats=3, clock=process_time)
    yield Row("hands watched", 100 * HANDS / found["policies"], HANDS / found["table"], "agents at a table", asked=50)


def _advance(made: Callable[[], Any]) -> None:
    made().advance(ITERATIONS)


def _to_target(made: Callable[[], Any]) -> None:
    solver = made()
    run(solver, Stop(target=1e-4 * solver.form.pot))
