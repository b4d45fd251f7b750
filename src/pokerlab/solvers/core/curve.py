"""Convergence curves: the measurements of a run as columns and in a manifest, and those of a resumed run joined."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pokerlab.reading import count, finite


class CurvePoint(NamedTuple):
    """The measurements at one iteration of a run."""

    iterations: int
    seconds: float
    exploitability: float
    nodes_touched: int
    values: tuple[float, ...] = ()  # of each player; empty in files of earlier versions


Curve = list[CurvePoint]


def curve_columns(curve: Curve, *, players: int) -> dict[str, list[Any]]:
    """A curve as columns: iterations, seconds, nodes touched, exploitability, NashConv, and each player's value."""
    names = ("iterations", "seconds", "nodes_touched", "exploitability")
    columns: dict[str, list[Any]] = {name: [getattr(point, name) for point in curve] for name in names}
    columns["nash_conv"] = [players * point.exploitability for point in curve]
    for player in range(players):
        columns[f"value_{player}"] = [point.values[player] if point.values else None for point in curve]
    return columns


def joined(before: Curve, spent: float, curve: Curve) -> Curve:
    """The curve of a resumed run appended to that of earlier runs, which took `spent` seconds; each iteration once.

    The last point of a file from an earlier version gets its values if the resumed run measured it again.

    >>> more = [CurvePoint(10, 0.1, 0.5, 0), CurvePoint(20, 1.1, 0.2, 0)]
    >>> [point.seconds for point in joined([CurvePoint(10, 1.0, 0.5, 0)], 1.5, more)]
    [1.0, 2.6]
    """
    last = before[-1].iterations if before else 0
    known = {point.iterations: point.values for point in curve}
    before = [point if point.values else point._replace(values=known.get(point.iterations, ())) for point in before]
    return before + [point._replace(seconds=spent + point.seconds) for point in curve if point.iterations > last]


def curve_from(words: Mapping[str, Any]) -> Curve:
    """The curve stored in a manifest; earlier versions name no columns and store no values."""
    columns = words.get("curve_columns", list(CurvePoint._fields[:4]))
    if columns not in (list(CurvePoint._fields), list(CurvePoint._fields[:4])):
        raise ValueError("a curve of other columns")
    curve = [_point_from(*point) for point in words["curve"] if len(point) == len(columns)]
    if len(curve) < len(words["curve"]):
        raise ValueError("a curve whose points have other columns than it says")
    if any(len(point.values) not in (0, len(words["values"])) for point in curve):
        raise ValueError("a curve whose points have values of other players")
    return curve


def _point_from(at: Any, seconds: Any, gap: Any, nodes: Any, values: Any = ()) -> CurvePoint:
    return CurvePoint(count(at), finite(seconds), finite(gap), count(nodes), tuple(map(finite, values)))
