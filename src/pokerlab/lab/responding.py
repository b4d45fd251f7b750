"""Best responses to any play of a game: a strategy written by hand, a solution, a policy or an agent, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.shown import Shown
from pokerlab.solvers import measure as measuring
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.profile import profile_of
from pokerlab.strategy.sequence import Strategy, named
from pokerlab.strategy.solution import Solution
from pokerlab.strategy.written import form_of, written
from pokerlab.tree.sequence import SequenceForm

Played = Strategy | Mapping[Any, Any] | Solution | Policy | str


@dataclass(frozen=True, eq=False)
class Response(Shown):
    """The best that one player can do against the others' part of a strategy."""

    game: str
    player: int
    value: float  # what the player wins by it, on average
    gain: float  # how much more that is than by the player's own part of the strategy
    strategy: Strategy  # the same with the player's part replaced

    def __repr__(self) -> str:
        return f"<Response of player {self.player} in {self.game}: wins {self.value:.6g}, {self.gain:.6g} more>"


def best_response(game: str | Game | SequenceForm, strategy: Played, *, player: int) -> Response:
    """A best response of a player to a strategy: what it wins, and how it plays.

    The strategy is a Strategy, a dict as `Strategy.from_dict` takes it, a Solution, a policy or an agent, or the name
    of an agent ("random", "strategy:FILE"). What it says of the player himself counts only for `gain`.
    """
    form, profile = laid_out(game, strategy)
    found = measuring.best_response(form, profile, player=player)
    own = measuring.expected_values(form, profile)[player]
    return Response(form.name, player, found.value, found.value - own, named(form, found.profile))


def exploitability(game: str | Game | SequenceForm, strategy: Played) -> float:
    """What best responses to a strategy gain, on average over players; 0 for an equilibrium.

    The strategy is anything that `best_response` takes, and is that of all players: what a dict does not name is
    played uniformly. NashConv is the sum over players, this times their number.
    """
    form, profile = laid_out(game, strategy)
    return measuring.measure(form, profile).exploitability


def laid_out(game: str | Game | SequenceForm, strategy: Played) -> tuple[SequenceForm, np.ndarray]:
    """A game in the sequence form, and what a strategy does there.  # [A]"""
    if isinstance(strategy, Solution):
        strategy = strategy.strategy
    if isinstance(game, SequenceForm):
        return game, _profile(strategy, None, game)
    table = open_game(game)
    form = form_of(table)
    return form, _profile(strategy, table, form)


def _profile(strategy: Played, game: Game | None, form: SequenceForm) -> np.ndarray:
    if isinstance(strategy, Strategy):
        return strategy.profile(form)
    if isinstance(strategy, Mapping):
        return written(strategy, form).probability
    if game is None:
        raise BadSetting("a policy is asked in a game: name the game, or give itself, and not its form alone")
    if isinstance(strategy, str):
        if not isinstance(game, PokerGame):
            raise BadSetting(
                f"{game.name} is no poker game, and agents play at a poker table; give a dict or a Strategy"
            )
        strategy = open_policy(strategy, game)
    if not isinstance(strategy, Policy):
        raise BadSetting(
            f"a strategy is a Strategy, a dict, a Solution, a policy or the name of an agent, "
            f"not a {type(strategy).__name__}"
        )
    return profile_of(strategy, game, form)
