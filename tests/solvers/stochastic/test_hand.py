"""A hand of three players: the kernels against plain sums over all deals and actions."""

from __future__ import annotations

import numpy as np
import pytest

from naive import tournament as naive
from pokerlab.solvers.preflop._kernels.three import weigh
from pokerlab.solvers.preflop.three import HandBuffers
from pokerlab.tree.pushes._kernels.three import assess
from pokerlab.tree.pushes.evaluator import rearranged
from pokerlab.tree.pushes.three import cards_of, end_chances

HANDS = 3


@pytest.fixture(scope="module")
def cards() -> np.ndarray:
    return naive.random_cards(HANDS, np.random.default_rng(3))


def test_a_deal_is_the_same_whoever_holds_which(cards: np.ndarray) -> None:
    made = cards_of(cards, naive.PLACES)
    assert made.pairs.sum() == pytest.approx(1)
    assert made.pairs[0] == pytest.approx(made.pairs[2].T)
    turned = np.transpose(cards, (2, 1, 3, 0))  # [x, order, y, z]: the same table with x in the place of z
    assert cards[:, made.turned] == pytest.approx(turned)
    assert (np.sort(rearranged(naive.PLACES), axis=1) == np.arange(13)).all()


@pytest.mark.uncompiled
@pytest.mark.parametrize("seed", range(3))
def test_where_a_profile_leads(cards: np.ndarray, seed: int) -> None:
    profile = np.random.default_rng(seed).random((6, HANDS))
    profile[:, seed] = 0
    profile[seed] = np.round(profile[seed])
    found = np.empty((6, HANDS, 25))
    assess(cards_of(cards, naive.PLACES), profile, found)
    assert found == pytest.approx(naive.leads(cards, profile), abs=1e-6)
    stays = np.isin(np.arange(25), [1, *range(3, 9), *range(12, 25)])
    chances = (np.where(stays, profile[0][:, None], 1 - profile[0][:, None]) * found[0]).sum(0)
    assert chances.sum() == pytest.approx(1, abs=1e-6)
    assert end_chances(profile[0], found[0]) == pytest.approx(chances, abs=1e-6)


@pytest.mark.uncompiled
@pytest.mark.parametrize("forced", [(), (1, 2, 4), (3, 5)])
def test_fictitious_play(cards: np.ndarray, forced: tuple[int, ...]) -> None:
    """Slabs of changed hands add up to what is computed anew, uneven prizes and forced decisions included."""
    rng = np.random.default_rng(len(forced))
    ends, start = rng.normal(size=(25, 3)), rng.uniform(0.1, 0.9, (6, HANDS))
    decides = np.array([decision not in forced for decision in range(6)])
    room = HandBuffers(cards_of(cards, naive.PLACES))
    room.play(ends, start, decides, 3, 12)
    assert room.average == pytest.approx(naive.fictitious_play(cards, ends, start, decides, 3, 12), abs=1e-5)


def test_margins_are_those_of_the_averages(cards: np.ndarray) -> None:
    """After many changes the kept matrices still weigh what the averages are."""
    rng = np.random.default_rng(9)
    ends, start = rng.normal(size=(25, 3)), rng.uniform(0.1, 0.9, (6, HANDS))
    room = HandBuffers(cards_of(cards, naive.PLACES))
    room.play(ends, start, np.ones(6, bool), 0, 500)
    weigh(room.matrices, room.profile, 0.0)
    expected = naive.margins_of(naive.leads(cards, room.average), ends)
    assert room.profile.margins == pytest.approx(expected, abs=2e-5)
