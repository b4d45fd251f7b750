"""Machine code that comes with a wheel is used where it fits, and nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numba
import pytest

from pokerlab import compiled, machine_code
from pokerlab.machine_code import LEVELS, MANIFEST, Shipped, architecture, conditions, find, host_level

ROOT = Path(__file__).parents[1]
TARGET = ["some-triple", "some-cpu", ""]
LADDER = LEVELS["x86_64"]


@pytest.fixture(autouse=True)
def _as_users_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the settings of this run are."""
    monkeypatch.setattr(numba.config, "BOUNDSCHECK", None)
    monkeypatch.setattr(numba.config, "OPT", type(numba.config.OPT)(3))


def write_manifest(folder: Path, manifest: Any) -> Path:
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def let_host_be(monkeypatch: pytest.MonkeyPatch, features: str) -> None:
    """A CPU of the x86 family that has these features and the plain ones."""
    present = dict.fromkeys(f"sse2 {features}".split(), True) | {"amx-tile": False}
    monkeypatch.setattr(machine_code.binding, "get_host_cpu_features", lambda: present)
    monkeypatch.setattr(machine_code.platform, "machine", lambda: "AMD64")
    monkeypatch.setattr(numba.config, "ENABLE_AVX", 1)


def test_the_highest_level_of_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    v4, v3, plain = LADDER
    for level in LADDER:
        let_host_be(monkeypatch, level.needs)
        assert host_level() == level
    for level, lower in ((v4, v3), (v3, plain)):
        for missing in set(level.needs.split()) - set(lower.needs.split()):
            let_host_be(monkeypatch, " ".join(name for name in level.needs.split() if name != missing))
            assert host_level() == lower
    let_host_be(monkeypatch, v4.needs)
    monkeypatch.setattr(numba.config, "ENABLE_AVX", 0)
    assert host_level() == plain
    monkeypatch.setattr(machine_code.platform, "machine", lambda: "riscv64")
    assert host_level() is None


def test_shipped_kernels_are_found_where_everything_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_host_be(monkeypatch, LADDER[1].needs)
    assert find(tmp_path) is None
    manifest = {"conditions": conditions(), "levels": {LADDER[1].name: TARGET}}
    assert find(write_manifest(tmp_path, manifest)) == Shipped(tmp_path / LADDER[1].name, tuple(TARGET))
    for name in conditions():
        other = manifest | {"conditions": conditions() | {name: "another"}}
        assert find(write_manifest(tmp_path, other)) is None, name
    for other in ({}, [], None, {"levels": manifest["levels"]}, manifest | {"levels": 3}, manifest | {"levels": {}}):
        assert find(write_manifest(tmp_path, other)) is None
    (tmp_path / MANIFEST).write_bytes(b"\xff{")
    assert find(tmp_path) is None
    write_manifest(tmp_path, manifest)
    let_host_be(monkeypatch, LADDER[0].needs)  # code of a lower level would be slower than the compiler's
    assert find(tmp_path) is None


@pytest.mark.parametrize(
    ("setting", "value"),
    [("OPT", 1), ("BOUNDSCHECK", 1), ("SLP_VECTORIZE", 1), ("CPU_NAME", "znver3"), ("CPU_FEATURES", "+avx")],
)
def test_settings_of_numba_are_obeyed(
    setting: str, value: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_host_be(monkeypatch, "")
    write_manifest(tmp_path, {"conditions": conditions(), "levels": {"x86-64": TARGET}})
    assert find(tmp_path) is not None
    monkeypatch.setattr(numba.config, setting, value)
    assert find(tmp_path) is None


def test_own_kernels_come_first_and_damaged_ones_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key of shipped code has its own target in the place of this computer's."""
    key, other = ("int64", ("here",), "code"), ("float64", ("here",), "code")
    own = compiled._KernelFiles(tmp_path / "own" / "module", "f")
    elsewhere = compiled._KernelFiles(tmp_path / "shipped" / "module", "f")
    elsewhere.save(("int64", ("level",), "code"), ["shipped"])
    monkeypatch.setattr(compiled, "shipped", lambda: Shipped(tmp_path / "shipped", ("level",)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert own.load(key) == ["shipped"]
        assert own.load(other) is None
        own.save(key, ["own"])
        assert own.load(key) == ["own"]
        own._path(key).write_bytes(b"damaged")
        assert own.load(key) == ["shipped"]
        own._path(key).unlink()
        path = elsewhere._path(("int64", ("level",), "code"))
        whole = path.read_bytes()
        for damaged in (b"", whole[:-1], whole[:40] + bytes([whole[40] ^ 4]) + whole[41:]):
            path.write_bytes(damaged)
            assert own.load(key) is None
    monkeypatch.setattr(compiled, "shipped", lambda: None)
    path.write_bytes(whole)
    assert own.load(key) is None


PROGRAM = """
import sys
from pathlib import Path
from pokerlab import machine_code
machine_code.FOLDER = Path(sys.argv[1])
from pokerlab.compiled import kernel, watching_compilation

@kernel
def halve(number):
    if number < 0:
        raise ValueError("negative")
    return number / 2

@kernel
def quarter(number):
    return halve(halve(number))

names = []
with watching_compilation(names.append):
    print(halve(7.0))
    try:
        halve(-1.0)
    except ValueError as problem:
        print(problem)
print(quarter(7.0))  # compiled here, whatever of halve was loaded
print(names)
"""


def run(folder: Path, home: Path, **settings: str) -> list[str]:
    program = folder / "own.py"
    program.write_text(PROGRAM, encoding="utf-8")
    plain = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = plain | {"POKERLAB_HOME": str(home)} | settings
    done = subprocess.run(
        [sys.executable, program, folder / "kernels"], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(architecture() != "x86_64", reason="names levels of the x86 family")
def test_code_for_another_cpu_is_run_or_else_compiled_here(tmp_path: Path) -> None:
    """Compiled for the plain level, and shipped as if it were for the level of this CPU."""
    expected = ["3.5", "negative", "1.75"]
    assert run(tmp_path, tmp_path / "first", NUMBA_CPU_NAME="x86-64", NUMBA_CPU_FEATURES="") == [*expected, "['halve']"]
    level, shipped, own = host_level(), tmp_path / "kernels", tmp_path / "own"
    assert level is not None
    shipped.mkdir()
    (tmp_path / "first" / "kernels").rename(shipped / level.name)
    target = (numba.core.registry.cpu_target.target_context.codegen().magic_tuple()[0], "x86-64", "")
    write_manifest(shipped, {"conditions": conditions(), "levels": {level.name: target}})
    (quarter,) = shipped.rglob("quarter*.kernel")
    quarter.unlink()
    assert run(tmp_path, own) == [*expected, "[]"]
    assert [path.name[:7] for path in own.rglob("*.kernel")] == ["quarter"]
    (halve,) = shipped.rglob("*.kernel")
    halve.write_bytes(halve.read_bytes()[:-1])
    assert run(tmp_path, own) == [*expected, "['halve']"]


RIVER = """
examples
spot examples/river.toml --iterations 1
"""


@pytest.mark.slow
def test_a_wheel_with_machine_code_compiles_nothing(tmp_path: Path) -> None:
    """Built for two levels, installed into a new environment, and run there: the first river spot is solved at once."""
    from hatch_build import compile_kernels

    from test_release import install

    level = host_level()
    assert level is not None
    levels = {level.name, LEVELS[architecture()][-1].name}
    compile_kernels(tmp_path / "kernels", RIVER, ",".join(levels))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "POKERLAB"))}
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(ROOT)]
    environment = os.environ | {"POKERLAB_KERNELS": str(tmp_path / "kernels")}
    subprocess.run(build, env=environment, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").iterdir()
    python_tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python_tag}-{python_tag}" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    python = install(wheel, tmp_path / "environment")
    kernels = list((tmp_path / "environment").rglob("pokerlab/kernels/*/*/*.kernel"))
    assert {path.parents[1].name for path in kernels} == levels
    assert not [path for path in kernels if str(ROOT).encode() in path.read_bytes()]

    def solve(home: str, **settings: str) -> tuple[float, str]:
        command = [python, "-m", "pokerlab", "spot", ROOT / "examples" / "river.toml", "--iterations", "20", "--json"]
        environment = plain | {"POKERLAB_HOME": str(tmp_path / home)} | settings
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)["exploitability"], done.stderr

    shipped, notes = solve("new")
    assert "compiling" not in notes
    assert not list((tmp_path / "new").rglob("*.kernel"))
    compiled_here, notes = solve("other", NUMBA_LOOP_VECTORIZE="0")
    assert "compiling" in notes
    assert list((tmp_path / "other").rglob("*.kernel"))
    assert compiled_here == pytest.approx(shipped, rel=1e-5)
