"""Mutants: small faults put into the package one by one, to see whether the tests notice them.

    python -m bench.mutants --count 300 --out new.jsonl                           # the sample that `make test` runs
    python -m bench.mutants --out old.jsonl --survivors new.jsonl --all-cases     # other cases, for those that survived
    python -m bench.mutants --out again.jsonl --killed new.jsonl                  # are those that were killed still?

A mutant changes one operator, comparison, condition or number. The same seed gives the same mutants: some of each
package, and some of kernels. A copy of the checkout in a temporary folder has all of them at once, each behind a
switch: `(changed if __mutant__(17) else original)`. First every test is run once without a mutant, to learn which
tests evaluate which switch, themselves or in a program that they start, and how long they take. Then, for each mutant,
a process is forked that has all tests ready: for some seconds it runs the tests that reach the mutant, what killed it
before and the quickest first, until one fails; then the others of their files, and those near to the module, since
tests share results. A kernel, and what is evaluated when modules are imported, cannot have a switch: for these, the
test files that import the module, or mirror its name, are run in a new process. A test that fails without the mutant,
too, is left out. A mutant with which a test does not end, though it ends without, is a "timeout": that is noticed, too.

A run can be stopped and goes on where it was. Kernels that POKERLAB_HOME has are used, and tables, unless the
mutant is of a package that makes them, so that a run after `make test` is quicker; nothing is written there. Its
kernels check each index: NUMBA_BOUNDSCHECK=1 and NUMBA_OPT=1 find them.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

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
KERNEL_SHARE = 15  # one mutant of so many is of a kernel


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
        if is_text_of(node, text[start:end]):  # before Python 3.12 not in strings with values
            found.append(Mutant(str(file), start, end, f"({ast.unparse(ast.fix_missing_locations(other))})"))
    return found


def is_text_of(node: ast.expr, text: str) -> bool:
    """Whether a text is that of an expression."""
    try:
        return ast.dump(ast.parse(f"({text}\n)", mode="eval").body) == ast.dump(node)
    except SyntaxError:
        return False


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


def is_evaluated_later(mutant: Mutant) -> bool:
    """Whether a mutant is inside of a function, so that it can have a switch; kernels are compiled."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    line = text.count("\n", 0, mutant.start) + 1
    bodies = (
        (node.body[0].lineno, node.end_lineno or 0)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    return mutant.package != "kernels" and any(first <= line <= last for first, last in bodies)


def woven(text: str, start: int, end: int, mutants: list[tuple[int, Mutant]]) -> str:
    """A part of a file with mutants, each with its number, behind switches; one may be a part of another."""
    parts, at = [], start
    rest = sorted(mutants, key=lambda one: (one[1].start, -one[1].end))
    while rest:
        (number, first), *rest = rest
        below = [one for one in rest if one[1].end <= first.end]
        rest = rest[len(below) :]
        inner = woven(text, first.start, first.end, below)
        parts += [text[at : first.start], f"({first.text} if __mutant__({number}) else ({inner}))"]
        at = first.end
    return "".join([*parts, text[at:end]])


def write_switches(root: Path, mutants: dict[int, Mutant]) -> dict[int, Mutant]:
    """Put mutants into a copy of the checkout, each behind a switch; those that could not be."""
    left, files = dict[int, Mutant](), dict[str, list[tuple[int, Mutant]]]()
    for number, mutant in mutants.items():
        if is_evaluated_later(mutant):
            files.setdefault(mutant.file, []).append((number, mutant))
        else:
            left[number] = mutant
    for file, inside in files.items():
        text = (root / file).read_text(encoding="utf-8")
        switched = woven(text, 0, len(text), inside)
        try:
            compile(switched, file, "exec")
        except SyntaxError:  # such as a pattern of `match`
            left.update(inside)
            continue
        (root / file).write_text(switched, encoding="utf-8", newline="")
    package = root / SOURCE / "__init__.py"
    text = package.read_text(encoding="utf-8")
    first = text.index("from importlib import")
    package.write_text(f"{text[:first]}import switches; {text[first:]}", encoding="utf-8", newline="")
    shutil.copy(Path(__file__).with_name("switches.py"), root / "src")
    return left


def row_of(number: int, mutant: Mutant, result: str, test: str, reached: int, tried: int) -> str:
    """A line of the file of results."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    line, was = text.count("\n", 0, mutant.start) + 1, text[mutant.start : mutant.end]
    row = {"mutant": mutant, "line": line, "was": was, "package": mutant.package, "result": result, "test": test}
    return json.dumps({"number": number} | row | {"reached": reached, "tried": tried}) + "\n"


def read_rows(path: Path | None) -> dict[Mutant, dict[str, Any]]:
    """The results in a file, if there is one."""
    lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
    return {Mutant(*row["mutant"]): row for row in map(json.loads, lines)}


def found_again(row: dict[str, Any]) -> Mutant | None:
    """The mutant of a row where its file has it now, the nearest if there are several; None if the code is gone."""
    before = Mutant(*row["mutant"])
    path = ROOT / before.file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    same = [
        one
        for one in (mutants_of(Path(before.file)) if text else ())
        if (one.text, text[one.start : one.end]) == (before.text, row["was"])
    ]
    return min(same, key=lambda one: abs(one.start - before.start), default=None)


def main() -> None:
    """Try each mutant, write what became of it, and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, required=True, help="a JSON line for each mutant; those in it are not rerun"
    )
    parser.add_argument("--survivors", type=Path, help="only those that survived in this file")
    parser.add_argument("--killed", type=Path, help="only those that were killed in this file")
    parser.add_argument(
        "--all-cases", action="store_true", help="of survivors: run the cases that the sample leaves out"
    )
    parser.add_argument("--part", type=part_of, default="1/1", help="1/2: every second mutant, for one of two cores")
    parser.add_argument("--at-once", action="store_true", help="do not learn first which tests reach which mutants")
    asked = parser.parse_args()
    numbers, killers = dict(enumerate(chosen(asked.count, asked.seed))), dict[int, str]()
    if before := asked.survivors or asked.killed:
        results = ("survived",) if asked.survivors else ("killed", "timeout")
        rows = {row["number"]: row for row in read_rows(before).values() if row["result"] in results}
        found = {number: found_again(row) for number, row in rows.items()}
        numbers = {number: one for number, one in found.items() if one}
        killers = {number: rows[number]["test"] for number in numbers}
    try_all(numbers, killers, asked)
    report(numbers, read_rows(asked.out))


def try_all(numbers: dict[int, Mutant], killers: dict[int, str], asked: argparse.Namespace) -> None:
    """Try the mutants of which the file of results has none yet, in a copy of the checkout."""
    from bench import mutant_alone as alone
    from bench import mutant_copies as copies
    from bench import mutant_trials as trials
    from bench.mutant_tests import Reach

    for name in copies.LIBRARIES:
        __import__(name)
    known = read_rows(asked.out)
    with tempfile.TemporaryDirectory() as folder, asked.out.open("a", encoding="utf-8") as out:
        root, number_of = copies.copy_checkout(Path(folder)), {mutant: number for number, mutant in numbers.items()}
        left = write_switches(root, numbers)
        copies.compile_all(root)

        def note(mutant: Mutant, *found: object) -> None:
            out.write(row_of(number_of[mutant], mutant, *found))  # type: ignore[arg-type]
            out.flush()

        todo = {number: one for number, one in numbers.items() if one not in known and asked.part(number)}
        reach = Reach.of(asked.survivors or asked.killed or asked.out)
        options = ["--rest" if asked.all_cases else "--sample"]
        if set(todo) - set(left):
            switched = {number: mutant for number, mutant in todo.items() if number not in left}
            session = trials.Session(root, switched, reach, note)
            session.killers, session.learning = killers, not (asked.at_once or asked.all_cases)
            trials.try_switched(session, options)
            reach = Reach.read(reach.path)  # what was learned
        for number in sorted(set(todo) & set(left)):
            alone.try_alone(root, numbers[number], options, reach, note, killer=killers.get(number, ""))
        known = read_rows(asked.out)
        for number in sorted(set(reach.imported) & set(todo)):
            row = known.get(numbers[number], {})
            if row.get("result") == "survived" and row["reached"] != alone.ALONE:
                alone.try_alone(root, numbers[number], options, reach, note, number=number)


def report(numbers: dict[int, Mutant], known: dict[Mutant, dict[str, Any]]) -> None:
    """Print what became of the mutants, by package."""
    found = [(mutant.package, str(known[mutant]["result"])) for mutant in numbers.values() if mutant in known]
    for package in sorted({package for package, _ in found}):
        print(f"{package:12}", dict(Counter(result for own, result in found if own == package)))
    print(f"{'in all':12}", dict(Counter(result for _, result in found)))


def part_of(text: str) -> Callable[[int], bool]:
    """Whether a number is in a part: "1/2" has every second one, from 0 on."""
    part, parts = (int(number) for number in text.split("/"))
    return lambda number: number % parts == part - 1


if __name__ == "__main__":
    main()
