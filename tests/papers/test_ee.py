"""Ee's experiment, scaled down: its tables add up, and its tests are the textbook's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from pokerlab.events import SILENT
from pokerlab.match.draw import play
from pokerlab.papers import _draw_training
from pokerlab.papers._draw_claims import findings, signed
from pokerlab.papers._draw_endgames import ONE_SIZE, draw_game, resolved, solve_endgames
from pokerlab.papers._draw_exact import regrets
from pokerlab.papers._draw_readings import _Table, against_free_folding_random, blind_basic
from pokerlab.papers._draw_runs import (
    BASIC,
    DYNAMIC,
    MODELLING,
    SCALES,
    WEAK,
    DrawMatch,
    Experiment,
    one_tailed,
    variance_test,
)
from pokerlab.papers._draw_tables import Tables, _odd_card, straight_draws
from pokerlab.papers._draw_training import TrainedPlayer, form_of, train
from pokerlab.solvers.bucketed.playing import gain_of
from pokerlab.solvers.library.cfr import algorithm as cfr
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


@pytest.fixture(scope="module")
def run() -> Experiment:
    return Experiment.of(SCALES["quick"], 0, SILENT)


@pytest.fixture(scope="module")
def tables(run: Experiment) -> Tables:
    blind = DrawMatch(run.against(run.plain.player(1.0), blind_basic(run.plain.form), number=50))
    free = against_free_folding_random(run.plain.form, run.plain.average, deals=40, seed=0)
    return Tables(run, blind, free)


def test_hands_by_category_add_up_to_the_match(run: Experiment, tables: Tables) -> None:
    rows = tables.by_hand().rows
    gain = run.matches["backed", BASIC].gain.mean
    for who, sign in (("No Suits", 1), ("Basic", -1)):
        own = [row for row in rows if who in row.what]
        hands = np.array([row.ours["hands"] for row in own])
        paid = np.array([row.ours.get("payoff") or 0.0 for row in own], float)
        assert hands.sum() == 2 * SCALES["quick"].deals
        assert (hands * paid).sum() / hands.sum() == pytest.approx(sign * gain)


def test_strong_hands_win_more_than_weak_ones(tables: Tables) -> None:
    paid = {row.what: row.ours.get("payoff") for row in tables.by_hand().rows if "Basic" in row.what}
    assert paid["three of a kind: Basic"] > paid["high card: Basic"]


def test_every_opponent_is_met_with_and_without_fallback(run: Experiment, tables: Tables) -> None:
    rows = tables.opponents().rows
    assert len(rows) == 2 * (len(WEAK) + len(DYNAMIC) + 1)
    assert sum(MODELLING in row.what for row in rows) == 2
    printed = {row.what: row.printed for row in rows}
    assert printed["with fallback against draw-basic"] == -1.224
    assert printed["No Suits against always-raise"] == -3.82807
    for row in rows:  # an opposite sign is not passed over
        mean, half = row.ours["sbb/h"], float(row.note[2:].split(";")[0])
        assert ("other sign" in row.note) == (row.printed is not None and row.printed * mean < 0 and abs(mean) > half)


def test_changes_differ_from_the_paper_in_one_thing(run: Experiment, tables: Tables) -> None:
    rows = tables.one_at_a_time().rows
    assert len(rows) == len(run.curve) + 2
    assert all({"no fallback", "with fallback"} <= set(row.ours) for row in rows)
    assert run.mini.iterations == run.plain.iterations == run.last  # flushes known, nothing else


def test_verdicts_follow_the_intervals() -> None:
    assert signed("wins", 1.0, 0.1, printed=2.0).verdict == "holds, not its size"
    assert signed("wins", -1.0, 0.1).holds is False
    assert signed("loses", -1.0, 0.1, loses=True).holds is True
    needed = signed("wins", 0.1, 0.2, deals=1000)
    assert needed.holds is None
    assert "5,600 deals" in needed.verdict  # (2.326 / 1.96 * 2) ** 2 thousand


def test_a_failing_claim_names_its_iterations(run: Experiment, tables: Tables) -> None:
    verdicts = findings(run, tables)
    assert any(one.holds is False and f"{run.last:,} iterations" in one.verdict for one in verdicts)


def test_training_resumes_where_it_was_saved(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    monkeypatch.setattr(_draw_training, "SAVED_FROM", 1)
    form = form_of(SCALES["quick"].buckets[0])
    measured = []

    def at(player):
        measured.append(player.iterations)
        return {"sum": np.array([player.average.sum()])}

    whole, _ = train(form, (300,), seed=3, watch=SILENT)
    train(form, (100, 200), seed=3, watch=SILENT, at=at, saves=True)
    resumed, results = train(form, (100, 200, 300), seed=3, watch=SILENT, at=at, saves=True)
    assert measured == [100, 200, 300]
    assert set(results) == {100, 200, 300}
    np.testing.assert_array_equal(resumed.average, whole.average)


def test_four_to_a_straight_and_what_follows_a_miss() -> None:
    assert [
        _odd_card(np.array(ranks)) for ranks in ([0, 3, 4, 5, 6], [1, 2, 3, 4, 9], [1, 2, 3, 4, 5], [0, 9, 10, 11, 12])
    ] == [
        0,
        4,
        -1,  # a straight
        -1,  # closed by the ace
    ]
    form = form_of("no-suits")
    uniform = np.broadcast_to(np.float32(1), form.numbers)  # without memory
    shares = straight_draws(TrainedPlayer(form, uniform, 0))
    assert shares["discards the odd card"] == pytest.approx(shares["a discard at random"])
    assert 0.33 < shares["missed, facing a bet: calls"] < 0.5  # of two or three actions
    assert 0.4 < shares["missed, facing no bet: bets"] <= 0.5


def test_kuhn_walk_of_the_paper() -> None:
    assert regrets("cb", sampled=True) == (0, 3)  # printed
    assert regrets("cb", sampled=False) == (-1.5, 1.5)  # its algorithm 2
    for sampled in (True, False):
        assert regrets("", sampled=sampled)[1] > 0 >= regrets("", sampled=sampled)[0]


def test_table_of_single_hands_agrees_with_compiled_matches() -> None:
    form = form_of(SCALES["quick"].buckets[0])
    player, _ = train(form, (2_000,), seed=0, watch=SILENT)

    class Legal(_Table):
        def _random(self, node: int) -> int:
            return int(self.rng.integers(len(form.betting.actions[node])))

    rng = np.random.default_rng(5)
    table = Legal(form, player.average, rng)
    won = [[table.play(cards, seat) for seat in (0, 1)] for cards in (rng.permutation(52)[:20] for _ in range(1500))]
    single = gain_of(np.array(won).mean(axis=1))
    compiled = DrawMatch(play(player.player(), "random", form, hands=20_000, seed=1)).gain
    assert abs(single.mean - compiled.mean) < 1.5 * (single.half + compiled.half)


def test_safe_endgames_are_no_more_exploitable() -> None:
    for one in solve_endgames((20,), ranks=3):
        assert one.exploitability["safe"] <= one.exploitability["blueprint"] + 1e-7


def test_unsafe_endgames_of_an_equilibrium_may_lose() -> None:
    form = sequence_form(build(draw_game(ONE_SIZE)))
    solver = cfr().start(form)
    solver.advance(2000)
    profile = np.asarray(form.unpack(solver.strategy_arrays()))
    before = form.measure(profile).exploitability
    assert form.measure(resolved(form, profile, safe=False)).exploitability > before
    assert form.measure(resolved(form, profile, safe=True)).exploitability <= before + 1e-7


def test_blinds_of_self_play_lose_what_the_other_wins(run: Experiment) -> None:
    won = run.matches["plain", "plain"].outcomes.won
    assert won[:, 0].mean() != won[:, 1].mean()


def test_of_the_tests() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.normal(0.2, 1, 300), rng.normal(0, 1.3, 200)
    assert one_tailed(one) == pytest.approx(stats.ttest_1samp(one, 0).pvalue / 2)
    assert one_tailed(-one) == pytest.approx(1 - one_tailed(one))
    assert one_tailed(np.ones(3)) == 0.0
    assert one_tailed(-np.ones(3)) == 1.0
    assert np.isnan(one_tailed(np.ones(1)))  # one value tells nothing
    ratio, p_value = variance_test(one, other)
    assert ratio == pytest.approx(one.var(ddof=1) / other.var(ddof=1))
    assert p_value == pytest.approx(stats.f.cdf(ratio, 299, 199))
    assert p_value < 0.01
