"""Kernels of CFR-BR over buckets beside plain loops, on random numbers of uneven boards and decisions."""

from __future__ import annotations

import numpy as np
import pytest

from naive.solve import matched
from pokerlab.solvers.cfr.cfr_br._kernels import Decisions, HandOffsets, gather_hands, learn, remember, spread_to_hands
from pokerlab.solvers.core.schedule import Step
from pokerlab.tree.public.layout import BLOCK

pytestmark = pytest.mark.uncompiled


def placing_of(rng: np.random.Generator, boards: int, rows: int, slots: int, buckets: int) -> tuple[HandOffsets, int]:
    """Hands of random buckets, slots in random places of rows that are longer than they need be; and all numbers."""
    stride = slots + 3
    places = rng.permutation(stride)[:slots].astype(np.int64)
    held = rng.integers(0, buckets, (boards, rows)).astype(np.int32)
    count = rng.integers(1, rows + 1, boards).astype(np.int32)
    return HandOffsets(held, count, places + 2, np.full(slots, stride, np.int64)), 2 + buckets * stride


@pytest.mark.parametrize(("boards", "rows", "slots"), [(1, BLOCK, 1), (3, 2 * BLOCK, 5), (4, 3 * BLOCK, 2)])
def test_hands_and_buckets(boards: int, rows: int, slots: int) -> None:
    rng = np.random.default_rng(slots)
    placing, numbers = placing_of(rng, boards, rows, slots, 7)
    begin, end = (1, boards) if boards > 1 else (0, 1)
    play, weight = rng.random(numbers), rng.random(boards)
    stored = np.full(boards * rows * slots, -1.0, np.float32)
    spread_to_hands(placing, begin, end, play, stored)
    shaped = stored.reshape(boards, -1, slots, BLOCK)
    summed, expected = rng.random(numbers), np.zeros(numbers)
    expected[:] = summed
    values = rng.random(len(stored)).astype(np.float32)
    gather_hands(placing, begin, end, weight, values, summed)
    for board in range(boards):
        for row in range(rows):
            for slot in range(slots):
                number = placing.first[slot] + placing.stride[slot] * placing.held[board, row]
                told = shaped[board, row // BLOCK, slot, row % BLOCK]
                inside = begin <= board < end
                assert told == (np.float32(play[number]) if inside else -1)
                if inside and row < placing.count[board]:
                    at = values.reshape(shaped.shape)[board, row // BLOCK, slot, row % BLOCK]
                    expected[number] += weight[board] * at
    assert summed == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("step", [Step(), Step(0.75, 0.5, False, 0.9, 1.0, 0.0), Step(1, 1, True, 0.5, 2.0, 1.0)])
def test_regrets_of_buckets(step: Step) -> None:
    rng = np.random.default_rng(5)
    decisions = Decisions(*(np.array(one, np.int64) for one in ([1, 4, 40], [8, 8, 3], [4, 4, 5], [3, 2, 3])))
    instant, regret, average = rng.normal(size=(3, 60))
    regret[1:4] = -5  # nothing to match: uniform
    before, play, average = regret.copy(), np.full(60, -1.0), average.astype(np.float32)
    shared, old = rng.random(60), average.copy()
    learn(decisions, step, instant, regret, play)
    remember(decisions, step.keep_average, step.average_weight, shared, average)
    met = np.zeros(60, bool)
    for first, stride, buckets, moves in zip(*decisions, strict=True):
        for bucket in range(buckets):
            own = slice(first + bucket * stride, first + bucket * stride + moves)
            kept = before[own] * np.where(before[own] > 0, step.keep_positive, step.keep_negative) + instant[own]
            kept = np.maximum(kept, 0) if step.floor else kept
            assert regret[own] == pytest.approx(kept)
            assert play[own] == pytest.approx(matched(kept + step.prediction * instant[own]))
            mean = old[own] * step.keep_average + step.average_weight * shared[own]
            assert average[own] == pytest.approx(mean, rel=1e-5)
            met[own] = True
    assert (regret[~met] == before[~met]).all()
    assert (play[~met] == -1).all()
    assert (average[~met] == old[~met]).all()
