"""The public form as one of the forms: spots, and two-player poker whose private cards are all dealt at the start."""

from __future__ import annotations

from typing import Any

from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.tree.form import FormKind, FormSize, Pace, Problem, SuitIsomorphism
from pokerlab.tree.public import poker, spot
from pokerlab.tree.public.forecast import size_of
from pokerlab.tree.public.layout import Outline, PublicTree, build
from pokerlab.tree.resources import Resources


def why_not(problem: Problem) -> str:
    """Why a problem has no public form; "" if it has one."""
    if isinstance(problem, Spot):
        return ""
    if not isinstance(problem, PokerGame):
        return f"{problem.name} has no public form: it is not a poker game of the rule engine"
    return poker.why_not_public(problem)


def outline(problem: Problem, isomorphism: SuitIsomorphism) -> Outline:
    """A problem that has a public form, before its boards are built."""
    if isinstance(problem, Spot):
        return spot.outline_of(problem, symmetric=isomorphism.symmetric, preserved=isomorphism.preserved)
    assert isinstance(problem, PokerGame)
    return poker.outline_of(problem, symmetric=isomorphism.symmetric)


def forecast(problem: Problem, isomorphism: SuitIsomorphism | None = None) -> FormSize:
    """The size that the public form would have."""
    return size_of(outline(problem, isomorphism or SuitIsomorphism()))


def public_form(problem: Problem, *, isomorphism: SuitIsomorphism | None = None, **_: Any) -> PublicTree:
    """The public form."""
    return build(outline(problem, isomorphism or SuitIsomorphism()))


def check(problem: Problem, isomorphism: SuitIsomorphism, resources: Resources) -> None:
    """Raise TooLarge if the public form and a solver with this storage would not fit."""
    size_of(outline(problem, isomorphism), storage=resources.storage).check(device=resources.device)


FORM = FormKind(
    why_not,
    forecast,
    public_form,
    check,
    default_algorithm="dcfr(gamma=4)",
    pace=Pace(10, 120.0),
    in_state=True,
    is_large=True,
    in_percent=True,
)
