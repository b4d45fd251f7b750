"""The one decorator of compiled kernels, and word of when they are being compiled.

Kernels are kept on disk after their first compilation. Numba renews a kept kernel when its own file changes, but not
when a kernel that it calls, in another file, does; so each kernel file is kept in a folder named by a fingerprint of
its text and of the text of every file of the package that it imports. Kernels that check every index
(NUMBA_BOUNDSCHECK=1) are kept apart, and so are those without LLVM vectors (PLAIN_LANES). Numba's own files have no
checksum, and two processes that compile at once can mix them up: each kernel therefore has a file of its own here,
named after its signature, with a checksum in front. A damaged kernel is compiled anew; where none can be kept, each
process compiles its own.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching, event, serialize

from pokerlab.errors import BadFile
from pokerlab.store import home, notify, tell_not_kept
from pokerlab.writing import replacing

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^ *from pokerlab\.(?!compiled\b)([\w.]+) import", re.MULTILINE)
_MAKER = f"numba{numba.__version__}-{sys.implementation.cache_tag}"
_DIGEST_SIZE = 16
TESTED_NUMBA = (0, 61), (0, 69)  # from the first to before the second; pyproject.toml asks for the same
_lost: list[bool] = []  # whether Ctrl-C was lost while a kernel was compiled


def is_tested(version: str) -> bool:
    """Whether kernels written against Numba's internals were tested with this version of it.

    >>> [is_tested(version) for version in ("0.61.0", "0.68.1rc1", "0.60.9", "0.69.0", "1.0", "unknown")]
    [True, True, False, False, False, False]
    """
    number = re.match(r"(\d+)\.(\d+)", version)
    return number is not None and TESTED_NUMBA[0] <= (int(number[1]), int(number[2])) < TESTED_NUMBA[1]


# Whether kernels do without LLVM vectors, which are written against Numba's internals.
PLAIN_LANES = (
    bool(numba.config.DISABLE_JIT) or os.environ.get("POKERLAB_PLAIN_LANES") == "1" or not is_tested(numba.__version__)
)


def warn_of_untested_numba() -> None:
    """A Notice where kernels are slower because Numba is of an untested version."""
    if not is_tested(numba.__version__):
        first, end = (".".join(map(str, version)) for version in TESTED_NUMBA)
        notify(
            f"public trees are solved several times more slowly: vector code was not tested with Numba "
            f"{numba.__version__}; install a version from {first} to before {end}"
        )


@cache
def _fingerprint(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    digest = hashlib.blake2b(text.encode(), digest_size=8)
    for module in _IMPORT.findall(text) if "_kernels" in str(path) else ():
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
    compiled = numba.njit(**({"nogil": True, "error_model": "numpy"} | options))(function)
    if isinstance(compiled, numba.core.dispatcher.Dispatcher):  # a plain function with NUMBA_DISABLE_JIT=1
        compiled._cache = _KernelCache(function)
    return compiled


def _folder(function: Callable[..., Any]) -> Path:
    source = Path(sys.modules[function.__module__].__file__ or "")
    variant = ("-checked" if numba.config.BOUNDSCHECK else "") + ("-plain" if PLAIN_LANES else "")
    return home() / "kernels" / f"{function.__module__}-{_fingerprint(source)}-{_MAKER}{variant}"


class _Locator:
    """What Numba asks of a locator of cached files; _KernelFiles decides where they are."""

    def __init__(self, path: str) -> None:
        self._py_file = path  # named in Numba's warnings

    @classmethod
    def from_function(cls, function: Any, path: str) -> _Locator:
        return cls(path)

    def ensure_cache_path(self) -> None:
        pass

    def get_cache_path(self) -> str:
        return ""

    def get_source_stamp(self) -> None:
        return None

    def get_disambiguator(self) -> str:
        return ""


class _Rebuilding(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_Locator]


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel with files of our own."""

    _impl_class = _Rebuilding

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _KernelFiles(_folder(function), function.__qualname__)

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a kernel that was compiled."""
        try:
            super().save_overload(signature, data)
        except RuntimeError as problem:  # its machine code was not taken over: see _raising_later
            if "no compiled object yet" not in str(problem):
                raise
            _lost.append(True)
        if _lost:
            _lost.clear()
            raise KeyboardInterrupt


class _KernelFiles:
    """The kept machine code of one kernel: a file for each signature and processor."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def load(self, key: Any) -> Any:
        """What was kept under a key, or None."""
        path = self._path(key)
        try:
            contents = path.read_bytes()
        except OSError:
            return None
        if contents[:_DIGEST_SIZE] != _digest(contents[_DIGEST_SIZE:]):
            notify(f"a kept kernel is compiled anew: {path} is damaged")
            return None
        kept_key, data = pickle.loads(contents[_DIGEST_SIZE:])
        return data if kept_key == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep machine code under a key."""
        contents = serialize.dumps((key, data))
        try:
            with replacing(self._path(key), lasting=False) as temporary:
                temporary.write_bytes(_digest(contents) + contents)
        except BadFile as problem:
            tell_not_kept(problem)

    def _path(self, key: Any) -> Path:
        # addresses of functions among the arguments differ from process to process
        signature = re.sub(r"0x[0-9a-f]+", "", repr(key)).encode()
        return self._folder / f"{self._name}-{hashlib.blake2b(signature, digest_size=8).hexdigest()}.kernel"


def _digest(contents: bytes) -> bytes:
    return hashlib.blake2b(contents, digest_size=_DIGEST_SIZE).digest()


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
    with event.install_listener("numba:compile", _Listener(started)), _raising_later():
        yield


@contextmanager
def _raising_later() -> Iterator[None]:
    """Ctrl-C while LLVM hands machine code over, where exceptions are lost, is raised when the kernel is compiled."""
    before = sys.unraisablehook

    def told(unraisable: Any) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            _lost.append(True)
        else:
            before(unraisable)

    sys.unraisablehook = told
    try:
        yield
    finally:
        sys.unraisablehook = before
