"""Three hands of hold'em as one table, against the exact table of two."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.multiway_packing import STEPS
from pokerlab.cards.preflop import preflop_table
from pokerlab.tree.pushes.three import three_cards


def test_two_of_three_hands_meet_as_two_do() -> None:
    """With the third hand summed out, wins and ties are those of the table of all pairs, to less than a step."""
    cards, table = three_cards(), preflop_table(5)
    chance = table.class_pairs / table.class_pairs.sum()
    for found, exact in ((cards.pairs[0], table.class_win), (cards.pairs[1], table.class_tie)):
        errors = found / chance - exact
        assert np.abs(errors).max() < 1 / STEPS
        assert abs(errors.mean()) < 1e-6
    assert np.asarray(cards.orders).sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
