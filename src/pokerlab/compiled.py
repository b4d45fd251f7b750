"""The one decorator of compiled kernels, and word of when they are being compiled.

Kernels are kept on disk after their first compilation. Numba renews a kept kernel when its own file changes, but not
when a kernel that it calls, in another file, does; so each kernel file is kept in a folder named by a fingerprint of
its text and of the text of every kernel file that it imports. Kernels that check every index (NUMBA_BOUNDSCHECK=1) are
kept apart.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import event

from pokerlab.store import home

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^from pokerlab\.([\w.]*_kernels(?:\.\w+)?) import", re.MULTILINE)


@cache
def _fingerprint(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    digest = hashlib.blake2b(text.encode(), digest_size=8)
    for module in _IMPORT.findall(text):
        digest.update(_fingerprint(_PACKAGE / (module.replace(".", "/") + ".py")).encode())
    return digest.hexdigest()


def kernel(function: Function | None = None, *, allocates: bool = True, **options: Any) -> Any:
    """Compile a function to machine code on first use: nogil, and kept on disk.

    `@kernel` or `@kernel(parallel=True)`; options are those of numba.njit. `allocates=False` is a promise that neither
    the kernel nor any that it calls makes an array; references to arrays are then not counted, which makes calls
    between kernels far cheaper.
    """
    if function is None:
        return lambda wrapped: kernel(wrapped, allocates=allocates, **options)
    if not allocates:
        options = options | {"_nrt": False}
    source = Path(sys.modules[function.__module__].__file__ or "")
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    folder = home() / "kernels" / f"{function.__module__}-{_fingerprint(source)}{checked}"
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return numba.njit(**({"cache": True, "nogil": True, "error_model": "numpy"} | options))(function)
    except RuntimeError:  # the folder cannot be written: compile in every process instead
        return numba.njit(**({"nogil": True, "error_model": "numpy"} | options | {"cache": False}))(function)
    finally:
        numba.config.CACHE_DIR = before


class _Listener(event.Listener):  # type: ignore[misc]
    def __init__(self, started: Callable[[str], None]) -> None:
        self._started = started

    def on_start(self, event: Any) -> None:
        self._started(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def watching_compilation(started: Callable[[str], None]) -> Iterator[None]:
    """Call `started` with the name of each kernel that is compiled inside the block (kept ones are not)."""
    with event.install_listener("numba:compile", _Listener(started)):
        yield
