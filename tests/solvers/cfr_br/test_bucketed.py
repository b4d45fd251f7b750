"""CFR-BR over buckets: a step against every deal by itself, the hybrid on average over paths, and less exploitable."""

from __future__ import annotations

import pathlib
from functools import cache

import numpy as np
import pytest

from naive.cfr_br import AnsweredTwin
from naive.public import row_sums
from pokerlab import registry
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import Plan, make
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.solve.solving import resume
from pokerlab.lab.solve.training import train
from pokerlab.solvers.cfr.cfr_br.bucketed import BucketedCfrBr, placings
from pokerlab.solvers.cfr.cfr_br.public import Path
from pokerlab.solvers.core.schedule import Step
from pokerlab.strategy.files.solution_file import load as load_solution
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.inside import InsideGame, inside_game
from pokerlab.tree.bucketed.real_game import betting_histories
from pokerlab.tree.form import build_form
from pokerlab.tree.public.layout import BLOCK
from pokerlab.tree.public.profiles import equivalent_rows
from small_buckets import random_buckets, two_cards

TWO_CARDS = two_cards("abc")  # 36 hands, more than a block
GAMES = ["kuhn", "leduc(ranks=4, raises=1)", "rhode-island(ranks=3, suits=3, raises=1)", "two-cards"]
STEP, FADING, FLOORED = Step(), Step(0.75, 0.5, False, 0.9, 2.0, 0.0), Step(1.0, 1.0, True, 1.0, 1.0, 0.0)


def game_of(name: str) -> PokerGame:
    game = TWO_CARDS if name == "two-cards" else open_game(name)
    assert isinstance(game, PokerGame)
    return game


@cache
def mixed(name: str, share: int, ordered: bool = True) -> InsideGame:
    """Buckets of about so many hands each, thrown together at random, with every deal."""
    return inside_game(random_buckets(game_of(name), share, ordered=ordered))


def started(form: BucketedForm, seed: int, **settings: object) -> BucketedCfrBr:
    """A solver that plays everything: where it never came, all answers would be equally good."""
    solver = registry.load("algorithms", "cfr-br", **settings).start(form)
    assert isinstance(solver, BucketedCfrBr)
    rng = np.random.default_rng(seed)
    solver.regret[:] = rng.random(form.numbers) + 0.05
    solver._match(STEP, np.zeros(form.numbers))
    return solver


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(("share", "step"), [(1, STEP), (3, FADING)])
def test_a_step_is_that_of_every_deal_by_itself(name: str, share: int, step: Step) -> None:
    laid = mixed(name, share, share == 1)
    for player in (0, 1):
        solver = started(laid.form, player)
        solver.average[:] = np.random.default_rng(9).random(laid.form.numbers)
        before, play, average = solver.regret.copy(), solver.play.copy(), solver.average.copy()
        instant, shared, _ = AnsweredTwin(laid).step(player, play)
        solver._move(player, step, Path())
        scale = np.abs(instant).max()
        assert scale > 0
        own = np.zeros(laid.form.numbers, bool)
        for first, stride, buckets, moves in zip(*solver._decisions[player], strict=True):
            for bucket in range(buckets):
                own[first + bucket * stride : first + bucket * stride + moves] = True
        assert (solver.regret - step.keep_positive * before)[own] == pytest.approx(instant[own], abs=1e-5 * scale)
        means = step.keep_average * average + step.average_weight * shared
        assert solver.average[own] == pytest.approx(means[own], abs=1e-6)
        for now, then in ((solver.regret, before), (solver.average, average), (solver.play, play)):
            assert (now[~own] == then[~own]).all()  # the other player has not learned anything
        assert (solver.play[own] != play[own]).any()


def trunk_numbers(solver: BucketedCfrBr, laid: InsideGame, rival: int, seed: int) -> dict[int, np.ndarray]:
    """Regrets of the hybrid in the trunk that treat suits alike, put into a solver; and its play, for the twin."""
    form = bucketed_form(laid.form.game, lossless(CardRounds.of(laid.form.game, ordered=True)))
    fine, tree = InsideGame(form, laid.deals), solver.tree
    numbers = np.random.default_rng(seed).normal(size=form.numbers) + 0.5
    for number in range(solver.trunk):
        held, _, first, stride = placings(form, tree)[number][rival]
        values = numbers[first[None, None] + held[:, :, None] * stride]  # [board, row, slot]
        shaped = values.reshape(len(held), -1, BLOCK, len(first)).transpose(0, 1, 3, 2)
        solver.trunk_regret[number][rival][:] = shaped.reshape(-1)
    arrays = form.betting.arrays
    nodes = [node for node in range(form.betting.nodes) if arrays.actor[node] == rival]
    return {node: fine.play(node, numbers) for node in nodes if arrays.round[node] < solver.trunk}


@pytest.mark.parametrize(("name", "trunk"), [(name, 1) for name in GAMES[1:]] + [(GAMES[2], 2)])
@pytest.mark.parametrize("player", [0, 1])
def test_the_hybrid_is_right_on_average_over_paths(name: str, trunk: int, player: int) -> None:
    """Regrets of buckets, and of the opponent's hands before any board, summed over all paths by their chance."""
    laid = mixed(name, 2)
    solver = started(laid.form, 5, trunk=trunk)
    twin, rival = AnsweredTwin(laid, trunk=trunk), 1 - player
    twin.mixed = trunk_numbers(solver, laid, rival, 6)
    instant, shared, regretted = twin.step(player, solver.play.copy())
    kept = solver.arrays()
    total, played, trunk_total, chance = np.zeros(laid.form.numbers), np.zeros(laid.form.numbers), 0.0, 0.0
    for path in paths(solver):
        solver.restore(kept)
        solver._move(player, STEP, path)
        likely = 1 / np.prod(path.factors)
        chance += likely
        total += likely * (solver.regret - kept["regret"])
        played += likely * (solver.average - kept["average"])
        trunk_total = trunk_total + likely * (solver.trunk_regret[0][rival] - kept[f"trunk_0_{rival}"])
    assert chance == pytest.approx(1)
    assert total == pytest.approx(instant, abs=1e-5 * np.abs(instant).max())
    assert played == pytest.approx(shared, abs=1e-6)
    level = solver.tree.rounds[0]
    rows = np.asarray(trunk_total).reshape(-1, level.treeplexes[rival].slots, BLOCK).transpose(0, 2, 1)
    rows = rows.reshape(level.hands[rival].rows, -1)
    histories, checked = betting_histories(solver.tree), 0
    for node in walk(solver.tree.betting):
        place = solver.tree.places[node]
        if isinstance(node, Decision) and node.player == rival and place.round == 0:
            expected = regretted[laid.form.betting.node_of(histories[id(node)])][0]  # [hand, action]
            found = rows[: len(expected), place.slot : place.slot + expected.shape[1]]
            assert found == pytest.approx(expected, abs=1e-4 * np.abs(expected).max())
            checked += 1
    assert checked


@pytest.mark.parametrize("step", [FADING, FLOORED])
def test_the_hybrid_keeps_of_its_regrets_what_the_schedule_says(step: Step) -> None:
    """On every board of the trunk, also those that a path does not come to."""
    laid = mixed("rhode-island(ranks=3, suits=3, raises=1)", 2)
    solver = started(laid.form, 5, trunk=2)
    trunk_numbers(solver, laid, 1, 6)
    kept, path = solver.arrays(), paths(solver)[1]
    found = []
    for one in (STEP, step):
        solver.restore(kept)
        solver._move(0, one, path)
        found.append([pair[1].copy() for pair in solver.trunk_regret])
    for number, (plain, other) in enumerate(zip(*found, strict=True)):
        before = kept[f"trunk_{number}_1"]
        expected = before * np.where(before > 0, step.keep_positive, step.keep_negative) + plain - before
        assert other == pytest.approx(np.maximum(expected, 0) if step.floor else expected, abs=1e-9)
        assert (before < 0).any()


def test_in_the_trunk_hands_that_differ_by_suits_play_alike_for_good() -> None:
    """By rounding alone, their regrets would drift apart."""
    form = bucketed_form(game_of("rhode-island(ranks=4, suits=4, raises=1)"))
    solver = registry.load("algorithms", "cfr-br(trunk=2)").start(form, seed=3)
    solver.advance(25)
    assert isinstance(solver, BucketedCfrBr)
    for player in (0, 1):
        for number, firsts in enumerate(equivalent_rows(solver.tree, player)[:2]):
            rows = row_sums(solver.tree, number, player, solver.trunk_regret)
            assert np.array_equal(rows, np.take_along_axis(rows, firsts[:, :, None], axis=1))
            assert (firsts != np.arange(firsts.shape[1])).any()


def test_best_responses_that_rounding_took_apart_are_made_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = started(bucketed_form(game_of("rhode-island(ranks=3, suits=3, raises=1)")), 1)
    rng = np.random.default_rng(2)

    def anything(sums: object, player: int, path: Path, choice: list[np.ndarray]) -> None:
        for part in choice:
            part[:] = rng.random(len(part))

    monkeypatch.setattr(solver._best_response, "respond", anything)
    solver.advance(1)
    answers = [[store.regret for store in pair] for pair in solver._instant.stores]
    for number, firsts in enumerate(equivalent_rows(solver.tree, 0)):
        rows = row_sums(solver.tree, number, 0, answers)
        assert np.array_equal(rows, np.take_along_axis(rows, firsts[:, :, None], axis=1))


def paths(solver: BucketedCfrBr) -> list[Path]:
    """All of them."""
    found = [Path()]
    for number in range(solver.trunk):
        following = []
        for path in found:
            children = solver.tree.rounds[number].children
            above = path.boards[-1] if path.boards else 0
            boards = range(int(children[above]), int(children[above + 1]))
            images = solver._boards.images[number + 1]
            for board in boards:
                factor = float(images[list(boards)].sum() / images[board])
                following.append(Path((*path.boards, board), (*path.factors, factor)))
        found = following
    return found


def test_paths_are_sampled_by_their_chance() -> None:
    solver = started(mixed("rhode-island(ranks=3, suits=3, raises=1)", 2).form, 1, trunk=2)
    rng = np.random.default_rng(3)
    drawn = [solver._boards.sample(2, rng) for _ in range(4000)]
    assert len({path.factors for path in paths(solver)}) > 1  # a board that stands for several is likelier
    for path in paths(solver):
        share, likely = np.mean([one == path for one in drawn]), 1 / np.prod(path.factors)
        assert abs(share - likely) < 4.5 * np.sqrt(likely * (1 - likely) / len(drawn))
    with pytest.raises(BadSetting, match="trunk must be at most 1, the rounds of leduc"):
        started(mixed("leduc(ranks=4, raises=1)", 2).form, 1, trunk=2)
    with pytest.raises(BadSetting, match="trunk must be at most 0, .*, not 1"):
        started(mixed("kuhn", 1).form, 1, trunk=1)


@pytest.mark.parametrize(
    "spec", ["cfr-br(trunk=1)", "cfr-br(trunk=2, schedule=dcfr)", "cfr-br(trunk=1, strategy=current)"]
)
def test_the_hybrid_is_resumed_to_the_same_result(spec: str, tmp_path: pathlib.Path) -> None:
    game, file = game_of("rhode-island(ranks=3, suits=3, raises=1)"), tmp_path / "kept"
    kept = train(game.name, algorithm=spec, iterations=5, seed=4, save=file)
    assert load_solution(file).measure == kept.measure
    more, whole_run = resume(file, iterations=12), train(game.name, algorithm=spec, iterations=12, seed=4)
    assert any(name.startswith("trunk_") for name in more.state)
    for name, array in whole_run.state.items():
        assert np.array_equal(array, more.state[name]), name
    other = train(game.name, algorithm=spec, iterations=12, seed=5)
    assert not np.array_equal(other.state["regret"], more.state["regret"])


@pytest.mark.parametrize("settings", [{}, {"strategy": "current"}, {"trunk": 1}])
def test_with_every_hand_apart_it_comes_to_the_value(settings: dict[str, object]) -> None:
    game = game_of("leduc(ranks=4, raises=1)")
    program = registry.load("algorithms", "lp").start(build_form(game, "sequence"))
    program.advance(1)
    value = program.measure().values[0]
    solver = registry.load("algorithms", "cfr-br", **settings).start(bucketed_form(game), seed=2)
    left = []
    for iterations in (40, 400):
        solver.advance(iterations - solver.iterations)
        for found in (solver.measure(), solver.measure_current()):
            low, high = found.bounds
            assert low - 1e-6 <= value <= high + 1e-6
        left.append(solver.measure().exploitability)
    assert left[1] < left[0] / 2
    if "strategy" in settings:
        assert solver.measure().values == pytest.approx(solver.measure_current().values, abs=1e-6)


def test_strategies_of_an_abstraction_are_less_exploitable_than_those_of_cfr() -> None:
    """The point of the paper, on Leduc hold'em with five ranks of which three are one bucket."""
    game = game_of("leduc(ranks=5)")
    cards = CardRounds.of(game, ordered=True)
    first = RoundBuckets("by hand", 3, np.array([0, 1, 1, 1, 2], np.uint16))
    second = make(Plan(cards, ("lossless", "strength:3"))).rounds[1]
    form = bucketed_form(game, Buckets(cards, (first, second)))
    self_play = registry.load("algorithms", "pure(schedule='linear-cfr')").start(form, seed=1)
    self_play.advance(200_000)
    found = {}
    for spec in ("cfr-br", "cfr-br(trunk=1)"):
        solver = registry.load("algorithms", spec).start(form, seed=1)
        solver.advance(300)
        found[spec] = solver.measure().exploitability
    assert max(found.values()) < 0.8 * self_play.measure().exploitability
