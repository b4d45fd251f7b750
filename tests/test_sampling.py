"""Which cases of parametrised tests `make test` runs."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

from sampling import sample


def case(name: str, values: dict[str, Any] | None, marks: dict[str, tuple[int, ...]]) -> Any:
    """What sampling asks of a test."""
    found = SimpleNamespace(nodeid=f"{name}[{values}]" if values else name)
    found.get_closest_marker = lambda mark: SimpleNamespace(args=marks[mark]) if mark in marks else None
    if values is not None:
        found.callspec = SimpleNamespace(params=values)
    return found


def cases(name: str, marks: dict[str, tuple[int, ...]]) -> list[Any]:
    many = product(range(5), "abc", ({"x": 1}, {"y": 22}))
    return [case(name, {"one": one, "two": two, "three": three}, marks) for one, two, three in many]


def test_every_value_occurs_and_few_combinations() -> None:
    plain, alone = cases("a.py::test", {}), case("a.py::alone", None, {})
    chosen = sample([*plain, alone])
    assert alone in chosen
    values = [one.callspec.params for one in chosen if one is not alone]
    assert {one["one"] for one in values} == set(range(5))
    assert {one["two"] for one in values} == set("abc")
    assert {str(one["three"]) for one in values} == {"{'x': 1}", "{'y': 22}"}
    assert 5 <= len(values) < 10
    assert {id(one) for one in sample([alone, *reversed(plain)])} == {id(one) for one in chosen}


def test_markers_set_the_size_of_a_sample() -> None:
    assert len(sample(cases("a.py::test", {"sampled": (3,)}))) == 3
    assert len(sample(cases("a.py::test", {"every_case": ()}))) == 30
