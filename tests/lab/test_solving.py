"""Solving from a name, a file or the thing itself: the form that is chosen, limits, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import pokerlab
from command_line import CommandLine
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import read_file, spot_from
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.limits import read_target, stopping
from pokerlab.lab.solve.solving import prepare, solve
from pokerlab.lab.solve.tasks import Task, open_task
from pokerlab.registry import load
from pokerlab.solvers.core.run import Stop
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.form import build_form, choose

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_package_offers_it_as_a_plain_function() -> None:
    import inspect

    assert pokerlab.solve is solve
    assert {"algorithm", "target", "form", "threads", "locks"} <= set(inspect.signature(pokerlab.solve).parameters)
    with pytest.raises(AttributeError, match="no attribute 'solvee'"):
        _ = pokerlab.solvee


@pytest.mark.parametrize("algorithm", ["dcfr", "cfr+", "egt", "fictitious-play"])
def test_classes_are_preferred_to_boards(algorithm: str) -> None:
    """Betting that is over before the flop needs no boards; where it is not, there are no classes."""
    forms = load("algorithms", algorithm).forms
    assert choose(open_game("flop-poker"), forms).kind == "classes"
    assert choose(open_game("rhode-island"), forms).kind == "public"
    assert choose(open_game("kuhn"), forms).kind == "sequence"


def test_everything_that_can_be_solved_is_opened() -> None:
    river = EXAMPLES / "river.toml"
    by_path, by_text, by_table = open_task(river), open_task(str(river)), open_task(read_file(river))
    by_spot = open_task(spot_from(read_file(river)))
    for task in (by_path, by_text, by_table, by_spot):
        assert isinstance(task.problem, Spot)
        assert task.name == "spot"
    lock = lock_from_text("check: check")
    assert open_task(by_path, [lock]).locks == (lock,)
    assert open_task("kuhn(players=3)").name == "kuhn(players=3)"
    with pytest.raises(BadSetting, match="locks are for spots"):
        open_task("kuhn", [lock])
    with pytest.raises(BadSetting, match="list of tables"):
        open_task(read_file(river) | {"lock": "check"})


def test_a_kept_spot_is_solved_anew_with_its_locks(tmp_path: Path) -> None:
    kept = tmp_path / "locked.solution"
    lock, other = lock_from_text("check: check 30%, bet 50 70%"), lock_from_text("bet 50: fold")
    solve(EXAMPLES / "river.toml", iterations=3, locks=[lock], save=kept)
    assert [item.moves for item in open_task(str(kept)).locks] == [("check",)]
    assert [item.moves for item in open_task(kept, [other]).locks] == [("check",), ("bet 50",)]
    again = solve(kept, iterations=3)
    assert again.at("check").strategy()["bet 50"] == pytest.approx(0.7)


@pytest.mark.parametrize(("text", "pot", "expected"), [("0.1%", 50, 0.05), ("100 %", 10, 10), ("1e-3", 50, 1e-3)])
def test_targets_in_units_and_percent(text: str, pot: float, expected: float) -> None:
    assert read_target(text, pot=pot) == pytest.approx(expected)


@pytest.mark.parametrize("text", ["0", "-1%", "nan", "inf", "%", "", "1%%", "a lot"])
def test_targets_that_are_none(text: str) -> None:
    with pytest.raises(BadSetting, match="must be positive"):
        read_target(text, pot=1)


def test_a_percent_is_of_the_pot_at_the_start() -> None:
    pots = {"kuhn": 2, "leduc(ante=3)": 6, "rhode-island(ranks=3, suits=2)": 10, "push-fold(stack=9)": 150}
    for name, pot in pots.items():
        kind = "classes" if name.startswith("push") else "public"
        form = build_form(open_task(name).problem, kind)
        assert form.pot == pot
        assert stopping({"target": "1%"}, form).target == pytest.approx(pot / 100)
    matrix = build_form(open_task("matching-pennies").problem, "sequence")
    assert matrix.pot == matrix.max_abs_payoff  # no pot


def test_when_nothing_is_said_it_stops_at_a_share_of_what_is_at_stake() -> None:
    """A ten-thousandth of the largest payoff of a game, 0.3 % of a spot's pot."""
    for name, stakes in {"kuhn": 2, "leduc(ante=3)": 15, "matching-pennies": 1}.items():
        form = build_form(open_task(name).problem, "sequence")
        assert stopping({}, form).target == pytest.approx(1e-4 * stakes)
    river = open_task(EXAMPLES / "river.toml")
    form = build_form(river.problem, "public")
    assert river.spot is not None
    assert stopping({}, form, spot=river.spot).target == pytest.approx(0.003 * river.spot.pot)
    assert stopping({"seconds": 3}, form, spot=river.spot) == Stop(seconds=3)


def test_rhode_island_is_solved_in_its_public_form(cli: CommandLine) -> None:
    answer = cli(["solve", "rhode-island", "--iterations", "2"])
    assert answer.code == 0
    assert "public form: the sequence form needs" in answer.error.replace("\n", " ")
    assert "public form" in answer.out


def test_a_form_may_be_asked_for(cli: CommandLine) -> None:
    assert cli(["solve", "leduc", "--form", "public", "--iterations", "3", "--json"]).json["form"] == "public"
    assert cli(["solve", "von-neumann(cards=9)", "--form", "classes", "--json"]).json["algorithm"].startswith("lp")
    earlier = cli(["solve", "von-neumann(cards=9)", "--form", "roles", "--json"])
    assert earlier.json["form"] == "classes"
    assert "the roles form is now part of the classes form" in earlier.error
    for words, sentence in (
        (["kuhn", "--form", "square"], "there is no form called 'square'"),
        (["goofspiel", "--form", "public"], "not a poker game of the rule engine"),
        (["kuhn", "--form", "public", "--with", "lp"], "lp does not run on the public form"),
        (["kuhn", "--threads", "2"], "threads can be chosen in the public"),
        (["leduc", "--form", "public", "--storage", "int8"], "float32 or int16"),
    ):
        assert sentence in cli(["solve", *words]).refusal


def test_a_form_that_is_laid_out_is_taken_as_it_is() -> None:
    for kind in ("sequence", "public"):
        form = build_form(open_task("kuhn").problem, kind)
        found = solve(form, iterations=5)
        assert (found.form, found.iterations) == (kind, 5)
    assert Task(None, title="mine").name == "mine"


def test_the_same_spot_by_solve_and_by_spot(cli: CommandLine) -> None:
    words = [str(EXAMPLES / "river.toml"), "--iterations", "7", "--json"]
    one, other = cli(["solve", *words]).json, cli(["spot", *words]).json
    for name in ("ev", "exploitability", "exploitability_percent", "root", "iterations"):
        assert one[name] == other[name]


def test_forms_are_shared_where_algorithms_are_compared(cli: CommandLine, folder: Path) -> None:
    told = cli(
        ["compare", "von-neumann(cards=8)", "--with", "dcfr,lp,sampled-regret", "--iterations", "40", "--json"]
    ).json
    assert {name: found["form"] for name, found in told["results"].items()} == {
        "dcfr": "sequence",
        "lp": "sequence",
        "sampled-regret": "classes",
    }


def test_nothing_is_laid_out_for_options_that_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    from pokerlab.lab.solve import solving

    def refuse(*words: object, **options: object) -> None:
        raise AssertionError

    monkeypatch.setattr(solving, "build_form", refuse)
    for options in ({"target": "-1"}, {"iterations": 2.5}, {"storage": "int8", "form": "public"}, {"threads": 0}):
        with pytest.raises(BadSetting):
            solve("kuhn", **options)
    with pytest.raises(BadSetting):
        prepare(open_task("leduc"), form="classes")
