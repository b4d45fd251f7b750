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

from pokerlab.errors import BadFile
from pokerlab.solvers.run import Measure
from pokerlab.strategy.lock import Lock
from pokerlab.strategy.policy import Policy, StrategyLine
from pokerlab.tree.form import Folding, Form, Problem

KINDS = {
    "sequence": "pokerlab.strategy.sequence",
    "public": "pokerlab.strategy.public",
    "roles": "pokerlab.strategy.roles",
    "classes": "pokerlab.strategy.classes",
    "bucketed": "pokerlab.strategy.bucketed",
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

    def answering(self, player: int, form: Any) -> FormStrategy:
        """The same with a player who plays a best response to the others."""
        ...

    def measured(self, form: Any) -> Measure:
        """Value and best response of each player."""
        ...

    def answer(self, form: Any) -> Arrays:
        """What a solver in this state answers, to be compared; nothing where the state itself is the strategy."""
        ...

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """What a file holds of it besides the solver's state: arrays and words."""
        ...

    def alone(self) -> FormStrategy:
        """As a file keeps it that holds no state of a solver: itself, or the same in fewer digits."""
        ...


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
    in_state: bool = False  # whether a file's answer is part of the solver's state
    most: float = 1.0  # the largest number of an answer
    check_size: Callable[[Problem, Folding, str, Arrays, Path | str], None] | None = None  # before anything is laid out
    alone: Callable[[Any, Arrays, Naming, Path | str], FormStrategy] | None = None  # of a file without a state
    problem: Callable[[Any, Mapping[str, Any], Path | str], Problem] | None = None  # (game, manifest, path)
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
