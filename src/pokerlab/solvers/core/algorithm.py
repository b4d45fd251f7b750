"""An algorithm: a name with settings, the forms that it runs on, and a solver for each.

Each file solvers/library/NAME.py defines `algorithm(**settings) -> Algorithm`. An algorithm is a value; `start` creates
the solver that runs on a form (see run.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec

from pokerlab import registry
from pokerlab.errors import BadFile, BadGame, BadSetting, PokerlabError, TooLarge, shortened
from pokerlab.solvers.core.run import Solver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.specs import read, spec_text
from pokerlab.tree.form import KINDS, Form, kind_of
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.resources import CPU, Resources

Engine = Callable[[Any, int, Resources], Solver]  # (form, seed, resources)
P = ParamSpec("P")


def engine_of(solver: Callable[Concatenate[Any, P], Solver], *arguments: P.args, **settings: P.kwargs) -> Engine:
    """The engine that makes this solver of a form and these arguments, without a seed or resources."""
    return lambda form, seed, resources: solver(form, *arguments, **settings)


@dataclass(frozen=True)
class Algorithm:
    """A method of solving games. `start(form)` checks that the game is suitable and returns a new solver.

    An engine is a solver with its own kernels for one kind of form. `general` makes a solver from the operations
    that all forms share, so it runs on every form with realization plans; an engine takes precedence over it.
    """

    name: str
    engines: Mapping[Any, Engine]  # by kind of form, best first; off the CPU by (kind, device)
    settings: Mapping[str, Any] = field(default_factory=dict)
    schedule: Schedule | None = None  # of the CFR family, if the algorithm does nothing but follow it
    general: Engine | None = None
    two_player_zero_sum: bool = False  # whether the algorithm requires it
    random: bool = False  # whether the seed matters
    unit: str = "iterations"  # what an iteration is called
    usual: int | None = None  # default number of iterations, for algorithms that are not run for exploitability alone
    rehearsal: Algorithm | None = None  # a smaller algorithm that runs the same compiled code

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that it runs on, best first."""
        general = (kind for kind in KINDS if kind_of(kind).has_plans) if self.general is not None else ()
        special = (key if isinstance(key, str) else key[0] for key in self.engines)
        return tuple(dict.fromkeys((*special, *general)))

    def engine(self, kind: str, device: str) -> Engine:
        """What starts a solver on a form and a device; BadSetting where nothing does."""
        engine = self.engines.get((kind, device))
        if engine is None and device == CPU:
            engine = self.engines.get(kind) or self.general
        if engine is None:
            devices = {CPU} | {key[1] for key in self.engines if isinstance(key, tuple) and key[0] == kind}
            raise BadSetting(
                f"{self.name} does not run on the device {device[:40]!r} in the {kind} form; "
                f"choose {' or '.join(sorted(devices))}"
            )
        return engine

    @property
    def spec(self) -> str:
        """The name with its settings, as the registry reads it: "dcfr(alpha=1.5)"."""
        return spec_text(self.name, self.settings)

    def start(self, form: Form | HistoryTree, *, seed: int = 0, resources: Resources | None = None) -> Any:
        """A new solver; raises BadGame or BadSetting if the form or the game is unsuitable."""
        game, resources = form.as_form(), resources or Resources()
        if self.two_player_zero_sum and not (game.players == 2 and game.is_zero_sum):
            why = f"has {game.players} player{'' if game.players == 1 else 's'}"
            others = "" if kind_of(game.kind).is_large else " and fictitious play"
            raise BadGame(
                f"{self.name} solves two-player zero-sum games, and {game.name} "
                f"{why if game.players != 2 else 'is not zero-sum'}; algorithms of the CFR family{others} take any game"
            )
        suitable = self._suitable(game)
        resources.check(suitable.kind)
        engine = self.engine(suitable.kind, resources.device)
        if engine is self.general and resources.storage != Resources().storage:
            raise BadSetting(f"{self.name} computes with whole plans in float64: leave out the storage")
        solver = engine(suitable.on(resources), seed, resources)
        if resources.backend and not getattr(solver, "runs_on_machines", False):
            raise BadSetting(
                f"{self.name} runs on one machine only; pure, external and the other samplers run on several"
            )
        return solver

    def _suitable(self, form: Form) -> Form:
        """The form itself, or a form derived from it on which this algorithm runs."""
        if form.kind in self.forms or (form.kind not in KINDS and self.general is not None):  # a form for one purpose
            return form
        for kind in self.forms:
            if (derived := form.derive(kind)) is not None:
                return derived
        forms = " or the ".join(self.forms)
        raise BadSetting(f"{self.name} runs on the {forms} form, and {form.name} was built in the {form.kind} form")

    def rehearse(self, form: Form, *, resources: Resources | None = None) -> None:
        """Run briefly on a tiny game, so that kernels are compiled before the clock starts; once in a process."""
        small = form.small()
        known, key = small.__dict__.setdefault("_rehearsed", set()), (self.spec, resources)
        if key in known:
            return
        try:
            solver = (self.rehearsal or self).start(small, resources=resources)
        except (BadGame, TooLarge):  # the algorithm cannot take the tiny game, or its normal form is too large
            return
        solver.advance(1)
        solver.measure()
        known.add(key)


def saved_algorithm(spec: str) -> Algorithm:
    """The algorithm named in a saved file; BadFile if it is user code, which a file must not select."""
    _check_no_code(spec)
    algorithm = registry.load("algorithms", spec)
    assert isinstance(algorithm, Algorithm)
    return algorithm


def _check_no_code(spec: str) -> None:
    name, settings = read(spec)
    if registry.is_own(name):
        raise BadFile(f"the algorithm {shortened(spec)!r} is user code, which a file may not choose")
    for value in settings.values():  # an algorithm may take another one as a setting: external(schedule=dcfr)
        if isinstance(value, str):
            _check_no_code(value)


def short_spec(spec: str) -> str:
    """An algorithm's name with the settings that differ from its defaults.

    >>> short_spec("dcfr(alpha=1.5, gamma=3.0)"), short_spec("lp(method='pdlp')")
    ('dcfr(gamma=3.0)', 'lp(method=pdlp)')
    """
    try:
        saved = saved_algorithm(spec)
        defaults = registry.load("algorithms", saved.name).settings
    except PokerlabError:  # from a file written by another version
        return spec
    return spec_text(saved.name, {name: value for name, value in saved.settings.items() if defaults.get(name) != value})
