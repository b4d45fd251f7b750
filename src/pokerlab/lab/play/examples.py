"""The example files: spots, games and agents to start from, written to the user's folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pokerlab
from pokerlab.errors import BadFile
from pokerlab.writing import replacing

WRITTEN, THERE, CHANGED = "written", "there already", "changed since, not overwritten"
_MARKS = "#\"' "  # characters around an example's summary line


@dataclass(frozen=True)
class Example:
    """One example, and whether it was written."""

    path: Path
    summary: str  # its first line
    state: str  # WRITTEN, THERE or CHANGED

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {"path": str(self.path), "summary": self.summary, "state": self.state}


def examples_folder() -> Path:
    """The folder of the examples: in the installed package, or at the root of its source."""
    package = Path(pokerlab.__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if folder.is_dir():
            return folder
    raise BadFile("the examples are missing: this installation of pokerlab is incomplete")


def write_examples(folder: Path) -> tuple[Example, ...]:
    """Write every example into a folder; files that the user has changed stay unchanged."""
    source = examples_folder()
    files = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    hidden = (".", "_")
    return tuple(
        _write(source / path, folder / path)
        for path in files
        if not any(part.startswith(hidden) for part in path.parts)
    )


def _write(source: Path, target: Path) -> Example:
    contents, state = source.read_bytes(), WRITTEN
    if target.is_file():
        state = THERE if target.read_bytes() == contents else CHANGED
    else:
        with replacing(target) as temporary:
            temporary.write_bytes(contents)
    return Example(target, _summary(contents), state)


def _summary(contents: bytes) -> str:
    """The first line of an example; of a notebook, the first line after the title."""
    text = contents.decode("utf-8")
    if text.startswith("{"):
        lines = "".join(json.loads(text)["cells"][0]["source"]).splitlines()
        text = re.split(r"(?<=\.) ", " ".join(line for line in lines[1:] if line))[0]
    return text.partition("\n")[0].strip(_MARKS + "\r")
