"""Equilibria of general games: against pygambit, by methods that must agree, and by what an equilibrium is."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.errors import TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, Equilibrium, whole_table
from pokerlab.solvers.equilibria.correlated import best_correlated, distance, external_regrets, internal_regrets
from pokerlab.solvers.equilibria.learning import LEARNERS, play_jointly
from pokerlab.solvers.equilibria.lemke import lemke
from pokerlab.solvers.equilibria.lemke_howson import accessible, lemke_howson
from pokerlab.solvers.equilibria.program import another, most_welfare, worth_at_least
from pokerlab.solvers.equilibria.pure import eliminate, pure_equilibria
from pokerlab.solvers.equilibria.supports import enumerate_supports
from pokerlab.solvers.equilibria.transfer import shifted_plan
from pokerlab.solvers.equilibria.vertices import all_equilibria
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

SHAPES = [(2, 5), (5, 2), (3, 3), (4, 3), (1, 4), (3, 1), (4, 4), (2, 2), (3, 5), (5, 5)]
GAMES = 200


def random_tables(count: int, seed: int) -> Iterator[np.ndarray]:
    """Payoffs of unequal shapes: a third with many ties, a third with few, a third in quarters."""
    random = np.random.default_rng(seed)
    for number in range(count):
        shape = (2, *SHAPES[number % len(SHAPES)])
        if number % 3 == 2:
            yield random.integers(-50, 51, shape) / 4
        else:
            most = 1 + 2 * (number % 3)
            yield random.integers(-most, most + 1, shape).astype(float)


def of_pygambit(table: np.ndarray) -> set[tuple[tuple[Fraction, ...], ...]]:
    """The extreme equilibria that Gambit enumerates, in fractions."""
    pygambit = pytest.importorskip("pygambit")
    rows, columns = table.shape[1:]
    cells = (f"{Fraction(table[0, i, j])} {Fraction(table[1, i, j])}" for j in range(columns) for i in range(rows))
    text = f'NFG 1 R "random" {{ "row" "column" }} {{ {rows} {columns} }}\n\n{" ".join(cells)}'
    game = pygambit.read_nfg(io.StringIO(text))
    return {
        tuple(
            tuple(Fraction(int(share.numerator), int(share.denominator)) for _, share in found[player])
            for player in game.players
        )
        for found in pygambit.nash.enummixed_solve(game, rational=True).equilibria
    }


def test_200_random_games_have_the_equilibria_that_gambit_finds() -> None:
    infinite = 0
    for table in random_tables(GAMES, seed=0):
        game = Bimatrix(whole_table(table))
        found = all_equilibria(game)
        mixes = {one.mixes for one in found.extreme}
        assert mixes == of_pygambit(table)
        infinite += not found.is_finite
        for one in found.extreme:
            assert game.is_equilibrium(*one.mixes)
        for path in lemke_howson(game):
            assert path.equilibrium.mixes in mixes
    assert infinite > 20, "degenerate games are among them"


def test_methods_agree_on_degenerate_games_too() -> None:
    """Supports, pure equilibria, accessible ones, dominance and programs, against the list of all."""
    for number, table in enumerate(random_tables(40, seed=1)):
        whole = whole_table(table)
        game = Bimatrix(whole)
        every = all_equilibria(game)
        extreme = {one.mixes for one in every.extreme}
        by_support = list(enumerate_supports(game))
        assert {one.supports for one in every.extreme} <= {one.supports for one in by_support}
        assert all(game.is_equilibrium(*one.mixes) for one in by_support)
        assert {one.mixes for one in accessible(game)} <= extreme
        assert {one.mixes for one in pure_equilibria(whole)} == {one.mixes for one in every.extreme if one.is_pure}
        assert sorted(place for part in every.components for place in part) == list(range(len(extreme)))
        left = eliminate(whole).left
        for one in every.extreme:  # strict dominance loses none
            assert all(set(used) <= set(own) for used, own in zip(one.supports, left, strict=True))
        player = number % 2
        most = max(one.payoffs[player] for one in every.extreme)
        assert worth_at_least(game, player, most).equilibrium is not None
        assert worth_at_least(game, player, most + Fraction(1, 100)).equilibrium is None
        welfare = most_welfare(game).equilibrium
        assert welfare is not None
        assert float(welfare.welfare) == pytest.approx(max(float(one.welfare) for one in every.extreme), abs=1e-6)
        assert (another(game, every.extreme[0]).equilibrium is None) == every.is_unique


def test_weak_dominance_leaves_equilibria_of_the_whole_game() -> None:
    for table in random_tables(30, seed=2):
        whole = whole_table(table)
        left = eliminate(whole, weak=True).left
        rest = all_equilibria(Bimatrix(whole_table(table[np.ix_([0, 1], *left)])))
        for one in rest.extreme:
            mixes = [[Fraction(0)] * count for count in whole.counts]
            for mix, own, shares in zip(mixes, left, one.mixes, strict=True):
                for strategy, share in zip(own, shares, strict=True):
                    mix[strategy] = share
            assert Bimatrix(whole).is_equilibrium(*mixes)


def test_a_mixture_dominates_where_no_strategy_does() -> None:
    """A textbook case: half of each of the first two rows beats the third."""
    rows = np.array([[4.0, 0.0], [0.0, 4.0], [1.0, 1.0]])
    (one, *_) = eliminate(whole_table(np.array([rows, np.zeros((3, 2))]))).eliminated
    assert (one.player, one.strategy, one.strict, sum(one.by.values())) == (0, 2, True, 1)
    assert eliminate(whole_table(np.array([rows, np.zeros((3, 2))])), mixed=False).eliminated == ()


def test_long_paths_in_floats_end_where_exact_ones_do() -> None:
    """Games of 15 x 18: floats are verified by best responses, and repeated exactly where they fail."""
    random = np.random.default_rng(3)
    game = Bimatrix(whole_table(random.integers(-99, 100, (2, 15, 18)).astype(float)))
    for exact, rough in zip(lemke_howson(game), lemke_howson(game, exact=False), strict=True):
        assert exact.pivots == rough.pivots
        assert np.allclose([float(share) for share in exact.equilibrium.mixes[0]], rough.equilibrium.mixes[0])


def test_too_many_vertices_are_refused() -> None:
    random = np.random.default_rng(4)
    with pytest.raises(TooLarge, match="more than 50 bases"):
        all_equilibria(Bimatrix(whole_table(random.integers(-9, 9, (2, 6, 7)).astype(float))), most_bases=50)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("name", ["kuhn", "battle-of-the-sexes", "goofspiel(cards=3)", "shapley"])
def test_lemkes_method_finds_equilibria_in_the_sequence_form(name: str, exact: bool) -> None:
    form = sequence_form(build(open_game(name)))
    for start in (0, 1, 2):
        measure = form.measure(form.behaviour(lemke(form, start=start, exact=exact).plan))
        assert measure.nash_conv == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("start", [1, pytest.param(0, marks=pytest.mark.slow)])
def test_lemkes_method_solves_leduc(start: int) -> None:
    """Priors lead to equilibria of the value of the linear program."""
    form = sequence_form(build(open_game("leduc")))
    measure = form.measure(form.behaviour(lemke(form, start=start).plan))
    assert measure.nash_conv == pytest.approx(0, abs=1e-10)
    assert measure.values[0] == pytest.approx(-0.085606424078, abs=1e-10)


def test_the_second_player_shifts_utility_in_three_player_kuhn() -> None:
    """Szafron, Gibson and Sturtevant 2013: their own payoff is -1/48, and the first player's at most that."""
    form = sequence_form(build(open_game("kuhn(players=3)")))
    solver = registry.load("algorithms", "cfr+").start(form)
    solver.advance(3000)
    before, plan = form.measure(solver.profile()), form.plan(solver.profile())
    slack = 2 * before.epsilon
    ends = [
        form.measure(form.behaviour(shifted_plan(form, plan, shifter=1, winner=winner, slack=slack)))
        for winner in (0, 2)
    ]
    assert all(end.epsilon < 4 * slack for end in ends)
    assert [end.values[1] for end in ends] == pytest.approx([-1 / 48] * 2, abs=1e-4)
    assert [end.values[0] for end in ends] == pytest.approx([-1 / 48, -1 / 32], abs=1e-4)


def test_correlated_equilibria_contain_products_and_exceed_them() -> None:
    """Aumann's game of chicken: 3/4 of the way to (5, 5), 5.25 each for a mediator, 14/3 each in the mixed one."""
    table = np.array([[[6.0, 2.0], [7.0, 0.0]], [[6.0, 7.0], [2.0, 0.0]]])
    best = best_correlated(table, np.ones(2))
    assert best.payoffs == pytest.approx((5.25, 5.25))
    assert best_correlated(table, np.ones(2), coarse=True).payoffs == pytest.approx((5.25, 5.25))
    for one in all_equilibria(Bimatrix(whole_table(table))).extreme:
        joint = np.outer(*(np.array([float(share) for share in mix]) for mix in one.mixes))
        assert distance(table, joint) == pytest.approx(0, abs=1e-9)
        assert max(internal_regrets(table, joint)) == pytest.approx(0, abs=1e-12)
    assert distance(table, np.array([[0.0, 0.0], [0.0, 1.0]])) > distance(table, np.full((2, 2), 0.25)) > 0


@pytest.mark.parametrize("rule", LEARNERS)
def test_learners_have_the_regrets_that_they_promise(rule: str) -> None:
    """In a game of unequal shape; a bound of two spreads over the root of the iterations."""
    random = np.random.default_rng(6)
    table = random.integers(-5, 6, (2, 3, 4)).astype(float)
    iterations = 3000
    play = play_jointly(table, (rule, rule), iterations=iterations, points=[iterations])
    joint = play.joint[-1]
    assert joint.sum() == pytest.approx(1)
    bound = 2 * np.ptp(table) / np.sqrt(iterations) * 2
    if rule != "fictitious-play":
        assert max(external_regrets(table, joint)) <= bound
        assert distance(table, joint, coarse=True) <= bound
    if rule in ("internal", "exponential"):
        assert max(internal_regrets(table, joint)) <= bound


def test_payoffs_are_read_as_the_fractions_that_they_round() -> None:
    whole = whole_table(np.array([[[1 / 6 + 1 / 6, 0.1 + 0.2]], [[np.pi, np.e]]]))
    assert whole.payoff(0, (0, 0)) == Fraction(1, 3)
    assert whole.payoff(0, (0, 1)) == Fraction(3, 10)
    assert whole.rounded
    assert float(whole.payoff(1, (0, 0))) == pytest.approx(np.pi, abs=1e-11)
    assert isinstance(pure_equilibria(whole)[0], Equilibrium)
