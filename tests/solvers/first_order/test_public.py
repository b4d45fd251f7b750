"""First-order methods on the public form: prox maps by their definition, and the same games as in the sequence form."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import pokerlab
from naive.public import random_public_game
from naive.public_prox import divergence, naive_weights, random_behaviour
from pokerlab import registry
from pokerlab.errors import BadGame, BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.solvers.convex.excessive_gap import ExcessiveGap
from pokerlab.solvers.convex.mirror_prox import MirrorProx
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.classes import ClassForm, class_form
from pokerlab.tree.form import build_form
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.poker import public_tree
from pokerlab.tree.public.smoothing import PublicSmoothing, prox_weights
from pokerlab.tree.public.spot import spot_tree
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm
from pokerlab.tree.smoothing import SmoothedBestResponse
from published import small_games as printed

PROXES = ["entropy", "euclidean"]
RIVER: dict[str, Any] = {
    "board": "Kh7h2h5c9s",
    "pot": 55,
    "stack": 97,
    "out_of_position": {"range": "22+,A2s+:0.5,KQo", "bet": "33%,120%", "raise": "3x"},
    "in_position": {"range": "88-55,QJs,AhKd:0.25", "bet": "75%,allin", "raise": ""},
}
TURN: dict[str, Any] = {
    "board": "Kh7h2h5c",
    "pot": 20,
    "stack": 30,
    "out_of_position": {"range": "AhQh,KsKd:0.5,7c6c,JTs:0.3", "bet": "75%", "raise": "allin"},
    "in_position": {"range": "AcAd,9h8h:0.25,QQ", "bet": "60%,allin", "raise": ""},
}
BARE: dict[str, Any] = {  # whose first turns leave one player no hand
    "board": "KhKd9c",
    "pot": 10,
    "stack": 10,
    "out_of_position": {"range": "2c2d,2c3d", "bet": "allin", "raise": ""},
    "in_position": {"range": "2h2s", "bet": "", "raise": ""},
}
FLOP: dict[str, Any] = {  # a symmetric board and ranges: turns and rivers are kept once, with their images
    "board": "KhKd2c",
    "pot": 10,
    "stack": 10,
    "out_of_position": {"range": "AhAd,AhAs,AdAs,2s2h,2s2d", "bet": "allin", "raise": ""},
    "in_position": {"range": "QhQd,QsQh,QsQd,QcQs:0.5", "bet": "", "raise": ""},
}
GAMES = ["kuhn", "leduc", "leduc(raises=1, ranks=4, suits=3)", "rhode-island(ranks=3, suits=2, raises=1)"]
SPOTS = {"river": RIVER, "turn": TURN, "flop": FLOP, "bare": BARE}


@cache
def tree_of(name: str, *, symmetric: bool = True) -> PublicTree:
    if name in SPOTS:
        return spot_tree(spot_from(SPOTS[name]), symmetric=symmetric)
    return public_tree(open_game(name), symmetric=symmetric)


def started(spec: str, tree: PublicTree | ClassForm, *, threads: int = 1) -> Any:
    return registry.load("algorithms", spec).start(tree, resources=Resources(threads))


def smoothed_in(form: Any, prox: str) -> SmoothedBestResponse:
    return started(f"egt(prox={prox})", form).smoothed


def random_plan(smoothed: PublicSmoothing, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(behaviour, plan) of both players."""
    behaviour = smoothed.vector()
    for player in (0, 1):
        behaviour[smoothed.own[player]] = np.concatenate(list(random_behaviour(smoothed.form, player, rng)))
    return behaviour, smoothed.plan(behaviour)


@pytest.mark.parametrize("entropy", [True, False])
@pytest.mark.parametrize("name", [*GAMES, "turn"])
def test_weights_are_those_of_the_definition(name: str, entropy: bool) -> None:
    """And boards that are kept once, with their images, change nothing."""
    tree = tree_of(name, symmetric=False)
    for player in (0, 1):
        found, expected = prox_weights(tree, player, entropy=entropy), naive_weights(tree, player)
        folded = prox_weights(tree_of(name), player, entropy=entropy)
        assert found.diameter == pytest.approx(folded.diameter)
        for number, weight in enumerate(found.weight):
            assert weight.tolist() == pytest.approx([expected[number][node] for node in range(len(weight))])
            assert weight.tolist() == pytest.approx(folded.weight[number].tolist())


@pytest.mark.parametrize("seed", [1, 4, 6, 7])
def test_weights_where_a_player_first_acts_in_a_later_round(seed: int) -> None:
    tree = random_public_game(seed).tree(symmetric=False)
    for player in (0, 1):
        expected = naive_weights(tree, player)
        for number, weight in enumerate(prox_weights(tree, player, entropy=True).weight):
            assert weight.tolist() == pytest.approx([expected[number][node] for node in range(len(weight))])


@pytest.mark.parametrize("name", ["kuhn", "leduc(raises=1)", "rhode-island(ranks=2, suits=2, raises=1)"])
@pytest.mark.parametrize("prox", PROXES)
def test_the_farthest_plan_is_at_the_diameter(name: str, prox: str) -> None:
    """Of all pure plans of a hand the farthest; random ones come near and never beyond."""
    tree = tree_of(name, symmetric=False)
    smoothed, rng = PublicSmoothing(tree, prox), np.random.default_rng(1)
    uniform = smoothed.uniform()
    for player in (0, 1):
        prior, most = smoothed.rounds(uniform, player), 0.0
        for _ in range(15):
            pure = smoothed.vector()
            for part, other in zip(smoothed.rounds(pure, player), random_behaviour(tree, player, rng), strict=True):
                part[:] = other
            for number, part in enumerate(smoothed.rounds(pure, player)):
                make_pure(tree, number, player, part)
            plan = smoothed.rounds(smoothed.plan(pure), player)
            most = max(most, divergence(tree, player, plan=plan, prior=prior, entropy=prox == "entropy"))
        assert 0.3 * smoothed.diameter[player] < most <= smoothed.diameter[player] * (1 + 1e-9)


def make_pure(tree: PublicTree, number: int, player: int, part: np.ndarray) -> None:
    plex = tree.rounds[number].treeplexes[player]
    blocks = part.reshape(-1, plex.slots, 32)
    for first, count in zip(plex.node_slot.tolist(), plex.node_actions.tolist(), strict=True):
        own = blocks[:, first : first + count]
        own[:] = own == own.max(axis=1, keepdims=True)


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("kuhn", marks=pytest.mark.uncompiled),
        pytest.param("leduc(raises=1, ranks=4, suits=3)", marks=pytest.mark.uncompiled),
        pytest.param("river", marks=pytest.mark.uncompiled),
        "turn",
    ],
)
def test_a_smoothed_best_response_is_the_best_there_is(name: str, prox: str) -> None:
    """Its worth is what its plan wins less its divergence, by the definitions, and no other plan has more."""
    tree, rng = tree_of(name, symmetric=False), np.random.default_rng(len(name))
    smoothed = PublicSmoothing(tree, prox)
    prior, _ = random_plan(smoothed, rng)
    point = smoothed.point(prior)
    for smoothing in (0.03, 3.0):
        for player in (0, 1):
            _, other = random_plan(smoothed, rng)
            found, place = other.copy(), smoothed.vector()
            worth = smoothed.respond(player, smoothing, plan=other, prior=point, point=place, out=found)
            assert np.array_equal(found[smoothed.own[1 - player]], other[smoothed.own[1 - player]])
            assert worth == pytest.approx(
                smoothed_worth(smoothed, player, found, prior, smoothing), rel=1e-6, abs=1e-6 * tree.max_abs_payoff
            )
            own = smoothed.own[player]
            mixed = prior.copy()
            mixed[own] = np.exp(place[own]) if prox == "entropy" else place[own]
            assert smoothed.plan(mixed)[own] == pytest.approx(found[own], abs=1e-9)
            for near in (1e-2, 1.0):
                tried = found.copy()
                tried[own] = (1 - near) * found[own] + near * random_plan(smoothed, rng)[1][own]
                assert smoothed_worth(smoothed, player, tried, prior, smoothing) <= worth + 1e-6 * tree.max_abs_payoff


def smoothed_worth(
    smoothed: PublicSmoothing, player: int, plan: np.ndarray, prior: np.ndarray, smoothing: float
) -> float:
    """What a plan wins against the other's, less its divergence."""
    tree = smoothed.form
    sums = [[smoothed.rounds(plan, each)[number] for each in (0, 1)] for number in range(len(tree.rounds))]
    value, _ = smoothed.form.assessor.totals(sums, player)
    own, other = smoothed.rounds(plan, player), smoothed.rounds(prior, player)
    return value - smoothing * divergence(tree, player, plan=own, prior=other, entropy=smoothed.prox == "entropy")


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "river", "turn", "flop", "bare"])
@pytest.mark.parametrize("aggressive", [True, False])
def test_the_excessive_gap_condition_is_kept(name: str, prox: str, aggressive: bool) -> None:
    """At every step; with it the gap is at most what is smoothed. Fixed steps need the norm and the modulus."""
    tree = tree_of(name)
    solver = started(f"egt(prox={prox}, aggressive={aggressive})", tree)
    assert isinstance(solver, ExcessiveGap)
    for _ in range(4):
        assert solver.gap.excess <= 1e-12 * solver.smoothed.norm
        assert solver.measure().nash_conv <= solver.bound + 1e-6 * tree.max_abs_payoff
        solver.advance(1)


@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean)", "mirror-prox"])
@pytest.mark.parametrize("name", ["leduc", "flop", "rhode-island(ranks=3, suits=2, raises=1)"])
def test_boards_kept_once_give_the_same_steps(spec: str, name: str) -> None:
    one, other = (started(spec, tree_of(name, symmetric=symmetric)) for symmetric in (True, False))
    assert one.form.slots < other.form.slots
    for steps in (0, 1, 4):
        one.advance(steps)
        other.advance(steps)
        assert one.passes == other.passes
        assert one.measure().values == pytest.approx(other.measure().values, abs=1e-5 * one.form.max_abs_payoff)
        assert one.measure().nash_conv == pytest.approx(other.measure().nash_conv, abs=1e-5 * one.form.max_abs_payoff)


@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean, restarts=True)", "mirror-prox"])
@pytest.mark.parametrize(
    ("game", "value"), [("kuhn", printed.KUHN), ("one-card(cards=4)", printed.ONE_CARD_FOUR), ("leduc", printed.LEDUC)]
)
def test_the_value_is_bracketed(spec: str, game: str, value: float) -> None:
    found = pokerlab.solve(game, algorithm=spec, form="public", iterations=300)
    assert found.bounds is not None
    assert found.bounds[0] - 1e-7 <= value <= found.bounds[1] + 1e-7
    assert found.exploitability < 5e-3 * tree_of(game).max_abs_payoff


@pytest.mark.parametrize("spec", ["egt", "mirror-prox"])
@pytest.mark.parametrize("name", ["river", "turn", "rhode-island(ranks=3, suits=2, raises=1)"])
def test_values_are_those_of_cfr(spec: str, name: str) -> None:
    tree = tree_of(name)
    expected = registry.load("algorithms", "dcfr").start(tree)
    expected.advance(400)
    solver = started(spec, tree)
    solver.advance(200)
    (low, high), near = solver.measure().bounds, expected.measure().bounds
    assert max(low, near[0]) <= min(high, near[1]) + 1e-6 * tree.max_abs_payoff  # both brackets hold the value
    assert high - low < 0.02 * tree.max_abs_payoff


@pytest.mark.parametrize("game", ["preflop-limit(raises=2)", "kuhn", "push-fold(stack=7)"])
@pytest.mark.parametrize("spec", ["egt", "mirror-prox(prox=entropy)"])
def test_classes_of_hands_have_the_same_value(game: str, spec: str) -> None:
    expected = pokerlab.solve(game, algorithm="lp", form="classes").value
    found = pokerlab.solve(game, algorithm=spec, form="classes", iterations=250)
    assert found.bounds is not None
    assert found.bounds[0] - 1e-9 <= expected <= found.bounds[1] + 1e-9
    assert found.exploitability < 0.02


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("game", ["kuhn", "one-card(cards=4)", "von-neumann(cards=5, replacement=False, bet=2)"])
def test_smoothed_best_responses_over_classes_are_worth_what_they_are_in_the_sequence_form(
    game: str, prox: str
) -> None:
    """Also what a player wins who never acts: in von Neumann's poker the first may check to a showdown."""
    responses = [smoothed_in(build_form(open_game(game), kind), prox) for kind in ("classes", "sequence")]
    worths: list[list[float]] = [[], []]
    for smoothed, found in zip(responses, worths, strict=True):
        uniform = smoothed.uniform()
        plan, prior, place = smoothed.plan(uniform), smoothed.point(uniform), smoothed.vector()
        for player, smoothing in ((0, 0.1), (1, 0.1), (0, 2.0), (1, 2.0)):  # each answers what the last one did
            found.append(smoothed.respond(player, smoothing, plan=plan, prior=prior, point=place, out=plan))
    assert worths[0] == pytest.approx(worths[1], rel=1e-9)


@pytest.mark.parametrize("game", ["one-card(cards=4)", "von-neumann(cards=40, replacement=False, ante=2, bet=1)"])
def test_the_norm_over_classes_bounds_that_of_the_payoffs(game: str) -> None:
    """In the latter most is paid to one who has not acted, and a hand comes to little of it."""
    classes, sequences = (build_form(open_game(game), kind) for kind in ("classes", "sequence"))
    assert isinstance(sequences, SequenceForm)
    exact = np.linalg.norm(sequences.matrix.toarray(), 2)
    assert exact <= smoothed_in(classes, "entropy").norm <= 4 * exact


@pytest.mark.parametrize("prox", PROXES)
@pytest.mark.parametrize("game", ["kuhn", "push-fold(stack=7)", "preflop-limit(raises=1)"])
def test_fixed_steps_keep_the_condition_over_classes_of_hands(game: str, prox: str) -> None:
    """So the norm of their payoffs is large enough."""
    solver = started(f"egt(prox={prox}, aggressive=False)", class_form(open_game(game)))
    for _ in range(15):
        assert solver.gap.excess <= 1e-12 * solver.smoothed.norm
        assert solver.measure().nash_conv <= solver.bound + 1e-9
        solver.advance(1)


@pytest.mark.parametrize("spec", ["egt", "egt(prox=euclidean, restarts=True)", "mirror-prox(prox=entropy)"])
def test_a_state_is_resumed_bit_for_bit_whatever_the_threads(spec: str) -> None:
    tree = tree_of("turn")
    whole, first = started(spec, tree), started(spec, tree, threads=2)
    second = started(spec, tree, threads=3)
    whole.advance(12)
    first.advance(5)
    second.advance(2)
    second.restore(first.arrays())
    second.advance(7)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, second.arrays()[name]), name
    assert isinstance(second, ExcessiveGap | MirrorProx)
    assert second.measure() == whole.measure()


def test_what_is_not_to_be_had_is_said() -> None:
    with pytest.raises(BadGame, match="not zero-sum"):
        pokerlab.solve(spot_from(RIVER | {"rake": 0.05, "rake_cap": 3}), algorithm="egt", iterations=1)
    with pytest.raises(BadSetting, match="float64"):
        pokerlab.solve(spot_from(RIVER), algorithm="egt", storage="int16", iterations=1)
    with pytest.raises(BadSetting, match="locks"):
        pokerlab.solve(spot_from(RIVER), algorithm="egt", locks=[lock_from_text(": check")], iterations=1)


def test_what_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.tree.forecast.available_memory", lambda: 1e5)
    with pytest.raises(TooLarge, match=r"first-order methods need .* dcfr"):
        PublicSmoothing(tree_of("river"), "entropy")
