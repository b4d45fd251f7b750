"""Forms, strategies and views answer for themselves: nobody outside tree/ asks which class or kind one of them is.

What differs from form to form is a method or an attribute of FormKind, Form, FormStrategy or SolutionNode, with a
default that forms override. So nobody checks the class of one, compares the name of a form, or looks whether an
attribute is there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import pokerlab
from pokerlab.strategy.forms import kinds
from pokerlab.tree.form import KINDS, Form

SOURCE = Path(pokerlab.__file__).parent
VIEWS_AND_STRATEGIES = ("strategy/views", "strategy/forms")
HOLDS_A_KIND = ("kind", "form")  # names of variables and attributes that may hold the name of a form
HOLDS_AN_OBJECT = ("form", "laid", "place", "policy", "root", "solution", "strategy", "view")
EXCEPTIONS = {  # "path: expression" -> why it is not about forms
    "games/game.py: hasattr(view, 'infoset')": "the view of a player in a game, which a user's own game may define",
}


def _class_names(kind: type) -> set[str]:
    return {kind.__name__}.union(*(_class_names(child) for child in kind.__subclasses__()))


def _forms_strategies_and_views() -> set[str]:
    """The names of all forms, and of the classes in which strategies are walked and named."""
    for module in (*KINDS.values(), *kinds.KINDS.values()):
        import_module(module)
    names = _class_names(Form)
    for folder in VIEWS_AND_STRATEGIES:
        for file in (SOURCE / folder).glob("*.py"):
            tree = ast.parse(file.read_text("utf-8"))
            classes = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
            names |= {name for name in classes if name.endswith(("Strategy", "View", "Node"))}
    return names


def _last_name(node: ast.AST) -> str:
    """The last part of a.b.c, of a["c"] and of a.get("c"); otherwise ""."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    if isinstance(node, ast.Call) and _last_name(node.func) == "get" and isinstance(node.args[0], ast.Constant):
        return str(node.args[0].value)
    return ""


def _is_class_check(node: ast.AST, classes: set[str]) -> bool:
    if not (isinstance(node, ast.Call) and _last_name(node.func) in ("isinstance", "issubclass")):
        return False
    return bool({_last_name(part) for part in ast.walk(node.args[1])} & classes)


def _is_kind_comparison(node: ast.AST) -> bool:
    """Whether a comparison, or a match statement, tells forms apart by their name."""
    if isinstance(node, ast.Match):
        sides: list[ast.AST] = [node.subject, *node.cases]
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    else:
        return False
    literals = {part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)}
    names = {_last_name(part) for side in sides for part in (side, *getattr(side, "elts", ()))}
    return bool(literals & set(KINDS)) and bool(names & set(HOLDS_A_KIND))


def _is_attribute_check(node: ast.AST) -> bool:
    if not (isinstance(node, ast.Call) and _last_name(node.func) in ("hasattr", "getattr") and len(node.args) > 1):
        return False
    return isinstance(node.args[1], ast.Constant) and _last_name(node.args[0]) in HOLDS_AN_OBJECT


@cache
def _checked_nodes() -> tuple[tuple[str, ast.AST], ...]:
    """Every node that may be a check, with the path of its file, outside of tree/."""
    return tuple(
        (str(path.as_posix()), node)
        for file in sorted(SOURCE.rglob("*.py"))
        if (path := file.relative_to(SOURCE)).parts[0] != "tree"
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, (ast.Call, ast.Compare, ast.Match))
    )


def _nodes(*left_out: str) -> Iterator[tuple[str, ast.AST]]:
    return ((path, node) for path, node in _checked_nodes() if path.partition("/")[0] not in left_out)


def _described(path: str, node: ast.AST) -> str:
    return f"{path}: {ast.unparse(node)}"


def test_nobody_outside_tree_asks_for_the_class_of_a_form_a_strategy_or_a_view() -> None:
    classes = _forms_strategies_and_views()
    assert {"SequenceForm", "PublicTree", "BucketedForm", "PublicStrategy", "HistoryView", "SolutionNode"} <= classes
    found = [_described(path, node) for path, node in _nodes() if _is_class_check(node, classes)]
    assert not found, "\n".join(found)


def test_nobody_outside_tree_and_strategy_compares_the_name_of_a_form() -> None:
    found = {_described(path, node) for path, node in _nodes("strategy") if _is_kind_comparison(node)}
    assert not found - set(EXCEPTIONS), "\n".join(sorted(found - set(EXCEPTIONS)))


def test_nobody_outside_tree_and_strategy_looks_whether_a_form_a_strategy_or_a_view_has_an_attribute() -> None:
    found = {_described(path, node) for path, node in _nodes("strategy") if _is_attribute_check(node)}
    assert not found - set(EXCEPTIONS), "\n".join(sorted(found - set(EXCEPTIONS)))


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ('solution.form == "public"', True),
        ('"bucketed" != laid.form.kind', True),
        ('kind in ("classes", "pushes")', True),
        ('words.get("form") == "bucketed"', True),
        ('words["form"] == "bucketed"', True),
        ('("classes", name) == (form.kind, form.name)', True),
        ('action.kind == "r"', False),
        ('chance == "public"', False),
        ("form.kind == other.kind", False),
        ('hasattr(view, "pot")', True),
        ('getattr(solution.root, "note", "")', True),
        ('getattr(laid.form, "slots", 0)', True),
        ('hasattr(game, "deck")', False),
        ("getattr(view, name)", False),
    ],
)
def test_the_checks_find_what_they_are_for(text: str, is_found: bool) -> None:
    node = ast.parse(text, mode="eval").body
    assert (_is_kind_comparison(node) or _is_attribute_check(node)) == is_found


def test_a_match_on_the_name_of_a_form_is_found() -> None:
    (node,) = ast.parse('match form.kind:\n    case "public":\n        pass').body
    assert _is_kind_comparison(node)
