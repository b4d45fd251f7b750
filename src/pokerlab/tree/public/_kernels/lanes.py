"""Explicit vectorization: a vector type for kernels.

The compiler is good at vectorizing one long loop and poor at vectorizing a walk over a small tree, so the walk is
written in vectors: `take` adjacent numbers of a flat array, compute with + - * / and the functions here, `put` them
back. In compiled code a value is one LLVM vector of floats or doubles (one register of a wide machine, several of a
narrow one); uncompiled it is a small array, and the same code runs.

There are two lengths: a block of hands (`take`, `fill`), long enough that the overhead of a tree walk is small compared
to the arithmetic, and a row of lanes (`take_row`, `fill_row`), the unit that tiles are padded to.

An out-of-range offset raises IndexError uncompiled, and compiled under NUMBA_BOUNDSCHECK=1; otherwise nothing is
checked.

LLVM vectors (vector_lanes.py) depend on Numba's internals. If compiled.py detects an untested version of Numba, or with
POKERLAB_PLAIN_LANES=1, the same kernels are compiled over small arrays instead (plain_lanes.py), about 35 times slower.
"""

from __future__ import annotations

from pokerlab.compiled import PLAIN_LANES

if PLAIN_LANES:
    from pokerlab.tree.public._kernels.plain_lanes import *  # noqa: F403
else:
    from pokerlab.tree.public._kernels.vector_lanes import *  # noqa: F403
