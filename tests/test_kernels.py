"""Arrays that travel together to a kernel are one record, not a row of arguments."""

from __future__ import annotations

import ast
from pathlib import Path

import pokerlab

MOST_ARGUMENTS = 10


def test_no_kernel_takes_a_crowd_of_arguments() -> None:
    package = Path(pokerlab.__file__).parent
    found = {
        f"{path.relative_to(package)} {node.name}": len(node.args.args) + len(node.args.kwonlyargs)
        for path in package.rglob("*.py")
        if "_kernels" in str(path.relative_to(package))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(found) > 100
    assert {name: count for name, count in found.items() if count > MOST_ARGUMENTS} == {}


def test_no_kernel_calls_itself() -> None:
    """See callees.py."""
    for path in Path(pokerlab.__file__).parent.rglob("*.py"):
        if "_kernels" in str(path):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    called = {
                        one.func.id
                        for one in ast.walk(node)
                        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
                    }
                    assert node.name not in called, f"{path.name}: {node.name}"
