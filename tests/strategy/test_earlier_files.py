"""Files that an earlier version of this package wrote: they open, or a sentence says what to do instead.

They were written by the version before all solutions became one kind of file.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab import store
from pokerlab.lab.solving import resume, solve
from pokerlab.lab.verification import verify
from pokerlab.strategy.solution_file import load

EARLIER = Path(__file__).parents[1] / "golden" / "earlier"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    return Path(shutil.copytree(EARLIER, tmp_path / "earlier"))


def test_a_solution_of_a_game(earlier: Path) -> None:
    file = earlier / "kuhn.solution"
    solution = load(file)
    assert (solution.game, solution.form, solution.iterations, solution.seed) == ("kuhn", "sequence", 300, 5)
    assert solution.exploitability == pytest.approx(0.05768896)
    assert verify(file, rerun=True).matches
    assert resume(file, iterations=400).iterations == 400
    assert verify(file, rerun=True).matches  # as this version writes it


def test_a_solution_of_a_spot(earlier: Path, cli: CommandLine) -> None:
    file = earlier / "river.spot"
    solution = load(file)
    assert (solution.game, solution.form, solution.iterations, len(solution.locks)) == ("spot", "public", 30, 1)
    assert not solution.zero_sum  # it is raked
    assert solution.at("check").strategy() == pytest.approx({"check": 0.25, "bet 75": 0.75})
    told = cli(["browse", str(file), "check", "--json"]).json
    assert told["ev"] == pytest.approx([137.33951752541816, -40.33951752541814])  # as the earlier version told it
    assert verify(file, rerun=True).matches
    assert resume(file, iterations=41).iterations == 41
    assert verify(file, rerun=True).matches


def test_a_checkpoint_of_evolve_is_refused(earlier: Path, cli: CommandLine) -> None:
    words = [
        "evolve",
        "von-neumann(cards=8)",
        "--method",
        "dcfr",
        "--checkpoint",
        str(earlier / "evolution.safetensors"),
    ]
    assert "run `pokerlab evolve` anew with another --checkpoint" in cli(words).refusal


def test_hands_of_a_match(earlier: Path, cli: CommandLine) -> None:
    file = earlier / "hands.duckdb"
    file.write_bytes(gzip.decompress((earlier / "hands.duckdb.gz").read_bytes()))
    match = cli(["hands", str(file), "--json"]).json["matches"][0]
    assert match["hands"] == 20
    assert "formula" in cli(["hands", str(file), "--replay", "3"]).printed


@pytest.mark.parametrize("more", [0, 30])
def test_a_curve_without_values_goes_on_with_them(more: int, tmp_path: Path) -> None:
    """Points of earlier versions are iterations, seconds, exploitability and nodes."""
    path = tmp_path / "k.solution"
    solve("kuhn", iterations=40, save=path)
    kept = store.load(path)
    words = {name: word for name, word in kept.manifest.items() if name not in ("kind", "checksum", "curve_columns")}
    words["curve"] = [point[:4] for point in words["curve"]]
    arrays = {name: array.copy() for name, array in kept.arrays.items()}
    store.save(path, arrays, kind="solution", **words)
    earlier = load(path)
    assert {point.values for point in earlier.curve} == {()}
    assert earlier.convergence()["value_0"].isna().all()
    assert verify(path, rerun=True).matches
    resumed = resume(path, iterations=40 + more)
    assert len(resumed.curve[-1].values) == 2
    assert resumed.convergence()["value_0"].notna().sum() >= 1
    assert verify(path, rerun=True).matches
