"""One vocabulary of options: earlier spellings work with a notice, and one word has one meaning in all commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.cli import command_names
from pokerlab.cli._app import _single, command_function
from pokerlab.cli._help import words_of
from pokerlab.cli._options import RENAMED, with_new_names
from pokerlab.errors import Notice
from untimed import untimed

OTHER_WORDS = {("hands", "--match"), ("exploit", "--method")}  # a number of a match; a kind of counter-strategy


def _options(name: str) -> set[str]:
    """The options of a command, spelled out."""
    return {word for parameter in _single(name, command_function(name)).params for word in parameter.opts}


@pytest.mark.parametrize("name", command_names())
def test_no_command_has_an_earlier_spelling_with_its_earlier_meaning(name: str) -> None:
    options = _options(name)
    for renamed in RENAMED:
        if renamed.is_of(name) and (name, renamed.old) not in OTHER_WORDS:
            assert renamed.old not in options
        if name in renamed.commands:
            assert renamed.new.partition("=")[0] in options
    assert not options & {"--minutes", "--picture", "--every"}


def test_earlier_units_are_converted() -> None:
    with pytest.warns(Notice, match="--minutes of `pokerlab train` is now --seconds, in seconds"):
        assert with_new_names("train", ["leduc", "--minutes", "0.5", "--seed", "3"]) == [
            "leduc", "--seconds", "30", "--seed", "3",
        ]  # fmt: skip
    with pytest.warns(Notice):
        assert with_new_names("train", ["--every=2", "--", "--minutes"]) == [
            "--checkpoint-seconds=120",
            "--",
            "--minutes",
        ]
    assert with_new_names("hands", ["f", "--match", "2"]) == ["f", "--match", "2"]


def test_earlier_spellings_give_the_same_with_a_notice(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli(["solve", "kuhn", "--with", "lp", "--out", "k"]).code == 0
    old = cli(["show", "k", "--match", "Q:", "--json"])
    new = cli(["show", "k", "--containing", "Q:", "--json"])
    assert old.json == new.json
    assert "--match of `pokerlab show` is now --containing" in old.error
    assert not new.error


@pytest.mark.parametrize(("word", "number"), [("oop", 0), ("IP", 1), ("1", 1)])
def test_players_are_named_alike_everywhere(cli: CommandLine, tmp_path: Path, word: str, number: int) -> None:
    kept = str(tmp_path / "k")
    assert cli(["solve", "kuhn", "--with", "lp", "--out", kept]).code == 0
    assert (
        cli(["show", kept, "--player", word, "--json"]).json
        == cli(["show", kept, "--player", f"{number}", "--json"]).json
    )
    assert "a player is oop (out of position)" in cli(["show", kept, "--player", "-1"]).error


@pytest.mark.parametrize(
    "words", [["solve", "no-such-game"], ["solve", "kuhn", "--no-such-option"], ["no-such-command"]]
)
def test_errors_are_json_where_json_was_asked_for(cli: CommandLine, words: list[str]) -> None:
    code, out, error = cli([*words, "--json"])
    assert json.loads(out) == {"error": error.strip().removeprefix("pokerlab: "), "code": code}
    assert code == 2
    assert cli(words).out == ""


def test_matches_and_tournaments_have_one_default(cli: CommandLine) -> None:
    words = ["random", "always-call", "--game", "kuhn", "--hands", "40", "--workers", "1", "--json"]
    for command in ("match", "tournament"):
        by_default, again, plain = (
            untimed(cli([command, *words, *option]).json) for option in ([], ["--duplicate"], ["--plain"])
        )
        assert by_default == again != plain


def test_stacks_in_big_blinds_are_read_everywhere(cli: CommandLine) -> None:
    sizes = [cli(["size", "holdem-nolimit", "--stack", stack, "--json"]).json for stack in ("20bb", "2000")]
    assert sizes[0] == sizes[1] | {"game": sizes[0]["game"]}
    values = [cli(["pushfold", "--stacks", stacks, "--json"]).json["value"] for stacks in ("8bb,20bb", "8,20")]
    assert values[0] == values[1]


UNITS = re.compile(
    r"seconds|chips|big blinds|percent|fraction|share|probability|game's units|from 0|Damping factor", re.IGNORECASE
)


@pytest.mark.parametrize("name", command_names())
def test_help_states_the_unit_of_every_number(name: str) -> None:
    for word in words_of(command_function(name)):
        if word.value == "number":
            assert UNITS.search(word.info.help), f"{name} {word.names}: {word.info.help}"
