"""Best responses to players who do not look at their cards, derived from tables of hand strength alone."""

from __future__ import annotations

import pytest

from naive.blind_opponents import BlindOpponent
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.registry import load

PUBLISHED = {"always-call": 1163.48, "always-raise": 3697.69}  # mbb a hand in limit hold'em: Johanson and others 2011


@pytest.mark.parametrize("agent", list(PUBLISHED))
@pytest.mark.parametrize("game", ["leduc", "rhode-island(ranks=4, raises=2)"])
def test_what_a_best_response_wins_follows_from_hand_strength(game: str, agent: str) -> None:
    won = [BlindOpponent(load("games", game), seat, raises=agent == "always-raise").response() for seat in (0, 1)]
    assert won == pytest.approx(measure_agents(game, [agent]).measure.best_responses, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("agent", list(PUBLISHED))
def test_published_best_responses_follow_from_hand_strength(agent: str) -> None:
    """`exploitability always-call` comes to the same by walks of all hands and their reach."""
    game = load("games", "holdem-limit")
    won = [BlindOpponent(game, seat, raises=agent == "always-raise").response() for seat in (0, 1)]
    assert 1000 * sum(won) / 2 / max(game.rules.blinds) == pytest.approx(PUBLISHED[agent], abs=0.005)
