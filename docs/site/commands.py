"""A page for every command, made of what the command itself says in its help: nothing is written by hand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from pokerlab.cli import command_names
from pokerlab.cli._app import command_function
from pokerlab.cli._help import Word, sections, split_help, usage, words_of


def command_of(name: str) -> Any:
    """The function of a command."""
    return command_function(name)


def command_words(name: str) -> list[Word]:
    """The arguments and options of a command."""
    return words_of(command_of(name))


def page(name: str) -> str:
    """The page of one command."""
    summary, prose, examples = split_help(command_of(name).__doc__ or "")
    lines = [f"# {name}", "", escaped(summary), ""]
    lines += ["```text", f"pokerlab {name} {usage(command_words(name))}", "```", ""]
    for paragraph in prose:
        lines += [escaped(paragraph), ""]
    if examples:
        lines += ["```bash", *examples, "```", ""]
    for title, rows in tables(command_words(name)).items():
        lines += [f"## {title}", "", "| | | |", "|---|---|---|", *(f"| {' | '.join(row)} |" for row in rows), ""]
    return "\n".join(lines)


def tables(words: list[Word]) -> dict[str, list[tuple[str, str, str]]]:
    """The rows of each table of a command: name, kind of value, what it does."""
    return {heading: [row(word) for word in members] for heading, members in sections(words).items()}


def row(word: Word) -> tuple[str, str, str]:
    """One argument or option."""
    return " ".join(f"`{name}`" for name in word.names), word.value, escaped(word.description)


def escaped(text: str) -> str:
    """Text of a terminal as markdown: what stands between backquotes stays code, the rest is shown letter by letter."""
    pieces = text.split("`")
    plain = [re.sub(r"([\\*_\[\]<>|#$])", r"\\\1", piece) for piece in pieces[::2]]
    code = [f"`{piece}`".replace("|", r"\|") for piece in pieces[1::2]]
    return "".join(part for pair in zip(plain, [*code, ""], strict=False) for part in pair)


def contents() -> str:
    """The page that lists the commands, each with its first sentence."""
    rows = [
        f"| [`{name}`]({name}.md) | {escaped(split_help(command_of(name).__doc__ or '')[0])} |"
        for name in command_names()
    ]
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
