"""Mutants: small faults put into the package one by one, to see whether the tests notice them.

    python -m bench.mutants --count 300 --out new.jsonl                           # the sample that `make test` runs
    python -m bench.mutants --out old.jsonl --survivors new.jsonl --all-cases     # every case, for those that survived
    python -m bench.mutants --out old.jsonl --survivors new.jsonl --tests DIR     # the tests of another checkout

A mutant changes one operator, comparison, condition or number. The same seed gives the same mutants: some of each
package, and some of kernels. For each, the test files that import the module, or mirror its name, are run until one
fails; they are read from a copy of the checkout in a temporary folder. A test that fails without the mutant, too, is
left out. A run can be stopped and goes on where it was. Kernels that POKERLAB_HOME has are used, and tables, unless the
mutant is of a package that makes them, so that a run after `make test` is quicker; nothing is written there. Its
kernels check each index: NUMBA_BOUNDSCHECK=1 and NUMBA_OPT=1 find them.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab import store

ROOT = Path(__file__).parents[1]
SOURCE = Path("src/pokerlab")
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
MOST_FILES = 12  # test files for a mutant, the nearest first
CONTRACTS = {  # by package: tests that find what they test by the registry
    "agents": ("agents",),
    "cli": ("json", "commands"),
    "games": ("games", "poker_games"),
    "papers": ("papers",),
    "solvers": ("solvers",),
}
CPU_SECONDS = 150  # for all tests of a mutant
TEST_SECONDS = 40  # of CPU time for a test: one that takes longer does not end
KERNEL_SHARE = 15  # one mutant of so many is of a kernel
MAKERS = ("abstraction", "cards", "kernels", "modules")  # of tables that POKERLAB_HOME has
LIBRARIES = "duckdb highspy hypothesis matplotlib.pyplot numba numpy pokerkit psutil pytest scipy.stats typer".split()


class Mutant(NamedTuple):
    """A change of one place of a file."""

    file: str  # below the root
    start: int  # of the characters that are replaced
    end: int
    text: str  # what replaces them

    @property
    def package(self) -> str:
        """The package that it is of; "kernels" for all kernels."""
        parts = Path(self.file).relative_to(SOURCE).parts
        return "kernels" if "_kernels" in self.file else parts[0] if len(parts) > 1 else "modules"


def changes(tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The expressions of a module that are mutated, each with its mutant; annotations and decorators are left out."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            outside = [*node.decorator_list, *([node.returns] if isinstance(node, ast.FunctionDef) else [])]
            skipped.update(id(below) for one in outside if one for below in ast.walk(one))
        note = getattr(node, "annotation", None)
        if isinstance(note, ast.AST):
            skipped.update(id(below) for below in ast.walk(note))
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
            yield node, ast.Compare(node.left, [SWAPS[type(node.ops[0])]()], node.comparators)  # type: ignore[list-item]
        elif isinstance(node, ast.BinOp) and type(node.op) in SWAPS and not isinstance(node.left, ast.Constant):
            yield node, ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)  # type: ignore[arg-type]
        elif isinstance(node, ast.BoolOp):
            yield node, ast.BoolOp(SWAPS[type(node.op)](), node.values)  # type: ignore[arg-type]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, node.operand
        elif isinstance(node, (ast.IfExp, ast.If, ast.While)) and not isinstance(node.test, ast.Compare):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
            yield node, ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)


def mutants_of(file: Path) -> list[Mutant]:
    """Every mutant of a file."""
    text = (ROOT / file).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines, found = text.splitlines(keepends=True), []

    def place(line: int, offset: int) -> int:  # offsets of ast count bytes
        return starts[line - 1] + len(lines[line - 1].encode()[:offset].decode())

    for node, other in changes(ast.parse(text)):
        start, end = place(node.lineno, node.col_offset), place(node.end_lineno or 0, node.end_col_offset or 0)
        found.append(Mutant(str(file), start, end, f"({ast.unparse(ast.fix_missing_locations(other))})"))
    return found


def chosen(count: int, seed: int) -> list[Mutant]:
    """The mutants of a seed, as many of each package."""
    rng, packages = random.Random(seed), dict[str, list[Mutant]]()
    for path in sorted((ROOT / SOURCE).rglob("*.py")):
        for mutant in mutants_of(path.relative_to(ROOT)):
            packages.setdefault(mutant.package, []).append(mutant)
    kernels = packages.pop("kernels")
    few = count // KERNEL_SHARE
    each = -(-(count - few) // len(packages))
    found = [mutant for name in sorted(packages) for mutant in rng.sample(packages[name], each)]
    rng.shuffle(found)
    return found[: count - few] + rng.sample(kernels, few)  # last: each compiles


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
    return [mutant.file, *(files or [f"tests/{module.parts[0]}", "tests/test_told.py"])]  # the file: its own doctests


class Failures:
    """Writes the name of each test that fails, or of each file that cannot be imported, to a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logstart(self) -> None:
        """A test begins; the signal ends the process."""
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A test has been run."""
        self.pytest_collectreport(report)

    def pytest_collectreport(self, report: Any) -> None:
        """A file has been read."""
        if report.failed:
            self._file.write_text(report.nodeid, encoding="utf-8")


def link(one: str, other: str) -> None:
    """A second name of a file, or a copy of it."""
    try:
        os.link(one, other)
    except OSError:
        shutil.copy(one, other)


def run_tests(root: Path, tests: list[str], options: list[str], *, tables: bool = True) -> str:
    """What fails first of the tests of the package below a root: its name, "" or "timeout"; in another process."""
    found, home = root / "failed.txt", root.parent / "home"
    found.unlink(missing_ok=True)
    shutil.rmtree(home, ignore_errors=True)  # a mutant may have written wrong tables
    left_out = None if tables else shutil.ignore_patterns("*.safetensors")
    if store.home().exists():
        shutil.copytree(store.home(), home, copy_function=link, ignore=left_out)
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        os.chdir(root)
        os.environ |= {"PYTHONPATH": str(root / "src"), "POKERLAB_HOME": str(home)}
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.dont_write_bytecode = True
        ours = ("", str(ROOT), str(ROOT / "src"))
        sys.path[:] = [str(root / "src"), str(root), *(one for one in sys.path if one not in ours)]
        for name in [name for name in sys.modules if name.partition(".")[0] in ("bench", "pokerlab", "tests")]:
            del sys.modules[name]
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        import pytest

        quick = ["-x", "-q", "-p", "no:cacheprovider", "--assert=plain"]
        code = pytest.main([*quick, *options, *tests], plugins=[Failures(found)])
        os._exit(int(code) not in (0, 5))  # 5: no tests
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "timeout"
    if not os.WEXITSTATUS(status):
        return ""
    return found.read_text(encoding="utf-8") if found.exists() else "pytest"


class Trial:
    """Tries mutants in a copy of a checkout."""

    def __init__(self, root: Path, options: list[str]) -> None:
        self.root, self.options = root, options
        self.failing: dict[str, bool] = {}  # whether a test fails without a mutant

    def result(self, mutant: Mutant) -> tuple[str, str]:
        """What becomes of a mutant: killed, survived, or timeout; and the test that failed."""
        path = self.root / mutant.file
        text = path.read_text(encoding="utf-8")
        changed = text[: mutant.start] + mutant.text + text[mutant.end :]
        tests = tests_for(mutant, self.root)
        while True:
            left_out = [part for name, fails in self.failing.items() if fails for part in ("--deselect", name)]
            path.write_text(changed, encoding="utf-8", newline="")
            tables = mutant.package not in MAKERS
            failed = run_tests(self.root, [*left_out, *tests], self.options, tables=tables)
            path.write_text(text, encoding="utf-8", newline="")
            if failed in ("", "timeout"):
                return failed or "survived", ""
            if failed not in self.failing:
                self.failing[failed] = bool(run_tests(self.root, [failed], []))
            if not self.failing[failed]:
                return "killed", failed
            tests = [test for test in tests if test != failed]  # a file that cannot be read


def main() -> None:
    """Try each mutant, write what became of it, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, required=True, help="a JSON line for each mutant; those in it are not rerun"
    )
    parser.add_argument("--survivors", type=Path, help="only those that survived in this file")
    parser.add_argument(
        "--tests", type=Path, default=ROOT, help="a checkout whose tests, Makefile and settings are run"
    )
    parser.add_argument(
        "--all-cases", action="store_true", help="run every case, not the sample of `make test`; of survivors, the rest"
    )
    asked = parser.parse_args()
    for name in LIBRARIES:
        __import__(name)
    options = [] if asked.tests != ROOT else ["--sample"]
    if asked.all_cases:
        options = ["--rest"] if asked.survivors else []
    done = [json.loads(line) for line in asked.out.read_text().splitlines()] if asked.out.exists() else []
    known = {Mutant(*one["mutant"]): one["result"] for one in done}
    todo = chosen(asked.count, asked.seed)
    if asked.survivors:
        before = (json.loads(line) for line in asked.survivors.read_text().splitlines())
        left = {Mutant(*one["mutant"]) for one in before if one["result"] == "survived"}
        todo = [mutant for mutant in todo if mutant in left]
    with tempfile.TemporaryDirectory() as folder, asked.out.open("a", encoding="utf-8") as out:
        root = Path(folder) / "copy"
        ignored = shutil.ignore_patterns(".git", ".venv*", ".*_cache", "__pycache__", "site", "dist")
        shutil.copytree(asked.tests, root, ignore=ignored)
        shutil.copytree(ROOT / "src", root / "src", dirs_exist_ok=True, ignore=ignored)
        compileall.compile_dir(root / "src", quiet=1)  # once, not for each mutant
        compileall.compile_dir(root / "tests", quiet=1)
        trial = Trial(root, options)
        for mutant in todo:
            if mutant in known:
                continue
            known[mutant], test = trial.result(mutant)
            text = (ROOT / mutant.file).read_text(encoding="utf-8")
            line = text.count("\n", 0, mutant.start) + 1
            was = text[mutant.start : mutant.end]
            row = {"mutant": mutant, "line": line, "was": was, "package": mutant.package}
            row |= {"result": known[mutant], "test": test}
            out.write(json.dumps(row) + "\n")
            out.flush()
    print("fail without a mutant:", *(name for name, fails in trial.failing.items() if fails), sep="\n    ")
    for package in sorted({mutant.package for mutant in todo}):
        print(f"{package:12}", dict(Counter(known[mutant] for mutant in todo if mutant.package == package)))
    print(f"{'in all':12}", dict(Counter(known[mutant] for mutant in todo)))


if __name__ == "__main__":
    main()
