"""Without vectors, or with a Numba that nobody tested, the range engine gives the same numbers.

The other way runs in a process of its own, as this file's own program: which vectors are used is settled at import.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numba
import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
SPOT = {
    "board": "Kh7h2h5c9s",
    "pot": 55,
    "stack": 97,
    "out_of_position": {"range": "22+,A2s+:0.5,KQo", "bet": "33%,120%", "raise": "3x"},
    "in_position": {"range": "88-55,QJs,AhKd:0.25", "bet": "75%,allin", "raise": ""},
}
ALGORITHMS = ("dcfr", "pcfr+")


def solved(algorithm: str, game: str) -> dict[str, list[float]]:
    """Some numbers of each stored array after some steps, and what is measured."""
    from pokerlab import registry
    from pokerlab.formats.opening import open_game
    from pokerlab.formats.spot_file import spot_from
    from pokerlab.solvers.public.solver import PublicSolver
    from pokerlab.tree.public.poker import public_tree
    from pokerlab.tree.public.spot import spot_tree

    tree = spot_tree(spot_from(SPOT)) if game == "spot" else public_tree(open_game(game))
    solver = PublicSolver(tree, registry.load("algorithms", algorithm).schedule, threads=2)
    solver.advance(3)
    measured = solver.measure()
    arrays = {name: array[:: max(1, len(array) // 500)].tolist() for name, array in solver.arrays().items()}
    return arrays | {"measured": [*measured.values, *measured.best_responses]}


def answers() -> dict[str, dict[str, list[float]]]:
    """All of them."""
    return {f"{algorithm} {game}": solved(algorithm, game) for algorithm in ALGORITHMS for game in ("spot", "leduc")}


def elsewhere(**environment: str) -> tuple[dict[str, dict[str, list[float]]], str]:
    """The same in another process, and what it said."""
    done = subprocess.run(
        [sys.executable, __file__],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout), done.stderr


@pytest.fixture(scope="module")
def with_vectors() -> dict[str, dict[str, list[float]]]:
    """The numbers of compiled vectors, in this process."""
    return answers()


@pytest.mark.parametrize(
    ("environment", "said"),
    [({"POKERLAB_PLAIN_LANES": "1"}, ""), ({"PRETENDED_NUMBA": "7.0.0"}, "Numba 7.0.0 is none of the versions 0.61")],
)
def test_plain_lanes_give_the_same(
    environment: dict[str, str], said: str, with_vectors: dict[str, dict[str, list[float]]]
) -> None:
    found, errors = elsewhere(**environment)
    assert said in errors
    assert found.keys() == with_vectors.keys()
    for name, numbers in with_vectors.items():
        assert found[name].keys() == numbers.keys()
        for kind, expected in numbers.items():
            scale = float(np.abs(expected).max(initial=0))
            assert found[name][kind] == pytest.approx(expected, rel=1e-4, abs=1e-5 * scale), (name, kind)


def test_the_installed_numba_is_one_of_those_tested() -> None:
    from pokerlab.tree.public._kernels import lanes

    assert lanes.tested(numba.__version__)
    assert not lanes.PLAIN
    assert lanes.WARNING == ""


def test_the_package_asks_for_the_versions_tested() -> None:
    from pokerlab.tree.public._kernels.lanes import TESTED

    first, end = (".".join(map(str, version)) for version in TESTED)
    with open(ROOT / "pyproject.toml", "rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    assert f"numba>={first},<{end}" in wanted


if __name__ == "__main__":
    numba.__version__ = os.environ.get("PRETENDED_NUMBA", numba.__version__)
    from pokerlab.tree.public._kernels import lanes

    assert lanes.PLAIN
    sys.stdout.write(json.dumps(answers()))
