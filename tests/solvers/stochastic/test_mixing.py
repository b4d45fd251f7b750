"""Values mixed with those of rounds before: on maps whose fixed points are known."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.solvers.stochastic.iteration import Mixing

SHAPE = (7, 3)


def affine(seed: int, largest: float) -> tuple[np.ndarray, np.ndarray]:
    """A matrix of 21 values whose eigenvalues reach from minus `largest` to 0.5, and the fixed point of its map."""
    rng = np.random.default_rng(seed)
    basis = np.linalg.qr(rng.normal(size=(21, 21)))[0]
    return basis @ np.diag(np.linspace(-largest, 0.5, 21)) @ basis.T, rng.normal(size=SHAPE)


def distance(mixing: Mixing, matrix: np.ndarray, fixed: np.ndarray, rounds: int) -> float:
    """How far from the fixed point values are after so many rounds."""
    values = np.zeros(SHAPE)
    for _ in range(rounds):
        found = fixed + (matrix @ (values - fixed).reshape(-1)).reshape(SHAPE)
        values = mixing.following(values, found)
    return float(np.abs(values - fixed).max())


@pytest.mark.parametrize("seed", range(3))
def test_swings_are_damped(seed: int) -> None:
    """A map that swings further each time: plain iteration leaves, a step comes back, and memory is faster."""
    matrix, fixed = affine(seed, 2.0)
    plain, damped, mixed = (
        distance(Mixing(step=step, memory=memory), matrix, fixed, 40) for step, memory in ((1, 0), (0.5, 0), (0.5, 4))
    )
    assert plain > 1e6
    assert damped < 1e-3
    assert mixed < damped / 100


def test_without_memory_it_is_a_step() -> None:
    tried, found = np.random.default_rng(0).normal(size=(2, *SHAPE))
    assert Mixing().following(tried, found) is found
    mixing = Mixing(step=0.3)
    for _ in range(3):
        assert mixing.following(tried, found) == pytest.approx(0.7 * tried + 0.3 * found)


def test_as_many_rounds_as_there_are_directions_are_enough() -> None:
    """Where residuals differ in two directions only, three rounds tell where they vanish: a secant in the plane."""
    rng = np.random.default_rng(4)
    fixed, directions = rng.normal(size=SHAPE), rng.normal(size=(2, *SHAPE))
    scales = np.array([-3.0, -0.7])
    amounts = np.array([1.0, 2.0])
    mixing = Mixing(step=0.5, memory=2)
    values = fixed + np.tensordot(amounts, directions, axes=1)
    across = directions.reshape(2, -1).T
    for _ in range(4):
        amounts = np.linalg.lstsq(across, (values - fixed).reshape(-1), rcond=None)[0]
        values = mixing.following(values, fixed + np.tensordot(scales * amounts, directions, axes=1))
    assert values == pytest.approx(fixed, abs=1e-8)


def test_only_the_last_rounds_are_remembered() -> None:
    rng = np.random.default_rng(1)
    rounds = rng.normal(size=(9, 2, *SHAPE))
    long, short = Mixing(step=0.5, memory=3), Mixing(step=0.5, memory=3)
    for tried, found in rounds:
        last = long.following(tried, found)
    for tried, found in rounds[-4:]:
        again = short.following(tried, found)
    assert (last == again).all()
    resumed = Mixing(step=0.5, memory=3)
    resumed.restore(long.arrays(SHAPE), SHAPE)
    tried, found = rng.normal(size=(2, *SHAPE))
    assert (resumed.following(tried, found) == long.following(tried, found)).all()


def test_sums_are_kept() -> None:
    """Values of a state are prizes, which sum to the pool whatever is mixed."""
    rng = np.random.default_rng(2)
    mixing = Mixing(step=0.4, memory=3)
    for _ in range(8):
        tried, found = rng.dirichlet(np.ones(3), size=(2, 7))
        assert mixing.following(tried, found).sum(1) == pytest.approx(np.ones(7))
