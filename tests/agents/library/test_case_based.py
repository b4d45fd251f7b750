"""The case-based players: retrieval against its definition, what the policies do, and what is learned from hands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.agents.library.casey import Casey
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.case_base import WEIGHTS, CaseBase, Outcomes, reuse, summed
from pokerlab.agents.parts.case_tables import betting_words
from pokerlab.agents.parts.examples import FEATURES, Example, features, group, pot_fraction, self_play
from pokerlab.errors import BadFile, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.lab.play.learning import learn_from, learners
from pokerlab.lab.play.playing import match


def decisions(game: str, hands: int, seed: int = 3) -> list[Example]:
    table = open_game(game)
    assert isinstance(table, PokerGame)
    players = [open_agent("random") for _ in range(table.players)]
    return list(self_play(table, players, hands=hands, seed=seed))


def test_examples_say_what_was_won_from_the_decision_on() -> None:
    game = open_game("kuhn")
    assert isinstance(game, PokerGame)
    for example in decisions("kuhn", 40):
        if example.action == FOLD:
            assert example.gain == 0  # what is in the pot is lost before
        assert example.view.is_turn
        assert abs(example.gain) <= 4


def test_features_lie_between_0_and_1_and_differ() -> None:
    found = decisions("holdem-nolimit(players=4)", 40)
    rows = np.array([features(example.view) for example in found])
    assert rows.shape[1] == len(FEATURES) == len(WEIGHTS)
    assert rows.min() >= 0
    assert rows.max() <= 1
    assert (rows.std(0) > 0).all()
    raised = next(example for example in found if example.action.kind == "r")
    size = pot_fraction(raised.view, raised.action)
    assert size > 0
    betting, view = raised.view.betting, raised.view
    owed = betting.level - betting.live[view.seat]
    assert raised.action.amount == pytest.approx(betting.level + size * (view.pot + owed))


def test_nearest_cases_are_those_of_a_search_one_by_one() -> None:
    found = decisions("leduc(players=3)", 150)
    cases = CaseBase.learned(found)
    assert len(cases) == len(found)
    rng = np.random.default_rng(0)
    for other in decisions("leduc(players=3)", 8, seed=9):
        wanted = features(other.view, rng)
        same = [one for one in found if group(one.view) == group(other.view)]
        distances = sorted(float(np.abs(features(one.view, rng) - wanted) @ WEIGHTS) for one in same)[:7]
        distance, solutions = CaseBase.of(cases.arrays()).nearest(group(other.view), wanted, 7)
        assert distance == pytest.approx(distances, abs=1e-5)
        assert solutions.shape == (len(distances), 3)
    assert not len(cases.nearest(99, wanted, 7)[0])


def test_policies() -> None:
    similar = Outcomes(np.array([1.0, 4.0, 3.0]), np.array([0.0, -4.0, 6.0]), 0.5)
    assert reuse(similar, "probabilistic") == (0.125, 0.5, 0.375)
    assert reuse(similar, "majority") == (0, 1, 0)
    assert reuse(similar, "best-outcome") == (0, 0, 1)
    never_raised = Outcomes(np.array([2.0, 1.0, 0.0]), np.array([0.0, -3.0, 0.0]), 0.0)
    assert reuse(never_raised, "best-outcome") == (1, 0, 0)
    assert reuse(Outcomes(np.zeros(3), np.zeros(3), 0.0), "majority") == (0, 1, 0)
    near, far = summed(np.array([0.0, 0.3]), np.array([[2, 1.5, 0.5], [2, -1.5, 2.0]]), similarity=0.1)[:2]
    assert near.tolist() == [0, 0, 1.25]
    assert far[2] == pytest.approx(1.5 - 0.25 * 1.5)


def test_sizes_of_bets_are_letters() -> None:
    game = open_game("holdem-nolimit")
    assert isinstance(game, PokerGame)
    assert betting_words(game, "r300c/r500c") != betting_words(game, "r300c/r900c")
    assert betting_words(game, "r300c/cr900r20000") == "pc/cpv"
    limit = open_game("holdem-limit")
    assert isinstance(limit, PokerGame)
    assert betting_words(limit, "crc/rrc/") == "crc/rrc/"


def total_variation(learner: str, teacher: str, views: list[View]) -> float:
    policies = open_agent(learner), open_agent(teacher)
    apart = []
    for view in views:
        first, second = (dict(policy.probabilities(view)) for policy in policies)  # type: ignore[attr-defined]
        apart.append(sum(abs(first.get(text, 0.0) - second.get(text, 0.0)) for text in {*first, *second}) / 2)
    return float(np.mean(apart))


def test_what_is_learned_from_saved_hands(tmp_path: Path) -> None:
    """Each learner comes much closer to its teacher than another player, and plays from its file alone."""
    file = tmp_path / "m.duckdb"
    match(["formula", "random"], game="leduc", hands=2000, workers=1, seed=2, out=file)
    game = open_game("leduc")
    assert isinstance(game, PokerGame)
    teacher = open_agent("formula")
    views = [example.view for example in self_play(game, [teacher, teacher], hands=60, seed=5)]
    other = total_variation("rules", "formula", views)
    for agent in learners():
        learned = learn_from(agent, file, players=["formula"])
        assert learned.decisions > 1500
        assert not learned.hidden
        learned.save(tmp_path / f"{agent}.learned")
        assert total_variation(f"{agent}:{tmp_path}/{agent}.learned", "formula", views) < min(0.2, other / 2)
        both = learn_from(agent, file)
        assert both.decisions > learned.decisions
    wrong = sorted({"casper", "sartre"} - {agent})[0]
    with pytest.raises(BadFile, match=f"was learned by {agent}"):
        open_agent(f"{wrong}:{tmp_path}/{agent}.learned").probabilities(views[0])  # type: ignore[attr-defined]
    with pytest.raises(BadSetting, match="formula does not learn from hands; casper, manzana and sartre do"):
        learn_from("formula", file)
    with pytest.raises(BadSetting, match="nobody called 'me' plays in .*: formula, random do"):
        learn_from("casper", file, players=["me"])


@pytest.mark.slow
def test_sartre_plays_nearly_as_well_as_its_teacher() -> None:
    """Against the blueprint whose logs it learned from it loses a small part of what others do."""
    lost = {}
    for agent in ("sartre", "always-call", "random"):
        played = match([agent, "blueprint"], game="holdem-limit", hands=4000, seed=5, adjust="mivat")
        assert played.adjusted is not None
        lost[agent] = -played.adjusted[0].mean, played.adjusted[0].half_width
    assert lost["sartre"][0] + lost["sartre"][1] < 0.5 * (lost["always-call"][0] - lost["always-call"][1])
    assert lost["sartre"][0] + lost["sartre"][1] < 0.25 * (lost["random"][0] - lost["random"][1])


def test_casey_starts_at_random_and_learns_to_win() -> None:
    """Against a player that never raises or folds it first loses, and wins once it has seen enough."""
    result = match(
        ["casey", "always-call"], game="leduc", hands=1500, workers=1, seed=1, keep_memory=True, duplicate=False
    )
    assert result.as_dict()["agents"][0]["chips"]["low"] > 0
    game = open_game("leduc")
    assert isinstance(game, PokerGame)
    casey = open_agent("casey")
    assert isinstance(casey, Casey)
    view = game.view(game.start((0, 2, 4)), 0)
    first = {casey.act(view, np.random.default_rng(seed)) for seed in range(30)}
    assert len(first) > 1


def test_casey_repeats_what_won() -> None:
    game = open_game("holdem-nolimit")
    assert isinstance(game, PokerGame)
    casey = open_agent("casey(least=4, neighbours=8)")
    assert isinstance(casey, Casey)
    view = game.view(game.start(tuple(range(9))), 1)
    described = features(view)
    for action, gain in ((CALL, -3.0), (CALL, 2.0), (raise_to(300), 1.0), (CALL, -5.0)):
        casey.cases.add(Example(view, action, gain), described)
    assert casey.triple(view, described) == (0, 0, 1)
    for _ in range(4):
        casey.cases.add(Example(view, raise_to(300), -9.0), described)
    assert casey.triple(view, described)[0] + casey.triple(view, described)[1] == 1  # no raise any more
    casey.reset()
    assert not len(casey.cases)
