"""Libraries that only some commands need are imported by those alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

OPTIONAL = {"duckdb", "matplotlib", "pokerkit"}
RUN = "import sys; sys.argv = ['pokerlab', {}]; from pokerlab.cli import main; main()"


def imported_modules(program: str) -> set[str]:
    """The modules that a program imports, by `python -X importtime`."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


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
    packages = {module.partition(".")[0] for module in imported_modules(program)}
    assert packages >= {"pokerlab", *needed}
    assert not packages & OPTIONAL


@pytest.mark.parametrize(
    ("words", "unused"),
    [
        ("'equity', 'AA', 'KK', '--board', 'Th5h2c'", {"pokerlab.solvers", "pokerlab.tree"}),
        ("'spot', 'examples/river.toml'", {"pokerlab.match"}),
    ],
)
def test_cached_kernels_load_without_the_compiler(words: str, unused: set[str]) -> None:
    """Numba imports a hundred modules, SciPy's linear algebra among them, before it compiles."""
    modules = imported_modules(RUN.format(words))
    if "numba.np.arraymath" in modules:  # it has filled the cache
        modules = imported_modules(RUN.format(words))
    assert modules >= {"numba.core.dispatcher", "pokerlab.compiled"}
    assert not modules & {"scipy.linalg", "numba.np.arraymath", *unused}
