"""Agents measured by best responses: published numbers, and laws."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.lab.solve.solving import solve


def test_uniform_play_of_leduc_is_as_exploitable_as_published() -> None:
    """`random` draws kinds of actions uniformly; best responses 2.0875 and 2.659722, NashConv 4.747222 (OpenSpiel)."""
    found = measure_agents("leduc", ["random"])
    assert found.measure.values[0] == pytest.approx(-0.078125)
    assert found.measure.best_responses == pytest.approx((2.0875, 2.659722), abs=1e-6)
    assert found.measure.nash_conv == pytest.approx(4.747222, abs=1e-6)
    assert found.as_dict()["exploitability_percent"] == pytest.approx(100 * 4.747222 / 2 / 2, abs=1e-4)


def test_always_calling_in_kuhn() -> None:
    """Against a player who always calls, bet with the king alone: chips by hand."""
    found = measure_agents("kuhn", ["always-call"])
    assert found.measure.values == pytest.approx((0.0, 0.0))
    assert found.measure.best_responses == pytest.approx((1 / 3, 1 / 3))


def test_seats_may_differ() -> None:
    one, other = measure_agents("leduc", ["formula", "random"]), measure_agents("leduc", ["random", "formula"])
    assert one.players == ("formula", "random")
    assert one.measure.values[0] > 0.5
    assert one.measure.gains[1] > 1  # the uniform player could do far better
    assert other.measure.values[1] > 0.5
    three = measure_agents("kuhn(players=3)", ["always-call", "random", "always-fold"])
    assert sum(three.measure.values) == pytest.approx(0)


@pytest.mark.parametrize("form", ["sequence", "public"])
def test_a_solution_is_as_exploitable_as_it_says(form: str, tmp_path: Path) -> None:
    solution = solve("leduc", form=form, iterations=60, save=tmp_path / "l.solution")
    found = measure_agents("leduc", [f"strategy:{tmp_path / 'l.solution'}"])
    assert found.measure.values == pytest.approx(solution.measure.values, abs=1e-9)
    assert found.measure.exploitability == pytest.approx(solution.exploitability, abs=1e-9)


def test_a_solution_of_a_spot_is_as_exploitable_as_it_says(tmp_path: Path) -> None:
    """In chips, and in percent of a pot that the rule engine counts in other units."""
    file, kept = tmp_path / "river.toml", tmp_path / "river.solution"
    file.write_text(
        'board = "Ks 7h 2d 5c 9s"\npot = 10\nstack = 20\n'
        '[out_of_position]\nrange = "AhKh"\n[in_position]\nrange = "QsQd,AsAd:0.5"\n'
    )
    solution = solve(file, iterations=20, save=kept)
    found = measure_agents(str(file), [f"strategy:{kept}"]).as_dict()
    assert found["exploitability"] == pytest.approx(solution.exploitability, abs=1e-6)
    assert found["exploitability_percent"] == pytest.approx(solution.exploitability_percent, abs=1e-4)


@pytest.mark.parametrize(
    ("game", "agents", "sentence"),
    [
        ("goofspiel(cards=3)", ["random"], "is not a poker game"),
        ("kuhn", ["random", "random", "random"], "has 2 seats"),
        ("kuhn", ["human"], "does not know its action probabilities"),
        ("holdem-limit", ["random"], "too large"),
    ],
)
def test_what_cannot_be_measured(game: str, agents: list[str], sentence: str, cli: CommandLine) -> None:
    assert sentence in cli(["measure", game, *agents]).refusal


def test_the_command(cli: CommandLine) -> None:
    told = cli(["measure", "kuhn", "always-call", "random", "--json"]).json
    assert set(told) >= {"agents", "values", "best_responses", "gains", "exploitability", "nash_conv"}
    assert "best response wins" in cli(["measure", "kuhn", "formula"]).printed


@pytest.mark.parametrize("game", ["rhode-island(ranks=3, suits=2, raises=1)", "leduc(ranks=3, suits=3)"])
def test_every_form_measures_the_same(game):
    """The public form asks equivalent hands once, and the sequence form every infoset."""
    one, other = (measure_agents(game, ["formula", "random"], form=form).measure for form in ("sequence", "public"))
    assert one.values == pytest.approx(other.values, abs=1e-5)
    assert one.best_responses == pytest.approx(other.best_responses, abs=1e-5)


def test_agents_before_the_flop():
    """Classes of hands and push or fold of three players: who always folds loses the blinds to who always pushes."""
    found = measure_agents("push-fold(stack=6)", ["formula"])
    assert found.form == "classes"
    assert found.measure.exploitability > 0
    three = measure_agents("push-fold(players=3)", ["always-fold"])
    assert three.form == "pushes"
    assert three.measure.best_responses == pytest.approx((100, 50, 150))  # small, big, button: chips of 50 and 100
