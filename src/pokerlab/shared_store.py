"""The Store of a shared place: objects of a URL, with journals that many machines can write."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pokerlab import places
from pokerlab.reading import read_bytes
from pokerlab.store import MOST_STORED, FolderStore, LineJournal, Store, whole_lines
from pokerlab.writing import replacing

FLUSH_SECONDS = 2.0  # between the objects of a journal


def shared_store(place: str, name: str) -> Store:
    """The store of this name in a shared place: a folder, or a URL."""
    return UrlStore(f"{places.url_of(place)}/{name}") if places.is_url(place) else FolderStore(Path(place) / name)


@dataclass(frozen=True)
class UrlStore(Store):
    """Objects under a URL. Objects cannot be appended to, so a journal is a series of them."""

    url: str

    def put(self, name: str, contents: bytes) -> None:
        with replacing(f"{self.url}/{name}") as temporary:
            temporary.write_bytes(contents)

    def get(self, name: str) -> bytes:
        parts = self._parts(name)
        if not parts:
            return read_bytes(f"{self.url}/{name}", most=MOST_STORED)
        return b"".join(read_bytes(f"{self.url}/{name}/{part}", most=MOST_STORED) for part in parts)

    def names(self) -> list[str]:
        return self._below("")

    def remove(self, name: str) -> None:
        system, path = places.opened_url(f"{self.url}/{name}")
        if system.exists(path):
            system.rm(path, recursive=True)

    def journal(self, name: str) -> LineJournal:
        return _ObjectJournal(self, name)

    def _parts(self, name: str) -> list[str]:
        """The objects of a journal."""
        return [part for part in self._below(name) if part.isdecimal()]

    def _below(self, name: str) -> list[str]:
        system, path = places.opened_url(f"{self.url}/{name}" if name else self.url)
        try:
            return sorted(str(one).rstrip("/").rsplit("/", 1)[-1] for one in system.ls(path, detail=False))
        except (FileNotFoundError, NotADirectoryError):
            return []


class _ObjectJournal(LineJournal):
    """A journal as objects of complete lines. A kill loses the lines of the last seconds."""

    def __init__(self, store: UrlStore, name: str) -> None:
        self.name = f"{store.url}/{name}"
        parts = store._parts(name)
        whole = whole_lines(store.get(name)) if parts else b""
        self.lines: Sequence[bytes] = whole.splitlines(keepends=True)
        self._next = int(parts[-1]) + 1 if parts else 0
        self._waiting: list[bytes] = []
        self._flushed = time.monotonic()

    def append(self, line: bytes) -> None:
        self._waiting.append(line)
        if time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            with replacing(f"{self.name}/{self._next:08}") as temporary:
                temporary.write_bytes(b"".join(self._waiting))
            self._next, self._waiting = self._next + 1, []
        self._flushed = time.monotonic()

    def close(self) -> None:
        self._flush()
