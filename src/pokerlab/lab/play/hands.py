"""Saved hands: open them, import hands of other programs, and export a match for them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from pokerlab import registry
from pokerlab.errors import BadFile, BadSetting, shortened
from pokerlab.formats.hand_texts.dialects import BEGINS
from pokerlab.formats.hand_texts.lines import read_lines
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.playing import GAME_LINE, open_poker
from pokerlab.match.hands.exchange import PlayedHand, exported, read_hands
from pokerlab.match.hands.history import History
from pokerlab.match.hands.imports import ImportedHands, add_hands, read_all
from pokerlab.match.hands.query import HandsFile, MatchRow
from pokerlab.reading import read_text
from pokerlab.specs import read
from pokerlab.writing import reason, replacing

_DATABASE = b"DUCK"  # at offset 8 of a file of hands
_PHH = (".phh", ".phhs")


def take_in(file: Path, source: Path, form: str, *, game: str | None = None) -> ImportedHands:
    """Import the hands of another program's file into a file of hands."""
    table = None if game is None else open_poker(game, "")
    hands, left_out = read_all(source, form, game=table)  # before the file of hands is made
    with History(file) as history:
        return add_hands(history, hands, left_out, source=f"{form}:{source.name}")


def write_out(hands: HandsFile, out: Path, form: str, *, match: int | None = None) -> MatchRow:
    """Export a match, by default the last one, as a log or a PHH, atomically; return the match."""
    chosen = hands.match(match)
    lines = exported(hands, chosen, form)
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    return chosen


def open_hands(
    path: Path, *, game: str | None = None, match: int | None = None, most: int | None = None
) -> list[PlayedHand]:
    """The hands of a file of hands (of one match, by default the last), a log, a PHH file, or a poker site's text.

    At most the last `most` are returned.

    A log names its game in a comment "# game NAME", as `play` writes it; for others the game must be given.
    """
    if _is_database(path):
        if game is not None:
            raise BadSetting(f"{path} names its game: leave out --game")
        return _saved_hands(path, match, most)
    if match is not None:
        raise BadSetting(f"{path} is not a file of several matches: leave out --match")
    if _is_of_a_site(path):
        if game is not None:
            raise BadSetting(f"the hands of {path} say which game they are of: leave out --game")
        hands, _ = read_all(path, "pokerstars")
        return hands if most is None else hands[-most:]
    form = "phh" if path.suffix.lower() in _PHH else "acpc"
    table = None if form == "phh" else _game_of_log(path, game)
    hands = read_hands(path, form, game=table)
    return hands if most is None else hands[-most:]


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == _DATABASE
    except OSError as problem:
        raise BadFile(f"cannot read {str(path)[:200]}: {reason(problem)}") from problem


def _is_of_a_site(path: Path) -> bool:
    first = next((line.text for line in read_lines(path) if line.text), "")
    return path.suffix.lower() not in _PHH and (BEGINS.match(first) is not None or first.startswith("#Game No"))


def _game_of_log(path: Path, game: str | None) -> PokerGame:
    named = re.match(rf"{GAME_LINE}(.+)", read_text(path))
    if game is None and named is None:
        raise BadSetting(f"{path} does not name its game: add --game holdem-nolimit")
    if game is None and named is not None:
        game = named[1].strip()
        if not registry.is_known("games", read(game)[0]):  # a log may come from anyone, and runs no code that it names
            raise BadSetting(f"{path} is of {shortened(game)}, a game of your own: name it with --game")
    return open_poker(game or "", "")


def _saved_hands(path: Path, match: int | None, most: int | None) -> list[PlayedHand]:
    with HandsFile(path) as file:
        chosen = file.match(match)
        first = 0 if most is None else max(chosen.hands - most, 0)
        return [
            PlayedHand(game, hand.cards, hand.betting, hand.payoffs, hand.names(chosen), hand.number, hand.deal)
            for hand in islice(file.hands(chosen), first, None)
            for game in (hand.game(chosen),)
        ]
