"""Saved hands: import hands of other programs, and export a match for them."""

from __future__ import annotations

from pathlib import Path

from pokerlab.lab.play.playing import open_poker
from pokerlab.match.hands.exchange import exported, imported
from pokerlab.match.hands.history import History
from pokerlab.match.hands.query import HandsFile, MatchRow
from pokerlab.writing import replacing


def take_in(file: Path, source: Path, form: str, *, game: str | None = None) -> int:
    """Import the hands of a log or a PHH into a file of hands; return their number."""
    table = None if game is None else open_poker(game, "")
    with History(file) as history:
        return imported(history, source, form, game=table)


def write_out(hands: HandsFile, out: Path, form: str, *, match: int | None = None) -> MatchRow:
    """Export a match, by default the last one, as a log or a PHH, atomically; return the match."""
    chosen = hands.match(match)
    lines = exported(hands, chosen, form)
    with replacing(out) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
    return chosen
