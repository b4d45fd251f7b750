"""Every command's JSON is as docs/reference/json.md documents it: each printed key with its type, and the reverse."""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from queue import Queue
from typing import Any

import numpy as np
import pytest

from command_line import CommandLine
from pokerlab.cli import command_names
from pokerlab.cli._output import print_json

ROOT = Path(__file__).parents[2]
SPOT = "examples/river.toml"
KEPT = [
    "solve kuhn --iterations 5 --out kuhn.solution",
    f"spot {SPOT} --iterations 1 --out river.solution",
    "solve push-fold --out push.solution",
    "train leduc --iterations 20 --out leduc.blueprint",
]
BLUEPRINT = "leduc.blueprint"
HANDS = "match formula rules --game kuhn --hands 8 --workers 1 --out m.duckdb"
DRAW = "train small-draw(cards=1,ranks=3,suits=2) --iterations 100 --out draw.blueprint"
CASES = {  # what is run to see all keys of a command; what comes before " && " makes the files that it reads
    "demo": ["hands --only 2"],
    "serve": ["--no-browser --port 0 --seconds 0.2"],
    "examples": ["--folder e"],
    "equity": ["AhKh 2c2d --board Td7s3c", "AA random KK --samples 200"],
    "range": ["22+,KdQh:0.5 --board Td7s2c"],
    "preflop": ["AKs", "--flop"],
    "pushfold": [
        "--stack 9 --push 20% --call 22+ --plot a.png --csv a.csv",
        "--chart 20",
        "--stacks 9,6,8 --payouts 60,40 --target 5 --out a.solution",
    ],
    "rollout": ["--out a.solution --plot a.png --csv a.csv", "--menu allin --stack 5 --at c"],
    "strength": ["AhKh --board Td7s2c", "AhKh", "9s8s7s6sAh --order short-deck", "9s8s7s6sAh"],
    "exploitability": ["always-call --game leduc --device cpu --workers 1"],
    "solve": [
        "kuhn --iterations 5 --out a.solution --plot a.png",
        "kuhn(players=3) --iterations 5",
        f"{SPOT} --iterations 1",
        "push-fold",
        "kuhn --form bucketed --with pure --iterations 20",
    ],
    "nash": [
        "battle-of-the-sexes --weak --another --welfare --at-least 1/2 --correlated",
        "prisoners-dilemma --method lemke-howson",
        "rock-paper-scissors --method supports --another --at-least 1",
        "kuhn",
    ],
    "dynamics": ["shapley --iterations 20 --plot d.png --csv d.csv"],
    "compare": [
        "kuhn --iterations 5 --with cfr,lp --plot c.png --csv c.csv",
        "rock-paper-scissors --iterations 5 --with cfr",
        f"{SPOT} --iterations 1 --with dcfr",
        "push-fold --iterations 2 --with dcfr",
    ],
    "show": [
        "kuhn.solution --rows 2 --csv k.csv",
        "river.solution --rows 2",
        "push.solution --rows 2",
        "leduc.blueprint",
        "draw.blueprint --containing :cc/",
    ],
    "verify": ["kuhn.solution", "river.solution", "push.solution"],
    "beliefs": ["kuhn.solution --csv b.csv", "kuhn.solution --all --rows 3"],
    "thin": ["nl.solution --out thin.solution"],
    "measure": [
        "kuhn always-call random",
        "kuhn always-call --local --hands 8 --workers 1",
        "five-card-draw draw-blueprint --learn 200 --hands 100 --workers 1",
        "kuhn always-call --learn 50 --hands 20",
    ],
    "exploit": [
        "kuhn --opponent random --points 0,1 --plot a.png --csv a.csv --out a.solution",
        "kuhn --opponent random --method dbr --hands 20",
        "kuhn --opponent random --form public --seat 1 --iterations 5",
        "kuhn --opponent ./wrong.py:Wrong --method fbr --hands 20",
        "kuhn --opponent formula --method fbr --from-hands m.duckdb --seen showdowns",
    ],
    "game": ["", "kuhn --draw a.svg --write a.efg", "holdem-limit", "one-card(cards=60)"],
    "size": ["kuhn", "holdem-limit", "matching-pennies"],
    "spot": [
        f"{SPOT} --iterations 1 --out a.solution --category all",
        f"{SPOT} --iterations 1 --lock check:check --cost",
        f"{SPOT} --forecast",
    ],
    "browse": [
        "river.solution --csv a.csv",
        "river.solution check --hand AhKh --exploit ip",
        "river.solution --category all",
        "kuhn.solution",
        "leduc.solution",
        "push.solution",
        "leduc.blueprint r",
        "leduc.blueprint --hand Kb",
        "draw.blueprint check check --hand Ah",
        "draw.blueprint check check d0 d1 --hand Ah",
    ],
    "compact": [f"{name} small.solution" for name in ("kuhn.solution", "river.solution", "push.solution", BLUEPRINT)],
    "abstract": [
        "leduc --out a.buckets",
        "leduc --forecast",
        "--list",
        "leduc --recall perfect",
        "leduc --within a.buckets --totals 2,4",
    ],
    "buckets": ["ri.buckets Ah --board Td --plot a.png --csv a.csv", "ri.buckets"],
    "train": ["leduc --iterations 2000 --out b.blueprint", "leduc --buckets p.buckets --with cfr+ --iterations 2"],
    "report": [f"{SPOT} --boards Ks7h2d5c9s,AsAd7h7c2d:2 --iterations 1 --out a.csv"],
    "vonneumann": ["--at 0.1", "--bets 0-1/9,7/9-1 --calls 1/9-7/9:1/3,7/9-1", "--ante 8 --bet 1"],
    "icm": [
        "--stacks 10,1,289 --payouts 60,40 --bounties 5 --csv a.csv --plot a.png",
        "--stacks 5*11 --payouts 3,2,1",
        "--stacks 0,2 --payouts 3,2,1",
    ],
    "endgame": [
        "--chips 1200 --blinds 300,600 --csv a.csv",
        "--chips 5 --blinds 1,2 --payouts 5,3,2 --rounds 1 --iterations 2 --out e.endgame --at 1,2,2 --plot a.png",
        "--chips 13500 --blinds 300,600 --payouts 5,3,2 --forecast",
    ],
    "play": ["kuhn --hands 1 --log a.log", "kuhn.solution --hands 1 --log b.log"],
    "review": ["m.duckdb --with kuhn.solution --csv a.csv"],
    "stats": ["m.duckdb --csv a.csv"],
    "match": [
        "always-call ./wrong.py:Wrong --game kuhn --hands 8 --adjust all-in --workers 1",
        f"always-call always-raise --from {SPOT} --hands 8 --duplicate --workers 1 --out m.duckdb --plot m.png",
        "always-call always-call --game leduc-nolimit --hands 1 --workers 1",
        "always-call random --game five-card-draw --hands 4 --workers 1",
        "always-call random --game leduc --format freezeout --stack 9 --repeat 4 --workers 1",
        "always-call random --game leduc --format match-play --stack 9 --hands 12 --repeat 4 --workers 1",
    ],
    "tournament": [
        "always-call random rules --game kuhn --hands 8 --workers 1 --out t.duckdb",
        "always-call random rules --game kuhn --hands 8 --workers 1 --fewer-hands rules=4 --plot t.png",
        "always-call random --game leduc-nolimit --hands 8 --workers 1",
        "always-call random --game leduc-nolimit --players 3 --hands 12 --workers 1",
        "always-call ./wrong.py:Wrong --game kuhn --players 3 --hands 12 --workers 1",
        "always-call random --game leduc --format freezeout --stack 9 --repeat 4 --workers 1",
    ],
    "hands": [
        "m.duckdb",
        "m.duckdb 'select * from hands limit 2'",
        "m.duckdb --replay 1",
        "m.duckdb --export acpc a.log",
        "n.duckdb --import acpc a.log --game kuhn",
        "n.duckdb --import pokerstars hands.txt",
    ],
    "learn": [
        "casper --from m.duckdb --out casper.learned",
        "noble --generations 1 --members 4 --out noble.evolved",
    ],
    "dealer": ["kuhn --t-start 0.1 --log a.log"],
    "client": ["127.0.0.1 {port} --agent always-call --game kuhn"],
    "paper": ["", "cfr-worked-example"],
    "evolve": [
        "von-neumann --iterations 2 --population 20 --rounds 10 --csv a.csv --plot a.png",
        "push-fold --with cfr+ --iterations 5",
    ],
}
BEFORE = {
    "buckets": ["abstract rhode-island --buckets 9 --out ri.buckets"],
    "train": ["abstract leduc --methods lossless,strength:2 --recall perfect --out p.buckets"],
    "show": [*KEPT, DRAW],
    "verify": KEPT,
    "beliefs": KEPT[:1],
    "thin": ['solve "one-card(cards=4, ante=4, stack=12)" --with "lp(method=interior)" --out nl.solution'],
    "compact": KEPT,
    "browse": [
        *KEPT,
        "solve leduc --form public --iterations 2 --out leduc.solution",
        DRAW,
    ],
    "hands": [HANDS],
    "play": KEPT[:1],
    "review": [*KEPT[:1], HANDS],
    "stats": [HANDS],
    "learn": [HANDS],
    "exploit": [HANDS],
}
ELSEWHERE = {  # keys that appear where something goes wrong, or after minutes
    ("statement", "what"),
    ("statement", "stated"),
    ("statement", "found"),  # tests/lab/test_verification.py
    ("remark", "agent"),
    ("remark", "remark"),
    ("remark", "count"),  # tests/cli/test_match.py
    ("board", "problem"),
    ("report", "subset"),
    ("subset", "flops"),
    ("subset", "measured_error"),
    ("subset", "measured_on"),
    ("error of a subset", "equity"),
    ("error of a subset", "frequency"),
    ("error of a subset", "ev"),  # tests/lab/test_boards.py
    ("browse", "after_cards"),
    ("coming card", "ev"),
    ("coming card", "player"),
    ("coming card", "frequencies"),  # tests/cli/test_browse.py
    ("figure", "name"),
    ("figure", "caption"),  # tests/papers
    *(("spot", key) for key in ("roles", "seats", "money", "chips_a_unit")),  # a spot has no blinds
    *((name, key) for name in ("spot", "compared") for key in ("bucket_counts", "bucket_methods", "buckets")),
    *(("train", key) for key in ("roles", "seats", "money", "chips_a_unit")),  # blueprints are counted in chips
    *(("thin", key) for key in ("roles", "seats", "money", "chips_a_unit")),  # what is thinned out is a game's tree
    *(("thin", key) for key in ("board", "pot", "stack", "unit", "ev", "storage", "root")),
    *(("thin", key) for key in ("bucket_counts", "bucket_methods", "buckets")),
    *(("train", key) for key in ("board", "pot", "stack", "unit", "ev", "storage", "root")),  # and are of no spot
}
HEADS_UP = """PokerStars Hand #1: Hold'em No Limit ($1/$2) - 2020/01/02
Table 'A' 2-max Seat #1 is the button
Seat 1: ann ($90 in chips)
Seat 2: bea ($80 in chips)
ann: posts small blind $1
bea: posts big blind $2
*** HOLE CARDS ***
ann: folds
Uncalled bet ($1) returned to bea
bea collected $2 from pot
*** SUMMARY ***
"""
WRONG = """
from pokerlab.games.poker.betting import Action


class Wrong:
    name = "wrong"

    def act(self, view, rng):
        return Action("r", 1)

    def reset(self):
        pass
"""

Shape = dict[str, str]  # the type of each key


def read_page() -> tuple[dict[str, Shape], dict[str, Shape], dict[str, list[str]]]:
    """The commands and the shapes of docs/reference/json.md, and the shapes that stand below each command."""
    text = (ROOT / "docs" / "reference" / "json.md").read_text(encoding="utf-8")
    shared, _, own = text.partition("\n## Shapes\n")[2].partition("\n## Commands\n")
    commands: dict[str, Shape] = {}
    shapes: dict[str, Shape] = {}
    below: dict[str, list[str]] = {}
    for part in (shared.replace("\n### ", "\n#### "), own):
        for level, name, body in re.findall(r"^(#{3,4}) (.+?)\n(.*?)(?=^#|\Z)", part, re.DOTALL | re.MULTILINE):
            shape: Shape = dict(re.findall(r"^\| `(.+?)` \| (.+?) \|", body, re.MULTILINE))
            for base in re.findall(r"\]\(#(\w+)\), and:", body):
                shape = shapes[base] | shape
            if level == "###":
                commands[name], below[name] = shape, []
            else:
                shapes[name] = shape
                if commands:
                    below[list(commands)[-1]].append(name)
    return commands, shapes, below


COMMANDS, SHAPES, BELOW = read_page()
SHARED = {  # where the other shapes are looked for
    "match": ["winnings", "interval"],
    "game": ["named"],
    "review": ["review total", "reviewed decision"],
}
EXTENDED = {"solution", "place", "reviewed"}  # whose keys solve, browse and review print as their own


class Checker:
    """Compares values with the types of the page, and notes which keys it met."""

    def __init__(self) -> None:
        self.met: set[tuple[str, str]] = set()

    def fits(self, value: Any, kind: str) -> bool:
        """Whether a value is of a type, as the page writes it."""
        if value is None:
            return kind.endswith("or null") or kind == "any"
        if " by " in kind:
            kind, _, _ = kind.rpartition(" by ")
            return isinstance(value, dict) and all(self.fits(one, kind) for one in value.values())
        if kind.startswith("list of "):
            return isinstance(value, list) and all(self.fits(one, kind.removeprefix("list of ")) for one in value)
        return any(self._is(value, one) for one in kind.split(" or "))

    def _is(self, value: Any, kind: str) -> bool:
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if kind in SHAPES:
            self.check(value, kind, SHAPES[kind])
            return True
        return {
            "any": True,
            "text": isinstance(value, str),
            "number": number,
            "whole number": number and isinstance(value, int),
            "true/false": isinstance(value, bool),
            "null": value is None,
        }[kind]

    def check(self, found: Any, name: str, shape: Shape) -> None:
        """Every key of an object stands in its shape, with its type."""
        assert isinstance(found, dict), name
        for key, value in found.items():
            told = next((one for one in shape if re.fullmatch(re.sub("[A-Z]{3,}", ".+", one), key)), None)
            assert told is not None, f"{name} prints {key!r} = {str(value)[:80]}, which json.md does not document"
            assert self.fits(value, shape[told]), f"{key!r} of {name} is {str(value)[:80]}, and told as {shape[told]}"
            self.met.add((name, told))


def no_constants(name: str) -> Any:
    raise AssertionError(f"{name} is not JSON")


@pytest.fixture
def desk(folder: Path) -> Path:
    """A folder with what the cases read."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "wrong.py").write_text(WRONG)
    (folder / "hands.txt").write_text(f"{HEADS_UP}\n{HEADS_UP.replace('folds', 'sleeps')}")
    return folder


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """A seat at a dealer whose other seat is taken."""
    from pokerlab.lab.play.playing import open_poker
    from pokerlab.lab.play.serving import play_at_dealer, serve_match
    from pokerlab.match.wire.seat import Limits

    game, ports = open_poker("kuhn", ""), Queue[list[int]]()
    serving = threading.Thread(
        target=lambda: serve_match(
            game,
            hands=2,
            names=[],
            ports=[],
            host="127.0.0.1",
            log=tmp_path / "served.log",
            title="match",
            duplicate=False,
            limits=Limits(response=30, hand=30, per_hand=30, connect=30),
            seed=1,
            on_progress=lambda event: ports.put(list(event.payload.ports)) if event.payload else None,
        )
    )
    serving.start()
    mine, other = ports.get(timeout=30)
    playing = threading.Thread(target=lambda: play_at_dealer(game, "always-call", "127.0.0.1", other, wait=30))
    playing.start()
    yield mine
    serving.join(30)
    playing.join(30)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders in which commands have written files that several cases read, by command line."""
    return {line: tmp_path_factory.mktemp("made") for line in (*KEPT, HANDS)}


def prepare(line: str, made: dict[str, Path], cli: CommandLine) -> None:
    """Put what a command writes into this folder; one that several cases need is run once."""
    before = set(Path().iterdir())
    if line not in made or not any(made[line].iterdir()):
        assert cli(shlex.split(line)).code == 0
        for path in set(Path().iterdir()) - before if line in made else ():
            shutil.copy(path, made[line])
    else:
        shutil.copytree(made[line], Path(), dirs_exist_ok=True)


@pytest.mark.parametrize("command", command_names())
def test_what_is_printed_is_told(
    command: str, desk: Path, made: dict[str, Path], cli: CommandLine, request: pytest.FixtureRequest
) -> None:
    for line in BEFORE.get(command, []):
        prepare(line, made, cli)
    checker = Checker()
    for case in CASES[command]:
        words = shlex.split(case.format(port=request.getfixturevalue("port")) if "{port}" in case else case)
        out = cli([command, *words, "--json"], typed="c\n" * 20).printed
        assert out.count("\n") == 1, "one object on one line, and nothing else"
        checker.check(json.loads(out, parse_constant=no_constants), command, COMMANDS[command])
    told = {(command, key) for key in COMMANDS[command]}
    told |= {(name, key) for name in BELOW[command] + SHARED.get(command, []) for key in SHAPES[name]}
    assert not told - checker.met - ELSEWHERE, "json.md documents keys that were not seen"


def test_every_command_has_its_place_on_the_page() -> None:
    assert list(COMMANDS) == command_names()
    assert set(CASES) == set(COMMANDS)
    assert set(SHAPES) == {name for names in (*BELOW.values(), *SHARED.values(), EXTENDED) for name in names}


def test_numbers_with_an_exact_companion_agree(cli: CommandLine) -> None:
    """A number beside its exact text is the nearest one, small and large."""
    for words in (
        ["size", "holdem-nolimit", "--stack", "400", "--blinds", "1,2"],
        ["vonneumann", "--ante", "8", "--bet", "3"],
    ):
        found = cli([*words, "--json"]).json
        pairs = [(found[key.removesuffix("_exact")], text) for key, text in found.items() if key.endswith("_exact")]
        assert len(pairs) > 5
        for number, text in pairs:
            assert (number is None) == (text is None)
            assert number is None or (isinstance(text, str) and number == float(Fraction(text)))


def test_what_is_not_finite_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    odd = {
        "a": float("nan"),
        "b": [np.inf, np.float64(2)],
        "c": np.array([[1.0, np.nan]]),
        3: Fraction(1, 4),
        "p": Path("x"),
    }
    print_json(odd)
    told = json.load(io.StringIO(capsys.readouterr().out), parse_constant=no_constants)
    assert told == {"a": None, "b": [None, 2.0], "c": [[1.0, None]], "3": 0.25, "p": "x"}


@pytest.mark.parametrize(
    "words", [["solve", "ledcu"], ["hands", "none.duckdb"], ["equity", "AhAh", "2c2d"], ["verify", "none"]]
)
def test_an_error_is_a_sentence_and_no_object(words: list[str], folder: Path, cli: CommandLine) -> None:
    assert cli([*words, "--json"]).refusal
