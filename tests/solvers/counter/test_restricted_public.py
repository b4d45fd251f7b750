"""Counter-strategies in the public form: against the sequence form, a plain twin by hands, and at both ends of p."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from naive.counter import PlainRestrictedSpot
from naive.public import PublicGame, history_numbers, history_profile, random_public_game, random_public_games
from pokerlab import registry
from pokerlab.cards.combos import COMBOS, combo_name
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.poker.betting_tree import FoldPayoffs
from pokerlab.solvers.analysis.restriction import Restriction, held_by_infoset, held_for_the_game
from pokerlab.solvers.cfr.fixed import FixedCfr, measure_fixed
from pokerlab.solvers.cfr.public.restricted import RestrictedPublicSolver
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.tree.history.layout import build
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.profiles import joined, parts, shares
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.sequence import SequenceForm, sequence_form
from uncompiled import examples

KEPT = ("regret", "average")
SHARES = (0.0, 0.3, 0.9, 1.0)
SPOTS = {  # board, hands of each range, bets of each
    "river": ("Ks7h2d5c9s", (33, 40), ("50%,allin", "allin")),
    "turn": ("Ks7h2d5c", (4, 33), ("60%", "allin")),
    "flop": ("Ks7h2d", (3, 5), ("", "60%")),
}


def schedule(spec: str) -> Any:
    return registry.load("algorithms", spec).schedule


def uneven(tree: PublicTree, seed: int) -> np.ndarray:
    """Any behaviour, with actions that are never taken in it and some that alone are.  # [A]"""
    rng = np.random.default_rng(seed)
    return (rng.random(tree.slots) ** 3 * (rng.random(tree.slots) < 0.7)).astype(np.float32)


def restricted(tree: PublicTree, seed: int, *, player: int, p: float, by_infoset: bool) -> Restriction:
    model, rng = uneven(tree, seed), np.random.default_rng([seed, 1])
    if not by_infoset:
        return held_for_the_game(tree, model, p, player=player)
    return held_by_infoset(tree, model, p * uneven_confidence(tree, rng), player=player)


def uneven_confidence(tree: PublicTree, rng: np.random.Generator) -> np.ndarray:
    """Any confidence in each infoset, none in some and all in others.  # [A]"""
    first = np.zeros(tree.slots)
    for pair, level in zip(parts(tree, first), tree.rounds, strict=True):
        for part, plex in zip(pair, level.treeplexes, strict=True):
            blocks = part.reshape(-1, plex.slots, 32) if plex.slots else part.reshape(0, 0, 32)
            blocks[:, plex.node_slot] = rng.choice([1e-9, 0.2, 0.5, 0.99, 1.0], (len(blocks), plex.nodes, 32))
    return tree.infoset_sums(first)


def in_sequences(game: PublicGame, form: SequenceForm, tree: PublicTree, found: Restriction) -> Restriction:
    """The same restriction in the sequence form."""
    model = history_profile(game, form.tree, tree, parts(tree, found.model))
    if not len(found.held) or found.is_complete:
        return held_for_the_game(form, model, found.whole, player=found.player)
    held = history_numbers(game, form.tree, tree, parts(tree, found.held))
    return held_by_infoset(form, model, held, player=found.player)


def some_hands(rng: np.random.Generator, board: Any, count: int) -> str:
    """A weighted range of so many hands that do not meet the board, of cards that many of them share."""
    free = np.flatnonzero(~np.isin(COMBOS, board).any(axis=1))
    near = free[np.argsort(COMBOS[free].max(axis=1) + rng.random(len(free)) * 12)][: 3 * count]
    chosen = rng.permutation(near)[:count]
    weights = 0.05 + 0.95 * rng.random(count)
    return ",".join(f"{combo_name(int(hand))}:{weight:.2f}" for hand, weight in zip(chosen, weights, strict=True))


def tree_of(street: str, seed: int) -> PublicTree:
    """A spot of two uneven ranges."""
    board, sizes, bets = SPOTS[street]
    rng = np.random.default_rng(seed)
    cards = ["23456789TJQKA".index(board[i]) * 4 + "cdhs".index(board[i + 1]) for i in range(0, len(board), 2)]
    seats = [
        {"range": some_hands(rng, cards, size), "bet": bet, "raise": "allin" if street != "flop" else ""}
        for size, bet in zip(sizes, bets, strict=True)
    ]
    spot = spot_from({"board": board, "pot": 20, "stack": 35, "out_of_position": seats[0], "in_position": seats[1]})
    return spot_tree(spot, symmetric=False)


def seen_plan(form: SequenceForm, found: Restriction, averages: np.ndarray) -> np.ndarray:
    """The plans of averages, that of one who is held for the whole game mixed with the model.  # [S]"""
    plan = form.plan(averages)
    own = form.sequences_of(found.player)
    plan[own] = found.whole * form.plan(found.model)[own] + (1 - found.whole) * plan[own]
    return plan


@pytest.mark.uncompiled
@pytest.mark.parametrize("by_infoset", [False, True])
@given(game=random_public_games(), p=st.sampled_from(SHARES), player=st.integers(0, 1), seed=st.integers(0, 99))
@settings(max_examples=examples(12), deadline=None)
def test_any_averages_are_measured_as_in_the_sequence_form(
    by_infoset: bool, game: PublicGame, p: float, player: int, seed: int
) -> None:
    assume(not isinstance(game.betting, FoldPayoffs))
    tree, form = game.tree(), sequence_form(build(game))
    found = restricted(tree, seed, player=player, p=p, by_infoset=by_infoset)
    same = in_sequences(game, form, tree, found)
    sums = uneven(tree, seed + 1)
    solver = RestrictedPublicSolver(tree, schedule("cfr"), found, threads=1 + seed % 2)
    for pair, averages in zip(solver.average, parts(tree, sums), strict=True):
        for average, wanted in zip(pair, averages, strict=True):
            average[:] = wanted
    measured = solver.measure()
    averages = history_profile(game, form.tree, tree, parts(tree, sums))
    expected = measure_fixed(form, same.fixed(form), seen_plan(form, same, averages))
    assert measured.values[1 - player] == pytest.approx(expected.values[1 - player], abs=1e-6)
    assert measured.best_responses == pytest.approx(expected.best_responses, abs=1e-6)


@pytest.mark.uncompiled
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("spec", ["dcfr", "cfr+(alternating=False)", "pcfr+"])
@pytest.mark.parametrize(("seed", "player", "p"), [(49, 1, 0.9), (167, 1, 0.3), (204, 0, 0.9), (385, 0, 0.3)])
def test_iterates_are_those_of_the_sequence_form(by_infoset: bool, spec: str, seed: int, player: int, p: float) -> None:
    game = random_public_game(seed)  # both players decide in both rounds
    tree, form = game.tree(), sequence_form(build(game))
    found = restricted(tree, seed, player=player, p=p, by_infoset=by_infoset)
    same = in_sequences(game, form, tree, found)
    solver = RestrictedPublicSolver(tree, schedule(spec), found)
    other = FixedCfr(form, schedule(spec), same.fixed(form))
    for _ in range(5):
        solver.advance(1)
        other.advance(1)
        measured, expected = solver.measure(), other.measure()
        assert measured.values == pytest.approx(expected.values, abs=2e-6)
        assert measured.best_responses == pytest.approx(expected.best_responses, abs=2e-6)


@pytest.mark.parametrize(
    ("street", "by_infoset", "spec", "player", "p"),
    [
        ("river", False, "cfr+", 0, 0.9),
        ("river", True, "pcfr+", 1, 0.3),
        ("river", False, "dcfr(gamma=4)", 1, 1.0),
        ("turn", False, "pcfr+", 1, 0.3),
        ("turn", True, "dcfr(gamma=4)", 0, 0.9),
        ("turn", True, "cfr", 1, 1.0),
        ("turn", False, "cfr", 0, 0.0),
        pytest.param("flop", False, "dcfr", 0, 0.9, marks=pytest.mark.slow),
        pytest.param("flop", True, "cfr+", 1, 0.9, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("seed", [2])
def test_a_step_and_a_measure_are_those_of_the_plain_twin(
    street: str, by_infoset: bool, spec: str, player: int, p: float, seed: int
) -> None:
    tree = tree_of(street, seed)
    rng = np.random.default_rng(seed)
    found = restricted(tree, seed, player=player, p=p, by_infoset=by_infoset)
    solver = RestrictedPublicSolver(tree, schedule(spec), found, threads=1 + seed % 2)
    for pair in solver.stores:
        for store in pair:
            store.regret[:] = rng.uniform(-1, 1, len(store.regret))
            store.average[:] = rng.uniform(0, 1, len(store.average))
            store.last[:] = rng.uniform(-1, 1, len(store.last))
    solver.iterations = 5
    bare = PlainRestrictedSpot(tree, player, {}, 0.0, None)
    apart = by_infoset and not found.is_complete
    held = bare.tables(parts(tree, found.held)) if apart else None
    plain = PlainRestrictedSpot(tree, player, bare.tables(parts(tree, found.model)), found.whole, held)
    before, averages = (bare.tables([[getattr(s, kind) for s in pair] for pair in solver.stores]) for kind in KEPT)
    predicts = spec == "pcfr+"
    last = {place: np.zeros_like(table) for place, table in before.items()}
    if predicts:
        last = bare.tables([[store.last for store in pair] for pair in solver.stores])
    solver.advance(1)
    after, average_after = (bare.tables([[getattr(s, kind) for s in pair] for pair in solver.stores]) for kind in KEPT)
    last_after = bare.tables([[store.last for store in pair] for pair in solver.stores]) if predicts else last
    for mover in (0, 1):
        regrets, sums = plain.restricted_step(mover, schedule(spec), 6, before, averages, last)
        for place, table in regrets.items():
            free = ~np.isin(plain.cards[mover], place[1]).any(axis=1)
            assert after[place][free] == pytest.approx(table[free], rel=2e-4, abs=1e-3)
            shown = average_after[place][free] / solver._weight
            assert shown == pytest.approx(sums[place][free], rel=2e-4, abs=1e-5)
            before[place], last[place] = after[place], last_after[place]
    measured = solver.measure()
    values, answers = plain.restricted_measure(average_after)
    assert measured.values == pytest.approx(values, abs=2e-5)
    assert measured.best_responses == pytest.approx(answers, abs=2e-5)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode-island(ranks=3,suits=2)"])
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("player", [0, 1])
def test_held_to_nothing_is_the_game_itself(game: str, by_infoset: bool, player: int) -> None:
    tree = public_tree(open_game(game), symmetric=False)
    found = restricted(tree, 3, player=player, p=0.0, by_infoset=by_infoset)
    solver, plain = RestrictedPublicSolver(tree, schedule("dcfr"), found), PublicSolver(tree, schedule("dcfr"))
    solver.advance(3)  # further on, rounding makes them drift apart
    plain.advance(3)
    assert np.allclose(shares(tree, joined(solver.average)), shares(tree, joined(plain.average)), rtol=0, atol=1e-4)
    assert solver.measure().best_responses == pytest.approx(plain.measure().best_responses, abs=1e-4)


@pytest.mark.parametrize("game", ["kuhn", "leduc", "rhode-island(ranks=3,suits=2)"])
@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("player", [0, 1])
def test_held_to_everything_is_answered_best(game: str, by_infoset: bool, player: int) -> None:
    tree = public_tree(open_game(game), symmetric=False)
    model = shares(tree, uneven(tree, 8))
    found = held_for_the_game(tree, model, 1.0, player=player)
    if by_infoset:
        sure = held_by_infoset(tree, model, np.ones(tree.slots), player=player)
        assert sure.is_complete
        found = Restriction(player, sure.model, 0.0, sure.held)
    solver = RestrictedPublicSolver(tree, schedule("dcfr"), found)
    best = solver.assessor.totals(parts(tree, model), 1 - player)[1]
    solver.advance(60)
    measured = solver.measure()
    assert measured.best_responses[1 - player] == pytest.approx(best, abs=1e-5 * tree.max_abs_payoff)
    assert -measured.best_responses[player] == pytest.approx(best, abs=1e-3 * tree.max_abs_payoff)


@pytest.mark.parametrize("by_infoset", [False, True])
@pytest.mark.parametrize("spec", ["dcfr", "pcfr+(alternating=False)"])
def test_threads_and_cuts_leave_the_same_bits(by_infoset: bool, spec: str) -> None:
    tree = public_tree(open_game("rhode-island(ranks=4,suits=2)"))
    found = restricted(tree, 6, player=1, p=0.6, by_infoset=by_infoset)
    whole, cut = (RestrictedPublicSolver(tree, schedule(spec), found, threads=threads) for threads in (1, 2))
    whole.advance(9)
    cut.advance(4)
    kept = {name: array.copy() for name, array in cut.arrays().items()}
    cut.advance(3)
    cut.restore(kept)
    cut.advance(5)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, cut.arrays()[name]), name
    assert whole.measure() == cut.measure()


def test_profiles_of_a_public_form() -> None:
    tree = public_tree(open_game("leduc"))
    numbers = np.arange(tree.slots, dtype=np.float32)
    assert np.array_equal(joined(parts(tree, numbers)), numbers)
    assert tree.slots_of(0).stop == tree.slots_of(1).start
    whole = tree.infoset_sums(shares(tree, uneven(tree, 1)))
    assert whole == pytest.approx(np.ones(tree.slots), abs=1e-6)
    parts(tree, numbers)[1][1][:] = -1
    assert (numbers == -1).sum() == tree.stored(1, 1)


def test_what_cannot_be_restricted() -> None:
    tree = public_tree(open_game("kuhn"))
    uniform = np.ones(tree.slots, np.float32)
    with pytest.raises(BadSetting, match="p must be a number from 0 to 1"):
        held_for_the_game(tree, uniform, -0.5, player=0)
    with pytest.raises(BadSetting, match="confidence of an infoset"):
        held_by_infoset(tree, uniform, np.ones(3), player=0)
    with pytest.raises(BadSetting, match="numbers of 0 or more"):
        held_for_the_game(tree, uniform[1:], 0.5, player=0)
    with pytest.raises(BadSetting, match="players 0 to 1, not 2"):
        held_for_the_game(tree, uniform, 0.5, player=2)


@pytest.mark.parametrize("player", [0, 1])
def test_held_in_every_infoset_is_held_for_the_whole_game(player: int) -> None:
    """Numbers of no hand are not looked at; one infoset that is free leaves it a game."""
    tree = public_tree(open_game("kuhn"))
    model, sure = uneven(tree, 1), np.zeros(tree.slots)
    own = tree.slots_of(player)
    sure[own] = tree.occupied(player)
    assert 0 < sure.sum() < len(sure[own])
    assert held_by_infoset(tree, model, sure, player=player).is_complete
    sure[own.start + np.flatnonzero(sure[own])[-1]] = 0.999
    assert not held_by_infoset(tree, model, sure, player=player).is_complete
