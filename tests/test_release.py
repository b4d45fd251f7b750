"""What is released: a package that works where nothing of this folder is, and files about it that agree."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from pokerlab.version import __version__

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# ---- the package -----------------------------------------------------------------------------------------------------

TOY = """
from pokerlab.agents.agent import Memoryless
from pokerlab.games.poker.betting import CALL
from pokerlab.games.strategic import bimatrix

class Station(Memoryless):
    name = "station"

    def act(self, view, rng):
        return CALL

def pennies():
    return bimatrix("toy-pennies", rows="ht", columns="ht", row_payoffs=[[1, -1], [-1, 1]])
"""
POINTS = "[pokerlab.agents]\nstation = toy:Station\n[pokerlab.games]\ntoy-pennies = toy:pennies\n"
SMOKE = """
import contextlib, io, json, os, sys
import pokerlab
from pokerlab.cli import main

def told(words, code=0):
    sys.argv = ["pokerlab", *words.split()]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            main()
        except SystemExit as left:
            assert (left.code or 0) == code, (words, left.code)
    return out.getvalue()

SPOT = "--board Ks7h2d5c9s --oop QQ+,AKs --ip 77,A5s,KQs --bet 50% --iterations 4 --json"
assert not os.listdir()
assert "examples" in told("--help")
assert told("solve kuhn --iterations 20 --out k.solution")
assert json.loads(told("equity AhKh 2c2d --board Td7s2h --json"))["exact"]
assert json.loads(told(f"spot {SPOT}"))["iterations"] == 4
assert "station" in told("match station formula --game leduc --hands 40 --workers 1")
assert told("solve toy-pennies --iterations 4")
assert told("solve examples/guess.py --iterations 4", code=2) == ""
assert "river.toml" in told("examples")
assert told("solve examples/guess.py --iterations 4")
assert told("spot examples/river.toml --iterations 1")
assert told("match examples/careful.py strategy:k.solution --game kuhn --hands 10 --workers 1")
assert told("match blueprint always-call --game holdem-limit --hands 4 --workers 1")
assert told("paper cfr-worked-example --out page") and os.path.getsize("page/index.html")
print(json.dumps({"file": pokerlab.__file__, "value": pokerlab.solve("kuhn", target=1e-2).value}))
"""


@pytest.mark.slow
def test_the_package_works_outside_of_this_folder(tmp_path: Path) -> None:
    """Built from its own source distribution, installed into a new environment, and tried from an empty folder."""
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    check_source_distribution(next((tmp_path / "dist").glob("*.tar.gz")))
    wheel = next((tmp_path / "dist").glob("*.whl"))
    check_wheel(wheel)
    python = install(wheel, tmp_path / "environment")
    (tmp_path / "empty").mkdir()
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    version = subprocess.run([python.with_name("pokerlab"), "--version"], env=plain, capture_output=True, text=True)
    assert version.stdout == f"pokerlab {__version__}\n", version.stderr
    done = subprocess.run([python, "-c", SMOKE], cwd=tmp_path / "empty", env=plain, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "`pokerlab examples` copies the examples here" in done.stderr
    answer = json.loads(done.stdout)
    assert Path(answer["file"]).is_relative_to(tmp_path / "environment")
    assert answer["value"] == pytest.approx(-1 / 18, abs=1e-2)


def check_source_distribution(path: Path) -> None:
    """All that it takes to build, test and read; nothing that a run has left."""
    with tarfile.open(path) as file:
        names = {name.split("/", 1)[1] for name in file.getnames()}
    wanted = {
        path.relative_to(ROOT).as_posix() for folder in ("src", "tests", "docs") for path in python_in(ROOT / folder)
    }
    assert wanted <= names
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "Makefile", "examples/river.toml"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".ci", ".venv", "out/", "dist/"))]


def check_wheel(path: Path) -> None:
    """Every module and what they read beside them, the examples, the licence; no tests."""
    with zipfile.ZipFile(path) as file:
        names = set(file.namelist())
        metadata = file.read(f"pokerlab-{__version__}.dist-info/METADATA").decode()
    inside = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*") if path.is_file()}
    inside = {name for name in inside if "__pycache__" not in name}
    assert {
        "pokerlab/py.typed",
        "pokerlab/display/elements/pages/paper.html",
        "pokerlab/cards/_kernels/deals.py",
    } <= inside
    examples = {
        f"pokerlab/examples/{path.relative_to(ROOT / 'examples').as_posix()}"
        for path in (ROOT / "examples").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    about = {name for name in names if name.startswith(f"pokerlab-{__version__}.dist-info/")}
    assert names - about == inside | examples
    assert f"pokerlab-{__version__}.dist-info/licenses/LICENSE" in about
    assert "Operating System :: OS Independent" in metadata
    assert "License-Expression: MIT" in metadata


def python_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "__pycache__" not in path.parts]


def install(wheel: Path, environment: Path) -> Path:
    """The interpreter of a new environment with the wheel, a package that brings more, and what both need."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--quiet", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    packages = next(environment.rglob("site-packages"))
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "others.pth").write_text("\n".join(sorted(here)) + "\n", encoding="utf-8")  # adds no editable installs
    (packages / "toy.py").write_text(TOY, encoding="utf-8")
    about = packages / "toy-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(POINTS, encoding="utf-8")
    return python


# ---- files that agree ------------------------------------------------------------------------------------------------

CITATION_KEYS = set(  # of the Citation File Format 1.2.0
    """abstract authors cff-version commit contact date-released doi identifiers keywords license license-url message
    preferred-citation references repository repository-artifact repository-code title type url version""".split()
)


def test_the_citation_is_one_and_of_this_version() -> None:
    citation: dict[str, Any] = yaml.safe_load(text_of("CITATION.cff"))
    assert set(citation) <= CITATION_KEYS
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert all(isinstance(value, str) for name, value in citation.items() if name not in ("authors", "keywords"))
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_the_changelog_begins_with_this_version() -> None:
    heading = re.search(r"^## (\S+), (.+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert heading is not None
    assert heading[1] == __version__
    assert re.fullmatch(r"unreleased|\d{4}-\d\d-\d\d", heading[2])
    released = yaml.safe_load(text_of("CITATION.cff")).get("date-released", "unreleased")
    assert str(released) == heading[2]


def test_versions_are_told_in_one_way() -> None:
    assert PROJECT["dynamic"] == ["version"]
    told = re.findall(r"pokerlab[ -](\d+\.\d+\.\d+)", text_of("README.md") + text_of("docs/howto/install.md"))
    assert set(told) <= {__version__}


def test_pythons_that_are_named_are_those_that_are_tried() -> None:
    """In the metadata, in the workflow and on the page of installation."""
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert f">={named[0]}" == PROJECT["requires-python"]
    tried = workflow()["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert sorted(set(tried)) == named
    assert f"Python {named[0]} to {named[-1]}" in text_of("docs/howto/install.md")
    assert PROJECT["license"] == "MIT"
    assert text_of("LICENSE").startswith("MIT License")


# ---- what runs the checks ------------------------------------------------------------------------------------------


def workflow() -> dict[str, Any]:
    found = yaml.safe_load(text_of(".github/workflows/ci.yml"))
    assert isinstance(found, dict)
    return found


def targets() -> set[str]:
    """What `make` knows."""
    return set(re.findall(r"^\.PHONY: (.+)$", text_of("Makefile"), re.MULTILINE)[0].split())


def test_the_workflow_calls_make_on_three_systems() -> None:
    lines = [step["run"] for job in workflow()["jobs"].values() for step in job["steps"] if "run" in step]
    called = {word for line in lines for word in re.findall(r"\bmake ([\w-]+)", line)}
    assert {"lint", "test", "wheel"} <= called <= targets()
    systems = workflow()["jobs"]["test"]["strategy"]["matrix"]["system"]
    assert [system.split("-")[0] for system in systems] == ["ubuntu", "macos", "windows"]
    assert not [line for line in lines if re.search(r"\b(ruff|mypy|pytest|lint-imports)\b", line)]  # make says how


def test_hooks_before_a_commit_call_what_make_calls() -> None:
    (repository,) = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False
        program, target = hook["entry"].split()
        assert program == "make"
        assert target in targets()


def test_every_target_is_told() -> None:
    pages = "\n".join(map(text_of, ("README.md", "CONTRIBUTING.md", "docs/howto/install.md")))
    told = set(re.findall(r"(?:`|^ {4})make ([a-z-]+)", pages, re.MULTILINE))
    assert {"demo", "test", "test-slow", "bench", "lint", "wheel"} <= told <= targets()


@pytest.mark.parametrize(("system", "folder"), [("", "bin"), ("Windows_NT", "Scripts")])
def test_make_finds_the_environment_of_a_system(system: str, folder: str) -> None:
    make = subprocess.run(
        ["make", "--dry-run", "--always-make", "--no-print-directory", "lint", "lint-windows"],
        cwd=ROOT,
        env=os.environ | {"OS": system},
        capture_output=True,
        text=True,
        check=False,
    )
    assert make.returncode == 0, make.stderr
    assert f".venv/{folder}/ruff check ." in make.stdout
    assert f".venv/{folder}/mypy --platform win32" in make.stdout
