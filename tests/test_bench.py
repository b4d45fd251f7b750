"""What counts as reached in the tables of timings."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from bench import Row

BENCHES = sorted(path.stem for path in (Path(__file__).parents[1] / "bench").glob("bench_*.py"))


@pytest.mark.parametrize("name", BENCHES)
def test_every_bench_can_be_begun(name: str) -> None:
    assert callable(importlib.import_module(f"bench.{name}").measure)


def test_a_ratio_without_its_peer_is_missed() -> None:
    assert not Row("a", 10.0, asked=5).reached
    assert not Row("a", 10.0, 3.0, asked=5).reached
    assert Row("a", 10.0, 2.0, asked=5).reached
    assert Row("a", 1.0, 5.0, unit="s", asked=5).reached
    assert Row("a", 10.0).reached
