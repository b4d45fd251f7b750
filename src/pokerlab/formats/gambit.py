"""Gambit's game files: .efg (extensive, node by node) and .nfg (strategic, payoffs or outcomes), read exactly.

Supports any number of players, chance, information sets, outcomes at inner nodes, decimals and fractions. An infoset is
named by its label if the labels of its player are unique, else by its number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

from pokerlab.formats.gambit_text import LARGEST_TABLE, Words
from pokerlab.games.explicit import ExplicitGame, Infoset, Node
from pokerlab.games.game import CHANCE
from pokerlab.games.strategic import StrategicGame
from pokerlab.reading import read_text
from pokerlab.specs import spec_text

MOST_PLAYERS = 100


def read_efg(path: str | Path) -> ExplicitGame:
    """Read the extensive game in a .efg file."""
    return parse_efg(read_text(path), source=str(path))


def read_nfg(path: str | Path) -> StrategicGame:
    """Read the strategic game in a .nfg file."""
    return parse_nfg(read_text(path), source=str(path))


def _players(words: Words) -> list[str]:
    players = words.strings("the names of the players")
    if not 1 <= len(players) <= MOST_PLAYERS:
        raise words.complaint(f"a game has 1 to {MOST_PLAYERS} players, and this has {len(players)}")
    return players


def _named(source: str) -> str:
    return spec_text("file", {"path": source})


# ------------------------------------------------------------------------------------------------- extensive


@dataclass
class _Draft:
    """An infoset while the file is being read."""

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] = ()


@dataclass
class _Reading:
    """The part of an extensive game read so far."""

    words: Words
    players: list[str]
    infosets: dict[tuple[int, int], _Draft] = field(default_factory=dict)  # by player and number
    outcomes: dict[int, tuple[Fraction, ...]] = field(default_factory=dict)


def parse_efg(text: str, *, source: str = "game.efg") -> ExplicitGame:
    """Parse an extensive game from .efg text."""
    words = Words(text, source)
    words.expect("EFG", "at the start of an extensive game")
    words.expect("2", "as the version after EFG")
    if words.word not in ("R", "D"):
        raise words.complaint(f"expected R after the version, found {words.found()}")
    words.advance()
    title = words.string("the title of the game")
    reading = _Reading(words, _players(words))
    if words.at_string():
        words.advance()  # the comment
    drafts: list[tuple[_Draft | None, list[int], tuple[Fraction, ...]]] = []
    open_nodes: list[int] = []  # inner nodes with children still to be read
    while not drafts or open_nodes:
        draft, payoffs = _node(reading)
        if open_nodes:
            parent = drafts[open_nodes[-1]]
            parent[1].append(len(drafts))
            payoffs = tuple(a + b for a, b in zip(payoffs, parent[2], strict=True))
            assert parent[0] is not None
            if len(parent[1]) == len(parent[0].actions):
                open_nodes.pop()
        drafts.append((draft, [], payoffs))
        if draft is not None:
            open_nodes.append(len(drafts) - 1)
    if words.word:
        raise words.complaint(f"the tree is complete, but the file goes on with {words.found()}")
    named = _name_infosets(reading)
    nodes = tuple(
        Node(None, (), payoffs) if draft is None else Node(named[draft.player, draft.number], tuple(children))
        for draft, children, payoffs in drafts
    )
    return ExplicitGame(_named(source), tuple(reading.players), nodes, title)


def _node(reading: _Reading) -> tuple[_Draft | None, tuple[Fraction, ...]]:
    """One node from its line: its infoset (None at a terminal node) and its own payoffs."""
    words = reading.words
    kind = words.word
    if kind not in ("c", "p", "t"):
        raise words.complaint(f"expected a node (c, p or t), found {words.found()}")
    words.advance()
    words.string("the name of the node")
    if kind == "t":
        return None, _outcome(reading)
    player = CHANCE
    if kind == "p":
        here = words.complaint
        player = words.whole("the player's number") - 1
        if not 0 <= player < len(reading.players):
            raise here(f"there is no player {player + 1}: the game has {len(reading.players)} players")
    draft = _infoset(reading, player)
    return draft, _outcome(reading)


def _infoset(reading: _Reading, player: int) -> _Draft:
    words = reading.words
    number = words.whole("the number of the information set")
    label = words.string("the name of the information set") if words.at_string() else ""
    known = reading.infosets.get((player, number))
    if words.word != "{":
        if known is None:
            raise words.complaint(f"information set {number} is used before its actions are given")
        return known
    words.advance()
    actions: list[str] = []
    probabilities: list[Fraction] = []
    while words.word != "}":
        actions.append(words.string("an action"))
        if player == CHANCE:
            probabilities.append(words.number("the probability of an action of chance"))
    actions = _distinct(actions)
    if not actions:
        raise words.complaint(f"information set {number} has no actions")
    if player == CHANCE:
        total = sum(probabilities, Fraction(0))
        if any(probability < 0 for probability in probabilities) or abs(total - 1) > Fraction(1, 10**4):
            sums = f"these sum to {float(total):g}"
            raise words.complaint(f"the probabilities of a chance move must sum to one and none be negative; {sums}")
        probabilities = [probability / total for probability in probabilities]
    words.advance()
    draft = _Draft(player, number, label, tuple(actions), tuple(probabilities))
    if known is not None and (known.actions, known.probabilities) != (draft.actions, draft.probabilities):
        raise words.complaint(f"information set {number} comes again with other actions than before")
    return reading.infosets.setdefault((player, number), draft)


def _distinct(actions: list[str]) -> list[str]:
    """Distinct action names: empty or repeated ones are replaced by their numbers."""
    if len(set(actions)) == len(actions) and all(actions):
        return actions
    return [f"{action}#{position}" if action else str(position) for position, action in enumerate(actions, 1)]


def _outcome(reading: _Reading) -> tuple[Fraction, ...]:
    """The payoffs of the outcome at a node; outcome 0 is null."""
    words = reading.words
    number = words.whole("the number of the outcome")
    nothing = (Fraction(0),) * len(reading.players)
    if words.at_string():
        words.advance()  # its name
    if words.word != "{":
        if number and number not in reading.outcomes:
            raise words.complaint(f"outcome {number} is used before its payoffs are given")
        return reading.outcomes.get(number, nothing)
    words.advance()
    payoffs = []
    while words.word != "}":
        payoffs.append(words.number("a payoff"))
    if len(payoffs) != len(reading.players):
        raise words.complaint(f"an outcome needs {len(reading.players)} payoffs, one a player; found {len(payoffs)}")
    words.advance()
    return reading.outcomes.setdefault(number, tuple(payoffs)) if number else tuple(payoffs)


def _name_infosets(reading: _Reading) -> dict[tuple[int, int], Infoset]:
    """Named infosets: by label if a player's labels are all different, else by number."""
    labels: dict[int, list[str]] = {}
    for draft in reading.infosets.values():
        labels.setdefault(draft.player, []).append(draft.label)
    clear = {player: all(own) and len(set(own)) == len(own) for player, own in labels.items()}
    return {
        key: Infoset(
            draft.player, draft.label if clear[draft.player] else str(draft.number), draft.actions, draft.probabilities
        )
        for key, draft in reading.infosets.items()
    }


# ------------------------------------------------------------------------------------------------- strategic


def parse_nfg(text: str, *, source: str = "game.nfg") -> StrategicGame:
    """Parse a strategic game, by payoffs or by outcomes, from .nfg text."""
    words = Words(text, source)
    words.expect("NFG", "at the start of a strategic game")
    words.expect("1", "as the version after NFG")
    if words.word not in ("R", "D"):
        raise words.complaint(f"expected R after the version, found {words.found()}")
    words.advance()
    title = words.string("the title of the game")
    players = _players(words)
    strategies = _strategies(words, len(players))
    if words.at_string():
        words.advance()  # the comment
    count = prod(len(names) for names in strategies)
    if count * len(players) > LARGEST_TABLE:
        raise words.complaint(f"a table of {count * len(players):,} payoffs is more than the {LARGEST_TABLE:,} we read")
    rows = _by_outcome(words, len(players), count) if words.word == "{" else _by_payoff(words, len(players), count)
    if words.word:
        raise words.complaint(f"the table is complete, but the file goes on with {words.found()}")
    profiles = (profile[::-1] for profile in product(*reversed(strategies)))  # first player's fastest
    return StrategicGame(_named(source), tuple(strategies), dict(zip(profiles, rows, strict=True)), title)


def _strategies(words: Words, players: int) -> list[tuple[str, ...]]:
    """The names of each player's strategies; if only their number is given, they are numbered."""
    words.expect("{", "before the strategies")
    strategies: list[tuple[str, ...]] = []
    while words.word != "}":
        if words.word == "{":
            names = tuple(_distinct(words.strings("a strategy")))
        else:
            size = words.whole("a number of strategies")
            if size > LARGEST_TABLE:
                raise words.complaint(f"{size:,} strategies are more than the {LARGEST_TABLE:,} payoffs we read")
            names = tuple(str(i + 1) for i in range(size))
        if not names:
            raise words.complaint("a player needs at least one strategy")
        strategies.append(names)
    if len(strategies) != players:
        raise words.complaint(f"strategies are given for {len(strategies)} players, but the game has {players}")
    words.advance()
    return strategies


def _by_payoff(words: Words, players: int, count: int) -> list[tuple[float, ...]]:
    return [tuple(float(words.number("a payoff")) for _ in range(players)) for _ in range(count)]


def _by_outcome(words: Words, players: int, count: int) -> list[tuple[float, ...]]:
    words.advance()
    outcomes: list[tuple[float, ...]] = [(0.0,) * players]  # outcome 0 is null
    while words.word != "}":
        words.expect("{", "before an outcome")
        words.string("the name of an outcome")
        outcomes.append(tuple(float(words.number("a payoff")) for _ in range(players)))
        words.expect("}", f"after the {players} payoffs of an outcome")
    words.advance()
    rows = []
    for _ in range(count):
        number = words.whole("the number of an outcome")
        if number >= len(outcomes):
            raise words.complaint(f"there is no outcome {number}: the file gives {len(outcomes) - 1}")
        rows.append(outcomes[number])
    return rows
