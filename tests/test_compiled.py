"""Kernels are kept on disk, renewed when what they call changes, and compiling them is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from pokerlab import compiled

PROGRAM = """
from pokerlab.compiled import watching_compilation
names = []
with watching_compilation(names.append):
    from pokerlab.cards.strength import strength
    strength([0, 1, 2, 3, 4])
print(",".join(names))
"""


LOST = """
from numba.core.codegen import JITCodeLibrary
from pokerlab.compiled import watching_compilation
taken, left = JITCodeLibrary._object_compiled_hook, ["strength_rows"]
def hook(module, machine_code):
    library = getattr(module, "_CPUCodeLibrary__library", None)
    if left and library is not None and left[0] in library.name:
        left.pop(0)
        raise KeyboardInterrupt
    taken(module, machine_code)
JITCodeLibrary._object_compiled_hook = hook
from pokerlab.cards.strength import strength
compiled = []
with watching_compilation(compiled.append):
    while left:
        try:
            strength([0, 1, 2, 3, 4])
        except KeyboardInterrupt:
            print("interrupted after", "strength_rows" in compiled)
    print(strength([0, 1, 2, 3, 4]) == strength([4, 3, 2, 1, 0]))
"""


def run(home: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"POKERLAB_HOME": str(home)}
    environment.pop("NUMBA_DISABLE_JIT", None)
    return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with kernels in it."""
    path = tmp_path_factory.mktemp("home")
    assert "strength_rows" in run(path).stdout
    return path


def test_compiled_once_then_kept(home: Path) -> None:
    assert run(home).stdout.strip() == ""


def test_a_damaged_kernel_is_compiled_anew(home: Path) -> None:
    (kept,) = (path for path in home.rglob("*.kernel") if path.name.startswith("strength_rows"))
    contents = bytearray(kept.read_bytes())
    contents[len(contents) // 2] ^= 1
    kept.write_bytes(contents)
    done = run(home)
    assert "strength_rows" in done.stdout
    assert f"{kept} is damaged" in done.stderr


def test_ctrl_c_that_is_lost_while_machine_code_is_handed_over_comes_later(tmp_path: Path) -> None:
    """It comes into a callback of LLVM, which takes no exceptions."""
    done = run(tmp_path, LOST)
    assert done.stdout.splitlines() == ["interrupted after True", "True"]
    assert done.stderr == ""


@pytest.mark.filterwarnings("ignore::pokerlab.errors.Notice")
def test_every_kind_of_damage_is_noticed(tmp_path: Path) -> None:
    files = compiled._KernelFiles(tmp_path, "f")
    files.save("key", ["code"])
    path = files._path("key")
    whole = path.read_bytes()
    flipped = [whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :] for at in range(len(whole))]
    for damaged in [*flipped, b"", whole[:10], whole[:16], whole[:-1], whole + b"x"]:
        path.write_bytes(damaged)
        assert files.load("key") is None
    path.write_bytes(whole)
    assert files.load("key") == ["code"]


def test_without_a_place_to_keep_kernels(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run(tmp_path / "file" / "below")
    assert "strength_rows" in done.stdout
    assert done.stderr.count("Notice: computed tables and compiled kernels are not saved") == 1
    assert not list(tmp_path.rglob("*.kernel"))


def test_kernels_kept_under_another_key_are_not_taken(tmp_path: Path) -> None:
    files = compiled._KernelFiles(tmp_path, "f")
    files.save(("int64", "this machine"), ["code"])
    assert files.load(("int64", "this machine")) == ["code"]
    assert files.load(("int64", "that machine")) is None
    files._path(("int64", "this machine")).rename(files._path(("float64", "this machine")))
    assert files.load(("float64", "this machine")) is None


def test_fingerprint_follows_imported_kernels(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(compiled, "_PACKAGE", tmp_path)
    lower, upper = tmp_path / "cards" / "_kernels" / "low.py", tmp_path / "tree" / "_kernels.py"
    for path in (lower, upper):
        path.parent.mkdir(parents=True)
    upper.write_text("from pokerlab.cards._kernels.low import f\n")
    seen = set()
    for text in ("a = 1", "a = 2", "a = 1"):
        lower.write_text(text)
        compiled._fingerprint.cache_clear()
        seen.add(compiled._fingerprint(upper))
    assert len(seen) == 2
    compiled._fingerprint.cache_clear()


CALLEES = """
import numpy as np
from pokerlab.compiled import kernel

@kernel
def at(values, index):
    if index < -9:
        raise ValueError("far out")
    return values[index]

@kernel(inline="always")
def twice(values, index):
    return 2 * at(values, index)

@kernel
def outer(function, values, index):
    return function(values, index) + twice(values, index)

values = np.arange(3.0)
print(outer(at, values, 2), "at, then", len(at.overloads), "compiled for Python")
for index in (7, -10):
    try:
        outer(at, values, index)
    except (IndexError, ValueError) as problem:
        print(problem)
print(at(values, 1), len(at.overloads))
"""


def test_kernels_that_kernels_call_have_no_code_for_python_until_python_calls_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inlined or passed as an argument; errors and checked indices come through; so does the cache."""
    program = tmp_path / "own.py"
    program.write_text(CALLEES)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    expected = "6.0 at, then 0 compiled for Python\nindex is out of bounds\nfar out\n1.0 1\n"
    for _ in range(2):
        assert run(tmp_path, f"import runpy; runpy.run_path({str(program)!r})").stdout == expected


MACHINE_CODE = """
import numpy as np
from numba.core.codegen import JITCodeLibrary
from pokerlab.compiled import kernel

finish, names = JITCodeLibrary._finalize_specific, []
def note(library):
    names.append(library.name)
    finish(library)
JITCodeLibrary._finalize_specific = note

@kernel
def largest(count):
    values = np.zeros(count)
    values[0] = max(count, 1.5)
    return min(values.max(), 9.0)

print(largest(3), names.count("largest"), [name for name in names if "<locals>" in name])  # Numba's of NumPy
"""


def test_only_what_python_calls_has_machine_code(tmp_path: Path) -> None:
    """Numba would also generate it for zeros, max and min, and use none of it."""
    program = tmp_path / "own.py"
    program.write_text(MACHINE_CODE)
    assert run(tmp_path, f"import runpy; runpy.run_path({str(program)!r})").stdout == "3.0 1 []\n"


ROUNDS = """
import gc
import pokerlab
from pokerlab.callees import Kernel
pokerlab.solve("leduc", form="public", algorithm="dcfr", iterations=2)
kernels = [kernel for kernel in gc.get_objects() if isinstance(kernel, Kernel)]
print(sorted(kernel.__module__.rpartition(".")[2] + "." + kernel.__name__ for kernel in kernels if kernel.overloads))
print({len(kernel.overloads) for kernel in kernels})
"""


def test_all_rounds_of_a_public_tree_share_their_kernels() -> None:
    """Reach, values and best responses of the first round run in the kernels of the last."""
    done = subprocess.run([sys.executable, "-c", ROUNDS], capture_output=True, text=True, check=True)
    assert done.stdout == "['assess.respond_in_portions', 'memory.copy_hands', 'rounds.advance_portions']\n{0, 1}\n"


def test_the_installed_numba_is_one_of_those_tested() -> None:
    """So that kernels use vectors, unless they are told not to."""
    assert compiled.is_tested(numba.__version__)
    plain = bool(numba.config.DISABLE_JIT) or os.environ.get("POKERLAB_PLAIN_LANES") == "1"
    assert plain == compiled.PLAIN_LANES
