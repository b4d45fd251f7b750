"""OpenSpiel games, by their OpenSpiel name, as in openspiel(name=leduc_poker).

Settings are written as in OpenSpiel: openspiel(name="goofspiel(num_cards=4,imp_info=True)"). Needs the extra
`openspiel`. Simultaneous games are played in turn with hidden moves. An infoset is OpenSpiel's information state
string; games without one cannot be read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pokerlab.errors import BadSetting, MissingExtra, UnknownName
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.registry import nearest
from pokerlab.specs import spec_text


class NumberedAction(NamedTuple):
    """An action by OpenSpiel's number, with its readable text."""

    number: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class State:
    """A history, equal to another with the same actions; `spiel` is OpenSpiel's state and is never changed."""

    history: tuple[int, ...]
    spiel: Any = field(compare=False, repr=False)


@dataclass(frozen=True, eq=False)
class OpenSpielGame:
    """Adapts an OpenSpiel game to our protocol."""

    name: str
    spiel: Any

    @property
    def players(self) -> int:
        return int(self.spiel.num_players())

    def root(self) -> State:
        return State((), self.spiel.new_initial_state())

    def player(self, state: State) -> int:
        if state.spiel.is_terminal():
            return TERMINAL
        return CHANCE if state.spiel.is_chance_node() else int(state.spiel.current_player())

    def actions(self, state: State) -> list[NumberedAction]:
        return [self._named(state, number) for number in state.spiel.legal_actions()]

    def outcomes(self, state: State) -> list[tuple[NumberedAction, float]]:
        return [(self._named(state, number), float(weight)) for number, weight in state.spiel.chance_outcomes()]

    def _named(self, state: State, number: int) -> NumberedAction:
        return NumberedAction(number, str(state.spiel.action_to_string(number)))

    def child(self, state: State, action: NumberedAction) -> State:
        return State((*state.history, action.number), state.spiel.child(action.number))

    def returns(self, state: State) -> tuple[float, ...]:
        return tuple(float(value) for value in state.spiel.returns())

    def infoset(self, state: State, player: int) -> str:
        return str(state.spiel.information_state_string(player))

    view = infoset


def game(*, name: str) -> OpenSpielGame:
    """The game that OpenSpiel loads under this name, with its settings in parentheses."""
    try:
        import pyspiel
    except ImportError:
        raise MissingExtra(
            "games of OpenSpiel need the package open_spiel; install it with: pip install 'pokerlab[openspiel]'"
        ) from None
    short = str(name).partition("(")[0]
    if short not in pyspiel.registered_names():
        close = nearest(short, sorted(pyspiel.registered_names()))
        hint = close if close.startswith("did") else "try kuhn_poker, leduc_poker, liars_dice or goofspiel"
        raise UnknownName(f"OpenSpiel has no game called {short[:60]!r}; {hint}")
    try:
        with _quiet_errors():
            spiel = pyspiel.load_game(name)
    except Exception as problem:  # any exception from C++
        reason = str(problem).splitlines()[0] if str(problem) else "no reason given"
        raise BadSetting(f"OpenSpiel cannot create {name[:60]!r}: {reason}") from None
    kind = spiel.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        spiel = pyspiel.convert_to_turn_based(spiel)
    elif kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise BadSetting(f"{short} is a mean-field game, which has no finite tree")
    if not spiel.get_type().provides_information_state_string:
        raise BadSetting(f"{short} cannot be read: OpenSpiel has no information states for it")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise BadSetting(f"{short} cannot be read: OpenSpiel only samples its chance and gives no probabilities")
    return OpenSpielGame(spec_text("openspiel", {"name": name}), spiel)


@contextmanager
def _quiet_errors() -> Iterator[None]:
    """Suppress what OpenSpiel's C++ prints to standard error before it raises; the exception says the same."""
    saved = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nowhere)
