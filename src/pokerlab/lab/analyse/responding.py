"""Values and best responses of any strategy of a game or a spot, in whichever form can compute them.

A hand-written strategy, a solution, a policy or an agent is converted to a profile of a form, which does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.formats.game_file import check_saved
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.lab.solve.tasks import open_task
from pokerlab.notebook_display import NotebookDisplay
from pokerlab.strategy.files.solution import Solution, naming_of
from pokerlab.strategy.forms.kinds import profile_in, queryable_forms, stored_profile, strategy_of, written_profile
from pokerlab.strategy.forms.sequence import SEQUENCE, Strategy
from pokerlab.strategy.policy import Policy, has_profiles
from pokerlab.strategy.public_profile import SuitsMatter
from pokerlab.tree.forecast import count_text
from pokerlab.tree.form import Form, Problem, SuitIsomorphism, build_form, choose, given_form, kind_of

StrategyWeights = Strategy | Mapping[Any, Any] | Solution | Policy | str
PlayedIn = str | Path | Game | Spot | Mapping[str, Any] | Form
_NO_GAME = "a policy is asked in a game: name the game, or give the game itself, not its form alone"


@dataclass(frozen=True, eq=False)
class Response(NotebookDisplay):
    """One player's best response to the others' part of a strategy."""

    game: str
    player: int
    value: float  # the player's expected value with it
    gain: float  # over the player's own part of the strategy
    strategy: Any  # with the player's part replaced by the best response

    def __repr__(self) -> str:
        return f"<Response of player {self.player} in {self.game}: wins {self.value:.6g}, {self.gain:.6g} more>"


@dataclass(frozen=True, eq=False)
class Play:
    """A strategy of all players, as a profile of a form."""

    form: Form
    profile: np.ndarray  # [A]
    spot: Spot | None = None

    def named(self, profile: np.ndarray) -> Any:
        """Another profile of the form, with names."""
        return strategy_of(self.form, self.form.pack(profile), naming_of(self.spot))


def best_response(game: PlayedIn, strategy: StrategyWeights, *, player: int) -> Response:
    """Compute a player's best response to a strategy: its value, and how it plays.

    - game: by name, a game, or its form
    - strategy: a Strategy, a dict as `Strategy.from_dict` takes it, a Solution, a policy or an agent, or the name of an
      agent ("random", "strategy:FILE"); the player's own part matters only for `gain`
    - player: who responds, from 0
    """
    play = play_in(game, strategy)
    best = play.form.best_response(play.profile, player)
    own = play.form.expected_values(play.profile)[player]
    return Response(play.form.name, player, best.value, best.value - own, play.named(best.profile))


def exploitability(game: PlayedIn, strategy: StrategyWeights) -> float:
    """The average gain of best responses to a strategy over players; 0 for an equilibrium.

    NashConv is the sum over players, this times their number.

    - game: by name, a game, or its form
    - strategy: anything that `best_response` takes, for all players; infosets that a dict does not name are played
      uniformly
    """
    play = play_in(game, strategy)
    return play.form.measure(play.profile).exploitability


def play_in(game: PlayedIn, strategy: StrategyWeights, *, kinds: Sequence[str] | None = None) -> Play:
    """A game or a spot with a strategy, in the smallest form of these kinds that suits both."""
    if isinstance(strategy, Solution):
        if kinds is None or strategy.form in kinds:
            play = _of_solution(game, strategy)
            if play is not None:
                return play
        strategy = strategy.strategy
    if (form := given_form(game)) is not None:
        return Play(form, _profile(strategy, None, form))
    problem = open_task(game).problem  # type: ignore[arg-type]
    assert problem is not None
    by_infoset = isinstance(strategy, Mapping)  # a dict, or a Strategy
    kind = choose(problem, kinds or ((SEQUENCE,) if by_infoset else queryable_forms())).kind
    return play_as(problem, kind, [strategy])


def play_as(
    problem: Problem, kind: str, strategies: Sequence[StrategyWeights], *, symmetric: bool = True, watch: Watch = SILENT
) -> Play:
    """A problem in one form, with one strategy for all players or one each.

    Suit-isomorphic boards are stored separately if a strategy plays them differently.
    """
    spot = problem if isinstance(problem, Spot) else None
    table = SpotGame(spot) if spot is not None else problem
    watch.at(f"building the {kind} form", 0, None)
    form = build_form(problem, kind, isomorphism=SuitIsomorphism(symmetric), watch=watch)
    watch.at(f"looking up the strategy at each of {count_text(form.size.nodes)} nodes", 0, None)
    try:
        different = {id(strategy): strategy for strategy in strategies}
        profiles = {key: _profile(strategy, table, form) for key, strategy in different.items()}
    except SuitsMatter:
        return play_as(problem, kind, strategies, symmetric=False, watch=watch)
    if len(strategies) == 1:
        return Play(form, profiles[id(strategies[0])], spot)
    profile = form.uniform()
    for player, strategy in enumerate(strategies):
        own = form.slots_of(player)
        profile[own] = profiles[id(strategy)][own]
    return Play(form, profile, spot)


def histories_of(solution: Solution) -> tuple[Any, np.ndarray]:
    """A solution of a game in the sequence form, and its profile; TooLarge if the histories do not fit in memory."""
    if kind_of(solution.form).has_histories:
        form = solution.built_form()
        return form, solution.strategy.profile(form)
    try:
        play = play_in(solution.open_game(), solution, kinds=(SEQUENCE,))
    except TooLarge as problem:
        raise TooLarge(
            f"this needs all histories of a game, and the solution is in the {solution.form} form: "
            f"{problem}; `pokerlab browse` shows every hand's likelihood and EV at each decision"
        ) from problem
    return play.form, play.profile


def _of_solution(game: PlayedIn, solution: Solution) -> Play | None:
    """A solution in its own form, if it belongs to the game."""
    form = given_form(game)
    if form is None:
        if solution.spot is None and solution.game_file is not None:
            check_saved(solution.game, solution.game_file)
        task = open_task(game)  # type: ignore[arg-type]
        if task.name != solution.game or (task.spot is not None and task.spot != solution.spot):
            return None
        form = solution.built_form()
    profile = solution.strategy.profile_in(form)
    return None if profile is None else Play(form, profile, solution.spot)


def _profile(strategy: StrategyWeights, game: Any, form: Form) -> np.ndarray:
    if isinstance(strategy, Mapping) and not has_profiles(strategy):  # a Strategy is also a mapping
        return written_profile(strategy, form)
    if isinstance(strategy, str):
        if game is None:
            raise BadSetting(_NO_GAME)
        if not isinstance(game, PokerGame):
            raise BadSetting(f"{form.name} is not a poker game, so no agent can play it; give a dict or a Strategy")
        strategy = open_policy(strategy, game)
    if not isinstance(strategy, Policy):
        raise BadSetting(
            f"a strategy is a Strategy, a dict, a Solution, a policy or the name of an agent, "
            f"not a {type(strategy).__name__}"
        )
    if game is None and stored_profile(strategy, form) is None:
        raise BadSetting(_NO_GAME)
    return profile_in(strategy, game, form)
