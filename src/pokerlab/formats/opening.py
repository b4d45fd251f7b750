"""One door to every game: a name with settings, or the path of a file that describes a game or holds a solved spot."""

from __future__ import annotations

from os.path import isfile  # False, and no error, for a text that cannot be a path
from pathlib import Path
from typing import Any

from pokerlab import registry, store
from pokerlab.errors import BadFile, BadSetting, PokerlabError, shortened
from pokerlab.games.game import Game
from pokerlab.games.spot.spot import SEATS, Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.settings import read, spec_text

SUFFIXES = (".efg", ".nfg", ".csv", ".json", ".toml", ".game")
SOLUTIONS = ("solution", "spot solution")  # kinds of kept files that may hold a spot


def open_game(spec: str | Path | Game, /, **settings: Any) -> Game:
    """The game that a text names: "leduc", "kuhn(players=3)", the path of a file that ends as in SUFFIXES, or own code.

    Own code is written as in registry.py ("./mygame.py(cards=3)"), and that is what the game is called, so that its
    name reads back. The path of a kept solution is what was solved. A game is given back as it is. Keyword settings
    override those in the text.

    >>> open_game("rock-paper-scissors").players
    2
    """
    if isinstance(spec, Game):
        if settings:
            raise BadSetting(f"{spec.name} is made already and takes no more settings")
        return spec
    text = str(spec)
    if is_path(text) or (is_kept(text) and not text.strip().endswith(".py")):
        return open_file(text, **settings)
    made = registry.load("games", text, like=Game, **settings)
    assert isinstance(made, Game)
    name, given = read(text)
    return registry.renamed(made, spec_text(name, given | settings)) if registry.is_own(name) else made


def is_path(text: str) -> bool:
    """Whether a text is the path of a game file rather than the name of a game: it ends like one and is no call."""
    return "(" not in text and text.strip().lower().endswith(SUFFIXES)


def is_kept(text: str) -> bool:
    """Whether a text is the path of a file there is that may be a kept solution: it has a suffix, no game file's."""
    suffix = Path(text.strip()).suffix.lower()
    return "(" not in text and bool(suffix) and suffix not in SUFFIXES and isfile(text.strip())


def spot_of(path: str | Path) -> Spot:
    """The spot of a TOML file, or of a kept solution of a spot; BadFile says what else the file is."""
    from pokerlab.formats.spot_file import read_file, spot_from, tell_doubtful_sizes

    file = Path(path)
    written = file.suffix.lower() == ".toml"
    if written:
        settings = read_file(file)
    else:
        manifest = store.manifest_of(file)
        if manifest.get("kind") not in SOLUTIONS or not isinstance(manifest.get("spot"), dict):
            raise BadFile(f"{file} is not of a spot: it is a {shortened(str(manifest.get('kind')))} file")
        settings = manifest["spot"]
    try:
        spot = spot_from(settings)
        if written:
            tell_doubtful_sizes(settings)
        return spot
    except PokerlabError as problem:
        raise type(problem)(f"{file}: {problem}") from problem
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{file} is damaged: its settings are not those of a spot") from problem


def open_spot(path: str | Path) -> SpotGame:
    """The spot of a TOML file or of a kept solution as a game to be played."""
    text = str(path).strip()
    return SpotGame(spot_of(text), f"file(path={text!r})")


def open_kept(path: str | Path) -> Game:
    """The game or spot of a kept solution; a game of a person's own code, or of a file, is not opened by its name."""
    text = str(path).strip()
    manifest = store.manifest_of(text)
    game = manifest.get("game")
    if manifest.get("kind") != SOLUTIONS[0] or "spot" in manifest or not isinstance(game, str):
        return open_spot(text)
    name, settings = read(game)
    if registry.is_own(name) or "path" in settings:
        raise BadFile(f"{shortened(text)} is a solution of {shortened(game)}: open that, and seat strategy:{text}")
    return open_game(game)


def open_file(path: str | Path, **settings: Any) -> Game:
    """The game that a file describes; its suffix says in which language."""
    text = str(path).strip()
    suffix = Path(text).suffix.lower()
    if settings:
        raise BadSetting(f"a game read from a file takes no settings, but got {', '.join(settings)}")
    if suffix not in SUFFIXES and not isfile(text):
        raise BadFile(f"{shortened(text)!r} does not end like a file of a game; known: {', '.join(SUFFIXES)}")
    if suffix == ".toml" and is_spot_file(text):
        return open_spot(text)
    if suffix not in SUFFIXES:
        return open_kept(text)
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


def is_spot_file(path: str) -> bool:
    """Whether a TOML file sets out a spot rather than the rules of a game; one that cannot be read is no spot."""
    from pokerlab.formats.spot_file import read_file

    try:
        return any(word in read_file(path) for word in ("board", *SEATS))
    except PokerlabError:
        return False  # its reader says what is wrong
