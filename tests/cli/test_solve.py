"""The commands solve, compare, show and verify, as typed."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from pokerlab import store
from pokerlab.cli import _solving, main
from pokerlab.cli._solving import Estimate
from pokerlab.solve.solver import Measure, Progress, Stop
from pokerlab.strategy.solution import load


@pytest.fixture
def pokerlab(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")

    def call(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
        with pytest.raises(SystemExit) as left:
            main()
        out, error = capsys.readouterr()
        return int(left.value.code or 0), out, error

    return call


def test_solve_show_verify(pokerlab, tmp_path: Path) -> None:
    code, out, _ = pokerlab("solve", "kuhn", "--target", "0.001", "--out", "k.solution", "--plot", "k.png", "--json")
    found = json.loads(out)
    assert code == 0
    assert {"value", "exploitability", "nash_conv", "iterations", "seconds"} <= set(found)
    assert found["exploitability"] <= 1e-3
    assert (tmp_path / "k.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = pokerlab("verify", "k.solution")
    assert code == 0
    assert "matches" in out
    code, out, _ = pokerlab("show", "k.solution", "--player", "0")
    assert "K:cr" in out
    assert "K:r" not in out.replace("K:cr", "")
    code, out, _ = pokerlab("show", "k.solution", "--json", "--match", "Q:", "--rows", "1")
    assert json.loads(out)["strategy"][0]["infoset"] == "Q:"
    assert json.loads(out)["matching"] == 4


def test_a_solution_that_claims_too_much_does_not_verify(pokerlab, tmp_path: Path) -> None:
    pokerlab("solve", "kuhn", "--iterations", "5", "--out", "k.solution")
    kept = store.load(tmp_path / "k.solution")
    manifest = {
        key: value for key, value in kept.manifest.items() if key not in ("format", "kind", "version", "checksum")
    }
    arrays = {name: array.copy() for name, array in kept.arrays.items()}
    store.save(tmp_path / "lie", arrays, kind="solution", **(manifest | {"best_responses": manifest["values"]}))
    code, out, _ = pokerlab("verify", "lie")
    assert code == 2
    assert "does not match" in out
    code, out, _ = pokerlab("verify", "lie", "--json")
    assert code == 2
    assert json.loads(out)["matches"] is False


def test_resume_goes_on_to_the_same_result(pokerlab) -> None:
    words = ("--with", "external", "--seed", "3", "--json")
    pokerlab("solve", "kuhn", "--iterations", "400", "--out", "part", *words)
    _, resumed, _ = pokerlab("solve", "--resume", "part", "--iterations", "1000", "--json")
    _, whole, _ = pokerlab("solve", "kuhn", "--iterations", "1000", *words)
    assert json.loads(resumed)["values"] == json.loads(whole)["values"]
    assert json.loads(resumed)["exploitability"] == json.loads(whole)["exploitability"]


def test_compare_draws_one_picture(pokerlab, tmp_path: Path) -> None:
    code, out, _ = pokerlab(
        "compare",
        "kuhn",
        "--with",
        "cfr,dcfr(alpha=1, beta=0),external,lp",
        "--iterations",
        "100",
        "--x",
        "nodes",
        "--json",
    )
    found = json.loads(out)
    assert code == 0
    assert list(found["results"]) == ["cfr", "dcfr(alpha=1, beta=0)", "external", "lp"]
    assert (tmp_path / found["plot"]).read_bytes().startswith(b"\x89PNG")
    code, out, _ = pokerlab("compare", "kuhn", "--with", "cfr", "--iterations", "9", "--plot", "c.svg")
    assert "<svg" in (tmp_path / "c.svg").read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["solve"], "name a game"),
        (["solve", "kuhn", "--target", "-1"], "must be positive"),
        (["solve", "kuhn", "--with", "magic"], "no algorithm called 'magic'"),
        (["solve", "kuhn", "--with", "dcfr(alpha=x)"], "alpha must be a number"),
        (["solve", "battle-of-the-sexes", "--with", "lp"], "is not zero-sum"),
        (["solve", "leduc", "--with", "regret-matching"], "the normal form of leduc"),
        (["solve", "kuhn", "--out", "no/such/folder/x"], "folder that exists"),
        (["solve", "kuhn", "--plot", "x.txt"], "a picture ends in"),
        (["solve", "--resume", "missing"], "there is no file missing"),
        (["solve", "--resume", "missing", "--with", "cfr"], "leave out --with"),
        (["solve", "holdem-limit"], "too large to lay out"),
        (["verify", "missing"], "there is no file missing"),
        (["show", "missing"], "there is no file missing"),
        (["compare", "kuhn", "--x", "weight"], "curves are drawn against"),
        (["compare", "kuhn", "--with", ","], "name the algorithms"),
    ],
)
def test_mistakes_get_a_sentence(pokerlab, words: list[str], sentence: str) -> None:
    code, out, error = pokerlab(*words)
    assert code == 2
    assert sentence in error
    assert not out


def test_ctrl_c_keeps_and_reports(pokerlab, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def impatient(title: str, stop: Stop, *, quiet: bool = False):
        yield lambda progress: os.kill(os.getpid(), signal.SIGINT) if progress.iterations == 20 else None

    monkeypatch.setattr(_solving, "progress_bar", impatient)
    code, out, _ = pokerlab("solve", "kuhn", "--iterations", "1000000000", "--out", "k.solution", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["stopped"] == "interrupted"
    assert load("k.solution").iterations == found["iterations"] >= 20
    code, out, _ = pokerlab("verify", "k.solution")
    assert code == 0


def test_time_left_is_estimated_from_the_curve() -> None:
    estimate = Estimate(Stop(target=1e-3))
    for iterations in range(1, 101):
        gap = 1.0 / iterations
        measure = Measure((0.0, 0.0), (gap, gap))
        share, left = estimate.update(Progress(iterations, 0.1 * iterations, measure, iterations, True))
    assert left == pytest.approx(0.1 * 900, rel=1e-6)
    assert share == pytest.approx(0.1, rel=1e-6)
    share, left = Estimate(Stop(seconds=10)).update(Progress(5, 4.0, None, -1, False))
    assert (share, left) == (0.4, 6.0)
