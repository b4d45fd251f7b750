"""Files that an earlier version of this package wrote: they open, or a sentence says what to do instead.

They were written by the version before all solutions became one kind of file.
"""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.strategy.files.solution_file import load

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


# name, game, values by seat, exploitability, and exploitability after some more iterations, all as written then
ROLES = [
    ("lp", "push-fold(stack=(7, 12))", (-1.6862957279057706, 1.6862957279057706), 4.1e-15),
    ("dcfr", "von-neumann(cards=9)", (0.10985511915611247, -0.10985511915611247), 0.0009266858536569472),
    ("fictitious", "push-fold(stack=3)", (-4.651262899906995, 4.651262899906995), 2.9755131886051256),
    ("sampled", "von-neumann(cards=6, replacement=False)", (0.0720637117860427, -0.0720637117860427), 0.05988408592166),
]


@pytest.mark.parametrize(("name", "game", "values", "gap"), ROLES)
def test_a_solution_in_the_roles_form(
    name: str, game: str, values: tuple[float, float], gap: float, earlier: Path, cli: CommandLine
) -> None:
    """Games of one decision each had a form of their own: their files open, and are resumed, in the classes form."""
    file = earlier / f"roles-{name}.solution"
    solution = load(file)
    assert (solution.game, solution.form, solution.keeps) == (game, "classes", "full")
    assert solution.strategy.measure_in(solution.built_form()).values == pytest.approx(values, rel=1e-12)
    assert solution.exploitability == pytest.approx(gap, rel=1e-11, abs=1e-13)
    assert verify(file).matches
    place = cli(["browse", str(file), "--json"]).json
    assert place["actions"] == (["fold", "push"] if game.startswith("push") else ["check", "bet"])
    assert (
        "small blind to act" in cli(["show", str(file)]).printed or "Player to act" in cli(["show", str(file)]).printed
    )
    if name == "sampled":
        assert verify(file, rerun=True).matches
    else:
        assert "leave out --rerun" in cli(["verify", str(file), "--rerun"]).refusal
    more = solution.iterations if name == "lp" else solution.iterations * 20
    resumed = resume(file, iterations=more)
    assert resumed.iterations == more
    assert resumed.exploitability <= max(gap / 3, 1e-12)
    assert verify(file).matches  # as this version writes it


@pytest.mark.parametrize(("name", "game"), [("roles-dcfr", "von-neumann(cards=9)"), ("classes-dcfr", "kuhn")])
def test_an_earlier_run_is_resumed_to_the_same_result(name: str, game: str, earlier: Path) -> None:
    """In the roles form, where players decide in the order of their seats."""
    file = earlier / f"{name}.solution"
    assert verify(file).matches
    resumed, whole = (
        resume(file, iterations=40),
        solve(game, algorithm="dcfr", form="classes", iterations=40),
    )
    assert resumed.values == pytest.approx(whole.values, abs=1e-12)
    assert resumed.exploitability == pytest.approx(whole.exploitability, abs=1e-12)


def test_earlier_fictitious_play_over_classes(earlier: Path) -> None:
    file = earlier / "classes-fictitious.solution"
    before = load(file)
    assert verify(file).matches
    assert resume(file, iterations=600).exploitability < before.exploitability / 3


def test_a_damaged_file_in_the_roles_form(earlier: Path) -> None:
    file = earlier / "roles-lp.solution"
    kept = store.load(file)
    words = {name: word for name, word in kept.manifest.items() if name not in ("kind", "checksum")}
    for wrong in ({"acts0": np.ones(168)}, {"state.output1": np.ones((169, 2))}):
        store.save(file, {**kept.arrays, **wrong}, kind="solution", **words)
        with pytest.raises(BadFile, match="its arrays are not those of push-fold"):
            load(file)


def test_a_checkpoint_of_evolve_is_refused(earlier: Path, cli: CommandLine) -> None:
    words = [
        "evolve",
        "von-neumann(cards=8)",
        "--with",
        "dcfr",
        "--checkpoint",
        str(earlier / "evolution.safetensors"),
    ]
    assert "run `pokerlab evolve` again with another --checkpoint" in cli(words).refusal


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
