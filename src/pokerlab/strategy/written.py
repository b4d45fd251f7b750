"""A hand-written strategy: actions at some infosets by name, and a default at all others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.errors import BadSetting, UnknownName, shortened
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.registry import nearest
from pokerlab.strategy.forms.sequence import Key, Strategy, named
from pokerlab.strategy.policy import has_profiles
from pokerlab.tree.form import build_form, given_form
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    Played = Mapping[str, Any] | str  # probabilities by action, or a single action

UNIFORM = "uniform"
ROUNDING = 1e-6  # tolerance for sums of probabilities: thirds may be written with six decimals


def form_of(game: str | Game | SequenceForm) -> SequenceForm:
    """A game, or one by its name, in the sequence form."""
    form: Any = given_form(game) or build_form(open_game(game), "sequence")  # type: ignore[arg-type]
    return form  # type: ignore[no-any-return]


def written(
    table: Mapping[Key, Played], game: str | Game | SequenceForm, *, default: str | Strategy = UNIFORM
) -> Strategy:
    """The strategy that a table describes; an error names the infoset where it does not fit the game."""
    if not isinstance(table, Mapping):
        raise BadSetting(
            f'a strategy is written as {{"infoset": {{"action": probability}}}}, not as a {type(table).__name__}'
        )
    form = form_of(game)
    if default != UNIFORM and not has_profiles(default):
        raise BadSetting(f"infosets that are not written play {UNIFORM!r} or as a Strategy, not {str(default)[:40]!r}")
    strategy = named(form, form.tree.uniform() if isinstance(default, str) else default.profile(form))
    probability = strategy.probability.copy()
    seen: set[int] = set()
    for key, played in table.items():
        index = strategy.index(_checked_key(strategy, key))
        infoset = strategy.infosets[index]
        if index in seen:
            raise BadSetting(f"{shortened(infoset)!r} is written twice, by its text and with its player")
        seen.add(index)
        slots = slice(int(strategy.start[index]), int(strategy.start[index + 1]))
        probability[slots] = _chances(infoset, strategy.actions[index], played)
    return strategy._with(probability)


def _checked_key(strategy: Strategy, key: Any) -> Key:
    """Check that a key is a text, or (player, text)."""
    if isinstance(key, str):
        return key
    pair = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], int | np.integer) and isinstance(key[1], str)
    if not pair:
        raise BadSetting(f"an infoset is named by its text or by (player, text), not {shortened(repr(key))}")
    if not 0 <= key[0] < strategy.players:
        raise BadSetting(f"{strategy.game} has players 0 to {strategy.players - 1}, not {key[0]}")
    return int(key[0]), str(key[1])


def _chances(infoset: str, actions: tuple[str, ...], played: Played) -> np.ndarray:
    """The probabilities at an infoset; unnamed actions get zero."""
    if isinstance(played, str):
        played = {played: 1.0}
    if not isinstance(played, Mapping):
        raise BadSetting(
            f"at {shortened(infoset)!r} an action or {{action: probability}} is needed, not {shortened(repr(played))}"
        )
    chances = dict.fromkeys(actions, 0.0)
    for action, chance in played.items():
        if action not in chances:
            close = nearest(str(action)[:40], list(actions))
            raise UnknownName(f"at {shortened(infoset)!r} there is no action {str(action)[:40]!r}; {close}")
        try:
            number = float(chance)
        except (TypeError, ValueError):
            number = math.nan
        if not 0 <= number <= 1 + ROUNDING:
            raise BadSetting(
                f"the probability of {action!r} at {shortened(infoset)!r} must be a number from 0 to 1, "
                f"not {shortened(repr(chance), 40)}"
            )
        chances[action] = number
    total = math.fsum(chances.values())
    if abs(total - 1) > ROUNDING:
        shown = ", ".join(f"{action} {chance:g}" for action, chance in chances.items())
        raise BadSetting(f"the probabilities at {shortened(infoset)!r} add up to {total:g} and not to 1: {shown}")
    return np.array(list(chances.values())) / total
