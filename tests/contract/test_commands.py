"""Laws of every command, found and not listed: help, JSON, and a sentence with exit code 2 for nonsense."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from command_line import CommandLine
from pokerlab.cli import _ORDER, command_names, overview
from pokerlab.cli._topics import TOPICS

HEAVY = ["duckdb", "jinja2", "matplotlib", "numba", "numpy", "psutil", "rich", "scipy"]
WITHOUT = [
    "demo",
    "serve",
    "examples",
    "preflop",
    "pushfold",
    "rollout",
    "solve",
    "game",
    "spot",
    "abstract",
    "train",
    "vonneumann",
    "paper",
]  # which need no argument, or one of several
NONSENSE = ["@@@@", "--no-such-option", "../../etc/passwd", "AhAh", "-1", "", "9" * 400, "♠" * 50]


@pytest.mark.parametrize("command", command_names())
def test_help(command: str, cli: CommandLine) -> None:
    out = cli([command, "--help"], width=80).printed
    assert f"Usage: pokerlab {command}" in out
    assert "--json" in out
    assert not re.search(r"\[/?(dim|bold)", out)
    assert max(map(len, out.splitlines())) <= 80  # also the examples, which are not wrapped
    rows = re.findall(r"^  \S.*(?:\n {4,}\S.*)*", out[out.index("Options\n") :], re.MULTILINE)
    assert all(row.count("\n") <= 3 for row in rows)
    assert cli(["help", command], width=80).printed == out


@pytest.mark.parametrize("word", NONSENSE)
@pytest.mark.parametrize("command", command_names())
def test_nonsense_gets_a_sentence(command: str, word: str, cli: CommandLine) -> None:
    assert cli([command, word]).refusal


def test_the_overview_tells_what_every_command_does() -> None:
    lines = overview().splitlines()
    for command in command_names():
        line = next(line for line in lines if line.startswith(f"  {command} "))
        assert len(line.split()) > 3
    assert all(len(line) <= 80 and not line.startswith(" " * 16) for line in lines)  # one line each


def test_every_command_has_its_place_in_the_order() -> None:
    assert command_names() == _ORDER


def test_unknown_command(cli: CommandLine) -> None:
    assert f"did you mean {command_names()[0]}" in cli([command_names()[0][:-1]]).refusal


@pytest.mark.parametrize("words", [[], ["help"], ["--help"], ["-h"], ["help", "help"]])
def test_the_overview_is_help(words: list[str], cli: CommandLine) -> None:
    assert cli(words).printed.split() == overview().split()


def test_what_is_missing_is_told_with_an_example(cli: CommandLine) -> None:
    told = {command: cli([command]) for command in command_names() if command not in WITHOUT}
    for command, answer in told.items():
        assert f"; for example: pokerlab {command} " in answer.refusal
    assert len(told) > 15


def test_mistyped_words_are_recognized(cli: CommandLine) -> None:
    assert cli(["slove", "leduc"]).refusal.startswith("pokerlab: there is no command 'slove'; did you mean solve")
    assert "did you mean solve" in cli(["help", "slove"]).refusal
    assert cli(["solve", "--sed", "3"]).refusal.startswith("pokerlab: there is no option --sed; did you mean --seed")
    assert "did you mean leduc" in cli(["solve", "ledcu"]).refusal
    assert "did you mean dcfr" in cli(["solve", "leduc", "--with", "dcrf"]).refusal
    assert "did you mean formula" in cli(["match", "forumla", "rules", "--game", "leduc"]).refusal
    assert "did you mean goykhman" in cli(["paper", "goikhman"]).refusal


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_explained_on_one_screen(topic: str, cli: CommandLine) -> None:
    lines = cli(["help", topic], width=80).printed.splitlines()
    assert 5 < len(lines) < 24
    assert max(map(len, lines)) <= 80
    assert topic not in command_names()


def test_topics_are_listed_and_mistyped_ones_recognized(cli: CommandLine) -> None:
    listed = cli(["help"]).printed
    assert all(topic in listed for topic in TOPICS)
    assert cli(["help", "rnages"]).refusal.startswith("pokerlab: there is no help on 'rnages'; did you mean ranges")
    assert all(name in cli(["help", "games"]).printed for name in ("kuhn", "rhode-island"))


def test_version(cli: CommandLine) -> None:
    assert cli(["--version"]).printed.startswith("pokerlab ")


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom pokerlab.cli import main\nsys.argv = ['pokerlab', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
