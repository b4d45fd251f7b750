"""The engine of graphics cards against the CPU's: its programs run on a card, or compiled by a C++ compiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.solvers.cfr.public.cuda.solver import CudaPublicSolver
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.strategy.lock import lock_from_text, place_locks
from pokerlab.tree import machines
from pokerlab.tree.machines import card, card_or_reason, checking_machine, device_named
from pokerlab.tree.public.card_memory import check_card_memory
from pokerlab.tree.public.cuda.records import MachineTree, depths, steps_of
from pokerlab.tree.public.cuda.walk import SOURCES, Walks, arena_for, macros
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.resources import Resources

SEATS = {
    "out_of_position": {"range": "AA,76s,KQs,A5s,99,T9o", "bet": "50%,100%,allin", "raise": "100%,allin"},
    "in_position": {"range": "22+,A2s+", "bet": "66%", "raise": "100%"},
}
SPOTS: dict[str, dict[str, Any]] = {
    "river": {"board": "Ks7h2d5c9s", "pot": 100, "stack": 300, "rake": "5%", "rake_cap": 3},
    "turn": {"board": "KsQs7s2s", "pot": 100, "stack": 150},
    "flop": {"board": "Ks7s2s", "pot": 100, "stack": 100},
}
FEW = {"out_of_position": {"range": "AA,76s", "bet": "66%"}, "in_position": {"range": "AK:0.5,77", "bet": "66%"}}
MACHINES = ("checked", "card")


def machine_of(name: str) -> machines.Machine:
    if name == "card":
        if reason := card_or_reason():
            pytest.skip(reason)
        return card()
    machine = checking_machine()
    if machine is None:
        pytest.skip("no C++ compiler is installed, which would check the programs of the card")
    return machine


def tree_of(name: str) -> PublicTree:
    if name in SPOTS:
        return spot_tree(spot_from(SPOTS[name] | (FEW if name == "flop" else SEATS)))
    return public_tree(open_game(name))


@pytest.mark.parametrize("where", MACHINES)
@pytest.mark.parametrize(
    ("game", "algorithm", "storage"),
    [
        ("kuhn", "cfr(alternating=false)", "float32"),
        ("leduc", "dcfr(alternating=false)", "float32"),
        ("river", "pcfr+(alternating=false)", "float32"),
        ("river", "dcfr(alternating=false)", "int16"),
        ("turn", "cfr+(alternating=false)", "float32"),
        ("turn", "linear-cfr(alternating=false)", "int16"),
        ("flop", "dcfr(alternating=false)", "float32"),
    ],
)
def test_a_state_of_the_cpu_goes_on_as_on_the_cpu(where: str, game: str, algorithm: str, storage: str) -> None:
    """One step from one state: later ones may differ by more than rounding where actions are equally good."""
    machine = machine_of(where)
    tree, schedule = tree_of(game), registry.load("algorithms", algorithm).schedule
    ours = PublicSolver(tree, schedule, storage=storage)
    ours.advance(16)
    other = CudaPublicSolver(tree, schedule, machine=machine, storage=storage)
    other.restore(ours.arrays())
    stakes = tree.max_abs_payoff
    for iteration in (16, 17):
        one, two = ours.measure(), other.measure()
        tolerance = 1e-9 if iteration == 16 else 1e-4
        np.testing.assert_allclose(two.values, one.values, rtol=0, atol=tolerance * stakes)
        np.testing.assert_allclose(two.best_responses, one.best_responses, rtol=0, atol=tolerance * stakes)
        ours.advance(1)
        other.advance(1)
    expected, found = ours.arrays(), other.arrays()
    assert expected.keys() == found.keys()
    for name in expected:
        wide = 3 if storage == "int16" and not name.startswith(("state", "last")) else 0  # units of the integers
        assert found[name].dtype == expected[name].dtype
        largest = float(np.abs(expected[name]).max(initial=1e-9))
        if "scale" in name or not wide:
            np.testing.assert_allclose(found[name], expected[name], rtol=2e-3, atol=2e-4 * largest)
        else:
            assert np.mean(np.abs(found[name].astype(int) - expected[name]) > wide) < 1e-3


@pytest.mark.parametrize("where", MACHINES)
@pytest.mark.parametrize("game", ["leduc", "river"])
def test_equal_iterations_give_equal_solutions(where: str, game: str) -> None:
    tree, schedule = tree_of(game), registry.load("algorithms", "cfr").schedule
    one, two = PublicSolver(tree, schedule), CudaPublicSolver(tree, schedule, machine=machine_of(where))
    for solver in (one, two):
        solver.advance(60)
    pot = tree.pot or 1.0
    assert abs(one.measure().values[0] - two.measure().values[0]) < 1e-4 * pot
    assert abs(one.measure().exploitability - two.measure().exploitability) < 1e-4 * pot


@pytest.mark.parametrize("where", MACHINES)
@pytest.mark.parametrize(
    ("game", "iterations"), [("leduc", 1400), ("river", 1000), ("turn", 550), ("flop", 600), ("rhode-island", 3000)]
)
def test_engines_agree_near_equilibrium(where: str, game: str, iterations: int) -> None:
    """Before, the last bit of one regret separates two runs of one engine as far; see docs/howto/gpu.md."""
    if where == "checked" and game in ("flop", "rhode-island"):
        pytest.skip("takes minutes without a card")
    tree, schedule = tree_of(game), registry.load("algorithms", "dcfr(gamma=4)").schedule
    one, two = PublicSolver(tree, schedule), CudaPublicSolver(tree, schedule, machine=machine_of(where))
    for solver in (one, two):
        solver.advance(iterations)
    ours, other, pot = one.measure(), two.measure(), tree.pot or 1.0
    assert max(ours.exploitability, other.exploitability) < 1e-4 * pot
    assert abs(ours.values[0] - other.values[0]) < 1e-5 * pot


@pytest.mark.parametrize("where", MACHINES)
def test_a_run_does_not_depend_on_portions_or_pauses(where: str) -> None:
    tree, schedule, machine = tree_of("turn"), registry.load("algorithms", "dcfr").schedule, machine_of(where)
    whole = CudaPublicSolver(tree, schedule, machine=machine)
    parts = CudaPublicSolver(tree, schedule, machine=machine, most_arena=7e5)
    assert len(whole._walks.portions) == 1
    assert len(parts._walks.portions) > 2
    whole.advance(19)
    for count in (1, 11, 7):
        parts.advance(count)
    expected, found = whole.arrays(), parts.arrays()
    assert all(np.array_equal(expected[name], found[name]) for name in expected)
    assert whole.measure() == parts.measure()


def pairs_of_hands(tree: PublicTree, player: int, board: int) -> tuple[np.ndarray, np.ndarray]:
    """What each hand of a player wins from each of the opponent's (1, 0, -1), and the cards that those hold."""
    level = tree.rounds[-1]
    own, hands = level.hands[player], level.hands[1 - player]
    first, last = level.group_start[board : board + 2]
    order = [np.searchsorted(one.group[first : last - 1], np.arange(one.rows), side="right") for one in (own, hands)]
    cards, theirs = own.cards[board], hands.cards[board]
    apart = ~(cards[:, None, :, None] == theirs[None, :, None, :]).any(axis=(2, 3))
    return np.sign(order[0][:, None] - order[1]) * apart, (theirs[:, :, None] == np.arange(tree.tokens)).any(axis=1)


@pytest.mark.parametrize("where", MACHINES)
@pytest.mark.parametrize("game", ["leduc", "turn"])
@pytest.mark.parametrize(("real", "tolerance"), [(np.float32, 1e-6), (np.float64, 1e-13)])
def test_showdowns_equal_sums_over_pairs_of_hands(where: str, game: str, real: Any, tolerance: float) -> None:
    tree, machine, random = tree_of(game), machine_of(where), np.random.default_rng(3)
    base = MachineTree(machine, tree)
    arena, portions = arena_for(base, (real,), 1e9, 4e9)
    launch = machine.program(SOURCES, **macros(real, np.float32))
    walks = Walks(base, arena, real=real, storage=np.float32, launch=launch, portion=portions[real])
    level, space = tree.rounds[walks.last], walks.spaces[walks.last]
    boards = len(level.boards)
    for player, other in ((0, 1), (1, 0)):
        own, hands, plex = level.hands[player], level.hands[other], level.treeplexes[other]
        reach = random.random((boards, plex.roots + plex.slots, hands.rows)).astype(real)
        reach[np.broadcast_to(np.arange(hands.rows) >= hands.count[:, None, None], reach.shape)] = 0
        reach[1] = 0  # nothing is reached on this board
        strong = {}
        for board in range(2, boards, 2):  # and no strong hand on these
            group = level.group_start[board] + np.diff(level.group_start)[board] * 2 // 3
            strong[board] = slice(own.group[group], own.count[board])
            reach[board, :, hands.group[group] :] = 0
        machine.put_numbers(space.reach[other], reach)
        walks.value_lanes(walks.last, player, walks.arrays(walks.last, other, 0, {}), boards)
        sequences, showdowns, folds_from = base.lanes[walks.last][other]
        shapes = (boards, showdowns, own.rows), (boards, len(sequences) - folds_from, tree.tokens + 1)
        ahead, totals = (
            machine.host(machine.copied(address, int(np.prod(shape)), real)).reshape(shape)
            for address, shape in zip((space.ahead, space.totals), shapes, strict=True)
        )
        for board in range(boards):
            wins, held = pairs_of_hands(tree, player, board)
            weight = reach[board][sequences].astype(np.float64)
            found, most = ahead[board][:, : own.count[board]], weight.sum(axis=1).max()
            expected = (weight[:showdowns] @ wins.T)[:, : own.count[board]]
            np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * most)
            by_card = weight[folds_from:] @ np.column_stack([held, np.ones(hands.rows)])
            np.testing.assert_allclose(totals[board], by_card, rtol=0, atol=tolerance * most)
        for board, rows in strong.items():  # they win what they would if the others folded, to the last bit
            one, two = own.cards[board, rows].T
            by_fold = totals[board, : showdowns - folds_from]
            by_fold = by_fold[:, -1:] - by_fold[:, one] - by_fold[:, two]
            assert np.array_equal(ahead[board, folds_from:, rows], by_fold)


@pytest.mark.parametrize("where", MACHINES)
@pytest.mark.parametrize("storage", ["float32", "int16"])
def test_locks_hold_and_are_respected_by_best_responses(where: str, storage: str) -> None:
    tree, schedule = tree_of("river"), registry.load("algorithms", "dcfr").schedule
    locks = [lock_from_text("check: check"), lock_from_text("check, check: check 60%, bet 66 40%")][:1]
    solvers = [
        PublicSolver(tree, schedule, storage=storage),
        CudaPublicSolver(tree, schedule, machine=machine_of(where), storage=storage),
    ]
    for solver in solvers:
        place_locks(solver, locks, None)
        solver.advance(40)
        assert solver.keeps_locks()
    one, two = (solver.measure() for solver in solvers)
    np.testing.assert_allclose(two.best_responses, one.best_responses, atol=2e-3 * tree.pot)
    solvers[1].restore(solvers[0].arrays())
    np.testing.assert_allclose(solvers[1].measure().best_responses, one.best_responses, atol=1e-9 * tree.pot)


def test_a_file_of_one_device_is_resumed_on_the_other(tmp_path: Any, monkeypatch: Any) -> None:
    machine = machine_of("checked")
    monkeypatch.setattr(machines, "card", lambda: machine)
    monkeypatch.setattr(machines, "card_or_reason", lambda: "")
    path = tmp_path / "leduc.solution"
    first = solve("leduc", form="public", iterations=5, device="cuda", save=path)
    second = resume(path, iterations=12, device="cpu")
    third = resume(path, iterations=20, device="auto")
    alone = solve("leduc", form="public", iterations=20)
    assert (first.iterations, second.iterations, third.iterations) == (5, 12, 20)
    assert abs(third.exploitability - alone.exploitability) < 1e-3


def test_infosets_are_ordered_by_depth() -> None:
    plex = tree_of("turn").rounds[-1].treeplexes[0]
    depth = depths(plex)
    node_of = np.repeat(np.arange(plex.nodes), plex.node_actions)
    inner = plex.node_sequence >= plex.roots
    above = node_of[plex.node_sequence[inner] - plex.roots]
    assert (depth[inner] == depth[above] + 1).all()
    assert not depth[~inner].any()
    steps = steps_of(plex)
    assert sum(step[1] for step in steps) == plex.nodes
    assert sum(step[3] for step in steps) == plex.slots


def test_without_a_card_there_is_one_sentence(monkeypatch: Any) -> None:
    monkeypatch.setattr(machines, "find_spec", lambda name: None)
    card.cache_clear()
    assert device_named("auto") == "cpu"
    with pytest.raises(BadSetting, match=r"needs CuPy, which is not installed: pip install 'pokerlab\[cuda\]'"):
        device_named("cuda")
    with pytest.raises(BadSetting, match="the device is cpu, cuda or auto, not 'tpu'"):
        device_named("tpu")
    with pytest.raises(BadSetting, match="leave them out on a card"):
        Resources(threads=2, device="cuda").check("public")
    with pytest.raises(TooLarge, match="needs 10.2 GB on the card, which has 8 GB left; store int16"):
        check_card_memory(10e9, 8e9)
