"""Local best response in a match: published numbers, intervals, and what is refused."""

from __future__ import annotations

import pytest

from command_line import CommandLine
from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting
from pokerlab.events import Event
from pokerlab.lab.analyse.local_response import local_best_response
from pokerlab.lab.analyse.measuring import measure_agents
from pokerlab.lab.solve.solving import solve
from pokerlab.registry import load

ALWAYS_CALL, ALWAYS_RAISE, ALWAYS_FOLD = 1163.48, 3697.69, 750.0  # mbb a hand of best responses in limit hold'em:
# Johanson, Bowling, Waugh and Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", IJCAI 2011
RIVER_BETS = 1000 * 2 * 0.2562542  # of a caller: bets of two small ones, times the mean of max(2 equity - 1, 0)
TURN_AND_RIVER_BETS = RIVER_BETS + 1000 * 2 * 0.2019988


def test_folding_in_holdem_costs_what_it_costs() -> None:
    for game in ("holdem-limit", "holdem-nolimit(stack=400)"):
        found = local_best_response(game, "always-fold", hands=4)
        assert (found.mbb.mean, found.mbb.low, found.mbb.high) == (ALWAYS_FOLD,) * 3


def test_a_caller_is_bet_into_when_ahead() -> None:
    """Betting on the river alone wins two small bets times the mean of what a hand that is ahead is ahead by."""
    found = local_best_response("holdem-limit", "always-call", hands=60, seed=3, from_round="river", workers=1)
    assert abs(found.mbb.mean - RIVER_BETS) < 2 * found.mbb.half_width  # four standard errors
    assert found.mbb.low > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "first", "published", "part"),
    [
        ("always-call", 0, ALWAYS_CALL, 1.0),
        ("always-call", 2, TURN_AND_RIVER_BETS, 1.0),
        ("always-raise", 0, ALWAYS_RAISE, 0.9),
    ],
)
def test_published_best_responses_of_limit_holdem(agent: str, first: int, published: float, part: float) -> None:
    """Against a caller checking down is no mistake; against a raiser it is one, of a few percent."""
    found = local_best_response("holdem-limit", agent, hands=3000, seed=4, from_round=first)
    assert found.mbb.mean < published + 2 * found.mbb.half_width
    assert found.mbb.mean > part * published - 2 * found.mbb.half_width


@pytest.mark.parametrize("agent", ["random", "formula"])
def test_no_more_than_a_best_response(agent: str) -> None:
    best = sum(measure_agents("leduc", [agent]).measure.best_responses) / 2
    found = local_best_response("leduc", agent, hands=600, seed=2)
    assert found.winnings.low > 0
    assert found.winnings.mean < best + 2 * found.winnings.half_width


def test_an_equilibrium_is_not_beaten() -> None:
    """A solution, its strategy and its file are the same player."""
    solution = solve("leduc", iterations=300)
    found = local_best_response("leduc", solution, hands=600, seed=5)
    assert found.winnings.mean - 2 * found.winnings.half_width < solution.exploitability
    again = local_best_response("leduc", solution.strategy, hands=600, seed=5)
    assert again.winnings == found.winnings


def test_the_same_seed_gives_the_same_whatever_the_workers() -> None:
    first = local_best_response("leduc", "formula(bluff=0.3)", hands=240, seed=9, workers=1)
    assert local_best_response("leduc", "formula(bluff=0.3)", hands=240, seed=9, workers=2).winnings == first.winnings
    assert local_best_response("leduc", "formula(bluff=0.3)", hands=240, seed=8, workers=1).winnings != first.winnings
    table = load("games", "leduc")
    policy = open_policy("formula(bluff=0.3)", table)
    assert local_best_response(table, policy, hands=240, seed=9).winnings == first.winnings


def test_progress_and_counts() -> None:
    events: list[Event] = []
    found = local_best_response("kuhn", "random", hands=101, on_progress=events.append)
    assert (found.hands, found.deals) == (102, 51)
    assert [(event.done, event.total) for event in events] == [(40, 102), (80, 102), (102, 102)]
    assert {event.unit for event in events} == {"hands"}
    assert found.as_dict()["winnings"]["mbb"]["mean"] == pytest.approx(found.winnings.mean * 1000)


def test_settings_change_the_play() -> None:
    wins = {
        (menu, first): local_best_response(
            "leduc-nolimit", "always-call", hands=400, seed=1, menu=menu, from_round=first
        ).winnings.mean
        for menu, first in (("none", 0), ("100%,allin", 1), ("100%,allin", "preflop"))
    }
    assert wins["none", 0] == pytest.approx(0, abs=1e-12)  # nobody bets: every deal is shared by its two plays
    assert wins["none", 0] < wins["100%,allin", 1] < wins["100%,allin", "preflop"]


def test_sets_of_bets_by_round() -> None:
    """The paper's settings: more sizes win more from a caller, and rounds with `c` neither bet nor fold."""
    wins = {
        menu: local_best_response("leduc-nolimit", "always-call", hands=400, seed=1, menu=menu).winnings.mean
        for menu in ("c", "c/fcpa", "c/100%,allin", "fcpa", "56bets")
    }
    assert wins["c"] == pytest.approx(0, abs=1e-12)
    assert wins["c/fcpa"] == wins["c/100%,allin"]
    assert wins["c/fcpa"] < wins["fcpa"] <= wins["56bets"]


@pytest.mark.parametrize(
    ("game", "agent", "settings", "reason"),
    [
        ("kuhn", "human", {}, "probabilities"),
        ("kuhn(players=3)", "random", {}, "two-player games"),
        ("kuhn", "random", {"from_round": "noon"}, "preflop, flop"),
        ("kuhn", "random", {"from_round": 4}, "0 to 0"),
        ("kuhn", "random", {"menu": "lots"}, "not a size"),
        ("leduc-nolimit", "random", {"menu": "c/999bets"}, "3 to 200"),
        ("kuhn", "random", {"hands": 0}, "hands"),
        ("matching-pennies", "random", {}, "not a poker game"),
        ("kuhn", 5, {}, "not a int"),
    ],
)
def test_refusals(game: str, agent: object, settings: dict[str, object], reason: str) -> None:
    with pytest.raises(BadSetting, match=reason):
        local_best_response(game, agent, **settings)  # type: ignore[arg-type]


def test_from_the_command_line(cli: CommandLine) -> None:
    told = cli("measure leduc always-call --local --hands 40 --from-round flop --seed 3 --workers 1".split())
    assert told.code == 0
    assert "local best response wins" in told.printed
    assert "40 hands" in told.printed
    for words, reason in (
        ("measure leduc always-call --hands 40", "--hands belongs to --local"),
        ("measure leduc always-call random --local", "one agent"),
    ):
        refused = cli(words.split())
        assert refused.code == 2
        assert reason in refused.refusal
