"""The game of a match over the ACPC protocol: the rules that both ends play by, and the comment that names it.

A dealer plays by the rules of the ACPC server, if a game definition can express the game, so that programs written
for that server see nothing they do not know. The protocol does not say which game is played. A dealer here opens with a
comment, which other programs ignore:

    # game {"game":"kuhn","rules":{...}}

It holds the rules, not a file, and opening it runs no code. Programs of the competition read lines of up to 4,096
bytes, so a game that takes much more to describe is not named.
"""

from __future__ import annotations

import json
from dataclasses import replace

from pokerlab.errors import BadSetting, PokerlabError, shortened
from pokerlab.formats.game_words import game_from, words_of
from pokerlab.formats.gamedef import acpc_text, server_rules
from pokerlab.games.poker.engine import PokerGame
from pokerlab.reading import json_value

_OPENING = "# game "
_MOST_LETTERS = 2000
_UNNAMED = "the dealer's game"


def as_dealt(game: PokerGame) -> PokerGame:
    """The game with the rules of the ACPC server; unchanged if its definitions cannot express it."""
    if type(game) is not PokerGame:  # a spot, or a game of the user's own with more than rules
        return game
    try:
        rules = server_rules(game.rules)
    except BadSetting:
        return game
    return game if rules == game.rules else PokerGame(rules, game.name)


def with_rulings_of(dealer: PokerGame, game: PokerGame) -> PokerGame:
    """A game with the dealer's rulings where the rules of the ACPC server differ from those of rule books."""
    if type(game) is not PokerGame:
        return game
    rulings = {name: getattr(dealer.rules, name) for name in ("odd_chips", "reopens_at", "least_raise")}
    return PokerGame(replace(game.rules, **rulings), game.name)


def game_comment(game: PokerGame) -> str:
    """The comment that names a game; empty if that takes too long a line."""
    words = words_of(game)
    if "/" in game.name or "\\" in game.name:  # the path of a file is of no use elsewhere, and nobody's business
        words["game"] = _UNNAMED
    if "spot" in words:
        del words["rules"]
    line = _OPENING + json.dumps(words, separators=(",", ":"))
    return line if len(line) <= _MOST_LETTERS else ""


def read_game_comment(line: str) -> PokerGame | None:
    """The game that a comment names; None if it is another comment. Raises BadSetting if it cannot be read."""
    if not line.startswith(_OPENING):
        return None
    try:
        if len(line) > _MOST_LETTERS:
            raise BadSetting(f"it has {len(line):,} characters")
        return game_from(json_value(line[len(_OPENING) :]))
    except (PokerlabError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        raise BadSetting(f"the dealer's game {shortened(line)!r} cannot be read: {problem}") from problem


def is_same_game(one: PokerGame, other: PokerGame) -> bool:
    """Whether two games are the same over the protocol, whatever their names and the names of their cards."""
    if {**words_of(one), "game": ""} == {**words_of(other), "game": ""}:
        return True
    if type(one) is not PokerGame or type(other) is not PokerGame:
        return False
    try:
        return acpc_text(one.rules) == acpc_text(other.rules)
    except BadSetting:
        return False
