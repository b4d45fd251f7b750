"""The file of a game that a solution was made of: kept by its path and checksum, and found again from any folder."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from pokerlab import settings
from pokerlab.errors import BadFile, BadSetting
from pokerlab.reading import read_bytes


@dataclass(frozen=True)
class GameFile:
    """Where the file of a game lay when it was solved, and what was in it."""

    path: str  # absolute
    checksum: str

    def found(self, name: str, *, beside: Path) -> str:
        """The game's name with the path under which the file is found now.

        It is looked for where it lay, beside the solution and under its own name from here; a file with the same
        contents is preferred.
        """
        named = path_in(name)
        places = [Path(self.path), beside / Path(self.path).name, *([named] if named else [])]
        there = [place for place in places if place.is_file()]
        same = [place for place in there if checksum_of(place) == self.checksum]
        chosen = next(iter(same or there), None)
        if chosen is None or (named and named.is_file() and named.samefile(chosen)):
            return name
        return settings.spec_text("file", {"path": str(chosen.resolve())})

    def check(self, name: str) -> None:
        """BadFile when the file that the name tells is gone or is not what it was."""
        path = path_in(name)
        if path is None or not path.is_file():
            raise BadFile(f"the game file {self.path} is gone: put it back, or beside the solution")
        if checksum_of(path) != self.checksum:
            raise BadFile(f"the game file has changed: {path} is not what it was when it was solved; solve it again")


def game_file(name: str) -> GameFile | None:
    """The file of a game of this name; None for games that do not come from a file."""
    path = path_in(name)
    return GameFile(str(path.resolve()), checksum_of(path)) if path is not None and path.is_file() else None


def path_in(name: str) -> Path | None:
    """The path in the name of a game that was read from a file.

    >>> path_in("file(path='kuhn.efg')"), path_in("kuhn")
    (PosixPath('kuhn.efg'), None)
    """
    try:
        kind, given = settings.read(name)
    except BadSetting:
        return None
    path = given.get("path")
    return Path(path) if kind == "file" and isinstance(path, str) else None


def checksum_of(path: Path) -> str:
    """Of what is in a file."""
    return hashlib.blake2b(read_bytes(path), digest_size=16).hexdigest()
