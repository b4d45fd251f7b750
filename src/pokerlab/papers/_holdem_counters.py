"""Counter-strategies over buckets in hold'em: made from observed hands, predicted from others, and played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.agents.agent import Agent
from pokerlab.agents.library.strategy import StrategyAgent
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.events import Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.held_out import HeldOutHands
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.observing import Observations, hold_out, watch_agents
from pokerlab.match.statistics import Summary
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.solvers.analysis.restriction import (
    Restriction,
    confidence,
    frequencies,
    held_by_infoset,
    held_for_the_game,
    observations,
)
from pokerlab.solvers.bucketed.restricted import RestrictedSampled
from pokerlab.solvers.cfr.fixed import FixedCfr
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.strategy.forms.kinds import StrategyNames, profile_in, strategy_of
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form

PROBE, DEFAULT = "probe(sizes='menu')", "always-call"
P, CONFIDENCE = 0.75, "0-10-linear"
FBR, RNR, DBR, SAMPLED = "FBR", "RNR", "DBR", "Monte-Carlo RNR"
METHODS = (FBR, RNR, DBR, SAMPLED)


@dataclass(frozen=True)
class Scale:
    """How much is observed, computed and played."""

    hands: int  # observed, and as many again held out
    iterations: int  # of sweeps for each seat
    samples: int  # iterations of sampling, each of many deals
    match_hands: int


@dataclass(frozen=True)
class Outcome:
    """A counter-strategy, in chips a hand."""

    inside: float  # what it wins from the model of the opponent, over buckets
    predicted: Summary | None  # what it wins from the opponent, by hands held out
    played: Summary | None  # in a match
    exploitability: float  # to best responses over buckets
    again: tuple[Summary | None, Summary] | None = None  # prediction and match with other hands, if these do not agree

    @property
    def agrees(self) -> bool:
        """Whether the intervals of the prediction and of the match overlap."""
        return overlap(self.predicted, self.played)

    @property
    def agrees_again(self) -> bool:
        """The same with the other hands, if there are any."""
        return self.agrees or (self.again is not None and overlap(*self.again))


def overlap(one: Summary | None, other: Summary | None) -> bool:
    """Whether two intervals overlap; not if one is missing."""
    return one is not None and other is not None and one.low <= other.high and other.low <= one.high


@dataclass(frozen=True, eq=False)
class Watched:
    """An opponent, as hands show it."""

    name: str
    seen: Observations
    model: np.ndarray  # [A]
    held_out: HeldOutHands


@dataclass(frozen=True, eq=False)
class Arena:
    """A game with buckets."""

    game: PokerGame
    form: BucketedForm
    scale: Scale
    seed: int

    def watch(self, opponent: str) -> Watched:
        """Hands of an opponent against the probe: half of them for the model."""
        prober = open_agent(PROBE)
        held = HeldOutHands(self.form, self.game, open_policy(PROBE, self.game), seed=self.seed)
        seen = watch_agents(
            self.game,
            self.form,
            open_agent(opponent),
            prober,
            hands=2 * self.scale.hands,
            seed=self.seed,
            held_out=held,
        )
        return Watched(opponent, seen, frequencies(self.form, seen.counts, self._default), held)

    @cached_property
    def _default(self) -> np.ndarray:
        return np.asarray(profile_in(open_policy(DEFAULT, self.game), self.game, self.form))

    @cached_property
    def equilibrium(self) -> np.ndarray:
        """Of the abstract game, about.  # [A]"""
        return self._solved(held_for_the_game(self.form, self.form.uniform(), 0.0, player=0))

    def counter(self, watched: Watched, method: str, p: float = P) -> np.ndarray:
        """A counter-strategy in both seats.  # [A]"""
        profile = self.form.uniform()
        for seat in (0, 1):
            own = self.form.slots_of(seat)
            profile[own] = self._respond(watched, method, p, player=1 - seat)[own]
        return profile

    def _respond(self, watched: Watched, method: str, p: float, *, player: int) -> np.ndarray:
        form = self.form
        if method == FBR or p == 1:
            return form.best_response(watched.model, 1 - player).profile
        if p == 0:
            return self.equilibrium
        if method == DBR:
            trusted = confidence(CONFIDENCE, p, observations(form, watched.seen.counts))
            return self._solved(held_by_infoset(form, watched.model, trusted, player=player))
        restriction = held_for_the_game(form, watched.model, p, player=player)
        if method == SAMPLED:
            solver = RestrictedSampled(
                form, schedule_of("linear-cfr", purpose="sample with"), restriction, seed=self.seed
            )
            solver.advance(self.scale.samples)
            return form.unpack(solver.strategy_arrays())
        return self._solved(restriction)

    def _solved(self, restriction: Restriction) -> np.ndarray:
        solver = FixedCfr(self.form, schedule_of("dcfr", purpose="solve with"), restriction.fixed(self.form))
        solver.advance(self.scale.iterations)
        return self.form.unpack(solver.strategy_arrays())

    def outcome(self, profile: np.ndarray, watched: Watched, *, play: bool = True) -> Outcome:
        """What a profile wins from an opponent, by the model, by hands held out and in a match."""
        inside = []
        for seat in (0, 1):
            both, own = watched.model.copy(), self.form.slots_of(seat)
            both[own] = profile[own]
            inside.append(float(self.form.expected_values(both)[seat]))
        exploitability = self.form.measure_inside(profile).exploitability
        played = self.match(profile, open_agent(watched.name)) if play else None
        return Outcome(sum(inside) / 2, watched.held_out.winnings(profile), played, exploitability)

    @cached_property
    def elsewhere(self) -> Arena:
        """The same with other hands, twice as many in matches."""
        return replace(self, seed=self.seed + 1000, scale=replace(self.scale, match_hands=2 * self.scale.match_hands))

    def all_held_out(self, opponent: str) -> HeldOutHands:
        """As many hands of an opponent as are watched, all of them held out."""
        held = HeldOutHands(self.form, self.game, open_policy(PROBE, self.game), seed=self.seed)
        agents = open_agent(opponent), open_agent(PROBE)
        hold_out(self.game, *agents, held, hands=2 * self.scale.hands, seed=self.seed)
        return held

    def match(self, profile: np.ndarray, opponent: Agent) -> Summary:
        """Winnings in a match of other hands, each deal from both seats."""
        strategy = strategy_of(self.form, self.form.pack(profile), StrategyNames())
        player = StrategyAgent(strategy, name="counter", fallback=open_agent("random"))
        settings = MatchSettings.of(
            self.game, (player, opponent), hands=self.scale.match_hands, seed=self.seed + 1, duplicate=True
        )
        return play_match(settings, workers=1).summaries[0]


def arena(game: str, methods: tuple[str, ...], scale: Scale, seed: int, watch: Watch) -> Arena:
    """A game with buckets of perfect recall."""
    watch.at("features of every hand", 0.0)
    opened, quiet = poker_game(game), replace(watch, on_progress=None)  # each round counts from nothing
    buckets = make(Plan(CardRounds.of(opened), methods, PERFECT, seed), watch=quiet)
    return Arena(opened, bucketed_form(opened, buckets), scale, seed)
