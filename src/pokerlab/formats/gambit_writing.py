"""Write any game in Gambit's languages: the whole tree as .efg, or the table of a strategic game as .nfg.

Numbers are written exactly where they are plain fractions (1/3 rather than 0.333...), so that the probabilities of
every chance move sum to one for readers that insist.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting, TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.games.strategic import StrategicGame
from pokerlab.writing import replacing


def exact(value: float) -> Fraction:
    """The plainest fraction that is this number in floating point.

    >>> exact(1 / 3), exact(0.1), exact(2.0)
    (Fraction(1, 3), Fraction(1, 10), Fraction(2, 1))
    """
    for largest in (10**3, 10**6, 10**9):
        plain = Fraction(value).limit_denominator(largest)
        if float(plain) == value:
            return plain
    return Fraction(repr(float(value)))


def exact_probabilities(weights: Sequence[float]) -> list[Fraction]:
    """Fractions as near as can be to these probabilities, with a sum of exactly one."""
    plain = [exact(weight) for weight in weights]
    total = sum(plain, Fraction(0))
    if total == 1 or total <= 0:
        return plain
    if abs(total - 1) < Fraction(1, 10**9):  # rounding: what is left over goes to the largest
        largest = max(range(len(plain)), key=plain.__getitem__)
        plain[largest] += 1 - total
        return plain
    return [weight / total for weight in plain]


def write(game: Game, path: str | Path, *, limit: int = 1_000_000) -> None:
    """Write a game to a .efg or a .nfg file."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".efg", ".nfg"):
        raise BadFile(f"games are written as .efg or .nfg, not as {str(path)[:60]!r}")
    if not Path(path).parent.is_dir():
        raise BadFile(f"cannot write {str(path)[:60]!r}: its folder does not exist")
    text = efg_text(game, limit=limit) if suffix == ".efg" else nfg_text(game)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def efg_text(game: Game, *, limit: int = 1_000_000) -> str:
    """The tree of a game in Gambit's .efg language; TooLarge beyond `limit` nodes."""
    players = " ".join(_quoted(f"Player {player + 1}") for player in range(game.players))
    lines = [f"EFG 2 R {_quoted(getattr(game, 'title', '') or game.name)} {{ {players} }}", '""', ""]
    numbers: dict[tuple[int, str], int] = {}  # of infosets, by player and text
    counts = dict.fromkeys(range(-1, game.players), 0)
    outcomes: dict[tuple[float, ...], int] = {}
    waiting: list[Any] = [game.root()]
    while waiting:
        state = waiting.pop()
        if len(lines) > limit + 2:
            raise TooLarge(f"{game.name} has more than {limit:,} nodes, too many to write; choose smaller settings")
        player = game.player(state)
        if player == TERMINAL:
            lines.append(_terminal(tuple(game.returns(state)), outcomes))
            continue
        if player == CHANCE:
            counts[CHANCE] += 1
            lines.append(_chance(game, state, counts[CHANCE]))
            actions = [outcome for outcome, _ in game.outcomes(state)]
        else:
            text = game.infoset(state, player)
            if (player, text) not in numbers:
                counts[player] += 1
                numbers[player, text] = counts[player]
            actions = list(game.actions(state))
            names = " ".join(_quoted(action_text(game, action)) for action in actions)
            lines.append(f'p "" {player + 1} {numbers[player, text]} {_quoted(text)} {{ {names} }} 0')
        waiting.extend(game.child(state, action) for action in reversed(actions))
    return "\n".join(lines) + "\n"


def _terminal(payoffs: tuple[float, ...], outcomes: dict[tuple[float, ...], int]) -> str:
    if payoffs in outcomes:
        return f't "" {outcomes[payoffs]}'
    outcomes[payoffs] = len(outcomes) + 1
    values = ", ".join(str(exact(payoff)) for payoff in payoffs)
    return f't "" {outcomes[payoffs]} "" {{ {values} }}'


def _chance(game: Game, state: Any, number: int) -> str:
    outcomes = list(game.outcomes(state))
    weights = exact_probabilities([weight for _, weight in outcomes])
    moves = " ".join(
        f"{_quoted(outcome_text(game, outcome))} {weight}"
        for (outcome, _), weight in zip(outcomes, weights, strict=True)
    )
    return f'c "" {number} "" {{ {moves} }} 0'


def nfg_text(game: Game) -> str:
    """The table of a strategic game in Gambit's .nfg language, the first player's strategies varying fastest."""
    if not isinstance(game, StrategicGame):
        raise BadSetting(f"{game.name} is not a strategic game; write it as .efg, which takes any game")
    players = " ".join(_quoted(f"Player {player + 1}") for player in range(game.players))
    names = "\n".join(f"{{ {' '.join(map(_quoted, actions))} }}" for actions in game.action_names)
    profiles = (profile[::-1] for profile in product(*reversed(game.action_names)))
    cells = [" ".join(str(exact(payoff)) for payoff in game.payoffs[profile]) for profile in profiles]
    table = "\n".join(cells)
    return f'NFG 1 R {_quoted(game.title or game.name)} {{ {players} }}\n{{ {names} }}\n""\n\n{table}\n'


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
