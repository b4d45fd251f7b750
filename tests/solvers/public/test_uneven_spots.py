"""Spots whose two players have nothing alike, against a plain twin, on every street and at every edge of a block.

`make test` runs them with NUMBA_BOUNDSCHECK=1, where a place outside of an array raises; `make test-slow` also without.
The longest tests store one half of their spots in float32 and the other in int16, and the checked run the other way
round.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive.spot import PlainSpot, Tables
from pokerlab import registry
from pokerlab.cards.combos import CLASS_NAMES, COMBOS, combo_name
from pokerlab.errors import BadSetting
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.lab.spots.board_list import read_boards
from pokerlab.lab.spots.boards import report
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.spot import spot_tree

MOST_HANDS = {5: 70, 4: 40, 3: 4}  # by cards of the board: the twin looks at every pair on every board


def some_hands(rng: np.random.Generator, board: Any, count: int, *, weighted: bool) -> str:
    """A range of so many hands that do not meet the board, as text."""
    free = np.flatnonzero(~np.isin(COMBOS, board).any(axis=1))
    chosen = rng.permutation(free)[:count]
    weights = rng.integers(1, 100, len(chosen)) / 100 if weighted else np.ones(len(chosen))
    return ",".join(f"{combo_name(int(hand))}:{weight:g}" for hand, weight in zip(chosen, weights, strict=True))


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    """Whole spots: any board, two ranges of different sizes, menus, stacks, rake."""
    cards = draw(st.sampled_from([5, 5, 5, 4, 4, 3]))
    rng = np.random.default_rng(draw(st.integers(0, 10**9)))
    board = rng.permutation(52)[:cards]
    seats = [
        {
            "range": some_hands(rng, board, draw(st.integers(1, MOST_HANDS[cards])), weighted=draw(st.booleans())),
            "bet": draw(
                st.sampled_from(["", "50%", "33%,120%", "allin", "25%,75%,allin"] if cards > 3 else ["", "60%"])
            ),
            "raise": draw(st.sampled_from(["", "60%", "3x", "50%,allin"] if cards > 3 else ["", "allin"])),
        }
        for _ in range(2)
    ]
    names = "".join(f"{'23456789TJQKA'[card // 4]}{'cdhs'[card % 4]}" for card in board)
    made = {
        "board": names,
        "pot": draw(st.sampled_from([1, 7.5, 55, 1000])),
        "stack": draw(st.sampled_from([0, 2.5, 30, 97, 2000])),
        "raise_cap": draw(st.integers(0, 3 if cards > 3 else 1)),
        "rake": draw(st.sampled_from([0, 0.05, 0.5])),
        "rake_cap": draw(st.sampled_from([0.3, 10.0, 1e6])),
        "out_of_position": seats[0],
        "in_position": seats[1],
    }
    return spot_from(made)


def tree_of(spot: Spot) -> PublicTree:
    try:
        return spot_tree(spot, symmetric=False)
    except BadSetting as problem:  # the only two hands share a card
        assume("every pair shares a card" not in str(problem))
        raise


def random_state(solver: PublicSolver, rng: np.random.Generator) -> None:
    """Put random numbers everywhere, in the rows that no hand has too."""
    arrays = {}
    for name, array in solver.arrays().items():
        if name == "state":
            arrays[name] = np.array([5.0, 1.0])
        elif array.dtype == np.int16:
            low = 0 if name.startswith("average") else -30_000
            arrays[name] = rng.integers(low, 30_000, len(array)).astype(np.int16)
        elif "scale" in name:
            arrays[name] = (rng.random(len(array)) / 10_000 + 1e-5).astype(array.dtype)
        else:
            low = 0.0 if name.startswith("average") else -1.0
            arrays[name] = rng.uniform(low, 1.0, len(array)).astype(array.dtype)
    solver.restore(arrays)


def stored(solver: PublicSolver, kind: str) -> list[list[np.ndarray]]:
    """[round][player] What a solver stores of a kind as plain numbers, whole numbers times their unit."""
    found = []
    for level, pair in zip(solver.tree.rounds, solver.stores, strict=True):
        found.append([])
        for player, store in enumerate(pair):
            numbers = np.asarray(getattr(store, kind), np.float64)
            plex = level.treeplexes[player]
            if getattr(store, kind).dtype == np.int16 and plex.nodes:
                units = np.asarray(getattr(store, f"{kind}_scale"), np.float64).reshape(-1, plex.nodes)
                numbers = (
                    numbers.reshape(len(units), plex.slots, BLOCK) * np.repeat(units, plex.node_actions, 1)[..., None]
                ).ravel()
            found[-1].append(numbers)
    return found


def unit_of(solver: PublicSolver, kind: str) -> float:
    """The largest unit of whole numbers, or 0."""
    if solver.storage != "int16":
        return 0.0
    return float(max(getattr(store, f"{kind}_scale").max(initial=0) for pair in solver.stores for store in pair))


def assert_same(found: Tables, expected: Tables, *, present: PlainSpot, tolerance: float) -> None:
    for (node, board), table in expected.items():
        free = ~np.isin(present.cards[node.player], board).any(axis=1)  # type: ignore[union-attr]
        assert found[node, board][free] == pytest.approx(table[free], rel=2e-4, abs=tolerance)


@given(
    spots(),
    st.sampled_from(["cfr", "cfr+", "dcfr(gamma=4)", "pcfr+", "linear-cfr"]),
    st.sampled_from(["float32", "int16"]),
    st.integers(1, 3),
    st.integers(0, 10**9),
)
@settings(max_examples=40)
def test_a_step_and_a_measure_are_those_of_the_plain_twin(
    spot: Spot, algorithm: str, storage: str, threads: int, seed: int
) -> None:
    tree = tree_of(spot)
    schedule = registry.load("algorithms", algorithm).schedule
    assume(storage == "float32" or algorithm != "pcfr+")
    solver = PublicSolver(tree, schedule, threads=threads, storage=storage)
    random_state(solver, np.random.default_rng(seed))
    plain = PlainSpot(tree)
    before, averages = plain.tables(stored(solver, "regret")), plain.tables(stored(solver, "average"))
    last = {place: np.zeros_like(table) for place, table in before.items()}
    if algorithm == "pcfr+":
        last = plain.tables(stored(solver, "last"))
    solver.advance(1)
    after, average_after = plain.tables(stored(solver, "regret")), plain.tables(stored(solver, "average"))
    last_after = plain.tables(stored(solver, "last")) if algorithm == "pcfr+" else last
    scale = (spot.pot + spot.stack) * max(plain.weights[0].sum(), plain.weights[1].sum(), 1.0)
    for player in (0, 1):
        regrets, sums = plain.step(player, schedule, 6, before, averages, last)
        assert_same(after, regrets, present=plain, tolerance=1e-5 * scale + 0.51 * unit_of(solver, "regret"))
        shown = {place: table / solver._weight for place, table in average_after.items()}
        allowed = 1e-5 + 0.51 * unit_of(solver, "average") / solver._weight
        assert_same(shown, sums, present=plain, tolerance=allowed)
        for place in regrets:  # the second player's step starts from what the first player's left
            before[place], last[place] = after[place], last_after[place]
    found = solver.measure()
    values, answers = plain.measure(average_after)
    assert found.values == pytest.approx(values, abs=1e-6 * (spot.pot + spot.stack))
    assert found.best_responses == pytest.approx(answers, abs=1e-6 * (spot.pot + spot.stack))


# ---- every edge of a block, by the front door ---------------------------------------------------------------------

SIZES = (1, 31, 33, 1326)
BOARDS = {"river": "Ks7h2d5c9s", "turn": "Ks7h2d5c", "flop": "Ks7h2d"}


def range_of(count: int, seed: int, board: str) -> str:
    cards = ["23456789TJQKA".index(board[i]) * 4 + "cdhs".index(board[i + 1]) for i in range(0, len(board), 2)]
    return "random" if count == 1326 else some_hands(np.random.default_rng(seed), cards, count, weighted=count == 31)


def uneven(street: str, one: int, other: int, **changes: Any) -> dict[str, Any]:
    """A spot with ranges of so many hands, one menu richer than the other."""
    board = BOARDS[street]
    rich = {"bet": "50%,allin", "raise": "allin"} if street != "flop" else {"bet": "50%", "raise": ""}
    seats = {
        "out_of_position": {"range": range_of(one, one, board), **rich},
        "in_position": {"range": range_of(other, 100 + other, board), "bet": "allin", "raise": ""},
    }
    return {"board": board, "pot": 100, "stack": 150} | seats | changes


PAIRS = [(one, other) for one in SIZES for other in SIZES]
SHAPES = [(street, *pair) for street in ("river", "turn") for pair in PAIRS]
SHAPES += [("flop", 1, 33), ("flop", 33, 31), ("flop", 31, 1326), ("flop", 1326, 1)]


def storage_of(place: int) -> str:
    """How the spot at a place of a list is stored in this run; the run with indices checked has the other."""
    return ("float32", "int16")[(place + bool(numba.config.BOUNDSCHECK)) % 2]


@pytest.mark.parametrize(
    ("street", "one", "other", "storage"),  # as on a chessboard: each size, of either seat, is stored in both ways
    [(*shape, storage_of(place + place // 4 + place // 16)) for place, shape in enumerate(SHAPES)],
)
def test_every_size_of_range_meets_every_other(street: str, one: int, other: int, storage: str, tmp_path: Path) -> None:
    """Solve, measure, browse, keep and resume; the two seats' values add up to the pot wherever one looks."""
    threads = 2 if (one < other) == (storage == "int16") else 1  # of the two runs, one is on two threads
    file = tmp_path / "a.spot"
    solved = solve(uneven(street, one, other), iterations=2, storage=storage, threads=threads, save=file)
    assert sum(solved.values) == pytest.approx(100, abs=1e-4)
    assert solved.exploitability_percent >= 0
    for moves in ((), ("check",), ("check", "check"), ("bet 50",), ("check", "allin", "call")):
        view = solved.at(*moves)
        assert view.ev(0) + view.ev(1) == pytest.approx(view.pot, abs=2e-3), moves
        assert view.equity(0) + view.equity(1) == pytest.approx(1, abs=1e-6), moves
    if street != "river":
        dealt = solved.at("check", "check", "Td")
        assert dealt.ev(0) + dealt.ev(1) == pytest.approx(dealt.pot, abs=2e-3)
        assert len(dealt.table(0)) > 0
    if one + other > 1000 and street != "river":  # files of megabytes: once is enough
        return
    resumed = resume(file, iterations=4, threads=3 - threads)
    whole = solve(uneven(street, one, other), iterations=4, storage=storage, threads=threads)
    for name, array in whole.state.items():
        assert np.array_equal(array, resumed.state[name]), name
    assert resumed.measure == whole.measure


@pytest.mark.parametrize("street", BOARDS)
@pytest.mark.parametrize(("place", "one", "other"), [(0, 1, 33), (1, 33, 1), (2, 40, 97)])
def test_locked_and_raked_spots_and_their_best_responses(street: str, place: int, one: int, other: int) -> None:
    spot = uneven(street, one, other, rake=0.05, rake_cap=3.0)
    lock = lock_from_text("check: check 30%, allin 70%")
    solved = solve(spot, iterations=3, storage=storage_of(place + len(BOARDS[street]) // 2), threads=2, locks=[lock])
    assert 97.0 - 1e-6 <= sum(solved.values) < 100
    assert solved.at("check").strategy() == pytest.approx({"check": 0.3, "all-in 150": 0.7}, abs=1e-4)
    for player in (0, 1):
        answered = solved.best_response(player)
        assert answered.measure.values[player] == pytest.approx(solved.measure.best_responses[player], abs=1e-3)


def test_a_report_over_boards_of_every_street() -> None:
    settings_of_spot = uneven("flop", 33, 7)
    boards = read_boards("Ks7h2d, 8d8h3c5s, QsJhTd4c4d:2")
    rows = report(settings_of_spot, boards, iterations=2)
    assert [row.get("problem") for row in rows] == [None] * 3
    assert all(row["ev_out_of_position"] + row["ev_in_position"] == pytest.approx(100, abs=1e-4) for row in rows)


@given(st.integers(0, 10**9), st.sampled_from(["Kh7h2h5c", "Ks7h2d5c", "8d8h3c3s", "AhKh2h2d9h"]))
@settings(max_examples=12)
def test_boards_folded_by_symmetry_change_nothing_for_two_different_ranges(seed: int, board: str) -> None:
    rng = np.random.default_rng(seed)
    seats = [
        {"range": ",".join(rng.permutation(CLASS_NAMES)[: int(rng.integers(3, 40))]), "bet": bet, "raise": "allin"}
        for bet in ("50%", "75%,allin")
    ]
    spot = spot_from({"board": board, "pot": 10, "stack": 35, "out_of_position": seats[0], "in_position": seats[1]})
    folded, plain = (spot_tree(spot, symmetric=flag) for flag in (True, False))
    found = [PublicSolver(tree, registry.load("algorithms", "cfr").schedule).measure() for tree in (folded, plain)]
    assert found[0].values == pytest.approx(found[1].values, abs=1e-9)
    assert found[0].best_responses == pytest.approx(found[1].best_responses, abs=1e-9)
