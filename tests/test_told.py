"""Every command that README, docs and help texts tell a reader to type, and every example, run for a moment.

The commands of a page are run in order in one folder, since later ones open files that earlier ones made. Long ones are
cut short by options behind theirs, which the last word of a command line is. What several pages tell is run for the
first of them; the others are given the files that it wrote.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.cli import command_names
from pokerlab.cli._topics import TOPICS, topic_text

ROOT = Path(__file__).parents[1]
DONE_IN_ORDER = (
    "docs/howto/abstraction.md",
    "docs/howto/cookbook.md",
    "docs/tutorials/",
)  # what they tell is done, and compared, by test_tutorials.py
PAGES = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if not page.startswith(DONE_IN_ORDER)]
SHORTER = {
    "solve": ["--iterations", "4"],
    "compare": ["--iterations", "20"],
    "spot": ["--iterations", "2"],
    "report": ["--iterations", "1"],
    "evolve": ["--iterations", "2"],
    "match": ["--hands", "40", "--workers", "1"],
    "tournament": ["--hands", "20", "--workers", "1"],
    "train": ["--iterations", "2000"],
    "exploit": ["--iterations", "20"],
}
NARROW = {"out_of_position": "TT+,AQs+,87s", "in_position": "22-55,AKs,AKo,98s"}  # ranges of examples
ELSEWHERE = {  # what is told, and where it is run instead
    "dealer": "tests/cli/test_dealer.py: it waits for programs to connect",
    "client": "tests/cli/test_dealer.py: it needs a dealer",
    "serve": "tests/app: it serves until Ctrl-C",
    "paper": "tests/papers and tests/cli/test_paper.py: minutes",
    "--install-completion": "tests/cli/test_completion.py: it changes settings of the shell",
    "demo": "its scenes are run by test_scenes_of_the_demo",
}
MADE = (  # by a reader before
    "solve kuhn --iterations 20 --out kuhn.solution",
    "solve leduc --iterations 20 --out leduc.solution",
    "spot --board Ks7h2d5c --oop 22+,AKs --ip A2s+ --iterations 1 --out turn.spot",
    "match formula rules --hands 40 --workers 1 --out m.duckdb",
    "abstract rhode-island --buckets 20 --out ri.buckets",
    "train leduc --iterations 2000 --out leduc.blueprint",
)
PLACEHOLDER = re.compile(r"\.\.\.|…|\b(FILE|HOST|PORT|COMMAND|NAME)\b|\bremote\b")


def told_by(text: str) -> list[str]:
    """The command lines in a page: between backquotes, or indented; a line that ends in \\ goes on in the next."""
    joined = re.sub(r" *\\\n\s*", " ", text)
    found = re.findall(r"`(pokerlab [^`\n]+)`", joined) + re.findall(r"^ {4}(?:\$ )?(pokerlab .+)$", joined, re.M)
    lines = [line.split(" #")[0].strip() for line in found]
    return list(dict.fromkeys(line for line in lines if not PLACEHOLDER.search(line)))


def told_by_help() -> dict[str, list[str]]:
    """The command lines in the help of each command and topic."""
    import importlib

    found = {}
    for name in command_names():
        text = importlib.import_module(f"pokerlab.cli.{name.replace('-', '_')}").command.__doc__ or ""
        lines = re.findall(r"(pokerlab [^\n`]+)", re.sub(r"\[/bold\].*|\[/?(?:dim|bold)\]", "", text))
        lines = [line.strip() for line in lines if line.split()[1] in command_names()]
        found[name] = [line for line in lines if not PLACEHOLDER.search(line)]
    found |= {f"topic {topic}": told_by(topic_text(topic)) for topic in TOPICS}
    return {name: lines for name, lines in found.items() if lines}


def shortened(line: str) -> list[str] | None:
    """The words of a command, cut short; None where it is run elsewhere."""
    words = shlex.split(line)[1:]
    command = words[0]
    if command in ELSEWHERE or "--cluster" in words or any(word.startswith("s3://") for word in words):
        return None  # a cluster and a shared place: tests/test_cluster.py, tests/test_places.py
    if "cuda" in words:
        return None  # a card: tests/solvers/public/test_cuda.py, by a compiler where there is none
    if len(words) == 1 and command in ("play", "browse", "dynamics", "review", "tournament"):  # named, not told to type
        return [command, "--help"]
    if "--forecast" in words or "--help" in words:
        return words
    if command == "report" and any(word.startswith("flops") for word in words):
        words += ["--boards", "QsJh2h, 8d8h3c:2", "--workers", "1"]
    if command == "abstract" and "--within" in words:
        words = ["abstract", "rhode-island", "--within", "ri.buckets", "--totals", "20,40,80"]
    if command == "abstract" and "holdem" in words:
        words += ["--forecast"]
    if command == "train" and {"small.buckets", "holdem.buckets"} & set(words):  # hours of hold'em
        words = ["train", "rhode-island", "--buckets", "ri.buckets", "--iterations", "1000", "--out", "limit.blueprint"]
    if command == "pushfold" and "--chart" in words:
        words += ["--step", "1"]
    if command == "pushfold" and any(word.count(",") > 1 for word in words):  # seconds, with three players or more
        most = 4 if "--against" in words else 3
        words = [",".join(word.split(",")[:most]) if word.count(",") >= most else word for word in words]
        words += ["--target", "5"]
    if command == "endgame":  # minutes, with three players and all chips
        words = [{"13500": "1500", "4500,4500,4500": "300,600,600"}.get(word, word) for word in words]
        words += [] if "--resume" in words else ["--iterations", "5"]
        words += ["--rounds", "1"] if any(word.count(",") == 2 for word in words) and "--resume" not in words else []
    if command == "exploit":  # most of a minute, with all cards
        words = ["rhode-island(ranks=5, suits=3)" if word == "rhode-island" else word for word in words]
    words = ["psopti(buckets='4,2', iterations=20)" if word == "psopti" else word for word in words]
    words = [re.sub(r"^(resolve\b.*)\)$", r"\1, iterations=20)", word) for word in words]
    shorter = SHORTER.get(command, [])
    if command == "match" and any(word.startswith("resolve") for word in words):
        shorter = ["--hands", "8", "--workers", "1"]
    if command == "spot" and any(word.count(",") > 5 for word in words):  # wide ranges on a flop
        ranges = {"--oop": NARROW["out_of_position"], "--ip": NARROW["in_position"]}
        words = [ranges.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    if "--generations" in words:
        words += ["--generations", "2", "--members", "4"]
    if "--population" in words:
        words += ["--population", "40", "--rounds", "20"]
    if "--learn" in words:
        words += ["--learn", "200", "--hands", "100", "--workers", "1"]
    if "--local" in words:
        words += ["--hands", "4", "--workers", "1"]
    return words + shorter


@pytest.fixture(autouse=True)
def examples(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the examples, in the folder where commands are called; models of hold'em see few boards."""
    monkeypatch.setattr("pokerlab.agents.parts.bucket_signals.SAMPLED", (8, 2, 1))
    shutil.copy(ROOT / "examples" / "careful.py", folder / "mybot.py")  # of the reader
    return shutil.copytree(ROOT / "examples", folder / "examples")


@dataclass(frozen=True)
class Done:
    """What commands have written: those of a reader before, made for the first page, and those of pages."""

    folder: Path  # of all workers, so that each command is run once

    def place(self, words: tuple[str, ...]) -> Path:
        """Where the files of a command lie, if it was run."""
        return self.folder / hashlib.sha256(repr(words).encode()).hexdigest()

    def keep(self, words: tuple[str, ...], before: Mapping[Path, tuple[int, int]]) -> None:
        """Keep what a command has written into this folder."""
        new = Path(tempfile.mkdtemp(dir=self.folder))
        for path, state in files_here().items():
            if before.get(path) != state:
                (new / path.parent).mkdir(parents=True, exist_ok=True)
                shutil.copy(path, new / path)
        if not self.place(words).exists():  # another worker may have run it at the same time
            with contextlib.suppress(OSError):
                new.rename(self.place(words))

    def give(self, words: tuple[str, ...]) -> None:
        """Put what a command wrote into this folder."""
        shutil.copytree(self.place(words), Path(), dirs_exist_ok=True)


def files_here() -> dict[Path, tuple[int, int]]:
    """The files of this folder, with what tells that one was written anew."""
    states = {path: path.stat() for path in Path().rglob("*") if path.is_file()}
    return {path: (state.st_mtime_ns, state.st_size) for path, state in states.items()}


@pytest.fixture(scope="session")
def done(shared_folder: Path) -> Done:
    (shared_folder / "done").mkdir(exist_ok=True)
    return Done(shared_folder / "done")


def make_before(done: Done, cli: CommandLine) -> None:
    """Put into this folder what a reader made before, and examples that are solved in a moment."""
    if not done.place(MADE).exists():
        before = files_here()
        for words in MADE:
            assert cli(shlex.split(words)).code == 0
        done.keep(MADE, before)
    done.give(MADE)
    for path in Path("examples").glob("*.toml"):
        narrow(path)


def narrow(path: Path) -> None:
    """Let the players of an example have few hands."""
    text = path.read_text(encoding="utf-8")
    for seat, hands in NARROW.items():
        text, count = re.subn(rf'(\[{seat}\]\nrange = )"[^"]*"', rf'\1"{hands}"', text)
        assert count == 1, path
    path.write_text(text, encoding="utf-8")


def run_all(lines: Sequence[str], cli: CommandLine, done: Done) -> None:
    make_before(done, cli)
    given = files_here()
    for line in lines:
        words = shortened(line)
        if words is None:
            continue
        before = files_here()
        own = [str(path) for path, state in before.items() if given.get(path) != state]  # written by this page
        alone = not any(name in word for name in own for word in words)
        if alone and done.place(tuple(words)).exists():
            done.give(tuple(words))
            continue
        answer = cli(words, width=120)
        complaint = f"$ {line}\nas {words}\n{answer.error}"
        assert answer.code == 0, complaint
        if alone:
            done.keep(tuple(words), before)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_tells_to_type(page: str, cli: CommandLine, done: Done) -> None:
    run_all(told_by((ROOT / page).read_text(encoding="utf-8")), cli, done)


def test_pages_tell_something() -> None:
    """The search for commands finds them."""
    assert len(told_by((ROOT / "README.md").read_text())) > 8
    assert sum(len(told_by((ROOT / page).read_text())) for page in PAGES) > 50


@pytest.mark.sampled(20)
@pytest.mark.parametrize("command", sorted(told_by_help()))
def test_what_a_help_text_tells_to_type(command: str, cli: CommandLine, done: Done) -> None:
    run_all(told_by_help()[command], cli, done)


@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").glob("*.py")))
def test_code_of_ones_own_is_shown_as_it_is(example: str) -> None:
    code = (ROOT / "examples" / example).read_text(encoding="utf-8")
    assert any(f"```python\n{code}```" in (ROOT / page).read_text(encoding="utf-8") for page in PAGES)


def test_scenes_of_the_demo(cli: CommandLine, done: Done) -> None:
    from pokerlab.cli.demo import TOPICS, TOUR

    others = [scene for topic, scenes in TOPICS.items() if topic != TOUR for scene in scenes]
    run_all([f"pokerlab {line}" for _, lines in others for line in lines], cli, done)
    for title, (line,) in TOPICS[TOUR]:  # each fits one screen of 80 columns and 24 lines, with the prompt below it
        assert len(title) <= 74
        answer = cli(shortened(f"pokerlab {line}") or [], width=80)
        assert answer.code == 0, answer.error
        notes = [note for note in answer.error.splitlines() if not note.startswith("compiling kernels")]
        command = -(-len(f"$ pokerlab {line}") // 80)
        height = 1 + command + 1 + len(answer.out.splitlines()) + len(notes)
        assert height <= 23, f"{line} needs {height} lines"


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.slow)])
@pytest.mark.parametrize("example", sorted(path.name for path in (ROOT / "examples").glob("*.toml")))
def test_every_example_is_solved_kept_and_walked(example: str, few: bool, examples: Path, cli: CommandLine) -> None:
    """With its own ranges, or with few hands."""
    if few:
        narrow(examples / example)
    cards = len(re.findall(r"[2-9TJQKA][cdhs]", (examples / example).read_text().partition("board")[2][:30]))
    boards = {3: "KhQh7h", 4: "As8d3c3d, KhQh7h2c", 5: "As8d3c3d4d, KhQh7h2c2h"}[cards]
    for words in (
        ["spot", f"examples/{example}", "--iterations", "1", "--threads", "2", "--storage", "int16", "--out", "a.spot"],
        ["browse", "a.spot"],
        ["browse", "a.spot", "check", "--json"],
        ["verify", "a.spot"],
        ["report", f"examples/{example}", "--boards", boards, "--iterations", "1"],
    ):
        answer = cli(words, width=120)
        assert answer.code == 0, f"{words}\n{answer.error}"
