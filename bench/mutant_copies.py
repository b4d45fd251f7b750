"""Copies of the checkout for mutants, and processes that run tests there (mutants.py)."""

from __future__ import annotations

import compileall
import contextlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.mutants import ROOT, Mutant

LIBRARIES = "duckdb highspy hypothesis matplotlib.pyplot numba numpy pokerkit psutil pytest scipy.stats typer".split()
MAKERS = ("abstraction", "cards", "kernels", "modules")  # of tables that POKERLAB_HOME has
COMPILERS = ("callees", "compiled", "lanes", "machine_code")  # modules that make kernels
TEST_SECONDS = 20  # beside ten times as long as a test takes without a mutant: one that takes longer does not end
QUICKLY = ("-q", "-p", "no:cacheprovider", "--assert=plain")
Note = Callable[..., None]  # (mutant, result, test, reached, tried)
BROKEN = 3  # exit code of a process that raised an exception outside of tests


def copy_checkout(folder: Path) -> Path:
    """A copy of the checkout that can be changed, and where its tests find compiled kernels."""
    from pokerlab import store

    root = folder / "copy"
    made = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "__pycache__")
    shutil.copytree(ROOT, root, ignore=made)
    if store.home().exists():
        shutil.copytree(store.home(), folder / "kernels")
    for name in [name for name in sys.modules if name.partition(".")[0] == "pokerlab"]:
        del sys.modules[name]
    return root


def compile_all(root: Path) -> None:
    """Compile modules once, not for each mutant."""
    for folder in ("src", "tests"):
        compileall.compile_dir(root / folder, quiet=1)


def link(one: str, other: str) -> None:
    """A second name of a file, or a copy of it."""
    try:
        os.link(one, other)
    except OSError:
        shutil.copy(one, other)


def tables_of(mutant: Mutant) -> tuple[str, ...]:
    """What POKERLAB_HOME has that a mutant may change."""
    tables = ("*.safetensors",) if mutant.package in MAKERS else ()
    return (*tables, "*.kernel") if Path(mutant.file).stem in COMPILERS else tables


def renew_home(root: Path, left_out: tuple[str, ...] = ()) -> None:
    """What was compiled and computed, as it was: a mutant may have written wrong tables."""
    home, kernels = root.parent / "home", root.parent / "kernels"
    shutil.rmtree(home, ignore_errors=True)
    if kernels.exists():
        shutil.copytree(kernels, home, copy_function=link, ignore=shutil.ignore_patterns(*left_out))


def enter(root: Path) -> None:
    """Let this process and those that it starts import the package of a copy, and say nothing."""
    os.chdir(root)
    os.environ |= {"PYTHONPATH": f"{root / 'src'}", "POKERLAB_HOME": str(root.parent / "home")}
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.dont_write_bytecode = True
    ours = ("", str(ROOT), str(ROOT / "src"), str(ROOT / "tests"))
    sys.path[:] = [str(root / "src"), str(root), *(one for one in sys.path if one not in ours)]
    for name in [name for name in sys.modules if name.partition(".")[0] in ("bench", "pokerlab", "tests")]:
        del sys.modules[name]
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)


def in_child(work: Callable[[], Any], heartbeat: Path | None = None, patience: float = 0.0) -> Any:
    """What a function returns, called in a forked process; None if it does not end by itself."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as answer:  # a pipe would block once it is full
        child = os.fork()
        if not child:
            try:
                os.setsid()
                json.dump(work(), answer)
                answer.flush()
            except BaseException:
                os._exit(BROKEN)
            finally:
                os._exit(0)
        if heartbeat:
            heartbeat.touch()
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            time.sleep(0.02)
            if heartbeat and time.time() - heartbeat.stat().st_mtime > patience:  # it waits for something
                os.kill(child, signal.SIGKILL)
                heartbeat = None
        if os.WIFEXITED(ended[1]) and os.WEXITSTATUS(ended[1]) == BROKEN:
            raise RuntimeError("a process that runs tests has ended early")
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what it started, and did not end
        answer.seek(0)
        text = answer.read()
    return json.loads(text) if text else None


def cpu_seconds() -> float:
    """The CPU time of this process, and of those that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
