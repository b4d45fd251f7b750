"""How much of a test is run where kernels are Python text (NUMBA_DISABLE_JIT=1), a hundred times as slow."""

from __future__ import annotations

import numba


def examples(count: int) -> int:
    """So many random examples, or a fourth of them."""
    return -(-count // 4) if numba.config.DISABLE_JIT else count
