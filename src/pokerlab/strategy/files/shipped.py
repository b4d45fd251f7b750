"""Small blueprints that come with the package, ready to play."""

from __future__ import annotations

import shlex
from functools import lru_cache
from pathlib import Path

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.exchange_cards import ExchangeCards
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load

DRAW = "draw.blueprint"
FOLDER = Path(__file__).parents[1] / "blueprints"
ROBUST = "robust.blueprint"
NAMED = {"draw-blueprint": DRAW, "robust-blueprint": ROBUST}  # agents that play a single file, by name
SHORT, SHORT_BLINDS = "short.blueprint", 20  # for no-limit games with stacks of up to this many big blinds
FILES = {"fixed": "limit.blueprint", "no": "nolimit.blueprint", "pot": "nolimit.blueprint"}  # by limit


def path_of(file: Path) -> Path:
    """The file itself, or the shipped blueprint if the name is an agent's and no such file exists."""
    return FOLDER / NAMED[str(file)] if str(file) in NAMED and not file.exists() else file


def name_of(path: Path) -> str:
    """What to type for a file: for a shipped one, the name of the agent that plays it."""
    return next((name for name, file in NAMED.items() if path == FOLDER / file), str(path))


def cards_of(game: PokerGame) -> CardRounds | ExchangeCards:
    """How a game deals its cards; a blueprint must match it."""
    return ExchangeCards.of(game) if game.dealing.draws else CardRounds.of(game)


def _file_of(game: PokerGame) -> str | None:
    """The file that suits a game: by its betting, and by its stacks where these are short."""
    if game.dealing.draws:
        return DRAW
    name, blinds, stacks = FILES.get(game.rules.limit), game.rules.blinds, game.rules.stacks
    if game.rules.limit != "fixed" and stacks and blinds and sorted(stacks)[-2] <= SHORT_BLINDS * max(blinds):
        return SHORT
    return name


def shipped(game: PokerGame) -> Solution:
    """The shipped blueprint for a game; BadSetting if there is none."""
    name = _file_of(game)
    solution = opened(name) if name and (FOLDER / name).is_file() and game.players == 2 else None
    if solution is None or cards_of(solution.strategy.form.game) != cards_of(game):
        raise BadSetting(
            f"no blueprint of {game.name} comes with the package: there are some of two-player limit and no-limit "
            "hold'em and of five-card draw; "
            f"train one with `pokerlab train {shlex.quote(game.name)} --out my.blueprint` and name its file"
        )
    return solution


@lru_cache(maxsize=4)
def opened(name: str) -> Solution:
    """Open a file of the blueprint folder."""
    return load(FOLDER / name)
