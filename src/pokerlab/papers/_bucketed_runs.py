"""Training of bucketed players, and their matches at the table, as several papers need them."""

from __future__ import annotations

from typing import Any

from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.agents.library.local_best_response import LocalBestResponse
from pokerlab.events import Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.statistics import Summary
from pokerlab.registry import load
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.policy import Policy
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure
from pokerlab.tree.resources import Resources


def poker_game(name: str) -> PokerGame:
    """A game of the rule engine, by its name."""
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


def start_solver(algorithm: str, form: BucketedForm, *, seed: int, threads: int) -> Any:
    """A solver whose kernels are compiled."""
    chosen, resources = load("algorithms", algorithm), Resources(threads)
    chosen.rehearse(form, resources=resources)
    return chosen.start(form, seed=seed, resources=resources)


def advance_to(solver: Any, mark: int, watch: Watch, *, at_once: int) -> None:
    """Train up to `mark` iterations, and check for cancellation every `at_once`."""
    while solver.iterations < mark:
        watch.check()
        solver.advance(min(at_once, mark - solver.iterations))


def table_winnings(
    form: BucketedForm, strategy: Policy, opponent: str, *, hands: int, seed: int, fallback: float = 0.0
) -> Summary:
    """What a strategy wins at the table against an agent, in mbb per hand, each deal played from both seats."""
    agents = (BlueprintAgent("learned", _solution(form, strategy, seed), fallback=fallback), opponent)
    settings = MatchSettings.of(form.game, agents, hands=hands, seed=seed, duplicate=True)
    result = play_match(settings, workers=1)
    return result.units.millibigblinds(result.summaries[0])


def local_bound(form: BucketedForm, strategy: Policy, *, hands: int, seed: int) -> Summary:
    """What local best response wins at the table from a strategy, in mbb per hand: a lower bound on exploitability."""
    own = BlueprintAgent("learned", _solution(form, strategy, seed))
    response = LocalBestResponse(own, name="local-best-response")
    settings = MatchSettings.of(form.game, (response, own), hands=hands, seed=seed, duplicate=True, adjust="all-in")
    result = play_match(settings, workers=1)
    return result.units.millibigblinds((result.adjusted or result.summaries)[0])


def _solution(form: BucketedForm, strategy: Policy, seed: int) -> Solution:
    return Solution(
        strategy=strategy,
        form=form.kind,
        algorithm="",
        seed=seed,
        iterations=0,
        seconds=0.0,
        measure=Measure.unknown(form.players),
        stopped="iterations",
        pot=form.pot,
        built=form,
    )
