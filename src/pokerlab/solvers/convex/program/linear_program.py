"""Linear programs solved by HiGHS, in the one shape that games need, and the solver that runs one.

Sequence-form programs are over one player's plan: their variables are a plan x, defined by rows of its own
(`plan_rows`), and values, which may be negative. The opponent's options limit the values: linear constraints on x and
the values together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.settings import one_of
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.tree.form import Form

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from pokerlab.tree.bucketed.betting import BettingForm

METHODS = ("simplex", "ipm", "interior", "pdlp")  # of HiGHS; "interior" is ipm without crossover to a vertex
_INTERIOR_TOLERANCE = 1e-12
_TOLERANCES = ("primal_feasibility", "dual_feasibility", "pdlp_optimality")
check_method = one_of(*METHODS)
Method = Annotated[str, check_method]


class OutOfTime(PokerlabError):
    """A linear program that was not solved within its time limit."""


@dataclass(frozen=True)
class Basis:
    """Which variables and rows are basic, and at which bounds the others are, in HiGHS's numbering."""

    columns: np.ndarray  # [column] int8
    rows: np.ndarray  # [row] int8: in a program with more rows, the others are basic


@dataclass(frozen=True)
class Optimum:
    """The point, and the prices of its rows."""

    point: np.ndarray  # [column]
    prices: np.ndarray  # [row]: by how much the least cost grows with each row's bound
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
    seconds: float | None = None,
) -> Optimum:
    """Minimise the cost over points within bounds whose rows are within theirs. Infinite bounds mean no bound.

    `start` is the basis of a program with fewer rows: far faster if few rows are new. OutOfTime after `seconds`.
    """
    import highspy

    options: dict[str, Any] = {"solver": "ipm" if check_method("method", method) == "interior" else method}
    if method == "interior":
        options |= {"run_crossover": "off", "ipm_optimality_tolerance": _INTERIOR_TOLERANCE}
    if not presolve:
        options["presolve"] = "off"
    if tolerance is not None:
        options |= {f"{part}_tolerance": tolerance for part in _TOLERANCES}
    if seconds is not None:
        options["time_limit"] = seconds
    highs = program_in_highs(cost, rows, row_bounds, column_bounds, options)
    if start is not None:
        _begin_at(highs, start, rows.shape[0])
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kTimeLimit:
        raise OutOfTime(f"the linear program was not solved in {seconds:.3g} s")
    if status != highspy.HighsModelStatus.kOptimal:
        raise PokerlabError(
            f"the linear program was not solved ({highs.modelStatusToString(status)}); "
            f"try another method: {', '.join(METHODS)}"
        )
    solution, basis = highs.getSolution(), highs.getBasis()
    statuses = (np.array(list(map(int, part)), np.int8) for part in (basis.col_status, basis.row_status))
    return Optimum(np.array(solution.col_value), np.array(solution.row_dual), Basis(*statuses) if basis.valid else None)


def program_in_highs(
    cost: np.ndarray,
    rows: csr_matrix,
    row_bounds: tuple[np.ndarray, np.ndarray],
    column_bounds: tuple[np.ndarray, np.ndarray],
    options: Mapping[str, Any],
) -> Any:
    """A program as HiGHS holds it, with these of its options; it runs on one thread and prints nothing."""
    import highspy

    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = rows.shape
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = column_bounds
    model.row_lower_, model.row_upper_ = row_bounds
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = rows.indptr, rows.indices, rows.data
    highs = highspy.Highs()
    smallest = {"small_matrix_value": 1e-12}  # smaller entries are treated as zero; this is the minimum
    for name, value in ({"output_flag": False, "threads": 1} | smallest | dict(options)).items():
        highs.setOptionValue(name, value)
    highs.passModel(model)
    return highs


def _begin_at(highs: Any, start: Basis, rows: int) -> None:
    import highspy

    status = highspy.HighsBasisStatus
    basis = highspy.HighsBasis()
    basis.valid = True
    basis.col_status = [status(int(number)) for number in start.columns]
    basis.row_status = [status(int(number)) for number in start.rows] + [status.kBasic] * (rows - len(start.rows))
    highs.setBasis(basis)


def plan_rows(form: Form, player: int) -> csr_matrix:
    """The rows that define a plan: the empty sequence (column 0) is 1, each infoset's sequences sum to its parent."""
    from scipy.sparse import csr_matrix

    start, parent = form.treeplexes.single(player)
    infosets, sequences = np.arange(1, len(parent) + 1), np.arange(1, int(start[-1]))
    row = np.r_[0, np.repeat(infosets, np.diff(start)), infosets]
    column = np.r_[0, sequences, parent]
    sign = np.r_[1.0, np.ones(len(sequences)), -np.ones(len(parent))]
    return csr_matrix((sign, (row, column)), shape=(len(parent) + 1, int(start[-1])))


class PlanOptimum(NamedTuple):
    """The best plan, the prices of the constraints on its value, its cost, and a basis for a later program."""

    plan: np.ndarray  # [sequence], the empty one first; nowhere negative
    prices: np.ndarray  # [limit]
    cost: float
    basis: Basis | None


def best_plan(
    rules: csr_matrix,
    limits: csr_matrix,
    *,
    equalities: int = 0,
    cost: np.ndarray | None = None,
    least: np.ndarray | None = None,
    **settings: Any,
) -> PlanOptimum:
    """The plan of least cost; by default, the one whose first value is largest.

    `rules` [row, sequence] define a plan. Of `limits` [limit, sequences + values] the first `equalities` equal 0 and
    the others are at most 0. `least` [value] are lower bounds of the values, -inf for none. `settings` are those of
    `minimise`.
    """
    from scipy.sparse import csr_matrix, hstack, vstack

    plans, columns = rules.shape[1], limits.shape[1]
    worths = columns - plans
    if cost is None:
        cost = np.zeros(columns)
        cost[plans] = -1.0
    if least is None:
        least = np.full(worths, -np.inf)
    made = np.zeros(rules.shape[0])
    made[0] = 1.0
    free = np.full(limits.shape[0] - equalities, -np.inf)
    optimum = minimise(
        cost,
        csr_matrix(vstack([hstack([rules, csr_matrix((rules.shape[0], worths))]), limits])),
        row_bounds=(np.r_[made, np.zeros(equalities), free], np.r_[made, np.zeros(limits.shape[0])]),
        column_bounds=(np.r_[np.zeros(plans), least], np.full(columns, np.inf)),
        **settings,
    )
    plan, prices = np.maximum(optimum.point[:plans], 0.0), optimum.prices[rules.shape[0] :]
    return PlanOptimum(plan, prices, float(cost @ optimum.point), optimum.basis)


class ProgramSize(NamedTuple):
    """The size of the sequence-form program of Koller, Megiddo and von Stengel for the first player's strategy.

    Rows are the first player's sequences, and an equation for each infoset of the second and their empty sequence;
    columns are the second's sequences, and a value for each infoset of the first and their empty sequence.
    """

    rows: int
    columns: int


def program_size(betting: BettingForm, counts: Sequence[int]) -> ProgramSize:
    """The size of a program with this many hands, or classes of hands, per round, without building it."""
    infosets, sequences = [0, 0], [1, 1]
    arrays = betting.arrays
    for player in (0, 1):
        for round_index, count in enumerate(counts):
            own = np.flatnonzero((arrays.actor == player) & (arrays.round == round_index))
            infosets[player] += count * len(own)
            sequences[player] += count * int(arrays.moves[own].astype(np.int64).sum())
    return ProgramSize(sequences[0] + infosets[1] + 1, sequences[1] + infosets[0] + 1)


def undominated_size(betting: BettingForm, counts: Sequence[int], unbeaten: int) -> ProgramSize:
    """The same without dominated actions in the last round, for this many classes of hands that no hand beats.

    Such a class never needs to fold; and where it may raise, it never needs to end the hand by calling or checking
    behind: an opponent who folds to the raise loses as much, one who calls loses more, and a reraise is welcome.
    """
    whole, arrays, dropped = program_size(betting, counts), betting.arrays, [0, 0]
    for node in np.flatnonzero((arrays.actor >= 0) & (arrays.round == len(counts) - 1)).tolist():
        first, moves = int(arrays.first[node]), int(arrays.moves[node])
        ends = int((arrays.actor[first : first + moves] < 0).sum())
        kept = 0 if ends < moves else 1  # without a raise, a call stays
        dropped[int(arrays.actor[node])] += unbeaten * (ends - kept)
    return ProgramSize(whole.rows - dropped[0], whole.columns - dropped[1])


class DirectSolver(ProfileSolver):
    """Solves in the first iteration; later ones change nothing. Before that, the profile is uniform."""

    counted = ("iterations",)

    def __init__(self, form: Form, solve: Callable[[], np.ndarray]) -> None:
        super().__init__(form)
        self._solve = solve
        self._plan = form.plan(form.uniform())  # [S]

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.iterations > 0

    @property
    def nodes_touched(self) -> int:
        """A program reads the whole game once."""
        return self.game.nodes_per_pass if self.finished else 0

    def advance(self, iterations: int) -> None:
        if not self.finished and iterations > 0:
            self._plan = self._solve()
            self.iterations = 1

    def result(self) -> np.ndarray:
        return self.game.behaviour(self._plan)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {"plan": self._plan}
