"""What a computation may use of the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting

CPU = "cpu"
STORAGE = ("float32", "int16")
_THREADED = ("public", "bucketed", "pushes")


@dataclass(frozen=True)
class Resources:
    """Device, threads, storage and machines. Only several machines change a result by more than rounding."""

    threads: int = 1
    storage: str = STORAGE[0]  # of regrets and averages in the public form; int16 takes half the memory
    device: str = CPU
    backend: str = ""  # of parallel.py, to train on several machines; "": here
    workers: int | None = None  # pieces of work at a time there; as many as it has cores by default
    interval: int | None = None  # iterations after which machines exchange what they learned

    def check(self, kind: str) -> None:
        """BadSetting where a form has no use for what was asked for."""
        if self.storage not in STORAGE:
            raise BadSetting(f"numbers are stored as {' or '.join(STORAGE)}, not {self.storage[:40]!r}")
        if self.threads < 1:
            raise BadSetting(f"threads must be at least 1, not {self.threads}")
        if kind not in _THREADED and self.threads != 1:
            raise BadSetting(
                f"threads can be chosen in the {', '.join(_THREADED)} form only, and this runs in the {kind} form"
            )
        if kind != "bucketed" and self.backend:
            raise BadSetting(f"several machines train in the bucketed form only, and this runs in the {kind} form")
        if kind != "public" and self.storage != STORAGE[0]:
            raise BadSetting(f"storage can be chosen in the public form only, and this runs in the {kind} form")


def aligned(count: int, dtype: Any) -> np.ndarray:
    """A flat array of zeros aligned to a cache line."""
    size = np.dtype(dtype).itemsize
    memory = np.zeros(count * size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + count * size].view(dtype)
