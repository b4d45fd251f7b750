"""Files that once brought a command down, by name; each is refused with a sentence by every command that reads it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from crafted.edits import put_together, take_apart
from crafted.seeds import EFG, GAME_TOML, GAMEDEF, JSON, LOG, NFG, PHH, SPOT, Format

NOT_READ = (
    "checksum",
    "quick",
    "version",
    "zero_sum",
    "game_file",
    "exploitability",
    "exploitability_percent",
    "nash_conv",
    "setup_seconds",
)
BucketingResult = Iterator[tuple[str, str, bytes]]  # the case, the format, the file


def texts() -> BucketingResult:
    """Of formats that are text."""
    many = " ".join(f'"{number}"' for number in range(100_000))
    yield from _spots()
    yield "payoffs of 1e999", "extensive game", EFG.replace("{ 2, -2 }", "{ 1e999, -1e999 }").encode()
    yield "no players", "extensive game", b'EFG 2 R "none" { }\nt "" 1 "" { }\n'
    yield "an infoset of 100,000 actions cut short", "extensive game", _wide(many, ends=5)
    yield "a fraction of decimals", "strategic game", NFG.replace("1/3", "1.5/3").encode()
    yield "payoffs of 1e999", "strategic game", NFG.replace(" 0.5", " 1e999").encode()
    yield "no players", "strategic game", b'NFG 1 R "none" { } { }\n'
    yield "a table of 10^12 payoffs", "strategic game", b'NFG 1 R "" { "a" "b" } { 1000000 1000000 }\n1 2\n'
    yield "payoffs of 1e999", "table of payoffs", b"2,1e999\n3,4\n"
    yield "payoffs of 1e999", "payoffs in JSON", JSON.replace("8.5", "1e999").encode()
    yield "an integer of 4,301 digits", "payoffs in JSON", JSON.replace("8.5", "9" * 4301).encode()
    yield "deep lists", "payoffs in JSON", b"[" * 100_000
    yield (
        "an integer of 4,301 digits",
        "game in TOML",
        GAME_TOML.replace("stacks = 6", "stacks = " + "9" * 4301).encode(),
    )
    yield "deep arrays", "game in TOML", GAME_TOML.replace("antes = 1", "antes = " + "[" * 3000 + "]" * 3000).encode()
    yield "a name of 300,000 parts", "game in TOML", ("a." * 300_000 + "a = 1\n" + GAME_TOML).encode()
    yield "a number in base 16", "game in TOML", GAME_TOML.replace("stacks = 6", "stacks = 0x" + "f" * 5000).encode()
    yield "a stack of 2^31", "game definition", GAMEDEF.replace("limit\n", "nolimit\nstack = 2147483648 1\n").encode()
    yield "variant XX", "PHH", PHH.replace('"NT"', '"XX"').encode()
    yield "an amount of 1e999999999", "PHH", PHH.replace("150.5", "1e999999999").encode()
    yield "a list as the variant", "PHH", PHH.replace('"NT"', "[1]").encode()
    yield "deep arrays", "many PHH", f"[1]\n{PHH}x = {'[' * 3000}".encode()
    yield "values of inf", "log", LOG.replace(":1|-1", ":inf|-inf").encode()
    yield "values of nan", "log", LOG.replace(":1|-1", ":nan|nan").encode()
    yield "a raise of 5,000 digits", "log", LOG.replace(":rc/r", f":r{'9' * 5000}c/r").encode()


def _spots() -> BucketingResult:
    for what, words in {
        "deep arrays": "limit = " + "[" * 3000 + "]" * 3000,
        "deep tables": "limit = " + "{ a = " * 3000 + "1" + " }" * 3000,
        "an integer of 4,300 digits": "rake_cap = " + "9" * 4300,
        "an integer of 4,301 digits": "rake_cap = " + "9" * 4301,
        "a number in base 16": "rake_cap = 0x" + "f" * 5000,
        "chips of 1e-320": "chip = 1e-320",
        "a limit of nan": "limit = nan",
        "a limit of inf": "limit = [1, inf]",
        "a name of 300,000 parts": "a." * 300_000 + "a = 1",
        "a name of quoted parts": "'='." * 200_000 + "a = 1",
    }.items():
        name = words.partition(" ")[0]
        kept = "".join(line + "\n" for line in SPOT.splitlines() if not line.startswith(f"{name} ="))
        yield what, "spot", f"{words}\n{kept}".encode()
    yield "a pot of 1e-320", "spot", SPOT.replace("pot = 100", "pot = 1e-320").encode()
    yield "half a letter", "spot", SPOT.replace('"AA"', '"\\ud800"').encode()
    yield "two megabytes", "spot", SPOT.encode() + b"#" * 2_000_000


def _wide(actions: str, *, ends: int) -> bytes:
    start = f'EFG 2 R "" {{ "one" "two" }}\np "" 1 1 "" {{ {actions} }} 0\n'
    return (start + 't "" 1 "" { 1, -1 }\n' * ends).encode()


def sound() -> BucketingResult:
    """Files that are large or odd and yet fine, or fine until they do not fit: any answer but a crash."""
    ranks = json.dumps([str(rank) for rank in range(20_000)])
    lines = [line for line in GAME_TOML.splitlines() if not line.startswith(("ranks", "suits"))]
    yield "a deck of 20,000 ranks", "game in TOML", f"ranks = {ranks}\n{chr(10).join(lines)}".encode()
    yield "a stack of 2147483647", "game in TOML", GAME_TOML.replace("stacks = 6", "stacks = 2147483647").encode()
    deep = GAMEDEF.replace("limit\n", "nolimit\nstack = 2147483646 2147483647\n").replace("raiseSize = 2 4\n", "")
    yield "a stack of 2147483646", "game definition", deep.encode()
    yield "raises without end", "game definition", GAMEDEF.replace("maxRaises = 1 2\n", "").encode()


def wide() -> BucketingResult:
    """An infoset of very many actions, which is fine and takes seconds to read."""
    many = " ".join(f'"{number}"' for number in range(100_000))
    yield "an infoset of 100,000 actions", "extensive game", _wide(many, ends=100_000)


def kept(form: Format) -> BucketingResult:
    """Of kept files."""
    header, manifest, body = take_apart(form.texts[0])
    for words in (
        "null",
        "[]",
        "1",
        '"words"',
        "[" * 100_000,
        '{"a": ' * 100_000,
        "{}",
        '{"format": [[]]}',
        "9" * 5000,
    ):
        yield f"a manifest {words[:8]}", form.name, put_together(header, None, body, text=words)
    name = next(iter(header))
    for shape in (
        [2**32, 2**32],
        [2**31, 2**31, 4],
        [1] * 70,
        [0, 2**62],
        [-1, -1],
        [2**70],
        [1.5],
        [True],
        "12",
        None,
    ):
        lied = header | {name: header[name] | {"shape": shape}}
        yield f"a shape of {str(shape)[:12]}", form.name, put_together(lied, manifest, body)
        empty = header | {"more": {"dtype": "F64", "shape": shape, "data_offsets": [len(body), len(body)]}}
        yield f"an empty array of shape {str(shape)[:12]}", form.name, put_together(empty, manifest, body)
    many = header | {f"a{i}": header[name] for i in range(60_000)}
    yield "60,000 arrays in one place", form.name, put_together(many, manifest, body)
    tiny = {f"a{i}": {"dtype": "U8", "shape": [0], "data_offsets": [len(body)] * 2} for i in range(60_000)}
    yield "60,000 empty arrays", form.name, put_together(header | tiny, manifest, body)
    for word in manifest:
        if word not in NOT_READ:
            yield f"no word {word}", form.name, put_together(header, manifest | {word: None}, body)


def large_spot(form: Format) -> bytes:
    """A file of two kilobytes whose spot needs more than a hundred gigabytes."""
    _, manifest, _ = take_apart(form.texts[0])
    sizes = "33%,75%,150%,allin"
    seat = {"range": "random", "bet": sizes, "raise": "100%,allin"}
    spot = {"board": "Ks7h2d", "pot": 10, "stack": 95, "out_of_position": seat, "in_position": seat, "raise_cap": 2}
    small = {"state": {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]}}
    return put_together(small, manifest | {"spot": spot, "locks": []}, bytes(16))


def large_games(form: Format) -> BucketingResult:
    """Solutions of a few infosets that name a game of very many."""
    header, manifest, body = take_apart(form.texts[0])
    for game in (
        "rhode-island",
        "goofspiel(cards=7)",
        "liars-dice(dice=3)",
        "leduc",
        "five-card-draw",
        "kuhn(players=10)",
    ):
        yield game, form.name, put_together(header, manifest | {"game": game}, body)


TAMPERING = (
    *(f"update matches set settings = {words}" for words in ("'null'", "'[]'", "repeat('[', 5000)", "null", "'{}'")),
    *("update matches set settings = replace(settings, '\"players\": 2', '\"players\": 3')",),
    *('update matches set settings = replace(settings, \'"game": "kuhn"\', \'"game": [1]\')',),
    *("update matches set agents = null", "update matches set agents = []", "update matches set game = '[/bold]'"),
    *("update matches set agents = ['[/bold]', '[red']", "update matches set source = '[/bold]', hands = null"),
    *("update hands set seats = [7, 7]", "update hands set seats = [-1, 0]", "update hands set seats = null"),
    *("update hands set seats = [0]", "update hands set payoffs = []", "update hands set payoffs = ['nan', 'inf']"),
    *("update hands set cards = null", "update hands set cards = repeat('x', 9000)", "update hands set cards = ''"),
    *(
        "update hands set betting = 'zzz'",
        "update hands set betting = 'r' || repeat('9', 5000)",
        "update hands set hand = 0",
    ),
    *("update hands set deal = 9999999", "update hands set pass = 5", "update hands set faults = 'x:y;;'"),
    *(
        "update hands set hand = null",
        "update hands set match = null",
        "update hands set block = 7",
        "delete from hands",
    ),
    *(
        "update blocks set remarks = 'x'",
        "update blocks set remarks = '[1]'",
        "delete from blocks",
        "delete from matches",
    ),
    *("drop view players; drop table hands", "drop table blocks", "alter table hands drop column cards"),
    *("drop view players; alter table hands rename to other; create view hands as select * from other",),
    *(
        "alter table matches alter column agents type varchar using 'x'",
        "alter table hands alter column payoffs type varchar",
    ),
)


def databases(form: Format, folder: Path) -> BucketingResult:
    """Files of hands whose tables were changed."""
    import duckdb

    path = folder / "tampered.duckdb"
    for statement in TAMPERING:
        path.write_bytes(form.texts[0])
        with duckdb.connect(str(path)) as connection:
            connection.execute(statement)
        yield statement, form.name, path.read_bytes()
    for data in (b"", b"not a database", form.texts[0][:4096], form.texts[0][:100], form.texts[0] + bytes(5000)):
        yield f"{len(data)} bytes", form.name, data


NOT_FILES: dict[str, Callable[[Path], None]] = {
    "a pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path),
    "nothing": lambda path: None,
    "an empty file": lambda path: path.touch(),
}
