"""Linear programs solved by HiGHS, in the one shape that games need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.settings import one_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

METHODS = ("simplex", "ipm", "interior", "pdlp")  # of HiGHS; "interior" is ipm without crossover to a vertex
_INTERIOR_TOLERANCE = 1e-12
check_method = one_of(*METHODS)
Method = Annotated[str, check_method]


@dataclass(frozen=True)
class Basis:
    """Which variables and rows are basic, and at which bounds the others are, in HiGHS's numbering."""

    columns: np.ndarray  # [column] int8
    rows: np.ndarray  # [row] int8: in a program with more rows, the others are basic


@dataclass(frozen=True)
class Optimum:
    """The point, the prices of its rows, and how many iterations it took."""

    point: np.ndarray  # [column]
    prices: np.ndarray  # [row]: by how much the least cost grows with each row's bound
    iterations: int
    basis: Basis | None  # warm start for a later program; None for methods without a basis


def minimise(
    cost: np.ndarray,
    rows: csr_matrix,
    *,
    row_bounds: tuple[np.ndarray, np.ndarray],
    column_bounds: tuple[np.ndarray, np.ndarray],
    method: str = "simplex",
    tolerance: float | None = None,
    presolve: bool = True,
    start: Basis | None = None,
) -> Optimum:
    """Minimise the cost over points within bounds whose rows are within theirs. Infinite bounds mean no bound.

    `start` is the basis of a program with fewer rows: far faster if few rows are new.
    """
    import highspy

    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(cost), rows.shape[0]
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = column_bounds
    model.row_lower_, model.row_upper_ = row_bounds
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = rows.indptr
    model.a_matrix_.index_ = rows.indices
    model.a_matrix_.value_ = rows.data
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("small_matrix_value", 1e-12)  # smaller entries are treated as zero; this is the minimum
    highs.setOptionValue("solver", "ipm" if check_method("method", method) == "interior" else method)
    if method == "interior":
        highs.setOptionValue("run_crossover", "off")
        highs.setOptionValue("ipm_optimality_tolerance", _INTERIOR_TOLERANCE)
    if not presolve:
        highs.setOptionValue("presolve", "off")
    if tolerance is not None:
        highs.setOptionValue("primal_feasibility_tolerance", tolerance)
        highs.setOptionValue("dual_feasibility_tolerance", tolerance)
        highs.setOptionValue("pdlp_optimality_tolerance", tolerance)
    highs.passModel(model)
    if start is not None:
        _begin_at(highs, start, rows.shape[0])
    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise PokerlabError(
            f"the linear program was not solved ({highs.modelStatusToString(status)}); "
            f"try another method: {', '.join(METHODS)}"
        )
    solution, info = highs.getSolution(), highs.getInfo()
    steps = max(info.simplex_iteration_count, info.ipm_iteration_count, getattr(info, "pdlp_iteration_count", 0), 0)
    return Optimum(np.array(solution.col_value), np.array(solution.row_dual), int(steps), _basis_of(highs))


def _begin_at(highs: Any, start: Basis, rows: int) -> None:
    import highspy

    status = highspy.HighsBasisStatus
    basis = highspy.HighsBasis()
    basis.valid = True
    basis.col_status = [status(int(number)) for number in start.columns]
    basis.row_status = [status(int(number)) for number in start.rows] + [status.kBasic] * (rows - len(start.rows))
    highs.setBasis(basis)


def _basis_of(highs: Any) -> Basis | None:
    basis = highs.getBasis()
    if not basis.valid:
        return None
    return Basis(*(np.array(list(map(int, part)), np.int8) for part in (basis.col_status, basis.row_status)))
