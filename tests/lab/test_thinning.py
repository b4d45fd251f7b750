"""Thinning out kept solutions."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab import load, solve
from pokerlab.errors import BadGame, BadSetting
from pokerlab.lab.analyse.thinning import thin_solution

GAME = "one-card(cards=4, ante=3, stack=15)"


def test_a_solution_with_fewer_actions_is_kept_and_verified(folder: Path, cli: CommandLine) -> None:
    assert cli(["solve", GAME, "--with", "lp(method=interior)", "--out", "many.solution"]).code == 0
    out = cli(["thin", "many.solution", "--out", "few.solution", "--rows", "1"]).printed
    assert "do the work of" in out
    assert "K:c ..." in out
    few, many = load("few.solution"), load("many.solution")
    assert few.value == pytest.approx(many.value, abs=1e-9)
    assert few.exploitability < 1e-9
    taken = [
        sum(chance > 0 for line in one.strategy.lines(":c") for chance in line.actions.values()) for one in (few, many)
    ]
    assert taken[0] < taken[1]
    assert "matches" in cli(["verify", "few.solution"]).printed
    assert "a rerun cannot reproduce it" in cli(["verify", "few.solution", "--rerun"]).refusal
    assert cli(["solve", "--resume", "few.solution", "--iterations", "5"]).refusal
    again = cli(["thin", "few.solution", "--json"]).json
    assert again["used"] == again["used_before"]  # nothing more can be dropped
    assert (again["changed"], again["thinned"]) == (0, [])


def test_what_is_told_of_before_is_of_before() -> None:
    solved = solve("one-card(cards=3, ante=5, stack=15)", algorithm="cfr", iterations=5)
    found = thin_solution(solved)
    assert found.before.exploitability == pytest.approx(solved.exploitability, abs=1e-12)
    assert found.solution.exploitability < found.before.exploitability
    assert found.changed
    assert all(state.used < state.used_before for state in found.changed)


def test_a_solution_of_the_public_form() -> None:
    found = thin_solution(solve("kuhn", form="public", algorithm="cfr+", iterations=100))
    assert found.solution.form == "sequence"
    assert found.solution.exploitability <= found.before.exploitability + 1e-9
    assert all(state.used <= state.bound for state in found.states)


def test_what_cannot_be_thinned_out_is_told() -> None:
    with pytest.raises(BadGame, match="has 3 players"):
        thin_solution(solve("kuhn(players=3)", algorithm="cfr", iterations=2))
    with pytest.raises(BadSetting, match="solution of a spot"):
        thin_solution(solve("examples/river.toml", iterations=1))
