"""Local best response: never better than a best response, exact where it is one, legal everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.agents.library.local_best_response import ASTRAY, LocalBestResponse
from pokerlab.agents.opening import open_agent, open_policy
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import CALL, FOLD, RAISE, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.solve.solving import solve
from pokerlab.match.run.match import MatchSettings
from pokerlab.match.table.referee import play_hand
from pokerlab.registry import load
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.form import build_form
from pokerlab.tree.sequence import SequenceForm


def worth(game: PokerGame, policy: Policy, response: LocalBestResponse) -> list[tuple[float, float]]:
    """By seat: what a local best response wins against a policy, and what a best response does, both exactly."""
    form = build_form(game, "sequence")
    assert isinstance(form, SequenceForm)
    profile = profile_of(policy, game, form)
    found = []
    for seat in range(2):
        mixed, slots = profile.copy(), form.slots_of(seat)
        mixed[slots] = profile_of(response, game, form, player=seat)[slots]
        local = form.expected_values(mixed)[seat]
        found.append((local, form.best_response(profile, seat).value))
    return found


CASES = [
    ("leduc", "random"),
    ("leduc", "formula"),
    ("leduc(ranks=4, ante=3, bets=(1, 7))", "rules"),
    ("leduc-nolimit(stack=3)", "formula"),
    ("rhode-island(ranks=2, suits=2, raises=1)", "always-raise"),
    ("rhode-island(ranks=2, suits=2, raises=1)", "formula"),
    *(
        pytest.param("rhode-island(ranks=3, suits=2)", agent, marks=pytest.mark.slow)
        for agent in ("random", "formula", "always-raise")
    ),
]


@pytest.mark.parametrize(("game", "agent"), CASES)
def test_never_better_than_a_best_response(game: str, agent: str) -> None:
    table = load("games", game)
    policy = open_policy(agent, table)
    found = worth(table, policy, LocalBestResponse(policy, name="local"))
    for local, best in found:
        assert local <= best + 1e-9
    assert sum(local for local, _ in found) > 0  # from both seats together it beats an agent that has faults


@pytest.mark.parametrize(("menu", "from_round"), [("none", 0), ("100%", 1), ("50%,allin", 1)])
def test_never_better_with_any_settings(menu: str, from_round: int) -> None:
    table = load("games", "leduc-nolimit(stack=3)")
    policy = open_policy("rules", table)
    for local, best in worth(table, policy, LocalBestResponse(policy, name="l", menu=menu, from_round=from_round)):
        assert local <= best + 1e-9


@pytest.mark.parametrize("agent", ["always-call", "always-fold"])
def test_the_best_response_itself_against_who_never_bets(agent: str) -> None:
    """Nobody bets later but the response, which then bets by what it holds: checking down is no mistake."""
    for game in ("kuhn", "leduc(bets=(3, 1))"):
        table = load("games", game)
        policy = open_policy(agent, table)
        for local, best in worth(table, policy, LocalBestResponse(policy, name="local")):
            assert local == pytest.approx(best)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_an_equilibrium_loses_at_most_its_exploitability(game: str) -> None:
    exact, rough = solve(game, algorithm="lp"), solve(game, iterations=20)
    for solution in (exact, rough):
        table = load("games", game)
        policy = solution.strategy
        found = worth(table, policy, LocalBestResponse(policy, name="local"))
        for (local, _), value in zip(found, exact.measure.values, strict=True):
            assert local <= value + solution.measure.nash_conv + 1e-9
    assert exact.measure.nash_conv < 1e-9


def test_action_values_by_hand() -> None:
    """Leduc, K in hand and J on the board, after a check: a uniform opponent holds K, two queens or the other J."""
    table = load("games", "leduc")
    response = LocalBestResponse(open_policy("random", table), name="local")
    state = table.start(table.deck.cards("KaQaJa"))
    for action in (CALL, CALL, CALL):
        state = table.child(state, action)
    state = state._replace(cards=tuple(table.deck.cards("QaKaJa")))  # the king acts second
    view = table.view(state, 1)
    values = response.action_values(view)
    won = (0.5 + 1 + 1 + 0) / 4
    assert values[CALL] == pytest.approx(won * 2)
    assert values[RAISE] == pytest.approx(1 / 3 * 2 + 2 / 3 * (won * (2 + 8) - 4))  # a third of every hand folds
    assert response.best(view) == RAISE


def test_all_in_for_less_wins_no_more_than_it_can() -> None:
    """The short stack calls 60 of a bet of 500: it can win 100 more than it gives up."""
    table = load("games", "holdem-nolimit(stack=(160, 1000), blinds=(50, 100))")
    response = LocalBestResponse(open_policy("always-raise", table), name="local", menu="none")
    state = table.child(table.start(table.deck.cards("AsAhKdKc2c7d9hJsQc")), raise_to(600))
    values = response.action_values(table.view(state, 0))
    assert list(values) == [CALL]
    equity = (values[CALL] + 60) / 320
    assert 0.84 < equity < 0.86  # two aces against any two cards


def test_before_its_first_round_it_checks_and_calls() -> None:
    table = load("games", "holdem-limit")
    response = LocalBestResponse(open_policy("always-raise", table), name="local", from_round=3)
    state = table.start(table.deck.cards("7c2dAsAhKsQs5h4d3c"))
    while table.player(state) >= 0:
        seat = table.player(state)
        action = response.best(table.view(state, 0)) if seat == 0 else table.actions(state)[-1]
        if seat == 0 and state.betting.round < 3:
            assert action == CALL
        state = table.child(state, action)
    assert state.betting.history.endswith("f")  # seven high on the river


@pytest.mark.parametrize(
    "game",
    [
        "holdem-nolimit(stack=2000)",
        "holdem-nolimit(stack=(300, 5000), menu='33%,100%,allin')",
        "holdem-nolimit(stack=500, limit=pot, ante=7)",
        "push-fold",
        "short-deck",
    ],
)
@pytest.mark.parametrize("menu", ["100%,allin", "none", "40%,3x"])
def test_legal_against_agents_that_it_does_not_know(game: str, menu: str) -> None:
    """It takes the opponent for always-raise, who it is not: what is impossible is said, and it plays on."""
    table, rng = load("games", game), np.random.default_rng(8)
    first = 0 if len(table.rules.rounds) < 4 else 2
    response = open_agent(f"local-best-response(against='always-raise', menu='{menu}', from_round={first})")
    assert isinstance(response, LocalBestResponse)
    others = open_agent("random(sizes=most)"), open_agent("random(sizes=least)")
    for number, cards in enumerate(table.deals(rng, 6)):
        seats = [response, others[number % 2]][:: 1 if number % 3 else -1]
        over = play_hand(table, cards, seats, [rng, rng])
        assert not over.faults
    assert set(response.remarks()) <= {ASTRAY}


def test_it_folds_when_nothing_wins_and_never_when_it_can_check() -> None:
    table = load("games", "holdem-limit")
    response = LocalBestResponse(open_policy("always-call", table), name="local", from_round=3)
    state = table.start(table.deck.cards("7c2dAsAhKsQs5h4d3c"))
    while state.betting.round < 3:
        state = table.child(state, CALL)
    assert response.best(table.view(state, 0)) == CALL  # hopeless, but a check is free
    raiser = LocalBestResponse(open_policy("formula(bluff=0)", table), name="local", from_round=3)
    state = table.child(table.child(state, CALL), RAISE)
    assert raiser.best(table.view(state, 0)) == FOLD


@pytest.mark.parametrize(
    ("spec", "game", "reason"),
    [
        ("local-best-response", "kuhn", "name the agent|against"),
        ("local-best-response(against='')", "kuhn", "name the agent"),
        ("local-best-response:always-call", "kuhn(players=3)", "two-player games"),
        ("local-best-response:always-call", "five-card-draw", "public nodes"),
        ("local-best-response:always-call", "von-neumann", "one deck"),
        ("local-best-response:always-call(from_round=1)", "kuhn", "0 to 0"),
        ("local-best-response:always-call(menu=huge)", "kuhn", "not a size"),
        ("local-best-response:always-call(from_round=-1)", "kuhn", "at least 0"),
    ],
)
def test_refusals(spec: str, game: str, reason: str) -> None:
    with pytest.raises(BadSetting, match=reason):
        MatchSettings.of(game, [spec] * load("games", game).players, hands=1)


def test_the_name_reads_back() -> None:
    agent = open_agent("local-best-response(against='formula(bluff=0.2)', from_round=2)")
    assert open_agent(agent.name).name == agent.name
    assert open_agent("local-best-response:formula").name == "local-best-response(against=formula)"
