"""Where programs written in CUDA C run: on a graphics card, by CuPy, or to check them on the CPU, by a C++ compiler.

Nothing of CuPy is imported before a card is asked for. A program reads records of 8-byte words (addresses and numbers)
and is run by a number of warps; see tree/public/cuda/portable.h.
"""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from pokerlab import store
from pokerlab.errors import BadSetting
from pokerlab.tree.resources import CPU, CUDA, DEVICES

WARPS = 4  # of a block, where a program is not run by teams
LEAST_SHARED = 48 * 1024  # bytes of shared memory that need not be asked for
NO_CUPY = "the device cuda needs CuPy, which is not installed: pip install 'pokerlab[cuda]', or leave out --device cuda"
NO_CARD = "the device cuda needs an NVIDIA card with its driver, and none was found: leave out --device cuda"


class Machine(Protocol):
    """Memory, and programs."""

    def array(self, values: np.ndarray) -> Any:
        """A copy in the memory of the machine."""

    def zeros(self, count: int, dtype: Any) -> Any:
        """A flat array of zeros in the memory of the machine."""

    def host(self, array: Any) -> np.ndarray:
        """The numbers of an array of the machine."""

    def address(self, array: Any) -> int:
        """Where an array begins."""

    def copied(self, address: int, count: int, dtype: Any) -> Any:
        """A copy of the numbers at an address, on the machine."""

    def put_numbers(self, address: int, values: np.ndarray) -> None:
        """Write numbers to an address."""

    def program(self, sources: Sequence[Path], **words: str) -> Callable[..., None]:
        """Compile sources with some macros defined; the result launches one program of them by name:
        launch(name, warps of a board, boards, *arguments). With `team`, this number of threads share `shared`
        bytes of memory, and such teams are counted in place of warps."""

    def repeatable(self, work: Callable[[], None]) -> Callable[[], None]:
        """The same launches, recorded where that is faster."""

    def wait(self) -> None:
        """Return when everything launched has been done."""

    def free_bytes(self) -> int:
        """Memory that is left."""


def card_or_reason() -> str:
    """Why there is no card to compute on; "" if there is one."""
    if find_spec("cupy") is None:
        return NO_CUPY
    try:
        return "" if import_module("cupy").cuda.runtime.getDeviceCount() else NO_CARD
    except Exception:
        return NO_CARD


def device_named(name: str) -> str:
    """The device that a setting names, cpu, cuda or auto (the card if there is one); BadSetting where it is missing."""
    if name not in DEVICES:
        raise BadSetting(f"the device is {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, not {name[:40]!r}")
    if name == CPU:
        return CPU
    reason = card_or_reason()
    if name == CUDA and reason:
        raise BadSetting(reason)
    return CPU if reason else CUDA


@cache
def card() -> Machine:
    """The card; BadSetting where there is none."""
    if reason := card_or_reason():
        raise BadSetting(reason)
    return Card(import_module("cupy"))


class Card:
    """The first NVIDIA card, by CuPy."""

    def __init__(self, cupy: Any) -> None:
        self._module_of_cupy, self._modules = cupy, dict[Any, Any]()
        self._stream = cupy.cuda.Stream(non_blocking=True)

    @property
    def _cupy(self) -> Any:
        """CuPy, with this card's stream as the calling thread's own."""
        self._stream.use()
        return self._module_of_cupy

    def array(self, values: np.ndarray) -> Any:
        return self._cupy.asarray(np.ascontiguousarray(values).reshape(-1))

    def zeros(self, count: int, dtype: Any) -> Any:
        return self._cupy.zeros(max(count, 1), dtype)

    def host(self, array: Any) -> np.ndarray:
        return np.asarray(self._cupy.asnumpy(array))

    def address(self, array: Any) -> int:
        return int(array.data.ptr)

    def _view(self, address: int, count: int, dtype: Any) -> Any:
        size = count * np.dtype(dtype).itemsize
        memory = self._cupy.cuda.UnownedMemory(address, size, self)
        return self._cupy.ndarray((count,), dtype, self._cupy.cuda.MemoryPointer(memory, 0))

    def copied(self, address: int, count: int, dtype: Any) -> Any:
        return self._view(address, count, dtype).copy()

    def put_numbers(self, address: int, values: np.ndarray) -> None:
        self._view(address, values.size, values.dtype).set(np.ascontiguousarray(values).reshape(-1))

    def program(self, sources: Sequence[Path], **words: str) -> Callable[..., None]:
        options = ("-std=c++17", *(f"-D{name}={value}" for name, value in words.items()))
        key = (tuple(sources), options)
        if key not in self._modules:
            code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
            self._modules[key] = self._cupy.RawModule(code=code, options=options)
        module, programs = self._modules[key], dict[str, Any]()

        def launch(name: str, warps: int, boards: int, *arguments: int, shared: int = 0, team: int = 0) -> None:
            if name not in programs:
                programs[name] = module.get_function(name)
                if shared:
                    programs[name].preferred_shared_memory_carveout = 100  # percent: else few teams run at once
            found, at_once = programs[name], 1 if team else WARPS
            self._stream.use()
            if shared > LEAST_SHARED and found.max_dynamic_shared_size_bytes < shared:
                found.max_dynamic_shared_size_bytes = shared
            if warps * boards:
                found((-(-warps // at_once), boards), (team or 32 * at_once,), (*arguments, warps), shared_mem=shared)

        return launch

    def repeatable(self, work: Callable[[], None]) -> Callable[[], None]:
        self._stream.synchronize()
        self._stream.begin_capture()
        work()
        graph = self._stream.end_capture()
        return lambda: graph.launch(self._stream)

    def wait(self) -> None:
        self._stream.synchronize()

    def free_bytes(self) -> int:
        self._cupy.get_default_memory_pool().free_all_blocks()
        return int(self._cupy.cuda.runtime.memGetInfo()[0])


class CheckingMachine:
    """The same programs compiled by a C++ compiler: slow, and right wherever they are right on a card."""

    def __init__(self, compiler: str, threads: int = 1) -> None:
        self._compiler, self._threads = compiler, threads

    def array(self, values: np.ndarray) -> Any:
        return np.array(values).reshape(-1)

    def zeros(self, count: int, dtype: Any) -> Any:
        return np.zeros(max(count, 1), dtype)

    def host(self, array: Any) -> np.ndarray:
        return np.array(array)

    def address(self, array: Any) -> int:
        return int(array.ctypes.data)

    def copied(self, address: int, count: int, dtype: Any) -> Any:
        size = count * np.dtype(dtype).itemsize
        return np.frombuffer((ctypes.c_char * size).from_address(address), dtype).copy()

    def put_numbers(self, address: int, values: np.ndarray) -> None:
        kept = np.ascontiguousarray(values)
        ctypes.memmove(address, kept.ctypes.data, kept.nbytes)

    def program(self, sources: Sequence[Path], **words: str) -> Callable[..., None]:
        library = ctypes.CDLL(str(_built(self._compiler, sources, words)))

        def launch(name: str, warps: int, boards: int, *arguments: int, shared: int = 0, team: int = 0) -> None:
            values = [*arguments, warps] + [0] * (7 - len(arguments))
            counts = [ctypes.c_int64(count) for count in (warps, boards, self._threads)]
            library.run(getattr(library, name), *counts, (ctypes.c_int64 * 8)(*values))

        return launch

    def repeatable(self, work: Callable[[], None]) -> Callable[[], None]:
        return work

    def wait(self) -> None:
        return None

    def free_bytes(self) -> int:
        return 2**33


def _built(compiler: str, sources: Sequence[Path], words: dict[str, str]) -> Path:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    mark = hashlib.blake2b(repr((compiler, text, sorted(words.items()))).encode(), digest_size=8).hexdigest()
    folder = store.home() / "checked-programs"
    folder.mkdir(parents=True, exist_ok=True)
    built, source = folder / f"{mark}.so", folder / f"{mark}.cpp"
    if not built.exists():
        source.write_text(text, encoding="utf-8", newline="\n")
        options = [
            "-O2",
            "-std=c++17",
            "-shared",
            "-fPIC",
            "-pthread",
            *(f"-D{name}={value}" for name, value in words.items()),
        ]
        made = folder / f"{mark}.part.so"
        subprocess.run([compiler, *options, str(source), "-o", str(made)], check=True)
        made.replace(built)
    return built


@cache
def checking_machine(threads: int = 1) -> Machine | None:
    """A machine that runs programs on threads of the CPU; None without a C++ compiler of this system."""
    compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
    return None if compiler is None else CheckingMachine(compiler, threads)
