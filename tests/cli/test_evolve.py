"""The evolve command: answers of every method, what is counted, series, checkpoints, refusals."""

import csv

import numpy as np
import pytest

from command_line import CommandLine
from naive.one_decision import von_neumann
from pokerlab import store
from pokerlab.registry import load
from pokerlab.solvers.preflop.classes.one_decision import admissible_second, solve_one_decision

SMALL = ["von-neumann(cards=12)", "--population", "60", "--rounds", "50", "--iterations"]


def test_checkpoint_goes_on_to_the_same_result(tmp_path, cli: CommandLine):
    path = str(tmp_path / "kept")
    whole = cli(["evolve", *SMALL, "6", "--json"]).json
    cli(["evolve", *SMALL, "2", "--checkpoint", path, "--json"])
    resumed = cli(["evolve", *SMALL, "6", "--checkpoint", path, "--json"]).json
    assert resumed["strategies"] == whole["strategies"]
    assert resumed["iterations"] == 6
    assert [row["fitness_player"] for row in resumed["series"]] == [row["fitness_player"] for row in whole["series"]]
    assert resumed["series"][0]["exploitability"] == whole["series"][0]["exploitability"]
    assert "another seed" in cli(["evolve", *SMALL, "6", "--checkpoint", path, "--seed", "1"]).refusal


def test_regret_matching_comes_near_the_exact_value(cli: CommandLine):
    found = cli(["evolve", "von-neumann", "--with", "regret", "--iterations", "3000000", "--json"]).json
    assert abs(found["value"] - found["exact_value"]) <= 2 * found["exploitability"]
    assert found["exploitability"] < 0.02


def test_games_of_this_run_and_of_all_are_counted(tmp_path, cli: CommandLine):
    path = str(tmp_path / "kept")
    first = cli(["evolve", *SMALL, "4", "--checkpoint", path, "--json"]).json
    assert (first["games"], first["resumed_at"]) == (4 * 60 * 50, 0)
    second = cli(["evolve", *SMALL, "6", "--checkpoint", path, "--json"]).json
    assert (second["games"], second["resumed_at"]) == (2 * 60 * 50, 4)
    assert (first["games_in_all"], second["games_in_all"]) == (4 * 60 * 50, 6 * 60 * 50)
    assert second["seconds_in_all"] == pytest.approx(first["seconds"] + second["seconds"], abs=0.002)
    told = cli(["evolve", *SMALL, "7", "--checkpoint", path]).printed
    assert "7 generations, 1 in this run" in told
    assert "3,000 games in" in told
    assert "21,000 games in all" in told


@pytest.mark.parametrize("method", ["regret", "cfr+", "dcfr", "pcfr+"])
def test_every_method_goes_on_from_a_checkpoint(method, tmp_path, cli: CommandLine):
    words = ["von-neumann(cards=12)", "--with", method, "--json", "--iterations"]
    kept, table = str(tmp_path / "kept"), tmp_path / "series.csv"
    whole = cli(["evolve", *words, "90"]).json
    first = cli(["evolve", *words, "40", "--checkpoint", kept]).json
    second = cli(["evolve", *words, "90", "--checkpoint", kept, "--csv", str(table)]).json
    assert second["strategies"] == whole["strategies"]
    points = [row["iteration"] for row in second["series"]]
    assert points == sorted(set(points))
    assert points[0] == 1
    assert second["series"][: len(first["series"])] == first["series"]
    assert [line.split(",")[0] for line in table.read_text().splitlines()[1:]] == [str(point) for point in points]
    assert second["seconds_in_all"] >= second["seconds"]


def test_a_checkpoint_without_its_state_is_refused(tmp_path, cli: CommandLine):
    words = ["von-neumann(cards=12)", "--with", "dcfr", "--iterations", "9", "--checkpoint", str(tmp_path / "kept")]
    cli(["evolve", *words])
    kept = store.load(tmp_path / "kept")
    inside = {name: word for name, word in kept.manifest.items() if name not in ("kind", "checksum")}
    arrays = {name: np.array(array) for name, array in kept.arrays.items() if name != "state.current"}
    store.save(tmp_path / "kept", arrays, kind="solution", **inside)
    assert "cannot be resumed: its state is not one of dcfr" in cli(["evolve", *words]).refusal


def test_exact_fitness_plays_no_games(cli: CommandLine):
    told = cli(["evolve", *SMALL, "3", "--fitness", "exact"]).printed
    assert "3 generations in" in told
    assert "no games are played" in told
    assert "per second" not in told
    assert cli(["evolve", *SMALL, "3", "--fitness", "exact", "--json"]).json["games"] is None


@pytest.mark.parametrize(("method", "distance"), [("cfr+", 1e-3), ("dcfr", 1e-4), ("lp", 1e-9)])
@pytest.mark.parametrize("game", ["von-neumann(cards=30)", "flop-poker"])
def test_exact_methods_solve_the_same_games(game, method, distance, cli: CommandLine):
    found = cli(["evolve", game, "--with", method, "--json"]).json
    assert found["exploitability"] < distance
    assert abs(found["value"] - found["exact_value"]) <= 2 * distance
    assert found["games"] is None
    evolved = cli(["evolve", *SMALL, "1", "--json"]).json
    assert found.keys() == evolved.keys()


def test_margins_are_those_of_the_answer(cli: CommandLine):
    found = cli(["evolve", "von-neumann(cards=12)", "--with", "lp", "--json"]).json
    game = von_neumann(cards=12).one_decision
    exact = solve_one_decision(game)
    for kind, second in (("", exact.second), ("exact_", admissible_second(game, exact.value))):
        margins = game.margins(exact.first, second)
        for role, expected in zip(("Player", "Dealer"), margins, strict=True):
            assert np.allclose(list(found[f"{kind}margins"][role].values()), expected, atol=1e-6)
    told = cli(["evolve", "von-neumann(cards=12)", "--with", "lp", "--margins"]).printed
    assert "e_P" in told
    assert "e_D" in told
    assert len([line for line in told.splitlines() if line.strip().startswith("12 ")]) == 1


def test_grids_show_the_exact_answer_beside_the_found(cli: CommandLine):
    told = cli(["evolve", "flop-poker", "--with", "dcfr", "--iterations", "20", "--margins"], width=80).printed
    assert told.count("AKs") == 4
    assert told.count("found") == told.count("exact\n") == 4


def test_series_as_csv_and_picture(tmp_path, cli: CommandLine):
    table, picture = tmp_path / "series.csv", tmp_path / "series.svg"
    found = cli(["evolve", *SMALL, "30", "--csv", str(table), "--plot", str(picture), "--json"]).json
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["generation"]) for row in rows] == list(range(1, 31))
    assert [float(row["fitness_dealer"]) for row in rows] == [row["fitness_dealer"] for row in found["series"]]
    assert rows[-1]["exploitability"] == str(found["exploitability"])
    assert "<svg" in picture.read_text()
    cli(["evolve", "von-neumann(cards=12)", "--with", "dcfr", "--iterations", "50", "--csv", str(table)])
    assert table.read_text().splitlines()[0] == "iteration,exploitability"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--with", "regret", "--population", "7", "--pareto", "4"], "does not use --population, --pareto; leave them"),
        (["--with", "dcfr", "--fitness", "exact"], "does not use --fitness; leave it"),
        (["--with", "cfr+", "--averaged"], "does not use --averaged"),
        (["--with", "regret", "--hall", "0"], "does not use --hall"),
        (["--with", "dcfr", "--seed", "3"], "does not use --seed"),
        (["--with", "lp", "--iterations", "5"], "does not use --iterations"),
        (["--csv", "/nosuch/file.csv"], "cannot write"),
        (["--plot", "picture.txt"], "a picture ends in .png"),
    ],
)
def test_options_that_do_nothing_are_refused(arguments, sentence, cli: CommandLine):
    assert sentence in cli(["evolve", "von-neumann(cards=12)", *arguments]).refusal


def test_unknown_settings_get_the_sentence_of_solve(cli: CommandLine):
    sentence = "pokerlab: von-neumann does not take foo; it takes cards, ante, bet, replacement"
    assert cli(["evolve", "von-neumann(foo=1)"]).refusal == sentence
    assert cli(["solve", "kuhn(foo=1)"]).refusal == "pokerlab: kuhn does not take foo; it takes players"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["von-neumann(cards=1)"],
        ["von-neumann(ante=word)"],
        ["flop-poker(stack=3)"],
        ["von-neumann", "--population", "3"],
        ["von-neumann", "--fitness", "luck"],
        ["von-neumann", "--with", "magic"],
        ["von-neumann", "--checkpoint", "/dev/null"],
    ],
)
def test_bad_input_is_one_sentence(arguments, cli: CommandLine):
    assert cli(["evolve", *arguments]).refusal


@pytest.mark.parametrize("method", ["populations", "united", "regret", "cfr+"])
@pytest.mark.parametrize("game", ["von-neumann", "flop-poker"])
def test_nothing_is_left_to_compile_when_the_clock_starts(method: str, game: str) -> None:
    """A small twin compiles all that the run itself needs, whatever it is judged by."""
    from pokerlab.lab.solve.evolving import algorithm_of
    from pokerlab.solvers.evolve._kernels import deals, genetic
    from pokerlab.solvers.preflop.classes import _kernels as sampled
    from pokerlab.tree.classes import class_form

    kernels = [item for module in (deals, genetic, sampled) for item in vars(module).values()]
    kernels = [item for item in kernels if hasattr(item, "signatures")]
    algorithm, form = algorithm_of(method, {"population": 40, "rounds": 20}), class_form(load("games", game))
    algorithm.rehearse(form)
    solver = algorithm.start(form, seed=1)
    before = [list(item.signatures) for item in kernels]
    solver.advance(2)
    solver.measure()
    assert [list(item.signatures) for item in kernels] == before


def test_kernels_are_compiled_before_the_clock_starts(monkeypatch: pytest.MonkeyPatch, cli: CommandLine) -> None:
    from pokerlab.lab.solve import solving
    from pokerlab.solvers.core.algorithm import Algorithm

    events: list[str] = []
    for owner, name in ((Algorithm, "rehearse"), (solving, "run")):
        original = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *a, _n=name, _o=original, **k: events.append(_n) or _o(*a, **k))
    assert cli(["evolve", *SMALL, "1"]).code == 0
    assert events == ["rehearse", "run"]
