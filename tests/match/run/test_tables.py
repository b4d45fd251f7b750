"""Compiled matches of table strategies: against the plain twin, published values, and the referee's matches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.match import play_hand, uniform
from pokerlab.errors import BadSetting
from pokerlab.lab.solve.solving import solve
from pokerlab.match.run import _kernels
from pokerlab.match.run.tables import play_table_match, played_tree, running_sums
from pokerlab.registry import load
from pokerlab.strategy.forms.sequence import named
from pokerlab.tree.history.layout import HistoryTree, build
from pokerlab.tree.sequence import sequence_form

TREES = {name: build(load("games", name)) for name in ("kuhn", "kuhn(players=3)")}


def random_profile(tree: HistoryTree, rng: np.random.Generator) -> np.ndarray:
    """Any behaviour, with zeros in it."""
    weight = rng.random(tree.slots) * (rng.random(tree.slots) < 0.7) + 1e-9
    sums = np.add.reduceat(weight, tree.start[:-1])
    return np.asarray(weight / np.repeat(sums, np.diff(tree.start)))


@pytest.mark.uncompiled
@given(st.sampled_from(sorted(TREES)), st.integers(0, 2**32), st.integers(0, 1000))
@settings(deadline=None, max_examples=15)
def test_kernel_is_its_plain_twin(name: str, seed: int, first: int) -> None:
    tree, rng = TREES[name], np.random.default_rng(seed)
    profiles = [random_profile(tree, rng) for _ in range(tree.players)]
    sums = np.stack([running_sums(profile, tree.start) for profile in profiles])
    payoffs = np.empty((tree.players, 12, tree.players))
    place = np.uint64(seed)
    _kernels.play_tables(played_tree(tree, sums), place, first, payoffs)
    for passed in range(tree.players):
        for deal in range(12):
            base = seed + (first + deal) * 64 * (tree.players + 1)
            plain = play_hand(
                tree,
                profiles,
                moved=(first + deal + passed) % tree.players,
                dealt=base,
                chosen=base + 64 * (passed + 1),
            )
            assert payoffs[passed, deal].tolist() == plain


def test_random_numbers_are_the_plain_ones() -> None:
    assert [_kernels.uniform(np.uint64(place)) for place in (0, 1, 2**40)] == [uniform(p) for p in (0, 1, 2**40)]


def test_equilibrium_earns_the_value_of_the_game() -> None:
    """Kuhn poker is worth -1/18 to the first seat (Kuhn 1950)."""
    strategy = solve("kuhn", algorithm="lp").strategy
    result = play_table_match("kuhn", [strategy, strategy], hands=400_000, seed=3)
    first = result.positions[0][0]
    assert first is not None
    assert abs(first.mean + 1 / 18) < 4 * first.standard_error
    assert first.standard_error < 0.005


def test_duplicate_deals_have_the_same_cards() -> None:
    """Agents that ignore their cards and act alike: what one wins in a pass it loses in the other."""
    tree = build(load("games", "leduc"))
    strategy = named(sequence_form(tree), tree.uniform()).purify()
    result = play_table_match("leduc", [strategy, strategy], hands=2000, duplicate=True)
    assert result.summaries[0].mean == 0
    assert result.summaries[0].deviation == 0
    assert result.hand_deviation[0] > 0


def test_threads_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    from pokerlab.match.run import tables

    strategy = solve("kuhn", algorithm="lp").strategy
    monkeypatch.setattr(tables, "_DEALS", 1000)
    results = [play_table_match("kuhn", [strategy] * 2, hands=9999, workers=workers) for workers in (1, 3)]
    assert results[0].summaries == results[1].summaries
    monkeypatch.setattr(tables, "_DEALS", 10**6)
    whole = play_table_match("kuhn", [strategy] * 2, hands=9999)
    assert whole.summaries[0].mean == pytest.approx(results[0].summaries[0].mean)


def test_mistakes() -> None:
    strategy = solve("kuhn", algorithm="lp").strategy
    with pytest.raises(BadSetting, match="needs 2 strategies"):
        play_table_match("kuhn", [strategy], hands=10)
    with pytest.raises(BadSetting, match="at least 1"):
        play_table_match("kuhn", [strategy] * 2, hands=0)
    with pytest.raises(BadSetting, match="not a poker game"):
        play_table_match("matching-pennies", [strategy] * 2, hands=10)
