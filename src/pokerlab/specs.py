"""Names with settings as text: "kuhn(players=3)", written and read."""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Mapping
from typing import Any

from pokerlab.errors import BadSetting, shortened

_NUMBERS = {"inf": math.inf, "nan": math.nan}
_WORDS: dict[str, Any] = {"true": True, "false": False, **_NUMBERS}
# a value that is a name or a path, and not a single alphanumeric word: linear-cfr, cfr+, runs/kuhn.solution
_UNQUOTED = re.compile(r"(=\s*)((?:[A-Za-z_~]\w*[./+:-]|\.{0,2}/)[\w./+:~-]*)(?=\s*(?:,|$))")


def spec_text(name: str, settings: Mapping[str, Any]) -> str:
    """A name with settings, as `read` reads it.

    >>> spec_text("spot", {"board": "Ks7h2d", "sizes": (1, 2), "to": "a b"}), spec_text("kuhn", {})
    ("spot(board=Ks7h2d, sizes=(1, 2), to='a b')", 'kuhn')
    """
    inside = ", ".join(f"{setting}={value_text(value)}" for setting, value in settings.items())
    return f"{name}({inside})" if inside else name


def value_text(value: Any) -> str:
    """Write a setting's value; unambiguous words need no quotes."""
    plain = isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value) and value not in _WORDS
    return value if plain else repr(value)


def read(spec: str) -> tuple[str, dict[str, Any]]:
    """Split "kuhn(players=3)" into its name and its settings.

    >>> read("kuhn(players=3)"), read("./my (old) game.py(beta=-inf)")
    (('kuhn', {'players': 3}), ('./my (old) game.py', {'beta': -inf}))
    >>> read("cfr-br(schedule=linear-cfr, trunk=1)")
    ('cfr-br', {'schedule': 'linear-cfr', 'trunk': 1})
    """
    name, inside = split(spec)
    if not inside.strip():
        return name, {}
    try:
        try:
            settings = _settings(inside)
        except (SyntaxError, ValueError):  # names and paths need no quotes
            settings = _settings(_UNQUOTED.sub(r"\1'\2'", inside))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:  # the last two from deep nesting
        raise BadSetting(
            f"cannot read the settings in {shortened(spec)!r}: write them as in kuhn(players=3), and text with spaces, "
            "commas or brackets in quotes, as in strategy(file='my kuhn.solution')"
        ) from problem
    names = [setting for setting, _ in settings]
    if twice := next((setting for setting in names if names.count(setting) > 1), None):
        raise BadSetting(f"{twice} is given twice in {shortened(spec)!r}: give it once")
    return name, dict(settings)


def _settings(inside: str) -> list[tuple[str, Any]]:
    """The settings inside the brackets, in order."""
    call = ast.parse(f"f({inside})", mode="eval").body
    assert isinstance(call, ast.Call)
    if call.args or any(setting.arg is None for setting in call.keywords):
        raise ValueError("settings need names")
    return [(str(setting.arg), _value(setting.value)) for setting in call.keywords]


def split(spec: str) -> tuple[str, str]:
    """Split a spec into its name and the text in its brackets; a path may itself contain brackets."""
    match = re.fullmatch(r"\s*([^'\"=]*\.py(?::\w+)?|[^()]*?)\s*(?:\((.*)\))?\s*", spec, re.DOTALL)
    if not match:
        raise BadSetting(f"cannot read {shortened(spec)!r}: write a name, or one with settings as in kuhn(players=3)")
    return match.group(1), match.group(2) or ""


def split_specs(text: str) -> list[str]:
    """Names with settings, separated by commas that are not inside brackets.

    >>> split_specs("cfr, dcfr(alpha=1, beta=0),external")
    ['cfr', 'dcfr(alpha=1, beta=0)', 'external']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):  # an unquoted word is text: spot(board=Ks7h2d)
        return _WORDS.get(node.id, node.id)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
        return -_NUMBERS[node.operand.id] if node.operand.id in _NUMBERS else ast.literal_eval(node)
    return ast.literal_eval(node)
