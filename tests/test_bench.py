"""What counts as reached in the tables of timings."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from bench import Row, quick_form

FOLDER = Path(__file__).parents[1] / "bench"
BENCHES = sorted(path.stem for path in FOLDER.glob("bench_*.py"))


@pytest.mark.parametrize("name", BENCHES)
def test_every_bench_can_be_begun(name: str) -> None:
    assert callable(importlib.import_module(f"bench.{name}").measure)


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHES)
def test_quick_forms_run_to_their_end(name: str) -> None:
    """Programs that are not installed are left out, where nothing else hangs on them."""
    bench = importlib.import_module(f"bench.{name}")
    with quick_form(bench):
        try:
            rows = list(bench.measure())
        except ModuleNotFoundError as problem:
            pytest.skip(f"{problem.name} is not installed")
    assert rows
    assert all(row.ours >= 0 for row in rows)


def test_a_ratio_without_its_peer_is_missed() -> None:
    assert not Row("a", 10.0, asked=5).reached
    assert not Row("a", 10.0, 3.0, asked=5).reached
    assert Row("a", 10.0, 2.0, asked=5).reached
    assert Row("a", 1.0, 5.0, unit="s", asked=5).reached
    assert Row("a", 10.0).reached
