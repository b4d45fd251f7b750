"""Hands of limit hold'em in the IRC poker database (1995 to 2001): files hdb, hroster and pdb.NAME of one folder.

A line of hdb has the board of a hand and the pot in each round, one of hroster its players, and one of pdb.NAME what a
player did: position, actions by round (B blind, k check, b bet, c call, r raise, f fold, A all-in, Q quit, K kicked
out), chips before the hand, chips put in, chips won, and cards that were shown. All have the hand's timestamp. Sizes of
bets are not stated, so only hands of limit games can be played again, with the first of the usual sizes (`BETS`) that
fits what was put in. Nor is the dealer stated when two play: the first of `HEADS_UP` that fits is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from pokerlab.errors import BadFile
from pokerlab.formats.hand_texts.lines import Line, read_lines
from pokerlab.formats.hand_texts.raw import (
    ALL_IN,
    BET,
    CALL,
    CHECK,
    FOLD,
    RAISE,
    NotImported,
    RawAction,
    RawHand,
    RawPlayer,
)

SOURCE = "irc"
BETS = (10, 20, 50, 2, 4, 6, 30, 40, 100, 200)  # small bets of the channels
MOST_PLAYER_FILES = 100_000
# when two play: the first posts the small blind and acts first; the second, or the first, is the dealer, who posts the
# small blind and acts first before the flop alone
IN_ORDER, SECOND_DEALS, FIRST_DEALS = "in order", "second deals", "first deals"
HEADS_UP = (IN_ORDER, SECOND_DEALS, FIRST_DEALS)
_KINDS = {"f": FOLD, "Q": FOLD, "K": FOLD, "k": CHECK, "b": BET, "c": CALL, "r": RAISE, "A": ALL_IN}
_BLIND, _NONE = "B", "-"


class IrcHand(NamedTuple):
    """The lines of a hand."""

    summary: Line  # of hdb
    roster: tuple[str, ...]  # names; empty if there is no line
    players: tuple[Line, ...]  # of the files pdb.NAME


def irc_hands(path: Path) -> Iterator[tuple[int, IrcHand]]:
    """The hands of a folder of the database, or of its file hdb, with their lines there."""
    folder = path.parent if path.name == "hdb" else path
    if not (folder / "hdb").exists():
        shown = str(folder)[:200]
        raise BadFile(f"{shown} is not a folder of the IRC database, which has files hdb, hroster and pdb.NAME")
    summaries = read_lines(folder / "hdb")
    rosters = {words[0]: tuple(words[2:]) for line in read_lines(folder / "hroster") if (words := line.text.split())}
    rows: dict[str, list[Line]] = {}
    for file in _player_files(folder):
        for line in read_lines(file):
            words = line.text.split()
            if len(words) > 1:
                rows.setdefault(words[1], []).append(line)
    for line in summaries:
        if line.text:
            stamp = line.text.split()[0]
            yield line.number, IrcHand(line, rosters.get(stamp, ()), tuple(rows.get(stamp, ())))


def _player_files(folder: Path) -> list[Path]:
    files = [file for place in (folder, folder / "pdb") if place.is_dir() for file in sorted(place.glob("pdb.*"))]
    if not files:
        raise BadFile(f"{str(folder)[:200]} has no files pdb.NAME, which say what players of the IRC database did")
    if len(files) > MOST_PLAYER_FILES:
        raise BadFile(f"{str(folder)[:200]} has more than {MOST_PLAYER_FILES:,} files of players")
    return files


def read_irc_hand(lines: IrcHand, *, small_bet: int, seating: str = IN_ORDER) -> RawHand:
    """A hand, if its small bet was this; of two players, `seating` says who is the dealer."""
    summary = lines.summary
    words = summary.text.split()
    if not summary.is_text or len(words) < 8 or not words[0].isdecimal() or not words[2].isdecimal():
        raise NotImported("the line is not timestamp, dealer, hand, players, pots and board", summary.number)
    rows = sorted((_row(line) for line in lines.players), key=lambda row: row.position)
    if len(rows) != len(lines.roster) or {row.name for row in rows} != set(lines.roster):
        raise NotImported(f"{len(lines.roster)} players are listed, and {len(rows)} have lines", summary.number)
    if not 2 <= len(rows) <= 10 or [row.position for row in rows] != list(range(1, len(rows) + 1)):
        raise NotImported("its players do not have the positions from 1 on, at most 10", summary.number)
    if seating == FIRST_DEALS:
        rows = rows[::-1]
    players, first = _players(rows, small_bet, last_is_small=seating != IN_ORDER)
    board = words[8:]
    return RawHand(
        source=SOURCE,
        number=int(words[2][:12]),
        limit="fixed",
        players=players,
        big_blind=Decimal(small_bet),
        first=first,
        line=summary.number,
        small_bet=Decimal(small_bet),
        actions=_actions(rows, first, summary.number),
        boards=[part for part in ("".join(board[:3]), *board[3:5]) if part],
        states_returned=False,
    )


class _Row(NamedTuple):
    """A line of a player."""

    name: str
    position: int
    rounds: tuple[str, ...]
    stack: Decimal
    spent: Decimal
    won: Decimal
    cards: str


def _row(line: Line) -> _Row:
    words = line.text.split()
    numbers = [*words[2:4], *words[8:11]]
    if not line.is_text or len(words) < 11 or not all(word.isdecimal() and len(word) <= 12 for word in numbers):
        raise NotImported(f"{line.text[:40]!r} is not the line of a player")
    for actions in words[4:8]:
        if len(actions) > 40 or set(actions) - {*_KINDS, _BLIND, _NONE}:
            raise NotImported(f"{actions[:40]!r} are not actions of the database")
    cards = "".join(words[11:13])
    stack, spent, won = (Decimal(word) for word in words[8:11])
    return _Row(words[0], int(words[3]), tuple(words[4:8]), stack, spent, won, cards)


def _players(rows: Sequence[_Row], small_bet: int, *, last_is_small: bool) -> tuple[list[RawPlayer], int]:
    """The players with their blinds, and who acts first."""
    posted = [number for number, row in enumerate(rows) if _BLIND in row.rounds[0]]
    if not posted:
        raise NotImported("nobody posts a blind")
    in_order = posted[::-1] if last_is_small else posted
    small = in_order[0] if len(posted) > 1 else None
    players = []
    for number, row in enumerate(rows):
        blind = Decimal(0) if number not in posted else Decimal(small_bet) / (2 if number == small else 1)
        player = RawPlayer(row.name, row.stack, blind=blind, cards=row.cards, collected=row.won)
        player.spent = row.spent
        players.append(player)
    big = next(number for number in in_order if number != small)
    return players, (big + 1) % len(rows)


def _actions(rows: Sequence[_Row], first: int, line: int) -> list[RawAction]:
    """All actions in order: in every round each player acts in turn, from the first on, while actions are left."""
    actions = []
    for number in range(4):
        left = [[letter for letter in row.rounds[number] if letter in _KINDS] for row in rows]
        seat = first if number == 0 else 0
        while any(left):
            if left[seat]:
                actions.append(RawAction(seat, _KINDS[left[seat].pop(0)], line))
            seat = (seat + 1) % len(rows)
    return actions
