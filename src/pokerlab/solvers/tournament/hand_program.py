"""A hand of push or fold solved again from a solution nearby: a linear program over the hands in doubt alone."""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.program.linear_program import minimise
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.tree.roles import RoleForm

DOUBT = 0.02  # of the range of payoffs: a margin beyond it is taken to keep its sign
EXACT = 1e-12  # of the range of payoffs: the gap of a solution that needs no larger program


def refined(form: RoleForm, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """An equilibrium in which only hands with small margins are in question; None where it is none of the whole.

    maximise sum over j of t[j], where t[j] is at most what each answer b of the second role leaves; for a j whose
    answer is clear t[j] is that answer's, and is put into the objective.
    """
    from scipy.sparse import csr_matrix

    scale = float(np.ptp(form.payoffs)) or 1.0
    own, others = form.margins(first, second)
    free, asked = np.flatnonzero(np.abs(own) < DOUBT * scale), np.flatnonzero(np.abs(others) < DOUBT * scale)
    first, second = (own > 0).astype(float), (others > 0).astype(float)
    fixed = first.copy()
    fixed[free] = 0.0
    utilities = form.utilities
    gains = utilities[1] - utilities[0]  # [b, i, j]
    left = utilities[0].sum(1) + np.einsum("i,bij->bj", fixed, gains)  # [b, j]: without the hands in doubt
    clear = np.setdiff1d(np.arange(len(second)), asked)
    chosen = second[clear].astype(int)
    objective = np.concatenate([gains[chosen, :, clear].sum(0)[free], np.ones(len(asked))])
    identity = np.eye(len(asked))
    matrix = np.block([[-gains[b][np.ix_(free, asked)].T, identity] for b in (0, 1)])
    bounds = np.array([[0.0, 1.0]] * len(free) + [[-np.inf, np.inf]] * len(asked)).reshape(-1, 2)
    if len(objective):
        optimum = minimise(
            -objective,
            csr_matrix(matrix),
            row_bounds=(np.full(len(matrix), -np.inf), left[:, asked].reshape(-1)),
            column_bounds=(bounds[:, 0].copy(), bounds[:, 1].copy()),
            tolerance=1e-10,
        )
        first[free] = np.clip(optimum.point[: len(free)], 0, 1)
        folded, called = np.abs(optimum.prices).reshape(2, -1)
        second[asked] = np.clip(called / np.maximum(folded + called, 1e-300), 0, 1)
    gap = measure_roles(form, first, second).nash_conv / form.chips
    return (first, second) if gap < EXACT * scale else None
