"""Gambit's game files: .efg (extensive, node by node) and .nfg (strategic, payoffs or outcomes), read exactly.

Supports any number of players, chance, information sets, outcomes at inner nodes, decimals and fractions. An infoset is
named by its label if the labels of its player are unique, else by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import TypeVar

from pokerlab.errors import BadFile, shortened
from pokerlab.games.explicit import ExplicitGame, Infoset, Node
from pokerlab.games.game import CHANCE
from pokerlab.games.strategic import StrategicGame
from pokerlab.reading import read_text
from pokerlab.specs import spec_text

_TOKEN = re.compile(r'([\s,]+)|"(?:[^"\\]|\\.)*"|[{}]|[^\s,{}"]+|"')
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}/\d{1,40}|(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?)", re.ASCII)
T = TypeVar("T")
LARGEST_TABLE = 2_000_000  # payoffs of a strategic game
LARGEST = 10**100  # number: sums and squares of payoffs still fit a float


def number(text: str) -> Fraction | None:
    """An exact number from "3", "-0.25", "1e-3" or "1/3"; None if the text is something else, or exceeds LARGEST.

    >>> number("1/3"), number("-.5"), number("x")
    (Fraction(1, 3), Fraction(-1, 2), None)
    """
    value = _exact(text)
    return value if value is not None and abs(value) <= LARGEST else None


def _exact(text: str) -> Fraction | None:
    if not _NUMBER.fullmatch(text) or text.partition("/")[2].strip("0") == "" != text.partition("/")[1]:
        return None
    return Fraction(text)


class Tokens:
    """The tokens of a file in order; every error names the file and the line."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self._words = ((match.start(), match.group()) for match in _TOKEN.finditer(text) if match.group(1) is None)
        self._here = self._last = 0  # offsets of the current word and of the one before
        self.word = ""  # the current word; empty at the end
        self.advance()

    def advance(self) -> str:
        """Return the current word and advance to the next."""
        taken, self._last = self.word, self._here
        self._here, self.word = next(self._words, (len(self.text), ""))
        if self.word == '"':
            raise self.complaint("a quotation mark that is never closed")
        return taken

    def complaint(self, problem: str, *, last: bool = False) -> BadFile:
        """An error at the current word, or at the last one consumed."""
        line = self.text.count("\n", 0, self._last if last else self._here) + 1
        return BadFile(f"{shortened(self.source)!r}, line {line}: {problem}")

    def shown(self) -> str:
        """The current word, quoted for an error message."""
        return repr(shortened(self.word)) if self.word else "the end of the file"

    def at_string(self) -> bool:
        """Whether the current word is a quoted string."""
        return self.word.startswith('"')

    def expect(self, word: str, where: str) -> None:
        """Consume exactly this word."""
        if self.word != word:
            raise self.complaint(f"expected {word!r} {where}, found {self.shown()}")
        self.advance()

    def string(self, what: str) -> str:
        """Consume a quoted string."""
        if not self.at_string():
            raise self.complaint(f"expected {what} in quotation marks, found {self.shown()}")
        return re.sub(r"\\(.)", r"\1", self.advance()[1:-1])

    def strings(self, what: str) -> list[str]:
        """Consume a list of quoted strings in braces."""
        return self.braced(lambda: self.string(what), f"before {what}")

    def braced(self, read: Callable[[], T], where: str = "") -> list[T]:
        """Consume a list in braces, of which `read` consumes one item."""
        self.expect("{", where)
        items = []
        while self.word != "}":
            items.append(read())
        self.advance()
        return items

    def skip_string(self) -> None:
        """Consume a quoted string if there is one."""
        if self.at_string():
            self.advance()

    def expect_end(self, what: str) -> None:
        """Raise an error unless the file ends here."""
        if self.word:
            raise self.complaint(f"the {what} is complete, but the file continues with {self.shown()}")

    def number(self, what: str) -> Fraction:
        """Consume a number."""
        value = _exact(self.word)
        if value is None:
            raise self.complaint(f"expected {what}, a number, found {self.shown()}")
        if abs(value) > LARGEST:
            raise self.complaint(f"{what} is from -10^100 to 10^100, and {self.shown()} is beyond")
        self.advance()
        return value

    def whole(self, what: str) -> int:
        """Consume a non-negative integer."""
        if not re.fullmatch(r"[0-9]{1,9}", self.word):
            raise self.complaint(f"expected {what}, a whole number, found {self.shown()}")
        return int(self.advance())


MOST_PLAYERS = 100


def read_efg(path: str | Path) -> ExplicitGame:
    """Read the extensive game in a .efg file."""
    return parse_efg(read_text(path), source=str(path))


def read_nfg(path: str | Path) -> StrategicGame:
    """Read the strategic game in a .nfg file."""
    return parse_nfg(read_text(path), source=str(path))


def _header(words: Tokens, kind: str, version: str, what: str) -> tuple[str, list[str]]:
    """The title and the players at the start of a file."""
    words.expect(kind, f"at the start of {what}")
    words.expect(version, f"as the version after {kind}")
    if words.word not in ("R", "D"):
        raise words.complaint(f"expected R after the version, found {words.shown()}")
    words.advance()
    title = words.string("the title of the game")
    players = words.strings("the names of the players")
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise words.complaint(f"a game has 1 to {MOST_PLAYERS} players, and this has {len(players)}")
    return title, players


def _named(source: str) -> str:
    return spec_text("file", {"path": source})


def _distinct(actions: list[str]) -> list[str]:
    """Distinct action names: empty or repeated ones are replaced by their numbers."""
    if len(set(actions)) == len(actions) and all(actions):
        return actions
    return [f"{action}#{position}" if action else str(position) for position, action in enumerate(actions, 1)]


Key = tuple[int, int]  # player and number of an infoset


@dataclass
class _Reading:
    """The part of an extensive game read so far."""

    words: Tokens
    players: list[str]
    infosets: dict[Key, Infoset] = field(default_factory=dict)  # named by their labels
    outcomes: dict[int, tuple[Fraction, ...]] = field(default_factory=dict)


def parse_efg(text: str, *, source: str = "game.efg") -> ExplicitGame:
    """Parse an extensive game from .efg text."""
    words = Tokens(text, source)
    title, players = _header(words, "EFG", "2", "an extensive game")
    reading = _Reading(words, players)
    words.skip_string()  # the comment
    drafts: list[tuple[Key | None, list[int], tuple[Fraction, ...]]] = []  # infoset, children, payoffs
    open_nodes: list[int] = []  # inner nodes with children still to be read
    while not drafts or open_nodes:
        key, payoffs = _node(reading)
        if open_nodes:
            parent, siblings, earlier = drafts[open_nodes[-1]]
            siblings.append(len(drafts))
            payoffs = tuple(a + b for a, b in zip(payoffs, earlier, strict=True))
            assert parent is not None
            if len(siblings) == len(reading.infosets[parent].actions):
                open_nodes.pop()
        drafts.append((key, [], payoffs))
        if key is not None:
            open_nodes.append(len(drafts) - 1)
    words.expect_end("tree")
    infosets = _name_infosets(reading.infosets)
    nodes = tuple(
        Node(None, (), payoffs) if key is None else Node(infosets[key], tuple(children))
        for key, children, payoffs in drafts
    )
    return ExplicitGame(_named(source), tuple(players), nodes, title)


def _node(reading: _Reading) -> tuple[Key | None, tuple[Fraction, ...]]:
    """One node from its line: its infoset (None at a terminal node) and its own payoffs."""
    words = reading.words
    kind = words.word
    if kind not in ("c", "p", "t"):
        raise words.complaint(f"expected a node (c, p or t), found {words.shown()}")
    words.advance()
    words.string("the name of the node")
    if kind == "t":
        return None, _outcome(reading)
    player = CHANCE
    if kind == "p":
        player = words.whole("the player's number") - 1
        if not 0 <= player < len(reading.players):
            raise words.complaint(f"there is no player {player + 1}: the game has {len(reading.players)} players")
    return _infoset(reading, player), _outcome(reading)


def _infoset(reading: _Reading, player: int) -> Key:
    words = reading.words
    key = player, words.whole("the number of the information set")
    label = words.string("the name of the information set") if words.at_string() else ""
    known = reading.infosets.get(key)
    if words.word != "{":
        if known is None:
            raise words.complaint(f"information set {key[1]} is used before its actions are given")
        return key
    probabilities: list[Fraction] = []

    def action() -> str:
        name = words.string("an action")
        if player == CHANCE:
            probabilities.append(words.number("the probability of an action of chance"))
        return name

    actions = _distinct(words.braced(action))
    if not actions:
        raise words.complaint(f"information set {key[1]} has no actions", last=True)
    if player == CHANCE:
        total = sum(probabilities, Fraction(0))
        if any(probability < 0 for probability in probabilities) or abs(total - 1) > Fraction(1, 10**4):
            problem = f"probabilities of a chance move must be at least 0 and sum to one; these sum to {float(total):g}"
            raise words.complaint(problem, last=True)
        probabilities = [probability / total for probability in probabilities]
    infoset = Infoset(player, label, tuple(actions), tuple(probabilities))
    if known is not None and (known.actions, known.probabilities) != (infoset.actions, infoset.probabilities):
        raise words.complaint(f"information set {key[1]} is repeated with different actions")
    reading.infosets.setdefault(key, infoset)
    return key


def _outcome(reading: _Reading) -> tuple[Fraction, ...]:
    """The payoffs of the outcome at a node; outcome 0 is null."""
    words, players = reading.words, len(reading.players)
    number = words.whole("the number of the outcome")
    words.skip_string()  # its name
    if words.word != "{":
        if number and number not in reading.outcomes:
            raise words.complaint(f"outcome {number} is used before its payoffs are given")
        return reading.outcomes.get(number, (Fraction(0),) * players)
    payoffs = tuple(words.braced(lambda: words.number("a payoff")))
    if len(payoffs) != players:
        problem = f"an outcome needs {players} payoffs, one per player; found {len(payoffs)}"
        raise words.complaint(problem, last=True)
    return reading.outcomes.setdefault(number, payoffs) if number else payoffs


def _name_infosets(infosets: dict[Key, Infoset]) -> dict[Key, Infoset]:
    """Named infosets: by label if a player's labels are all different, else by number."""
    labels: dict[int, list[str]] = {}
    for infoset in infosets.values():
        labels.setdefault(infoset.player, []).append(infoset.text)
    unclear = {player for player, own in labels.items() if not all(own) or len(set(own)) < len(own)}
    return {
        (player, number): replace(infoset, text=str(number)) if player in unclear else infoset
        for (player, number), infoset in infosets.items()
    }


def parse_nfg(text: str, *, source: str = "game.nfg") -> StrategicGame:
    """Parse a strategic game, by payoffs or by outcomes, from .nfg text."""
    words = Tokens(text, source)
    title, players = _header(words, "NFG", "1", "a strategic game")
    strategies = words.braced(lambda: _strategies(words), "before the strategies")
    if len(strategies) != len(players):
        problem = f"strategies are given for {len(strategies)} players, but the game has {len(players)}"
        raise words.complaint(problem, last=True)
    words.skip_string()  # the comment
    count = prod(len(names) for names in strategies)
    if count * len(players) > LARGEST_TABLE:
        raise words.complaint(f"a table of {count * len(players):,} payoffs is more than the {LARGEST_TABLE:,} we read")
    rows = _by_outcome(words, len(players), count) if words.word == "{" else _by_payoff(words, len(players), count)
    words.expect_end("table")
    profiles = (profile[::-1] for profile in product(*reversed(strategies)))  # first player's fastest
    return StrategicGame(_named(source), tuple(strategies), dict(zip(profiles, rows, strict=True)), title)


def _strategies(words: Tokens) -> tuple[str, ...]:
    """The names of one player's strategies; if only their number is given, they are numbered."""
    if words.word == "{":
        names = tuple(_distinct(words.strings("a strategy")))
    else:
        size = words.whole("a number of strategies")
        if size > LARGEST_TABLE:
            raise words.complaint(f"{size:,} strategies are more than the {LARGEST_TABLE:,} payoffs we read")
        names = tuple(str(i + 1) for i in range(size))
    if not names:
        raise words.complaint("a player needs at least one strategy")
    return names


def _by_payoff(words: Tokens, players: int, count: int) -> list[tuple[float, ...]]:
    return [tuple(float(words.number("a payoff")) for _ in range(players)) for _ in range(count)]


def _by_outcome(words: Tokens, players: int, count: int) -> list[tuple[float, ...]]:
    def outcome() -> tuple[float, ...]:
        words.expect("{", "before an outcome")
        words.string("the name of an outcome")
        [payoffs] = _by_payoff(words, players, 1)
        words.expect("}", f"after the {players} payoffs of an outcome")
        return payoffs

    outcomes = [(0.0,) * players, *words.braced(outcome)]  # outcome 0 is null
    rows = []
    for _ in range(count):
        number = words.whole("the number of an outcome")
        if number >= len(outcomes):
            raise words.complaint(f"there is no outcome {number}: the file gives {len(outcomes) - 1}")
        rows.append(outcomes[number])
    return rows
