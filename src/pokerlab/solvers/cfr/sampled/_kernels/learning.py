"""Turn sampled regrets into regrets, behaviour and averages: the steps of a schedule, with one walk per player in each.

The records and shape letters are those of sampling.py.
"""

from __future__ import annotations

import math

import numpy as np

from pokerlab.compiled import kernel
from pokerlab.solvers.cfr.sampled._kernels.sampling import ONE, walk
from pokerlab.solvers.core._kernels import step_of


@kernel(allocates=False, forceinline=True)
def settle(count, start, buffers, sums, lowest, prediction):
    """Add the sampled regrets of touched infosets to their sums, and apply regret matching.

    Sums of untouched infosets are discounted too, lazily: `seen` stores the cumulative log discounts of positive
    and negative regret at an infoset's last update.
    """
    regret, current, delta, seen, logs = sums.regret, sums.current, sums.delta, sums.seen, sums.logs
    for position in range(count):
        infoset = np.uint64(buffers.touched[position])
        buffers.mark[infoset] = False
        positive, negative = 1.0, 1.0
        if logs[0] != seen[infoset, 0]:
            positive = math.exp(logs[0] - seen[infoset, 0])
            seen[infoset, 0] = logs[0]
        if logs[1] != seen[infoset, 1]:
            negative = math.exp(logs[1] - seen[infoset, 1])
            seen[infoset, 1] = logs[1]
        first, last = np.uint64(start[infoset]), np.uint64(start[infoset + ONE])
        total = 0.0
        for slot in range(first, last):
            gain, old = delta[slot], regret[slot]
            delta[slot] = 0.0
            new = max(positive * max(old, 0.0) + negative * min(old, 0.0) + gain, lowest)
            regret[slot] = new
            matched = max(new + prediction * gain, 0.0)
            current[slot] = matched
            total += matched
        for slot in range(first, last):
            current[slot] = current[slot] / total if total > 0.0 else 1.0 / float(last - first)


@kernel(allocates=False)
def fade(step, sums):
    """Advance the logs by a step's discounts; returns the step's weight in averages as they are stored."""
    logs = sums.logs
    if step.keep_positive != 1.0:
        logs[0] += math.log(max(step.keep_positive, 1e-300))
    if step.keep_negative != 1.0:
        logs[1] += math.log(max(step.keep_negative, 1e-300))
    if step.keep_average != 1.0 and step.keep_average > 0.0:
        logs[2] += math.log(step.keep_average)
        if logs[2] < -200.0:  # averages are stored as growing sums; rescale them before they overflow
            for slot in range(len(sums.average)):
                sums.average[slot] *= math.exp(logs[2])
            logs[2] = 0.0
    return step.average_weight * math.exp(-logs[2])


@kernel(allocates=False)
def advance_sampled(steps, alternating, sampling, tree, buffers, sums, state):
    """The steps of a schedule [count, 6], with one walk per player in each; returns the number of histories visited."""
    players = tree.returns.shape[1]
    visited = np.uint64(0)
    for t in range(len(steps)):
        step = step_of(steps, t)
        lowest = 0.0 if step.floor else -1e300
        weight = fade(step, sums)
        count = 0
        for player in range(players):
            count, size = walk(np.uint32(player), weight, sampling, tree, buffers, sums, count, state)
            visited += size
            if alternating or player == players - 1:
                settle(count, tree.start, buffers, sums, lowest, step.prediction)
                count = 0
    return visited
