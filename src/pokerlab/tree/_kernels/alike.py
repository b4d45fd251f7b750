"""Stored numbers of a public form that some hands take over from others."""

from __future__ import annotations

from pokerlab.compiled import kernel


@kernel(allocates=False)
def take_over(to, source, slots, stride, stored):
    """Give each hand the numbers of another: `slots` of them, `stride` apart, from its first one on.

    to and source [hand] int64: where the first number lies; stored is flat
    """
    for hand in range(len(to)):
        one, other = to[hand], source[hand]
        for _ in range(slots):
            stored[one] = stored[other]
            one += stride
            other += stride
