"""Edits of files: of bytes, of words, and of the structure of kept files, with values that programs stumble over."""

from __future__ import annotations

import contextlib
import copy
import json
import re
import struct
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from pokerlab import store

NUMBERS = [
    *(
        "-1",
        "0",
        "1",
        "3",
        "0.5",
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "-inf",
        "1e-320",
        "1e308",
        "1e15",
        "20000",
        "100000",
    ),
    *("2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "9" * 40, "9" * 4300, "9" * 5000),
    *("0x" + "f" * 5000, "1/0", "1/3", "1e3", "1_0", "٣", "٣٣", "+5", "-0.0", "007", "1e", ".", "-"),
]
WORDS = [
    *("", "XX", "[/bold]", "[bold", "\\", '"', "'", "{", "}", "[", "]", "(", ")", "=", ":", "|", "/", "#", "true"),
    *(
        "x" * 300,
        "x" * 100_000,
        "\x00",
        "\x1b[31m",
        "\u202e",
        "💥",
        "..",
        "../../../etc/passwd",
        "/dev/zero",
        "*",
        "None",
    ),
    *("kuhn(players=10)", "holdem-nolimit", "goofspiel(cards=12)", "file(path='/dev/zero')", "matrix(payoffs=[[1]])"),
    *(
        "liars-dice(dice=50)",
        "[" * 3000,
        "(" * 3000,
        "a." * 3000,
        "random",
        "AA",
        "AsAh",
        "allin",
        "f" * 5000,
        "cr99999999",
    ),
]
_DEEP = "@deep@"
VALUES: list[Any] = [
    *(None, True, False, "", -1, 0, 1, 3, 0.5, 1e308, 1e-320, float("nan"), float("inf"), -float("inf")),
    *(
        2**31 - 1,
        2**31,
        2**32,
        2**53,
        2**63 - 1,
        2**63,
        10**39,
        10**400,
        [],
        {},
        [[]],
        [None],
        {"a": 1},
        [1, 2],
        [[1, 2, 3, 4]],
    ),
    *("x" * 300, "x" * 100_000, "[/bold]", "\x00", "\ud800", "\x1b[31m", "nan", "5", "Ks7h2d", "random", "int16"),
    *("kuhn", "leduc", "kuhn(players=10)", "holdem-nolimit", "goofspiel(cards=12)", "pcfr+", "lp", "external", _DEEP),
    *(
        "file(path='/dev/zero')",
        "matrix(payoffs=[[1, -1], [-1, 1]])",
        "liars-dice(dice=50)",
        [1] * 70,
        [0.0] * 5,
        1e999,
    ),
]
SHAPES = [[2**32, 2**32], [1] * 70, [-1], [0, 2**62], [2**63], [], [1.5], None, "1", [True], [None], [2**70], [3], [0]]


# ---- of bytes ------------------------------------------------------------------------------------------------------


def flip(data: bytes, random: Random) -> bytes:
    """Some bytes are others."""
    edited = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        if edited:
            edited[random.randrange(len(edited))] = random.randrange(256)
    return bytes(edited)


def cut(data: bytes, random: Random) -> bytes:
    """The file ends early, or a part is missing."""
    start = random.randrange(len(data) + 1)
    end = random.choice((len(data), random.randrange(start, len(data) + 1)))
    return data[:start] + data[end:]


def splice(data: bytes, random: Random) -> bytes:
    """A part of the file stands somewhere else too, perhaps many times."""
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.choice((1, 4, 30, 500))]
    place = random.randrange(len(data) + 1)
    return data[:place] + piece * random.choice((1, 1, 2, 50)) + data[place:]


# ---- of words ------------------------------------------------------------------------------------------------------


def number(data: bytes, random: Random) -> bytes:
    """A number is another."""
    return _replaced(data, r"-?\d+(?:\.\d+)?", random.choice(NUMBERS), random)


def word(data: bytes, random: Random) -> bytes:
    """A word is another."""
    return _replaced(data, r"[^\s=,:|]+", random.choice((*NUMBERS, *WORDS)), random)


def quoted(data: bytes, random: Random) -> bytes:
    """What stands in quotation marks is something else, or what does not stands in them."""
    return _replaced(data, r'"[^"\n]*"', random.choice((f'"{random.choice(WORDS)}"', random.choice(NUMBERS))), random)


def after_sign(data: bytes, random: Random) -> bytes:
    """The whole value of a setting is another: numbers, lists of numbers, texts, deep arrays."""
    chosen = random.choice(NUMBERS)
    values = [chosen, f"[{chosen}]", f"[{chosen}, {chosen}]", f'"{chosen}"', "[]", "{}", "true", "[" * 400 + "]" * 400]
    values += [f'"{random.choice(WORDS)}"', "{ flop = 1 }", "[[1]]", "1979-05-27", "12:30:00"]
    return _replaced(data, r"(?<== )[^\n]+", random.choice(values), random)


def line(data: bytes, random: Random) -> bytes:
    """Lines are doubled, dropped, exchanged or many."""
    lines = data.split(b"\n")
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.choice(("double", "drop", "exchange", "many"))
    if kind == "double":
        lines.insert(one, lines[other])
    elif kind == "drop":
        del lines[one]
    elif kind == "exchange":
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines[one:one] = [lines[other]] * 2000
    return b"\n".join(lines)


def _replaced(data: bytes, pattern: str, new: str, random: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    found = list(re.finditer(pattern, text))
    if not found:
        return data
    chosen = random.choice(found)
    return (text[: chosen.start()] + new + text[chosen.end() :]).encode("utf-8", "replace")


# ---- of kept files -------------------------------------------------------------------------------------------------


def take_apart(data: bytes) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    """The header without the manifest, the manifest, and the bytes of the arrays."""
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    manifest = json.loads(header.pop("__metadata__")["pokerlab"])
    return header, manifest, data[8 + length :]


def put_together(header: dict[str, Any], manifest: Any, body: bytes, *, text: str | None = None) -> bytes:
    """A kept file of these parts, its checksum true wherever there can be one."""
    if isinstance(manifest, dict):
        with contextlib.suppress(Exception):
            manifest = manifest | {"checksum": store._checksum(_arrays(header, body), manifest)}
    inside = json.dumps(manifest) if text is None else text
    inside = inside.replace(f'"{_DEEP}"', "[" * 5000 + "]" * 5000)
    whole = json.dumps({"__metadata__": {"pokerlab": inside}} | header).encode()
    return struct.pack("<Q", len(whole)) + whole + body


def _arrays(header: dict[str, Any], body: bytes) -> dict[str, np.ndarray]:
    found = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        found[name] = np.frombuffer(body[begin:end], store._DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return found


def manifest_value(data: bytes, random: Random) -> bytes:
    """A value somewhere in the manifest is another, or is gone."""
    header, manifest, body = take_apart(data)
    place: Any = manifest
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            break
        key = random.choice(keys)
        below = place[key]
        if isinstance(below, (dict, list)) and below and random.random() < 0.7:
            place = below
            continue
        if random.random() < 0.15:
            del place[key]
        else:
            place[key] = copy.deepcopy(random.choice(VALUES))
        break
    return put_together(header, manifest, body)


def whole_manifest(data: bytes, random: Random) -> bytes:
    """The manifest is something else altogether."""
    header, _, body = take_apart(data)
    texts = [
        "null",
        "[]",
        "1",
        '"x"',
        "{}",
        "",
        "[" * 100_000,
        '{"format": "pokerlab-1"}',
        '{"a":' * 5000 + "1" + "}" * 5000,
    ]
    return put_together(header, None, body, text=random.choice(texts))


def array_header(data: bytes, random: Random) -> bytes:
    """The shape, kind or place of an array is another; arrays are missing, renamed or very many."""
    header, manifest, body = take_apart(data)
    name = random.choice(list(header))
    kind = random.choice(("shape", "dtype", "offsets", "drop", "many", "entry", "rename"))
    if kind == "shape":
        header[name]["shape"] = random.choice(SHAPES)
    elif kind == "dtype":
        header[name]["dtype"] = random.choice([*store._DTYPES, "X", None, [], 5])
    elif kind == "offsets":
        header[name]["data_offsets"] = random.choice(
            [[0, 0], [5, 1], [-8, 0], [0, 2**62], [0], None, [0.5, 1], ["0", "1"]]
        )
    elif kind == "drop":
        del header[name]
    elif kind == "many":
        header |= {f"a{i}": header[name] for i in range(60_000)}
    elif kind == "rename":
        header[random.choice(WORDS)] = header.pop(name)
    else:
        header[name] = random.choice(VALUES[:-10])
    return put_together(header, manifest, body)


def array_value(data: bytes, random: Random) -> bytes:
    """Numbers in an array are others: none, endless, negative, large."""
    header, manifest, body = take_apart(data)
    filled = [name for name, entry in header.items() if entry["data_offsets"][1] > entry["data_offsets"][0]]
    entry = header[random.choice(filled)]
    begin, end = entry["data_offsets"]
    array = np.frombuffer(body[begin:end], store._DTYPES[entry["dtype"]]).copy()
    value = random.choice([float("nan"), float("inf"), -1, 0, 1e30, 2**31 - 1, -(2**31), 127, 1])
    where = slice(None) if random.random() < 0.2 else random.randrange(len(array))
    with np.errstate(all="ignore"):
        array[where] = np.array(value).astype(array.dtype)
    return put_together(header, manifest, body[:begin] + array.tobytes() + body[end:])


def resized_array(data: bytes, random: Random) -> bytes:
    """An array is longer or shorter, and the file says so truly."""
    header, manifest, body = take_apart(data)
    arrays = {name: array.reshape(-1) for name, array in _arrays(header, body).items()}
    name = random.choice(list(arrays))
    arrays[name] = np.resize(arrays[name], random.choice([0, 1, 2, len(arrays[name]) + 1, 1000]))
    return _joined(arrays, manifest)


def _joined(arrays: dict[str, np.ndarray], manifest: dict[str, Any]) -> bytes:
    names = {dtype: word for word, dtype in ((key, np.dtype(value)) for key, value in store._DTYPES.items())}
    header, body = {}, b""
    for name, array in arrays.items():
        content = array.tobytes()
        header[name] = {
            "dtype": names[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(content)],
        }
        body += content
    return put_together(header, manifest, body)


Edit = Callable[[bytes, Random], bytes]
BYTES: tuple[Edit, ...] = (flip, cut, splice)
TEXT: tuple[Edit, ...] = (number, number, word, word, quoted, after_sign, after_sign, line, flip, cut, splice)
SHORT: tuple[Edit, ...] = (number, word, flip, cut)  # of files that are work by the line
KEPT: tuple[Edit, ...] = (
    *(manifest_value,) * 6,
    *(whole_manifest, array_header, array_header, array_value, array_value, array_value, resized_array, flip, cut),
)


def edited(data: bytes, edits: tuple[Edit, ...], random: Random) -> bytes:
    """The file after one or a few edits."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        with contextlib.suppress(
            ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError, struct.error
        ):
            data = random.choice(edits)(data, random)
    return data
