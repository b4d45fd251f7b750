"""The entry point for every game: a name with settings, or the path of a game file or a solved spot."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isfile  # returns False, without an error, for a text that cannot be a path
from pathlib import Path
from typing import Any

from pokerlab import registry, store
from pokerlab.errors import BadFile, BadSetting, PokerlabError, check_textual, shortened
from pokerlab.formats.game_file import check_saved, file_of, path_in
from pokerlab.formats.stochastic_file import MOST_BYTES as MOST_TOML
from pokerlab.formats.stochastic_file import read as read_stochastic
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Rules
from pokerlab.games.spot.spot import SEATS, Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.games.trial import try_out
from pokerlab.reading import read_text, toml_table

SUFFIXES = (".efg", ".nfg", ".csv", ".json", ".toml", ".game")
SOLUTIONS = ("solution", "spot solution")  # kinds of saved files that may hold a spot


def open_game(spec: str | Path | Game, /, **settings: Any) -> Game:
    """The game that a text names: "leduc", "kuhn(players=3)", a file with one of SUFFIXES, or your own code.

    Your own code is written as in registry.py ("./mygame.py(cards=3)"); the game is named that way too, so that its
    name can be read back. The path of a saved solution opens the game it solves. A game object is returned unchanged, a
    game class is instantiated, and poker rules become a game. Keyword settings override those in the text.

    >>> open_game("rock-paper-scissors").players
    2
    """
    if not isinstance(spec, str | Path):
        return _from_object(spec, settings)
    text = str(spec)
    if is_path(text) or (is_saved(text) and not text.strip().endswith(".py")):
        return open_file(text, **settings)
    return _validated(registry.load("games", text, like=Game, adapt=_of_rules, **settings))


def _from_object(thing: Any, settings: dict[str, Any]) -> Game:
    """A game given as a Python object: a game, a game class, or poker rules."""
    if settings and not isinstance(thing, type):
        raise BadSetting(f"{type(thing).__name__} is a game object already, so it takes no settings")
    if isinstance(thing, type):
        registry.follows(thing, Game, "game")
        thing = registry.call(thing.__name__, thing, settings)
    game = _of_rules(thing)
    if not hasattr(game, "name"):
        registry.renamed(game, type(game).__name__.lower())
    registry.follows(game, Game, "game")
    return _validated(game)


def _of_rules(thing: Any) -> Any:
    return PokerGame(thing) if isinstance(thing, Rules) else thing


def _validated(game: Game) -> Game:
    """The game; one from outside this package is validated first."""
    if not type(game).__module__.startswith("pokerlab."):
        try_out(game)
    return game


def is_path(text: str) -> bool:
    """Whether a text is the path of a game file rather than a game name: it has a known suffix and is not a call."""
    return "(" not in text and text.strip().lower().endswith(SUFFIXES)


def is_saved(text: str) -> bool:
    """Whether a text is the path of an existing file that may be a saved solution: its suffix is not a game file's."""
    suffix = Path(text.strip()).suffix.lower()
    return "(" not in text and bool(suffix) and suffix not in SUFFIXES and isfile(text.strip())


def spot_of(path: str | Path) -> Spot:
    """The spot in a TOML file or a saved solution of a spot; raises BadFile saying what else the file is."""
    from pokerlab.formats.spot_file import read_file, spot_from, warn_doubtful_sizes

    file = Path(path)
    written = file.suffix.lower() == ".toml"
    if written:
        settings = read_file(file)
    else:
        manifest = store.manifest_of(file)
        if manifest.get("kind") not in SOLUTIONS or not isinstance(manifest.get("spot"), dict):
            raise BadFile(f"{file} does not hold a spot: it is a {shortened(str(manifest.get('kind')))} file")
        settings = manifest["spot"]
    try:
        spot = spot_from(settings)
        if written:
            warn_doubtful_sizes(settings)
        return spot
    except PokerlabError as problem:
        raise type(problem)(f"{file}: {problem}") from problem
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{file} is damaged: its settings are not those of a spot") from problem


def open_spot(path: str | Path) -> SpotGame:
    """The spot in a TOML file or a saved solution as a playable game."""
    text = str(path).strip()
    return SpotGame(spot_of(text), f"file(path={text!r})")


def open_saved(path: str | Path) -> Game:
    """The game or spot of a saved solution; a game file or your own code must be unchanged."""
    text = str(path).strip()
    manifest = store.manifest_of(text)
    game = manifest.get("game")
    if manifest.get("kind") != SOLUTIONS[0] or "spot" in manifest or not isinstance(game, str):
        return open_spot(text)
    file = file_of(manifest.get("game_file"), text)
    if file is not None:
        game = file.current_name(game, beside=Path(text).parent)
    elif path_in(game) is not None:  # the path may be that of this very file
        raise BadFile(f"{shortened(text)} was solved from {shortened(game)} without its checksum: open that instead")
    check_saved(game, file)
    return open_game(game)


def open_file(path: str | Path, **settings: Any) -> Game:
    """The game that a file describes; the suffix determines the format."""
    text = str(path).strip()
    suffix = Path(text).suffix.lower()
    check_textual(text)
    if settings:
        raise BadSetting(f"a game read from a file takes no settings, but got {', '.join(settings)}")
    if suffix not in SUFFIXES and not isfile(text):
        raise BadFile(f"{shortened(text)!r} does not have the suffix of a game file; known: {', '.join(SUFFIXES)}")
    if suffix not in SUFFIXES:
        return open_saved(text)
    if suffix == ".toml" and is_spot_file(text):
        return open_spot(text)
    if suffix == ".toml" and "state" in _toml_keys(text):
        return read_stochastic(text)
    from pokerlab.formats import gambit, gamedef, matrix

    readers: dict[str, Callable[[str], Game]] = {".efg": gambit.read_efg, ".nfg": gambit.read_nfg}
    readers |= {".toml": gamedef.read, ".game": gamedef.read, ".csv": matrix.read_table, ".json": matrix.read_table}
    return readers[suffix](text)


def is_spot_file(path: str) -> bool:
    """Whether a TOML file defines a spot rather than the rules of a game; False if it cannot be read."""
    return not _toml_keys(path).isdisjoint(("board", *SEATS))


def _toml_keys(path: str) -> set[str]:
    """The keys of a TOML file; empty if it cannot be read, which the reader of its format then reports."""
    try:
        return set(toml_table(read_text(path, most=MOST_TOML)))
    except PokerlabError:
        return set()
