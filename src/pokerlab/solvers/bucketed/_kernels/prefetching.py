"""Tell the machine that numbers are needed soon, so that they are on their way before they are asked for.

The hint leans on the insides of Numba, as vectors do (solvers/public/_kernels/lanes.py says with which versions); on
others there is no hint, and all runs the same, more slowly.
"""

from __future__ import annotations

from pokerlab.compiled import kernel
from pokerlab.solvers.public._kernels.lanes import PLAIN

if PLAIN:

    @kernel(inline="always", allocates=False)
    def prefetch_to_read(array, at):
        """Nothing."""

    prefetch_to_write = prefetch_to_read
else:
    from pokerlab.solvers.bucketed._kernels.line_prefetch import prefetch_to_read, prefetch_to_write

__all__ = ["prefetch_to_read", "prefetch_to_write"]
