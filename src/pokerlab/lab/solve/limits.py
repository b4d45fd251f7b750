"""When a run stops: at a target, after iterations or seconds, and the default targets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.games.spot.spot import Spot
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Stop
from pokerlab.tree.form import Form

DEFAULT_SHARE = 1e-4  # of the largest payoff: the default target exploitability
DEFAULT_PERCENT = 0.3  # of the pot, the same for a spot


def check_limits(limits: Mapping[str, Any]) -> None:
    """Raise BadSetting for limits that are invalid for any game."""
    iterations = limits.get("iterations")
    if iterations is not None and iterations != int(iterations):
        raise BadSetting(f"the iterations to stop at must be a whole number, not {iterations}")
    if stated := _stated(limits, pot=1.0):
        Stop(**stated)


def _stated(limits: Mapping[str, Any], *, pot: float) -> dict[str, Any]:
    """The limits that are given, with the target as a number."""
    stated = {name: limit for name, limit in limits.items() if limit is not None}
    if isinstance(stated.get("target"), str):
        stated["target"] = read_target(stated["target"], pot=pot)
    return stated


def stopping(
    limits: Mapping[str, Any], form: Form, *, spot: Spot | None = None, algorithm: Algorithm | None = None
) -> Stop:
    """When to stop: at a target, iterations or seconds.

    By default, at the usual iterations of the algorithm, or at the default target.
    """
    check_limits(limits)
    stated = _stated(limits, pot=form.pot)
    if not stated and algorithm is not None and algorithm.usual is not None:
        return Stop(iterations=algorithm.usual)
    default = DEFAULT_SHARE * (form.max_abs_payoff or 1.0) if spot is None else DEFAULT_PERCENT * spot.pot / 100
    return Stop(**(stated or {"target": default}))


def read_target(text: str, *, pot: float) -> float:
    """Parse a target: "0.1%" is of the pot, "0.001" is in the game's units.

    >>> read_target("0.1%", pot=50), read_target("0.02", pot=50)
    (0.05, 0.02)
    """
    word = text.strip()
    try:
        number = float(word.removesuffix("%"))
    except ValueError:
        number = float("nan")
    if not number > 0 or number == float("inf"):
        raise BadSetting(f"the target must be positive, in the game's units or in percent as 0.1%, not {text[:40]!r}")
    return number * pot / 100 if word.endswith("%") else number
