"""A genetic algorithm on games of one decision each: populations that play each other, select, breed and mutate.

Goykhman, "On self-play computation of equilibrium in poker", sections 3 and 6; see solvers/evolve/genetic.py for the
two versions and what each setting means. An iteration is a generation. `united` agents have a chromosome for each
role and start from the settings of section 6; two populations start from those of section 3.
"""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Solver
from pokerlab.solvers.evolve.genetic import SECTION_3, SECTION_6, GeneticSettings, GeneticSolver
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.resources import Resources

MOST_REHEARSED = 100, 2  # limits on agents and rounds in a run that only compiles


def algorithm(*, united: bool = False, **settings: Any) -> Algorithm:
    """The genetic algorithm; its other settings are the fields of GeneticSettings."""
    known = [field.name for field in fields(GeneticSettings)]
    for name in settings:
        if name not in known:
            raise BadSetting(f"genetic does not take {name[:40]}; it takes {', '.join(known)}")
    chosen = replace(SECTION_6 if united else SECTION_3, **settings)
    population, rounds = MOST_REHEARSED
    small = replace(chosen, population=min(chosen.population, population), rounds=min(chosen.rounds, rounds))
    return _with(chosen, rehearsal=_with(small))


def _with(chosen: GeneticSettings, rehearsal: Algorithm | None = None) -> Algorithm:
    def on_classes(form: ClassForm, seed: int, resources: Resources) -> Solver:
        return GeneticSolver(form, chosen, seed=seed)

    base = SECTION_6 if chosen.united else SECTION_3
    changed = {
        name: value for name, value in asdict(chosen).items() if name == "united" or value != getattr(base, name)
    }
    changed.pop("workers", None)
    return Algorithm("genetic", {"classes": on_classes}, changed, random=True, unit="generations", rehearsal=rehearsal)
