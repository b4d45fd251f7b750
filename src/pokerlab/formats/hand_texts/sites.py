"""Hands in the texts of poker sites: PokerStars, GG Poker, 888poker and partypoker.

Only what decides a hand is read: who sat where with how much, what was posted, done, dealt, shown and won. Other lines
(chat, time banks, connections) do not count. Straddles, hands run more than once, and hands that somebody cashed out of
are refused, each with its line, because no rules here express them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from pokerlab.formats.hand_texts.dialects import BEGINS, Dialect, Heading, heading_of
from pokerlab.formats.hand_texts.lines import MOST_LINES, Line, pieces, read_lines
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
    amount_of,
    cards_of,
)

_ABOVE = re.compile(r"#?Game (?:No\s*:|#)", re.IGNORECASE)  # a line above the first one of a hand
CENTS = 100  # whole chips in a unit of money
_SEAT = re.compile(
    r"Seat (\d{1,2}):\s*(.+?)\s*\(\s*([^()]*?\d[^()]*?)(?:\s+in chips)?(?:,[^()]*bounty[^()]*)?\s*\)(.*)"
)
_BUTTON = re.compile(r"(?:.*\s)?Seat #?(\d{1,2}) is the button", re.IGNORECASE)
_BOARD = re.compile(r"\*\*\*? (?:Dealing )?(FLOP|TURN|RIVER) \*\*\*?.*\[\s*([^\[\]]+?)\s*\]$", re.IGNORECASE)
_AGAIN = re.compile(r"\*\*\* (FIRST|SECOND|THIRD) |Hand was run|board #?2", re.IGNORECASE)
_INSURED = re.compile(r"cash(?:ed|es)? ?out|insurance", re.IGNORECASE)
_HIDDEN = re.compile(r"\*\*\*? (?:HOLE CARDS|Dealing down cards) \*\*\*?", re.IGNORECASE)
_SUMMARY = re.compile(r"\*\*\*? SUMMARY \*\*\*?", re.IGNORECASE)
_DEALT = re.compile(r"Dealt to (.+?)\s*\[\s*([^\[\]]+?)\s*\]$")
_RETURNED = re.compile(r"Uncalled bet \(([^()]+)\) returned to (.+)")
_SHOWED = re.compile(r"(?:showed|mucked|shows|mucks(?: hand)?)\s*\[\s*([^\[\]]+?)\s*\]")
_COLLECTED = re.compile(r"(?:collected|wins)\s+\[?\s*([^\s\d]{0,3}\d[\d.,\s]*)")
_POSTS = re.compile(r"posts\s+(?:the\s+|an?\s+)?([a-z&+ ]+?)\s*\[?\s*([^\s\d\[]{0,3}\d.*?)\]?\.?$", re.IGNORECASE)
_ACTS = re.compile(
    r"(folds|checks|calls|bets|raises|is all-in)\b(?:\s*\[?\s*([^\s\d\[]{0,3}\d[\d.,\s]*))?"
    r"(?:[^\]]*?\bto\s+([^\s\d]{0,3}\d[\d.,\s]*))?",
    re.IGNORECASE,
)
_KINDS = {"folds": FOLD, "checks": CHECK, "calls": CALL, "bets": BET, "raises": RAISE, "is all-in": ALL_IN}


def site_hands(path: Path) -> Iterator[tuple[int, list[Line]]]:
    """The pieces of a file that may each be a hand, with the number of their first line."""
    lines = [line for line in read_lines(path) if not _ABOVE.match(line.text)]
    for piece in pieces(lines, BEGINS):
        yield piece[0].number, piece


def read_site_hand(piece: Sequence[Line]) -> RawHand:
    """The hand that a piece of a file states; NotImported, with the reason and the line, if it states none."""
    first = piece[0]
    if not BEGINS.match(first.text):
        raise NotImported("no hand begins here", first.number)
    if len(piece) > MOST_LINES:
        raise NotImported(f"it has {len(piece):,} lines, too many for a hand", first.number)
    for line in piece:
        if not line.is_text:
            raise NotImported("the line is not text, or too long", line.number)
    second = piece[1].text if len(piece) > 1 else ""
    return _SiteReader(heading_of(first.text, second), first.number).read(piece)


class _SiteReader:
    """Reads the lines of one hand."""

    def __init__(self, heading: Heading, line: int) -> None:
        self._heading, self._dialect, self._begins = heading, heading.dialect, line
        if not heading.is_holdem or not heading.limit:
            raise NotImported("it is not of hold'em, or its limit is not stated", line)
        self._seats: dict[str, tuple[int, Decimal]] = {}  # the seat and the stack of each name
        self._button = 0
        self._posted: dict[str, list[tuple[str, Decimal, int]]] = {}
        self._cards: dict[str, str] = {}
        self._collected: dict[str, Decimal] = {}
        self._returned: dict[str, Decimal] = {}
        self._actions: list[tuple[str, RawAction]] = []
        self._boards: list[str] = []
        self._active: dict[str, None] = {}  # who was dealt in
        self._names: list[str] = []  # longest first
        self._summary = self._dealt = False

    def read(self, piece: Sequence[Line]) -> RawHand:
        """Read every line."""
        for line in piece[1:]:
            try:
                self._read(line)
            except NotImported as problem:
                raise NotImported(str(problem), problem.line or line.number) from problem
        return self._hand()

    def _read(self, line: Line) -> None:
        text = line.text
        if _AGAIN.match(text):
            raise NotImported("the board was dealt more than once (run it twice)", line.number)
        if match := _BUTTON.match(text):
            self._button = int(match[1])
        elif not self._dealt and (match := _SEAT.match(text)):
            self._sit(match, line.number)
        elif _SUMMARY.match(text):
            self._summary = True
        elif _HIDDEN.match(text):
            self._dealt = True
        elif match := _BOARD.match(text):
            self._boards.append(cards_of(match[2]))
        elif match := _DEALT.match(text):
            self._note_cards(match[1], match[2], line.number)
        elif match := _RETURNED.match(text):
            self._add(self._returned, match[2], amount_of(match[1]))
        else:
            self._read_player(line)

    def _sit(self, match: re.Match[str], line: int) -> None:
        name = match[2]
        if name in self._seats:
            raise NotImported(f"two players are called {name[:40]!r}", line)
        self._seats[name] = int(match[1]), amount_of(match[3])
        self._names = sorted(self._seats, key=len, reverse=True)

    def _read_player(self, line: Line) -> None:
        text = re.sub(r"^Seat \d+: ", "", line.text) if self._summary else line.text
        name = next((name for name in self._names if text.startswith(name)), None)
        if name is None:
            return
        rest = text[len(name) :]
        if self._dialect.colon and rest.startswith(":"):
            self._read_act(name, rest[1:].strip(), line.number)
        elif rest[:1] == " " and not self._dialect.colon and not self._read_won(name, rest):
            self._read_act(name, rest.strip(), line.number)
        elif rest[:1] == " " and self._dialect.colon and not self._read_won(name, rest):
            shown = _SHOWED.search(rest)
            if shown is not None:
                self._note_cards(name, shown[1], line.number)

    def _read_won(self, name: str, rest: str) -> bool:
        match = _COLLECTED.match(rest.strip())
        if match and not (self._summary and self._dialect.colon):  # where the summary repeats it
            self._add(self._collected, name, amount_of(match[1]))
        return match is not None

    def _read_act(self, name: str, text: str, line: int) -> None:
        if _INSURED.search(text) and not text.lower().startswith("said"):
            raise NotImported(f"{name[:40]} cashed out or took insurance, so results are not those of the cards", line)
        if re.match(r"(?:posts )?(?:the |a )?straddle", text, re.IGNORECASE):
            raise NotImported(f"{name[:40]} straddles", line)
        if match := _POSTS.match(text):
            self._post(name, match[1].lower(), match[2], line)
        elif (match := _ACTS.match(text)) and not self._summary:
            self._act(name, match, line)
        elif match := _SHOWED.match(text):
            self._note_cards(name, match[1], line)

    def _post(self, name: str, what: str, amount: str, line: int) -> None:
        self._active[name] = None
        parts = [amount_of(part) for part in amount.split("+")]
        self._posted.setdefault(name, []).append((what, sum(parts, Decimal(0)), line))

    def _act(self, name: str, match: re.Match[str], line: int) -> None:
        self._active[name] = None
        kind = _KINDS[match[1].lower()]
        added = amount_of(match[2]) if match[2] else None
        to = amount_of(match[3]) if match[3] else None
        if kind in (BET, RAISE) and added is None:
            raise NotImported(f"{name[:40]} {match[1]} an amount that is not stated", line)
        if kind == RAISE and self._dialect.raises_to:
            if to is None:
                raise NotImported(f"{name[:40]} raises without saying to how much", line)
            added = None
        self._actions.append((name, RawAction(0, kind, line, added, to)))

    def _note_cards(self, name: str, text: str, line: int) -> None:
        cards = cards_of(text)
        if name not in self._seats or len(cards) != 4:
            return  # one card shown, or a player of another table's window
        self._active[name] = None
        if self._cards.setdefault(name, cards) != cards and sorted(_pair(self._cards[name])) != sorted(_pair(cards)):
            raise NotImported(f"{name[:40]} shows cards that differ from those dealt", line)

    def _add(self, to: dict[str, Decimal], name: str, amount: Decimal) -> None:
        if name not in self._seats:
            raise NotImported(f"{name[:40]!r} does not sit at the table")
        to[name] = to.get(name, Decimal(0)) + amount

    def _hand(self) -> RawHand:
        order = self._order()
        players = [self._player(name) for name in order]
        big_blind, first = self._blinds(order, players)
        index = {name: number for number, name in enumerate(order)}
        actions = [RawAction(index[name], one.kind, one.line, one.added, one.to) for name, one in self._actions]
        fixed = self._heading.limit == "fixed"
        return RawHand(
            source=self._dialect.name,
            number=self._heading.number,
            limit=self._heading.limit,
            players=players,
            big_blind=big_blind,
            first=first,
            line=self._begins,
            small_bet=big_blind if fixed else Decimal(0),
            scale=self._scale(players, actions),
            actions=actions,
            boards=self._boards,
            states_returned=self._dialect.states_returned,
        )

    def _order(self) -> list[str]:
        """The players dealt in, from the left of the button to the button."""
        if not self._dealt:
            raise NotImported("it is cut off before the cards are dealt", self._begins)
        if not self._button:
            raise NotImported("it does not say where the button is", self._begins)
        if not 2 <= len(self._active) <= 10:
            raise NotImported(f"{len(self._active)} players are dealt in, not 2 to 10", self._begins)
        return sorted(self._active, key=lambda name: (self._seats[name][0] - self._button - 1) % 100)

    def _player(self, name: str) -> RawPlayer:
        player = RawPlayer(name, self._seats[name][1], cards=self._cards.get(name, ""))
        player.collected = self._collected.get(name, Decimal(0))
        player.returned = self._returned.get(name, Decimal(0))
        return player

    def _blinds(self, order: Sequence[str], players: Sequence[RawPlayer]) -> tuple[Decimal, int]:
        """Enter what was posted; returns the big blind, and who acts first."""
        small, big = self._stakes()
        most_ante = max(
            (chips for posts in self._posted.values() for what, chips, _ in posts if "ante" in what), default=Decimal(0)
        )
        bigs: list[int] = []
        smalls: list[int] = []
        for number, (name, player) in enumerate(zip(order, players, strict=True)):
            for what, chips, line in self._posted.get(name, ()):
                if "ante" in what:
                    player.ante += most_ante if chips == player.stack else chips
                elif "small" in what and "big" not in what:
                    player.blind += small if chips < small else chips
                    smalls.append(number)
                elif what == "big blind":
                    player.blind += big if chips < big else chips
                    bigs.append(number)
                elif "dead" in what or "small & big" in what:
                    player.ante += max(chips - big, Decimal(0))
                    player.blind += min(chips, big)
                elif "missed" in what:
                    player.blind += chips
                else:
                    raise NotImported(f"{name[:40]} posts {what}, which is not known here", line)
        if not bigs:
            raise NotImported("nobody posts the big blind", self._begins)
        before = [number for number in bigs if not smalls or number > smalls[0] or len(order) == 2]
        first_big = (before or bigs)[0]
        return big, (first_big + 1) % len(order)

    def _stakes(self) -> tuple[Decimal, Decimal]:
        """The full small and big blind: from the heading, else the most that was posted."""
        posts = [(what, chips) for one in self._posted.values() for what, chips, _ in one]
        posted = [
            max((chips for what, chips in posts if what == kind), default=Decimal(0))
            for kind in ("small blind", "big blind")
        ]
        if self._heading.stakes is None or self._heading.limit == "fixed":
            short = any(sum(chips for _, chips, _ in one) >= self._seats[name][1] for name, one in self._posted.items())
            return posted[0], max(posted[1], 2 * posted[0]) if short else posted[1]
        small, big = (amount_of(text) for text in self._heading.stakes)
        return small, max(big, posted[1]) if posted[1] <= big else big

    def _scale(self, players: Sequence[RawPlayer], actions: Sequence[RawAction]) -> int:
        """Cents for money; chips are whole."""
        amounts = [value for one in players for value in (one.stack, one.ante, one.blind, one.collected, one.returned)]
        amounts += [value for one in actions for value in (one.added, one.to) if value is not None]
        if all(value == value.to_integral_value() for value in amounts) and self._heading.is_tournament:
            return 1
        if any(value * CENTS != (value * CENTS).to_integral_value() for value in amounts):
            raise NotImported("it has amounts finer than a hundredth", self._begins)
        return CENTS


def _pair(cards: str) -> tuple[str, str]:
    return cards[:2], cards[2:]


__all__ = ["Dialect", "read_site_hand", "site_hands"]
