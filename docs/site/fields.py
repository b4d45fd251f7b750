"""Fields of records on the pages of the API: a field's comment stands beside it in the code, and here."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from typing import Any


def add(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Append the fields of a record to its docstring, and tell shapes of arrays in words; an event of Sphinx."""
    lines[:] = [re.sub(r"  # (\[.*\].*)$", r" Shape: \1.", line) for line in lines]
    if what != "class" or not (dataclasses.is_dataclass(obj) or hasattr(obj, "_fields")):
        return
    found = fields_of(obj)
    if found:
        lines += ["", *(f":ivar {field}: {told}" for field, told in found.items() if told), ""]


def fields_of(record: type) -> dict[str, str]:
    """The public fields of a record with the comments on their lines."""
    source = inspect.getsource(record)
    lines = inspect.cleandoc(source).splitlines() if source[:1].isspace() else source.splitlines()
    body = ast.parse("\n".join(lines)).body[0]
    assert isinstance(body, ast.ClassDef)
    found = {}
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            _, _, comment = lines[(node.end_lineno or node.lineno) - 1].partition("  # ")
            found[node.target.id] = comment.strip()
    return found
