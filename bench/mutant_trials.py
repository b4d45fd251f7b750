"""Runs the tests of mutants, each in a process of its own that ends with it (mutants.py)."""

from __future__ import annotations

import builtins
import compileall
import contextlib
import functools
import gc
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from bench.mutants import ROOT, SOURCE, Mutant

LIBRARIES = "duckdb highspy hypothesis matplotlib.pyplot numba numpy pokerkit psutil pytest scipy.stats typer".split()
MOST_FILES = 12  # test files near to a mutant
CONTRACTS = {  # by package: tests that find what they test by the registry
    "agents": ("policies", "agents"),
    "cli": ("json", "commands"),
    "games": ("games", "poker_games"),
    "papers": ("papers",),
    "solvers": ("solvers",),
}
CPU_SECONDS = 30  # for the tests that reach a mutant
MORE_SECONDS = 10  # for those that do not, but may see what others made
ALONE_SECONDS = 90  # for a mutant without a switch
FILE_SECONDS = 8  # for a test file, before each file had so much
TEST_SECONDS = 20  # beside ten times as long as a test takes without a mutant: one that takes longer does not end
MAKERS = ("abstraction", "cards", "kernels", "modules")  # of tables that POKERLAB_HOME has
COMPILERS = ("callees", "compiled", "lanes", "machine_code")  # modules that make kernels
PATIENCE = 200.0  # seconds for a test that only waits
QUICKLY = ("-q", "-p", "no:cacheprovider", "--assert=plain")
BROKEN = 3  # exit code of a process that raised an exception outside of tests
AGAIN = 10  # tests, up to the one that failed, that are run without the mutant
USUAL = 0.05  # seconds of a test of which no more is known
OFTEN = 200  # tests after which what they reach is written
ALONE = -1  # instead of the number of tests that reach a mutant
Note = Callable[..., None]  # (mutant, result, test, reached, tried)


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
    receive, send = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(receive)
            os.setsid()
            with os.fdopen(send, "w", encoding="utf-8") as answer:
                json.dump(work(), answer)
        except BaseException:
            os._exit(BROKEN)
        finally:
            os._exit(0)
    os.close(send)
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
    with os.fdopen(receive, encoding="utf-8") as answer:
        text = answer.read()
    return json.loads(text) if text else None


def cpu_seconds() -> float:
    """The CPU time of this process, and of those that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


@dataclass
class Reach:
    """Which tests reach which mutants, and how long they take; a file beside that of the results."""

    path: Path
    tests: dict[str, tuple[float, list[int], bool]] = field(default_factory=dict)  # by name; whether it fails
    fixtures: dict[str, list[int]] = field(default_factory=dict)
    imported: list[int] = field(default_factory=list)  # mutants that are reached when modules are imported

    @classmethod
    def of(cls, results: Path) -> Reach:
        """What was found before, if it was."""
        return cls.read(results.with_suffix(".reach.json"))

    @classmethod
    def read(cls, path: Path) -> Reach:
        """What a file says."""
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        return cls(**known | {"path": path})

    def write(self) -> None:
        """For the next run."""
        self.path.write_text(json.dumps(vars(self) | {"path": None}), encoding="utf-8")


class Session:
    """A pytest plugin: tries mutants instead of running all tests."""

    def __init__(self, root: Path, mutants: dict[int, Mutant], reach: Reach, note: Note, *, learning: bool) -> None:
        self.root, self.mutants, self.reach, self.note, self.learning = root, mutants, reach, note, learning
        self.reached_file, self.heartbeat = root.parent / "reached.txt", root.parent / "heartbeat"
        self.reached_file.touch()
        self.failed = ""
        self.failing: set[str] = set()  # without a mutant
        self.fixtures: dict[str, set[int]] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has been run."""
        if report.failed:
            self.failed = report.nodeid

    def pytest_runtestloop(self, session: Any) -> bool:
        """All tests are known."""
        switch = builtins.__mutant__  # type: ignore[attr-defined]
        self.items = {item.nodeid: item for item in session.items}
        imported = sorted(switch.reached)
        gc.unfreeze()
        caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
        self.caches = [one for one in caches if str(getattr(one, "__module__", "")).startswith("pokerlab")]
        gc.freeze()
        if self.learning and set(self.items) - set(self.reach.tests):
            self.reach.imported = imported
            renew_home(self.root)
            in_child(self.learn)
            self.reach = Reach.read(self.reach.path)
            shutil.rmtree(self.root.parent / "kernels", ignore_errors=True)
            shutil.copytree(self.root.parent / "home", self.root.parent / "kernels")
        for number, mutant in self.mutants.items():
            self.note(mutant, *self.result(number, mutant))
        return True

    # --- which tests reach which mutants

    def learn(self) -> None:
        """Run every test without a mutant that is not known."""
        switch = builtins.__mutant__  # type: ignore[attr-defined]
        os.environ["POKERLAB_REACHED"] = str(self.reached_file)
        tests = dict(self.reach.tests)
        items = [item for name, item in self.items.items() if name not in tests]
        for item, after in zip(items, [*items[1:], None], strict=True):
            begun, self.failed = cpu_seconds(), ""
            switch.reached.clear()
            start = self.reached_file.stat().st_size
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            tests[item.nodeid] = round(cpu_seconds() - begun, 3), sorted(self.reached_since(start)), bool(self.failed)
            if len(tests) % OFTEN == 0:
                self.write(tests)
        self.write(tests)

    def write(self, tests: dict[str, tuple[float, list[int], bool]]) -> None:
        """Keep what is known by now."""
        self.reach.tests = tests
        self.reach.fixtures = {name: sorted(numbers) for name, numbers in self.fixtures.items()}
        self.reach.write()

    def reached_since(self, start: int) -> set[int]:
        """The mutants that were reached since the file had a size, here or in programs that were started."""
        with self.reached_file.open("rb") as file:
            file.seek(start)
            return {int(line) for line in file.read().split()}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """What is reached now belongs to all tests that share the fixture."""
        switch = builtins.__mutant__  # type: ignore[attr-defined]
        switch.reached.clear()
        start = self.reached_file.stat().st_size
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self.fixtures.setdefault(name_of(fixturedef), set()).update(self.reached_since(start))

    # --- trying

    def reaches(self, number: int) -> set[str]:
        """The tests that reach a mutant, by the names of their functions: their other cases do, too."""
        names = {name for name, (_, numbers, _) in self.reach.tests.items() if number in numbers}
        shared = {name for name, numbers in self.reach.fixtures.items() if number in numbers}
        for name, item in self.items.items():
            definitions = item._fixtureinfo.name2fixturedefs.values() if hasattr(item, "_fixtureinfo") else ()
            if any(name_of(last) in shared for *_, last in definitions):
                names.add(name)
        return {name.partition("[")[0] for name in names}

    def order(self, number: int, mutant: Mutant) -> tuple[list[str], list[str]]:
        """The tests that reach a mutant, and others that may see it: the near and the quick first."""
        near = {name: rank for rank, name in enumerate(tests_for(mutant, self.root))}
        seconds = {name: self.reach.tests[name][0] if name in self.reach.tests else USUAL for name in self.items}
        reaching = self.reaches(number)
        direct = [name for name in self.items if name.partition("[")[0] in reaching]
        files = {name.partition("::")[0] for name in direct} | set(near)
        known = set(direct)
        others = [name for name in self.items if name not in known and name.partition("::")[0] in files]
        return by_file(direct, seconds, near), by_file(others, seconds, near)

    def result(self, number: int, mutant: Mutant) -> tuple[str, str, int, int]:
        """What becomes of a mutant; the test that failed; how many tests reach it, and were tried."""
        direct, others = self.order(number, mutant)
        left_out = {name for name, (_, _, fails) in self.reach.tests.items() if fails} | self.failing
        tables = ("*.safetensors",) if mutant.package in MAKERS else ()
        while True:
            names = [[name for name in some if name not in left_out] for some in (direct, others)]
            renew_home(self.root, tables)
            found = in_child(partial(self.run, number, *names), self.heartbeat, PATIENCE)
            if found is None:
                return "timeout", self.heartbeat.read_text(encoding="utf-8"), len(direct), 0
            failed, done, seen = found
            self.learn_from(seen)
            if not failed:
                return "survived", "", len(direct), len(done)
            renew_home(self.root, tables)
            without = in_child(partial(self.run, -1, done[-AGAIN:], []), self.heartbeat, PATIENCE)
            if without and not without[0]:
                return "killed", failed, len(direct), len(done)
            self.failing.add(failed)
            left_out.add(failed)

    def learn_from(self, seen: dict[str, tuple[float, list[int], bool]]) -> None:
        """What tests reach that were run with a mutant."""
        for name, (seconds, numbers, _) in seen.items():
            known = self.reach.tests.get(name, (0.0, [], False))
            self.reach.tests[name] = max(known[0], seconds), sorted({*known[1], *numbers}), known[2]
        self.reach.write()

    def run(self, number: int, direct: list[str], others: list[str]) -> tuple[str, list[str], dict[str, Any]]:
        """The test that fails first, or "", and those that were run; the number -1: no mutant, and no end."""
        switch = builtins.__mutant__  # type: ignore[attr-defined]
        switch.on, self.failed = number, ""
        os.environ["POKERLAB_MUTANT"] = str(number)
        for one in self.caches:
            one.cache_clear()
        done: list[str] = []
        own = os.getpid()
        self.seen: dict[str, tuple[float, list[int], bool]] = {}
        for names, seconds in ((direct, CPU_SECONDS), (others, MORE_SECONDS)):
            end = cpu_seconds() + (seconds if number >= 0 else 1e9)
            for name, after in zip(names, [*names[1:], None], strict=False):
                if cpu_seconds() > end:
                    break
                switch.reached.clear()
                begun = cpu_seconds()
                try:
                    self.run_one(name, after)
                except BaseException:  # what ends pytest, such as Ctrl-C, fails the test
                    if os.getpid() != own:  # a process that the test has forked
                        os._exit(1)
                    self.failed = name
                done.append(name)
                self.seen[name] = round(cpu_seconds() - begun, 3), sorted(switch.reached), False
                if self.failed:
                    return self.failed, done, self.seen
        return "", done, self.seen

    def run_one(self, name: str, after: str | None) -> None:
        """Run a test; the signal ends this process."""
        item = self.items[name]
        self.heartbeat.write_text(name, encoding="utf-8")
        usual = self.reach.tests[name][0] if name in self.reach.tests else 6.0
        signal.setitimer(signal.ITIMER_PROF, 10 * usual + TEST_SECONDS)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=self.items[after] if after else None)


def name_of(fixturedef: Any) -> str:
    """The name of a fixture, with where it is defined."""
    return f"{fixturedef.baseid}::{fixturedef.argname}"


def by_file(names: list[str], seconds: dict[str, float], near: dict[str, int]) -> list[str]:
    """The tests of near files first, and in a file the quick ones; of each file only so much before all others."""
    first, later, spent = list[str](), list[str](), dict[str, float]()
    for name in sorted(names, key=lambda name: seconds[name]):
        file = name.partition("::")[0]
        spent[file] = spent.get(file, 0.0) + seconds[name]
        (first if spent[file] < FILE_SECONDS else later).append(name)
    rank = {file: (near.get(file, MOST_FILES), spent[file], file) for file in spent}
    return sorted(first, key=lambda name: rank[name.partition("::")[0]]) + later


def tests_for(mutant: Mutant, root: Path) -> list[str]:
    """The test files of a mutant: those of its own name, of its folder, and others that import it."""
    module = Path(mutant.file).relative_to(SOURCE).with_suffix("")
    dotted, parent = ".".join(("pokerlab", *module.parts)), ".".join(("pokerlab", *module.parts[:-1]))
    imports = re.compile(rf"\b{re.escape(dotted)}\b|from {re.escape(parent)} import [^\n]*\b{module.name}\b")
    tests = root / "tests"
    ranked = []
    for path in sorted(tests.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        named = path.stem.removeprefix("test_").strip("_") == module.name.strip("_")
        pairs = zip(path.relative_to(tests).parts[:-1], module.parts[:-1], strict=False)
        near = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        if named or imports.search(text) or (near and near == len(module.parts) - 1):
            ranked.append((-3 * named - 2 * bool(imports.search(text)) - near, str(path.relative_to(root))))
    laws = [f"tests/contract/test_{name}.py" for name in CONTRACTS.get(module.parts[0], ())]
    files = [name for _, name in sorted(ranked)][:MOST_FILES] + [name for name in laws if (root / name).exists()]
    if not ranked:
        files += [str(path.relative_to(root)) for path in sorted((tests / module.parts[0]).rglob("test_*.py"))]
        files += ["tests/test_told.py"]
    return [mutant.file, *files]  # the file: its own doctests


def try_switched(
    root: Path, mutants: dict[int, Mutant], options: list[str], reach: Reach, note: Note, *, learning: bool
) -> None:
    """Try mutants that have a switch, in processes forked from one that has read all tests."""

    def work() -> int:
        enter(root)
        renew_home(root)
        basetemp = f"--basetemp={root.parent / 'tests'}"
        session = Session(root, mutants, reach, note, learning=learning)
        return int(pytest.main([*QUICKLY, basetemp, *options], plugins=[session]))

    in_child(work)


class Failures:
    """A pytest plugin that finds the test that fails, or the file that cannot be imported."""

    failed = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """A test begins, if there is time left; the signal ends the process."""
        signal.setitimer(signal.ITIMER_PROF, 3 * TEST_SECONDS)
        return True if cpu_seconds() > ALONE_SECONDS else None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has been run."""
        if report.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """A file has been read."""
        self.pytest_runtest_logreport(report)


def run_alone(root: Path, tests: list[str], options: list[str], number: int) -> str:
    """What fails first of some tests, in a new process: its name, or ""."""
    enter(root)
    os.environ["POKERLAB_MUTANT"] = str(number)
    found = Failures()
    code = pytest.main(["-x", *QUICKLY, f"--basetemp={root.parent / 'tests'}", *options, *tests], plugins=[found])
    return found.failed or ("" if int(code) in (0, 5) else "pytest")  # 5: no tests


def try_alone(root: Path, mutant: Mutant, options: list[str], note: Note, number: int = -1) -> None:
    """Try a mutant that has no switch, or that matters when modules are imported: with its number."""
    path, tests, left_out = root / mutant.file, tests_for(mutant, root), list[str]()
    text, original = path.read_text(encoding="utf-8"), (ROOT / mutant.file).read_text(encoding="utf-8")
    changed = text if number >= 0 else original[: mutant.start] + mutant.text + original[mutant.end :]
    forgotten = ("*.safetensors",) if mutant.package in MAKERS else ()
    if Path(mutant.file).stem in COMPILERS:
        forgotten += ("*.kernel",)
    while True:
        renew_home(root, forgotten)
        path.write_text(changed, encoding="utf-8", newline="")
        failed = in_child(partial(run_alone, root, tests, [*options, *left_out], number))
        path.write_text(text, encoding="utf-8", newline="")
        if not failed:
            note(mutant, "timeout" if failed is None else "survived", "", ALONE, 0)
            return
        if not in_child(partial(run_alone, root, [failed], [], -1)):
            note(mutant, "killed", failed, ALONE, 0)
            return
        left_out += ["--deselect", failed]
        tests = [test for test in tests if test != failed]  # a file that cannot be read
