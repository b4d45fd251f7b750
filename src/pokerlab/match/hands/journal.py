"""A journal of hands: one line per hand, written as soon as it is over, so that a kill loses only the current hand.

When an interrupted block is played again (same seed, same agents, so the same hands), hands already in the journal are
compared and not written twice. If an agent is not repeatable (a human or an external program), they are reused instead
of replayed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pokerlab.errors import AgentFailed, BadFile
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.hands.hand_text import HandStep, replay
from pokerlab.match.table.stacked import game_at
from pokerlab.reading import count, finite
from pokerlab.store import LineJournal, Store, whole_lines

if TYPE_CHECKING:
    from pokerlab.match.hands.query import MatchRow

COLUMNS = ("hand", "deal", "pass", "seats", "cards", "betting", "payoffs", "adjusted", "faults")


def one_line(text: str) -> str:
    """Text without characters that would break a journal line."""
    return "".join(" " if letter in "\t\r\n;" else letter for letter in text)


def _number(value: float) -> str:
    return repr(int(value)) if value == int(value) else repr(float(value))


class Stakes(NamedTuple):
    """What a hand was played for, by seat, where that changes from hand to hand."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    antes: tuple[int, ...]


class SavedHand(NamedTuple):
    """A hand in a file; in a journal, one line of tab-separated columns."""

    number: int
    deal: int
    passed: int
    seats: Sequence[int]  # the agent in each seat
    cards: str
    betting: str
    payoffs: tuple[float, ...]  # by seat
    adjusted: Sequence[float] = ()  # the same by an estimator; may be empty
    faults: Sequence[tuple[int, str]] = ()  # agent, reason
    stakes: Stakes | None = None  # in a table of their own (database.py); None: those of the match's game

    def names(self, match: MatchRow) -> tuple[str, ...]:
        """The agents by seat."""
        return tuple(match.agents[agent] for agent in self.seats)

    def steps(self, match: MatchRow) -> tuple[list[HandStep], State]:
        """The hand, action by action, and its end."""
        return replay(self.game(match), self.cards, self.betting)

    def game(self, match: MatchRow) -> PokerGame:
        """The game of the hand: that of its match, or one with its stacks, blinds and players."""
        return match.game if self.stakes is None else game_at(match.game, *self.stakes)

    def line(self) -> str:
        """As text: lists by seat are separated by "|", faults by ";"."""
        fields = (
            str(self.number),
            str(self.deal),
            str(self.passed),
            "|".join(map(str, self.seats)),
            self.cards,
            self.betting,
            "|".join(map(_number, self.payoffs)),
            "|".join(map(repr, self.adjusted)),
            ";".join(f"{agent}:{one_line(reason)}" for agent, reason in self.faults),
        )
        return "\t".join(fields)

    @staticmethod
    def read(line: str, players: int) -> SavedHand:
        """Parse a hand of this many players from its line; raises ValueError if it is invalid."""
        number, deal, passed, seats, cards, betting, payoffs, adjusted, faults = line.split("\t")
        return SavedHand(
            int(number),
            int(deal),
            int(passed),
            tuple(map(int, seats.split("|"))),
            cards,
            betting,
            _chips(payoffs, players),
            _chips(adjusted, players) if adjusted else (),
            read_faults(faults, players),
        )


def _chips(text: str, players: int) -> tuple[float, ...]:
    values = tuple(finite(float(value)) for value in text.split("|"))
    if len(values) != players:
        raise ValueError(f"{text[:40]!r} are not the chips of {players} players")
    return values


def read_faults(text: str, players: int) -> tuple[tuple[int, str], ...]:
    """The faults of a hand (agent, reason) from their column; raises ValueError if an agent does not exist."""
    parts = [fault.partition(":") for fault in text.split(";")] if text else []
    return tuple((agent_number(int(agent), players), reason) for agent, _, reason in parts)


def agent_number(value: int, players: int) -> int:
    """The index of an agent in its match, from a file; raises ValueError if out of range."""
    return count(value, most=players - 1)


def read_lines(store: Store, name: str) -> list[str]:
    """The complete lines of a journal."""
    try:
        return whole_lines(store.get(name)).decode().split("\n")[:-1]
    except UnicodeDecodeError as problem:
        raise BadFile(f"the journal {name} is damaged: it is not text") from problem


class Journal:
    """The hands of one block: first those of an earlier run, then newly recorded ones."""

    def __init__(self, journal: LineJournal) -> None:
        self.name = journal.name
        self._journal = journal
        self._place = 0

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def take(self, players: int) -> SavedHand | None:
        """The next hand of an earlier run, or None at the end."""
        if self._place >= len(self._journal.lines):
            return None
        line = self._journal.lines[self._place]
        self._place += 1
        try:
            return SavedHand.read(line.decode().rstrip("\n"), players)
        except ValueError as problem:
            raise BadFile(f"{self.name} is damaged: line {self._place} is not a hand") from problem

    def record(self, line: str) -> None:
        """Add a hand, or check that it equals the one from an earlier run."""
        data = line.encode() + b"\n"
        if self._place >= len(self._journal.lines):
            self._journal.append(data)
        elif self._journal.lines[self._place] != data:
            raise AgentFailed(
                f"the match cannot be resumed: played again with the same seed, hand {self._place + 1} of "
                f"{Path(self.name).name} came out differently, so an agent draws on more than its view and its seed; "
                "one that does must say repeatable = False"
            )
        self._place += 1
