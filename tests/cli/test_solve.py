"""The commands solve, compare, show and verify, as typed."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
from pathlib import Path

import pytest
from rich.console import Console

from command_line import CommandLine
from pokerlab import registry, store
from pokerlab.cli import _progress
from pokerlab.cli._progress import Estimate, ProgressBar
from pokerlab.compiled import watching_compilation
from pokerlab.events import Event
from pokerlab.lab.analyse.verification import verify
from pokerlab.lab.solve import solving
from pokerlab.lab.solve.tasks import open_task
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.run import Progress, Stop
from pokerlab.strategy.files.solution_file import load
from pokerlab.tree.measure import Measure


@pytest.fixture(autouse=True)
def here(folder: Path) -> None:
    """Files are named as in a folder of one's own."""


def test_solve_show_verify(cli: CommandLine, tmp_path: Path) -> None:
    code, out, _ = cli(["solve", "kuhn", "--target", "0.001", "--out", "k.solution", "--plot", "k.png", "--json"])
    found = json.loads(out)
    assert code == 0
    assert {"value", "exploitability", "nash_conv", "iterations", "seconds"} <= set(found)
    assert found["exploitability"] <= 1e-3
    assert (tmp_path / "k.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = cli(["verify", "k.solution"])
    assert code == 0
    assert "matches" in out
    code, out, _ = cli(["show", "k.solution", "--player", "0"])
    assert "K:cr" in out
    assert "K:r" not in out.replace("K:cr", "")
    code, out, _ = cli(["show", "k.solution", "--json", "--containing", "Q:", "--rows", "1"])
    assert json.loads(out)["strategy"][0]["infoset"] == "Q:"
    assert json.loads(out)["matching"] == 4


def test_a_solution_that_claims_too_much_does_not_verify(cli: CommandLine, tmp_path: Path) -> None:
    cli(["solve", "kuhn", "--iterations", "5", "--out", "k.solution"])
    kept = store.load(tmp_path / "k.solution")
    manifest = {
        key: value for key, value in kept.manifest.items() if key not in ("format", "kind", "version", "checksum")
    }
    arrays = {name: array.copy() for name, array in kept.arrays.items()}
    store.save(tmp_path / "lie", arrays, kind="solution", **(manifest | {"best_responses": manifest["values"]}))
    code, out, _ = cli(["verify", "lie"])
    assert code == 2
    assert "does not match" in out
    assert "best_responses: the file says" in out
    code, out, _ = cli(["verify", "lie", "--json"])
    assert code == 2
    told = json.loads(out)
    assert told["matches"] is False
    assert {wrong["what"] for wrong in told["wrong"]} == {"best_responses"}
    assert {"values", "iterations", "player", "action_set"} <= set(told["recomputed"])
    assert {"seconds", "version"} <= set(told["not_recomputed"])
    code, out, _ = cli(["verify", "k.solution", "--rerun", "--json"])
    assert code == 0
    assert set(json.loads(out)["not_recomputed"]) == {"version", "seconds", "setup_seconds", "stopped"}


def test_resume_goes_on_to_the_same_result(cli: CommandLine) -> None:
    words = ("--with", "external", "--seed", "3", "--json")
    cli(["solve", "kuhn", "--iterations", "400", "--out", "part", *words])
    _, resumed, _ = cli(["solve", "--resume", "part", "--iterations", "1000", "--json"])
    _, whole, _ = cli(["solve", "kuhn", "--iterations", "1000", *words])
    assert json.loads(resumed)["values"] == json.loads(whole)["values"]
    assert json.loads(resumed)["exploitability"] == json.loads(whole)["exploitability"]


@pytest.mark.parametrize("algorithm", ["dcfr", "external", "pure"])
def test_resuming_keeps_the_curve(cli: CommandLine, algorithm: str) -> None:
    cli(["solve", "kuhn", "--with", algorithm, "--iterations", "50", "--out", "part"])
    first = load("part")
    cli(["solve", "--resume", "part", "--iterations", "120", "--out", "more"])
    cli(["solve", "--resume", "more", "--iterations", "120"])  # nothing left to do
    more = load("more")
    cli(["solve", "kuhn", "--with", algorithm, "--iterations", "120", "--out", "whole"])
    assert more.curve[: len(first.curve)] == first.curve
    measured = [point._replace(seconds=0) for point in more.curve if point.iterations != 50]  # the end of the first run
    whole = [point._replace(seconds=0) for point in load("whole").curve if point.iterations != 50]
    assert measured == whole
    assert all(len(point.values) == 2 for point in whole)
    seconds = [point[1] for point in more.curve]
    assert seconds == sorted(seconds)
    assert first.seconds <= seconds[len(first.curve)]
    assert seconds[-1] <= more.seconds


def test_a_run_that_was_killed_keeps_its_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept on the way has the curve up to there."""
    kept = tmp_path / "k"
    run = solving.run

    def killed(solver, stop, *, checkpoint, checkpoint_seconds, **words):
        def keep(progress):
            checkpoint(progress)
            if progress.last.iterations >= 30:
                raise SystemExit

        return run(solver, stop, checkpoint=keep, checkpoint_seconds=0.0, **words)

    monkeypatch.setattr(solving, "run", killed)
    with pytest.raises(SystemExit):
        solving.solve("kuhn", iterations=100, save=kept)
    monkeypatch.undo()
    cut = load(kept)
    assert (cut.stopped, cut.curve[-1][0]) == ("running", cut.iterations)
    assert verify(kept, rerun=True).matches
    whole, resumed = solving.solve("kuhn", iterations=100), solving.resume(kept, iterations=100)
    assert [point[0] for point in resumed.curve] == [point[0] for point in whole.curve]


def test_compare_tells_whole_curves(cli: CommandLine, tmp_path: Path) -> None:
    words = [
        "compare",
        "kuhn",
        "--with",
        "cfr,dcfr(alpha=1, beta=0),external,lp",
        "--iterations",
        "100",
        "--x",
        "nodes",
    ]
    found = cli([*words, "--csv", "c.csv", "--json"]).json
    assert list(found["results"]) == ["cfr", "dcfr(alpha=1, beta=0)", "external", "lp"]
    assert found["plot"] is None
    assert {path.name for path in tmp_path.iterdir()} == {"c.csv"}  # a picture only where one is asked for
    with (tmp_path / "c.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = [(name, point) for name, one in found["results"].items() for point in one["curve"]]
    assert len(rows) == len(told) > 100
    for row, (name, point) in zip(rows, told, strict=True):
        assert (row["algorithm"], row["form"]) == (name, "sequence")
        numbers = {key: value for key, value in point.items() if key != "values"}
        numbers |= {f"value_{player}": value for player, value in enumerate(point["values"])}
        assert {key: float(row[key]) for key in numbers} == numbers
        assert point["nash_conv"] == pytest.approx(2 * point["exploitability"])
    for one in found["results"].values():
        last = one["curve"][-1]
        assert all(last[key] == one[key] for key in ("iterations", "nodes_touched", "exploitability", "values"))
    assert [point["iterations"] for point in found["results"]["lp"]["curve"]] == [1]


def test_compare_of_three_players_tells_three_values(cli: CommandLine) -> None:
    cli(["compare", "kuhn(players=3)", "--with", "cfr+,external", "--iterations", "20", "--csv", "c.csv"])
    with Path("c.csv").open(newline="") as file:
        last = list(csv.DictReader(file))[-1]
    assert last["algorithm"] == "external"
    assert sum(float(last[f"value_{player}"]) for player in range(3)) == pytest.approx(0, abs=1e-12)
    assert float(last["nash_conv"]) == pytest.approx(3 * float(last["exploitability"]))


def test_compare_shows_a_chart_and_draws_when_asked(cli: CommandLine, tmp_path: Path) -> None:
    words = ["compare", "kuhn", "--with", "cfr,pcfr+,lp", "--iterations", "60", "--x", "iterations"]
    shown = cli(words, width=80).printed
    assert max(map(len, shown.splitlines())) <= 80
    chart, table = shown.split("algorithm")
    assert all(re.search(rf"^{line} ", table, re.M) for line in (r"a  cfr", r"b  pcfr\+", r"c  lp"))
    assert chart.count("a") > 20
    assert chart.count("b") > 20
    assert "60 iterations" in chart
    assert not list(tmp_path.iterdir())
    answer = cli([*words, "--plot", "c.svg", "--csv", "c.csv"])
    assert (answer.code, answer.error.count("wrote c.svg"), answer.error.count("wrote c.csv")) == (0, 1, 1)
    assert "<svg" in (tmp_path / "c.svg").read_text()


def test_compare_against_passes(cli: CommandLine, tmp_path: Path) -> None:
    words = ["compare", "kuhn", "--with", "mirror-prox(aggressive=False),cfr+", "--iterations", "25"]
    shown = cli([*words, "--x", "passes", "--plot", "p.svg", "--csv", "p.csv"]).printed
    with (tmp_path / "p.csv").open(newline="") as file:
        passes = {row["algorithm"]: float(row["passes"]) for row in csv.DictReader(file)}
    assert passes == {"mirror-prox(aggressive=False)": 100.0, "cfr+": 50.0}
    assert "100 passes over the game (gradient evaluations)" in shown  # four a step of mirror prox, the longest
    assert "passes over the game" in (tmp_path / "p.svg").read_text()


def test_a_run_tells_its_curve(cli: CommandLine) -> None:
    found = cli(["solve", "kuhn", "--iterations", "70", "--csv", "k.csv", "--out", "k", "--json"]).json
    assert found["csv"] == "k.csv"
    with Path("k.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["iterations"]) for row in rows] == [point.iterations for point in load("k").curve]
    assert float(rows[-1]["value_1"]) == found["values"][1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve"], "name a game"),
        (["solve", "kuhn", "--target", "-1"], "must be positive"),
        (["solve", "kuhn", "--with", "magic"], "no algorithm called 'magic'"),
        (["solve", "kuhn", "--with", "dcfr(alpha=x)"], "alpha must be a number"),
        (["solve", "battle-of-the-sexes", "--with", "lp"], "is not zero-sum"),
        (["solve", "leduc", "--with", "regret-matching"], "the normal form of leduc"),
        (["solve", "kuhn", "--out", "no/such/folder/x"], "in an existing folder"),
        (["solve", "kuhn", "--plot", "x.txt"], "a picture ends in"),
        (["solve", "kuhn", "--plot", "no/such/x.png"], "in an existing folder"),
        (["compare", "kuhn", "--plot", "no/such/x.png"], "in an existing folder"),
        (["compare", "kuhn", "--csv", "no/such/x.csv"], "in an existing folder"),
        (["solve", "kuhn", "--csv", "no/such/x.csv"], "in an existing folder"),
        (["show", "missing", "--csv", "no/such/x.csv"], "in an existing folder"),
        (["solve", "--resume", "missing"], "cannot read missing: there is no such file"),
        (["solve", "--resume", "missing", "--seed", "3"], "leave out --seed"),
        (["solve", "holdem-limit"], "too large to build"),
        (["verify", "missing"], "cannot read missing: there is no such file"),
        (["show", "missing"], "cannot read missing: there is no such file"),
        (["compare", "kuhn", "--x", "weight"], "curves are drawn against"),
        (["compare", "kuhn", "--with", ","], "name the algorithms"),
    ],
)
def test_mistakes_get_a_sentence(cli: CommandLine, words: list[str], sentence: str) -> None:
    code, out, error = cli([*words])
    assert code == 2
    assert sentence in error
    assert not out


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C at iteration 20."""

    def interrupt(bar: ProgressBar, event: Event) -> None:
        if (event.done, event.unit) == (20, "iterations"):
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(ProgressBar, "__call__", interrupt)


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_keeps_and_reports(cli: CommandLine) -> None:
    code, out, _ = cli(["solve", "kuhn", "--iterations", "1000000000", "--out", "k.solution", "--json"])
    assert code == 0
    found = json.loads(out)
    assert found["stopped"] == "interrupted"
    assert load("k.solution").iterations == found["iterations"] >= 20
    code, out, _ = cli(["verify", "k.solution"])
    assert code == 0


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_keeps_without_being_told_where(cli: CommandLine, tmp_path: Path) -> None:
    _, out, _ = cli(["solve", "kuhn(players=2)", "--iterations", "1000000000", "--json"])
    assert json.loads(out)["out"] == "kuhn.solution"
    before = (tmp_path / "kuhn.solution").read_bytes()
    code, out, _ = cli(["solve", "kuhn", "--iterations", "1000000000"])
    assert code == 0
    assert "saved in        kuhn-2.solution" in out
    assert "pokerlab solve --resume kuhn-2.solution" in out
    assert (tmp_path / "kuhn.solution").read_bytes() == before
    assert load("kuhn-2.solution").iterations >= 20


@pytest.mark.usefixtures("impatient")
def test_ctrl_c_in_a_comparison_says_what_was_not_run(cli: CommandLine) -> None:
    words = ("compare", "kuhn", "--with", "cfr,dcfr(alpha=1, beta=0),pure", "--iterations", "1000000000")
    _, out, _ = cli([*words])
    assert "interrupted; not run: dcfr(alpha=1, beta=0), pure" in out
    _, out, _ = cli([*words, "--json"])
    found = json.loads(out)
    assert (found["interrupted"], found["not_run"]) == (True, ["dcfr(alpha=1, beta=0)", "pure"])


def event_of(iterations: int, seconds: float, stop: Stop, gap: float | None) -> Event:
    """An event of a run."""
    measure = None if gap is None else Measure((0.0, 0.0), (gap, gap))
    progress = Progress(iterations, seconds, measure, iterations, measure is not None, 0, stop)
    return Event("solve", iterations, stop.iterations, seconds, "iterations", "", progress)


@pytest.mark.parametrize("title", ["leduc, dcfr", "goofspiel(cards=4, points=random), external"])
def test_the_progress_bar_fits_in_80_columns(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=80, color_system="standard")
    monkeypatch.setattr(_progress, "error_console", lambda: screen)
    with ProgressBar(title) as bar:
        bar(event_of(1, 0.1, Stop(seconds=7400), 1.0))
        bar(event_of(12_345_678, 400.0, Stop(seconds=7400), 0.00123))
    last = [line for line in screen.file.getvalue().splitlines() if "expl." in line][-1]
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", last).strip()
    assert len(text) <= 80
    assert text.startswith(title[:37])
    assert "━" * 10 in text
    assert "expl. 0.00123  117 min left" in text


def test_settings_that_are_not_the_usual_ones_are_shown(cli: CommandLine) -> None:
    _, out, _ = cli(["solve", "kuhn", "--with", "dcfr(gamma=3)", "--iterations", "5", "--out", "k"])
    assert re.search(r"algorithm +dcfr\(gamma=3(\.0)?\)\s", out)
    _, out, _ = cli(["show", "k"])
    assert "kuhn by dcfr(gamma=3" in out
    _, out, _ = cli(["solve", "kuhn", "--with", "dcfr", "--iterations", "5"])
    assert re.search(r"algorithm +dcfr\s", out)


def test_resuming_says_which_file_it_wrote(cli: CommandLine) -> None:
    cli(["solve", "kuhn", "--iterations", "5", "--out", "k"])
    _, out, _ = cli(["solve", "--resume", "k", "--iterations", "9", "--json"])
    assert json.loads(out)["out"] == "k"
    _, out, _ = cli(["solve", "--resume", "k", "--iterations", "12", "--out", "other", "--json"])
    assert json.loads(out)["out"] == "other"
    assert load("k").iterations == 9


def test_setting_up_is_told_apart(cli: CommandLine) -> None:
    _, out, _ = cli(["solve", "kuhn", "--iterations", "5", "--out", "k", "--json"])
    assert json.loads(out)["setup_seconds"] > 0
    _, out, _ = cli(["solve", "kuhn", "--iterations", "5"])
    assert "building and compiling" in out


def test_kernels_are_compiled_before_the_clock_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = []
    run = solving.run
    monkeypatch.setattr(
        Algorithm, "rehearse", lambda method, form, **_: events.append((method.name, form.kind, form.players))
    )
    monkeypatch.setattr(solving, "run", lambda *words, **more: events.append("run") or run(*words, **more))
    for form in ("sequence", "public"):
        solving.solve("kuhn", algorithm="cfr", iterations=3, form=form, save=tmp_path / form)
        solving.resume(tmp_path / form, iterations=5)
        assert events == [("cfr", form, 2), "run"] * 2
        events.clear()


GAMES = {
    "sequence": "ace-king",
    "normal": "ace-king",
    "public": "rhode-island(ranks=3, suits=2)",
    "classes": "von-neumann",
    "bucketed": "kuhn",
    "pushes": "push-fold(stack=4)",
    "stochastic": str(Path(__file__).parents[2] / "examples" / "games" / "two_states.toml"),
}


@pytest.mark.parametrize("algorithm", [entry.name for entry in registry.available("algorithms")])
def test_the_moment_of_compiling_compiles_all(algorithm: str) -> None:
    settings = {"population": 40, "rounds": 20} if algorithm == "genetic" else {}
    method = registry.load("algorithms", algorithm, **settings)
    for kind in method.forms:
        game = "small-draw(cards=1, ranks=3, suits=2)" if algorithm == "exploiter" else GAMES[kind]
        laid = solving.prepare(open_task(game), algorithm=method, form=kind)
        method.rehearse(laid.form)
        compiled: list[str] = []
        with watching_compilation(compiled.append):
            solver = method.start(laid.form)
            solver.advance(3)
            solver.measure()
        assert compiled == [], kind


def test_no_bounds_where_the_game_is_not_zero_sum(cli: CommandLine) -> None:
    _, out, _ = cli(["solve", "prisoners-dilemma", "--with", "cfr", "--iterations", "9", "--out", "p", "--json"])
    assert json.loads(out)["bounds"] is None
    assert load("p").bounds is None
    _, out, _ = cli(["solve", "prisoners-dilemma", "--with", "cfr", "--iterations", "9"])
    assert "epsilon" in out


def test_show_says_when_nothing_matches(cli: CommandLine) -> None:
    cli(["solve", "kuhn", "--iterations", "5", "--out", "k"])
    code, out, _ = cli(["show", "k", "--containing", "nosuch", "--player", "1"])
    assert code == 0
    assert "no infoset of player 1 contains 'nosuch'" in out
    assert "reach" not in out


def test_a_game_from_a_file_is_found_again(cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    monkeypatch.chdir(folder)
    cli(["game", "kuhn", "--write", "k.efg"])
    cli(["solve", "k.efg", "--iterations", "50", "--out", "k.solution"])
    monkeypatch.chdir(tmp_path)
    assert cli(["verify", "d/k.solution"])[0] == 0
    folder.rename(tmp_path / "moved")  # the game lies beside the solution
    assert cli(["verify", "moved/k.solution"])[0] == 0
    assert cli(["solve", "--resume", "moved/k.solution", "--iterations", "60"])[0] == 0
    file = tmp_path / "moved" / "k.efg"
    file.write_text(file.read_text().replace("{ 2, -2 }", "{ 3, -3 }"))
    code, _, error = cli(["verify", "moved/k.solution"])
    assert code == 2
    assert "the game file has changed" in error
    file.unlink()
    code, _, error = cli(["solve", "--resume", "moved/k.solution", "--iterations", "70"])
    assert code == 2
    assert "is gone" in error


def test_time_left_is_estimated_from_the_curve() -> None:
    estimate = Estimate()
    for _ in range(2):  # the second algorithm of a comparison starts again
        for iterations in range(1, 101):
            share, left = estimate.update(event_of(iterations, 0.1 * iterations, Stop(target=1e-3), 1.0 / iterations))
    assert left == pytest.approx(0.1 * 900, rel=1e-6)
    assert share == pytest.approx(0.1, rel=1e-6)
    assert Estimate().update(event_of(5, 4.0, Stop(seconds=10), None)) == (0.4, 6.0)


def test_time_left_of_counted_work() -> None:
    estimate = Estimate()
    assert estimate.update(Event("match", 100, 1000, 1.0, "hands")) == (0.1, None)
    assert estimate.update(Event("match", 300, 1000, 3.0, "hands")) == (0.3, 7.0)
    assert estimate.update(Event("walk", 10, None, 1.0, "nodes")) == (None, None)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (Event("match", 300, 1000, 3.0, "hands"), r"^hands [━╸╺]+ 300/1,000 hands$"),
        (Event("paper", 0.25, 1.0, 3.0, message="matches"), r"^matches [━╸╺]+ 25 %$"),
        (Event("walk", 20_000, None, 3.0, "nodes", "walking"), r"^walking [━╸╺]+ 20,000 nodes$"),
    ],
)
def test_one_bar_draws_every_job(event: Event, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=80, color_system="standard")
    monkeypatch.setattr(_progress, "error_console", lambda: screen)
    with ProgressBar() as bar:
        bar(event)
    lines = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.file.getvalue()).splitlines()
    assert any(re.match(text, line.strip()) for line in lines), lines


OWN_ALGORITHM = """
from pokerlab.settings import checked
from pokerlab.solvers.core.cfr_family import scheduled
from pokerlab.solvers.core.schedule import Power, Schedule, Step, averaging


@checked
def algorithm(*, power: Power = 1.0):
    def rule(steps):
        keep, weight = averaging(steps, power=power)
        return Step(keep_positive=(steps - 1) / steps, floor=True, keep_average=keep, average_weight=weight)

    return scheduled(Schedule("mine", rule, alternating=True), power=power, pruning=False)
"""


def test_a_run_of_an_own_algorithm_is_resumed_by_naming_it_again(folder: Path, cli: CommandLine) -> None:
    (folder / "mine.py").write_text(OWN_ALGORITHM, encoding="utf-8")
    own = ["--with", "./mine.py(power=2)"]
    whole = cli(["solve", "kuhn", *own, "--iterations", "40", "--json"]).json
    assert cli(["solve", "kuhn", *own, "--iterations", "15", "--out", "a.solution"]).code == 0
    before = (folder / "a.solution").read_bytes()
    resumed = ["solve", "--resume", "a.solution", "--iterations", "40", "--json"]
    assert "name its file again, as in --with ./mine.py" in cli(resumed).refusal
    for other in ("./mine.py", "./mine.py(power=3)", "dcfr"):
        assert "cannot resume it" in cli([*resumed, "--with", other]).refusal
    assert (folder / "a.solution").read_bytes() == before
    verified = cli(["verify", "a.solution", "--json"]).json
    assert verified["matches"]
    assert {"iterations", "the state of mine, which is no algorithm of the library"} <= set(verified["not_recomputed"])
    assert "no algorithm called 'mine'" in cli(["verify", "a.solution", "--rerun"]).refusal
    found = cli([*resumed, *own]).json
    assert (found["values"], found["nash_conv"], found["iterations"]) == (whole["values"], whole["nash_conv"], 40)


def test_what_another_command_kept_is_made_anew_by_it(folder: Path, cli: CommandLine) -> None:
    for method in ("fbr", "rnr", "dbr"):
        made = cli(["exploit", "kuhn", "--opponent", "random", "--method", method, "--iterations", "5", "--out", "e"])
        assert made.code == 0, made.error
        assert "`pokerlab exploit kuhn --opponent NAME --out NEW`" in cli(["solve", "--resume", "e"]).refusal


def test_curves_against_what_nobody_counts_are_drawn_against_seconds(cli: CommandLine, folder: Path) -> None:
    words = ["compare", "kuhn", "--with", "cfr", "--form", "public", "--iterations", "20", "--x", "passes"]
    answer = cli([*words, "--csv", "curves.csv"])
    assert "no algorithm here counts passes; curves are drawn against seconds" in answer.error
    assert "passes" not in Path("curves.csv").read_text(encoding="utf-8").splitlines()[0]
