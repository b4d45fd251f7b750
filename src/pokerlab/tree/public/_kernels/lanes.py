"""Many numbers at a time, said explicitly: a vector type for kernels.

The compiler is good at turning one long loop into vector code and poor at turning a walk over a small tree into it, so
the walk is written in vectors: `take` neighbouring numbers of a flat array, compute with + - * / and the functions
here, `put` them back. In compiled code a value is one LLVM vector of floats or doubles (a register of a wide machine,
several of a narrow one); uncompiled it is a small array, and the same text runs.

There are two lengths: a block of hands (`take`, `fill`), long enough that the bookkeeping of a tree's walk is small
beside the arithmetic, and a row of lanes (`take_row`, `fill_row`), the least that a tile is padded to.

A place outside of its array raises IndexError uncompiled, and compiled under NUMBA_BOUNDSCHECK=1; otherwise nothing
is checked.

LLVM vectors (vector_lanes.py) lean on the insides of Numba, which change: with a version outside of TESTED, or where
POKERLAB_PLAIN_LANES=1, the walk runs as plain Python over small arrays (plain_lanes.py), thousands of times slower.
"""

from __future__ import annotations

import os
import re

import numba

from pokerlab.tree.public._kernels.widths import BLOCK, WIDTH

TESTED = (0, 61), (0, 69)  # versions of Numba: from the first to before the second; pyproject.toml asks for the same


def tested(version: str) -> bool:
    """Whether a version of Numba is one of those that vectors were tested with.

    >>> tested("0.61.0"), tested("0.68.1rc1"), tested("0.60.9"), tested("0.69.0"), tested("1.0"), tested("unknown")
    (True, True, False, False, False, False)
    """
    number = re.match(r"(\d+)\.(\d+)", version)
    return number is not None and TESTED[0] <= (int(number[1]), int(number[2])) < TESTED[1]


PLAIN = bool(numba.config.DISABLE_JIT) or os.environ.get("POKERLAB_PLAIN_LANES") == "1" or not tested(numba.__version__)
WARNING = (
    ""
    if tested(numba.__version__)
    else f"public trees are solved without compiled code, far more slowly: Numba {numba.__version__} is none of the "
    f"versions {'.'.join(map(str, TESTED[0]))} to before {'.'.join(map(str, TESTED[1]))} that it was tested with"
)

if PLAIN:
    from pokerlab.tree.public._kernels.plain_lanes import (
        any_positive,
        as_kind,
        draw_number,
        fill,
        fill_row,
        fused,
        holds_whole_numbers,
        largest,
        peak,
        powers_of_two,
        prefetch,
        put,
        put_transposed,
        take,
        take_row,
        where_positive,
    )
else:
    from pokerlab.tree.public._kernels.vector_lanes import (
        any_positive,
        as_kind,
        draw_number,
        fill,
        fill_row,
        fused,
        holds_whole_numbers,
        largest,
        peak,
        powers_of_two,
        prefetch,
        put,
        put_transposed,
        take,
        take_row,
        where_positive,
    )
__all__ = [
    "BLOCK",
    "PLAIN",
    "TESTED",
    "WARNING",
    "WIDTH",
    "any_positive",
    "as_kind",
    "draw_number",
    "fill",
    "fill_row",
    "fused",
    "holds_whole_numbers",
    "largest",
    "peak",
    "powers_of_two",
    "prefetch",
    "put",
    "put_transposed",
    "take",
    "take_row",
    "tested",
    "where_positive",
]
