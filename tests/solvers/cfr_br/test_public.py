"""CFR-BR over the public form: steps of uneven spots hand by hand, the hybrid on average, suits alike, and values.

Run with NUMBA_BOUNDSCHECK=1 by `make test`.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import pytest

from naive.cfr_br import best_answer
from naive.public import row_sums
from naive.spot import PlainSpot, Tables, in_proportion
from pokerlab import registry
from pokerlab.cards.combos import COMBOS, combo_name
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.poker.betting_tree import Decision
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.solvers.cfr.cfr_br.public import Path, PublicCfrBr
from pokerlab.solvers.core.schedule import KEEP_AVERAGE
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.form import build_form
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.profiles import equivalent_rows
from pokerlab.tree.public.reading import stored_hands, stored_places
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.resources import Resources
from published import small_games as printed

BOARDS = {5: "Ks7h2d5c9s", 4: "Ks7h2d5c"}
KEPT = Path()  # nothing sampled


def range_of(board: str, count: int, seed: int) -> str:
    """So many weighted hands that do not meet a board."""
    cards = ["23456789TJQKA".index(board[i]) * 4 + "cdhs".index(board[i + 1]) for i in range(0, len(board), 2)]
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(np.flatnonzero(~np.isin(COMBOS, cards).any(axis=1)))[:count]
    return ",".join(f"{combo_name(int(hand))}:{rng.integers(20, 100) / 100:g}" for hand in chosen)


def uneven(cards: int, one: int, other: int) -> dict[str, Any]:
    """A spot whose players have ranges of so many hands, and menus unlike each other."""
    board = BOARDS[cards]
    seats = {
        "out_of_position": {"range": range_of(board, one, one), "bet": "50%,allin", "raise": "allin"},
        "in_position": {"range": range_of(board, other, 100 + other), "bet": "75%", "raise": ""},
    }
    return {"board": board, "pot": 100, "stack": 150} | seats


def plain_tree(settings: dict[str, Any]) -> PublicTree:
    return spot_tree(spot_from(settings), symmetric=False)


def started(tree: PublicTree, seed: int, **settings: Any) -> PublicCfrBr:
    """A solver that plays everything: where it never came, all answers would be equally good."""
    solver = registry.load("algorithms", "cfr-br", **settings).start(tree)
    assert isinstance(solver, PublicCfrBr)
    rng = np.random.default_rng(seed)
    scale = 50 * tree.pairs / sum(tree.weights[0])
    for store in (store for pair in solver.stores for store in pair):
        store.regret[:] = scale * rng.uniform(0.05, 1, len(store.regret))
        store.last[:] = scale * rng.uniform(-0.02, 1, len(store.last))
    for store in (store for pair in solver._in_trunk for store in pair):
        store.regret[:] = scale * rng.uniform(-0.5, 1, len(store.regret))
    return solver


def numbers(solver: PublicCfrBr, kind: str) -> list[list[np.ndarray]]:
    return [[np.array(getattr(store, kind), np.float64) for store in pair] for pair in solver.stores]


def assert_same(found: Tables, expected: Tables, plain: PlainSpot) -> None:
    scale = max(np.abs(table).max() for table in expected.values())
    assert scale > 0
    for (node, board), table in expected.items():
        free = ~np.isin(plain.cards[node.player], board).any(axis=1)  # type: ignore[union-attr]
        assert found[node, board][free] == pytest.approx(table[free], abs=1e-5 * scale)


@pytest.mark.parametrize(
    ("cards", "one", "other", "schedule"),
    [(5, 70, 33, "cfr"), (5, 1, 40, "dcfr"), (5, 33, 64, "pcfr+"), (4, 4, 37, "dcfr"), (4, 34, 3, "pcfr+")],
)
def test_a_step_is_that_of_every_pair_of_hands(cards: int, one: int, other: int, schedule: str) -> None:
    tree = plain_tree(uneven(cards, one, other))
    plain, rule = PlainSpot(tree), registry.load("algorithms", schedule).schedule
    for player in (0, 1):
        solver = started(tree, player, schedule=schedule)
        solver.iterations = 4
        before, averages = plain.tables(numbers(solver, "regret")), plain.tables(numbers(solver, "average"))
        last = {place: np.zeros_like(table) for place, table in before.items()}
        if schedule == "pcfr+":
            last = plain.tables(numbers(solver, "last"))
        plays = {place: in_proportion(table + last[place]) for place, table in before.items()}
        met = best_answer(plain, 1 - player, plays)
        for place in before:
            if place[0].player != player:  # type: ignore[union-attr]
                before[place], last[place] = met[place], np.zeros_like(last[place])
        regrets, shared = plain.step(player, rule, 5, before, averages, last)
        solver._move(player, solver._table(1), KEPT)
        assert_same(plain.tables(numbers(solver, "regret")), regrets, plain)
        after = plain.tables([[array / solver._weight for array in pair] for pair in numbers(solver, "average")])
        assert_same(after, shared, plain)


@pytest.mark.parametrize("schedule", ["cfr", "dcfr"])
@pytest.mark.parametrize("player", [0, 1])
def test_the_hybrid_is_right_on_average_over_boards(player: int, schedule: str) -> None:
    tree = plain_tree(uneven(4, 9, 35))
    plain, rival, rule = PlainSpot(tree), 1 - player, registry.load("algorithms", schedule).schedule
    solver = started(tree, 7, trunk=1, schedule=schedule)
    solver.iterations = 4
    plays = {place: in_proportion(table) for place, table in plain.tables(numbers(solver, "regret")).items()}
    in_trunk = [[store.regret for store in solver._in_trunk[0]], *[[store.regret for store in solver.stores[1]]]]
    for place, table in plain.tables(in_trunk).items():
        if place[0].player == rival and tree.places[place[0]].round == 0:  # type: ignore[union-attr]
            plays[place] = in_proportion(table)
    met = best_answer(plain, rival, plays, trunk=1)
    expected, regretted = plain.walk(player, met).regrets, plain.walk(rival, met).regrets
    state = {name: np.array(array) for name, array in solver.arrays().items()}
    step = rule.step(5)
    kept = [
        [array * np.where(array > 0, step.keep_positive, step.keep_negative) for array in pair] for pair in in_trunk
    ]
    before = numbers(solver, "regret")
    before = [
        [array * np.where(array > 0, step.keep_positive, step.keep_negative) for array in pair] for pair in before
    ]
    total, trunk_total, count = [[0.0, 0.0], [0.0, 0.0]], [0.0, 0.0], len(tree.rounds[1].boards)
    for board in range(count):
        solver.restore(state)
        solver._move(player, solver._table(1), Path((board,), (float(count),)))
        for number, pair in enumerate(numbers(solver, "regret")):
            total[number][player] = total[number][player] + pair[player] - before[number][player]
        trunk_total[rival] = trunk_total[rival] + np.array(solver._in_trunk[0][rival].regret) - kept[0][rival]
    changed = [[np.asarray(total[n][p]) if p == player else before[n][p] for p in (0, 1)] for n in (0, 1)]
    changed[0][player] /= count  # the trunk learns at every board, each board once
    assert_same(plain.tables(changed), expected, plain)
    changed[0][rival] = np.asarray(trunk_total[rival]) / count
    in_first = {place: table for place, table in regretted.items() if tree.places[place[0]].round == 0}
    assert_same(plain.tables(changed), in_first, plain)


@pytest.mark.parametrize("player", [0, 1])
def test_what_a_step_keeps_of_averages_is_kept_on_boards_that_a_path_leaves_out(player: int) -> None:
    tree = plain_tree(uneven(4, 3, 5))
    solver = started(tree, 7, trunk=1, schedule="dcfr")
    rng, count = np.random.default_rng(4), len(tree.rounds[1].boards)
    for store in (store for pair in solver.stores for store in pair):
        store.average[:] = rng.random(len(store.average))
    before, steps = numbers(solver, "average"), solver._table(1)
    steps[:, KEEP_AVERAGE] = 0.25  # where weights would grow too large
    solver._move(player, steps, Path((3,), (float(count),)))
    after = numbers(solver, "average")
    others = np.arange(count) != 3
    found, expected = (kept[1][player].reshape(count, -1)[others] for kept in (after, before))
    assert found == pytest.approx(0.25 * expected, rel=1e-6)
    for number in (0, 1):
        assert np.array_equal(after[number][1 - player], before[number][1 - player])


# ---- suits -----------------------------------------------------------------------------------------------------------


@cache
def canonical(hand: tuple[int, ...], board: tuple[int, ...]) -> int:
    """A number that hands and boards share which differ by names of suits alone."""
    named = [
        tuple(tuple(sorted(card // 4 * 4 + suits[card % 4] for card in part)) for part in (hand, board))
        for suits in permutations(range(4))
    ]
    return hash(min(named)) % 2**32


def fill_alike(solver: PublicCfrBr) -> None:
    """Regrets above zero that do not tell suits apart."""
    tree = solver.tree
    for node, place in tree.places.items():
        if isinstance(node, Decision):
            for number, board in enumerate(tree.rounds[place.round].boards):
                held = np.ones(len(tree.hands), bool)
                stored = solver.stores[place.round][node.player].regret
                hands = stored_hands(tree, node, number, held)
                for at, hand in zip(stored_places(tree, node, [number], held), hands, strict=True):
                    seed = [canonical(tuple(tree.hands[hand]), tuple(board)), place.node, place.round]
                    stored[at] = np.random.default_rng(seed).uniform(0.1, 1, len(at))


def suited(board: str, *, symmetric: bool = True) -> PublicTree:
    """A spot whose ranges treat suits alike."""
    seats = [
        {"range": "A8s:0.37,K9s:0.81,QQ:0.59", "bet": "50%"},
        {"range": "JJ:0.71,T9s,A2s:0.13,44:0.3", "bet": "75%,allin"},
    ]
    spot = {"board": board, "pot": 10, "stack": 35, "out_of_position": seats[0], "in_position": seats[1]}
    return spot_tree(spot_from(spot), symmetric=symmetric)


@pytest.mark.parametrize("board", ["Kh7h2h5c", "8d8h3c3s"])
def test_boards_that_stand_for_others_change_nothing(board: str) -> None:
    found = []
    for symmetric in (True, False):
        solver = PublicCfrBr(suited(board, symmetric=symmetric), registry.load("algorithms", "cfr").schedule)
        fill_alike(solver)
        solver.advance(1)
        found.append((solver.measure(), solver.measure_current()))
    assert len(solver.tree.rounds[1].boards) == 48
    for one, other in zip(*found, strict=True):
        assert one.values == pytest.approx(other.values, abs=1e-6 * 45)
        assert one.best_responses == pytest.approx(other.best_responses, abs=1e-6 * 45)


def assert_alike(tree: PublicTree, player: int, stored: list[list[np.ndarray]]) -> int:
    """How many hands do as another does, everywhere."""
    moved = 0
    for number, firsts in enumerate(equivalent_rows(tree, player)[: len(stored)]):
        rows = row_sums(tree, number, player, stored)
        assert np.array_equal(rows, np.take_along_axis(rows, firsts[:, :, None], axis=1))
        moved += int((firsts != np.arange(firsts.shape[1])).sum())
    return moved


@pytest.mark.parametrize("settings", [{}, {"trunk": 1}, {"trunk": 2, "schedule": "cfr+"}, {"schedule": "pcfr+"}])
@pytest.mark.parametrize("name", ["spot", "rhode-island(ranks=4, suits=4, raises=1)"])
def test_hands_that_differ_by_suits_play_alike_for_good(name: str, settings: dict[str, Any]) -> None:
    """By rounding alone, best responses among equally good actions would take them apart."""
    tree = suited("8d8h3c3s") if name == "spot" else public_tree(open_game(name))
    if settings.get("trunk", 0) >= len(tree.rounds):
        return
    solver = registry.load("algorithms", "cfr-br", **settings).start(tree, seed=3)
    for _ in range(30):
        solver.advance(1)
        if "trunk" not in settings:  # the best response to player 1 is still there
            assert assert_alike(tree, 0, [[store.regret for store in pair] for pair in solver._responses])
    for player in (0, 1):
        assert assert_alike(tree, player, numbers(solver, "regret"))
        if "pcfr+" in settings.values():
            assert_alike(tree, player, numbers(solver, "last"))
        in_trunk = [[store.regret for store in pair] for pair in solver._in_trunk]
        assert not in_trunk or assert_alike(tree, player, in_trunk)
    assert abs(sum(solver.measure().values)) < 1e-6


def test_best_responses_that_rounding_took_apart_are_made_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, rng = suited("8d8h3c3s"), np.random.default_rng(2)
    solver = registry.load("algorithms", "cfr-br").start(tree)

    def anything(sums: Any, player: int, path: Path, choice: list[np.ndarray]) -> None:
        for part in choice:
            part[:] = rng.random(len(part))

    monkeypatch.setattr(solver._best_response, "respond", anything)
    solver.advance(1)
    assert assert_alike(tree, 0, [[store.regret for store in pair] for pair in solver._responses])


# ---- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.uncompiled
def test_kuhn_has_its_value() -> None:
    solver = registry.load("algorithms", "cfr-br").start(public_tree(open_game("kuhn")))
    solver.advance(60)
    low, high = solver.measure().bounds
    assert low - 1e-6 <= printed.KUHN <= high + 1e-6
    assert high - low < 0.1


@pytest.mark.parametrize("settings", [{}, {"strategy": "current"}, {"schedule": "cfr+"}, {"trunk": 1}])
@pytest.mark.parametrize(("name", "value"), [("leduc", printed.LEDUC), ("one-card(cards=4)", printed.ONE_CARD_FOUR)])
def test_the_value_of_the_sequence_form_is_bracketed(name: str, value: float, settings: dict[str, Any]) -> None:
    tree = public_tree(open_game(name))
    if "trunk" in settings and name != "leduc":
        return
    solver = registry.load("algorithms", "cfr-br", **settings).start(tree, seed=1)
    left = []
    for iterations in (30, 400):
        solver.advance(iterations - solver.iterations)
        for found in (solver.measure(), solver.measure_current()):
            low, high = found.bounds
            assert low - 1e-5 <= value <= high + 1e-5
        left.append(solver.measure().exploitability)
    assert left[1] < left[0] / 3
    if "strategy" in settings:
        assert solver.measure() == solver.measure_current()
    elif "trunk" not in settings:
        other = registry.load("algorithms", "cfr-br", **settings).start(build_form(open_game(name), "sequence"))
        other.advance(400)
        assert solver.measure().exploitability == pytest.approx(other.measure().exploitability, rel=0.25)


@cache
def bracket(cards: int, one: int, other: int) -> tuple[float, float]:
    """The value of a spot, as dcfr brackets it."""
    found = solve(uneven(cards, one, other), iterations=150).bounds
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("spec", "iterations"), [("cfr-br", 60), ("cfr-br(strategy=current)", 60), ("cfr-br(trunk=1)", 800)]
)
def test_uneven_spots_are_solved_kept_and_resumed(spec: str, iterations: int, tmp_path: FilePath) -> None:
    """To the value that dcfr finds; threads change nothing, nor does stopping on the way."""
    for shape in ((5, 40, 7), (4, 5, 33)):
        if shape[0] == 5 and "trunk" in spec:
            continue
        settings, file = uneven(*shape), tmp_path / f"{shape[0]}.solution"
        often = {"measure_every": 500}
        solve(settings, algorithm=spec, iterations=7, save=file, threads=2, seed=5, **often)
        resumed = resume(file, iterations=iterations, threads=1, **often)
        whole = solve(settings, algorithm=spec, iterations=iterations, threads=2, seed=5, **often)
        for name, array in whole.state.items():
            assert np.array_equal(array, resumed.state[name]), name
        assert resumed.measure == whole.measure
        assert whole.bounds is not None
        low, high = bracket(*shape)
        assert whole.bounds[0] <= high
        assert low <= whole.bounds[1]
        assert whole.exploitability < 0.1 * 100


@pytest.mark.parametrize("trunk", [0, 1])
def test_locks_hold_for_players_and_their_best_responses(trunk: int) -> None:
    settings, lock = uneven(4, 12, 37), lock_from_text("check: check 30%, bet 75 70%")
    first = lock_from_text("bet 50: fold 100% with AA,KK,72o,T9s,A5s,88")
    solved = solve(settings, algorithm=f"cfr-br(trunk={trunk})", iterations=600 if trunk else 60, locks=[lock])
    assert solved.at("check").strategy() == pytest.approx({"check": 0.3, "bet 75": 0.7}, abs=1e-4)
    exact = solve(settings, iterations=100, locks=[lock])
    assert solved.value == pytest.approx(exact.value, abs=4)
    assert solve(settings, algorithm="cfr-br", iterations=2, locks=[lock, first]).exploitability > 0


def test_what_it_cannot_do_is_said() -> None:
    river, turn = plain_tree(uneven(5, 5, 6)), plain_tree(uneven(4, 3, 2))
    load = registry.load
    with pytest.raises(BadSetting, match="float32 only"):
        load("algorithms", "cfr-br").start(river, resources=Resources(storage="int16"))
    with pytest.raises(BadSetting, match="trunk must be at most 0, the rounds of .*, not 1"):
        load("algorithms", "cfr-br(trunk=1)").start(river)
    with pytest.raises(BadSetting, match=r"pcfr\+ predicts from the last step"):
        load("algorithms", "cfr-br(trunk=1, schedule='pcfr+')").start(turn)
    with pytest.raises(BadGame, match="two-player zero-sum"):
        solve(uneven(5, 5, 6) | {"rake": 0.05}, algorithm="cfr-br", iterations=1)
