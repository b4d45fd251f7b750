"""Many numbers at a time, said explicitly: a vector type for kernels.

The compiler is good at turning one long loop into vector code and poor at turning a walk over a small tree into it, so
the walk is written in vectors: `take` neighbouring numbers of a flat array, compute with + - * / and the functions
here, `put` them back. In compiled code a value is one LLVM vector of floats or doubles (a register of a wide machine,
several of a narrow one); uncompiled it is a small array, and the same text runs.

There are two lengths: a block of hands (`take`, `fill`), long enough that the bookkeeping of a tree's walk is small
beside the arithmetic, and a row of lanes (`take_row`, `fill_row`), the least that a tile is padded to.

A place outside of its array raises IndexError uncompiled, and compiled under NUMBA_BOUNDSCHECK=1; otherwise nothing
is checked.

LLVM vectors (vector_lanes.py) depend on Numba's internals. Where compiled.py finds an untested version of Numba, or
POKERLAB_PLAIN_LANES=1, the same kernels are compiled over small arrays instead (plain_lanes.py), about 35 times slower.
"""

from __future__ import annotations

from pokerlab.compiled import PLAIN_LANES
from pokerlab.tree.public._kernels.widths import BLOCK, WIDTH

if PLAIN_LANES:
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
    "where_positive",
]
