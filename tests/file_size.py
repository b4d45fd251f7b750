"""A limit of the system on the size of files, as on a disk that is nearly full."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """The system refuses to write beyond this many bytes of a file."""
    resource = pytest.importorskip("resource")  # POSIX's limits
    before, kept = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # Python itself would leave half of a module's bytecode, for good
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = kept
