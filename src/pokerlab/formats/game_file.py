"""The game file that a solution belongs to: saved by path and checksum, and located again from any folder.

A game description is looked for at its original path, beside the solution, and under its own name relative to the
working folder. A Python file is run only from its original path and if unchanged: a solution may come from anyone, and
must not choose what code is run.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from os.path import realpath
from pathlib import Path
from typing import Any

from pokerlab import registry, specs
from pokerlab.errors import BadFile, BadSetting
from pokerlab.reading import read_bytes, text_of


@dataclass(frozen=True)
class GameFile:
    """The path and checksum of a game file when the game was solved."""

    path: str  # absolute
    checksum: str

    def current_name(self, name: str, *, beside: Path) -> str:
        """The game's name with the file's current path; a file with the same contents is preferred."""
        named = path_in(name)
        if _is_own(name):
            return _at(name, Path(self.path)) if ".py" in specs.read(name)[0] else name
        paths = [Path(self.path), beside / Path(self.path).name, *([named] if named else [])]
        existing = [path for path in paths if path.is_file()]
        same = [path for path in existing if checksum_of(path) == self.checksum]
        chosen = next(iter(same or existing), None)
        if chosen is None or (named and named.is_file() and named.samefile(chosen)):
            return name
        return _at(name, chosen.resolve())

    def check(self, name: str) -> None:
        """Raise BadFile if the file in the name is missing or has changed."""
        path = path_in(name)
        moved = path is not None and _is_own(name) and Path(realpath(path)) != Path(self.path)
        if path is None or not path.is_file() or moved:
            where = "" if _is_own(name) else ", or beside the solution"
            raise BadFile(f"the game file {self.path} is gone: put it back{where}")
        if checksum_of(path) != self.checksum:
            raise BadFile(f"the game file has changed: {path} is not what it was when it was solved; solve it again")


def game_file(name: str) -> GameFile | None:
    """The file of the game with this name; None for games that do not come from a file."""
    path = path_in(name)
    return GameFile(str(path.resolve()), checksum_of(path)) if path is not None and path.is_file() else None


def path_in(name: str) -> Path | None:
    """The path in the name of a game that was read from a file or is defined in a Python file.

    >>> str(path_in("file(path='kuhn.efg')")), path_in("kuhn")
    ('kuhn.efg', None)
    >>> str(path_in("./mygame.py:Dice(sides=3)"))
    'mygame.py'
    """
    try:
        kind, given = specs.read(name)
    except BadSetting:
        return None
    path = given.get("path")
    return Path(path) if kind == "file" and isinstance(path, str) else registry.own_file(kind)


def file_of(words: Any, saved: Path | str) -> GameFile | None:
    """The file named in the manifest of a saved file; None if it names none."""
    if words is None:
        return None
    try:
        return GameFile(**{name: text_of(word) for name, word in words.items()})
    except (AttributeError, TypeError, ValueError) as problem:
        raise BadFile(f"{saved} is damaged: its manifest does not say where its game file was") from problem


def check_saved(name: str, file: GameFile | None) -> None:
    """Raise BadFile if the game name in a saved file would run code that was not run when the file was made."""
    if file is not None:
        file.check(name)
    elif _is_own(name):
        raise BadFile(f"the game {name[:60]!r} is user code, saved without its checksum")
    elif not registry.is_known("games", specs.split(name)[0].partition(":")[0]):
        raise BadFile(
            f"the game {name[:60]!r} was given as a Python object, which no file can hold: solve it from its own "
            "file, as in ./mygame.py or ./mygame.py:Class, to open the saved solution"
        )


def _is_own(name: str) -> bool:
    try:
        return registry.is_own(specs.read(name)[0])
    except BadSetting:
        return False


def _at(name: str, path: Path) -> str:
    """The name of a game with its path replaced."""
    kind, given = specs.read(name)
    if kind == "file":
        return specs.spec_text(kind, given | {"path": str(path)})
    _, colon, wanted = kind.rpartition(".py")[2].partition(":")
    return specs.spec_text(f"{path}{colon}{wanted}", given)


def checksum_of(path: Path) -> str:
    """The checksum of a file's contents."""
    return hashlib.blake2b(read_bytes(path), digest_size=16).hexdigest()
