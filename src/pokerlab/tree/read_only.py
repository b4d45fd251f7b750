"""Read-only views of arrays, so that a kernel that only reads them is compiled once."""

from __future__ import annotations

import numpy as np


def locked(array: np.ndarray) -> np.ndarray:
    """A read-only view, like those of files: kernels are compiled for one kind of array."""
    view = array.view(np.ndarray)
    view.flags.writeable = False
    return view
