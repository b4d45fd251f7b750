"""Programs over buckets: what they find inside, what is least exploitable, and a pathology that no equilibrium escapes.

Waugh, Schnizlein, Bowling and Szafron, "Abstraction pathologies in extensive games", 2009.
"""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.abstraction.blurred import BlurredGame
from pokerlab.abstraction.buckets import Buckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import remembering
from pokerlab.errors import BadGame, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers._abstraction_runs import refines
from pokerlab.papers._cfr_br_runs import COARSE, FINE, leduc_buckets
from pokerlab.registry import load
from pokerlab.solvers.bucketed.exact import ExactBuckets
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.bucketed.inside import inside_game
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


def leduc(buckets: Buckets | None = None) -> BucketedForm:
    game = open_game("leduc")
    assert isinstance(game, PokerGame)
    return bucketed_form(game, buckets or remembering(lossless(CardRounds.of(game, ordered=True))))


def exploitability(form: BucketedForm, numbers: np.ndarray) -> float:
    measured = measurer(form)
    assert measured is not None
    return measured(numbers).exploitability


@pytest.fixture(scope="module")
def coarse() -> ExactBuckets:
    return ExactBuckets(leduc(leduc_buckets(COARSE)))


@pytest.fixture(scope="module")
def fine() -> ExactBuckets:
    return ExactBuckets(leduc(leduc_buckets(FINE)))


def test_a_finer_abstraction_is_more_exploitable_whatever_equilibrium_is_played(
    coarse: ExactBuckets, fine: ExactBuckets
) -> None:
    """Found by search over what ranks of the hand and of the board are told apart."""
    assert refines(fine.form.buckets, coarse.form.buckets)
    assert not refines(coarse.form.buckets, fine.form.buckets)
    played = exploitability(coarse.form, coarse.equilibrium())
    best = exploitability(coarse.form, coarse.least_exploitable(among_equilibria=True))
    escaped = exploitability(fine.form, fine.least_exploitable(among_equilibria=True))
    assert (best, escaped) == (pytest.approx(0.48971, abs=1e-4), pytest.approx(0.63897, abs=1e-4))
    assert best <= played < escaped <= exploitability(fine.form, fine.equilibrium()) + 1e-6


def test_what_is_least_exploitable_is_better_the_finer_the_buckets(coarse: ExactBuckets, fine: ExactBuckets) -> None:
    """With one player abstracted there is no pathology."""
    found = [exploitability(one.form, one.least_exploitable()) for one in (coarse, fine)]
    assert found == [pytest.approx(0.16967, abs=1e-4), pytest.approx(0.10766, abs=1e-4)]
    rng = np.random.default_rng(1)
    for one, least in zip((coarse, fine), found, strict=True):
        assert least <= exploitability(one.form, one.least_exploitable(among_equilibria=True))
        for _ in range(3):
            assert least < exploitability(one.form, rng.random(one.form.numbers))


def test_an_equilibrium_leaves_nothing_to_gain_inside(coarse: ExactBuckets) -> None:
    for numbers in (coarse.equilibrium(), coarse.least_exploitable(among_equilibria=True)):
        found = inside_game(coarse.form).measure(numbers)
        assert found.values[0] == pytest.approx(coarse.value, abs=1e-5)
        assert found.exploitability == pytest.approx(0, abs=1e-5)
    left = inside_game(coarse.form).measure(coarse.least_exploitable())
    assert left.exploitability > 0.01  # it is no equilibrium of the abstract game


def test_cfr_br_comes_to_what_is_least_exploitable(coarse: ExactBuckets) -> None:
    least = exploitability(coarse.form, coarse.least_exploitable())
    solver = load("algorithms", "cfr-br").start(coarse.form)
    left = []
    for iterations in (50, 500):
        solver.advance(iterations - solver.iterations)
        left.append(solver.measure().exploitability - least)
        assert left[-1] > -1e-9
    assert left[1] < left[0] / 3
    assert solver.measure().exploitability < exploitability(coarse.form, coarse.equilibrium()) / 2


def test_with_every_hand_apart_all_of_it_is_an_equilibrium_of_the_real_game() -> None:
    exact = ExactBuckets(leduc())
    assert exact.value == pytest.approx(-0.0856064, abs=1e-6)
    for numbers in (exact.equilibrium(), exact.least_exploitable()):
        assert exploitability(exact.form, numbers) == pytest.approx(0, abs=1e-6)


def test_a_blurred_player_sees_buckets_and_the_other_cards(coarse: ExactBuckets) -> None:
    game = coarse.form.game
    tree = build(BlurredGame(game, coarse.form.buckets, (1,)))
    plain = build(game)
    names = [
        [name for name, player in zip(one.infoset_names, one.infoset_player, strict=True) if player == 0]
        for one in (tree, plain)
    ]
    assert set(names[0]) == set(names[1])
    assert tree.infosets < plain.infosets
    assert tree.nodes == plain.nodes


def test_what_forgets_is_refused() -> None:
    game = open_game("leduc")
    assert isinstance(game, PokerGame)
    forgetting = ExactBuckets(bucketed_form(game, Buckets(leduc_buckets(FINE).cards, _forgetful())))
    with pytest.raises(BadGame, match="imperfect recall"):
        forgetting.equilibrium()
    with pytest.raises(BadSetting, match="two players"):
        ExactBuckets(bucketed_form(open_game("kuhn(players=3)")))  # type: ignore[arg-type]


def _forgetful() -> tuple:
    fine, coarse = leduc_buckets(FINE).rounds, leduc_buckets("JQK").rounds
    from dataclasses import replace

    return replace(fine[0], join=None), replace(coarse[1], join=None, count=int(coarse[1].table.max()) + 1)


def test_payoffs_that_cancel_are_none() -> None:
    """What rounding leaves of them would scale linear programs by itself."""
    form = leduc(leduc_buckets("JQK"))
    laid = sequence_form(build(BlurredGame(form.game, form.buckets, (0, 1))))
    assert np.abs(laid.value).min() > 1e-6
    assert ExactBuckets(form).value == pytest.approx(-0.0948148, abs=1e-6)
