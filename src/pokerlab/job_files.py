"""A user's files that work needs on another machine: found in the work, sent with it, and opened there by their names.

Work names files in its texts ("strategy:my.solution", "./mybot.py(nerve=0.8)") and uses definitions of modules that are
not installed. `find` collects both, with the files that a saved solution names in its manifest; `install`, on the other
machine, writes them to the cache folder and lets `own_code.path_of` and `reading.opened` find them under their names.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np

from pokerlab import own_code, places
from pokerlab.errors import BadFile
from pokerlab.store import home, is_saved, manifest_of
from pokerlab.writing import replacing

_NAMED_IN_FILES = ("buckets", "game_file")  # entries of a manifest that name another file


@dataclass(frozen=True)
class UserCode:
    """The source of every module of the user that is loaded."""

    sources: tuple[tuple[str, str, bytes], ...] = ()  # of files run as modules: module, path, source
    modules: Mapping[str, bytes] = field(default_factory=dict)  # by path below a folder of sys.path

    @staticmethod
    def loaded() -> UserCode:
        """That of this process."""
        return UserCode(own_code.sources_of_files(), own_code.sources_of_modules())


@dataclass(frozen=True, eq=False)
class JobFiles:
    """Files that travel with work."""

    names: Mapping[str, str] = field(default_factory=dict)  # as the work writes it: "folder/name" of the copy
    contents: Mapping[str, np.ndarray] = field(default_factory=dict)  # by "folder/name", as bytes
    code: UserCode = field(default_factory=UserCode)

    @property
    def digest(self) -> str:
        """A fingerprint of everything."""
        texts = (sorted(self.names.items()), self.code.sources, sorted(self.code.modules.items()))
        digest = hashlib.blake2b(repr(texts).encode(), digest_size=16)
        for name in sorted(self.contents):
            digest.update(name.encode())  # which has a fingerprint of its contents
        return digest.hexdigest()


def find(texts: Iterable[str], code: UserCode) -> JobFiles:
    """The files that these texts name, and the user's code."""
    names: dict[str, str] = {}
    contents: dict[str, np.ndarray] = {}
    for word in sorted({word for text in texts for word in own_code.words_of(text)}):
        if path := _file_named(word):
            folder = _fingerprint(path, _changes(path))
            for file, name in _with_companions(path):
                contents[f"{folder}/{name}"] = _bytes_of(file, _changes(file))
            names |= dict.fromkeys((word, str(Path(word)), str(path)), f"{folder}/{path.name}")
    return JobFiles(names, contents, code)


def _file_named(word: str) -> Path | None:
    """The file of the user that a word names, if there is one."""
    if not word or ("." not in word and "/" not in word and "\\" not in word) or "\0" in word:
        return None
    path = Path(os.path.abspath(own_code.path_of(word)))
    try:
        return path if path.is_file() and not path.is_relative_to(own_code.PACKAGE) else None
    except OSError:
        return None


def _with_companions(path: Path) -> Iterator[tuple[Path, str]]:
    """A file with the files that its manifest names, each with the name of its copy; copies are beside each other."""
    yield path, path.name
    if path.suffix == ".py" or not is_saved(path):
        return
    manifest = manifest_of(path)
    for entry in _NAMED_IN_FILES:
        named = manifest.get(entry)
        text = named.get("path") if isinstance(named, dict) else named
        if not isinstance(text, str) or not text:
            continue
        other = next((place for place in (Path(text), path.parent / Path(text).name) if place.is_file()), None)
        if other is not None:
            yield other, other.name


def _changes(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=64)
def _bytes_of(path: Path, changes: tuple[int, int]) -> np.ndarray:
    return np.fromfile(path, np.uint8)


@lru_cache(maxsize=64)
def _fingerprint(path: Path, changes: tuple[int, int]) -> str:
    """A fingerprint of a file and of the files that its manifest names."""
    digest = hashlib.blake2b(digest_size=16)
    for file, name in _with_companions(path):
        digest.update(name.encode())
        digest.update(_bytes_of(file, _changes(file)).data)
    return digest.hexdigest()


# ---- on the other machine --------------------------------------------------------------------------------------------


def install(files: JobFiles) -> None:
    """Make files available in this process under the names that the caller has for them."""
    root = _root()
    for name, contents in files.contents.items():
        target = root / name
        if not target.is_file() or target.stat().st_size != contents.size:
            with replacing(target) as temporary:
                temporary.write_bytes(contents.data)
    if files.code.modules:
        folder = root / hashlib.blake2b(repr(sorted(files.code.modules.items())).encode(), digest_size=16).hexdigest()
        for name, source in files.code.modules.items():
            if not (folder / name).is_file():
                with replacing(folder / name) as temporary:
                    temporary.write_bytes(source)
        own_code.import_from(folder)
    places.arrived({name: str(root / copy) for name, copy in files.names.items()})
    for module, path, source in files.code.sources:
        own_code.run_source(module, path, source)


@lru_cache(maxsize=1)
def _root() -> Path:
    """Where files of jobs are written: the cache folder, or a temporary one if that cannot be written."""
    folder = home() / "files"
    with suppress(BadFile, OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="pokerlab-"))
