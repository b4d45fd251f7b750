"""Estimators in matches: values in hold'em, weights that never see their own hand, results, and refusals."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.errors import AgentFailed, BadSetting, UnknownName
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.action import CALL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.match.estimators.bet_values import BetValues
from pokerlab.match.estimators.equity_values import EquityValues
from pokerlab.match.estimators.fitting import SequentialFit
from pokerlab.match.estimators.path import Dealt, path_of
from pokerlab.match.estimators.values import Side
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import MatchResult


def checked_down(game: PokerGame, cards: tuple[int, ...]) -> State:
    state = game.start(cards)
    while state.betting.actor >= 0:
        state = game.child(state, CALL)
    return state


@pytest.mark.parametrize("varies", [True, False])
def test_values_before_a_river_are_the_mean_over_all_rivers(varies: bool) -> None:
    """In hold'em: for every hand that a seat may hold, and for the one that was dealt; and DIVAT's."""
    game = open_game("holdem-limit")
    assert isinstance(game, PokerGame)
    cards = game.deal(np.random.default_rng(5))
    hand, other = (tuple(sorted(cards[start : start + 2])) for start in (0, 2))
    hands = tuple(hands_of(game).cards) if varies else (hand,)
    for values in [EquityValues(game)] if varies else [EquityValues(game), BetValues(game)]:
        total, count = 0.0, 0
        for river in set(range(52)) - {*cards[:8]} | ({*cards[:2]} if varies else set()):
            path = path_of(game, checked_down(game, (*cards[:8], river)))
            event = path.events[-3]
            assert isinstance(event, Dealt)
            before, after = values.of(path, Side(0, hands, varies=varies)).dealt(event)
            held = np.array([river not in one for one in hands])
            total, count = total + after * held, count + held
        mine = np.array([not {*one} & {*other, *cards[4:8]} for one in hands])
        assert (count[mine] == 44).all()
        assert (total / np.maximum(count, 1))[..., mine] == pytest.approx(before[..., mine], abs=1e-9)


def test_weights_are_learned_from_earlier_hands() -> None:
    rng = np.random.default_rng(2)
    fit = SequentialFit(np.array([1.0, 0.0, 5.0]))
    variates = rng.normal(size=(4000, 3)) * [1, 10, 0]
    payoffs = 3 + variates @ [2.0, -0.25, 7.0] + rng.normal(size=4000)
    for payoff, row in zip(payoffs[:-1], variates[:-1], strict=True):
        fit.add(payoff, row)
    assert fit.weights == pytest.approx([2.0, -0.25, 5.0], abs=0.1)  # a column without variance stays as it was


@cache
def formula_wins_in_leduc() -> float:
    """What formula wins from always-call, exactly."""
    first, second = (
        measure_agents("leduc", agents).measure.values
        for agents in (["formula", "always-call"], ["always-call", "formula"])
    )
    return (first[0] + second[1]) / 2


@cache
def without_estimators() -> MatchResult:
    return play_match(MatchSettings.of("leduc", ["formula", "always-call"], hands=200, seed=4))


@pytest.mark.parametrize("spec", ["aivat", "mivat", "divat", "imaginary"])
def test_a_match_means_the_same_with_less_variance(spec: str) -> None:
    """Against the exact value of two agents in Leduc; mbb are thousandths of the ante."""
    mean = formula_wins_in_leduc()
    settings = MatchSettings.of("leduc", ["formula", "always-call"], hands=200, adjust=spec, seed=4)
    result = play_match(settings)
    assert result.adjusted is not None
    adjusted = result.adjusted[0]
    assert abs(adjusted.mean - mean) < 4 * adjusted.standard_error
    assert adjusted.mean == pytest.approx(-result.adjusted[1].mean)
    assert result.times_as_many(0) > {"aivat": 3.0, "mivat": 1.3, "divat": 1.0, "imaginary": 1.0}[spec]
    assert result.summaries == without_estimators().summaries


class Liar:
    """Says that it always folds or checks, and always calls."""

    name = "liar"

    def act(self, view: Any, rng: Any) -> Any:
        return CALL

    def probabilities(self, view: Any) -> dict[str, float]:
        return {"f" if view.legal.fold else "c": 1.0}


class Silent:
    def act(self, view: Any, rng: Any) -> Any:
        return CALL


def test_refusals() -> None:
    with pytest.raises(BadSetting, match="needs a player that states its action probabilities"):
        MatchSettings.of("leduc", [Silent(), Silent()], hands=2, adjust="aivat")
    with pytest.raises(BadSetting, match="five-card-draw exchanges cards"):
        MatchSettings.of("five-card-draw", ["random", "random"], hands=2, adjust="mivat")
    with pytest.raises(BadSetting, match="too large for others"):
        MatchSettings.of("holdem-limit(players=3)", ["formula"] * 3, hands=2, adjust="aivat")
    with pytest.raises(UnknownName, match="did you mean aivat"):
        MatchSettings.of("leduc", ["formula", "formula"], hands=2, adjust="aivta")
    liar = MatchSettings.of("leduc", [Liar(), "always-raise"], hands=20, adjust="imaginary")
    with pytest.raises(AgentFailed, match="by its own probabilities it never does"):
        play_match(liar)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "hands"), [("mivat", 20_000), ("divat", 2_000), ("imaginary", 2_000), ("aivat", 600)])
def test_in_holdem_the_mean_is_that_of_a_long_plain_match(spec: str, hands: int) -> None:
    """The adjusted mean of some hands, and the plain mean of many others."""
    agents, game = ["blueprint", "always-call"], "holdem-limit"
    plain = play_match(MatchSettings.of(game, agents, hands=60_000, duplicate=True, seed=1)).summaries[0]
    adjusted = play_match(MatchSettings.of(game, agents, hands=hands, adjust=spec, seed=2)).adjusted
    assert adjusted is not None
    error = (plain.standard_error**2 + adjusted[0].standard_error ** 2) ** 0.5
    assert abs(adjusted[0].mean - plain.mean) < 4 * error
