"""Where computed tables are stored, and the one file format of everything a user saves.

A saved file is a safetensors file: named arrays, and a manifest as JSON in its metadata (kind, version, settings,
checksum of the arrays). It is memory-mapped (on Windows it is read), runs no code, and is rejected with a clear message
if it is damaged or of another kind. Tables that are computed once are stored in the folder `home()`; they are checked
when opened, recomputed if damaged, and held only in memory if the folder cannot be written.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import struct
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import numpy as np

from pokerlab.errors import BadFile, BadSetting, Notice, shortened
from pokerlab.places import here
from pokerlab.reading import json_value, opened, read_bytes
from pokerlab.version import __version__
from pokerlab.writing import reason, replacing, sweep

FORMAT = "pokerlab-1"
MOST_HEADER = 32_000_000  # bytes
MOST_ARRAYS = 10_000
MOST_STORED = 1_000_000_000  # bytes of contents in a Store
MOST_DIMENSIONS = 8
MOST_LENGTH = 2**48  # of one dimension
_DTYPES = {"BOOL": np.dtype(bool)} | {
    f"{kind[0].upper()}{bits}": np.dtype(f"{kind}{bits}")
    for kind, sizes in {"float": (16, 32, 64), "int": (8, 16, 32, 64), "uint": (8, 16, 32, 64)}.items()
    for bits in sizes
}
_DTYPE_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
NOWHERE = Path(__file__) / "pokerlab"  # a folder that cannot be written on any system
MAPS_FILES = sys.platform != "win32"  # whether a mapped file can be replaced, as a resumed run does with its own


def home() -> Path:
    """The folder of computed tables: $POKERLAB_HOME, or this platform's cache folder; NOWHERE without either."""
    return _folder("POKERLAB_HOME", "user_cache_dir")


def data_home() -> Path:
    """The folder of what cannot be computed again: $POKERLAB_DATA, or this platform's data folder; else NOWHERE."""
    return _folder("POKERLAB_DATA", "user_data_dir")


def _folder(variable: str, kind: str) -> Path:
    chosen = os.environ.get(variable)
    if not chosen:
        import platformdirs

        try:
            chosen = str(getattr(platformdirs, kind)("pokerlab", appauthor=False))
        except RuntimeError:  # a user without a home folder
            return NOWHERE
    folder = os.path.expanduser(chosen)
    return NOWHERE if folder.startswith("~") else Path(folder)


@dataclass(frozen=True)
class StoredFile:
    """An opened file: its manifest, and its arrays, read-only."""

    path: Path
    manifest: dict[str, Any]
    arrays: dict[str, np.ndarray]


def save(path: Path | str, arrays: Mapping[str, np.ndarray], *, kind: str, **manifest: Any) -> Path:
    """Write arrays and their manifest to one file atomically."""
    path = Path(path)
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    with replacing(path) as temporary, temporary.open("wb") as file:
        _write(file, contiguous, _full_manifest(contiguous, kind=kind, **manifest))
    return path


def _full_manifest(arrays: Mapping[str, np.ndarray], *, kind: str, **settings: Any) -> dict[str, Any]:
    manifest = {"format": FORMAT, "kind": kind, "version": __version__, **settings}
    manifest |= {"quick": _quick(arrays, manifest)}
    return manifest | {"checksum": _checksum(arrays, manifest)}


def _write(file: IO[bytes], arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any]) -> None:
    """Write the safetensors format: header length, header, then the arrays, each aligned for its dtype.

    The library's own writer creates its own temporary file beside the target, which a kill leaves behind.
    """
    header: dict[str, Any] = {"__metadata__": {"pokerlab": json.dumps(manifest)}}
    names = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))
    end = 0
    for name in names:
        array, begin = arrays[name], end
        end += array.nbytes
        header[name] = {"dtype": _DTYPE_NAMES[array.dtype], "shape": array.shape, "data_offsets": (begin, end)}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for name in names:
        if arrays[name].size:
            file.write(arrays[name].reshape(-1).view(np.uint8).data)


def load(path: Path | str, *, kind: str | None = None, quick: bool = False) -> StoredFile:
    """Open a saved file. BadFile says what is wrong with a missing, damaged or foreign one.

    `quick` verifies a checksum that detects accidental damage in a quarter of the time: for tables that this program
    wrote itself.
    """
    path = here(path)
    contents = _contents(path)
    manifest = _manifest(path, contents.metadata)
    if kind is not None and manifest.get("kind") != kind:
        wrong, right = (
            f"{'an' if one[:1] in 'aeiou' else 'a'} {one}" for one in (str(manifest.get("kind"))[:40], kind)
        )
        raise BadFile(f"{path} is {wrong} file, and {right} file is needed here")
    data = np.asarray(np.memmap(path, np.uint8, mode="r")) if MAPS_FILES else _read_only(np.fromfile(path, np.uint8))
    arrays, end = {}, contents.start
    for name, dtype_name, shape in contents.arrays:  # views of the data: the library would copy each array
        dtype = _DTYPES.get(dtype_name)
        if dtype is None or len(shape) > MOST_DIMENSIONS or not all(length <= MOST_LENGTH for length in shape):
            raise BadFile(
                f"{path} is damaged: the array {name[:40]!r} has a type or shape that pokerlab does not write"
            )
        begin, end = end, end + math.prod(shape) * dtype.itemsize
        arrays[name] = data[begin:end].view(dtype).reshape(shape)
    quick = quick and "quick" in manifest  # files of earlier versions have none
    checksum: object = _quick(arrays, manifest) if quick else _checksum(arrays, manifest)
    if checksum != manifest.get("quick" if quick else "checksum"):
        raise BadFile(f"{path} is damaged: its checksum does not match its contents")
    return StoredFile(path, manifest, arrays)


def manifest_of(path: Path | str) -> dict[str, Any]:
    """Read only the manifest of a saved file."""
    path = here(path)
    return _manifest(path, _contents(path).metadata)


def is_saved(path: Path | str) -> bool:
    """Whether a saved file of this name exists, complete or not."""
    with suppress(BadFile):
        return bool(manifest_of(path))
    return False


class _Contents(NamedTuple):
    """The contents of a file's header."""

    metadata: Mapping[str, str]
    arrays: list[tuple[str, str, tuple[int, ...]]]  # name, dtype and shape, in storage order
    start: int  # of the first array


def _contents(path: Path) -> _Contents:
    """Read the header with the safetensors library, which checks that the arrays are contiguous and fill the file."""
    from safetensors import SafetensorError, safe_open

    with opened(path) as file:
        opening = file.read(8)
    start = 8 + int.from_bytes(opening, "little")
    if len(opening) < 8 or start > MOST_HEADER:
        raise BadFile(f"{path} is not a pokerlab file, or it is cut short")
    try:
        with safe_open(path, "np") as header:
            metadata, names = header.metadata() or {}, header.offset_keys()
            slices = [(name, header.get_slice(name)) for name in names[:MOST_ARRAYS]]
            arrays = [(name, piece.get_dtype(), tuple(piece.get_shape())) for name, piece in slices]
    except (SafetensorError, OSError) as problem:
        why = re.sub(r"^Error while deserializing( header)?: ", "", str(problem))
        raise BadFile(f"{path} is damaged, or not a pokerlab file: {shortened(why, 120)}") from problem
    if len(names) > MOST_ARRAYS:
        raise BadFile(f"{path} is not a pokerlab file: it has {len(names):,} arrays, and may have {MOST_ARRAYS:,}")
    return _Contents(metadata, arrays, start)


def _manifest(path: Path, metadata: Mapping[str, str]) -> dict[str, Any]:
    if "pokerlab" not in metadata:
        raise BadFile(f"{path} was not written by pokerlab: it has no manifest")
    try:
        manifest = json_value(metadata["pokerlab"])
    except BadSetting as problem:
        raise BadFile(f"{path} is damaged: its manifest cannot be read: {problem}") from problem
    if not isinstance(manifest, dict):
        raise BadFile(f"{path} is damaged: its manifest is not a table of names and values")
    if manifest.get("format") != FORMAT:
        other = str(manifest.get("format"))[:40]
        raise BadFile(f"{path} has another format ({other}) than this version reads ({FORMAT})")
    return manifest


def _checksum(arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for piece in _pieces(arrays, manifest, without=("checksum",)):
        digest.update(piece)
    return digest.hexdigest()


def _quick(arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any]) -> int:
    total = 0
    for piece in _pieces(arrays, manifest, without=("checksum", "quick")):
        total = zlib.crc32(piece, total)
    return total


def _pieces(
    arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any], *, without: tuple[str, ...]
) -> Iterator[bytes | memoryview]:
    """All contents of a file, in a fixed order."""
    entries = {key: value for key, value in manifest.items() if key not in without}
    yield json.dumps(json.loads(json.dumps(entries)), sort_keys=True).encode()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        yield f"{name}:{array.dtype.str}:{array.shape};".encode()
        if array.size:
            yield array.reshape(-1).view(np.uint8).data


# ---- what workers and their caller share ---------------------------------------------------------------------------


class LineJournal(Protocol):
    """Lines that are appended one by one, each written immediately."""

    name: str  # for messages
    lines: Sequence[bytes]  # complete lines that already existed

    def append(self, line: bytes) -> None:
        """Write a line, which ends with a newline."""

    def close(self) -> None:
        """Finish writing."""


class Store(Protocol):
    """Contents by name, shared by workers and their caller wherever the workers run; see `parallel.Backend.store`."""

    def put(self, name: str, contents: bytes) -> None:
        """Store contents atomically."""

    def get(self, name: str) -> bytes:
        """Return what is stored under a name, including a journal; BadFile if there is nothing."""

    def names(self) -> list[str]:
        """List all names."""

    def remove(self, name: str) -> None:
        """Remove contents, if they exist."""

    def journal(self, name: str) -> LineJournal:
        """A journal to append to, new or continued."""


@dataclass(frozen=True)
class FolderStore(Store):
    """A folder, with a file for each name; it is created when something is stored."""

    folder: Path

    def put(self, name: str, contents: bytes) -> None:
        with replacing(self.folder / name) as temporary:
            temporary.write_bytes(contents)

    def get(self, name: str) -> bytes:
        return read_bytes(self.folder / name, most=MOST_STORED)

    def names(self) -> list[str]:
        try:
            return sorted(path.name for path in self.folder.iterdir() if not path.name.startswith("."))
        except OSError:
            return []

    def remove(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)

    def journal(self, name: str) -> LineJournal:
        return _JournalFile(self.folder / name)


class _JournalFile(LineJournal):
    """A journal as a file. Each line is written to the system immediately, so a kill loses no line."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
            whole = whole_lines(read_bytes(path, most=MOST_STORED))
            os.ftruncate(self._file, len(whole))
            os.lseek(self._file, len(whole), os.SEEK_SET)
        except OSError as problem:
            raise BadFile(f"cannot write {path}: {reason(problem)}") from problem
        self.lines: Sequence[bytes] = whole.splitlines(keepends=True)

    def append(self, line: bytes) -> None:
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as problem:
            raise BadFile(f"cannot write {self.name}: {reason(problem)}; the lines before are stored") from problem

    def close(self) -> None:
        os.close(self._file)


def whole_lines(text: bytes) -> bytes:
    """Drop the last line of a journal if it is incomplete."""
    return text[: text.rfind(b"\n") + 1]


# ---- what can be recomputed ----------------------------------------------------------------------------------------

# Tables checked or computed by this process: each is checked once, and one that cannot be saved is computed once.
_tables: dict[Path, tuple[object, StoredFile]] = {}


def computed(
    name: str,
    make: Callable[[], Mapping[str, np.ndarray]],
    *,
    kind: str,
    edition: int = 1,
    notice: str = "",
    **manifest: Any,
) -> StoredFile:
    """A table from the store, computed and saved on first use; `edition` changes when its meaning does.

    A damaged table is recomputed, and one that cannot be saved stays in memory; a Notice reports either. `notice` is
    given before a slow computation.
    """
    path = _table_path(name, edition)
    identity = _identity(path)
    if path in _tables and _tables[path][0] == identity:
        return _tables[path][1]
    stored = None
    if identity:
        try:
            stored = load(path, kind=kind, quick=True)
        except BadFile as problem:
            notify(f"a saved table is computed again: {problem}")
    if stored is None:
        if notice:
            warnings.warn(notice, Notice, stacklevel=2)
        arrays = {key: _read_only(array) for key, array in make().items()}
        keep(path, arrays, kind=kind, **manifest)
        sweep(path.parent)
        stored, identity = StoredFile(path, _full_manifest(arrays, kind=kind, **manifest), arrays), _identity(path)
    _tables[path] = (identity, stored)
    return stored


def has(name: str, *, edition: int = 1) -> bool:
    """Whether a table is already computed: in the store, or in the memory of this process."""
    path = _table_path(name, edition)
    return path in _tables or _identity(path) is not None


def keep(path: Path, arrays: Mapping[str, np.ndarray], *, kind: str, **manifest: Any) -> None:
    """Save what can be recomputed; if it cannot be saved, give a Notice and continue."""
    try:
        save(path, arrays, kind=kind, **manifest)
    except BadFile as problem:
        warn_not_saved(problem)


def warn_not_saved(problem: BadFile) -> None:
    """Give a Notice that the folder of computed tables cannot be written, and why."""
    cause = problem.__cause__
    why = f"{home()} cannot be written ({reason(cause) if isinstance(cause, OSError) else problem})"
    if home() == NOWHERE:
        why = "there is no home folder"
    notify(f"computed tables and compiled kernels are not saved: {why}; set POKERLAB_HOME to a writable folder")


@cache
def notify(sentence: str) -> None:
    """Give a Notice, each one once per process."""
    warnings.warn(sentence, Notice, stacklevel=2)


def _table_path(name: str, edition: int) -> Path:
    return home() / f"{name}-{edition}.safetensors"


def _identity(path: Path) -> object:
    """An identity that changes when a file is replaced; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view
