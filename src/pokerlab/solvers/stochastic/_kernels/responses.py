"""Kernels of tournaments of three players: best responses in the hands of all states."""

from __future__ import annotations

from pokerlab.compiled import kernel


@kernel
def respond(leads, ends, decides, stays, decider, chances):
    """Add where the better of staying in and folding leads, hand by hand.

    leads [state, 6, hand, end] float32, ends [state, end, 3] float64, decides [state, 6] bool, stays [6, end] bool,
    decider [6] int64, chances [state, seat, end] float64
    """
    count, _, hands, end_count = leads.shape
    for state in range(count):
        for decision in range(len(decider)):
            seat = decider[decision]
            for hand in range(hands):
                staying, folding = 0.0, 0.0
                for end in range(end_count):
                    value = leads[state, decision, hand, end] * ends[state, end, seat]
                    if stays[decision, end]:
                        staying += value
                    else:
                        folding += value
                stay = staying > folding or not decides[state, decision]
                for end in range(end_count):
                    if stays[decision, end] == stay:
                        chances[state, seat, end] += leads[state, decision, hand, end]
