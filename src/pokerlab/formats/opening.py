"""One door to every game: a name with settings, the path of a file that describes a game, or a person's own code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pokerlab import registry
from pokerlab.errors import BadFile, BadSetting, shortened
from pokerlab.games.game import Game
from pokerlab.settings import read, spec_text

SUFFIXES = (".efg", ".nfg", ".csv", ".json", ".toml", ".game")


def open_game(spec: str | Path | Game, /, **settings: Any) -> Game:
    """The game that a text names: "leduc", "kuhn(players=3)", the path of a file that ends as in SUFFIXES, or own code.

    Own code is written as in registry.py ("./mygame.py(cards=3)"), and that is what the game is called, so that its
    name reads back. A game is given back as it is. Keyword settings override those in the text.

    >>> open_game("rock-paper-scissors").players
    2
    """
    if isinstance(spec, Game):
        if settings:
            raise BadSetting(f"{spec.name} is made already and takes no more settings")
        return spec
    text = str(spec)
    if is_path(text):
        return open_file(text, **settings)
    made = registry.load("games", text, like=Game, **settings)
    assert isinstance(made, Game)
    name, given = read(text)
    return registry.renamed(made, spec_text(name, given | settings)) if registry.is_own(name) else made


def is_path(text: str) -> bool:
    """Whether a text is the path of a game file rather than the name of a game: it ends like one and is no call."""
    return "(" not in text and text.strip().lower().endswith(SUFFIXES)


def open_file(path: str | Path, **settings: Any) -> Game:
    """The game that a file describes; its suffix says in which language."""
    text = str(path).strip()
    suffix = Path(text).suffix.lower()
    if suffix not in SUFFIXES:
        raise BadFile(f"{shortened(text)!r} does not end like a file of a game; known: {', '.join(SUFFIXES)}")
    if settings:
        raise BadSetting(f"a game read from a file takes no settings, but got {', '.join(settings)}")
    if suffix in (".toml", ".game"):
        from pokerlab.formats import gamedef

        return gamedef.read(text)
    if suffix == ".efg":
        from pokerlab.formats import gambit

        return gambit.read_efg(text)
    if suffix == ".nfg":
        from pokerlab.formats import gambit

        return gambit.read_nfg(text)
    from pokerlab.formats import matrix

    return matrix.read_table(text)
