"""Examples are written where a person works, and what a person changed stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.errors import BadFile
from pokerlab.lab.play import examples
from pokerlab.lab.play.examples import CHANGED, THERE, WRITTEN, write_examples

ROOT = Path(__file__).parents[2]


def test_examples_are_those_of_the_repository(tmp_path: Path) -> None:
    found = write_examples(tmp_path / "deep" / "new")
    assert {example.state for example in found} == {WRITTEN}
    for example in found:
        assert (
            example.path.read_bytes()
            == (ROOT / "examples" / example.path.relative_to(tmp_path / "deep" / "new")).read_bytes()
        )
    told = {example.path.name: example.summary for example in found}
    assert told["careful.py"] == "Calls where it is cheap."
    assert told["player.ipynb"].startswith("A river between two ranges: solve it, browse it")
    assert all(told.values())  # every one says what it is
    assert told["river.toml"].startswith("A river with every hand")


def test_what_a_person_changed_stays(tmp_path: Path) -> None:
    write_examples(tmp_path)
    (tmp_path / "river.toml").write_text("mine", encoding="utf-8")
    (tmp_path / "turn.toml").unlink()
    states = {example.path.name: example.state for example in write_examples(tmp_path)}
    assert (states["river.toml"], states["turn.toml"], states["flop.toml"]) == (CHANGED, WRITTEN, THERE)
    assert (tmp_path / "river.toml").read_text(encoding="utf-8") == "mine"


def test_the_command(folder: Path, cli: CommandLine) -> None:
    refusal = cli(["spot", "examples/river.toml"]).refusal
    assert refusal.endswith("there is no such file; `pokerlab examples` copies the examples here")
    assert "copies the examples" not in cli(["spot", "river.toml"]).refusal
    assert "copies the examples" in cli(["match", "./examples/careful.py", "rules", "--game", "kuhn"]).refusal
    for line in cli(["examples"], width=80).printed.splitlines():
        assert len(line) <= 80
    answer = cli(["examples", "--json"]).json
    assert answer["folder"] == "examples"
    assert {file["state"] for file in answer["files"]} == {THERE}
    (folder / "file").write_text("", encoding="utf-8")
    assert "cannot write" in cli(["examples", "--folder", "file"]).refusal


def test_an_installation_that_is_not_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples.pokerlab, "__file__", str(tmp_path / "a" / "b" / "pokerlab" / "__init__.py"))
    with pytest.raises(BadFile, match="incomplete"):
        write_examples(tmp_path)
