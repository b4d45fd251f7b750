"""An opponent to be countered: their policy if it is known, and otherwise what hands show of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from pokerlab import store
from pokerlab.agents.agent import Actor, Agent, SupportsGame
from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting, PokerlabError, shortened
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.held_out import HeldOutHands
from pokerlab.match.run.observing import (
    ALL,
    Observations,
    check_seen,
    hold_out,
    others_kept,
    played_here,
    watch_agents,
    watch_kept,
    watch_policies,
)
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.kinds import (
    StrategyNames,
    can_query,
    profile_in,
    stored_profile,
    strategy_of,
    written_profile,
)
from pokerlab.strategy.forms.sequence import Strategy
from pokerlab.strategy.policy import Policy, policy_name
from pokerlab.tree.form import Form, kind_of

StrategyWeights = Strategy | Mapping[Any, Any] | Solution | Policy | Agent | str
UNIFORM = "uniform"
FILE = "strategy:"  # prefix of a saved solution's name
CALLS = "always-call"  # the assumed play where nothing was observed
HANDS = 10_000  # observed by default
MOST_HANDS = 10**9


@dataclass(frozen=True, eq=False)
class Opponent:
    """A player to be countered."""

    name: str
    profile: np.ndarray | None  # [A]: their strategy; None if unknown
    agent: Agent | None = None  # to play against, if the strategy is unknown


@dataclass(frozen=True)
class ObservationSettings:
    """How hands of an opponent are observed."""

    hands: int = HANDS
    seen: str = ALL  # or "showdowns"
    against: str = ""  # their opponent; default: one that visits every line of play
    default: str = ""  # assumed play where unobserved; `always-call`, and uniform in games without a table
    file: Path | None = None  # saved hands, instead of new ones
    seed: int = 0

    def __post_init__(self) -> None:
        check_seen(self.seen)
        if isinstance(self.hands, bool) or not isinstance(self.hands, int) or not 1 <= self.hands <= MOST_HANDS:
            raise BadSetting(f"hands must be a whole number from 1 to {MOST_HANDS}, not {str(self.hands)[:40]!r}")


def open_opponent(opponent: StrategyWeights, game: Game, form: Form, *, file: Path | None = None) -> Opponent:
    """Open an opponent: a name, a saved solution, or the player itself.

    With a `file` of saved hands a text is a name in it, and is the agent of that name only if the file says so.
    SuitsMatter if they play boards differently that a public form merges.
    """
    if file is not None and isinstance(opponent, str):
        return _in_a_file(opponent, file, game, form)
    name = opponent if isinstance(opponent, str) else policy_name(opponent)
    if isinstance(opponent, str) and _is_stored(opponent, form):
        opponent = load(opponent.removeprefix(FILE))
    if isinstance(opponent, Solution):
        opponent = opponent.strategy
    if (profile := stored_profile(opponent, form)) is not None:
        return Opponent(name, profile)
    if isinstance(opponent, Mapping):
        return Opponent("a strategy", written_profile(opponent, form))
    if isinstance(opponent, str) and (opponent == UNIFORM or not isinstance(game, PokerGame)):
        return Opponent(opponent, _profile(opponent, game, form))
    assert not isinstance(opponent, Solution)
    return _at_the_table(opponent, name, game, form)


def _is_stored(spec: str, form: Form) -> bool:
    """Whether a text names a solution file to be read as a profile; with histories, an agent plays it instead."""
    return not kind_of(form.kind).has_histories and store.is_saved(spec.removeprefix(FILE))


def _in_a_file(name: str, file: Path, game: Game, form: Form) -> Opponent:
    """A name in saved hands: the agent of that name if it played them here; otherwise a player known only from them."""
    if not isinstance(game, PokerGame) or not played_here(file, game, player=name):
        return Opponent(name, None)
    try:
        return _at_the_table(name, name, game, form)
    except PokerlabError:  # its file is missing, or it was created in Python and has no name to open it by
        return Opponent(name, None)


def _at_the_table(opponent: Policy | Agent | str, name: str, game: Game, form: Form) -> Opponent:
    agent = open_agent(opponent) if isinstance(opponent, str | Actor) else opponent
    if isinstance(game, PokerGame) and isinstance(agent, SupportsGame):
        agent.check_game(game)
    if isinstance(agent, Policy) and isinstance(agent, Agent) and not can_query(agent, form):
        return Opponent(name, None, agent)  # known from hands alone: how it plays a bucket depends on the hand
    if isinstance(opponent, str) and hasattr(agent, "probabilities"):
        assert isinstance(game, PokerGame)
        playing = agent if isinstance(agent, Agent) else None
        return Opponent(name, profile_in(open_policy(opponent, game), game, form), playing)
    if isinstance(agent, Policy):
        return Opponent(name, profile_in(agent, game, form))
    if not isinstance(agent, Agent):
        raise BadSetting(
            f"an opponent is the name of an agent or of a solution's file, a Strategy, a dict, a Solution, a policy or "
            f"an agent, not a {type(agent).__name__}"
        )
    return Opponent(name, None, agent)


def watched(
    opponent: Opponent, game: Game, form: Form, how: ObservationSettings, held_out: HeldOutHands | None = None
) -> Observations:
    """What hands show of an opponent: saved ones, or new ones against an agent that visits every line of play.

    With `held_out`, half of the hands go there instead.
    """
    if how.file is not None:
        if not isinstance(game, PokerGame):
            raise BadSetting(f"{game.name} is not a poker game, and saved hands are poker hands")
        return watch_kept(how.file, form, game, player=opponent.name, seen=how.seen, held_out=held_out)
    if how.seen != ALL and not isinstance(game, PokerGame):
        raise BadSetting(f"{game.name} is not a poker game, and has no showdowns: all of its hands are seen")
    spec = _against(how, game, form)
    limits: dict[str, Any] = {"hands": how.hands, "seed": how.seed, "seen": how.seen}
    if opponent.profile is not None and kind_of(form.kind).has_histories:
        return watch_policies(form, opponent.profile, _profile(spec, game, form), **limits)  # type: ignore[arg-type]
    agent = opponent.agent if opponent.profile is None else _seated(opponent.profile, opponent.name, form)
    if agent is None or not isinstance(game, PokerGame):
        raise BadSetting(f"{shortened(opponent.name)!r} does not play at a table and cannot be observed")
    return watch_agents(game, form, agent, _player(spec, game, form), **limits, held_out=held_out)


def _against(how: ObservationSettings, game: Game, form: Form) -> str:
    """The agent that the opponent is observed against: by default one that visits every line of play.

    The probe never folds, and raises by one size or by all of a menu. Where sizes have no menu, random play has all.
    """
    if how.against or not isinstance(game, PokerGame):
        return how.against or UNIFORM
    if game.rules.limit == "fixed":
        return "probe"
    return "probe(sizes='menu')" if form.is_measured_inside else "random"


def _player(spec: str, game: Game, form: Form) -> Agent:
    return open_agent(spec) if spec != UNIFORM else _seated(_profile(spec, game, form), spec, form)


def hands_held_out(opponent: Opponent, game: Game, form: Form, how: ObservationSettings) -> HeldOutHands | None:
    """Where hands go by which winnings in a game too large to measure are predicted; None if they cannot tell.

    All cards must be seen, and the player that plays against the opponent must state its probabilities.
    """
    if not form.is_measured_inside or not isinstance(game, PokerGame) or how.seen != ALL:
        return None
    player: Any = None
    if how.file is None:
        player = _player(_against(how, game, form), game, form)
    elif len(others := others_kept(how.file, game, player=opponent.name)) == 1 and played_here(
        how.file, game, player=opponent.name
    ):
        with suppress(PokerlabError):  # its file is missing, or it was created in Python
            player = open_agent(others.pop())
    return HeldOutHands(cast(Any, form), game, player, seed=how.seed) if isinstance(player, Policy) else None


def hold_out_hands(
    opponent: Opponent, game: Game, form: Form, how: ObservationSettings, held_out: HeldOutHands
) -> None:
    """Play hands of an opponent whose policy is known, to predict winnings from all of them."""
    agent = opponent.agent
    if agent is None:
        assert opponent.profile is not None
        agent = _seated(opponent.profile, opponent.name, form)
    assert isinstance(game, PokerGame)
    hold_out(game, agent, _player(_against(how, game, form), game, form), held_out, hands=how.hands, seed=how.seed)


def _seated(profile: np.ndarray, name: str, form: Form) -> Agent:
    """An agent that plays a profile of a form."""
    policy = strategy_of(form, form.pack(profile), StrategyNames())
    return StrategyAgent(policy, name=name, fallback=open_agent("random"))


def default_policy(how: ObservationSettings, game: Game, form: Form) -> np.ndarray:
    """The assumed strategy of an opponent where nothing was observed.  # [A]"""
    return _profile(how.default or (CALLS if isinstance(game, PokerGame) else UNIFORM), game, form)


def _profile(spec: str, game: Game, form: Form) -> np.ndarray:
    """The profile of a named policy: uniform, a saved solution, or in poker an agent.  # [A]"""
    if spec == UNIFORM:
        return form.uniform()
    if _is_stored(spec, form):
        return profile_in(load(spec.removeprefix(FILE)).strategy, game, form)
    if isinstance(game, PokerGame):
        return profile_in(open_policy(spec, game), game, form)
    file = spec.removeprefix(FILE)
    if not store.is_saved(file):
        raise BadSetting(
            f"{game.name} is not a poker game, and {shortened(spec)!r} is an agent, which plays poker games: name the "
            f"file of a solution, or {UNIFORM!r}"
        )
    saved = load(file).strategy.profile_in(form)
    if saved is None:
        raise BadSetting(f"{shortened(file)} is a solution of another game")
    return np.asarray(saved)
