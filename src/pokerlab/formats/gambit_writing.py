"""Write any game in Gambit's formats: the whole tree as .efg, or the table of a strategic game as .nfg.

The output can be read by Gambit, by OpenSpiel (its game efg_game) and here. Numbers are written exactly if they are
simple fractions (1/3 rather than 0.333...), so that the probabilities of every chance move sum to one for strict
readers; as decimals, with the same sum, if the fraction is too large for OpenSpiel. OpenSpiel requires explicit payoffs
at every terminal node and distinct action names at every node, and neither reader accepts every quotation mark or
backslash in a name: they become ' and /.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from pokerlab.errors import BadFile, BadSetting, TooLarge
from pokerlab.games.game import CHANCE, TERMINAL, Game, action_text, outcome_text
from pokerlab.games.strategic import StrategicGame
from pokerlab.writing import replacing

LARGEST_PART = 2**31 - 1  # largest numerator or denominator that OpenSpiel reads
MOST_DIGITS = 40  # decimals that are read here


def exact(value: float) -> Fraction:
    """The simplest fraction equal to this number in floating point.

    >>> exact(1 / 3), exact(0.1), exact(2.0)
    (Fraction(1, 3), Fraction(1, 10), Fraction(2, 1))
    """
    for largest in (10**3, 10**6, 10**9):
        plain = Fraction(value).limit_denominator(largest)
        if float(plain) == value:
            return plain
    return Fraction(repr(float(value)))


def exact_probabilities(weights: Sequence[float]) -> list[Fraction]:
    """Fractions as close as possible to these probabilities, summing to exactly one."""
    plain = [exact(weight) for weight in weights]
    total = sum(plain, Fraction(0))
    if total == 1 or total <= 0:
        return plain
    if abs(total - 1) < Fraction(1, 10**9):  # the rounding error goes to the largest
        largest = max(range(len(plain)), key=plain.__getitem__)
        plain[largest] += 1 - total
        return plain
    return [weight / total for weight in plain]


def _texts(numbers: Sequence[Fraction]) -> list[str]:
    """Probabilities as text with the same sum: fractions, or decimals if a fraction is too large to be read."""
    plain = all(number.denominator <= LARGEST_PART for number in numbers)
    smallest = min((number for number in numbers if number), default=Fraction(1))
    digits = 17 + math.ceil(-math.log10(smallest)) if not plain else 0
    if plain or digits > MOST_DIGITS:
        return [str(number) for number in numbers]
    parts = [round(number * 10**digits) for number in numbers]
    parts[max(range(len(parts)), key=parts.__getitem__)] += 10**digits * round(sum(numbers)) - sum(parts)
    return [f"{part // 10**digits}.{part % 10**digits:0{digits}d}" for part in parts]


def _text(value: float) -> str:
    """A payoff as text: a fraction, or its shortest decimal if the fraction is too large to be read."""
    number = exact(value)
    if number.denominator == 1 or max(abs(number.numerator), number.denominator) <= LARGEST_PART:
        return str(number)
    return format(Decimal(repr(float(value))), "f")


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


@dataclass
class _Infosets:
    """The infosets of one player in output order, each with a unique number and name."""

    known: dict[str, tuple[int, str]] = field(default_factory=dict)  # by the game's infoset text
    names: set[str] = field(default_factory=set)

    def numbered(self, text: str) -> tuple[int, str]:
        """The number and the quoted name of an infoset."""
        if text not in self.known:
            number, name = len(self.known) + 1, _quoted(text)
            while name in self.names:
                name = _quoted(f"{name[1:-1]}#{number}")
            self.names.add(name)
            self.known[text] = number, name
        return self.known[text]


def efg_text(game: Game, *, limit: int = 1_000_000) -> str:
    """The tree of a game as .efg text; raises TooLarge beyond `limit` nodes."""
    lines = [f"EFG 2 R {_title(game)}", '""', ""]
    infosets = [_Infosets() for _ in range(game.players)]
    chances = 0
    outcomes: dict[tuple[float, ...], int] = {}
    waiting: list[Any] = [game.root()]
    while waiting:
        state = waiting.pop()
        if len(lines) > limit + 2:
            raise TooLarge(f"{game.name} has more than {limit:,} nodes, too many to write; choose smaller settings")
        player = game.player(state)
        if player == TERMINAL:
            payoffs = tuple(game.returns(state))
            number = outcomes.setdefault(payoffs, len(outcomes) + 1)  # equal payoffs share one outcome number
            lines.append(f't "" {number} "" {{ {", ".join(map(_text, payoffs))} }}')
            continue
        if player == CHANCE:
            chances += 1
            actions, shares = zip(*game.outcomes(state), strict=True)
            weights = _texts(exact_probabilities(shares))
            labels = _labels(outcome_text(game, outcome) for outcome in actions)
            moves = " ".join(f"{name} {weight}" for name, weight in zip(labels, weights, strict=True))
            lines.append(f'c "" {chances} "" {{ {moves} }} 0')
        else:
            number, name = infosets[player].numbered(game.infoset(state, player))
            actions = tuple(game.actions(state))
            names = " ".join(_labels(action_text(game, action) for action in actions))
            lines.append(f'p "" {player + 1} {number} {name} {{ {names} }} 0')
        waiting.extend(game.child(state, action) for action in reversed(actions))
    return "\n".join(lines) + "\n"


def nfg_text(game: Game) -> str:
    """The table of a strategic game as .nfg text, the first player's strategies varying fastest."""
    if not isinstance(game, StrategicGame):
        raise BadSetting(f"{game.name} is not a strategic game; write it as .efg, which takes any game")
    names = "\n".join(f"{{ {' '.join(_labels(actions))} }}" for actions in game.action_names)
    profiles = (profile[::-1] for profile in product(*reversed(game.action_names)))
    table = "\n".join(" ".join(map(_text, game.payoffs[profile])) for profile in profiles)
    return f'NFG 1 R {_title(game)}\n{{ {names} }}\n""\n\n{table}\n'


def _title(game: Game) -> str:
    players = " ".join(_quoted(f"Player {player + 1}") for player in range(game.players))
    return f"{_quoted(getattr(game, 'title', '') or game.name)} {{ {players} }}"


def _labels(texts: Iterable[str]) -> list[str]:
    """The quoted moves of one node, with distinct names."""
    labels: dict[str, None] = {}
    for text in texts:
        name = _quoted(text)
        labels[name if name not in labels else _quoted(f"{text}#{len(labels) + 1}")] = None
    return list(labels)


def _quoted(text: str) -> str:
    """A text in quotation marks that every reader accepts."""
    return '"' + " ".join(text.replace("\\", "/").replace('"', "'").splitlines()) + '"'
