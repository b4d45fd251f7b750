"""Tries a mutant that has no switch, in a new process (mutants.py)."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench.mutant_copies import QUICKLY, TEST_SECONDS, Note, cpu_seconds, enter, in_child, renew_home, tables_of
from bench.mutant_tests import Reach, by_file, tests_for
from bench.mutants import ROOT, Mutant

Order = Callable[[list[str]], list[str]]  # of tests by their names
ALONE_SECONDS = 40  # for a mutant without a switch
UNREADABLE = "pytest"  # instead of a test: no test was run, since the package cannot be imported
ALONE = -1  # instead of the number of tests that reach a mutant


class Failures:
    """A pytest plugin that finds the test that fails, or the file that cannot be imported."""

    def __init__(self, order: Order, last: str) -> None:
        self.order, self.last, self.failed, self.ended = order, last, "", False

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of all tests that are known those that find most in the least time are run first."""
        place = {name: rank for rank, name in enumerate(self.order([item.nodeid for item in items]))}
        items.sort(key=lambda item: place[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """A test begins, if there is time left and the last has not been run; the signal ends the process."""
        signal.setitimer(signal.ITIMER_PROF, 3 * TEST_SECONDS)
        if self.ended or cpu_seconds() > ALONE_SECONDS:
            return True
        self.ended = item.nodeid == self.last
        return None

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has been run."""
        if report.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        """A file has been read."""
        self.pytest_runtest_logreport(report)


def run_alone(root: Path, tests: list[str], options: list[str], number: int, order: Order, *, last: str = "") -> str:
    """What fails first of some tests, up to the last, in a new process: its name, or ""."""
    enter(root)
    os.environ["POKERLAB_MUTANT"] = str(number)
    found = Failures(order, last)
    code = pytest.main(["-x", *QUICKLY, f"--basetemp={root.parent / 'tests'}", *options, *tests], plugins=[found])
    return found.failed or ("" if int(code) in (0, 5) else UNREADABLE)  # 5: no tests


def try_alone(
    root: Path, mutant: Mutant, options: list[str], reach: Reach, note: Note, *, killer: str = "", number: int = -1
) -> None:
    """Try a mutant that has no switch, or that matters when modules are imported: with its number.

    What killed it before is run first.
    """
    files, first, left_out = tests_for(mutant, root), killer.partition("::")[0], list[str]()
    tests = files if first in files or not (root / first).is_file() else [*files, first]

    def order(names: list[str]) -> list[str]:
        near = {name: rank for rank, name in enumerate(files)}
        known = by_file(names, reach.seconds(names), near)
        return sorted(known, key=lambda name: name != killer)

    path = root / mutant.file
    text, original = path.read_text(encoding="utf-8"), (ROOT / mutant.file).read_text(encoding="utf-8")
    changed = text if number >= 0 else original[: mutant.start] + mutant.text + original[mutant.end :]
    forgotten = tables_of(mutant)
    while True:
        renew_home(root, forgotten)
        path.write_text(changed, encoding="utf-8", newline="")
        failed = in_child(partial(run_alone, root, tests, [*options, *left_out], number, order))
        path.write_text(text, encoding="utf-8", newline="")
        if not failed:
            note(mutant, "timeout" if failed is None else "survived", "", ALONE, 0)
            return
        how = ["--collect-only"] if failed == UNREADABLE else [*options, *left_out]
        without = in_child(partial(run_alone, root, tests, how, -1, order, last=failed))
        if without == "":
            note(mutant, "killed", failed, ALONE, 0)
            return
        if failed == UNREADABLE:
            raise RuntimeError(f"{' '.join(tests)} cannot be read without a mutant")
        left_out += ["--deselect", without or failed]
        tests = [test for test in tests if test not in (failed, without)]  # a file that cannot be read
