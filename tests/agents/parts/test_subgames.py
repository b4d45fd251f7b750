"""Solved subgames against what their papers promise, with ranges, boards and blueprints at random."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pokerlab.agents.library.resolve import SubgameSolver
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.on_menu import OnMenu
from pokerlab.agents.parts.subgames import REACH, UNSAFE, Effort, Step, Subgame, SubgameStrategy, solve
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.action import CALL, RAISE
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.papers.subgame_solving import blueprint, exploitability
from pokerlab.registry import load
from pokerlab.solvers.cfr.public.gadget import GadgetSolver
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.strategy.policy import Policy, PolicyTable
from pokerlab.tree.public.gadget import MAXMARGIN, RESOLVE
from pokerlab.tree.public.poker import public_tree

DCFR = schedule_of("dcfr", purpose="solve subgames with")
NEAR = 2e-3  # chips: what some hundred iterations leave


def leduc() -> PokerGame:
    game = load("games", "leduc")
    assert isinstance(game, PokerGame)
    return game


def after(place: PublicNode, moves: str) -> PublicNode:
    for move in moves.split():
        place = place.after(move)
    return place


def subgame_at(policy: Policy, moves: str, hero: int) -> Subgame:
    """A subgame after some moves that a policy has taken for both seats."""
    steps, place = [], start_of(leduc())
    for move in moves.split():
        if not place.missing:
            steps.append(Step(policy, place, {"c": CALL, "r": RAISE}[move]))
        place = place.after(move)
    return Subgame(place, hero, steps)


@pytest.fixture(scope="module")
def rough() -> Policy:
    return blueprint(public_tree(leduc()), 6)


@pytest.mark.parametrize(("moves", "hero"), [("r c Qb", 0), ("c r c Ka", 1)])
def test_margins(rough: Policy, moves: str, hero: int) -> None:
    """No hand of the opponent gains, and the smallest margin is largest with maxmargin."""
    subgame = subgame_at(rough, moves, hero)
    before = subgame.value(rough)
    smallest = {}
    for method in (UNSAFE, RESOLVE, MAXMARGIN):
        solved = solve(subgame, rough, Effort(DCFR, 500), method)
        smallest[method] = float(np.nanmin(before - subgame.value(solved)))
    assert smallest[UNSAFE] < -0.05  # some hand gains
    assert smallest[RESOLVE] > -NEAR
    assert smallest[MAXMARGIN] > smallest[RESOLVE] - NEAR
    assert smallest[MAXMARGIN] > 0.05


def test_hands_that_nobody_knows_are_played_uniformly(rough: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands that the ranges exclude are played as before, and uniformly where that says nothing."""
    solved = solve(subgame_at(rough, "r c Qb", 0), rough, Effort(DCFR, 2), UNSAFE)
    place = after(start_of(leduc()), "r c Qb")
    node = solved.decision(place)

    def unknown(_: PublicNode) -> PolicyTable:
        raise UnknownName("never seen")

    monkeypatch.setattr(solved, "_before", SimpleNamespace(table=unknown))
    assert (solved._others(place, node) == 1 / len(node.codes)).all()


def test_gifts_are_spent(rough: Policy) -> None:
    """Hands that gave something away may win it back, so that others can be left less."""
    subgame = subgame_at(rough, "c r c Ka", 0)
    gifts = subgame.gifts({})
    free = ~np.isnan(before := subgame.value(rough))
    assert (gifts >= -1e-9).all()
    assert gifts[free].max() > 0.1
    smallest = []
    for alternatives in (before, before + gifts):
        solved = solve(subgame, rough, Effort(DCFR, 500), MAXMARGIN, alternatives)
        smallest.append(float(np.nanmin(before + gifts - subgame.value(solved))))
    assert smallest[1] > smallest[0] + 0.1


@pytest.mark.parametrize("method", [RESOLVE, MAXMARGIN])
@pytest.mark.parametrize("hero", [0, 1])
def test_engine_against_form(method: str, hero: int) -> None:
    """The engine's strategies win what the gadget's form says, by best responses in it."""
    rng, game = np.random.default_rng(7 + hero), leduc()
    place = after(start_of(game), "r c Ja")
    uniform = open_agent("random")
    assert isinstance(uniform, Policy)
    subgame = Subgame(place, hero, ())
    subgame.__dict__["ranges"] = tuple(rng.random(6) * (np.arange(6) != 1) for _ in range(2))  # one hand is never held
    problem = replace(subgame.gadget(method), alternatives=rng.normal(size=6))
    general = load("algorithms", "dcfr").start(problem)  # on the operations of the form
    general.advance(500)
    measure = problem.measure(general.result())
    assert sum(measure.values) == pytest.approx(0, abs=1e-9)
    assert measure.exploitability < NEAR
    engine = GadgetSolver(problem, DCFR)
    engine.advance(500)
    hands = problem.hands
    wins = problem.responses(problem.tree.unpack(engine.strategy_arrays()))[hands]
    offered = problem.alternatives[hands]
    value = np.maximum(wins, offered).mean() if method == RESOLVE else (wins - offered).max() / len(hands)
    assert value == pytest.approx(measure.best_responses[1 - hero], abs=NEAR)


def test_whole_strategies(rough: Policy) -> None:
    """Safe solving makes the blueprint less exploitable; unsafe solving ruins a good blueprint."""
    game, form = leduc(), public_tree(leduc())
    measured = {
        method: exploitability(SubgameSolver(rough, method=method, effort=Effort(DCFR, 150)), game, form)
        for method in (RESOLVE, MAXMARGIN, REACH)
    }
    before = exploitability(rough, game, form)
    assert measured[REACH] < min(measured[RESOLVE], measured[MAXMARGIN])
    assert max(measured.values()) < before
    good = blueprint(form, 150)
    unsafe = exploitability(SubgameSolver(good, method=UNSAFE, effort=Effort(DCFR, 150)), game, form)
    assert unsafe > 10 * exploitability(good, game, form)


def test_ranges_follow_bayes(rough: Policy) -> None:
    subgame = subgame_at(rough, "r c Qb", 0)
    place = start_of(leduc())
    raised, called = place, place.after("r")
    for seat, (node, move) in enumerate([(raised, "r"), (called, "c")]):
        held = [leduc().deck.text([hand]) for hand in range(6)].index("Qb")
        likely = np.array([rough.probabilities(node.view((hand,)))[move] if hand != held else 0.0 for hand in range(6)])
        np.testing.assert_allclose(subgame.ranges[seat], likely / likely.max(), rtol=1e-6)


class ToAll(OnMenu):
    """A policy that never makes the bets that its menu lacks, but answers them."""

    def table(self, place: PublicNode) -> PolicyTable:
        table, actions = super().table(place), place.actions
        rows = np.zeros((len(table.hands), len(actions)))
        rows[:, [actions.index(action) for action in table.actions]] = table.probability
        return PolicyTable(table.hands, actions, rows)


@pytest.mark.parametrize("method", [RESOLVE, REACH])
def test_bets_off_the_menu_are_solved(method: str) -> None:
    """A blueprint with one size becomes less exploitable in a game with three, though its opponents use them all."""
    game = load("games", "leduc-nolimit(stack=9, menu='50%,100%,allin', raises=1)")
    form = public_tree(game)
    agent = SubgameSolver("random", method=method, menu="allin", effort=Effort(DCFR, 60))
    choose = agent.choices(game)
    assert choose is not None
    before = ToAll(blueprint(form, 10), choose)
    agent = SubgameSolver(before, method=method, menu="allin", effort=Effort(DCFR, 60))
    assert exploitability(agent, game, form) < 0.98 * exploitability(before, game, form)
    place = after(start_of(game), "c c Ka c r2")
    policy = agent.resolver(game).at(place)
    assert isinstance(policy, SubgameStrategy)
    assert policy.root == place


@pytest.mark.parametrize(
    ("game", "text"), [("kuhn(players=3)", "two players"), ("five-card-draw", "public form"), ("leduc", "round 5")]
)
def test_refuses(game: str, text: str) -> None:
    agent = open_agent("resolve(blueprint=random, from_round=5)")
    with pytest.raises(BadSetting, match=text):
        agent.check_game(load("games", game))  # type: ignore[attr-defined]
