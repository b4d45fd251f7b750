"""The comparison of figure 7.1, on a budget of seconds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.events import SILENT, Watch
from pokerlab.formats.opening import open_game
from pokerlab.papers import _sampling_runs
from pokerlab.papers._sampling_runs import ALGORITHMS, POINTS, Curve, compare, constants, curve
from pokerlab.papers.mccfr_comparison import FULL, OUR_PURSUIT, PRINTED, SMALL, _finding, advantage
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form


@pytest.fixture(scope="module")
def one_card():
    return sequence_form(build(open_game("one-card(cards=8)")))


@pytest.mark.parametrize("label", list(ALGORITHMS))
def test_every_algorithm_converges(one_card, label):
    found = curve(one_card, label, seeds=[1, 2], budget=3e5)
    assert np.all(np.diff(found.nodes) >= 0)
    assert found.nodes[-1] >= 3e5
    mean, low, high = found.interval()
    assert np.all(low <= mean)
    assert np.all(mean <= high)
    assert mean[-1] < mean[0] / 3


def test_the_same_seed_gives_the_same_curve(one_card):
    once, again = (curve(one_card, "outcome sampling", seeds=[7], budget=1e5) for _ in range(2))
    assert np.array_equal(once.exploitability, again.exploitability)


def test_intervals_are_of_logarithms():
    found = Curve("x", np.array([1.0]), np.array([[1.0], [100.0]]))
    mean, low, high = found.interval()
    assert mean == pytest.approx([10.0])
    assert low * high == pytest.approx(mean**2)


def test_the_advantage_is_over_the_later_half():
    points = POINTS
    vanilla = Curve("CFR", np.ones(points), np.full((1, points), 0.5))
    early = np.full((2, points), 0.25)
    early[:, : points // 2] = 9.0  # what happens early does not count
    assert advantage(Curve("x", np.ones(points), early), vanilla) == pytest.approx((0.5, 0.5, 0.5))


def test_the_paper(quick_paper):
    result, told = quick_paper("mccfr-comparison")
    assert told == sorted(told)
    assert 0 <= min(told) <= max(told) <= 1
    sizes, times, ends, pursuit = result.tables
    assert "11 moves" in pursuit.rows[2].what
    assert pursuit.rows[2].ours["histories"] == 91_803_123  # printed 91.8 million
    assert sizes.rows[0].printed == 98.3e6
    assert sizes.rows[0].ours["counted"] == 98_309_835
    assert all(row.printed is None for row in times.rows), "the paper's games are larger"
    assert all(row.times["here"] > 0 for row in times.rows)
    assert [row.what for row in ends.rows] == ["Goofspiel", "one-card poker"]
    assert "chance sampling" not in ends.rows[0].ours, "Goofspiel has no chance"
    assert len(result.findings) == 3
    assert {line.label for line in result.figures[0].panels[1].lines} == set(ALGORITHMS)


def test_the_games_exist():
    for name in [*SMALL.values(), *FULL.values()]:
        assert open_game(name).players == 2
    assert set(FULL) == set(PRINTED)


@pytest.mark.parametrize("cards", [5, 60, pytest.param(500, marks=pytest.mark.slow)])
def test_constants_of_one_card_poker(cards):
    """The paper prints 45 and 32 for 500 cards: 2 sqrt(500) and sqrt(1000)."""
    form = sequence_form(build(open_game(f"one-card(cards={cards})")))
    assert constants(form) == pytest.approx((2 * cards**0.5, (2 * cards) ** 0.5))


@pytest.mark.parametrize("name", ["goofspiel(cards=4)", "princess-and-monster(steps=5)", "leduc"])
def test_constants_by_the_definition(name):
    """Infosets put together by what their player did before, one by one."""
    form = sequence_form(build(open_game(name)))
    tree = form.tree
    words = [name for names in tree.action_names for name in names]
    owner = np.repeat(np.arange(tree.infosets), np.diff(tree.start))

    def before(infoset):
        sequence = int(form.parent[infoset]) - form.players
        return () if sequence < 0 else (*before(owner[sequence]), words[sequence])

    classes = Counter((tree.infoset_player[infoset], before(infoset)) for infoset in range(tree.infosets))
    sums = [sum(count**0.5 for (player, _), count in classes.items() if player == who) for who in range(2)]
    assert constants(form) == pytest.approx(sums)


def test_kept_curves_are_not_run_again(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    told = []
    watch = Watch("paper", lambda event: told.append(event.message))
    once = compare("one-card(cards=5)", seeds=[4, 5], budget=1e4, keep=True, watch=watch)
    assert "building the tree" in told
    monkeypatch.setattr(_sampling_runs, "build", lambda *_, **__: pytest.fail("it was laid out again"))
    again = compare("one-card(cards=5)", seeds=[4, 5], budget=1e4, keep=True, watch=SILENT)
    assert again.facts == once.facts
    for one, other in zip(once.curves, again.curves, strict=True):
        assert np.array_equal(one.exploitability, other.exploitability)
        assert one.iteration_seconds == other.iteration_seconds


def test_a_damaged_curve_is_run_again(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_HOME", str(tmp_path))
    once = compare("goofspiel(cards=3)", seeds=[4], budget=1e4, keep=True, watch=SILENT)
    files = sorted(tmp_path.rglob("*.safetensors"))
    assert len(files) == 4, "no chance sampling where there is no chance"
    files[0].write_bytes(files[0].read_bytes()[:-9])
    again = compare("goofspiel(cards=3)", seeds=[4], budget=1e4, keep=True, watch=SILENT)
    assert np.array_equal(once.curves[0].exploitability, again.curves[0].exploitability)


def test_our_pursuit_is_the_game_of_the_library():
    form = sequence_form(build(open_game("princess-and-monster(steps=7)")))
    rules = replace(OUR_PURSUIT, moves=7)
    assert rules.histories() == form.tree.nodes
    assert sum(rules.infosets()) == form.tree.infosets
    assert rules.constants() == pytest.approx(constants(form))


def test_a_smaller_game_does_not_decide_the_papers():
    points = POINTS
    vanilla = Curve("CFR", np.ones(points), np.full((1, points), 0.1))
    worse = Curve("external sampling", np.ones(points), np.full((2, points), 0.2))
    verdict = _finding("a game", [vanilla, worse], game="a(small=1)")
    assert verdict.holds is False
    assert "a(small=1)" in verdict.verdict
    assert _finding("a game", [vanilla, worse]).verdict == "does not hold"
