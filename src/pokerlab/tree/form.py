"""What a form is: a game or a spot laid out for solving. The contract of all forms, and the choice among them.

Each kind of form has one module (KINDS) with a `FORM` that says which problems have it, how large it would be, and lays
it out. How a form stores numbers is known to it alone; algorithms run on forms (solvers/algorithm.py), and
strategy/ puts names on what they find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import Spot
from pokerlab.registry import nearest
from pokerlab.tree.forecast import available_memory, bytes_text, count_text

KINDS = {  # best known first
    "sequence": "pokerlab.tree.sequence",
    "public": "pokerlab.tree.public.form",
    "roles": "pokerlab.tree.roles",
    "classes": "pokerlab.tree.classes",
    "normal": "pokerlab.tree.normal",
    "bucketed": "pokerlab.tree.bucketed.form",
}
SHARE_OF_MEMORY = 0.8
LARGE = 5e8  # bytes: a form above this is left for one that is far smaller
FAR_SMALLER = 0.1

BUCKETED = "bucketed"
SPOT_IS_PUBLIC = (  # why a spot has no other form
    "a spot is solved in the public form, by algorithms that run on it: dcfr, cfr+, egt, cfr-br, "
    "double-oracle(over=strategies) ..."
)

Problem = Game | Spot | Abstracted


@dataclass(frozen=True)
class FormSize:
    """How large a form is: before it is laid out, by forecast, or after."""

    nodes: float
    infosets: float | None  # of all players; None where only laying out tells
    bytes: float  # of a whole run, the solver included

    def text(self) -> str:
        """As people read it."""
        infosets = "" if self.infosets is None else f", {count_text(self.infosets)} infosets"
        return f"{count_text(self.nodes)} nodes{infosets}, {bytes_text(self.bytes)}"


class Form(Protocol):
    """A problem laid out for solving."""

    @property
    def kind(self) -> str:
        """Which form it is, as KINDS names it."""
        ...

    @property
    def name(self) -> str:
        """The name of the game, or of the spot."""
        ...

    @property
    def players(self) -> int:
        """How many players there are."""
        ...

    @property
    def stakes(self) -> float:
        """The largest payoff of anyone, won or lost: tolerances are shares of it."""
        ...

    @property
    def pot(self) -> float:
        """What a target in percent is a part of: the pot at the start, the stakes where there is none."""
        ...

    @property
    def is_zero_sum(self) -> bool:
        """Whether what one wins the others lose."""
        ...

    @property
    def size(self) -> FormSize:
        """How large it is."""
        ...

    def small(self) -> Form:
        """A tiny form for which solvers run the same machine code: kernels are compiled on it."""
        ...


@dataclass(frozen=True)
class Folding:
    """Which boards a layout may fold together, where some strategies are fixed: only what they treat alike."""

    symmetric: bool = True  # whether boards that differ by names of suits may be one
    alike: Sequence[np.ndarray] = field(default=())  # numbers per hand that such a renaming must keep


@dataclass(frozen=True)
class FormKind:
    """One kind of form: who has it, how large it is, how it is made."""

    why_not: Callable[[Problem], str]  # a sentence, "" where the problem has this form
    forecast: Callable[[Problem], FormSize]  # TooLarge where even that cannot be told
    lay_out: Callable[..., Form]  # (problem, *, folding: Folding, on_progress, most_infosets)
    check: Callable[[Problem, Folding, str], None] | None = (
        None  # (problem, folding, storage): TooLarge before it is made
    )


def kind_of(name: str) -> FormKind:
    """A kind of form by its name."""
    if name not in KINDS:
        raise BadSetting(f"there is no form called {name[:40]!r}; {nearest(name[:40], list(KINDS))}")
    found = import_module(KINDS[name]).FORM
    assert isinstance(found, FormKind)
    return found


@dataclass(frozen=True)
class Choice:
    """The form chosen for a problem, and why those before it were not."""

    kind: str
    reasons: tuple[str, ...] = ()


def choose(problem: Problem, kinds: Sequence[str], *, memory: float | None = None) -> Choice:
    """The first of these forms that the problem has and that fits; a later one where the first is large for nothing.

    TooLarge where none fits, BadSetting where the problem has none of them.
    """
    limit = SHARE_OF_MEMORY * available_memory() if memory is None else memory
    missing = {kind: why_not(problem, kind) for kind in kinds}
    there = [kind for kind in kinds if not missing[kind]]
    if not there:
        raise BadSetting("; ".join(dict.fromkeys(missing.values())))
    if len(there) == 1:
        return Choice(there[0])
    sizes: dict[str, FormSize | TooLarge] = {}
    for kind in there:
        sizes[kind] = _size(problem, kind)
        found = sizes[kind]
        if isinstance(found, FormSize) and found.bytes <= min(LARGE, limit):
            return Choice(kind, _passed_over(sizes, kind, limit))
    fitting = [kind for kind, size in sizes.items() if isinstance(size, FormSize) and size.bytes <= limit]
    if not fitting:
        return Choice(there[0])  # which refuses, with its size and advice
    best = fitting[0]
    for kind in fitting[1:]:
        if _bytes(sizes[kind]) < FAR_SMALLER * _bytes(sizes[best]):
            best = kind
    return Choice(best, _passed_over(sizes, best, limit))


def why_not(problem: Problem, kind: str) -> str:
    """Why a problem does not have a form, as a sentence; "" where it has it."""
    if isinstance(problem, Abstracted) and kind != BUCKETED:
        return f"{problem.name} with buckets has the bucketed form alone, not the {kind} form"
    return kind_of(kind).why_not(problem)


def _size(problem: Problem, kind: str) -> FormSize | TooLarge:
    try:
        return kind_of(kind).forecast(problem)
    except TooLarge as problem_of_size:
        return problem_of_size


def _bytes(size: FormSize | TooLarge) -> float:
    return size.bytes if isinstance(size, FormSize) else float("inf")


def _passed_over(sizes: dict[str, FormSize | TooLarge], chosen: str, limit: float) -> tuple[str, ...]:
    reasons = []
    for kind, size in sizes.items():
        if kind == chosen or list(sizes).index(kind) > list(sizes).index(chosen):
            continue
        if isinstance(size, TooLarge):
            reasons.append(f"the {kind} form is too large")
        elif size.bytes > limit:
            reasons.append(f"the {kind} form needs {bytes_text(size.bytes)}, and {bytes_text(limit)} may be used")
        else:
            reasons.append(f"the {kind} form needs {bytes_text(size.bytes)}")
    return tuple(reasons)


def lay_out(problem: Problem, kind: str, **options: Any) -> Form:
    """A problem in one of its forms; BadSetting, with the reason, where it does not have it."""
    reason = why_not(problem, kind)
    if reason:
        raise BadSetting(reason)
    return kind_of(kind).lay_out(problem, **options)
