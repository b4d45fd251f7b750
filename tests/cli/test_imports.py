"""Libraries that only some commands need are imported by those alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

OPTIONAL = {"duckdb", "matplotlib", "pokerkit"}
RUN = "import sys; sys.argv = ['pokerlab', {}]; from pokerlab.cli import main; main()"


def imported(program: str) -> set[str]:
    """The packages that a program imports, by `python -X importtime`."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


@pytest.mark.parametrize(
    ("program", "needed"),
    [
        ("import pokerlab", set()),
        (RUN.format("'equity', 'AhKh', 'QsQd'"), {"numba"}),
        (RUN.format("'solve', 'kuhn'"), {"numba"}),
        (RUN.format("'match', 'random', 'random', '--game', 'kuhn', '--hands', '10'"), {"numpy"}),
    ],
)
def test_what_is_not_used_is_not_imported(program: str, needed: set[str]) -> None:
    found = imported(program)
    assert found >= {"pokerlab", *needed}
    assert not found & OPTIONAL
