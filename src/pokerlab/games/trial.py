"""Validates a user-defined game on a few lines of play, checking every return value.

The names that a class must have are checked when it is opened (registry.py); here its return values are. That all
states of an infoset have the same actions, and that the game ends, is checked when the full form is built.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from pokerlab import own_code
from pokerlab.errors import BadGame, PokerlabError, quoted, shortened
from pokerlab.games.game import (
    CHANCE,
    TERMINAL,
    Game,
    action_text,
    check_hashable,
    check_move_count,
    check_stored,
    is_finite,
    outcome_text,
)

LINES = 12  # of play: always the first move, always the last, and random ones
MOST_MOVES = 200  # per line; longer lines are cut off
OF_CHANCE = 1e-6  # tolerance for the sum of chance probabilities


def try_out(game: Game) -> None:
    """Raise BadGame if a method of the game returns an invalid value on a few lines of play."""
    rng = random.Random(0)
    for number in range(LINES):
        line = _Line(game)
        state = line.call("root")
        for _ in range(MOST_MOVES):
            moves = line.moves(state)
            if not moves:
                break
            move, text = moves[0] if number == 0 else moves[-1] if number == 1 else rng.choice(moves)
            before = _printed(state)
            after = line.call("child", state, move)
            if _printed(state) != before:
                raise BadGame(f"{line.name}.child changes its argument: it must return a new state")
            state, line.path = after, f"{line.path}, {text}" if line.path else text


class _Line:
    """A line of play whose return values are validated."""

    def __init__(self, game: Game) -> None:
        self.game, self.name = game, type(game).__name__
        self.path = ""  # the texts of the moves so far
        players = self._value(lambda: game.players, "players")
        if isinstance(players, bool) or not isinstance(players, int) or players < 1:
            raise BadGame(f"{self.name}.players is {quoted(players)}, and must be a number from 1 up")

    def moves(self, state: Any) -> list[tuple[Any, str]]:
        """The moves in a state, with their texts; empty at the end."""
        game, players = self.game, self.game.players
        player = self.call("player", state)
        is_player = not isinstance(player, bool) and hasattr(player, "__index__") and TERMINAL <= player < players
        wanted = f"a player from 0 to {players - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})"
        self._check("player", player, is_player, wanted)
        if player == TERMINAL:
            returns = self.call("returns", state)
            finite = _is_sequence(returns) and all(map(is_finite, returns))
            wanted = f"{shortened(str(players), 20)} finite numbers, one per player"
            self._check("returns", returns, finite and len(returns) == players, wanted)
            return []
        if player == CHANCE:
            outcomes = self.call("outcomes", state)
            wanted = "a list of pairs of an outcome and its probability"
            self._check_moves("outcomes", outcomes, wanted)
            self._check("outcomes", outcomes, all(map(_is_outcome, outcomes)), wanted)
            total = math.fsum(chance for _, chance in outcomes)
            wanted = f"probabilities that sum to 1, and these sum to {total:.10g}"
            self._check("outcomes", outcomes, abs(total - 1) <= OF_CHANCE, wanted)
            check_hashable(game, [outcome for outcome, _ in outcomes])
            return [(outcome, outcome_text(game, outcome)) for outcome, _ in outcomes]
        infoset = self.call("infoset", state, player)
        self._check("infoset", infoset, isinstance(infoset, str), "a text")
        check_stored(game, infoset, "infoset")
        self.call("view", state, player)
        actions = self.call("actions", state)
        self._check_moves("actions", actions, "a sequence of at least one action")
        check_hashable(game, actions)
        texts = [action_text(game, action) for action in actions]
        self._check("actions", actions, len(set(texts)) == len(texts), "actions with different texts")
        for text in texts:
            check_stored(game, text, "action")
        return list(zip(actions, texts, strict=True))

    def _check_moves(self, method: str, moves: Any, wanted: str) -> None:
        """Check that there is at least one move, and not too many to list."""
        self._check(method, moves, _is_sequence(moves), wanted)
        check_move_count(self.game, moves)
        self._check(method, moves, len(moves) > 0, wanted)

    def call(self, method: str, *arguments: Any) -> Any:
        """The return value of a method; raises BadGame with the line of code if it raises an error."""
        return self._value(lambda: getattr(self.game, method)(*arguments), method)

    def _value(self, read: Callable[[], Any], name: str) -> Any:
        try:
            return read()
        except PokerlabError:
            raise
        except BaseException as problem:
            if own_code.is_ctrl_c(problem):
                raise
            raise BadGame(f"{self.name}.{name} fails {self._where}: {own_code.error_with_line(problem)}") from problem

    def _check(self, method: str, value: Any, is_valid: bool, wanted: str) -> None:
        if not is_valid:
            raise BadGame(f"{self.name}.{method} gives {quoted(value)} {self._where}, and must give {wanted}")

    @property
    def _where(self) -> str:
        return f"after {shortened(self.path)!r}" if self.path else "at the start"


def _is_outcome(pair: Any) -> bool:
    return _is_sequence(pair) and len(pair) == 2 and is_finite(pair[1]) and 0 <= pair[1] <= 1


def _is_sequence(value: Any) -> bool:
    """Whether a value has a length and an order; a text does not count."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str | bytes | dict)


def _printed(state: Any) -> str:
    try:
        return repr(state)
    except Exception:  # a state need not be printable
        return ""
