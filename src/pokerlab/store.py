"""Where computed things live, and the one file format of everything a person keeps.

A kept file is a safetensors file: named arrays, and a manifest as JSON in its metadata (kind, version, settings,
checksum of the arrays). It opens by memory map, runs no code, and is refused with a sentence when it is damaged or
of another kind. Every write goes to a temporary file in the same folder and is renamed into place.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab import __version__
from pokerlab.errors import BadFile, BadSetting
from pokerlab.reading import json_value, opened

FORMAT = "pokerlab-1"
MOST_HEADER = 32_000_000  # bytes
MOST_ARRAYS = 10_000
MOST_DIMENSIONS = 8
MOST_LENGTH = 2**48  # of one dimension
_DTYPES = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U64": np.uint64,
    "U32": np.uint32,
    "U16": np.uint16,
    "U8": np.uint8,
    "BOOL": np.bool_,
}


def home() -> Path:
    """The folder of computed tables: $POKERLAB_HOME, or this platform's cache folder."""
    chosen = os.environ.get("POKERLAB_HOME")
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("pokerlab", appauthor=False))


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` to write to; renamed over it when the block ends well, removed when not."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as problem:
        raise BadFile(f"cannot write {path}: {problem.strerror or problem}") from problem
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@dataclass(frozen=True)
class Kept:
    """An opened file: its manifest, and its arrays mapped from disk, read-only."""

    path: Path
    manifest: dict[str, Any]
    arrays: dict[str, np.ndarray]


def save(path: Path | str, arrays: Mapping[str, np.ndarray], *, kind: str, **manifest: Any) -> Path:
    """Write arrays and their manifest to one file, all or nothing."""
    from safetensors.numpy import save_file

    path = Path(path)
    contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    note = {"format": FORMAT, "kind": kind, "version": __version__, **manifest}
    note["checksum"] = _checksum(contiguous, note)
    with replacing(path) as temporary:
        save_file(contiguous, str(temporary), metadata={"pokerlab": json.dumps(note)})
    return path


def load(path: Path | str, *, kind: str | None = None, check: bool = True) -> Kept:
    """Open a kept file. BadFile says what is wrong with a missing, damaged or foreign one.

    `check=False` skips the checksum, which reads the whole file: for tables this program wrote itself.
    """
    path = Path(path)
    header, start = _header(path)
    manifest = _manifest(path, header)
    if kind is not None and manifest.get("kind") != kind:
        raise BadFile(f"{path} is a {str(manifest.get('kind'))[:40]} file, and a {kind} file is needed here")
    arrays = _mapped(path, header, start)
    if check and _checksum(arrays, manifest) != manifest.get("checksum"):
        raise BadFile(f"{path} is damaged: its checksum does not match its contents")
    return Kept(path, manifest, arrays)


def manifest_of(path: Path | str) -> dict[str, Any]:
    """Only the manifest of a kept file."""
    path = Path(path)
    return _manifest(path, _header(path)[0])


def _header(path: Path) -> tuple[dict[str, Any], int]:
    """The header of a file as its safetensors format has it, and where the arrays begin."""
    with opened(path) as file:
        opening = file.read(8)
        length = struct.unpack("<Q", opening)[0] if len(opening) == 8 else MOST_HEADER + 1
        text = file.read(length) if length <= MOST_HEADER else b""
    if len(text) != length:
        raise BadFile(f"{path} is not a pokerlab file, or it is cut short")
    try:
        header = json_value(text)
    except BadSetting as problem:
        raise BadFile(f"{path} is not a pokerlab file: its header cannot be read") from problem
    if not isinstance(header, dict) or len(header) > MOST_ARRAYS:
        raise BadFile(f"{path} is not a pokerlab file: its header is no list of at most {MOST_ARRAYS:,} arrays")
    return header, 8 + length


def _manifest(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    try:
        text = header["__metadata__"]["pokerlab"]
        manifest = json_value(text)
    except (KeyError, TypeError) as problem:
        raise BadFile(f"{path} was not written by pokerlab: it has no manifest") from problem
    except BadSetting as problem:
        raise BadFile(f"{path} is damaged: its manifest cannot be read: {problem}") from problem
    if not isinstance(manifest, dict):
        raise BadFile(f"{path} is damaged: its manifest is no table of words and values")
    if manifest.get("format") != FORMAT:
        told = str(manifest.get("format"))[:40]
        raise BadFile(f"{path} has another format ({told}) than this version reads ({FORMAT})")
    return manifest


class _Extent(NamedTuple):
    """Where an array lies in a file."""

    begin: int
    end: int
    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


def _extent(name: str, entry: Any) -> _Extent:
    """The place of an array by its entry in the header; ValueError and its like where that contradicts itself."""
    dtype = np.dtype(_DTYPES[entry["dtype"]])
    shape, (begin, end) = tuple(entry["shape"]), entry["data_offsets"]
    if len(shape) > MOST_DIMENSIONS or not all(type(number) is int for number in (*shape, begin, end)):
        raise ValueError
    if not all(0 <= length <= MOST_LENGTH for length in shape):
        raise ValueError
    if begin < 0 or end - begin != math.prod(shape) * dtype.itemsize:
        raise ValueError
    return _Extent(begin, end, name, dtype, shape)


def _mapped(path: Path, header: dict[str, Any], start: int) -> dict[str, np.ndarray]:
    """The arrays of a file; they lie side by side and fill it, so that none is larger than what was stored."""
    places = []
    for name, entry in header.items():
        if name != "__metadata__":
            try:
                places.append(_extent(name, entry))
            except (KeyError, TypeError, ValueError) as problem:
                raise BadFile(f"{path} is damaged: the array {name[:40]!r} does not fit in it") from problem
    size = path.stat().st_size - start
    ends = [0]
    for place in sorted(places):
        if place.begin != ends[-1] or place.end > size:
            raise BadFile(f"{path} is damaged: the array {place.name[:40]!r} does not fit in it")
        ends.append(place.end)
    if ends[-1] != size:
        raise BadFile(f"{path} is damaged: {size - ends[-1]:,} bytes of it belong to no array")
    whole = np.asarray(np.memmap(path, np.uint8, mode="r"))
    return {
        place.name: whole[start + place.begin : start + place.end].view(place.dtype).reshape(place.shape)
        for place in places
    }


def _checksum(arrays: Mapping[str, np.ndarray], manifest: Mapping[str, Any]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    stated = {key: value for key, value in manifest.items() if key != "checksum"}
    digest.update(json.dumps(json.loads(json.dumps(stated)), sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
        if array.size:
            digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()


def computed(
    name: str, make: Callable[[], Mapping[str, np.ndarray]], *, kind: str, edition: int = 1, **manifest: Any
) -> Kept:
    """A table from the store, made and saved on first use; `edition` changes when its meaning does."""
    path = home() / f"{name}-{edition}.safetensors"
    if path.exists():
        try:
            return load(path, kind=kind, check=False)
        except BadFile:
            path.unlink()
    save(path, make(), kind=kind, **manifest)
    return load(path, kind=kind, check=False)
