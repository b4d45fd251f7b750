"""Training over buckets on a card: its programs, built by a C++ compiler, against exact regrets and the CPU."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from pokerlab.abstraction.buckets import lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.registry import load
from pokerlab.solvers.bucketed.cuda.solver import CudaBucketSolver
from pokerlab.solvers.core.run import restore
from pokerlab.tree.bucketed.cuda.sampled_boards import ALL
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.machines import checking_machine
from small_buckets import random_buckets, two_cards

pytestmark = pytest.mark.skipif(checking_machine() is None, reason="no C++ compiler is installed")

THREE_ROUNDS = "rhode-island(ranks=3, suits=2)"


@cache
def each_hand(name: str) -> BucketedForm:
    """A bucket for every hand: hands of two cards and unequal players, or three rounds with perfect recall."""
    game = two_cards("cdh") if name == "two-cards" else load("games", name)
    return bucketed_form(game, lossless(CardRounds.of(game, ordered=True)))


def solver(form: BucketedForm, schedule: str = "cfr", **settings: Any) -> CudaBucketSolver:
    machine = checking_machine()
    assert machine is not None
    given: dict[str, Any] = {"seed": 4} | settings
    return CudaBucketSolver(form, load("algorithms", schedule).schedule, machine=machine, **given)


def every(form: BucketedForm) -> tuple[int, ...]:
    """A step over all boards."""
    return (ALL,) * (form.buckets.cards.rounds - 1)


def of_player(form: BucketedForm, player: int) -> np.ndarray:
    """Which numbers of a form are of a player's actions.  # [number] bool"""
    mask, arrays = np.zeros(form.numbers, bool), form.betting.arrays
    for node in np.flatnonzero(arrays.actor == player):
        buckets = np.arange(form.buckets.counts[arrays.round[node]])
        for move in range(arrays.moves[node]):
            mask[form.first_number(node, buckets) + move] = True
    return mask


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["two-cards", THREE_ROUNDS])
def test_regrets_over_all_boards_are_exact(name: str) -> None:
    """The second player's against the first's new strategy: players take turns."""
    form = each_hand(name)
    learned = solver(form, fan=every(form))
    learned.advance(1)
    regret, first = learned.arrays()["regret"] * learned.arrays()["unit"], of_player(form, 0)
    scale = np.abs(form.regrets(form.normalize(form.uniform()))).max()
    for player, others in ((0, form.uniform()), (1, np.where(first, np.maximum(regret, 0), 1.0))):
        expected, own = form.regrets(form.normalize(others)), of_player(form, player)
        np.testing.assert_allclose(regret[own], expected[own], rtol=0, atol=3e-6 * scale)


def test_regrets_of_a_bucket_are_those_of_its_hands() -> None:
    """Buckets at random: neighbours in a row of hands are of one bucket or of several."""
    game, fine = load("games", THREE_ROUNDS), each_hand(THREE_ROUNDS)
    coarse = random_buckets(game, 3)
    apart, together = (solver(form, fan=every(form)) for form in (fine, coarse))
    for one in (apart, together):
        one.advance(1)
    expected = np.zeros(coarse.numbers)
    numbers = apart.arrays()["regret"].astype(float)
    for round_index, count in enumerate(fine.buckets.counts):
        rows = fine.betting.rows[round_index]
        buckets = coarse.buckets.rounds[round_index].table
        assert buckets is not None
        for hand in range(count):
            source = fine.base[round_index] + hand * rows
            target = coarse.base[round_index] + int(buckets[hand]) * rows
            expected[target : target + rows] += numbers[source : source + rows]
    own = of_player(coarse, 0)
    np.testing.assert_allclose(
        together.arrays()["regret"][own], expected[own], rtol=0, atol=1e-5 * np.abs(expected).max()
    )


def test_sampled_boards_are_unbiased() -> None:
    """Means of 150 samples of unequal fans against the exact regrets, in their standard errors."""
    form, samples = each_hand(THREE_ROUNDS), 150
    learned, own = solver(form, fan=(3, 2)), of_player(form, 0)
    exact = form.regrets(form.normalize(form.uniform()))
    seen = np.zeros((samples, form.numbers))
    for number in range(samples):
        for pair in learned._learned:
            for one in pair:
                one.regret[:] = 0
        learned.walk(learned._sampler.sample(number, (3, 2)), 3, learned.schedule.step(1))
        seen[number] = learned.arrays()["regret"] * learned.arrays()["unit"] / 3
    spread = seen.std(axis=0, ddof=1) / samples**0.5
    counted = own & (spread > 1e-3 * np.abs(exact).max())
    scores = ((seen.mean(axis=0) - exact)[counted]) / spread[counted]
    assert counted.sum() > 100
    assert np.abs(scores).max() < 5


def test_best_responses_leave_less_to_exploit_than_self_play() -> None:
    """Over coarse buckets; with a trunk whose boards are sampled, and after self-play."""
    form = random_buckets(load("games", THREE_ROUNDS), 3)
    itself = solver(form, "linear-cfr", fan=every(form))
    itself.advance(25)
    left = itself.measure().exploitability
    for iterations, settings in ((120, {"trunk": 2, "fan": (6, ALL)}), (40, {"trunk": 1, "self_play": 16})):
        trained = solver(form, "linear-cfr", **settings)
        trained.advance(iterations)
        assert trained.measure().exploitability < 0.9 * left, settings


@pytest.mark.parametrize(("name", "fan"), [("two-cards", (3,)), (THREE_ROUNDS, (3, 2))])
@pytest.mark.parametrize("trunk", [None, 1])
def test_memory_that_is_kept_changes_nothing(name: str, fan: tuple[int, ...], trunk: int | None) -> None:
    """Against a solver that makes its workspaces anew for every sample of boards."""
    kept, anew = (solver(each_hand(name), "linear-cfr", fan=fan, trunk=trunk) for _ in range(2))
    kept.advance(12)
    for _ in range(4):
        anew._batch = None
        anew.advance(3)
    for array, numbers in kept.arrays().items():
        assert np.array_equal(numbers, anew.arrays()[array]), array


def test_runs_resume_where_they_were_on_either_device() -> None:
    form = each_hand("two-cards")
    whole, part, again = (solver(form, "linear-cfr", trunk=1, self_play=20, fan=(3,)) for _ in range(3))
    whole.advance(26)
    whole.advance(19)
    part.advance(26)
    restore(again, {name: array.copy() for name, array in part.arrays().items()})
    again.advance(19)
    for name, array in whole.arrays().items():
        assert np.array_equal(array, again.arrays()[name]), name
    on_cpu = load("algorithms", "public-chance").start(form, seed=1)
    on_cpu.advance(30)
    resumed = solver(form)
    restore(resumed, on_cpu.arrays())
    back = load("algorithms", "public-chance").start(form, seed=1)
    restore(back, resumed.arrays())
    np.testing.assert_allclose(back.arrays()["regret"], on_cpu.arrays()["regret"], rtol=1e-5)
    assert (resumed.iterations, back.iterations) == (30, 30)
    np.testing.assert_array_equal(back.average, on_cpu.average)


def test_usual_boards_of_a_step() -> None:
    """One for each deal, a quarter of the six first at most; of best responses all below the trunk."""
    form = each_hand(THREE_ROUNDS)
    fans = [solver(form, trunk=trunk).fan for trunk in (None, 0, 1, 2)]
    assert fans == [(1, 1), (ALL, ALL), (1, ALL), (1, 1)]


def test_what_a_card_cannot_train_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    form = each_hand(THREE_ROUNDS)
    with pytest.raises(BadSetting, match="choose a trunk of at most 2"):
        solver(form, trunk=3)
    with pytest.raises(BadSetting, match="choose cfr, linear-cfr or dcfr"):
        solver(form, "cfr+")
    with pytest.raises(TooLarge, match="longer trunk"):
        solver(bucketed_form(load("games", "rhode-island(ranks=13)")), trunk=0, fan=(200, 200))
    machine = checking_machine()
    assert machine is not None
    monkeypatch.setattr(type(machine), "free_bytes", lambda _: 1000)
    with pytest.raises(TooLarge, match="buckets needs .* choose fewer buckets"):
        solver(form)
    with pytest.raises(BadSetting, match="does not run on the device 'cuda'"):
        load("algorithms", "pure").engine("bucketed", "cuda")
