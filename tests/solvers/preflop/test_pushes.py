"""Push or fold with several players: kernels against plain twins, two against the linear program, the joint deal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from bench.whole_deals import dealt_utilities

from naive.pushes import ThreePlayers, prizes
from pokerlab.cards.combos import CLASS_COUNT, CLASS_SIZES
from pokerlab.cards.multiway import FIRST_PLACE, ORDERS, SECOND_PLACE, multiway_table, triple_index
from pokerlab.games.prizes.icm import values as chip_model
from pokerlab.games.prizes.prize_game import prize_utility
from pokerlab.lab.preflop.push_fold import push_fold, stakes
from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes
from pokerlab.parallel import ThreadTeam
from pokerlab.solvers.preflop.opening import opening
from pokerlab.solvers.preflop.purifying import purified
from pokerlab.solvers.preflop.three import JointFictitiousPlay, JointRegretMatching, JointSolver
from pokerlab.tree.pushes.chances import Chances, PairTables
from pokerlab.tree.pushes.evaluator import ROLE_ORDERS, Evaluator, weighted_table
from pokerlab.tree.pushes.form import PushForm
from pokerlab.tree.pushes.sampling import MultiwaySampler

random = np.random.default_rng(3)
BOUND, SHORT_BOUND = 4e-4, 2e-3  # of docs/howto/pushfold.md: stacks of 4 big blinds and more, and shorter ones


def test_prizes_are_those_of_every_order_of_finishing() -> None:
    before = [4.0, 4.0, 3.0, 9.0, 2.0]
    payouts = [50.0, 30.0, 15.0, 5.0]
    stacks = np.array([[4, 4, 3, 9, 2], [0, 0, 3, 17, 2], [0, 7, 0, 15, 0], [22, 0, 0, 0, 0], [0, 11, 0, 0, 11]], float)
    found = prize_utility(before, payouts)(stacks)
    for row, stack in zip(found, stacks.tolist(), strict=True):
        assert row == pytest.approx(prizes(stack, before, [*payouts, 0.0]))
        assert row.sum() == pytest.approx(100)
    assert found[0] == pytest.approx(chip_model(stacks[0], payouts))


def test_orders_of_three_ranges_are_summed() -> None:
    from pokerlab.tree.pushes._kernels.values import order_weights

    ranges = np.where(random.random((1, 2, CLASS_COUNT)) < 0.04, random.random((1, 2, CLASS_COUNT)), 0.0)
    ranges[0, :, 5] = 1.0
    found = np.empty((1, CLASS_COUNT, len(ORDERS)))
    places = np.stack([FIRST_PLACE, SECOND_PLACE])
    order_weights(weighted_table(), places, ROLE_ORDERS, ranges, 0.0, 0, found)
    table = multiway_table()
    for own in (0, 5, 80, 168):
        expected = np.zeros(len(ORDERS))
        for second in np.flatnonzero(ranges[0, 0]):
            for third in np.flatnonzero(ranges[0, 1]):
                held = np.array([own, second, third])
                index = int(triple_index(*held.tolist()))
                rank = np.argsort(np.argsort(held, kind="stable"))
                for number, sorted_places in enumerate(ORDERS):
                    by_seat = tuple(sorted_places[place] for place in rank)
                    weight = ranges[0, 0, second] * ranges[0, 1, third] * table.hands[index]
                    expected[ORDERS.index(by_seat)] += weight * table.chances[index, number]
        assert found[0, own] == pytest.approx(expected, rel=1e-4)


def layout(text: str, **settings: str) -> PushForm:
    return table_stakes(text, **settings).form()


def test_action_values_are_those_of_a_plain_walk() -> None:
    form = layout("6,9,4,12", payouts="70,30")
    evaluator = Evaluator(form, workers=2)
    pushes = np.where(random.random((form.nodes, CLASS_COUNT)) < 0.2, 0.6, 0.0)
    found = evaluator.assess(pushes, effort=0.01)
    reach = evaluator.chances.reach(pushes)

    def walk(number: int, seat: int, above: int) -> np.ndarray:
        if number < 0:
            return found.terminals.by_class[-1 - number, seat]
        pair = np.flatnonzero((evaluator.chances.pair_node == number) & (evaluator.chances.pair_above == above))
        chance = reach.calls[pair[0]]
        folded, pushed = (walk(int(child), seat, above) for child in form.child[number])
        return (1 - chance) * folded + chance * pushed

    for node in range(form.nodes):
        for action in range(2):
            expected = walk(int(form.child[node, action]), int(form.node_seat[node]), node)
            assert found.actions[node, action] == pytest.approx(expected)


def test_chances_sum_to_one_and_prizes_to_the_pool() -> None:
    form = layout("6,0.4,9,4", payouts="60,40", ante="0.2")
    pushes = np.where(random.random((form.nodes, CLASS_COUNT)) < 0.2, 0.6, 0.0)
    found = Evaluator(form, workers=1).assess(pushes, effort=0.01)
    assert found.terminal_chances.sum() == pytest.approx(1)
    assert found.utilities.sum() == pytest.approx(100)
    assert (found.gains >= 0).all()
    for node in range(form.nodes):
        assert found.holds[node].sum() == pytest.approx(found.node_chances[node])


@pytest.mark.parametrize("stacks", ["10,10", "8,20", "3,0.9", "15,4"])
def test_two_players_are_the_linear_program(stacks: str) -> None:
    exact = push_fold(stakes(stacks=stacks))
    for algorithm in ("fictitious-play", "regret-matching+"):
        found = push_fold_table(table_stakes(stacks), algorithm=algorithm, target=0.002)
        gained = found.values - found.before
        distance = 2 * found.epsilon + 1e-9
        assert gained[0] == pytest.approx(exact.value, abs=distance)
        assert gained.sum() == pytest.approx(0, abs=1e-9)


def test_prizes_of_two_players_are_chips() -> None:
    chips = push_fold_table(table_stakes("3,25"), target=0.001)
    money = push_fold_table(table_stakes("3,25", payouts="184,100"), target=0.001)  # 84 to play for, with 28 chips
    gained = chips.values - chips.before
    assert np.abs(gained).min() > 0.01
    assert (money.values - money.before) * 28 / 84 == pytest.approx(gained, abs=1e-3)


def by_history(form: PushForm) -> tuple[list[int], list[int]]:
    """The decisions and terminals of three players as the plain game numbers them."""
    nodes = {tuple(action for _, action in form.path_of(node)): node for node in range(form.nodes)}
    ends = {tuple(action for _, action in one.path): number for number, one in enumerate(form.terminals)}
    histories = ((0, 0), (0, 1, 0), (0, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1))
    return [nodes[key] for key in ((), (0,), (1,), (0, 1), (1, 0), (1, 1))], [ends[key] for key in histories]


def test_three_players_are_the_joint_deal() -> None:
    """What a class of the first seat wins, against plain sums over the joint deal: nothing is left out."""
    solved = push_fold_table(table_stakes("12,8,20", payouts="50,30,20"), target=0.01, workers=2)
    nodes, ends = by_history(solved.form)
    plain = ThreePlayers(multiway_table(), [solved.form.utilities[end] for end in ends])
    classes = (0, 14, 25, 100, 168)
    _, actions, _ = plain.assess(solved.pushes[nodes], classes)
    assert solved.assessment.actions[0][:, classes] == pytest.approx(actions[0][:, classes], abs=2e-5)
    pairs = Evaluator(solved.form, workers=1).assess(solved.pushes)
    assert np.abs(pairs.actions[0][:, classes] - actions[0][:, classes]).max() > 1e-4  # cards of three do interact


@pytest.mark.slow
@pytest.mark.parametrize(("stacks", "ante"), [("12,8,20", "0"), ("3,5,2", "0.25"), ("6,1.5,9", "0.125")])
def test_three_players_in_all_are_the_joint_deal(stacks: str, ante: str) -> None:
    solved = push_fold_table(table_stakes(stacks, payouts="50,30,20", ante=ante), target=0.002, workers=2)
    nodes, ends = by_history(solved.form)
    plain = ThreePlayers(multiway_table(), [solved.form.utilities[end] for end in ends])
    utilities, actions, weights = plain.assess(solved.pushes[nodes])
    assert solved.assessment.utilities == pytest.approx(utilities, abs=2e-5)
    advantage = actions[:, 1] - actions[:, 0]
    played = solved.pushes[nodes]
    gains = (weights * np.where(advantage > 0, advantage * (1 - played), -advantage * played)).sum(1)
    assert solved.assessment.gains == pytest.approx([gains[0], gains[1:3].sum(), gains[3:].sum()], abs=2e-5)


@pytest.mark.parametrize(
    ("stacks", "settings"),
    [
        ("8,0.3,9", {"payouts": "50,30,20"}),  # the small blind is all-in
        ("8,6,0.7", {"ante": "0.1"}),  # the big blind is
        ("0.2,6,5", {"ante": "0.2", "payouts": "60,40"}),  # the button is, with its ante
        ("0.8,7,6", {}),  # the big blind stays in for free against the button
        ("7,12,9", {"position": "SB"}),  # the button has folded
    ],
)
def test_three_players_of_whom_some_have_no_choice(stacks: str, settings: dict[str, str]) -> None:
    """Whole deals, in which chance is the only error, of strategies at random."""
    form = layout(stacks, **settings)
    pushes = np.where(random.random((form.nodes, CLASS_COUNT)) < 0.5, random.random((form.nodes, CLASS_COUNT)), 0.0)
    found = form.assess(form.profile_of(pushes))
    dealt, errors = dealt_utilities(form, pushes, deals=200_000)
    assert (np.abs(found.utilities - dealt) <= 4.5 * errors + 1e-6).all()
    assert found.terminal_chances.sum() == pytest.approx(1)
    assert found.utilities.sum() == pytest.approx(form.before.sum())
    assert found.utilities == pytest.approx(found.terminal_chances @ found.terminal_means)


@pytest.mark.parametrize("stacks", ["8,0.3,9", "7,12,9"])
@pytest.mark.parametrize("algorithm", [JointFictitiousPlay, JointRegretMatching])
def test_stored_sums_are_those_of_the_strategies(algorithm: Callable[[PushForm], JointSolver], stacks: str) -> None:
    """After many changes the next best responses are still those of an evaluation from scratch."""
    form = layout(stacks, payouts="50,30,20")
    solver = algorithm(form)
    solver.advance(60)
    played = solver.hand.pushes(solver.buffers.profile.average)
    found = form.assess(form.profile_of(played))
    margins = solver.hand.pushes(solver.buffers.profile.margins)
    assert margins == pytest.approx(found.holds * (found.actions[:, 1] - found.actions[:, 0]), abs=1e-6)  # of 100


@pytest.mark.parametrize("short", [False, True])
@pytest.mark.parametrize(
    "players",
    [
        4,
        5,
        6,
        pytest.param(7, marks=pytest.mark.slow),
        pytest.param(8, marks=pytest.mark.slow),
        pytest.param(9, marks=pytest.mark.slow),
    ],
)
def test_random_tables_are_as_near_whole_deals_as_is_stated(players: int, short: bool) -> None:
    """The bounds of docs/howto/pushfold.md on card removal among four and more players, in parts of a pool."""
    rng = np.random.default_rng([players, short])
    stacks = np.exp(rng.uniform(*np.log((0.4, 5) if short else (4, 25)), players))
    payouts, ante = (None, "50,30,20", "65,35")[rng.integers(3)], ("0", "0.25")[rng.integers(2)]
    table = table_stakes(",".join(f"{stack:.2f}" for stack in stacks), payouts=payouts, ante=ante)
    form = table.form()
    pushes = opening(form)
    found = Evaluator(form, workers=1).assess(pushes, least=1e-3, effort=0.02)
    dealt, errors = dealt_utilities(form, pushes, deals=2_000_000)
    off, errors = (
        one / float(table.prize_pool) for one in (found.utilities - dealt, np.hypot(errors, found.sampling_error))
    )
    assert errors.max() < 1.2e-4
    assert (np.abs(off) < (SHORT_BOUND if short else BOUND) + 3 * errors).all()


def test_sampled_all_ins_are_the_exact_ones() -> None:
    """The sampler of multiway all-ins, for three seats: within its standard error of the exact orders."""
    form = layout("5,7,6", payouts="50,30,20")
    evaluator = Evaluator(form, workers=1)
    pushes = np.full((form.nodes, CLASS_COUNT), 0.3)
    pushes[:, :60] = 0.9
    exact = evaluator.assess(pushes).terminals
    end = next(number for number, one in enumerate(form.terminals) if len(one.contenders) == 3)
    sampler = MultiwaySampler(form, Chances(form, PairTables.exact()), [end], team=ThreadTeam(1), seed=5)
    sampled = evaluator.no_values()
    sampler.refresh(evaluator.chances.reach(pushes), sampled, effort=0.05)
    errors = np.sqrt(sampled.variances[end])
    assert (errors < 0.2).all()
    assert (np.abs(sampled.mean[end] - exact.mean[end]) < 4.5 * errors).all()
    own = sampled.by_class[end, 0] - exact.by_class[end, 0]
    assert abs(own @ CLASS_SIZES / CLASS_SIZES.sum()) < 0.5


def test_equal_stacks_in_equal_places_play_alike() -> None:
    """Prizes that pay all the same leave nothing to win: every seat keeps its prize whatever it does."""
    form = layout("5,5,5", payouts="10,10,10")
    found = Evaluator(form, workers=1).assess(random.random((form.nodes, CLASS_COUNT)))
    assert found.utilities == pytest.approx([10, 10, 10])
    assert found.gains == pytest.approx([0, 0, 0], abs=1e-9)
    assert form.assess(form.profile_of(random.random((form.nodes, CLASS_COUNT)))).gains.max() < 1e-9


def test_rounding_keeps_to_its_limit() -> None:
    form = layout("6,5,7", payouts="60,40")
    solver = JointFictitiousPlay(form)
    solver.advance(30)
    mixed, measured = solver.pushes, form.assess(solver.profile())
    for most in (0.0, measured.epsilon, 2 * measured.epsilon, 1e9):
        pure = purified(form, mixed, most)
        assert form.assess(form.profile_of(pure)).epsilon <= max(most, measured.epsilon)
        rounded = pure != mixed
        assert (pure[rounded] == np.round(mixed[rounded])).all()
    assert np.isin(purified(form, mixed, 1e9), (0, 1)).all()


def test_more_threads_change_nothing() -> None:
    form = layout("4,5,6,7", payouts="60,40")
    pushes = np.where(np.arange(CLASS_COUNT) % 9 == 0, 0.7, 0.0) * np.ones((form.nodes, 1))
    one, two = (Evaluator(form, workers=workers).assess(pushes, effort=0.01) for workers in (1, 3))
    assert (one.actions == two.actions).all()
    assert (one.utilities == two.utilities).all()
