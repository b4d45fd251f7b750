"""Runs the tests of mutants, each in a process of its own that ends with it (mutants.py)."""

from __future__ import annotations

import builtins
import functools
import gc
import os
import shutil
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.mutant_copies import QUICKLY, TEST_SECONDS, Note, cpu_seconds, enter, in_child, renew_home, tables_of
from bench.mutant_tests import Reach, by_file, tests_for
from bench.mutants import Mutant

CPU_SECONDS = 10  # for the tests that reach a mutant
MORE_SECONDS = 3  # for those that do not, but may see what others made
PATIENCE = 200.0  # seconds for a test that only waits
OFTEN = 200  # tests after which what they reach is written


class Session:
    """A pytest plugin: tries mutants instead of running all tests."""

    def __init__(self, root: Path, mutants: dict[int, Mutant], reach: Reach, note: Note) -> None:
        self.root, self.mutants, self.reach, self.note = root, mutants, reach, note
        self.learning, self.killers = True, dict[int, str]()
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
        seconds = self.reach.seconds(list(self.items))
        reaching = self.reaches(number)
        direct = [name for name in self.items if name.partition("[")[0] in reaching]
        files = {name.partition("::")[0] for name in direct} | set(near)
        known = set(direct)
        others = [name for name in self.items if name not in known and name.partition("::")[0] in files]
        return by_file(direct, seconds, near), by_file(others, seconds, near)

    def result(self, number: int, mutant: Mutant) -> tuple[str, str, int, int]:
        """What becomes of a mutant; the test that failed; how many tests reach it, and were tried."""
        direct, others = self.order(number, mutant)
        killer = [name for name in [self.killers.get(number, "")] if name in self.items]
        left_out = {name for name, (_, _, fails) in self.reach.tests.items() if fails} | self.failing
        tables = tables_of(mutant)
        while True:
            names = [
                [name for name in some if name not in left_out] for some in (dict.fromkeys(killer + direct), others)
            ]
            renew_home(self.root, tables)
            found = in_child(partial(self.run, number, *names), self.heartbeat, PATIENCE)
            failed, done, seen = found or (self.heartbeat.read_text(encoding="utf-8"), [], {})
            self.learn_from(seen)
            if not failed:
                return "survived", "", len(direct), len(done)
            renew_home(self.root, tables)
            without = in_child(partial(self.run, -1, done or [failed], []), self.heartbeat, PATIENCE)
            if without and not without[0]:
                return "killed" if found else "timeout", failed, len(direct), len(done)
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
            slow = [name for name in names if number >= 0 and self.usual(name) > seconds / 2]
            names = [name for name in names if name not in slow[1:]]
            for name, after in zip(names, [*names[1:], None], strict=False):
                if cpu_seconds() > end:
                    self.items[name].session._setupstate.teardown_exact(None)  # fixtures of the test that is not run
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

    def usual(self, name: str) -> float:
        """The seconds that a test takes without a mutant."""
        return self.reach.seconds([name])[name]

    def run_one(self, name: str, after: str | None) -> None:
        """Run a test; the signal ends this process."""
        item = self.items[name]
        self.heartbeat.write_text(name, encoding="utf-8")
        signal.setitimer(signal.ITIMER_PROF, 10 * self.usual(name) + TEST_SECONDS)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=self.items[after] if after else None)


def name_of(fixturedef: Any) -> str:
    """The name of a fixture, with where it is defined."""
    return f"{fixturedef.baseid}::{fixturedef.argname}"


def try_switched(session: Session, options: list[str]) -> None:
    """Try mutants that have a switch, in processes forked from one that has read all tests."""

    def work() -> int:
        enter(session.root)
        renew_home(session.root)
        basetemp = f"--basetemp={session.root.parent / 'tests'}"
        return int(pytest.main([*QUICKLY, basetemp, *options], plugins=[session]))

    in_child(work)
