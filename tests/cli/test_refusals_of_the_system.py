"""What the system refuses (no space, no place, a closed output) is one sentence, and nothing that was there is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import CommandLine
from file_size import files_up_to
from pokerlab import store
from pokerlab.cards.strength import tables_of
from pokerlab.lab.solve.solving import solve
from untimed import untimed

pytest.importorskip("resource")  # POSIX's limits
LIMIT = 2000  # bytes that a file may have, as on a disk that is nearly full
SPOT = Path(__file__).parents[2] / "examples" / "river.toml"


WRITING = {
    "solve": ["solve", "kuhn", "--iterations", "30", "--out", "FILE"],
    "solve --plot": ["solve", "kuhn", "--iterations", "30", "--plot", "FILE.png"],
    "solve --csv": ["solve", "kuhn", "--iterations", "900", "--csv", "FILE"],
    "show --csv": ["show", "SOLVED", "--csv", "FILE"],
    "compare --csv": ["compare", "kuhn", "--with", "cfr,cfr+", "--iterations", "300", "--csv", "FILE"],
    "compare": ["compare", "kuhn", "--with", "cfr", "--iterations", "20", "--plot", "FILE.png"],
    "spot": ["spot", str(SPOT), "--iterations", "2", "--out", "FILE"],
    "spot --keep": ["spot", str(SPOT), "--iterations", "9", "--out", "FILE", "--keep", "strategy"],
    "compact": ["compact", "SOLVED", "FILE"],
    "report": ["report", str(SPOT), "--boards", "KBOARDS", "--iterations", "1", "--out", "FILE"],
    "browse --csv": ["browse", "SOLVED", "--csv", "FILE"],
    "match --plot": ["match", "random", "random", "--game", "kuhn", "--hands", "50", "--plot", "FILE.png"],
    "game --write": ["game", "leduc", "--write", "FILE.efg"],
    "game --draw": ["game", "kuhn", "--draw", "FILE.svg"],
    "vonneumann": ["vonneumann", "--out", "FOLDER"],
    "endgame --plot": ["endgame", "--chips", "1500", "--blinds", "300,600", "--plot", "FILE.png"],
    "icm --csv": ["icm", "--stacks", "1*40", "--payouts", "3", "--csv", "FILE"],
    "icm --plot": ["icm", "--stacks", "1,2", "--payouts", "3", "--plot", "FILE.png"],
    "evolve --csv": ["evolve", "von-neumann", "--iterations", "60", "--csv", "FILE"],
    "evolve --plot": ["evolve", "von-neumann", "--iterations", "5", "--plot", "FILE.png"],
    "evolve --checkpoint": ["evolve", "von-neumann", "--iterations", "5", "--checkpoint", "FILE"],
    "paper": ["paper", "cfr-worked-example", "--out", "FOLDER"],
}
OLD = {"browse --csv": "player,hand\n"}  # which takes the place of such a table alone
BOARDS = ", ".join(f"Ks7h2d5c{card}" for card in "9s 9d 9h 8s 8d 8h 6s 6d 6h Ts Td Th Js Jd Jh".split())


@pytest.mark.parametrize("name", WRITING)
def test_no_space_left(name: str, tmp_path: Path, cli: CommandLine) -> None:
    replaced = {"FILE": str(tmp_path / "file"), "FOLDER": str(tmp_path), "KBOARDS": BOARDS}
    if "SOLVED" in WRITING[name]:
        replaced["SOLVED"] = str(tmp_path / "a.spot")
        solve(SPOT, iterations=1, save=replaced["SOLVED"])
    words = [replaced.get(word, word) for word in WRITING[name]]
    words = [word.replace("FILE.", f"{tmp_path / 'file'}.") for word in words]
    old = next((Path(word) for word in words if word.startswith(str(tmp_path / "file"))), tmp_path / "index.html")
    if name not in ("evolve --checkpoint", "report"):  # which read what is there, and go on from it
        old.write_text(OLD.get(name, "old"))
    with files_up_to(LIMIT):
        code, _, error = cli(words)
    assert code == 2, error
    assert f"pokerlab: cannot write {tmp_path}" in error
    assert "File too large" in error
    assert "Traceback" not in error
    if name == "report":
        assert old.read_text().startswith("board,")  # the boards before
    elif name != "evolve --checkpoint":
        assert old.read_text() == OLD.get(name, "old")
    assert not list(tmp_path.glob(".*"))


def test_a_match_on_a_full_disk_goes_on_when_there_is_room(tmp_path: Path, cli: CommandLine) -> None:
    words = ["match", "random", "always-call", "--game", "kuhn", "--hands", "300", "--block", "60", "--seed", "5"]
    words += ["--json", "--workers", "1"]
    _, whole, _ = cli([*words, "--out", str(tmp_path / "whole.duckdb")])
    out = ["--out", str(tmp_path / "h.duckdb")]
    for limit in (1000, 13_000, 16_000, 20_000, 28_000):  # the journal, the database, its log
        with files_up_to(limit):
            code, _, error = cli([*words, *out, "--resume"])
        assert code == 2, error
        assert "pokerlab: cannot write" in error
    code, resumed, error = cli([*words, *out, "--resume"])
    assert code == 0, error

    def told(text: str) -> str:
        import json

        return json.dumps(untimed(json.loads(text) | {"out": "", "hands_per_second": 0}))

    assert told(resumed) == told(whole)


def test_hands_that_cannot_be_exported_or_imported(tmp_path: Path, cli: CommandLine) -> None:
    file, log, new = str(tmp_path / "h.duckdb"), str(tmp_path / "h.log"), tmp_path / "new.duckdb"
    words = ["match", "random", "random", "--game", "holdem-nolimit", "--hands", "60", "--workers", "1", "--out", file]
    assert cli(words)[0] == 0
    assert cli(["hands", file, "--export", "acpc", log])[0] == 0
    for words in (
        ["hands", file, "--export", "acpc", str(tmp_path / "old")],
        ["hands", file, "--export", "phh", str(tmp_path / "old")],
        ["hands", str(new), "--import", "acpc", log, "--game", "holdem-nolimit"],
    ):
        (tmp_path / "old").write_text("old")
        with files_up_to(LIMIT):
            code, _, error = cli(words)
        assert code == 2
        assert error.startswith(f"pokerlab: cannot write {tmp_path}")
        assert (tmp_path / "old").read_text() == "old"
        assert not new.exists()  # what was begun is no database


# ---- outputs -------------------------------------------------------------------------------------------------------


def run(words: str, shell: str) -> subprocess.CompletedProcess[str]:
    command = f'"{sys.executable}" -m pokerlab {words} {shell}'
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
@pytest.mark.parametrize("words", ["--help", "game --json", "nonsense"])
def test_outputs_that_cannot_be_written(words: str) -> None:
    full = run(words, "> /dev/full")
    assert full.returncode == 2
    assert full.stderr.startswith("pokerlab: ")
    assert len(full.stderr.splitlines()) == 1
    closed = run(words, ">&-")
    assert closed.returncode == (2 if words == "nonsense" else 0)
    assert "Traceback" not in closed.stderr
    mute = run(words, "2>&- | cat")
    assert mute.returncode == 0


@pytest.mark.parametrize("columns", ["0", "00", ""])
def test_a_terminal_of_unknown_width_shows_everything(columns: str) -> None:
    environment = os.environ | {"COLUMNS": columns}
    words = [sys.executable, "-m", "pokerlab", "range", "AA"]
    shown = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert "6 of 1,326 hands" in shown.stdout


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("NUMBA_NUM_THREADS", "0", "NUMBA_NUM_THREADS must be a whole number from 1 up; got '0'"),
        ("NUMBA_NUM_THREADS", "x", "Numba cannot read its settings: Environment variable 'NUMBA_NUM_THREADS'"),
        ("NUMBA_OPT", "9", "Numba cannot read its settings: Environment variable 'NUMBA_OPT'"),
    ],
)
def test_settings_that_numba_refuses_are_sentences(name: str, value: str, said: str) -> None:
    words = [sys.executable, "-m", "pokerlab", "solve", "kuhn"]
    refused = subprocess.run(words, env=os.environ | {name: value}, capture_output=True, text=True, check=False)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr.startswith(f"pokerlab: {said}")


@pytest.mark.parametrize(
    "words", ["compact loop o.spot", "thin loop --out o", "match ./loop.py rules", "solve ./loop.py"]
)
def test_links_in_a_circle_are_refused(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: CommandLine
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("loop", "loop.py"):
        try:
            os.symlink(name, name)
        except OSError:  # of Windows, without the right to make links
            pytest.skip("no links here")
    assert "cannot read" in cli(words.split()).refusal


def test_a_reader_that_has_enough() -> None:
    for words in ("game", "range 22+", "help spot", "icm --stacks 10,1,289 --payouts 2,1"):
        done = run(words, "| true; exit ${PIPESTATUS[0]}")
        assert (done.returncode, done.stderr) == (0, ""), words
    done = run("game", "| head -1; exit ${PIPESTATUS[0]}")
    assert done.returncode == 0
    assert done.stderr == ""
    done = run("--help", "| true")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "words", ["play kuhn --hands 1 --seed 1 --log /dev/null", "match human random --game kuhn --hands 2"]
)
def test_an_input_that_is_closed_has_ended(words: str) -> None:
    closed, empty = run(words, "<&-"), run(words, "< /dev/null")
    assert "Traceback" not in closed.stderr
    assert (closed.returncode, closed.stdout, closed.stderr) == (empty.returncode, empty.stdout, empty.stderr)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home of its own, as in a new process."""

    def forget() -> None:
        monkeypatch.setattr(store, "_tables", {})
        tables_of.cache_clear()
        store.notify.cache_clear()

    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path / "home"))
    forget()
    yield tmp_path / "home"
    forget()


def test_a_home_that_cannot_be_written_stops_nothing(home: Path, cli: CommandLine) -> None:
    home.write_text("a file")
    for order in ("high", "short-deck"):  # two tables, one sentence
        code, out, error = cli(["strength", "AhKhQhJhTh", "--order", order, "--json"])
        assert code == 0
        assert "royal flush" in out
        sentence = f"pokerlab: computed tables and compiled kernels are not saved: {home} cannot be written"
        assert error.count(sentence) == (order == "high")


def test_a_damaged_table_is_told_in_one_sentence(home: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["strength", "AhKhQhJhTh"]
    _, whole, _ = cli(words)
    (table,) = home.glob("strength-high-*.safetensors")
    contents = bytearray(table.read_bytes())
    contents[len(contents) // 2] ^= 4
    table.write_bytes(contents)
    for sentence in (f"pokerlab: a saved table is computed again: {table} is damaged", None):
        tables_of.cache_clear()
        monkeypatch.setattr(store, "_tables", {})
        code, out, error = cli(words)
        assert (code, out) == (0, whole)
        assert sentence in error if sentence else not error
