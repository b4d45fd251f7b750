"""The card sweep against every pair of hands looked at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards._kernels.board import board_strengths
from pokerlab.cards._kernels.sweep import HAND_MASK, OpposingWeights, sort_by_strength, sweep
from pokerlab.cards.combos import COMBOS
from pokerlab.cards.strength import HIGH

APART = ~(COMBOS[:, None, :, None] == COMBOS[None, :, None, :]).any(axis=(2, 3))  # [1326, 1326]


@pytest.mark.uncompiled
@given(st.integers(0, 10**9), st.sampled_from([0, 1, 2, 37, 400, 1326]), st.sampled_from([0.0, 0.5, 1.0]))
@settings(max_examples=12, deadline=None)
def test_each_hand_meets_what_its_pairs_say(seed: int, size: int, share: float) -> None:
    """Hands of any number, some of them impossible; weights of very different sizes, some of them zero."""
    rng = np.random.default_rng(seed)
    board = rng.permutation(52)[:5].astype(np.uint8)
    strengths = np.zeros(1326, np.uint16)
    board_strengths(board, np.zeros(52, np.bool_), HIGH().tables(7), strengths)
    hands = np.sort(rng.permutation(1326)[:size]).astype(np.int16)
    weights = np.zeros(1326)
    weights[hands] = 10.0 ** rng.uniform(-9, 3, size) * (rng.random(size) < share)
    items, spare = np.zeros((2, 1326), np.int32)
    count = sort_by_strength(strengths, hands, items, spare)
    sorted_hands = items[:count] & HAND_MASK
    assert sorted(sorted_hands.tolist()) == [hand for hand in hands.tolist() if strengths[hand]]
    assert (np.diff(strengths[sorted_hands].astype(int)) <= 0).all()
    met = OpposingWeights(*np.ones((3, 1326)))
    sweep(items, count, COMBOS, weights, met)
    live = np.where(strengths > 0, weights, 0.0)
    mine = np.isin(np.arange(1326), sorted_hands)
    against = APART * live
    relation = strengths[:, None].astype(int) - strengths[None, :]
    for found, which in ((met.wins, relation < 0), (met.ties, relation == 0), (met.totals, np.full(APART.shape, True))):
        expected = 1 + np.where(mine, (against * which).sum(axis=1), 0.0)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * weights.sum())
