"""An opponent to be countered: how they play where they tell it, and what hands show of it where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.agents.agent import Agent, Choosy
from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting, PokerlabError, shortened
from pokerlab.games.game import Game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.observing import (
    ALL,
    Observed,
    check_seen,
    played_here,
    watch_agents,
    watch_kept,
    watch_policies,
)
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.profile import profile_of
from pokerlab.strategy.public import PublicStrategy
from pokerlab.strategy.public_profile import lies_alike, public_profile_of
from pokerlab.strategy.sequence import Strategy, named
from pokerlab.strategy.solution import Solution
from pokerlab.strategy.solution_file import load
from pokerlab.strategy.written import written
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.profiles import joined, parts, shares
from pokerlab.tree.sequence import SequenceForm

Played = Strategy | Mapping[Any, Any] | Solution | Policy | Agent | str
AnyForm = SequenceForm | PublicTree
UNIFORM = "uniform"
FILE = "strategy:"  # before the name of a kept solution
MOST_ASKED = 20_000_000  # infosets, hand by hand: minutes
PROBE, CALLS = "probe", "always-call"  # who opponents are watched against, and what they are taken to do unseen
RANDOM = "random"  # who visits bets of every size
HANDS = 10_000  # watched when nothing is said
MOST_HANDS = 10**9


@dataclass(frozen=True, eq=False)
class Opponent:
    """Somebody at a table."""

    name: str
    profile: np.ndarray | None  # [A]: how they play; None where they do not tell
    agent: Agent | None = None  # at the table, where they do not


@dataclass(frozen=True)
class Watching:
    """How hands of an opponent are watched."""

    hands: int = HANDS
    seen: str = ALL  # or "showdowns"
    against: str = ""  # who plays them; without a name whoever visits every line of play
    default: str = ""  # what is played where nothing was seen; `always-call`, and in games without a table uniform
    file: Path | None = None  # kept hands, instead of new ones
    seed: int = 0

    def __post_init__(self) -> None:
        check_seen(self.seen)
        if isinstance(self.hands, bool) or not isinstance(self.hands, int) or not 1 <= self.hands <= MOST_HANDS:
            raise BadSetting(f"hands must be a whole number from 1 to {MOST_HANDS}, not {str(self.hands)[:40]!r}")


def open_opponent(opponent: Played, game: Game, form: AnyForm, *, file: Path | None = None) -> Opponent:
    """An opponent by name, by a kept solution, or themselves.

    With a `file` of kept hands a text is a name in it, and the agent of that name only where the file says so.
    SuitsMatter where they play boards apart that a public form keeps as one.
    """
    if file is not None and isinstance(opponent, str):
        return _in_a_file(opponent, file, game, form)
    name = opponent if isinstance(opponent, str) else getattr(opponent, "name", "a strategy")
    if isinstance(form, PublicTree) and isinstance(opponent, str) and _is_kept(opponent):
        opponent = load(opponent.removeprefix(FILE))
    if isinstance(opponent, Solution):
        opponent = opponent.strategy
    if isinstance(opponent, Strategy) and isinstance(form, SequenceForm):
        return Opponent(str(name), opponent.profile(form))
    if isinstance(opponent, Mapping):
        if isinstance(form, PublicTree):
            raise BadSetting(
                "a dict names infosets of the sequence form, and this is laid out in the public form; give a solution, "
                "a policy or an agent"
            )
        return Opponent("a strategy", written(opponent, form).probability)
    if isinstance(opponent, str) and (opponent == UNIFORM or not isinstance(game, PokerGame)):
        return Opponent(opponent, _profile(opponent, game, form))
    assert not isinstance(opponent, Solution)
    return _at_the_table(opponent, str(name), game, form)


def _is_kept(spec: str) -> bool:
    """Whether a text names the file of a solution, and nothing besides."""
    return store.is_kept(spec.removeprefix(FILE))


def played_in(policy: Policy, game: Game, form: AnyForm) -> np.ndarray:
    """What a policy does in a form, by slot.  # [A]"""
    if isinstance(form, SequenceForm):
        return profile_of(policy, game, form)
    assert isinstance(game, PokerGame)
    if isinstance(policy, PublicStrategy) and lies_alike(policy.form, form):
        return shares(form, joined(policy.sums))
    if form.infosets > MOST_ASKED and not isinstance(policy, PublicStrategy):
        raise BadSetting(
            f"{form.name} has {form.infosets:,} infosets, too many to ask an agent at each of them: name the file of a "
            f"solution, or {UNIFORM!r}"
        )
    return public_profile_of(policy, game, form)


def _in_a_file(name: str, file: Path, game: Game, form: AnyForm) -> Opponent:
    """A name in kept hands: the agent that it names if it played them here; else somebody who is only seen."""
    if not isinstance(game, PokerGame) or not played_here(file, game, player=name):
        return Opponent(name, None)
    try:
        return _at_the_table(name, name, game, form)
    except PokerlabError:  # their file is gone, or they were made in Python and have no text that opens them
        return Opponent(name, None)


def _at_the_table(opponent: Policy | Agent | str, name: str, game: Game, form: AnyForm) -> Opponent:
    agent = open_agent(opponent) if isinstance(opponent, str) else opponent
    if isinstance(game, PokerGame) and isinstance(agent, Choosy):
        agent.check_game(game)
    if isinstance(opponent, str) and hasattr(agent, "probabilities"):
        assert isinstance(game, PokerGame)
        return Opponent(name, played_in(open_policy(opponent, game), game, form))
    if isinstance(agent, Policy):
        return Opponent(name, played_in(agent, game, form))
    if not isinstance(agent, Agent):
        raise BadSetting(
            f"an opponent is the name of an agent or of a solution's file, a Strategy, a dict, a Solution, a policy or "
            f"an agent, not a {type(agent).__name__}"
        )
    return Opponent(name, None, agent)


def _watcher(game: Game) -> str:
    """Who visits every line of play: the probe never folds, and raises by one size."""
    if not isinstance(game, PokerGame):
        return UNIFORM
    return PROBE if game.rules.limit == "fixed" else RANDOM


def watched(opponent: Opponent, game: Game, form: AnyForm, how: Watching) -> Observed:
    """What hands show of an opponent: kept ones, or new ones against somebody who visits every line of play."""
    if how.file is not None:
        if not isinstance(game, PokerGame):
            raise BadSetting(f"{game.name} is no poker game, and kept hands are of poker")
        return watch_kept(how.file, form, game, player=opponent.name, seen=how.seen)
    if how.seen != ALL and not isinstance(game, PokerGame):
        raise BadSetting(f"{game.name} is no poker game, and has no showdowns: all of its hands are seen")
    spec = how.against or _watcher(game)
    limits: dict[str, Any] = {"hands": how.hands, "seed": how.seed, "seen": how.seen}
    if opponent.profile is not None and isinstance(form, SequenceForm):
        return watch_policies(form, opponent.profile, _profile(spec, game, form), **limits)
    agent = opponent.agent
    if opponent.profile is not None and isinstance(form, PublicTree):
        agent = _seated(opponent.profile, opponent.name, form)
    if agent is None or not isinstance(game, PokerGame):
        raise BadSetting(f"{shortened(opponent.name)!r} is at no table, and cannot be watched")
    against = open_agent(spec) if spec != UNIFORM else _seated(_profile(spec, game, form), spec, form)
    return watch_agents(game, form, agent, against, **limits)


def _seated(profile: np.ndarray, name: str, form: AnyForm) -> Agent:
    """A profile of a form at the table."""
    policy: Policy = (
        named(form, profile) if isinstance(form, SequenceForm) else PublicStrategy(form, parts(form, profile))
    )
    return StrategyAgent(policy, name=name, fallback=open_agent("random"))


def default_policy(how: Watching, game: Game, form: AnyForm) -> np.ndarray:
    """What an opponent is taken to play where nothing was seen of them.  # [A]"""
    return _profile(how.default or (CALLS if isinstance(game, PokerGame) else UNIFORM), game, form)


def _profile(spec: str, game: Game, form: AnyForm) -> np.ndarray:
    """How a named policy plays: uniform, a kept solution, or in poker an agent.  # [A]"""
    if spec == UNIFORM:
        return shares(form, np.zeros(form.slots, np.float32)) if isinstance(form, PublicTree) else form.tree.uniform()
    if isinstance(form, PublicTree) and _is_kept(spec):
        return played_in(load(spec.removeprefix(FILE)).strategy, game, form)
    if isinstance(game, PokerGame):
        return played_in(open_policy(spec, game), game, form)
    assert isinstance(form, SequenceForm)
    file = spec.removeprefix(FILE)
    if not store.is_kept(file):
        raise BadSetting(
            f"{game.name} is no poker game, and {shortened(spec)!r} is an agent, who plays at a poker table: name the "
            f"file of a solution, or {UNIFORM!r}"
        )
    kept = load(file).strategy
    if not isinstance(kept, Strategy):
        raise BadSetting(f"{shortened(file)} is a solution of another game")
    return kept.profile(form)
