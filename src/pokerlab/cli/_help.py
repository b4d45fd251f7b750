"""The help of a command: its usage, what it does, examples, and a row per argument and option."""

from __future__ import annotations

import inspect
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from typer.models import ArgumentInfo
from typer.utils import get_params_from_function

KINDS = {bool: "", str: "text", int: "integer", float: "number", Path: "file"}
VALUES = {"text": "TEXT", "integer": "N", "number": "X", "file": "FILE"}
WIDEST_NAME = 22  # characters; the text of an option with a longer name starts on the next line
MOST_WIDTH = 110
NO_BREAK = "\u00a0"  # a space at which lines are not broken


@dataclass(frozen=True)
class Word:
    """One argument or option of a command, as its function declares it."""

    name: str  # of the parameter
    kind: Any  # the type of its value
    info: Any  # typer's ArgumentInfo or OptionInfo

    @property
    def is_argument(self) -> bool:
        """Whether it is given by its position and not by its name."""
        return isinstance(self.info, ArgumentInfo)

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.info.default is ...

    @property
    def names(self) -> list[str]:
        """What is typed: the options' names, or the argument in capitals."""
        if self.is_argument:
            return [self.info.metavar or self.name.upper()]
        if self.info.param_decls:
            return list(self.info.param_decls)
        spelled = self.name.replace("_", "-")
        return [f"--{spelled}/--no-{spelled}" if self.kind is bool else f"--{spelled}"]

    @property
    def value(self) -> str:
        """The kind of its value in a word; empty for a flag."""
        kinds = [kind for kind in (get_args(self.kind) or (self.kind,)) if kind is not type(None)]
        many = "..." if list in (get_origin(kinds[0]), get_origin(self.kind)) else ""
        kind = (get_args(kinds[0]) or kinds)[0]
        return KINDS.get(kind, str(kind.__name__).lower()) + many

    @property
    def label(self) -> str:
        """How its row begins: the names, and for an option a placeholder for its value."""
        many = "..." if self.value.endswith("...") else ""
        if self.is_argument:
            return self.names[0] + many
        value = self.info.metavar or VALUES.get(self.value.removesuffix("..."), "")
        return " ".join(filter(None, (", ".join(self.names), value + many)))

    @property
    def description(self) -> str:
        """What it means, with its default."""
        default, shown = self.info.default, self.info.show_default
        text = " ".join((self.info.help or "").split())
        if self.is_required and not self.is_argument:
            return f"{text} [required]"
        if isinstance(shown, str):
            return f"{text} [default: {shown}]"
        if shown and self.value and isinstance(default, int | float | str | Path) and str(default):
            number = f"{default:g}" if isinstance(default, float) else str(default)
            return f"{text} [default: {number}]"
        return text


def words_of(command: Any) -> list[Word]:
    """The arguments and options of a command's function, in its own order, without hidden ones."""
    declared = get_params_from_function(command).values()
    words = [Word(parameter.name, parameter.annotation, parameter.default) for parameter in declared]
    return [word for word in words if not word.info.hidden]


def split_help(text: str) -> tuple[str, list[str], list[str]]:
    """The parts of a docstring: its first sentence, its other paragraphs, and the command lines in it."""
    paragraphs = [part.strip() for part in inspect.cleandoc(text).split("\n\n") if part.strip()]
    prose, examples = [], []
    for paragraph in paragraphs:
        lines = [line.strip() for line in paragraph.splitlines()]
        if all(line.startswith("pokerlab ") for line in lines):
            examples += lines
        else:
            prose.append(" ".join(lines))
    return prose[0], prose[1:], examples


def usage(words: list[Word]) -> str:
    """The words after the command: its arguments, the optional ones in brackets."""
    labels = [word.label if word.is_required else f"[{word.label}]" for word in words if word.is_argument]
    return " ".join([*labels, "[OPTIONS]"])


def sections(words: list[Word]) -> dict[str, list[Word]]:
    """Arguments and options by heading."""
    by_heading: dict[str, list[Word]] = {}
    for word in words:
        heading = word.info.rich_help_panel or ("Arguments" if word.is_argument else "Options")
        by_heading.setdefault(heading, []).append(word)
    return by_heading


def help_text(name: str, command: Any, *, width: int, bold: bool = False) -> str:
    """The help of a command in lines of at most `width` characters, except for long example commands."""
    words = words_of(command)
    summary, prose, examples = split_help(command.__doc__ or "")
    lines = [f"Usage: pokerlab {name} {usage(words)}"]
    for paragraph in (summary, *prose):
        lines += ["", *textwrap.wrap(paragraph, width, break_on_hyphens=False)]
    if examples:
        lines += ["", *(f"  {example}" for example in examples)]
    for heading, members in sections(words).items():
        rows = [(word.label, word.description) for word in members]
        if heading == "Options":
            rows.append(("-h, --help", "Show this help."))
        lines += ["", f"\033[1m{heading}\033[0m" if bold else heading, *_table(rows, width)]
    return "\n".join(lines)


def _table(rows: list[tuple[str, str]], width: int) -> Iterator[str]:
    """Two columns, the right one wrapped; a label that is too long has a line of its own."""
    column = min(WIDEST_NAME, max(len(label) for label, _ in rows))
    indent = " " * (column + 4)
    for label, description in rows:
        whole = re.sub(r"\[default: .*\]$", lambda default: default[0].replace(" ", NO_BREAK), description)
        lines = textwrap.wrap(whole, width - len(indent), break_on_hyphens=False) or [""]
        first, *rest = (line.replace(NO_BREAK, " ") for line in lines)
        if len(label) > column:
            yield f"  {label}"
            label = ""
        yield f"  {label:<{column}}  {first}"
        yield from (indent + line for line in rest)


def help_for_terminal(name: str, command: Any) -> str:
    """The help of a command, as wide as the terminal allows."""
    width = max(60, min(shutil.get_terminal_size().columns, MOST_WIDTH))
    return help_text(name, command, width=width, bold=sys.stdout.isatty())
