"""Laws of every algorithm on games at the edge: any scale of payoffs, one player, nobody to decide, nothing to win."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from naive.random_game import Level, RandomGame
from pokerlab import registry
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.games.strategic import StrategicGame
from pokerlab.solvers.core.run import Stop, run
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.sequence import sequence_form

ALGORITHMS = [
    entry.name
    for entry in registry.available("algorithms")
    if {"sequence", "normal"} & set(registry.load("algorithms", entry.name).forms)
]
SPECS = [*ALGORITHMS, "lp(method='ipm')", "lp(method='pdlp')", "normal-lp(method='ipm')", "pure(schedule='dcfr')"]
POKER = (
    Level(-1, 2, (True, False)),
    Level(-1, 3, (False, True)),
    Level(0, 2, (True, True)),
    Level(1, 2, (True, True)),
    Level(0, 2, (True, True)),
)


def matrix(name: str, *rows: tuple[float, ...]) -> StrategicGame:
    """A zero-sum matrix game."""
    table = np.array(rows)
    names = tuple(tuple(f"{side}{i}" for i in range(size)) for side, size in zip("rc", table.shape, strict=True))
    payoffs = {(f"r{i}", f"c{j}"): (float(v), -float(v)) for (i, j), v in np.ndenumerate(table)}
    return StrategicGame(name, names, payoffs)


@cache
def trees() -> list[HistoryTree]:
    games = [open_game("kuhn"), open_game("rock-paper-scissors"), RandomGame(2, POKER, 3, True)]
    return [build(game) for game in [*games, RandomGame(2, POKER, 4, True, whole=True)]]


def scaled(tree: HistoryTree, scale: float) -> HistoryTree:
    return replace(tree, returns=tree.returns * scale)


def advanced(spec: str, tree: HistoryTree, iterations: int) -> Any:
    solver = registry.load("algorithms", spec).start(tree, seed=1)
    solver.advance(iterations)
    return solver


@pytest.mark.parametrize("spec", SPECS)
def test_powers_of_two_change_nothing(spec: str) -> None:
    """Bit for bit: profile, values, best responses, bounds."""
    for tree in trees():
        usual = advanced(spec, tree, 60)
        expected = usual.measure()
        for scale in (2.0**-40, 2.0**-3, 2.0**40):
            solver = advanced(spec, scaled(tree, scale), 60)
            found = solver.measure()
            assert np.array_equal(solver.profile(), usual.profile()), (tree.game, scale)
            assert found.values == tuple(value * scale for value in expected.values)
            assert found.bounds == tuple(bound * scale for bound in expected.bounds)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("scale", [1e-12, 1e9])
def test_every_scale_is_solved_alike(spec: str, scale: float) -> None:
    """Other scales round, and rounding may push play off an equilibrium on which whole numbers would stay."""
    iterations = 3_000 if registry.load("algorithms", spec).random else 400
    for tree in trees():
        usual = advanced(spec, tree, iterations).measure()
        found = advanced(spec, scaled(tree, scale), iterations).measure()
        most = (
            1e-6 * tree.max_abs_payoff
            if "lp" in spec
            else 2 * usual.exploitability + 2 * tree.max_abs_payoff * (2 / iterations) ** 0.5  # regret matching's bound
        )
        assert found.exploitability / scale <= most
        low, high = found.bounds
        assert low <= high + 1e-14 * tree.max_abs_payoff * scale
        assert low / scale <= usual.bounds[1] + 1e-9
        assert high / scale >= usual.bounds[0] - 1e-9


@pytest.mark.parametrize("spec", ["cfr", "dcfr", "pcfr+", "external", "pure"])
def test_targets_are_reached_at_the_same_iteration(spec: str) -> None:
    counts = set()
    for scale in (2.0**-40, 1.0, 2.0**40):
        solver = registry.load("algorithms", spec).start(scaled(trees()[0], scale), seed=1)
        done = run(solver, Stop(target=0.01 * scale, iterations=50_000))
        assert done.stopped == "target"
        counts.add(done.last.iterations)
    assert len(counts) == 1


@pytest.mark.parametrize("spec", ["lp", "lp(method='ipm')", "normal-lp", "normal-lp(method='ipm')"])
@pytest.mark.parametrize(
    ("game", "value"),
    [
        (matrix("offset", (1e9 + 1, 1e9 - 1), (1e9 - 2, 1e9 + 1)), 1e9 - 0.2),
        (matrix("huge", (1e9, 1e-3, 0), (0, 1e-3, 2e-3), (-1e9, -1e9, -1e9)), 1e-3),
        (matrix("saddle", (3, -1e-6, 2e-6), (1e-6, -2e-6, 3e-6), (-1e6, -1e6, -1e6)), -1e-6),
        (matrix("equal", (7, 7), (7, 7)), 7.0),
        (matrix("zero", (0, 0), (0, 0)), 0.0),
    ],
)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_programs_find_small_differences_beside_large_payoffs(
    spec: str, game: StrategicGame, value: float, scale: float
) -> None:
    tree = scaled(build(game), scale)
    found = advanced(spec, tree, 1).measure()
    rounding = 1e-15 * tree.max_abs_payoff + 1e-9 * abs(value) * scale
    assert found.exploitability <= rounding
    assert found.values[0] == pytest.approx(value * scale, abs=4 * rounding)


@pytest.mark.parametrize("scale", [1e-11, 1.0, 1e11])
def test_no_bounds_without_zero_sum(scale: float) -> None:
    tree = scaled(build(open_game("prisoners-dilemma")), scale)
    with pytest.raises(BadGame, match="not zero-sum"):
        registry.load("algorithms", "lp").start(tree)
    with pytest.raises(BadSetting, match="zero sum only"):
        _ = sequence_form(tree).measure(tree.uniform()).bounds


@pytest.mark.parametrize("payoff", [1e-200, 1e200])
def test_payoffs_at_the_end_of_floats_are_refused(payoff: float) -> None:
    tree = build(open_game("kuhn"))
    with pytest.raises(BadGame, match="largest payoff"):
        sequence_form(scaled(tree, payoff))


ALONE = (True,)
ONE_PLAYER = [
    (Level(-1, 3, ALONE), Level(0, 2, ALONE), Level(-1, 2, (False,)), Level(0, 3, ALONE)),
    (Level(-1, 3, (False,)), Level(0, 2, ALONE), Level(-1, 2, ALONE), Level(0, 3, ALONE), Level(0, 2, ALONE)),
    (Level(0, 4, ALONE),),
]


def best_value(game: Game, tree: HistoryTree) -> float:
    """What the only player can win."""
    return sequence_form(tree).measure(tree.uniform()).best_responses[0]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("levels", ONE_PLAYER)
@pytest.mark.parametrize("whole", [False, True])
def test_one_player_finds_his_best(algorithm: str, levels: tuple[Level, ...], whole: bool) -> None:
    method = registry.load("algorithms", algorithm)
    game = RandomGame(1, levels, 5, False, whole)
    tree = build(game)
    if method.two_player_zero_sum:
        with pytest.raises(BadGame, match="has 1 player; algorithms of the CFR family"):
            method.start(tree)
        return
    best = best_value(game, tree)
    solver = method.start(tree, seed=1)
    start = solver.measure().exploitability
    solver.advance(20_000 if method.random else 2_000)
    found = solver.measure()
    assert found.best_responses[0] == pytest.approx(best)
    assert found.exploitability <= 0.02 * start, (start, found)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("players", [1, 2, 3])
@pytest.mark.parametrize("moves", [(), (3,), (2, 3)])
@pytest.mark.parametrize("payoffs", [0.0, 1.0])
def test_games_without_a_decision_are_solved_at_once(
    algorithm: str, players: int, moves: tuple[int, ...], payoffs: float
) -> None:
    method = registry.load("algorithms", algorithm)
    levels = tuple(Level(-1, count, (True,) * players) for count in moves)
    tree = scaled(build(RandomGame(players, levels, 8, zero_sum=players == 2)), payoffs)
    if method.two_player_zero_sum and players != 2:
        return
    solver = method.start(tree, seed=1)
    solver.advance(3)
    found = solver.measure()
    chances = np.ones(tree.nodes)
    for node in range(1, tree.nodes):
        chances[node] = chances[tree.parent[node]] * tree.probability[node]
    expected = chances[tree.actor == -2] @ tree.returns[tree.label[tree.actor == -2]]
    assert found.values == pytest.approx(tuple(expected))
    assert found.exploitability == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("decider", [0, 1])
def test_who_decides_alone_finds_his_best(algorithm: str, players: int, decider: int) -> None:
    """The others have no decision at all."""
    method = registry.load("algorithms", algorithm)
    if method.two_player_zero_sum and players != 2:
        return
    seen = (True,) * players
    levels = (Level(-1, 3, seen), Level(decider, 2, seen), Level(-1, 2, seen), Level(decider, 3, seen))
    tree = build(RandomGame(players, levels, 6, zero_sum=players == 2))
    solver = method.start(tree, seed=1)
    start = solver.measure().exploitability
    solver.advance(20_000 if method.random else 2_000)
    assert solver.measure().exploitability <= 0.02 * start


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_nothing_to_win_is_an_equilibrium(algorithm: str) -> None:
    solver = advanced(algorithm, scaled(trees()[0], 0.0), 20)
    found = solver.measure()
    assert (found.exploitability, found.bounds) == (0, (0, 0))
    assert np.isfinite(solver.profile()).all()
