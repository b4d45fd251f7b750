"""Import of hands from every known format, completely or in part.

ACPC logs and PHH files are imported completely or not at all. The texts of poker sites and the IRC database hold hands
that no rules here express (straddles, boards dealt twice, other games); these are left out, each with its reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.hand_texts.dialects import SITES
from pokerlab.formats.hand_texts.irc import BETS, HEADS_UP, IrcHand, irc_hands, read_irc_hand
from pokerlab.formats.hand_texts.irc import SOURCE as IRC
from pokerlab.formats.hand_texts.raw import NotImported
from pokerlab.formats.hand_texts.sites import read_site_hand, site_hands
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.hands.exchange import FORMATS, PlayedHand, read_hands, take_in
from pokerlab.match.hands.history import History
from pokerlab.match.hands.raw_hands import played_hand

IMPORTED = (*FORMATS, *SITES, IRC)
MOST_REPORTED = 1_000  # hands left out that are listed; the counts by reason are complete


@dataclass(frozen=True)
class LeftOut:
    """A hand that was not imported."""

    line: int
    reason: str


@dataclass(frozen=True)
class ImportedHands:
    """What an import took in and what it left out."""

    hands: int
    left_out: tuple[LeftOut, ...] = ()  # the first of them
    reasons: tuple[tuple[str, int], ...] = ()  # of all that were left out, the most frequent first

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON."""
        return {
            "hands": self.hands,
            "left_out": [{"line": one.line, "reason": one.reason} for one in self.left_out],
            "reasons": [{"reason": reason, "hands": count} for reason, count in self.reasons],
        }


def import_hands(history: History, path: Path, form: str, *, game: PokerGame | None = None) -> ImportedHands:
    """Import the hands of a file into a history; raises BadFile if there are none."""
    return add_hands(history, *read_all(path, form, game=game), source=f"{form}:{path.name}")


def add_hands(history: History, hands: list[PlayedHand], left_out: list[LeftOut], *, source: str) -> ImportedHands:
    """Insert the hands that were read from a file into a history."""
    groups: dict[str, list[PlayedHand]] = {}
    for hand in hands:  # hands of the same game form one match
        groups.setdefault(json.dumps(hand.game.rules.as_dict(), sort_keys=True) + hand.game.name, []).append(hand)
    with history.together():
        for group in groups.values():
            take_in(history, group, source=source)
    reasons = Counter(one.reason for one in left_out).most_common()
    return ImportedHands(len(hands), tuple(left_out[:MOST_REPORTED]), tuple(reasons))


def read_all(path: Path, form: str, *, game: PokerGame | None = None) -> tuple[list[PlayedHand], list[LeftOut]]:
    """The hands of a file, and those that cannot be imported."""
    if form not in IMPORTED:
        raise BadSetting(f"hands are imported from {', '.join(IMPORTED[:-1])} or {IMPORTED[-1]}, not {form[:40]!r}")
    if form in FORMATS:
        return read_hands(path, form, game=game), []
    if game is not None:
        raise BadSetting(f"the hands of {path} say which game they are of: leave out --game")
    hands: list[PlayedHand] = []
    left_out: list[LeftOut] = []
    for read in _irc(path) if form == IRC else _sites(path):
        if isinstance(read, PlayedHand):
            hands.append(read)
        else:
            left_out.append(LeftOut(read.line, str(read)))
    if not hands:
        why = f"line {left_out[0].line}: {left_out[0].reason}" if left_out else "it has no hands"
        others = f", and {len(left_out) - 1:,} more for such reasons" if len(left_out) > 1 else ""
        raise BadFile(f"nothing can be imported from {str(path)[:200]}: {why}{others}")
    return hands, left_out


def _sites(path: Path) -> Iterator[PlayedHand | NotImported]:
    for _, piece in site_hands(path):
        try:
            yield played_hand(read_site_hand(piece))
        except NotImported as problem:
            yield problem


def _irc(path: Path) -> Iterator[PlayedHand | NotImported]:
    bets = list(BETS)
    for line, lines in irc_hands(path):
        hand = _irc_hand(lines, bets)
        if isinstance(hand, NotImported):
            hand.line = line
        else:
            bet = hand.game.rules.rounds[0].bet
            bets = [bet, *(other for other in bets if other != bet)]  # try it first next time
        yield hand


def _irc_hand(lines: IrcHand, bets: list[int]) -> PlayedHand | NotImported:
    """The hand with the first small bet that fits; else the problem with the first that was tried."""
    problems: list[NotImported] = []
    for bet in bets:
        for seating in HEADS_UP if len(lines.players) == 2 else HEADS_UP[:1]:
            try:
                return played_hand(read_irc_hand(lines, small_bet=bet, seating=seating))
            except NotImported as problem:
                problems.append(problem)
    return problems[0]
