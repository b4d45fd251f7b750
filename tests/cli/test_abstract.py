"""The commands `pokerlab abstract` and `pokerlab buckets`."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab import store
from pokerlab.abstraction import bucket_file, unfinished
from pokerlab.cli import _completion as offered
from pokerlab.display.abstraction.buckets import round_figure
from pokerlab.events import Event
from pokerlab.lab.abstraction import bucketing
from pokerlab.lab.abstraction.bucket_view import RoundView, hand_buckets
from pokerlab.registry import available


@pytest.fixture
def ri(folder: Path, cli: CommandLine) -> Path:
    """Buckets of Rhode Island hold'em."""
    words = ["abstract", "rhode-island", "--methods", "lossless,emd:20,ochs:50", "--out", "ri.buckets", "--seed", "4"]
    assert cli(words).code == 0
    return folder / "ri.buckets"


# ---- abstract --------------------------------------------------------------------------------------------------------


def test_values_are_of_small_games(folder: Path, cli: CommandLine) -> None:
    out = cli(["abstract", "leduc", "--methods", "lossless,values:4"]).printed
    assert ["second", "values:4", "15", "4"] in [line.split()[:4] for line in out.splitlines()]
    refused = cli(["abstract", "holdem", "--river", "values:4", "--out", "a.buckets"])
    assert refused.code == 2
    assert "the values of all hands of holdem-limit cannot be computed" in refused.error


def test_what_was_made_is_told(folder: Path, cli: CommandLine) -> None:
    out = cli(["abstract", "leduc", "--round", "second=emd:4", "--round", "1=strength:2", "--out", "a.buckets"]).printed
    rows = [line.split() for line in out.splitlines() if line.startswith(("first", "second"))]
    assert [row[:4] for row in rows] == [
        ["first", "strength:2", "3", "2"],
        ["second", "emd:4", "15", "3"],
    ]  # there are no more strengths
    kept = bucket_file.load(folder / "a.buckets")
    assert kept.counts == (2, 3)
    assert not (folder / "a.buckets.part").exists()


def test_streets_are_for_games_that_have_them(folder: Path, cli: CommandLine) -> None:
    found = cli(["abstract", "holdem", "--flop", "strength:7", "--buckets", "20", "--forecast", "--json"]).json
    assert found["methods"] == ["emd:20", "strength:7", "emd:20", "ochs:20"]
    assert found["forecast"]["seconds"] > 1
    assert "first, second" in cli(["abstract", "leduc", "--flop", "emd:3"]).refusal


def test_long_work_needs_a_file(cli: CommandLine) -> None:
    told = cli(["abstract", "holdem", "--flop", "ochs:2000", "--turn", "ochs:2000", "--threads", "1"]).refusal
    assert "--out" in told
    assert "about" in told


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "for example: pokerlab abstract leduc"),
        (["ledcu"], "did you mean leduc"),
        (["matching-pennies"], "not a game of the poker engine"),
        (["five-card-draw"], "change after the first deal"),
        (["leduc", "--round", "second"], "is written like second=emd:50"),
        (["leduc", "--round", "third=emd:5"], "first, second"),
        (["leduc", "--methods", "emd:5"], "names 1 method, and there are 2 rounds"),
        (["leduc", "--methods", "emd:5,edm:3"], "did you mean emd"),
        (["leduc", "--recall", "none"], "imperfect or perfect"),
        (["leduc(players=3)", "--methods", "lossless,gameshrink"], "gameshrink looks at one opponent"),
        (["leduc", "--out", "no/such/folder/a.buckets"], "in an existing folder"),
        (["leduc", "--out", "notes.txt"], "would be lost"),
        (["leduc", "--buckets", "0"], "greater than or equal to 1"),
    ],
)
def test_refusals(words: list[str], why: str, folder: Path, cli: CommandLine) -> None:
    (folder / "notes.txt").write_text("mine")
    assert why in cli(["abstract", *words]).refusal
    assert (folder / "notes.txt").read_text() == "mine"


def test_methods_are_listed(cli: CommandLine) -> None:
    names = [entry.name for entry in available("abstractions")]
    found = cli(["abstract", "--list", "--json"]).json["available"]
    assert [one["name"] for one in found] == names
    printed = cli(["abstract", "--list"]).printed
    assert all(any(line.startswith(name) for line in printed.splitlines()) for name in names)


def test_buckets_of_draw_games_are_named_where_people_look(cli: CommandLine) -> None:
    names = [entry.name for entry in available("exchanges")]
    assert {"no-suits", "highest-suit-mini", "by-draws", "lossless"} <= set(names)
    assert [one["name"] for one in cli(["abstract", "--list", "--json"]).json["draw_games"]] == names
    pages = [cli(words, width=200).printed for words in (["abstract", "--list"], ["abstract", "-h"], ["train", "-h"])]
    for page in pages:
        assert all(name in page for name in names)
    assert '"min"' in pages[2]  # a menu
    assert "--buckets no-suits" in cli(["abstract", "five-card-draw"]).refusal


def test_threads_and_seeds(folder: Path, cli: CommandLine) -> None:
    def fingerprint(*more: str) -> str:
        words = ["abstract", "rhode-island", "--buckets", "25", "--json", *more]
        return str(cli(words).json["fingerprint"])

    assert fingerprint("--threads", "1") == fingerprint("--threads", "3") != fingerprint("--seed", "1")


@pytest.mark.parametrize("recall", ["imperfect", "perfect"])
def test_lean_files_are_small_and_tell_the_same(recall: str, folder: Path, cli: CommandLine) -> None:
    words = ["abstract", "rhode-island", "--buckets", "9", "--recall", recall, "--out"]
    for name, more in (("whole", []), ("lean", ["--lean"])):
        cli([*words, name, *more])
    whole, lean = (cli(["buckets", name, "Ah", "--board", "Td7s", "--json"]).json for name in ("whole", "lean"))
    assert [place["bucket"] for place in whole["places"]] == [place["bucket"] for place in lean["places"]]
    assert whole["fingerprint"] == lean["fingerprint"]
    assert lean["lean"] is (recall == "imperfect")  # buckets within buckets have no rule of their own
    assert whole["recall"] == lean["recall"] == recall
    if recall == "imperfect":
        assert lean["bytes"] < whole["bytes"]


def test_what_is_finished_is_told_when_interrupted(
    folder: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["abstract", "rhode-island", "--buckets", "8", "--out", "a.buckets"]

    def stopping(event: Event) -> None:
        if event.message.startswith("second"):
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        whole = bucketing.make_buckets
        patch.setattr(bucketing, "make_buckets", lambda plan, **more: whole(plan, **more | {"on_progress": stopping}))
        answer = cli(words)
    assert (answer.code, answer.out) == (130, "")
    assert "finished rounds are saved in a.buckets.part; the same command resumes there" in answer.error
    assert not (folder / "a.buckets").exists()
    assert "resumed: third" in cli(words).printed
    assert not (folder / "a.buckets.part").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_interrupted_by_a_signal(folder: Path) -> None:
    words = ["abstract", "short-deck", "--methods", "emd:5,strength:5,emd:5,strength:5", "--out", "s.buckets"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    program = subprocess.Popen(
        [sys.executable, "-m", "pokerlab", *words], env=environment, stderr=subprocess.PIPE, text=True
    )
    for _ in range(3000):
        if (folder / "s.buckets.part").exists() or program.poll() is not None:
            break
        time.sleep(0.05)
    program.send_signal(signal.SIGINT)
    error = program.communicate(timeout=60)[1]
    assert program.returncode == 130, error
    assert "the same command resumes there" in error
    assert not (folder / "s.buckets").exists()
    part = unfinished.path_of(folder / "s.buckets")
    assert part.exists()


# ---- buckets ---------------------------------------------------------------------------------------------------------


def test_what_a_file_holds(ri: Path, cli: CommandLine) -> None:
    out = cli(["buckets", "ri.buckets"]).printed
    assert "a hand is one card of 2c2d2h...AdAhAs; boards of 0, 1, 2" in out
    assert "imperfect recall, seed 4" in out
    found = cli(["buckets", "ri.buckets", "--json"]).json
    assert found["fingerprint"] in out
    assert found["bytes"] == ri.stat().st_size
    assert [one["buckets"] for one in found["rounds"]] == [13, 20, 50]


def test_a_hand_in_words_and_as_json(ri: Path, cli: CommandLine) -> None:
    found = cli(["buckets", "ri.buckets", "Ah", "--board", "Td", "--bins", "4", "--json"]).json
    out = cli(["buckets", "ri.buckets", "Ah", "--board", "Td", "--bins", "4"]).printed
    assert len(found["places"]) == 2
    kept = bucket_file.load(ri)
    bucket = int(kept.of(np.array(kept.cards.deck.cards("Ah"), np.uint8)[None], kept.cards.deck.cards("Td"))[0])
    assert found["places"][1]["bucket"] == bucket
    assert f"Ah on Td is in bucket {bucket} of 20" in out
    assert "nearest buckets" in out
    assert out.count("75–100 %") == 2


@pytest.mark.parametrize(
    ("words", "ending"), [([], "svg"), (["--round", "2"], "png"), (["Ah", "--board", "Td7s"], "png")]
)
def test_pictures(words: list[str], ending: str, ri: Path, cli: CommandLine) -> None:
    answer = cli(["buckets", "ri.buckets", *words, "--plot", f"a.{ending}"])
    assert (answer.code, f"wrote a.{ending}" in answer.error) == (0, True)
    drawn = Path(f"a.{ending}").read_bytes()
    assert drawn.startswith(b"\x89PNG" if ending == "png" else b"<?xml")


def test_pictures_have_their_numbers_as_tables(ri: Path, cli: CommandLine) -> None:
    """Of a round, of a hand, and of the heat map of starting hands."""
    kept = bucket_file.load(ri)
    assert "wrote a.csv" in cli(["buckets", "ri.buckets", "--round", "2", "--csv", "a.csv"]).error
    header, *rows = csv_rows("a.csv")
    assert header == ["bucket", "share", "strength"]
    assert sorted(int(row[0]) for row in rows) == list(range(20))
    assert sum(float(row[1]) for row in rows) == pytest.approx(1)
    assert [float(row[2]) for row in rows] == sorted(float(row[2]) for row in rows)
    cli(["buckets", "ri.buckets", "Ah", "--board", "Td", "--bins", "4", "--csv", "a.csv"])
    header, *rows = csv_rows("a.csv")
    assert header == ["round", "board", "from", "to", "hand", "bucket"]
    assert [(row[0], float(row[2])) for row in rows] == [
        (name, k / 4) for name in ("first", "second") for k in range(4)
    ]
    place = hand_buckets(kept, "Ah", "Td", bins=4)[1]
    assert [float(row[4]) for row in rows[4:]] == pytest.approx(place.histogram.tolist())
    grid = np.arange(169).reshape(13, 13) % 3
    view = RoundView(0, "preflop", "by hand", np.array([2, 0, 1]), np.ones(3) / 3, np.arange(3.0), None, grid)
    columns = view.columns()
    assert (columns["hand"][:2], columns["bucket"][:4], columns["rank"][:4]) == (
        ["AA", "AKs"],
        [0, 1, 2, 0],
        [1, 2, 0, 1],
    )
    (panel,) = round_figure(view).panels  # ranks from 0 to 1
    assert panel.cells is not None
    assert panel.cells.tolist() == np.array([0.5, 1.0, 0.0])[grid].tolist()


def csv_rows(path: str) -> list[list[str]]:
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["none.buckets"], "none.buckets"),
        (["notes.txt"], "not a pokerlab file"),
        (["kuhn.solution"], "is a solution file, and a buckets file is needed"),
        (["ri.buckets", "Xx"], "is not a card"),
        (["ri.buckets", "AhKh"], "is one card"),
        (["ri.buckets", "Ah", "--board", "Td7s2c"], "has 0, 1, 2 cards"),
        (["ri.buckets", "Ah", "--board", "Ah"], "comes twice"),
        (["ri.buckets", "--board", "Ah"], "--board needs a hand"),
        (["ri.buckets", "--round", "2"], "--plot"),
        (["ri.buckets", "--round", "river", "--plot", "a.png"], "first, second, third"),
        (["ri.buckets", "--plot", "a.txt"], "ends in"),
        (["ri.buckets", "--plot", "no/folder/a.png"], "in an existing folder"),
    ],
)
def test_what_is_no_hand_and_no_file(words: list[str], why: str, ri: Path, folder: Path, cli: CommandLine) -> None:
    (folder / "notes.txt").write_text("mine")
    store.save(folder / "kuhn.solution", {}, kind="solution")
    assert why in cli(["buckets", *words]).refusal


def test_completion(folder: Path) -> None:
    (folder / "a.buckets").touch()
    (folder / "a.solution").touch()
    assert [word for word, _ in offered.bucket_files("a")] == ["a.buckets"]
    assert [word for word, _ in offered.method_names("e")] == ["emd"]
    assert [word for word, _ in offered.several_method_names("emd:5,loss")] == ["emd:5,lossless"]
    from pokerlab.abstraction.making import IMPERFECT, PERFECT

    assert offered.RECALLS == (IMPERFECT, PERFECT)
