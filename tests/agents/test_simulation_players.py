"""The players of formulas and simulation: each test fails if the idea of its player is taken away."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import sqrt

import numpy as np
import pytest

from pokerlab.agents.library.formula import Formula
from pokerlab.agents.library.ismcts import InformationSetSearch
from pokerlab.agents.library.mcts import TreeSearch
from pokerlab.agents.library.realbot import RealBot, winnings_by_opponent
from pokerlab.agents.library.rollout import RollOut, rolled_out
from pokerlab.agents.library.selective_sampling import SelectiveSampling
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts.betting_search import BettingSearch, Choice, Decision, Search, maximum_of_two
from pokerlab.agents.parts.hand_reading import read, read_against
from pokerlab.agents.parts.play_outs import PlayOuts
from pokerlab.agents.parts.regression_tree import grow
from pokerlab.agents.parts.roll_out import hands_of, win_shares
from pokerlab.agents.parts.search_convergence import search_convergence
from pokerlab.agents.parts.self_play import play
from pokerlab.agents.parts.simulation import Simulation, action_values
from pokerlab.agents.parts.situations import Situation
from pokerlab.agents.parts.tree_model import tree_model
from pokerlab.agents.parts.triple import Triple
from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.preflop import preflop_table
from pokerlab.cards.starting_hands import correlation_with_groups, simulate_income, sklansky_groups
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.match.run.match import MatchSettings, play_match

RAISES = {"f": FOLD, "c": CALL, "r": RAISE}


def view_of(game: PokerGame, cards: str, moves: str, *, seat: int | None = None) -> View:
    """What the seat to act sees after these moves, or another seat; missing cards are the lowest free ones."""
    known = game.deck.cards(cards)
    rest = [card for card in range(game.deck.size) if card not in known]
    state = game.start((*known, *rest))
    for move in moves:
        state = game.child(state, RAISES[move])
    return game.view(state, state.betting.actor if seat is None else seat)


def test_a_weighted_hand_strength_equals_the_plain_one_for_equal_weights() -> None:
    game = open_game("holdem-limit")
    for cards, moves in (("AhKd7c7d2s9hJc", "cc"), ("2h3d9cTdJsQhKc", "cccc"), ("AhAd9cTdJsQhKc", "cccccc")):
        view = view_of(game, cards, moves)
        free = hands_of(game).without((*view.cards, *view.board)).astype(float)
        assert read_against(view, free) == pytest.approx(read(view, None))


def test_a_raise_makes_the_formula_with_a_model_think_less_of_its_hand() -> None:
    game, model = open_game("holdem-limit"), Formula(model="frequency")
    view = view_of(game, "8h7h4c4d2s8dJc", "rccr")  # a pair of eights on 2 8 J, raised before the flop and on it
    weights = model.memory.weights(view)[0 if view.seat else 1]
    assert read_against(view, weights).now < read(view, None).now - 0.05
    assert model.triple_at(view, None).raise_ < 0.1 < 0.9 < Formula().triple_at(view, None).raise_
    assert model.name == "formula(model=frequency)"


def test_roll_outs_are_right_against_one_and_two_opponents() -> None:
    game = open_game("holdem-limit(players=3)")
    cards = "AhKd7c7d2s3s9hJcAd5c6c"
    for moves in ("ccc", "fcc"):
        view = view_of(game, cards, moves)
        free = hands_of(game).without((*view.cards, *view.board))
        alone = win_shares(game, tuple(sorted(view.cards)), tuple(sorted(view.board)))[free].mean()
        won = rolled_out(view, 3000, np.random.default_rng(1))
        if moves == "fcc":
            assert abs(won - alone) < 4 * 0.5 / sqrt(3000)
        else:
            assert alone**2 - 0.03 < won < alone - 0.05  # two opponents, nearly independent


def test_roll_outs_compare_with_the_price() -> None:
    game, rng = open_game("holdem-limit"), np.random.default_rng(2)
    strong, weak = (view_of(game, hole + "4c4dAsAdJcKs9s", "cccccccr") for hole in ("AhAc", "2h3d"))
    assert [RollOut().act(view, rng) for view in (strong, weak)] == [RAISE, FOLD]
    for order in ("income", "sklansky"):
        assert RollOut(preflop=order).before_the_flop(view_of(game, "AhAd4c4d", "")) == Triple(0, 0, 1)


def test_income_rates_are_those_of_the_exact_table_and_agree_with_the_groups() -> None:
    deals = 20_000
    income = simulate_income(2, deals=deals, iterations=1, seed=0)
    win, tie = preflop_table(5).against_random()
    error = (
        3.5 * 0.5 / np.sqrt(2 * deals * np.array([1 / 221 if name[0] == name[1] else 1 / 332 for name in CLASS_NAMES]))
    )
    assert (np.abs(income - (3.5 * (win + tie / 2) - 1)) < 5 * error).all()
    assert np.bincount(sklansky_groups()).tolist() == [0, 5, 5, 6, 8, 18, 10, 18, 15, 84]
    assert correlation_with_groups(simulate_income(10, deals=deals, iterations=2, seed=0)) > 0.7


def test_sampling_is_biased_by_what_opponents_did() -> None:
    game, agent = open_game("holdem-limit"), SelectiveSampling(trials=600, run_outs=600)
    view = view_of(game, "9h8h4c4d2s8dJc", "rccr")
    rng = np.random.default_rng
    opponent = next(iter(agent.weights(view)))
    free = hands_of(game).without((*view.cards, *view.board)) / 1.0
    biased = agent.values(view, rng(1))[0]
    plain = action_values(view, {opponent: free}, Simulation(agent.model, 600, 600, 1.0), rng(1))[0]
    assert biased.mean < plain.mean - 3 * sqrt(biased.error**2 + plain.error**2)


@pytest.mark.slow
def test_likely_hands_beat_random_ones() -> None:
    """selective-sampling over rollout in limit hold'em, with 95 % confidence."""
    settings = MatchSettings.of(
        "holdem-limit", ["selective-sampling", "rollout"], hands=1000, duplicate=True, seed=3, adjust="mivat"
    )
    adjusted = play_match(settings).adjusted
    assert adjusted is not None
    assert adjusted[0].low > 0


def folded_hands(game: PokerGame, count: int, *, seat: int) -> list[View]:
    """Hands in which the seat calls a raise, checks the flop and folds to a bet."""
    return [view_of(game, "9h8h4c4d2s8dJc3c3h", "rccrf", seat=seat)] * count


def test_a_learned_model_of_oneself_spirals_into_folding_and_a_fixed_one_does_not() -> None:
    game = open_game("holdem-limit")
    view = view_of(game, "9h8h4c4d", "r", seat=None)
    before, after, folds = {}, {}, {}
    for kind in ("fixed", "learned"):
        agent = SelectiveSampling(trials=1000, run_outs=200, self_model=kind)
        before[kind] = agent.values(view, np.random.default_rng(3))[0]
        for hand in folded_hands(game, 60, seat=view.seat):
            agent.observe(hand)
        after[kind] = agent.values(view, np.random.default_rng(3))[0]
        folds[kind] = agent.model.triple(0.5, Situation(1, 1, 1, 1, 10, 50), 0).fold
    assert before["fixed"].mean == before["learned"].mean  # the same until something is observed
    assert folds["learned"] > folds["fixed"] + 0.3
    assert after["learned"].mean < after["fixed"].mean - 2 * after["fixed"].error


def folds_to_bets(self_model: str, hands: int) -> tuple[int, int]:
    """Folds, and bets faced, against always-raise after as many hands of learning."""
    game, rng, counts = open_game("holdem-limit"), np.random.default_rng(5), [0, 0]
    agents = SelectiveSampling(trials=30, run_outs=8, self_model=self_model), open_agent("always-raise")

    def count(seat: int, view: View, action: Action, is_late: bool) -> None:
        if seat == 0 and is_late and view.to_call:
            counts[0] += action == FOLD
            counts[1] += 1

    for number, cards in enumerate(game.deals(rng, 2 * hands)):
        play(game, agents, cards, rng, partial(count, is_late=number >= hands))
    return counts[0], counts[1]


def test_who_predicts_itself_by_its_own_folds_keeps_folding() -> None:
    """The folding of Poki in play: after 40 hands it still folds to bets that have nothing to say, and the cure not."""
    (often, bets), (rarely, other_bets) = (folds_to_bets(kind, 40) for kind in ("frequencies", "fixed"))
    rates = often / bets, rarely / other_bets
    error = sqrt(sum(rate * (1 - rate) / count for rate, count in zip(rates, (bets, other_bets), strict=True)))
    assert rates[0] - rates[1] > 0.1 + 2 * error


class Passive:
    """Checks and calls with everything, except that the player itself folds to every bet."""

    def triple(self, strength: object, now: Situation, player: int) -> Triple:
        ones = np.ones_like(np.asarray(strength, float))
        own_fold = ones * (player == 0 and now.facing > 0)
        raises = (1 - own_fold) * (0.5 if player else 0.0)
        return Triple(own_fold, 1 - own_fold - raises, raises)  # type: ignore[arg-type]

    def inputs(self, now: Situation, player: int) -> Hashable:
        return now, player


def test_a_tree_search_finds_later_actions_that_its_self_model_misses() -> None:
    game = open_game("leduc")
    view = view_of(game, "KaQaKb", "", seat=0)
    weights = {1: hands_of(game).without(view.cards) / 5.0}
    rng = np.random.default_rng(4)
    simulated = max(value.mean for value in action_values(view, weights, Simulation(Passive(), 1500, 1500), rng))
    plays = PlayOuts(view, Passive(), rng)
    deals = plays.deals(view, weights, 1500, rng, run_outs=1500)
    for search in (Search(exploration=1.0), Search("standard-error", "max-distribution", 2.0)):
        root = BettingSearch(plays, search).run(deals)
        assert max(choice.mean for choice in root.choices) + view.spent[0] > simulated + 1.0


def test_selection_explores_what_was_unlucky() -> None:
    decision = Decision([CALL, RAISE])
    lucky, unlucky = decision.choices
    lucky.visits, lucky.total, lucky.squares = 50, 50.0, 60.0
    unlucky.visits, unlucky.total, unlucky.squares = 4, 0.0, 80.0
    decision.visits = 54
    game = open_game("leduc")
    plays = PlayOuts(view_of(game, "KaQa", "", seat=0), Passive(), np.random.default_rng(0))
    for selection in ("uct", "standard-error"):
        greedy, curious = (BettingSearch(plays, Search(selection, exploration=c)) for c in (0.0, 2.0))
        assert greedy.select(decision) is lucky
        assert curious.select(decision) is unlucky
    sure = Choice(FOLD)
    sure.visits, sure.total, sure.squares = 10, -10.0, 10.0
    decision.choices.append(sure)
    assert BettingSearch(plays, Search("standard-error", exploration=9.0)).select(decision) is unlucky
    assert decision.value > lucky.mean


def test_the_maximum_of_two_normal_variables() -> None:
    rng = np.random.default_rng(5)
    for first, second in (((0.0, 1.0), (0.5, 4.0)), ((3.0, 0.25), (-1.0, 0.5)), ((1.0, 0.0), (1.0, 2.0))):
        drawn = np.maximum(*(rng.normal(mean, sqrt(variance), 200_000) for mean, variance in (first, second)))
        mean, variance = maximum_of_two(*first, *second)
        assert mean == pytest.approx(drawn.mean(), abs=5 * drawn.std() / sqrt(200_000))
        assert variance == pytest.approx(drawn.var(), rel=0.02)


def test_a_regression_tree_finds_the_steps_of_a_function() -> None:
    rng = np.random.default_rng(6)
    examples = rng.random((2000, 3))
    wanted = np.where(examples[:, 1] > 0.3, np.where(examples[:, 2] > 0.6, 2.0, 1.0), 0.0)
    targets = np.column_stack([wanted, -wanted]) + rng.normal(0, 0.1, (2000, 2))
    tree = grow(examples, targets, depth=3, least=20)
    assert abs(tree.predict(examples)[:, 0] - wanted).mean() < 0.03
    assert tree.feature[0] == 1
    assert tree.threshold[0] == pytest.approx(0.3, abs=0.01)


def test_the_learned_model_folds_weak_and_raises_strong_hands() -> None:
    triple = tree_model(0).triple(np.array([0.1, 0.5, 0.95]), Situation(1, 1, 1, 1, 10, 50), 1)
    assert triple.fold[0] > 0.4 > 0.1 > triple.fold[2]  # type: ignore[index]
    assert triple.raise_[2] > triple.raise_[1]  # type: ignore[index]


def test_a_weak_opponent_is_one_who_lost_to_it() -> None:
    game = open_game("leduc(players=3)")
    state = game.start(game.deck.cards("KaQaJaKb"))
    for move in "rcc" + "rcf":
        state = game.child(state, RAISES[move])
    view = game.view(state, 0)  # the king wins 7 from the queen and 3 from the jack
    assert winnings_by_opponent(view) == {1: 7, 2: 3}
    loser = winnings_by_opponent(game.view(state, 1))
    assert loser == {2: -7}  # the place of the winner seen from the queen


def test_it_plays_more_hands_against_a_weak_opponent() -> None:
    game, rng = open_game("holdem-limit"), np.random.default_rng(7)
    plain, keen = (RealBot(trials=60, run_outs=15, window=20, most=most) for most in (0.0, 0.5))
    for agent in (plain, keen):
        agent.won_from.extend([{1: 30.0}] * 20)
    views = [view_of(game, game.text(cards), "r") for cards in game.deals(rng, 40)]
    folds = [sum(agent.act(view, np.random.default_rng(8)) == FOLD for view in views) for agent in (plain, keen)]
    assert folds[1] < folds[0]
    keen.won_from.extend([{}] * 20)  # 500 hands later
    assert keen.tolerance(views[0]) == 0.0


def test_smooth_uct_comes_near_an_equilibrium_of_kuhn_poker() -> None:
    game = open_game("kuhn")
    points = search_convergence(game, (300, 30_000), InformationSetSearch(exploration=0.3), seed=1)
    assert [point.simulations for point in points] == [300, 30_000]
    assert points[1].exploitability < 0.03 < points[0].exploitability


def test_trials_are_shared_among_opponents() -> None:
    game = open_game("holdem-limit(players=6)")
    assert TreeSearch(trials=100).trials_of(view_of(game, "AhAd", "fff")) == 50
