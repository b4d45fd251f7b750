"""What a command writes takes the place of no file that it did not make: games, spots, programs, hands, buckets."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        "exploit kuhn --opponent random --out {}",
        "exploit kuhn --opponent random --points 0,1 --csv {}",
        "solve kuhn --iterations 2 --out {}",
        "compare kuhn --with cfr --iterations 2 --csv {}",
        "thin k.solution --out {}",
        "beliefs k.solution --csv {}",
        "train leduc --iterations 2 --out {}",
    ],
)
@pytest.mark.parametrize("name", ["mine.efg", "river.toml", "bot.py", "hands.duckdb", "g.buckets"])
def test_files_of_other_kinds_are_not_written_over(name: str, words: str, cli: CommandLine) -> None:
    """A game, a spot, a program, hands and buckets stay what they are."""
    if name == "hands.duckdb":
        cli(["match", "formula", "rules", "--game", "kuhn", "--hands", "4", "--out", name]).printed  # noqa: B018
    elif name == "g.buckets":
        cli(["abstract", "kuhn", "--out", name]).printed  # noqa: B018
    else:
        Path(name).write_text("precious")
    if "k.solution" in words:
        cli(["solve", "kuhn", "--iterations", "2", "--out", "k.solution"]).printed  # noqa: B018
    before = Path(name).read_bytes()
    answer = cli(words.format(name).split())
    assert "and would be lost" in answer.refusal
    assert Path(name).read_bytes() == before


def test_thinning_takes_another_file(cli: CommandLine) -> None:
    cli(["solve", "kuhn", "--iterations", "2", "--out", "k.solution"]).printed  # noqa: B018
    assert "name another file for --out" in cli(["thin", "k.solution", "--out", "k.solution"]).refusal
