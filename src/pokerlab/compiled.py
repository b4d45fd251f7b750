"""The decorator for compiled kernels, and notification when they are compiled.

Kernels are cached on disk after their first compilation. Numba recompiles a cached kernel when its own file changes,
but not when a kernel that it calls in another file does. So each kernel file is cached in a folder named by a
fingerprint of its text and of the text of every file of the package that it imports. Kernels with bounds checks
(NUMBA_BOUNDSCHECK=1) are cached separately, and so are those without LLVM vectors (PLAIN_LANES). Numba's own cache
files have no checksum, and two processes that compile at once can mix them up. Therefore each kernel has its own file
here, named after its signature, with a checksum in front. What is not in the cache may have come with the package
(machine_code.py). A damaged kernel is recompiled; if the cache cannot be written, each process compiles its own.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pokerlab.errors import BadFile, BadSetting
from pokerlab.store import home, notify, warn_not_saved
from pokerlab.writing import replacing

try:
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="Environment variable")
        import numba
        from llvmlite import binding
        from numba.core import caching, event, serialize
        from numba.core.runtime import rtsys

    from pokerlab.machine_code import shipped
except ValueError as problem:  # Numba reads its settings from the environment when it is imported
    threads = os.environ.get("NUMBA_NUM_THREADS", "")
    raise BadSetting(f"NUMBA_NUM_THREADS must be a whole number from 1 up; got {threads[:40]!r}") from problem
except RuntimeWarning as problem:
    raise BadSetting(f"Numba cannot read its settings: {str(problem).splitlines()[0][:200]}") from problem

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
_IMPORT = re.compile(r"^ *from pokerlab\.(?!compiled\b)([\w.]+) import", re.MULTILINE)
_MAKER = f"numba{numba.__version__}-{sys.implementation.cache_tag}"
_DIGEST_SIZE = 16
TESTED_NUMBA = (0, 61), (0, 69)  # first inclusive, second exclusive; pyproject.toml requires the same
_lost: list[bool] = []  # whether Ctrl-C was lost while a kernel was compiled


def is_tested(version: str) -> bool:
    """Whether kernels that rely on Numba's internals were tested with this version.

    >>> [is_tested(version) for version in ("0.61.0", "0.68.1rc1", "0.60.9", "0.69.0", "1.0", "unknown")]
    [True, True, False, False, False, False]
    """
    number = re.match(r"(\d+)\.(\d+)", version)
    return number is not None and TESTED_NUMBA[0] <= (int(number[1]), int(number[2])) < TESTED_NUMBA[1]


# Whether kernels avoid LLVM vectors, which rely on Numba's internals.
PLAIN_LANES = (
    bool(numba.config.DISABLE_JIT) or os.environ.get("POKERLAB_PLAIN_LANES") == "1" or not is_tested(numba.__version__)
)


def warn_of_untested_numba() -> None:
    """Give a Notice if kernels are slower because this version of Numba is untested."""
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
    """Compile a function to machine code on first use: nogil, and cached on disk.

    `@kernel` or `@kernel(parallel=True)`; options are those of numba.njit. `allocates=False` promises that neither the
    kernel nor any kernel that it calls allocates an array; reference counting is then disabled, which makes calls
    between kernels far cheaper.
    """
    if function is None:
        return lambda wrapped: kernel(wrapped, allocates=allocates, **options)
    if not allocates:
        options = options | {"_nrt": False}
    if numba.config.DISABLE_JIT:
        return function
    options = {"nogil": True, "error_model": "numpy"} | options
    if is_tested(numba.__version__):
        from pokerlab.callees import Kernel

        compiled = Kernel(function, options)
    else:
        compiled = numba.njit(**options)(function)
    compiled._cache = _KernelCache(function)
    return compiled


def _folder(function: Callable[..., Any]) -> Path:
    source = Path(sys.modules[function.__module__].__file__ or "")
    variant = ("-checked" if numba.config.BOUNDSCHECK else "") + ("-plain" if PLAIN_LANES else "")
    return home() / "kernels" / f"{function.__module__}-{_fingerprint(source)}-{_MAKER}{variant}"


class _Locator:
    """The locator interface of Numba's cache; _KernelFiles decides where files are."""

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
    """What is saved of a kernel, and how it is loaded."""

    _locator_classes = [_Locator]

    def reduce(self, compiled: Any) -> tuple[Any, ...]:
        """Machine code, without annotated source and, where other kernels call its callee (callees.py), LLVM code."""
        library, *rest = super().reduce(compiled._replace(type_annotation=""))
        if is_tested(numba.__version__):
            name, kind, (machine_code, llvm_code) = library
            library = name, kind, (machine_code, _only_names(llvm_code))
        return library, *rest


def _only_names(llvm_code: bytes) -> bytes:
    """LLVM code that defines the same names, as Numba asks of code that it loads, and nothing else."""
    module = binding.parse_bitcode(llvm_code)
    functions = [f'define void @"{symbol.name}"() {{ unreachable }}' for symbol in module.functions if _defines(symbol)]
    variables = [f'@"{symbol.name}" = global i8 0' for symbol in module.global_variables if _defines(symbol)]
    return bytes(binding.parse_assembly("\n".join(functions + variables)).as_bitcode())


def _defines(value: Any) -> bool:
    return not value.is_declaration


class _KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel, stored in our own files."""

    _impl_class = _Rebuilding

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _KernelFiles(_folder(function), function.__qualname__)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Load a compiled kernel, or None, without what only compilation needs: Numba imports SciPy for it."""
        rtsys.initialize(context)
        return self._load_overload(signature, context)

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save a compiled kernel."""
        try:
            super().save_overload(signature, data)
        except RuntimeError as problem:  # its machine code was not registered: see _raising_later
            if "no compiled object yet" not in str(problem):
                raise
            _lost.append(True)
        if _lost:
            _lost.clear()
            raise KeyboardInterrupt


class _KernelFiles:
    """The cached machine code of one kernel: one file per signature and processor."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def load(self, key: Any) -> Any:
        """Return what was saved under a key, or else what came with the package, or None."""
        path = self._path(key)
        damaged = False
        try:
            return _read(path, key)
        except OSError:
            pass
        except ValueError:
            damaged = True
        data = self._load_shipped(key)
        if damaged and data is None:
            notify(f"a cached kernel is compiled again: {path} is damaged")
        return data

    def _load_shipped(self, key: Any) -> Any:
        kernels = shipped()
        if kernels is None:
            return None
        signature, _, code = key
        key = signature, kernels.target, code
        with suppress(OSError, ValueError):
            return _read(kernels.folder / self._folder.name / self._path(key).name, key)
        return None

    def save(self, key: Any, data: Any) -> None:
        """Save machine code under a key."""
        contents = serialize.dumps((key, data))
        try:
            with replacing(self._path(key), lasting=False) as temporary:
                temporary.write_bytes(_digest(contents) + contents)
        except BadFile as problem:
            warn_not_saved(problem)

    def _path(self, key: Any) -> Path:
        # function addresses among the arguments differ between processes
        signature = re.sub(r"0x[0-9a-f]+", "", repr(key)).encode()
        return self._folder / f"{self._name}-{hashlib.blake2b(signature, digest_size=8).hexdigest()}.kernel"


def _read(path: Path, key: Any) -> Any:
    """The contents of a file; None if they were saved under another key. A ValueError says that they are damaged."""
    contents = path.read_bytes()
    if contents[:_DIGEST_SIZE] != _digest(contents[_DIGEST_SIZE:]):
        raise ValueError
    stored_key, data = pickle.loads(contents[_DIGEST_SIZE:])
    return data if stored_key == key else None


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
    """Call `started` with the name of each kernel compiled inside the block (not of cached ones)."""
    with event.install_listener("numba:compile", _Listener(started)), _raising_later():
        yield


@contextmanager
def _raising_later() -> Iterator[None]:
    """Raise a Ctrl-C that arrives while LLVM registers machine code, where exceptions are lost, after compilation."""
    before = sys.unraisablehook

    def note(unraisable: Any) -> None:
        if unraisable.exc_type is KeyboardInterrupt:
            _lost.append(True)
        else:
            before(unraisable)

    sys.unraisablehook = note
    try:
        yield
    finally:
        sys.unraisablehook = before
