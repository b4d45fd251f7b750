"""Pure CFR on the bucketed form: against its plain twin, cut anywhere, and against the sequence form's Pure CFR."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from naive.bucketed_pure import PureTwin
from pokerlab import registry
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.solvers.library.pure import SAMPLER
from pokerlab.tree.bucketed._kernels.deals import make_deals
from pokerlab.tree.bucketed.form import AT_A_TIME, BucketedForm, bucketed_form
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.history.layout import build
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import sequence_form

FAST = ["kuhn", "leduc", "leduc(raises=3, bets=(3, 5))", "leduc(raises=1, ranks=4, ante=2)", "rhode-island(ranks=3)"]
PLAIN = [
    "kuhn(players=3)",
    "leduc(players=3, raises=1)",
    "leduc-nolimit(stack=(5, 9))",
    "leduc-nolimit(players=3, stack=(4, 9, 7), menu='50%,100%,allin')",
    "leduc-nolimit(players=4, stack=(3, 8, 5, 6), menu='100%,allin')",
]


def schedule(spec: str = "cfr") -> Schedule:
    found = registry.load("algorithms", spec).schedule
    assert isinstance(found, Schedule)
    return found


@cache
def form_of(name: str, share: int = 1) -> BucketedForm:
    """A game with a bucket for each hand, or for about as many hands as told, thrown together at random."""
    game = open_game(name)
    assert isinstance(game, PokerGame)
    buckets, rng = lossless(CardRounds.of(game)), np.random.default_rng(len(name))
    rounds = []
    for one in buckets.rounds:
        count = -(-one.count // share)
        table = rng.integers(0, count, one.count).astype(np.uint16) if share > 1 else one.table
        rounds.append(RoundBuckets("random", count, table))
    return bucketed_form(game, Buckets(buckets.cards, tuple(rounds)))


def twin_of(solver: BucketedSampled, iterations: int) -> PureTwin:
    """The plain twin after as many iterations, with the deals of the solver's batches."""
    seed = int(solver.arrays()["random"][0])
    twin = PureTwin(solver.form, seed=seed, unit=solver.unit)
    room, state = solver.form.deal_buffers(), np.zeros(1, np.uint64)
    for iteration in range(iterations):
        batch, place = divmod(iteration, AT_A_TIME)
        if place == 0:
            state[0] = deal_key(seed, batch)
            make_deals(AT_A_TIME, solver.form.deals, room, state)
        twin.iterate(iteration, room.bucket[place], room.strength[place])
    return twin


def deal_key(seed: int, batch: int) -> int:
    from naive.bucketed_pure import STRIDE, WORD, mixed

    return mixed(mixed(WORD - 1 - seed) + STRIDE * (batch + 1))


@pytest.mark.parametrize("share", [1, 3])
@pytest.mark.parametrize("name", FAST + PLAIN)
def test_the_kernels_do_what_the_twin_does(name: str, share: int) -> None:
    form = form_of(name, share)
    iterations = AT_A_TIME + 40 if form.betting.nodes < 100 else 60
    twin = None
    for plain in (False, True):
        solver = BucketedSampled(form, SAMPLER, schedule(), seed=4, plain=plain)
        assert (solver._walks.trees is None) == (plain or name in PLAIN)
        solver.advance(iterations)
        twin = twin or twin_of(solver, iterations)
        regret, count = twin.arrays()
        assert np.abs(regret).max() > 0
        assert np.array_equal(solver.arrays()["regret"], regret)
        assert np.array_equal(solver.strategy_arrays()["average"], count)
        assert solver.nodes_touched == twin.visited


def test_pots_that_few_can_win_are_among_them() -> None:
    """The games above have ends at which a seat put in more than another that is shown, and three-way splits."""
    arrays = form_of(PLAIN[3]).betting.arrays
    pots = np.diff(arrays.pot_first)
    assert (pots > 1).any()
    assert len({*arrays.pot_seats.tolist()}) > 3
    assert BucketedSampled(form_of(PLAIN[3]), SAMPLER, schedule(), seed=0).unit < 1


@pytest.mark.parametrize("spec", ["cfr", "linear-cfr", "dcfr"])
@pytest.mark.parametrize("name", ["leduc", "leduc(players=3, raises=1)"])
def test_cut_anywhere(name: str, spec: str) -> None:
    form = form_of(name)
    whole, parts = (BucketedSampled(form, SAMPLER, schedule(spec), seed=9, period=300) for _ in range(2))
    whole.advance(3 * AT_A_TIME + 7)
    for count in (3, 297, 211, 1, 2 * AT_A_TIME):  # at the end of a period, and of a batch
        parts.advance(count)
        again = BucketedSampled(form, SAMPLER, schedule(spec), seed=1, period=300)
        again.restore(parts.arrays())
        parts = again
    parts.advance(3 * AT_A_TIME + 7 - parts.iterations)
    for key, array in whole.arrays().items():
        assert np.array_equal(array, parts.arrays()[key]), key
    assert BucketedSampled(form, SAMPLER, schedule(spec), seed=8).arrays()["random"] != whole.arrays()["random"]


def test_a_state_in_another_unit_is_refused() -> None:
    solver = BucketedSampled(form_of("kuhn"), SAMPLER, schedule(), seed=0)
    with pytest.raises(ValueError, match="units"):
        solver.restore(solver.arrays() | {"unit": np.array([2.0])})


@pytest.mark.parametrize(("name", "iterations"), [("kuhn", 20_000), ("leduc", 20_000), ("kuhn(players=3)", 20_000)])
def test_as_good_as_the_sequence_form(name: str, iterations: int) -> None:
    """Mean exploitability over seeds: in Kuhn the same, as its spread tells; less in Leduc, which merges suits."""
    form, laid = form_of(name), sequence_form(build(open_game(name)))
    measure = measurer(form)
    assert measure is not None
    ours, theirs = [], []
    for seed in range(8):
        solver = BucketedSampled(form, SAMPLER, schedule(), seed=seed)
        solver.advance(iterations)
        ours.append(measure(solver.strategy_arrays()["average"]).exploitability)
        other = registry.load("algorithms", "pure").start(laid, seed=seed)
        other.advance(iterations)
        theirs.append(other.measure().exploitability)
    spread = 2.4 * np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / len(ours))  # 95 % with 7 degrees
    assert np.mean(ours) - np.mean(theirs) <= spread
    if name != "leduc":
        assert np.mean(theirs) - np.mean(ours) <= spread


def test_rhode_island_converges() -> None:
    solver = BucketedSampled(form_of("rhode-island(ranks=4)"), SAMPLER, schedule(), seed=0)
    gaps = []
    for iterations in (1000, 30_000, 300_000):
        solver.advance(iterations - solver.iterations)
        measure = solver.measure()
        assert measure is not None
        gaps.append(measure.exploitability)
    assert gaps[1] < gaps[0] / 2
    assert gaps[2] < gaps[1] / 2


@pytest.mark.parametrize("spec", ["linear-cfr", "dcfr"])
def test_discounts_converge_and_weigh(spec: str) -> None:
    form = form_of("leduc")
    solver, plain = (
        BucketedSampled(form, SAMPLER, schedule(spec), seed=2, period=500),
        BucketedSampled(form, SAMPLER, schedule(), seed=2),
    )
    for one in (solver, plain):
        one.advance(50_000)
    found, usual = solver.measure(), plain.measure()
    assert found is not None
    assert usual is not None
    assert found.exploitability < 2 * usual.exploitability
    total, all_of_them = (int(one.strategy_arrays()["average"].sum(dtype=np.int64)) for one in (solver, plain))
    power = 1 if spec == "linear-cfr" else 2
    periods = np.arange(1, 101)
    share = float((periods**power).sum() / 100 ** (power + 1))  # of counts that are left, each period having as many
    assert total / all_of_them == pytest.approx(share, rel=0.1)


def test_schedules_that_floor_are_refused() -> None:
    for spec in ("cfr+", "pcfr+", "dcfr(delay=3)"):
        with pytest.raises(BadSetting, match="linear-cfr"):
            BucketedSampled(form_of("kuhn"), SAMPLER, schedule(spec), seed=0)


def test_two_threads_find_as_much() -> None:
    """Not the same, since they meet: as good, over some seeds."""
    form, gaps = form_of("leduc"), []
    pure = registry.load("algorithms", "pure")
    for seed in range(5):
        solver = pure.start(form, seed=seed, resources=Resources(threads=2))
        solver.advance(40 * AT_A_TIME + 5)
        assert solver.iterations == 40 * AT_A_TIME + 5
        gaps.append(solver.measure().exploitability)
    one = pure.start(form, seed=0)
    one.advance(40 * AT_A_TIME + 5)
    assert np.mean(gaps) < 2 * one.measure().exploitability
    with pytest.raises(BadSetting, match="storage"):
        pure.start(form, resources=Resources(storage="int16"))


def test_counts_and_regrets_stay_in_range() -> None:
    solver = BucketedSampled(form_of("leduc"), SAMPLER, schedule(), seed=0)
    solver.advance(2000)
    state = solver.arrays()
    used = np.flatnonzero(state["average"])
    full = state | {"average": state["average"].copy(), "regret": state["regret"].copy()}
    full["average"][used[0]] = 2**31 + 6
    full["regret"][:] = np.where(full["regret"] > 0, 2**30 - 1, np.where(full["regret"] < 0, 1 - 2**30, 0))
    solver.restore(full)
    solver._pause()  # iteration 2000 is none at which room is made
    assert solver.strategy_arrays()["average"][used[0]] == 2**31 + 6
    solver._walks.halving_period = 1000
    solver._pause()
    average = solver.strategy_arrays()["average"]
    assert average[used[0]] == 2**30 + 3
    assert np.count_nonzero(average != full["average"]) <= 3  # actions of that infoset
    solver.advance(500)
    assert np.abs(solver.arrays()["regret"].astype(np.int64)).max() == 2**30


@pytest.mark.parametrize("stack", [1_000_000_007, 20_000])
def test_large_stacks_are_rounded_to_fit(stack: int) -> None:
    form = form_of(f"leduc-nolimit(stack={stack}, bet=1000, raises=1, menu='100%,allin')")
    solver = BucketedSampled(form, SAMPLER, schedule(), seed=0)
    solver.advance(2000)
    assert (solver.unit > 1) == (stack > 20_000)
    assert stack / solver.unit <= 2**17
    assert np.abs(solver.arrays()["regret"].astype(np.int64)).max() <= 2**30
