"""A page for every command, made of what the command itself says in its help: nothing is written by hand."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

from typer.models import ArgumentInfo
from typer.utils import get_params_from_function

from pokerlab.cli import command_names
from pokerlab.cli._app import command_function

MARKUP = re.compile(r"\[/?(?:dim|bold|italic)\]")
KINDS = {bool: "", str: "text", int: "integer", float: "number", Path: "file"}


@dataclass(frozen=True)
class Word:
    """One argument or option of a command, as its function declares it."""

    name: str  # of the parameter
    kind: Any  # the type of its value
    info: Any  # what the command line is told of it: typer's ArgumentInfo or OptionInfo

    @property
    def is_argument(self) -> bool:
        """Whether it is given by its place and not by its name."""
        return isinstance(self.info, ArgumentInfo)

    @property
    def names(self) -> list[str]:
        """What is typed: the options' names, or the argument in capitals."""
        if self.is_argument:
            return [self.name.upper()]
        return list(self.info.param_decls or [f"--{self.name.replace('_', '-')}"])

    @property
    def value(self) -> str:
        """The kind of its value in a word; nothing for one that is on or off."""
        kinds = [kind for kind in (get_args(self.kind) or (self.kind,)) if kind is not type(None)]
        many = "..." if list in (get_origin(kinds[0]), get_origin(self.kind)) else ""
        kind = (get_args(kinds[0]) or kinds)[0]
        return KINDS.get(kind, kind.__name__.lower()) + many


def command_of(name: str) -> Any:
    """The function of a command."""
    return command_function(name)


def words_of(name: str) -> list[Word]:
    """The arguments and options of a command, in its own order; those that it hides are left out."""
    declared = get_params_from_function(command_of(name)).values()
    words = [Word(parameter.name, parameter.annotation, parameter.default) for parameter in declared]
    return [word for word in words if not word.info.hidden]


def page(name: str) -> str:
    """The page of one command."""
    summary, prose, examples = told(command_of(name).__doc__ or "")
    lines = [f"# {name}", "", summary, ""]
    lines += ["```text", f"pokerlab {name} {usage(words_of(name))}", "```", ""]
    for paragraph in prose:
        lines += [paragraph, ""]
    if examples:
        lines += ["```bash", *examples, "```", ""]
    for title, rows in panels(words_of(name)).items():
        lines += [f"## {title}", "", "| | | |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows), ""]
    return "\n".join(lines)


def told(text: str) -> tuple[str, list[str], list[str]]:
    """What a help text says: its first sentence, its other paragraphs, and the command lines in it."""
    plain = MARKUP.sub("", inspect.cleandoc(text))
    paragraphs = [part.strip() for part in plain.split("\n\n") if part.strip()]
    prose, examples = [], []
    for paragraph in paragraphs:
        lines = [line.strip() for line in paragraph.splitlines()]
        typed = [line.removeprefix("Example: ") for line in lines]
        if all(line.startswith("pokerlab ") for line in typed):
            examples += typed
        else:
            prose.append(escaped(" ".join(lines)))
    return prose[0], prose[1:], examples


def usage(words: list[Word]) -> str:
    """The words after the command: its arguments, the optional ones in brackets."""
    shown = []
    for word in words:
        if word.is_argument:
            text = word.names[0] + ("..." if word.value.endswith("...") else "")
            shown.append(text if word.info.default is ... else f"[{text}]")
    return " ".join([*shown, "[OPTIONS]"])


def panels(words: list[Word]) -> dict[str, list[tuple[str, str, str]]]:
    """The rows of each table of a command: name, kind of value, what it does."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for word in words:
        title = word.info.rich_help_panel or ("Arguments" if word.is_argument else "Options")
        found.setdefault(title, []).append(row(word))
    return found


def row(word: Word) -> tuple[str, str, str]:
    """One argument or option."""
    says = escaped(" ".join((word.info.help or "").split()))
    default = word.info.default
    if isinstance(default, int | float | str) and word.value and default != "" and word.info.show_default:
        says += f" Default: `{default}`."
    return " ".join(f"`{name}`" for name in word.names), word.value, says


def escaped(text: str) -> str:
    """Text of a terminal as markdown: what stands between backquotes stays code, the rest is shown letter by letter."""
    pieces = text.split("`")
    plain = [re.sub(r"([\\*_\[\]<>|#$])", r"\\\1", piece) for piece in pieces[::2]]
    code = [f"`{piece}`".replace("|", r"\|") for piece in pieces[1::2]]
    return "".join(part for pair in zip(plain, [*code, ""], strict=False) for part in pair)


def contents() -> str:
    """The page that lists the commands, each with its first sentence."""
    rows = [f"| [`{name}`]({name}.md) | {told(command_of(name).__doc__ or '')[0]} |" for name in command_names()]
    hidden = "\n".join(command_names())
    return f"""# Commands

What `pokerlab COMMAND --help` says, of every command. Every command takes `--json`; where chance enters, `--seed`.

| | |
|---|---|
{chr(10).join(rows)}

```{{toctree}}
:hidden:

{hidden}
```
"""


def write(folder: Path) -> None:
    """All of these pages."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.md").write_text(contents(), encoding="utf-8")
    for name in command_names():
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")
