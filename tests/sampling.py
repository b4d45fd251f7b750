"""A sample of the cases of parametrised tests: every value of every parameter, but not every combination of them.

The sample is always the same. The marker `every_case` exempts a test; the marker `sampled(3)` of a test whose cases run
the same code leaves three of them. `make test` runs the sample, `make test-slow` all cases.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import pytest


def sample(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests of a sample, in any order."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in sorted(items, key=lambda item: zlib.crc32(item.nodeid.encode())):
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return [item for cases in tests.values() for item in _sample_of(cases)]


def _sample_of(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Some cases of a test, with every value of every parameter; or as many as its marker says."""
    limit = cases[0].get_closest_marker("sampled")
    if limit:
        return cases[: limit.args[0]]
    if cases[0].get_closest_marker("every_case"):
        return cases
    seen: set[tuple[str, object]] = set()
    chosen = []
    for item in cases:
        values = _values(item)
        if not values or not values <= seen:
            chosen.append(item)
        seen |= values
    return chosen


def _values(item: pytest.Item) -> set[tuple[str, object]]:
    """What the parameters of a case are: plain values, or which object another value is."""
    if not hasattr(item, "callspec"):
        return set()
    plain = (str, int, float, bool, type(None))
    return {
        (name, one if isinstance(one, plain) else f"object {id(one)}") for name, one in item.callspec.params.items()
    }
