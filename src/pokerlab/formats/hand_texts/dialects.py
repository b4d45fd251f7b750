"""What differs between the texts of poker sites: the first line, the name before a verb, and what a raise states.

PokerStars writes "raises X to Y", and GG Poker writes the same format. 888poker and partypoker state the chips that a
raise adds, and do not state that uncalled bets are returned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

BEGINS = re.compile(
    r"(?:PokerStars|Poker)\s+(?:Zoom\s+|Home Game\s+)?(?:Hand|Game)\s+#"
    r"|\*{3,}\s*(?:\S.*\s)?Hand History for Game\s+\d+\s*\*{3,}",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?:#|Game\s+)[A-Za-z]*(\d{1,20})")
_LIMITS = (
    (re.compile(r"\b(?:No Limit|NL)\b", re.IGNORECASE), "no"),
    (re.compile(r"\b(?:Pot Limit|PL)\b", re.IGNORECASE), "pot"),
    (re.compile(r"\b(?:Fixed Limit|Fix Limit|FL|Limit)\b", re.IGNORECASE), "fixed"),
)
_HOLDEM = re.compile(r"\bHold'?em\b", re.IGNORECASE)
_OTHER = re.compile(
    r"Omaha|Stud|Razz|Draw|Badugi|HORSE|8-Game|Courchevel|6\+|Short ?Deck|ShortDeck|Pineapple|Mixed", re.IGNORECASE
)
_STAKES = re.compile(r"([^\s(/\d]{0,3}\d[\d.,\s]*)/\s*([^\s/\d]{0,3}\d[\d.,\s]*\d|[^\s/\d]{0,3}\d)")


@dataclass(frozen=True)
class Dialect:
    """The text of one site."""

    name: str
    colon: bool  # whether a colon follows a player's name
    raises_to: bool  # whether a raise states the total of the round; else the chips it adds
    states_returned: bool  # whether uncalled bets are stated


STARS = Dialect("pokerstars", colon=True, raises_to=True, states_returned=True)
GG = Dialect("gg", colon=True, raises_to=True, states_returned=True)
PACIFIC = Dialect("888", colon=False, raises_to=False, states_returned=False)
PARTY = Dialect("partypoker", colon=False, raises_to=False, states_returned=False)
SITES = (STARS.name, GG.name, PACIFIC.name, PARTY.name)


class Heading(NamedTuple):
    """What the first lines of a hand state."""

    dialect: Dialect
    number: int
    limit: str  # "no", "pot", "fixed"; "" if none is stated
    is_holdem: bool
    stakes: tuple[str, str] | None  # the two amounts of "$1/$2", if there are any
    is_tournament: bool


def heading_of(first: str, second: str) -> Heading:
    """The heading of a hand from its first two lines."""
    if first.startswith("*"):
        dialect = PARTY if re.match(r"\*+\s*Hand History", first) else PACIFIC
        described = second
    else:
        dialect = STARS if first.lower().startswith("pokerstars") else GG
        described = re.sub(r"\{[^}]*\}", "", first.partition(":")[2])
    number = _NUMBER.search(first)
    described = described.split(" - ")[0] if dialect is not STARS and "Level" not in described else described
    limit = next((kind for pattern, kind in _LIMITS if pattern.search(described)), "")
    game = _HOLDEM.search(described)
    after = described[game.end() :] if game and dialect.colon else described
    stakes = _STAKES.search(after)
    return Heading(
        dialect,
        int(number[1]) if number else 0,
        limit,
        game is not None and not _OTHER.search(described),
        (stakes[1], stakes[2]) if stakes else None,
        bool(re.search(r"Tournament|Trny|Buy-in", f"{first} {second}")),
    )
