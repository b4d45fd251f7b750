"""Validates a user-defined game on a few lines of play, checking every return value.

The names that a class must have are checked when it is opened (registry.py); here its return values are. That all
states of an infoset have the same actions, and that the game ends, is checked when the full form is built.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from numbers import Real
from typing import Any

from pokerlab import own_code
from pokerlab.errors import FAILURES, BadGame, PokerlabError, shortened
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text

LINES = 12  # of play: always the first move, always the last, and random ones
MOST_MOVES = 200  # per line; longer lines are cut off
OF_CHANCE = 1e-6  # tolerance for the sum of chance probabilities


def try_out(game: Game) -> None:
    """Raise BadGame if a method of the game returns an invalid value on a few lines of play."""
    players = _asked(game, "players", "")
    if isinstance(players, bool) or not isinstance(players, int) or players < 1:
        raise BadGame(f"{_name(game)}.players is {_shown(players)}, and must be how many players there are, from 1")
    rng = random.Random(0)
    for line in range(LINES):
        state, told = _asked(game, "root", "", ()), ""
        for _ in range(MOST_MOVES):
            moves = _moves(game, state, told)
            if not moves:
                break
            move, text = moves[0] if line == 0 else moves[-1] if line == 1 else rng.choice(moves)
            before = _looks(state)
            after = _asked(game, "child", told, (state, move))
            if _looks(state) != before:
                raise BadGame(f"{_name(game)}.child changes the state that it is given: it must give a new one")
            state, told = after, f"{told}, {text}" if told else text


def _moves(game: Game, state: Any, told: str) -> list[tuple[Any, str]]:
    """The moves in a state, with their texts; empty at the end."""
    player = _asked(game, "player", told, (state,))
    if isinstance(player, bool) or not hasattr(player, "__index__") or not TERMINAL <= player < game.players:
        who = f"a player from 0 to {game.players - 1}, CHANCE ({CHANCE}) or TERMINAL ({TERMINAL})"
        raise _bad(game, "player", told, player, who)
    if player == TERMINAL:
        _check_returns(game, _asked(game, "returns", told, (state,)), told)
        return []
    if player == CHANCE:
        outcomes = _asked(game, "outcomes", told, (state,))
        _check_outcomes(game, outcomes, told)
        return [(outcome, outcome_text(game, outcome)) for outcome, _ in outcomes]
    infoset = _asked(game, "infoset", told, (state, player))
    if not isinstance(infoset, str):
        raise _bad(game, "infoset", told, infoset, "a text")
    _asked(game, "view", told, (state, player))
    actions = _asked(game, "actions", told, (state,))
    if not _is_sequence(actions) or not len(actions):
        raise _bad(game, "actions", told, actions, "a sequence of at least one action")
    texts = [action_text(game, action) for action in actions]
    if len(set(texts)) < len(texts):
        raise _bad(game, "actions", told, actions, "actions that are told apart by their texts")
    return list(zip(actions, texts, strict=True))


def _check_returns(game: Game, returns: Any, told: str) -> None:
    numbers = _is_sequence(returns) and all(isinstance(one, Real) and math.isfinite(one) for one in returns)
    if not numbers or len(returns) != game.players:
        raise _bad(game, "returns", told, returns, f"{game.players} finite numbers, one a player")


def _check_outcomes(game: Game, outcomes: Any, told: str) -> None:
    pairs = (
        _is_sequence(outcomes) and len(outcomes) > 0 and all(_is_sequence(pair) and len(pair) == 2 for pair in outcomes)
    )
    if not pairs or not all(isinstance(chance, Real) and 0 <= float(chance) <= 1 for _, chance in outcomes):
        raise _bad(game, "outcomes", told, outcomes, "pairs of an outcome and its probability")
    total = math.fsum(chance for _, chance in outcomes)
    if abs(total - 1) > OF_CHANCE:
        raise _bad(game, "outcomes", told, outcomes, f"probabilities that sum to 1, and these sum to {total:.10g}")


def _is_sequence(value: Any) -> bool:
    """Whether a value has a length and an order; a text does not count."""
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, str | bytes | dict)


def _asked(game: Game, question: str, told: str, given: Sequence[Any] | None = None) -> Any:
    """The return value of a method; raises BadGame with the line of code if it raises an error."""
    try:
        answer = getattr(game, question)
        return answer if given is None else answer(*given)
    except PokerlabError:
        raise
    except FAILURES as problem:
        line = own_code.failed_line(problem)
        words = f"{type(problem).__name__}: {shortened(str(problem), 200)}"
        raise BadGame(
            f"{_name(game)}.{question} fails {_after(told)}: {words}{', in ' * bool(line)}{line}"
        ) from problem


def _bad(game: Game, question: str, told: str, answer: Any, wanted: str) -> BadGame:
    return BadGame(f"{_name(game)}.{question} gives {_shown(answer)} {_after(told)}, and must give {wanted}")


def _after(told: str) -> str:
    return f"after {shortened(told)!r}" if told else "at the start"


def _name(game: Game) -> str:
    return type(game).__name__


def _shown(answer: Any) -> str:
    return shortened(repr(answer), 60)


def _looks(state: Any) -> str:
    try:
        return repr(state)
    except Exception:  # a state need not be printable
        return ""
