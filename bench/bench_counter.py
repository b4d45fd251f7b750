"""Counter-strategies in Leduc and in spots: restricted games against the games themselves, and hands watched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from bench import Row, interleaved
from pokerlab import registry
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.formats.spot_file import spot_from
from pokerlab.match.run.observing import watch_agents, watch_policies
from pokerlab.solvers.analysis.restricted_program import solve_restricted
from pokerlab.solvers.analysis.restriction import held_by_infoset, held_for_the_game
from pokerlab.solvers.cfr.fixed import FixedCfr
from pokerlab.solvers.cfr.public.restricted import RestrictedPublicSolver
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.solvers.core.run import Stop, run
from pokerlab.strategy.profile import profile_of
from pokerlab.strategy.written import form_of
from pokerlab.tree.public.spot import spot_tree

ITERATIONS = 1000
QUICK = {"ITERATIONS": 2, "HANDS": 10}
HANDS = 2000  # at a table; compiled, a hundred times as many


def measure() -> Iterator[Row]:
    """One thread; the opponent is `rules`, its hands are played against `probe`. Time of this process alone."""
    game = registry.load("games", "leduc")
    form = form_of(game)
    rules, probe = (profile_of(open_policy(name, game), game, form) for name in ("rules", "probe"))
    dcfr = registry.load("algorithms", "dcfr")
    whole = held_for_the_game(form, rules, 0.9, player=1)
    apart = held_by_infoset(form, rules, np.full(form.tree.slots, 0.9), player=1)
    solvers: dict[str, Callable[[], Any]] = {
        "dcfr": partial(dcfr.start, form),
        "rnr": partial(FixedCfr, form, dcfr.schedule, whole.fixed(form)),
        "dbr": partial(FixedCfr, form, dcfr.schedule, apart.fixed(form)),
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

    yield from _spots()


def _spots() -> Iterator[Row]:
    """The public form: a river and a turn of two whole ranges, both players moving in turn."""
    schedule = registry.load("algorithms", "dcfr(gamma=4)").schedule
    for name, board, iterations in (("river", "Ks7h2d5c9s", 100), ("turn", "Ks7h2d5c", 4)):
        seat = {"range": "random", "bet": "50%,100%,allin", "raise": "100%,allin"}
        spot = spot_from({"board": board, "pot": 100, "stack": 300, "out_of_position": seat, "in_position": seat})
        tree = spot_tree(spot)
        model = np.random.default_rng(1).random(tree.slots).astype(np.float32)
        whole = held_for_the_game(tree, model, 0.9, player=1)
        apart = held_by_infoset(tree, model, np.full(tree.slots, 0.9), player=1)
        solvers: dict[str, Any] = {
            "dcfr": PublicSolver(tree, schedule),
            "rnr": RestrictedPublicSolver(tree, schedule, whole),
            "dbr": RestrictedPublicSolver(tree, schedule, apart),
        }
        walks = {title: partial(solver.advance, iterations) for title, solver in solvers.items()}
        found = interleaved(walks, repeats=5, clock=process_time)
        for title in ("rnr", "dbr"):
            rate, plain = iterations / found[title], iterations / found["dcfr"]
            yield Row(f"iterations of {title}, p 0.9, {name}", rate, plain, "dcfr of the spot", asked=0.5)


def _advance(made: Callable[[], Any]) -> None:
    made().advance(ITERATIONS)


def _to_target(made: Callable[[], Any]) -> None:
    solver = made()
    run(solver, Stop(target=1e-4 * solver.form.pot))
