"""What every form provides for solutions: named strategies, and their layout in files. Each form has one module.

A new form is a module of tree/form.KINDS and one here, with a `KIND`; solutions, files and verification are independent
of the form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pokerlab.errors import BadFile, BadSetting
from pokerlab.strategy.lock import Lock
from pokerlab.strategy.policy import Policy, StrategyLine
from pokerlab.tree.form import Form, Problem, SuitIsomorphism
from pokerlab.tree.measure import Measure

KINDS = {
    "sequence": "pokerlab.strategy.forms.sequence",
    "public": "pokerlab.strategy.forms.public",
    "classes": "pokerlab.strategy.forms.classes",
    "pushes": "pokerlab.strategy.forms.pushes",
    "stochastic": "pokerlab.strategy.forms.stochastic",
    "bucketed": "pokerlab.strategy.forms.bucketed",
}

Arrays = Mapping[str, np.ndarray]


class FormStrategy(Policy, Protocol):
    """A strategy for all players in a form. `form` is that form, built."""

    @property
    def game(self) -> str:
        """The name of the game."""
        ...

    @property
    def players(self) -> int:
        """The number of players."""
        ...

    def __len__(self) -> int:
        """The number of infosets."""
        ...

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`, as people read it."""
        ...

    def root_in(self, form: Any) -> Any:
        """The root node, to browse from."""
        ...

    def profile_in(self, form: Any) -> np.ndarray | None:
        """This strategy as a profile of a form; None if the form stores its numbers differently.  # [A]"""
        ...

    def with_best_response(self, player: int, form: Any) -> FormStrategy:
        """This strategy with one player replaced by a best response to the others."""
        ...

    def measure_in(self, form: Any) -> Measure:
        """Value and best response of each player."""
        ...

    def solver_arrays(self, form: Any) -> Arrays:
        """The `strategy_arrays()` of a solver in this state, to compare; empty if the state itself is the strategy."""
        ...

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The contents of a file besides the solver's state: arrays and manifest entries."""
        ...

    def details(self) -> dict[str, Any]:
        """Summary entries specific to this form, for JSON."""
        ...

    def strategy_only(self) -> FormStrategy:
        """The strategy as a strategy-only file stores it: unchanged, or rounded."""
        ...


ProfileOf = Callable[[Policy, Any, Any, int | None], np.ndarray]  # (policy, game, form, player or None for all)
SlotFinder = Callable[[Any, Any, int, str], int | None]  # (game, state, seat, action); None if there is no such slot


@dataclass(frozen=True)
class Naming:
    """The names of a strategy that its form does not provide."""

    seats: tuple[str, str] = ("player 0", "player 1")
    locks: Sequence[Lock] = ()
    threads: int = 1


@dataclass(frozen=True)
class StrategyKind:
    """How the strategies of one form are named and stored in a file."""

    named: Callable[[Any, Arrays, Naming], FormStrategy]  # (form, a solver's arrays, names)
    wanted: Callable[[Any, str], Mapping[str, tuple[int, Any]]]  # (form, storage) -> lengths and type(s) of the arrays
    most: float = 1.0  # the largest allowed number in the arrays
    check_size: Callable[[Problem, SuitIsomorphism, str, Arrays, Path | str], None] | None = (
        None  # before anything is built
    )
    alone: Callable[[Any, Arrays, Naming, Path | str], FormStrategy] | None = None  # reads a strategy-only file
    problem: Callable[[Any, Mapping[str, Any], Path | str], Problem] | None = None  # (game, manifest, path)
    profile_of: ProfileOf | None = None  # queries a policy at every decision; None if impossible
    slot_finder: Callable[[Any], SlotFinder] | None = None  # (form): the offset of a hand's action in a profile
    unlaid: Callable[[Arrays, Mapping[str, Any], str], FormStrategy] | None = None  # opens a file without its form


def kind_of(form: Any, path: Path | str = "this file") -> StrategyKind:
    """The kind of strategies of a form; BadFile for an unknown form."""
    if not isinstance(form, str) or form not in KINDS:
        raise BadFile(f"{path} holds a solution in the form {str(form)[:40]!r}, which this version does not know")
    found = import_module(KINDS[form]).KIND
    assert isinstance(found, StrategyKind)
    return found


def strategy_of(form: Form, answer: Arrays, naming: Naming) -> FormStrategy:
    """A solver's arrays as a strategy with the names of its form."""
    return kind_of(form.kind).named(form, answer, naming)


def profile_in(policy: Policy, game: Any, form: Form, *, player: int | None = None) -> np.ndarray:
    """A policy as a profile of a form, or only one player's part with the others uniform.  # [A]

    BadSetting if the policy does not know a decision, or if the form does not support this.
    """
    stored = getattr(policy, "profile_in", None)
    own = stored(form) if stored is not None else None
    if own is not None:
        return np.asarray(own)
    ask = kind_of(form.kind).profile_of
    if ask is None:
        raise BadSetting(
            f"agents cannot be measured in the {form.kind} form; the sequence and the public form take them"
        )
    return ask(policy, game, form, player)


def asked_forms() -> tuple[str, ...]:
    """The kinds of forms in which any policy can be queried at every decision."""
    return tuple(name for name in KINDS if kind_of(name).profile_of is not None)
