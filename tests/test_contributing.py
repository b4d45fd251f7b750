"""The files that CONTRIBUTING.md shows are found where they say that they lie, and do what it says of them.

They are put into a copy of the libraries, and registry and command line look there.
"""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pokerlab
from command_line import CommandLine
from pokerlab import cli as command_line
from pokerlab import registry
from pokerlab.errors import BadSetting

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "pokerlab"
SHOWN = re.compile(r"^### An? (\w+): src/pokerlab/(\S+\.py)\n\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = {kind: (Path(path), text) for kind, path, text in SHOWN.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))}
FORMS = {
    "sequence": "high-card(suits=4)",
    "public": "high-card(suits=4)",
    "classes": "kuhn",
}


@pytest.fixture(autouse=True, scope="module")
def dropped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The libraries with the files in them."""
    copy = tmp_path_factory.mktemp("copy") / "pokerlab"
    folders = {*(folder for of_kind in registry.LIBRARIES.values() for folder in of_kind), "cli"}
    for folder in folders:
        shutil.copytree(SOURCE / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    modules = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_ROOT", copy)
        patch.setattr(command_line, "_FOLDER", copy / "cli")
        for path, text in FILES.values():
            (copy / path).write_text(text, "utf-8")
            package = importlib.import_module(".".join(["pokerlab", *path.parent.parts]))
            patch.setattr(package, "__path__", [*package.__path__, str((copy / path).parent)])
            modules.append((package, path.stem))
        registry._entries.cache_clear()
        yield copy
        for package, name in modules:
            sys.modules.pop(f"{package.__name__}.{name}", None)
            vars(package).pop(name, None)
    registry._entries.cache_clear()


def test_there_is_a_file_of_each_kind() -> None:
    assert list(FILES) == ["game", "algorithm", "method", "agent", "paper", "command"]
    assert not [path for path, _ in FILES.values() if (SOURCE / path).exists()]


def test_they_read_as_ours(dropped: Path) -> None:
    files = [str(dropped / path) for path, _ in FILES.values()]
    for words in (["format", "--check"], ["check"]):
        ruff = [sys.executable, "-m", "ruff", *words, "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        done = subprocess.run([*ruff, *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_the_game_is_solved_to_its_value(cli: CommandLine) -> None:
    kuhn = pokerlab.solve("high-card(suits=1)", algorithm="lp")
    assert kuhn.value == pytest.approx(-1 / 18, abs=1e-9)  # Kuhn 1950
    exact, public = (
        pokerlab.solve("high-card", algorithm=algorithm, form=form, target=1e-4)
        for algorithm, form in (("lp", "sequence"), ("dcfr", "public"))
    )
    low, high = public.bounds
    assert low <= exact.value <= high
    assert "high-card" in [entry.name for entry in registry.available("games")]
    assert cli(["game", "high-card", "--json"]).json["players"] == 2
    assert "ranks must be a whole number from 2 to 13; got '40'" in cli(["solve", "high-card(ranks=40)"]).refusal


@pytest.mark.parametrize("form", FORMS)
def test_the_algorithm_runs_on_every_form(form: str, tmp_path: Path) -> None:
    file = tmp_path / "kept.solution"
    pokerlab.solve(FORMS[form], algorithm="linear-cfr+(power=2)", form=form, iterations=50, save=file)
    found = pokerlab.resume(file, target=1e-3)
    assert (found.form, found.algorithm_text) == (form, "linear-cfr+(power=2)")
    assert found.exploitability <= 1e-3
    low, high = found.bounds
    assert low - 1e-6 <= pokerlab.solve(FORMS[form], algorithm="lp").value <= high + 1e-6
    with pytest.raises(BadSetting, match="power must be a finite number of at least 0"):
        pokerlab.solve("kuhn", algorithm="linear-cfr+(power=-1)")


def test_the_method_runs_on_every_form(tmp_path: Path) -> None:
    """One short file on the operations of forms gives the same iterates on each of them, and is resumed to the bit."""
    assert len(FILES["method"][1].splitlines()) < 60
    whole = pokerlab.solve("leduc", algorithm="polynomial", form="sequence", iterations=200)
    assert whole.exploitability < 0.2
    file = tmp_path / "half.solution"
    pokerlab.solve("leduc", algorithm="polynomial", form="public", iterations=90, save=file)
    public = pokerlab.resume(file, iterations=200)
    assert public.exploitability == pytest.approx(whole.exploitability, rel=1e-4)
    classes, sequence, normal = (
        pokerlab.solve("kuhn", algorithm="polynomial", form=form, iterations=300)
        for form in ("classes", "sequence", "normal")
    )
    assert classes.exploitability == pytest.approx(sequence.exploitability, rel=1e-9)
    assert normal.exploitability < 0.02


def test_the_agent_plays_and_is_measured(cli: CommandLine) -> None:
    words = [
        "honest(bets_from=0.5)",
        "always-call",
        "--game",
        "leduc",
        "--hands",
        "400",
        "--duplicate",
        "--workers",
        "1",
    ]
    played = cli(["match", *words, "--json"]).json
    assert played["agents"][0]["agent"] == "honest(bets_from=0.5)"
    assert played["agents"][0]["chips"]["low"] > 0
    assert not played["faults"]
    honest, calling = (cli(["measure", "leduc", agent, "--json"]).json for agent in ("honest", "always-call"))
    assert 0 < honest["exploitability"] < calling["exploitability"]


def test_the_paper_runs(cli: CommandLine) -> None:
    told = cli(["paper", "kuhn-1950", "--json"]).json
    rows = [row for table in told["tables"] for row in table["rows"]]
    assert [row["printed_fraction"] for row in rows] == ["-1/18", "1/3", "1/3"]
    assert [row["printed"] for row in rows] == [-1 / 18, 1 / 3, 1 / 3]
    assert max(row["error"] for row in rows) < 1e-9
    assert told["findings"][0]["holds"]


def test_the_command_answers(cli: CommandLine) -> None:
    assert "how often a call must win" in cli(["odds", "--help"]).printed
    assert cli(["odds", "20", "60", "--json"]).json["share"] == 0.25
    assert "25.0 %" in cli(["odds", "20", "60"]).printed
    assert "greater than or equal to 0" in cli(["odds", "20", "nan"]).refusal
    assert "odds" in command_line.command_names()
    assert "Show how often a call must win" in command_line.overview()
