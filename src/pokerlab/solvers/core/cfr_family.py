"""The CFR family: a schedule runs on every form that supports regret matching, with that form's engine."""

from __future__ import annotations

from typing import Any

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.solvers.cfr.general import GeneralCfr, SequenceCfr
from pokerlab.solvers.core.algorithm import Algorithm, Engine, engine_of
from pokerlab.solvers.core.run import Solver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.resources import CUDA, Resources


def schedule_of(name: str, *, purpose: str) -> Schedule:
    """The schedule of an algorithm of the CFR family, for use inside another algorithm."""
    schedule = registry.load("algorithms", name).schedule
    if schedule is None:  # also if the algorithm samples or trembles: its schedule alone would drop that
        raise BadSetting(f"{name[:40]!r} has no schedule to {purpose}; choose cfr, cfr+, linear-cfr, dcfr or pcfr+")
    assert isinstance(schedule, Schedule)
    return schedule


def scheduled(schedule: Schedule, *, pruning: bool, **settings: Any) -> Algorithm:
    """The algorithm that runs a schedule over a whole form; with pruning, over the sequence form only."""

    def on_public(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.public.solver import PublicSolver

        return PublicSolver(form, schedule, threads=resources.threads, storage=resources.storage)

    def on_card(form: Any, seed: int, resources: Resources) -> Solver:
        from pokerlab.solvers.cfr.public.cuda.solver import CudaPublicSolver
        from pokerlab.tree.machines import card

        return CudaPublicSolver(form, schedule, machine=card(), storage=resources.storage)

    settings = settings | {"alternating": schedule.alternating, "pruning": pruning}
    engines: dict[Any, Engine] = {"sequence": engine_of(SequenceCfr, schedule, pruning=pruning)}
    if pruning:
        return Algorithm(schedule.name, engines, settings, schedule)
    general = engine_of(GeneralCfr, schedule)
    engines |= {
        "classes": general,
        "public": on_public,
        ("public", CUDA): on_card,
    }  # a game that has both is far smaller in classes
    return Algorithm(schedule.name, engines, settings, schedule, general=general)
