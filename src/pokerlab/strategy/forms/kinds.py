"""What every form gives a solution: strategies with names, and how they lie in a file. One module a form says it.

A new form is a module of tree/form.KINDS and one here, with a `KIND`; solutions, files and verification know no form.
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
    """How all players play, as a solver found it in a form. `form` is that form, laid out."""

    @property
    def game(self) -> str:
        """The name of what is played."""
        ...

    @property
    def players(self) -> int:
        """How many play."""
        ...

    def __len__(self) -> int:
        """How many infosets there are."""
        ...

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`, as people read it."""
        ...

    def root_in(self, form: Any) -> Any:
        """The place where the game starts, to be walked."""
        ...

    def profile_in(self, form: Any) -> np.ndarray | None:
        """This strategy as a profile of a form; None where the form stores its numbers otherwise.  # [A]"""
        ...

    def with_best_response(self, player: int, form: Any) -> FormStrategy:
        """The same with a player who plays a best response to the others."""
        ...

    def measure_in(self, form: Any) -> Measure:
        """Value and best response of each player."""
        ...

    def solver_arrays(self, form: Any) -> Arrays:
        """What a solver in this state answers, to be compared; nothing where the state itself is the strategy."""
        ...

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a file holds of it besides the solver's state: arrays and words."""
        ...

    def details(self) -> dict[str, Any]:
        """What a summary says of this form alone, for JSON."""
        ...

    def strategy_only(self) -> FormStrategy:
        """As a file keeps it that holds no state of a solver: itself, or the same in fewer digits."""
        ...


ProfileOf = Callable[[Policy, Any, Any, int | None], np.ndarray]  # (policy, game, form, player or None for all)
SlotFinder = Callable[[Any, Any, int, str], int | None]  # (game, state, seat, action); None where there is no such slot


@dataclass(frozen=True)
class Naming:
    """What names a solver's answer besides its form."""

    seats: tuple[str, str] = ("player 0", "player 1")
    locks: Sequence[Lock] = ()
    threads: int = 1


@dataclass(frozen=True)
class StrategyKind:
    """How the strategies of one form are named, and how they lie in a file."""

    named: Callable[[Any, Arrays, Naming], FormStrategy]  # (form, a solver's answer, names)
    wanted: Callable[[Any, str], Mapping[str, tuple[int, Any]]]  # (form, storage) -> lengths and type(s) of the answer
    most: float = 1.0  # the largest number of an answer
    check_size: Callable[[Problem, SuitIsomorphism, str, Arrays, Path | str], None] | None = (
        None  # before anything is laid out
    )
    alone: Callable[[Any, Arrays, Naming, Path | str], FormStrategy] | None = None  # of a file without a state
    problem: Callable[[Any, Mapping[str, Any], Path | str], Problem] | None = None  # (game, manifest, path)
    profile_of: ProfileOf | None = None  # asks a policy everywhere; None where that is not possible
    slot_finder: Callable[[Any], SlotFinder] | None = None  # (form): where an action of a hand lies in a profile
    unlaid: Callable[[Arrays, Mapping[str, Any], str], FormStrategy] | None = None  # opens a file without its form


def kind_of(form: Any, path: Path | str = "this file") -> StrategyKind:
    """The kind of strategies of a form; BadFile for a form that this version does not know."""
    if not isinstance(form, str) or form not in KINDS:
        raise BadFile(f"{path} holds a solution in the form {str(form)[:40]!r}, which this version does not know")
    found = import_module(KINDS[form]).KIND
    assert isinstance(found, StrategyKind)
    return found


def strategy_of(form: Form, answer: Arrays, naming: Naming) -> FormStrategy:
    """The strategies that a solver's `answer` is, with the names of its form."""
    return kind_of(form.kind).named(form, answer, naming)


def profile_in(policy: Policy, game: Any, form: Form, *, player: int | None = None) -> np.ndarray:
    """What a policy does everywhere in a form, or what one player does, the others being uniform.  # [A]

    BadSetting where the policy does not know a decision, or where a form cannot be asked about.
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
    """The kinds of forms in which any policy can be asked everywhere."""
    return tuple(name for name in KINDS if kind_of(name).profile_of is not None)
