"""Forms, strategies and views answer for themselves: nobody outside tree/ asks which class one of them is."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pokerlab
from pokerlab.strategy.forms import kinds
from pokerlab.tree.form import KINDS, Form

SOURCE = Path(pokerlab.__file__).parent
ROOMS = ("strategy/views", "strategy/forms")


def _below(kind: type) -> set[str]:
    return {kind.__name__}.union(*(_below(one) for one in kind.__subclasses__()))


def _classes() -> set[str]:
    """The names of all forms, and of the classes in which strategies are walked and named."""
    for module in KINDS.values():
        import_module(module)
    for module in kinds.KINDS.values():
        import_module(module)
    names = _below(Form)
    for room in ROOMS:
        for file in (SOURCE / room).glob("*.py"):
            found = {
                node.name for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.ClassDef)
            }
            names |= {name for name in found if name.endswith(("Strategy", "View", "Place"))}
    return names


def _asked(call: ast.Call) -> set[str]:
    """The classes that a call of isinstance asks about."""
    return {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(call.args[1])
        if isinstance(node, ast.Name | ast.Attribute)
    }


def test_nobody_outside_tree_asks_for_the_class_of_a_form_a_strategy_or_a_view() -> None:
    classes, found = _classes(), []
    assert {"SequenceForm", "PublicTree", "BucketedForm", "PublicStrategy", "HistoryView"} <= classes
    for file in sorted(SOURCE.rglob("*.py")):
        path = file.relative_to(SOURCE)
        if path.parts[0] == "tree":
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance" and _asked(node) & classes:
                found.append(f"{path}:{node.lineno} {ast.unparse(node)}")
    assert not found, "\n".join(found)
