"""Three hands of hold'em as one table, against the exact table of two."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.cards.preflop import preflop_table
from pokerlab.solvers.tournament.holdem_cards import three_cards


def test_two_of_three_hands_meet_as_two_do() -> None:
    """With the third hand summed out, wins and ties are those of the table of all pairs of hands."""
    cards, table = three_cards(), preflop_table(5)
    deals = table.class_pairs.sum() * table.boards
    assert cards.pairs[0] == pytest.approx(table.class_wins / deals, abs=1e-11)
    assert cards.pairs[1] == pytest.approx(table.class_ties / deals, abs=1e-11)
    assert np.asarray(cards.orders).sum(dtype=np.float64) == pytest.approx(1, abs=1e-6)
