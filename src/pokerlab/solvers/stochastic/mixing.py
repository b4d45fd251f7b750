"""The next values, from those that strategies were solved for and those that the strategies have.

Plain iteration takes the latter. A *step* below 1 moves only that fraction towards them. *Anderson mixing* (D. G.
Anderson, "Iterative procedures for nonlinear integral equations", 1965; in the form of H. F. Walker and P. Ni, 2011)
also uses the last few rounds: it takes the combination of their values whose residuals, new values minus old, are
closest to zero, and takes a step from there. All of them have the same fixed points. Combinations are affine, so that
the values of a state keep their sum.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadFile, BadSetting

MOST_REMEMBERED = 50
SMALLEST = 1e-3  # smaller singular values, relative to the largest, are noise of fictitious play and are dropped


class Mixing:
    """The next values, with a memory of the last rounds."""

    def __init__(self, *, step: float = 1.0, memory: int = 0) -> None:
        if not 0 < step <= 1:
            raise BadSetting(f"the step (damping factor) must be above 0 and at most 1, got {step:g}")
        if not 0 <= memory <= MOST_REMEMBERED:
            raise BadSetting(f"values are mixed with 0 to {MOST_REMEMBERED} earlier rounds, not {memory}")
        self.step, self.memory = step, memory
        self._tried: list[np.ndarray] = []  # the last rounds' values, each as those of a round are
        self._residuals: list[np.ndarray] = []  # the resulting values minus themselves

    def following(self, tried: np.ndarray, reached: np.ndarray) -> np.ndarray:
        """The values to try next, after `tried` led to `reached`."""
        if self.step == 1 and not self.memory:
            return reached
        residual = reached - tried
        self._tried = [*self._tried, tried][-self.memory - 1 :]
        self._residuals = [*self._residuals, residual][-self.memory - 1 :]
        following = np.asarray(tried + self.step * residual)
        if len(self._tried) < 2:
            return following
        values, residuals = (np.diff(rounds, axis=0) for rounds in (self._tried, self._residuals))
        across = residuals.reshape(len(residuals), -1).T
        weights = np.linalg.lstsq(across, residual.reshape(-1), rcond=SMALLEST)[0]
        return np.asarray(following - np.tensordot(weights, values + self.step * residuals, axes=1))

    def arrays(self, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
        """What is remembered of rounds whose values have this shape."""
        return {
            "tried": np.array(self._tried).reshape(-1, *shape),
            "residuals": np.array(self._residuals).reshape(-1, *shape),
        }

    def restore(self, arrays: Mapping[str, np.ndarray], shape: tuple[int, ...]) -> None:
        """Remember what `arrays` gave, as much as the memory holds; files of earlier versions remember nothing."""
        rounds = [np.asarray(arrays.get(name, np.zeros((0, *shape))), float) for name in ("tried", "residuals")]
        for one in rounds:
            if one.shape[1:] != shape or len(one) != len(rounds[0]) or not np.isfinite(one).all():
                raise BadFile("this state is damaged: the rounds that it remembers belong to another game")
        self._tried, self._residuals = (list(one)[-self.memory - 1 :] for one in rounds)
