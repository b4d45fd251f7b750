"""What a page tells its reader to do, done: files written, commands typed, Python entered, in order, in one folder.

A page is a row of fenced blocks:

- `console`: lines that begin with `$ ` are typed; what stands below one is what it prints, where `...` stands for
  anything. A command that prints nothing on the page may print what it likes. An output that begins with "pokerlab: "
  is a refusal, and exit code 2.
- `python` with `>>>`: entered, as doctests are.
- any block below a line that ends in a file's name and a colon: written to that file.
"""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from command_line import CommandLine

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`([\w./-]+\.\w+)`[^`\n]*:\s*$")
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WIDTH = 80


class Block(NamedTuple):
    """One fenced block of a page."""

    language: str
    text: str
    line: int  # where it begins
    file: str | None  # that the line above it names


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found = []
    for match in FENCED.finditer(text):
        named = NAMED.search(text[: match.start()].rstrip())
        line = text[: match.start()].count("\n") + 1
        found.append(Block(match[1], match[2], line, named[1] if named else None))
    return found


class Typed(NamedTuple):
    """A command line of a page with what stands below it."""

    line: str
    output: str


def typed(text: str) -> list[Typed]:
    """The commands of a console block; one that ends in \\ goes on in the next line."""
    joined = re.sub(r" *\\\n> *", " ", text)
    found: list[Typed] = []
    for line in joined.splitlines():
        if line.startswith("$ "):
            found.append(Typed(line[2:].partition(" # ")[0].strip(), ""))
        else:
            found[-1] = Typed(found[-1].line, f"{found[-1].output}{line}\n")
    return found


class Reader:
    """Does what a page says, in the current folder."""

    def __init__(self, cli: CommandLine, *, instead: Mapping[str, str] | None = None) -> None:
        self._cli, self._instead = cli, instead or {}
        self._names: dict[str, Any] = {}  # of what is entered in Python
        self.did = 0  # commands typed and examples entered

    def read(self, text: str) -> None:
        """Do all that a page says."""
        for block in blocks(text):
            if block.language == "console":
                for command in typed(block.text):
                    self._type(command, block.line)
            elif ">>> " in block.text:
                self._enter(block)
            elif block.file:
                path = Path(block.file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")

    def _type(self, command: Typed, line: int) -> None:
        self.did += 1
        shorter = self._instead.get(command.line)
        words = shlex.split(shorter or command.line)
        code, out, error = OTHER.get(words[0], self._call)(words)
        refused = command.output.startswith("pokerlab: ")
        said = (error if refused else out).replace("\N{NO-BREAK SPACE}", " ")
        where = f"line {line}: $ {command.line}"
        assert code == (2 if refused else 0), f"{where}\nanswers with exit code {code}:\n{out}{error}"
        if command.output.strip() and not shorter:
            alike = doctest.OutputChecker().check_output(command.output, said, FLAGS)
            assert alike, f"{where}\nprints\n{said}\nand not\n{command.output}"

    def _call(self, words: list[str]) -> tuple[int, str, str]:
        assert words[0] == "pokerlab", f"there is no way to type {words} in these tests"
        here = ["--workers", "1"] if words[1] in ("match", "tournament", "report") else []  # the result is the same
        answer = self._cli([*words[1:], *here], width=WIDTH)
        return answer.code, answer.out, answer.error

    def _enter(self, block: Block) -> None:
        self.did += 1
        test = doctest.DocTestParser().get_doctest(block.text, self._names, "page", "page", block.line)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        failed, _ = runner.run(test, out=said.append, clear_globs=False)
        self._names = test.globs
        assert not failed, "".join(said)


def _run_python(words: list[str]) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, *words[1:]], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def _show_file(words: list[str]) -> tuple[int, str, str]:
    return 0, Path(words[1]).read_text(encoding="utf-8"), ""


def _show_head(words: list[str]) -> tuple[int, str, str]:
    count, path = int(words[1].lstrip("-")), Path(words[2])
    return 0, "\n".join(path.read_text(encoding="utf-8").splitlines()[:count]) + "\n", ""


OTHER: dict[str, Callable[[list[str]], tuple[int, str, str]]] = {
    "python": _run_python,
    "cat": _show_file,
    "head": _show_head,
}
