"""The evolve command: answers, checkpoints, refusals."""

import json
import subprocess
import sys

import pytest

SMALL = ["von-neumann(cards=12)", "--population", "60", "--rounds", "50", "--iterations"]


def pokerlab(*arguments):
    command = [sys.executable, "-m", "pokerlab", "evolve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_checkpoint_goes_on_to_the_same_result(tmp_path):
    path = str(tmp_path / "kept")
    whole = json.loads(pokerlab(*SMALL, "6", "--json").stdout)
    pokerlab(*SMALL, "2", "--checkpoint", path, "--json")
    resumed = json.loads(pokerlab(*SMALL, "6", "--checkpoint", path, "--json").stdout)
    assert resumed["strategies"] == whole["strategies"]
    assert resumed["iterations"] == 6
    refused = pokerlab(*SMALL, "6", "--checkpoint", path, "--seed", "1")
    assert refused.returncode == 2
    assert "another seed" in refused.stderr


def test_regret_matching_comes_near_the_exact_value():
    found = json.loads(pokerlab("von-neumann", "--method", "regret", "--iterations", "3000000", "--json").stdout)
    assert abs(found["value"] - found["exact_value"]) <= 2 * found["exploitability"]
    assert found["exploitability"] < 0.02


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["von-neumann(cards=1)"],
        ["von-neumann(ante=word)"],
        ["flop-poker(stack=3)"],
        ["von-neumann", "--population", "3"],
        ["von-neumann", "--fitness", "luck"],
        ["von-neumann", "--method", "magic"],
        ["von-neumann", "--checkpoint", "/dev/null"],
    ],
)
def test_bad_input_is_one_sentence(arguments):
    done = pokerlab(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()
