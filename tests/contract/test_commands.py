"""Laws of every command, found and not listed: help, JSON, and a sentence with exit code 2 for nonsense."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pokerlab.cli import command_names, main, overview

NONSENSE = ["@@@@", "--no-such-option", "../../etc/passwd", "AhAh", "-1", "", "9" * 400, "♠" * 50]


def call(words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["pokerlab", *words])
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit) as left:
        main()
    out, error = capsys.readouterr()
    return int(left.value.code or 0), out, error


@pytest.mark.parametrize("command", command_names())
def test_help(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call([command, "--help"], monkeypatch, capsys)
    assert code == 0
    assert "Usage" in out
    assert "--json" in out


@pytest.mark.parametrize("word", NONSENSE)
@pytest.mark.parametrize("command", command_names())
def test_nonsense_gets_a_sentence(
    command: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, error = call([command, word], monkeypatch, capsys)
    assert code == 2, error
    assert error.strip()
    assert "Traceback" not in error


def test_the_overview_tells_what_every_command_does() -> None:
    lines = overview().splitlines()
    for command in command_names():
        line = next(line for line in lines if line.startswith(f"  {command} "))
        assert len(line.split()) > 3


def test_unknown_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = call([command_names()[0][:-1]], monkeypatch, capsys)
    assert code == 2
    assert f"did you mean {command_names()[0]}" in error


def test_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(["--version"], monkeypatch, capsys)
    assert code == 0
    assert out.startswith("pokerlab ")


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom pokerlab.cli import main\nsys.argv = ['pokerlab', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('numba', 'scipy', 'numpy', 'matplotlib', 'duckdb') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"
