"""Cache lines: sixteen four-byte numbers at once, and prefetch hints.

Both depend on Numba's internals, like the vectors of the public form (see PLAIN_LANES of compiled.py); otherwise lines
are short compiled loops without prefetching, with the same results.
"""

from __future__ import annotations

from pokerlab.compiled import PLAIN_LANES, kernel

if PLAIN_LANES:

    @kernel(allocates=False)
    def prefetch_to_read(array, at):
        """Nothing."""

    prefetch_to_write = prefetch_to_read

    @kernel(allocates=False)
    def add_line(target, at, source, first):
        """Add a line of one array to a line of another."""
        for number in range(16):
            target[int(at) + number] += source[int(first) + number]

    @kernel(allocates=False)
    def multiply_line(target, at, one, first, other, second):
        """Write the products of two lines to a third."""
        for number in range(16):
            target[int(at) + number] = one[int(first) + number] * other[int(second) + number]

else:
    from pokerlab.solvers.bucketed._kernels.vector_lines import (
        add_line,
        multiply_line,
        prefetch_to_read,
        prefetch_to_write,
    )

__all__ = ["add_line", "multiply_line", "prefetch_to_read", "prefetch_to_write"]
