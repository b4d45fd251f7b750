"""The search: a file is edited, given to the commands that read it, and every answer is a result or a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from crafted.edits import edited
from crafted.runner import Answer, Runner
from crafted.seeds import Format, written


def search(
    formats: Sequence[Format], runner: Runner, source: Path, *, seed: int, cases: int
) -> Iterator[tuple[Answer, bytes]]:
    """What commands say to edited files, with the files: so many cases of each format, drawn from a seed."""
    for form in formats:
        random = Random(f"{seed} {form.name}")
        for _ in range(cases):
            data = edited(random.choice(form.texts), form.edits, random)
            path = written(form, data, runner.folder, source)
            yield runner.run(*filled(random.choice(form.commands), path)), data


def filled(command: Sequence[str], path: Path) -> list[str]:
    """A command with the path where FILE stands, and its output beside that."""
    return [part.replace("FILE", str(path)).replace("OUT", str(path.parent / "out")) for part in command]
