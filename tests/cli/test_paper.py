"""The paper command: listing and refusing; papers themselves are tested in tests/papers."""

import json
import subprocess
import sys

import pytest


def pokerlab(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "pokerlab", "paper", *arguments], capture_output=True, text=True, timeout=120
    )


def test_lists_papers():
    assert "papers" in json.loads(pokerlab("--json").stdout)


@pytest.mark.parametrize("name", ["", "-1", "nosuch", "../../etc/passwd", "x" * 5000, "ä♠"])
def test_unknown_paper_is_one_sentence(name):
    done = pokerlab("--", name)
    assert done.returncode == 2
    assert "there is no paper" in done.stderr
    assert "Traceback" not in done.stderr
