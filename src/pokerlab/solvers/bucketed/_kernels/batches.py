"""Deals in batches, each with its own random numbers, so that neither threads nor interruptions change them."""

from __future__ import annotations

from pokerlab.compiled import kernel
from pokerlab.solvers.bucketed._kernels.tables import deal_key
from pokerlab.tree.bucketed._kernels.deals import make_deals


@kernel
def deal_batch(iteration, span, deals, dealt, state):
    """Deal the batch of an iteration if it belongs to this thread; returns its first iteration, end, and whether."""
    at_a_time = dealt.strength.shape[0]
    batch = iteration // at_a_time
    begin, end = batch * at_a_time, min((batch + 1) * at_a_time, span.last)
    falls_here = batch % span.members == span.member
    if falls_here:
        state[0] = deal_key(span.seed, batch)
        make_deals(end - begin, deals, dealt, state)
    return begin, end, falls_here
