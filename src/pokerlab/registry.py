"""Things found by name: a file dropped into a library is available under its file name.

There is no list to register in. The libraries are games/library, solvers/library, agents/library and papers, and
formats for games that are read from elsewhere. A module counts when it defines the entry point of its kind at top level
(`game`, `algorithm`, `agent`, `paper`); its source is scanned as text, so that listing names imports nothing. `-` and
`_` are the same in names.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pokerlab.errors import BadSetting, UnknownName, shortened

ENTRY_POINTS = {"games": "game", "algorithms": "algorithm", "agents": "agent", "papers": "paper"}
LIBRARIES = {
    "games": ("games/library", "formats"),
    "algorithms": ("solvers/library",),
    "agents": ("agents/library",),
    "papers": ("papers",),
}
_ROOT = Path(__file__).parent


@dataclass(frozen=True)
class Entry:
    """One available thing: its name as users type it and the first line of its docstring."""

    name: str
    summary: str
    module: str


@cache
def _entries(kind: str) -> dict[str, Entry]:
    if kind not in ENTRY_POINTS:
        raise UnknownName(f"there is no kind of thing called {kind!r}; known: {', '.join(ENTRY_POINTS)}")
    entry_point = re.compile(rf"^(?:def {ENTRY_POINTS[kind]}\(|{ENTRY_POINTS[kind]}\s*[:=])", re.MULTILINE)
    found = {}
    for path in sorted(path for library in LIBRARIES[kind] for path in (_ROOT / library).glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.stem.startswith("_") or not entry_point.search(source):
            continue
        opening = re.match(r'\s*r?"""(.*?)(?:\n|""")', source)
        summary = opening.group(1).strip() if opening else ""
        name = path.stem.replace("_plus", "+").replace("_", "-")
        found[path.stem] = Entry(name, summary, ".".join(["pokerlab", *path.relative_to(_ROOT).with_suffix("").parts]))
    return dict(sorted(found.items()))


def available(kind: str) -> list[Entry]:
    """What can be loaded of a kind, by name.

    >>> [entry.name for entry in available("games") if entry.name == "kuhn"]
    ['kuhn']
    """
    return list(_entries(kind).values())


def nearest(word: str, known: list[str]) -> str:
    """A clause that helps after a wrong name: the closest known ones, or all of them."""
    if not known:
        return "none is available"
    close = difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"available: {', '.join(known)}"


def parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Split "kuhn(players=3)" into its name and its settings.

    >>> parse("kuhn(players=3)")
    ('kuhn', {'players': 3})
    """
    match = re.fullmatch(r"\s*([^()]*?)\s*(?:\((.*)\))?\s*", spec, re.DOTALL)
    if not match:
        raise BadSetting(f"cannot read {shortened(spec)!r}: write a name, or one with settings as in kuhn(players=3)")
    name, inside = match.group(1), match.group(2)
    if not inside:
        return name, {}
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
        assert isinstance(call, ast.Call)
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("settings need names")
        return name, {str(keyword.arg): _value(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:  # the last two of deep nesting
        raise BadSetting(
            f"cannot read the settings in {shortened(spec)!r}: write them as in kuhn(players=3)"
        ) from problem


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):  # an unquoted word is text: spot(board=Ks7h2d)
        return {"true": True, "false": False}.get(node.id, node.id)
    return ast.literal_eval(node)


def find(kind: str, name: str) -> Entry:
    """The entry of this name, or UnknownName with the nearest known ones."""
    entries = _entries(kind)
    stem = name.strip().lower().replace("-", "_").replace("+", "_plus")
    if stem not in entries:
        known = [entry.name for entry in entries.values()]
        raise UnknownName(f"there is no {ENTRY_POINTS[kind]} called {shortened(name)!r}; {nearest(name, known)}")
    return entries[stem]


def load(kind: str, spec: str, /, **settings: Any) -> Any:
    """Make the thing that a spec such as "leduc" or "kuhn(players=3)" names; keyword settings override the spec's."""
    name, spec_settings = parse(spec)
    entry = find(kind, name)
    factory = getattr(importlib.import_module(entry.module), ENTRY_POINTS[kind])
    return call(entry.name, factory, spec_settings | settings)


def call(name: str, factory: Callable[..., Any], settings: Mapping[str, Any]) -> Any:
    """What a factory makes of settings, or BadSetting with those that it takes.

    >>> call("pair", lambda first, second=2: (first, second), {"first": 1})
    (1, 2)
    """
    import inspect

    parameters = inspect.signature(factory).parameters
    takes = f"it takes {', '.join(parameters)}" if parameters else "it takes none"
    if not any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values()):
        unknown = [shortened(setting) for setting in settings if setting not in parameters]
        if unknown:
            raise BadSetting(f"{name} does not take {', '.join(unknown)}; {takes}")
    try:
        return factory(**settings)
    except TypeError as problem:
        if "argument" not in str(problem):
            raise
        raise BadSetting(f"{name} does not take these settings ({problem}); {takes}") from problem
