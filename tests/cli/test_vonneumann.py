"""The vonneumann command."""

import json
import subprocess
import sys

import pytest


def pokerlab(*arguments):
    command = [sys.executable, "-m", "pokerlab", "vonneumann", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_json_holds_exact_fractions():
    found = json.loads(pokerlab("--ante", "8", "--bet", "1", "--json").stdout)
    assert (found["x1"], found["value"]) == ("8/297", "64/297")
    assert found["family"][-1]["dealer"] == "25/297-1"


def test_margins_at_any_hand():
    """At x1 and x2 the equilibrium Player is indifferent, and between them the equilibrium Dealer is."""
    found = json.loads(pokerlab("--at", "1/9, 7/9, 1/2", "--json").stdout)
    assert found["e1"]["at"] == {"1/9": "0", "7/9": "0", "1/2": "-7/9"}
    assert set(found["e2"]["at"].values()) == {"0"}
    assert pokerlab("--at", "3/2").returncode == 2


def test_checks_and_draws(tmp_path):
    done = pokerlab("--player", "0-1", "--dealer", "1/9-7/9:1/3, 7/9-1", "--out", str(tmp_path / "drawn"))
    assert done.returncode == 0
    assert "an equilibrium strategy, dominated" in " ".join(done.stdout.split())
    names = {path.name for path in (tmp_path / "drawn").iterdir()}
    assert names == {"strategies.png", "strategies.svg", "margins.png", "margins.svg"}


@pytest.mark.parametrize(
    "arguments", [["--ante=-1"], ["--bet=0"], ["--player", "5-6"], ["--dealer", "\u00e4"], ["--family=1"]]
)
def test_bad_input_is_one_sentence(arguments):
    done = pokerlab(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
