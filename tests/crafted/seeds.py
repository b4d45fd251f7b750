"""Small sound files of every format that we read, and the commands that read each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from crafted import edits
from crafted.edits import Edit
from crafted.runner import Runner

SPOT = """board = "Ks 7h 2d 5c 9s"
pot = 100
stack = 300
all_in_from = 0.9
merge = 0.1
rake = 0.05
rake_cap = 3
raise_cap = 3
chip = 1
[out_of_position]
range = "AA,KQs,76s:0.5,AhQh"
bet = "50%,allin"
raise = "2.5x,allin"
[in_position]
range = "KK-JJ,A5s,Td9d:0.25"
bet = "75,e"
raise = "100%"
[[lock]]
at = "check, bet 75"
strategy = { fold = 0.5, call = 0.5 }
hands = "AA"
"""
LIMIT_SPOT = """board = "Ks 7h 2d 5c"
pot = 10
stack = 100
limit = [2, 4, 4]
[out_of_position]
range = "AA,KQs"
[in_position]
range = "KK"
donk = {}
"""
GAME_TOML = """players = 2
limit = "no"
antes = 1
blinds = [0, 1]
stacks = 6
ranks = ["J", "Q", "K"]
suits = ["a", "b"]
showdown = "high"
odd_chips = "split"
reopens_at = 0.5
least_raise = "double"
[[rounds]]
private = 1
bet = 2
raises = 2
[[rounds]]
public = 1
bet = 4
raises = 2
first = 1
"""
GAMEDEF = """GAMEDEF
limit
numPlayers = 2
numRounds = 2
blind = 1 1
raiseSize = 2 4
firstPlayer = 1 1
maxRaises = 1 2
numSuits = 2
numRanks = 3
numHoleCards = 1
numBoardCards = 0 1
END GAMEDEF
"""
NO_LIMIT_GAMEDEF = GAMEDEF.replace("limit\n", "nolimit\nstack = 5 4\n", 1).replace("raiseSize = 2 4\n", "")
EFG = """EFG 2 R "a game" { "one" "two" }
"a comment"
c "" 1 "deal" { "high" 1/2 "low" 0.5 } 0
p "" 1 1 "holds high" { "bet" "pass" } 0
p "" 2 1 "is bet into" { "call" "fold" } 0
t "" 1 "shown" { 2, -2 }
t "" 2 "" { 1, -1 }
t "" 3 "" { 1, -1 }
p "" 1 2 "holds low" { "bet" "pass" } 0
p "" 2 1 "is bet into" { "call" "fold" } 0
t "" 4 "" { -2, 2 }
t "" 2 "" { 1, -1 }
t "" 5 "" { -1, 1 }
"""
NFG = """NFG 1 R "a table" { "one" "two" }
{ { "a" "b" } { "c" "d" "e" } }
"a comment"
1 -1 0 0 2 -2 0.5 -0.5 1/3 -1/3 -1 1
"""
NFG_OUTCOMES = """NFG 1 R "by outcomes" { "one" "two" } { 2 2 }
{ { "first" 1, -1 } { "second" 0.5, 2 } }
1 2 0 1
"""
CSV = ",left,right\nup,1;-1,2;0.5\ndown,3;1/3,4;5\n"
JSON = '{"title": "a table", "actions": [["a", "b"], ["c", "d"]], "payoffs": [[[1, 2], [3, 4]], [[5, 6], [7, 8.5]]]}\n'
BOARDS = "Ks7h2d5c9s\nQsJsTs2d3c:2, 2s3s4s5s7d:0.5\n# a remark\n"
LOG = """# name/game/hands/seed random.formula leduc 4 0
STATE:0:cc/rf:Qa|Ja/Ka:1|-1:random|formula
STATE:1:rc/rrc:Kb|Jb/Qa:11|-11:formula|random
SCORE:-10|10:random|formula
"""
PHH = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [200, 150.5, 200]
actions = ["d dh p1 AcKd", "d dh p2 ????", "d dh p3 7h6h", "p3 cbr 7", "p1 cc", "p2 f", "d db Jc3d5c", "p1 cc", \
"p3 cbr 9.5", "p1 f"]
players = ["a", "b", "c"]
hand = 3
"""


@dataclass(frozen=True)
class Format:
    """A kind of file: sound examples, how they are edited, and the commands that read them as FILE."""

    name: str
    suffix: str
    texts: tuple[bytes, ...]
    edits: tuple[Edit, ...]
    commands: tuple[tuple[str, ...], ...]
    beside: str = ""  # where the file is put, FILE being what stands beside it


def _split(commands: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(command.split()) for command in commands)


def _text(name: str, suffix: str, texts: tuple[str, ...], *commands: str) -> Format:
    return Format(name, suffix, tuple(text.encode() for text in texts), edits.TEXT, _split(commands))


def _kept(name: str, suffix: str, examples: list[bytes], *commands: str) -> Format:
    return Format(name, suffix, tuple(examples), edits.KEPT, _split(commands))


_GAMES = (
    *(
        "game FILE",
        "game FILE --json",
        "size FILE",
        "solve FILE --iterations 2 --out OUT.solution",
        "game FILE --draw OUT.svg",
    ),
    *(
        "game FILE --write OUT.efg",
        "game FILE --write OUT.nfg",
        "compare FILE --with cfr,external --iterations 2 --plot OUT.png",
    ),
)
_POKER = (*_GAMES, "match random random --game FILE --hands 4 --workers 1", "play FILE --hands 1 --log OUT.log")
TEXTS = (
    _text(
        *("spot", ".toml", (SPOT, LIMIT_SPOT)),
        *("spot FILE --forecast", "spot FILE --iterations 1", "spot FILE --iterations 1 --storage int16 --json"),
        *("report FILE --boards 2s3s4s5s7d --iterations 1",),
        *("match random random --from FILE --hands 4 --workers 1", "play FILE --hands 1 --log OUT.log"),
    ),
    _text("game in TOML", ".toml", (GAME_TOML,), *_POKER),
    _text("game definition", ".game", (GAMEDEF, NO_LIMIT_GAMEDEF), *_POKER),
    _text("extensive game", ".efg", (EFG,), *_GAMES),
    _text("strategic game", ".nfg", (NFG, NFG_OUTCOMES), *_GAMES),
    _text("table of payoffs", ".csv", (CSV,), *_GAMES),
    _text("payoffs in JSON", ".json", (JSON,), *_GAMES),
    Format(
        "boards",
        ".txt",
        (BOARDS.encode(),),
        edits.SHORT,
        (("report", "river.toml", "--boards", "FILE", "--iterations", "1"),),
    ),
    _text(
        "log",
        ".log",
        (LOG,),
        "hands OUT.duckdb --import acpc FILE --game leduc",
        "stats FILE --game leduc",
        "stats FILE",
    ),
    _text("PHH", ".phh", (PHH,), "hands OUT.duckdb --import phh FILE", "stats FILE", "review FILE"),
    _text("many PHH", ".phhs", (f"[1]\n{PHH}[2]\n{PHH}",), "hands OUT.duckdb --import phh FILE"),
)
_SOLUTION = (
    *(
        "show FILE",
        "show FILE --json",
        "verify FILE",
        "verify FILE --json",
        "solve --resume FILE --iterations 8 --out OUT.solution",
    ),
    *(
        "match strategy:FILE random --game kuhn --hands 6 --workers 1",
        "play kuhn --against strategy:FILE --hands 1 --log OUT.log",
    ),
    *("match strategy:FILE strategy:FILE --game kuhn --hands 6 --workers 1 --compiled", "browse FILE"),
    *("exploit kuhn --opponent FILE --iterations 3",),
)
_SPOT = (
    *(
        "browse FILE",
        "browse FILE --json",
        "browse FILE check --by-hand",
        "verify FILE",
        "show FILE",
        "browse FILE --exploit ip",
    ),
    *("spot --resume FILE --iterations 3 --out OUT.spot",),
    *("match random random --from FILE --hands 4 --workers 1",),
)
_ALONE = (
    *(command for command in _SPOT if "--resume" not in command),
    *(
        "compact FILE OUT.spot",
        "solve FILE --iterations 2",
        "match strategy:FILE random --from FILE --hands 4 --workers 1",
    ),
)
_HANDS = (
    *("hands FILE", "hands FILE --json", "hands FILE --replay 0", "hands FILE --export acpc OUT.log"),
    *("stats FILE", "review FILE --with formula"),
    *(
        "hands FILE --export phh OUT.phhs",
        "match random random --game kuhn --hands 6 --block 2 --out FILE --resume --workers 1",
        "exploit kuhn --opponent random --method dbr --from-hands FILE --iterations 3",
    ),
)

_SOLVED = (
    ("kuhn", "cfr+"),
    ("kuhn", "external"),
    ("kuhn", "lp"),
    ("game.efg", "dcfr"),
    ("kuhn", "pure"),
    ("kuhn", "normal-lp"),
)
_METHODS = {"cfr+": "", "regret": "", "populations": "--population 40 --rounds 4"}


def made(folder: Path) -> Iterator[Format]:
    """The formats of files that our own programs write, with fresh examples of them made in a folder."""
    with Runner(folder, seconds=300) as runner:

        def file(name: str, command: str) -> bytes:
            """What a command leaves under a name."""
            told = runner.run(*(name if part == "FILE" else part for part in command.split()))
            assert told.kind == "result", told
            return (folder / name).read_bytes()

        (folder / "river.toml").write_text(SPOT.partition("[[lock]]")[0])
        (folder / "spot.toml").write_text(SPOT)
        (folder / "game.efg").write_text(EFG)
        solved = [
            file(f"{number}.solution", f"solve {game} --with {algorithm} --iterations 4 --out FILE")
            for number, (game, algorithm) in enumerate(_SOLVED)
        ]
        yield _kept("solution", ".solution", solved, *_SOLUTION)
        spots = [
            file("one.spot", "spot spot.toml --iterations 2 --out FILE"),
            file("two.spot", "spot river.toml --iterations 2 --storage int16 --out FILE"),
        ]
        yield _kept("solved spot", ".spot", spots, *_SPOT)
        alone = [file("small.spot", "spot spot.toml --iterations 2 --out FILE --keep strategy")]
        yield _kept("strategy of a spot", ".spot", alone, *_ALONE)
        for method, options in _METHODS.items():
            command = f"evolve von-neumann(cards=5) --with {method} {options} --checkpoint FILE"
            state = file(f"{method}.checkpoint", f"{command} --iterations 3")
            yield _kept(f"checkpoint of {method}", ".checkpoint", [state], f"{command} --iterations 5 --json")
        report = file("report.csv", "report river.toml --boards 2s3s4s5s7d --iterations 1 --out FILE").decode()
        yield _text("report", ".csv", (report,), "report river.toml --boards 2s3s4s5s7d --iterations 1 --out FILE")
        hands = file("hands.duckdb", "match random random --game kuhn --hands 6 --block 2 --workers 1 --out FILE")
    yield Format("hands", ".duckdb", (hands,), edits.BYTES, _split(_HANDS))
    yield Format("journal", ".tsv", (_cut_off(folder),), edits.TEXT, _split(_HANDS), beside="cut.duckdb")


def _cut_off(folder: Path) -> bytes:
    """The journal of a match that was cut off in its first block; its file is `cut.duckdb`."""
    from pokerlab.match.hands.history import History, journal_folder
    from pokerlab.match.run.block import play_block
    from pokerlab.match.run.match import MatchSettings
    from pokerlab.match.run.saved import save_match

    match = MatchSettings.of("kuhn", ["random", "random"], hands=6, block=2)
    with History(folder / "cut.duckdb") as history:
        play_block(save_match(history, match.as_dict()).with_journal(match.piece(0)))
    return (journal_folder(folder / "cut.duckdb") / "1-0.tsv").read_bytes()


def written(form: Format, data: bytes, folder: Path, source: Path) -> Path:
    """Put a file into a folder so that commands find it; the path that stands for FILE."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("river.toml", "game.efg"):
        shutil.copy(source / name, folder / name)
    if not form.beside:
        (folder / f"case{form.suffix}").write_bytes(data)
        return folder / f"case{form.suffix}"
    shutil.copy(source / form.beside, folder / form.beside)
    (folder / f"{form.beside}.journal").mkdir()
    (folder / f"{form.beside}.journal" / f"1-0{form.suffix}").write_bytes(data)
    return folder / form.beside
