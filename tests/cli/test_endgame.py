"""The endgame command."""

from __future__ import annotations

import csv
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab import store
from pokerlab.solvers.stochastic.three_solver import ThreeHandedSolver

SMALL = ["--chips", "1200", "--blinds", "300,600", "--payouts", "50,30,20", "--iterations", "30"]


def test_two_players(tmp_path: Path, cli: CommandLine) -> None:
    table = tmp_path / "stacks.csv"
    words = ["endgame", "--chips", "2100", "--blinds", "300,600", "--csv", str(table)]
    printed = cli(words, width=80).printed
    assert "small blind wins" in printed
    with table.open() as lines:
        rows = list(csv.DictReader(lines))
    assert [int(row["chips"]) for row in rows] == [300, 600, 900, 1200, 1500, 1800]
    for one, other in zip(rows, reversed(rows), strict=True):
        assert float(one["small_blind_wins"]) + float(other["big_blind_wins"]) == pytest.approx(1)


def test_three_players_kept_and_resumed(tmp_path: Path, cli: CommandLine) -> None:
    kept, whole = tmp_path / "a.endgame", tmp_path / "b.endgame"
    first = cli(["endgame", *SMALL, "--rounds", "1", "--out", str(kept), "--json"]).json
    second = cli(["endgame", "--resume", str(kept), "--rounds", "1", "--target", "0%", "--json"]).json
    both = cli(["endgame", *SMALL, "--rounds", "2", "--target", "0%", "--out", str(whole), "--json"]).json
    assert (first["states"], second["rounds"]) == (3, 2)
    assert second["epsilons_percent"] == both["epsilons_percent"]
    assert second["epsilon_percent"] < first["epsilon_percent"]
    shown = cli(["endgame", "--resume", str(whole), "--rounds", "0", "--at", "600,300,300"], width=80).printed
    assert "big blind calls both" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_step_is_kept_and_can_be_changed(tmp_path: Path, cli: CommandLine) -> None:
    kept = tmp_path / "a.endgame"
    words = ["--step", "0.5", "--memory", "3", "--target", "0%", "--out", str(kept)]
    first = cli(["endgame", *SMALL, *words, "--rounds", "3", "--json"]).json
    shown = cli(["endgame", "--resume", str(kept), "--rounds", "0", "--json"]).json
    words = ["--step", "0.25", "--memory", "1", "--target", "0%"]
    changed = cli(["endgame", "--resume", str(kept), *words, "--rounds", "1", "--json"]).json
    assert [(told["step"], told["memory"]) for told in (first, shown, changed)] == [(0.5, 3), (0.5, 3), (0.25, 1)]
    assert store.load(kept).manifest["step"] == 0.25
    assert store.load(kept).arrays["tried"].shape == (2, 3, 3)


def test_a_file_of_an_earlier_version_goes_all_the_way(tmp_path: Path, cli: CommandLine) -> None:
    """Such files do not say a step."""
    sound = {"chips": 1500, "blinds": [300, 600], "payouts": [5, 3, 2], "unit": 300, "method": "policy"}
    sound |= {"iterations": 30, "seconds": 1.0}
    arrays = {"values": np.full((6, 3), 10 / 3), "profile": np.zeros((6, 6, 169)), "history": np.zeros((0, 2))}
    path = tmp_path / "a.endgame"
    store.save(path, arrays, kind="tournament solution", **sound)
    assert cli(["endgame", "--resume", str(path), "--rounds", "0", "--json"]).json["step"] == 1.0
    assert cli(["endgame", "--resume", str(path), "--rounds", "1", "--memory", "2", "--json"]).json["memory"] == 2


def test_a_saved_file_of_an_earlier_version_is_resumed_to_the_same_numbers(tmp_path: Path, cli: CommandLine) -> None:
    """After one round with kernels of its own; the second round's number is that of the version that saved it."""
    path = tmp_path / "three.endgame"
    path.write_bytes((Path(__file__).parents[1] / "golden" / "earlier" / "three.endgame").read_bytes())
    found = cli(["endgame", "--resume", str(path), "--rounds", "1", "--target", "0%", "--json"]).json
    earlier = [0.3597632898074252, 0.1437198816375158]  # of other machine code, which adds in another order
    assert found["epsilons_percent"] == pytest.approx(earlier, abs=1e-7)
    for command in ("show", "browse", "verify"):
        assert "pokerlab endgame --resume" in cli([command, str(path)]).refusal


def test_an_interrupted_run_ends_with_its_last_whole_round(
    tmp_path: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, plain = tmp_path / "a.endgame", ThreeHandedSolver.advance

    def advance(solver: ThreeHandedSolver, iterations: int) -> None:
        if solver.rounds:
            signal.raise_signal(signal.SIGINT)
        plain(solver, iterations)

    monkeypatch.setattr(ThreeHandedSolver, "advance", advance)
    answer = cli(["endgame", *SMALL, "--rounds", "9", "--target", "0%", "--out", str(kept), "--json"])
    assert answer.code == 130
    assert '"interrupted": true' in answer.out
    assert store.load(kept).arrays["history"].shape == (1, 2)


def test_what_is_kept_is_checked(tmp_path: Path, cli: CommandLine) -> None:
    """A crafted file is a sentence, whatever it says."""
    sound = {"chips": 1500, "blinds": [300, 600], "payouts": [5, 3, 2], "unit": 300, "method": "policy"}
    sound |= {"iterations": 30, "seconds": 1.0}
    arrays = {"values": np.zeros((6, 3)), "profile": np.zeros((6, 6, 169)), "history": np.zeros((0, 2))}
    path = tmp_path / "a.endgame"
    wrong: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"chips": "many"}, {}),
        ({"unit": 7}, {}),
        ({"payouts": [1]}, {}),
        ({"payouts": [-50, 30, 20]}, {}),
        ({"payouts": [20, 30, 50]}, {}),
        ({"payouts": [0, 0, 0]}, {}),
        ({"payouts": [10**400, 3, 2]}, {}),
        ({"method": "luck"}, {}),
        ({"iterations": 0}, {}),
        ({"step": 0}, {}),
        ({"step": 1.5}, {}),
        ({"step": "far"}, {}),
        ({"memory": 51}, {}),
        ({"memory": 0.5}, {}),
        ({}, {"tried": np.zeros((1, 6, 3))}),
        ({}, {"tried": np.zeros((1, 5, 3)), "residuals": np.zeros((1, 5, 3))}),
        ({"blinds": [300]}, {}),
        ({"chips": 3000}, {}),
        ({}, {"profile": np.zeros((6, 6, 7))}),
        ({}, {"profile": np.full((6, 6, 169), 2.0)}),
        ({}, {"values": np.full((6, 3), np.nan)}),
        ({}, {"history": np.zeros(5)}),
    ]
    for words, others in wrong:
        store.save(path, arrays | others, kind="tournament solution", **(sound | words))
        assert cli(["endgame", "--resume", str(path), "--rounds", "0"]).refusal


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--chips", "1500"],
        ["--chips", "1500", "--blinds", "300"],
        ["--chips", "1500", "--blinds", "600,300"],
        ["--chips", "1500", "--blinds", "300.5,600"],
        ["--chips", "0", "--blinds", "300,600"],
        ["--chips", "600", "--blinds", "300,600"],
        ["--chips", "1500", "--blinds", "300,600", "--unit", "400"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "4,3,2,1"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "3,5"],
        ["--chips", "1500", "--blinds", "300,600", "--with", "luck"],
        ["--chips", "1500", "--blinds", "300,600", "--rounds", "20"],
        ["--chips", "1500", "--blinds", "300,600", "--at", "300,600,600"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--at", "300,600,700"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--at", "300,1200"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--target", "200%"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--step", "0"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--step", "nan"],
        ["--chips", "1500", "--blinds", "300,600", "--payouts", "5,3,2", "--memory", "51"],
        ["--chips", "9999999", "--blinds", "1,2", "--payouts", "5,3,2"],
        ["--chips", "9999999", "--blinds", "1,2"],
        ["--resume", "none.endgame"],
        ["--chips", "1500", "--blinds", "300,600", "--resume", "none.endgame"],
    ],
)
def test_bad_input_is_one_sentence(words: list[str], cli: CommandLine) -> None:
    assert cli(["endgame", *words]).refusal
