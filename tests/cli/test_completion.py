"""Tab completion through the shells' own protocol: what is offered, and that nothing heavy is imported for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from command_line import CommandLine
from pokerlab.cli import command_names
from pokerlab.registry import available

SOURCE = Path(__file__).parents[2] / "src"
HEAVY = ["duckdb", "jinja2", "matplotlib", "numba", "numpy", "psutil", "scipy"]
WATCHED = (  # the command line, which then tells what it imported
    "import atexit, sys\n"
    f"atexit.register(lambda: print([name for name in {HEAVY} if name in sys.modules], file=sys.__stderr__))\n"
    "sys.argv = ['pokerlab']\n"
    "from pokerlab.cli import main\n"
    "main()"
)


def environment(shell: str, words: Sequence[str]) -> dict[str, str]:
    """What a shell tells whose user has typed words and presses Tab in the last of them."""
    line = " ".join(["pokerlab", *words])
    told = {
        "bash": {"COMP_WORDS": "\n".join(["pokerlab", *words]), "COMP_CWORD": str(len(words))},
        "zsh": {"_TYPER_COMPLETE_ARGS": line},
        "fish": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
        "powershell": {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_WORD_TO_COMPLETE": words[-1]},
    }[shell]
    return told | {"_POKERLAB_COMPLETE": f"complete_{shell}"}


def asked(shell: str, words: Sequence[str], folder: Path) -> list[str]:
    """The answer of a new process."""
    told = os.environ | environment(shell, words) | {"PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED], env=told, cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stderr.strip() == "[]"  # no error, nothing heavy
    return done.stdout.split("\n")[:-1]


def names(kind: str, beginning: str = "") -> list[str]:
    return [entry.name for entry in available(kind) if entry.name.startswith(beginning)]


CASES = {
    "a command": (["so"], ["solve"]),
    "a game": (["solve", "l"], names("games", "l")),
    "a game behind an option": (["match", "formula", "--game", "hold"], names("games", "hold")),
    "an option": (["spot", "--iter"], ["--iterations"]),
    "an algorithm": (["solve", "leduc", "--with", "p"], names("algorithms", "p")),
    "one more algorithm": (["compare", "leduc", "--with", "dcfr,cf"], ["dcfr,cfr", "dcfr,cfr-br", "dcfr,cfr+"]),
    "none twice": (["compare", "leduc", "--with", "cfr,cf"], ["cfr,cfr-br", "cfr,cfr+"]),
    "an agent": (["match", "formula", "al"], names("agents", "al")),
    "an agent that is kept": (["match", "strat"], ["strategy:kuhn.solution"]),
    "a table": (["play", "ku"], ["kuhn", "kuhn.efg", "kuhn.solution"]),
    "a paper": (["paper", "g"], ["goykhman"]),
    "what help is about": (["help", "ra"], ["range", "ranges", "random"]),
    "a form": (["solve", "leduc", "--form", "se"], ["sequence"]),
    "a file, which the shell completes": (["browse", "ku"], []),
    "a file in a folder": (["solve", "examples/ri"], []),
    "a word that nothing begins with": (["solve", "zzz"], []),
    "a command that does not exist": (["slove", "l"], []),
    "text that is no word": (["solve", "'l"], names("games", "l")),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_offered(case: str, folder: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    words, expected = CASES[case]
    for name in ("kuhn.solution", "kuhn.efg", "kuhn.txt"):
        (folder / name).touch()
    for name, value in environment("bash", words).items():
        monkeypatch.setenv(name, value)
    answer = cli([])
    assert (answer.printed.split(), answer.error) == (expected, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_is_answered(shell: str, folder: Path) -> None:
    found = "\n".join(asked(shell, ["measure", "k"], folder))
    assert "kuhn" in found
    assert "leduc" not in found
    assert ("Kuhn poker" in found) == (shell != "bash")  # what it is stands beside it where that is shown


def test_every_command_is_offered(folder: Path) -> None:
    assert asked("bash", [""], folder) == [*command_names(), "help"]


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="there is no bash")
def test_bash_takes_the_script(folder: Path) -> None:
    program = folder / "pokerlab"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pokerlab "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(pokerlab --show-completion bash)"\n'
        'COMP_WORDS=(pokerlab match formula "r"); COMP_CWORD=3\n'
        '_pokerlab_completion pokerlab; printf "%s\\n" "${COMPREPLY[@]}"; complete -p pokerlab'
    )
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(["bash", "-c", script], env=environment, cwd=folder, capture_output=True, text=True)
    *offered, registered = done.stdout.split("\n")[:-1]
    assert offered == names("agents", "r")
    assert registered == "complete -o default -F _pokerlab_completion pokerlab"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_scripts_are_shown(shell: str, cli: CommandLine) -> None:
    script = cli(["--show-completion", shell]).printed
    assert f"complete_{shell}" in script
    assert "_POKERLAB_COMPLETE" in script


@pytest.mark.parametrize(("shell", "kept"), [("zsh", ".zfunc/_pokerlab"), ("bash", ".bash_completions/pokerlab.sh")])
def test_scripts_are_installed(
    shell: str, kept: str, folder: Path, cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: folder)
    (folder / f".{shell}rc").write_text("alias p=pokerlab\n")
    for _ in range(2):  # a second time changes nothing
        assert str(folder / kept) in cli(["--install-completion", shell]).printed
    assert (folder / kept).read_text().strip() == cli(["--show-completion", shell]).printed.strip()
    settings = (folder / f".{shell}rc").read_text()
    assert settings.startswith("alias p=pokerlab\n")
    assert len(settings.split("\n")) < 10


def test_shells_without_completion_are_refused(cli: CommandLine) -> None:
    assert "did you mean bash" in cli(["--show-completion", "bsh"]).refusal
    assert "name one shell" in cli(["--install-completion", "bash", "zsh"]).refusal


def test_choices_that_are_offered_are_those_that_there_are() -> None:
    """The constants are written again in cli/_completion.py, because where they are declared much is imported."""
    from pokerlab.cli import _completion as offered
    from pokerlab.display.solve.convergence import AXES
    from pokerlab.lab.analyse import browsing
    from pokerlab.lab.analyse.equilibria import METHODS
    from pokerlab.lab.preflop import strength
    from pokerlab.lab.solve import evolving
    from pokerlab.match.hands.exchange import FORMATS
    from pokerlab.solvers.equilibria.learning import LEARNERS
    from pokerlab.solvers.evolve.genetic import FITNESS
    from pokerlab.strategy.files.solution import FULL, STRATEGY
    from pokerlab.tree import resources
    from pokerlab.tree.form import KINDS

    assert ("auto", *KINDS) == offered.FORMS
    assert resources.STORAGE == offered.STORAGE
    assert (FULL, STRATEGY) == offered.KEEP
    assert browsing.GRIDS == offered.GRIDS
    assert sorted(AXES) == sorted(offered.AXES)
    assert evolving.METHODS == offered.METHODS
    assert FITNESS == offered.SCORES
    assert strength.ORDERS == offered.ORDERS
    assert FORMATS == offered.HAND_FORMATS
    assert METHODS == offered.NASH_METHODS
    assert tuple(LEARNERS) == offered.LEARNERS
    assert set(offered.ROLE_GAMES) <= set(names("games"))
    for judged in offered.JUDGED:
        evolving.algorithm_of("united", {"fitness": judged})
