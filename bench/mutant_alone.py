"""Tries a mutant that has no switch, in a new process (mutants.py)."""

from __future__ import annotations

import os
import re
import signal
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from bench.mutant_copies import QUICKLY, TEST_SECONDS, Note, cpu_seconds, enter, in_child, renew_home, tables_of
from bench.mutants import ROOT, SOURCE, Mutant

MOST_FILES = 12  # test files near to a mutant
CONTRACTS = {  # by package: tests that find what they test by the registry
    "agents": ("policies", "agents"),
    "cli": ("json", "commands"),
    "games": ("games", "poker_games"),
    "papers": ("papers",),
    "solvers": ("solvers",),
}
ALONE_SECONDS = 60  # for a mutant without a switch
UNREADABLE = "pytest"  # instead of a test: no test was run, since the package cannot be imported
ALONE = -1  # instead of the number of tests that reach a mutant


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
    return found.failed or ("" if int(code) in (0, 5) else UNREADABLE)  # 5: no tests


def try_alone(
    root: Path, mutant: Mutant, options: list[str], note: Note, *, killer: str = "", number: int = -1
) -> None:
    """Try a mutant that has no switch, or that matters when modules are imported: with its number.

    What killed it before is run first.
    """
    first = [killer] if (root / killer.partition("::")[0]).is_file() else []
    path, tests, left_out = root / mutant.file, [*first, *tests_for(mutant, root)], list[str]()
    text, original = path.read_text(encoding="utf-8"), (ROOT / mutant.file).read_text(encoding="utf-8")
    changed = text if number >= 0 else original[: mutant.start] + mutant.text + original[mutant.end :]
    forgotten = tables_of(mutant)
    while True:
        renew_home(root, forgotten)
        path.write_text(changed, encoding="utf-8", newline="")
        failed = in_child(partial(run_alone, root, tests, [*options, *left_out], number))
        path.write_text(text, encoding="utf-8", newline="")
        if not failed:
            note(mutant, "timeout" if failed is None else "survived", "", ALONE, 0)
            return
        again, how = (tests, ["--collect-only"]) if failed == UNREADABLE else ([failed], [])
        if not in_child(partial(run_alone, root, again, how, -1)):
            note(mutant, "killed", failed, ALONE, 0)
            return
        if failed == UNREADABLE:
            raise RuntimeError(f"{' '.join(tests)} cannot be read without a mutant")
        left_out += ["--deselect", failed]
        tests = [test for test in tests if test != failed]  # a file that cannot be read
