"""The game protocol: eight methods on an immutable state.

Solvers and agents use only these. A state is any hashable value; `child` returns a new one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, NamedTuple, Protocol, runtime_checkable

from pokerlab.errors import BadGame, TooLarge, quoted

CHANCE = -1  # the player to act at chance nodes
TERMINAL = -2  # the player to act at terminal nodes
OF_A_SUM = 1e-9  # payoffs whose sum is below this share of the terminal's largest payoff count as zero-sum (rounding)
MOST_BRANCHES = 10**6  # from one node; a node with more is refused before they are listed
ROUNDING = 1e-13  # differences below this share of the game's largest payoff are rounding


@runtime_checkable
class Game(Protocol):
    """The rules of a finite game of any number of players, with chance and hidden information."""

    @property
    def name(self) -> str:
        """The name with its settings, as `registry.load("games", name)` reads it: "kuhn(players=3)"."""

    @property
    def players(self) -> int:
        """The number of players, which are numbered from 0."""

    def root(self) -> Any:
        """The state before anything has happened."""

    def player(self, state: Any) -> int:
        """The player to act: a player, CHANCE or TERMINAL."""

    def actions(self, state: Any) -> Sequence[Any]:
        """The legal actions of the player to act, in a fixed order; the same for all states of an infoset."""

    def outcomes(self, state: Any) -> Sequence[tuple[Any, float]]:
        """The chance outcomes, with probabilities that sum to one."""

    def child(self, state: Any, action: Any) -> Any:
        """The state after an action or a chance outcome."""

    def returns(self, state: Any) -> Sequence[float]:
        """Each player's payoff at a terminal state."""

    def infoset(self, state: Any, player: int) -> str:
        """A text that is equal for exactly those states that the player to act cannot distinguish."""

    def view(self, state: Any, player: int) -> Any:
        """What this player may see of the state; agents receive this and never the state."""


class TextDecision(NamedTuple):
    """A decision as a policy sees it, in games whose views are plain texts; a poker view has the same information."""

    seat: int
    infoset: str
    actions: tuple[str, ...]  # their texts


def decision_of(game: Game, state: Any) -> Any:
    """The input of a policy at a decision: the view in poker, a `TextDecision` in any other game."""
    player = game.player(state)
    view = game.view(state, player)
    if hasattr(view, "infoset"):
        return view
    actions = tuple(action_text(game, action) for action in game.actions(state))
    return TextDecision(player, game.infoset(state, player), actions)


def imbalance(payoffs: Sequence[float]) -> float:
    """How far the payoffs of a terminal state are from zero sum, beyond a billionth of the largest of them.

    An imbalance above ROUNDING times the game's largest payoff is not rounding: the game is not zero-sum.

    >>> imbalance([1e-12, 1e-12]) > 0, imbalance([0.3, -0.1, -0.2]) > 0
    (True, False)
    """
    return abs(sum(payoffs)) - OF_A_SUM * max(map(abs, payoffs), default=0.0)


def is_finite(value: Any) -> bool:
    """Whether a value is a real number that fits into a float.

    >>> is_finite(3), is_finite(10**400), is_finite("3")
    (True, False, False)
    """
    try:
        return isinstance(value, Real) and math.isfinite(value)
    except OverflowError:  # an integer or a fraction that no float can hold
        return False


def check_move_count(game: Game, moves: Sequence[Any]) -> None:
    """Raise TooLarge if a node has more moves than can be listed; `moves` may compute them as they are read."""
    try:
        count = len(moves)
    except OverflowError:
        count = sys.maxsize
    if count > MOST_BRANCHES:
        raise TooLarge(f"a node of {game.name} has {count:,} moves, and at most {MOST_BRANCHES:,} can be listed")


def check_hashable(game: Game, moves: Iterable[Any]) -> None:
    """Raise BadGame if a move cannot be a key of a table, which building the game as a tree needs."""
    for move in moves:
        try:
            hash(move)
        except TypeError as problem:
            raise BadGame(f"{game.name} has the move {quoted(move)}, which is not hashable; a tuple is") from problem


def check_stored(game: Game, text: str, what: str) -> None:
    """Raise BadGame if a name cannot be written to a file: it contains a lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        raise BadGame(
            f"{game.name} has the {what} {text[:60]!r}, which cannot be saved: {text[problem.start]!r} is half of a "
            "character (a lone surrogate)"
        ) from problem


def action_text(game: Game, action: Any) -> str:
    """A readable action: the game's own `action_text` if it has one, else str."""
    own = getattr(game, "action_text", None)
    return str(own(action)) if own else str(action)


def outcome_text(game: Game, outcome: Any) -> str:
    """A readable chance outcome: the game's own `outcome_text` or its `text` for cards, else str."""
    own = getattr(game, "outcome_text", None)
    if own is None and isinstance(outcome, tuple) and hasattr(game, "deck"):
        own = getattr(game, "text", None)
    return str(own(outcome)) if own else str(outcome)


def start_pot(game: Game) -> float:
    """The chips in the pot at the start of a poker game; 0 for other games."""
    rules = getattr(game, "rules", None)
    if rules is None:
        return 0.0
    posted = sum(rules.antes) + sum(getattr(rules, "blinds", ()) or ())
    return float(posted * getattr(game, "unit", 1))  # in the unit of payoffs
