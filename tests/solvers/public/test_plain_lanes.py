"""The range engine gives the same numbers, from compiled code: as users compile it, without vectors of LLVM, or with an
untested Numba.

Each runs in a process of its own, with this file as its program: Numba reads its settings when it is imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import numba
import numpy as np
import pytest

if __name__ == "__main__":  # compiled.py reads the version when it is imported
    numba.__version__ = os.environ.get("PRETENDED_NUMBA", numba.__version__)

from pokerlab import compiled, registry
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.spot import spot_tree

ROOT = Path(__file__).parents[3]
SPOT = {
    "board": "Kh7h2h5c9s",
    "pot": 55,
    "stack": 97,
    "out_of_position": {"range": "22+,A2s+:0.5,KQo", "bet": "33%,120%", "raise": "3x"},
    "in_position": {"range": "88-55,QJs,AhKd:0.25", "bet": "75%,allin", "raise": ""},
}
ALGORITHMS = ("dcfr", "pcfr+")


def solver_of(algorithm: str, game: str) -> PublicSolver:
    """A solver that has not begun."""
    tree = spot_tree(spot_from(SPOT)) if game == "spot" else public_tree(open_game(game))
    return PublicSolver(tree, registry.load("algorithms", algorithm).schedule, threads=2)


def solved(algorithm: str, game: str) -> dict[str, list[float]]:
    """Some numbers of each stored array after some steps, and what is measured."""
    solver = solver_of(algorithm, game)
    solver.advance(3)
    measured = solver.measure()
    arrays = {name: array[:: max(1, len(array) // 500)].tolist() for name, array in solver.arrays().items()}
    return arrays | {"measured": [*measured.values, *measured.best_responses]}


def answers(tasks: Sequence[str]) -> dict[str, dict[str, list[float]]]:
    """All of them, by algorithm and game."""
    return {task: solved(*task.split()) for task in tasks}


def elsewhere(*tasks: str, **environment: str) -> tuple[dict[str, dict[str, list[float]]], str]:
    """The same in another process, without this one's settings of Numba, and its standard error."""
    ours = {name: value for name, value in os.environ.items() if name not in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")}
    done = subprocess.run(
        [sys.executable, __file__, *tasks], env=ours | environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize(
    ("tasks", "environment"),
    [
        pytest.param(["dcfr spot"], {}, id="as users compile"),
        pytest.param(
            [f"{algorithm} {game}" for algorithm in ALGORITHMS for game in ("spot", "leduc")],
            {"POKERLAB_PLAIN_LANES": "1"},
            id="without vectors",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_kernels_compiled_otherwise_give_the_same(tasks: list[str], environment: dict[str, str]) -> None:
    found, _ = elsewhere(*tasks, **environment)
    expected_answers = answers(tasks)
    assert found.keys() == expected_answers.keys()
    for name, numbers in expected_answers.items():
        assert found[name].keys() == numbers.keys()
        for kind, expected in numbers.items():
            scale = float(np.abs(expected).max(initial=0))
            assert found[name][kind] == pytest.approx(expected, rel=1e-4, abs=1e-5 * scale), (name, kind)


def test_an_untested_numba_has_plain_lanes_and_a_notice() -> None:
    _, errors = elsewhere(PRETENDED_NUMBA="7.0.0")
    assert "not tested with Numba 7.0.0; install a version from 0.61 to before 0.69" in errors


def test_the_package_asks_for_the_versions_tested() -> None:
    first, end = (".".join(map(str, version)) for version in compiled.TESTED_NUMBA)
    with open(ROOT / "pyproject.toml", "rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    assert f"numba>={first},<{end}" in wanted


if __name__ == "__main__":
    from pokerlab.solvers.cfr.public._kernels import rounds
    from pokerlab.tree.public._kernels import plain_lanes

    assert (rounds.take is plain_lanes.take) == compiled.PLAIN_LANES
    if "PRETENDED_NUMBA" in os.environ:
        assert compiled.PLAIN_LANES
        solver_of("dcfr", "leduc")  # gives the notice; the kernels are those of the other test
        sys.stdout.write("{}")
    else:
        assert ("POKERLAB_PLAIN_LANES" in os.environ) == compiled.PLAIN_LANES
        sys.stdout.write(json.dumps(answers(sys.argv[1:])))
        assert rounds.advance_portions.nopython_signatures  # compiled, and not run as Python
