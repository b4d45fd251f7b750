"""Finds the machine code that comes with a wheel, so that a first command compiles nothing.

`make wheel` compiles kernels (hatch_build.py) for several levels of CPUs: sets of instructions that many CPUs share.
The folder `kernels/` of the installed package has them, in the same files as a user's own cache (compiled.py), and a
manifest of what they were compiled with. They are used with the same Python, Numba, llvmlite and settings of Numba, if
the highest level of this CPU is among them: code of a lower level is slower than what Numba compiles here. Otherwise
kernels are compiled as if nothing had been shipped.
"""

from __future__ import annotations

import json
import platform
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import NamedTuple

import llvmlite
import numba
import numpy as np
from llvmlite import binding

FOLDER = Path(__file__).parent / "kernels"
MANIFEST = "manifest.json"
_SETTINGS = (  # of Numba, that change what it compiles
    "BOUNDSCHECK DEBUGINFO_DEFAULT DISABLE_JIT ENABLE_PROFILING EXTEND_VARIABLE_LIFETIMES LLVM_REFPRUNE_FLAGS "
    "LLVM_REFPRUNE_PASS LOOP_VECTORIZE OPT SLP_VECTORIZE USING_SVML"
).split()
_V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"
_V4 = f"{_V3} avx512bw avx512cd avx512dq avx512f avx512vl"


class Level(NamedTuple):
    """A level of CPUs."""

    name: str  # as LLVM names it
    needs: str = ""  # features that a CPU of this level has
    changes: str = ""  # to LLVM's choices for the level: v4 avoids wide vectors, which the CPUs on sale do not


LEVELS = {  # of each architecture, the highest first
    "x86_64": (Level("x86-64-v4", _V4, "-prefer-256-bit"), Level("x86-64-v3", _V3), Level("x86-64")),
    "arm64": (Level("apple-m1" if platform.system() == "Darwin" else "generic"),),
}


class Shipped(NamedTuple):
    """The shipped kernels that this computer can use."""

    folder: Path
    target: tuple[str, ...]  # what Numba's keys call the target: LLVM's triple, CPU and changes


def architecture() -> str:
    """The architecture of this computer, by one name on every system."""
    machine = platform.machine().lower()
    return {"amd64": "x86_64", "aarch64": "arm64"}.get(machine, machine)


def host_level() -> Level | None:
    """The highest level of this CPU; None if a setting of Numba names the CPU to compile for."""
    if numba.config.CPU_NAME is not None or numba.config.CPU_FEATURES is not None:
        return None
    try:
        host = binding.get_host_cpu_features()
    except RuntimeError:  # a system where LLVM does not know
        host = {}
    features = {
        name for name, present in host.items() if present and (numba.config.ENABLE_AVX or not name.startswith("avx"))
    }
    return next((level for level in LEVELS.get(architecture(), ()) if features.issuperset(level.needs.split())), None)


def conditions() -> dict[str, str]:
    """What must be the same where kernels are compiled and where they are used."""
    versions = {
        "python": EXTENSION_SUFFIXES[0],
        "platform": f"{platform.system()} {architecture()}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__.split(".")[0],
    }
    return versions | {name: repr(getattr(numba.config, name, None)) for name in _SETTINGS}


def find(folder: Path) -> Shipped | None:
    """The kernels in a folder that this computer can use; None without any."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        same, levels = manifest["conditions"] == conditions(), dict(manifest["levels"])
    except (OSError, ValueError, KeyError, TypeError):  # none, or damaged
        return None
    level = host_level()
    if not same or level is None or level.name not in levels:
        return None
    return Shipped(folder / level.name, tuple(levels[level.name]))


@cache
def shipped() -> Shipped | None:
    """The kernels that came with the package."""
    return find(FOLDER)
