"""Games of one decision each as arrays: against the rules, against the paper's equations, against published counts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naive.one_decision import bet_payoffs, flop_poker, pot_values, push_fold, von_neumann
from pokerlab.cards.card import Deck
from pokerlab.errors import BadGame
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.lab.solve.solving import solve
from pokerlab.registry import load
from pokerlab.tree.classes import class_form


def random_strategies(form, seed):
    rng = np.random.default_rng(seed)
    return rng.random(form.chance.shape[0]), rng.random(form.chance.shape[1])


GAMES = {
    "numbers": lambda: von_neumann(cards=7, ante=3, bet=2),
    "without replacement": lambda: von_neumann(cards=7, replacement=False),
    "flop": lambda: flop_poker(ante=1, bet=4),
    "push": lambda: push_fold(stack=7.5),
}


@pytest.mark.parametrize("name", GAMES)
def test_probabilities_and_values_sum(name):
    form = GAMES[name]().one_decision
    assert form.chance.sum() == pytest.approx(1)
    assert (form.win + form.tie + form.win.T)[form.chance > 0] == pytest.approx(1)
    first, second = random_strategies(form, 1)
    gains = [form.counterfactual(0, second), form.counterfactual(1, first)]
    value = (1 - first) @ gains[0][0] + first @ gains[0][1]
    assert value == pytest.approx(form.value(first, second))
    assert (1 - second) @ gains[1][0] + second @ gains[1][1] == pytest.approx(-value)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=25, deadline=None)
def test_value_is_what_the_rules_pay(seed, replacement):
    """Against a sum over every deal and every pair of decisions, in words of the rules."""
    form = von_neumann(cards=4, ante=2, bet=5, replacement=replacement).one_decision
    p, q = random_strategies(form, seed)
    deals = [(i, j) for i in range(4) for j in range(4) if replacement or i != j]
    total = 0.0
    for i, j in deals:
        showdown = (i > j) - (i < j)
        total += (1 - p[i]) * 2 * showdown + p[i] * ((1 - q[j]) * 2 + q[j] * 7 * showdown)
    assert form.value(p, q) == pytest.approx(total / len(deals))


@pytest.mark.parametrize("replacement", [True, False])
def test_the_rule_engine_pays_the_same(replacement):
    """The same game played out state by state by the rule engine."""
    arrays = von_neumann(cards=5, ante=2, bet=3, replacement=replacement).one_decision
    rules = load("games", "von-neumann", cards=5, ante=2, bet=3, replacement=replacement)
    p, q = random_strategies(arrays, 8)

    def value(state, hands):
        player = rules.player(state)
        if player == TERMINAL:
            return rules.returns(state)[0]
        if player == CHANCE:
            return sum(
                chance * value(rules.child(state, outcome), (*hands, outcome))
                for outcome, chance in rules.outcomes(state)
            )
        quiet, loud = rules.actions(state)
        act = (p if player == 0 else q)[hands[0][player]]
        return (1 - act) * value(rules.child(state, quiet), hands) + act * value(rules.child(state, loud), hands)

    assert value(rules.root(), ()) == pytest.approx(arrays.value(p, q))


@pytest.mark.parametrize(("ante", "bet"), [(1, 2), (8, 1)])
@pytest.mark.parametrize("make", [von_neumann, flop_poker])
def test_equations_41_to_45(make, ante, bet):
    form = make(ante=ante, bet=bet).one_decision
    p, q = random_strategies(form, 3)
    values = pot_values(form, p, q, ante=ante, bet=bet)
    margins = form.margins(p, q)
    assert values.player_margin == pytest.approx(margins[0])
    assert values.dealer_margin == pytest.approx(margins[1])
    hands = form.hand_chances
    player, dealer = hands[0] @ values.player_wins, hands[1] @ values.dealer_wins
    assert player + dealer == pytest.approx(2 * ante)  # (7)
    assert player - ante == pytest.approx(form.value(p, q))  # (9)


def test_chances_of_hands_in_flop_poker():
    form = flop_poker()
    game = form.one_decision
    by_name = dict(zip(form.hands, game.hand_chances[0], strict=True))
    assert by_name["AA"] == pytest.approx(6 / 1326)
    assert by_name["AKs"] == pytest.approx(4 / 1326)
    assert by_name["AKo"] == pytest.approx(12 / 1326)
    values = pot_values(game, np.zeros(169), np.zeros(169), ante=1, bet=2)
    wins = dict(zip(form.hands, values.win, strict=True))
    assert min(wins, key=wins.get) == "32o"
    assert wins["32o"] == pytest.approx(0.22522, abs=5e-6)
    assert wins["AA"] == pytest.approx(0.95480, abs=5e-6)


@pytest.mark.parametrize("cards", [2, 5, 100])
@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize(("ante", "bet"), [(1, 2), (8, 1), (3, 7)])
def test_payoffs_are_the_rules(cards, replacement, ante, bet):
    rules = load("games", "von-neumann", cards=cards, ante=ante, bet=bet, replacement=replacement)
    form = class_form(rules)
    assert form.one_decision.payoffs.tolist() == bet_payoffs(ante, bet).tolist()
    assert (form.name, form.pot, form.max_abs_payoff, form.order) == (rules.name, 2 * ante, ante + bet, (0, 1))


def test_payoffs_of_push_or_fold_are_in_big_blinds():
    form = class_form(load("games", "push-fold(stack=(8, 5), ante=0.1)"))
    assert (form.money, form.chips, form.pot, form.max_abs_payoff) == ("big blinds", 100, 170, 500)
    assert (form.order, form.roles) == (
        (1, 0),
        ("small blind", "big blind"),
    )  # the button has the small blind and decides first
    payoffs = form.one_decision.payoffs
    assert payoffs[:, 0, 0] == pytest.approx([-0.6] * 3)
    assert payoffs[:, 1, 0] == pytest.approx([1.1] * 3)
    assert payoffs[:, 1, 1] == pytest.approx([5, 0, -5])  # the shorter stack is what is played for


def test_a_blind_all_in_leaves_one_decision():
    """With 5 big blinds against 0.6 the big blind is all-in: it has nothing to decide, and a call is a showdown."""
    form = class_form(load("games", "push-fold(stack=(0.6, 5))"))
    game = form.one_decision
    assert not game.second_decides
    assert [own.sequences for own in form.own] == [1, 3]
    assert game.payoffs[:, 1].tolist() == [[0.6, 0.6], [0.0, 0.0], [-0.6, -0.6]]
    pushes = np.random.default_rng(3).random(169)
    behaviours = form.behaviours_of((pushes, np.ones(169)))
    plans = [own.plan(behaviour) for own, behaviour in zip(form.own, behaviours, strict=True)]
    value = (plans[0] * form.values(0, plans[1])).sum()
    assert -value / form.chips == pytest.approx(game.value(pushes, np.ones(169)))
    assert form.acts_of(behaviours)[1].tolist() == [1.0] * 169


@pytest.mark.parametrize("name", ["kuhn", "one-card", "preflop-limit(raises=1)", "preflop-nolimit"])
def test_other_games_have_more_decisions(name):
    form = class_form(load("games", name))
    assert not form.decides_once
    with pytest.raises(BadGame, match="yes-or-no decision"):
        _ = form.one_decision


@pytest.mark.parametrize("first", [0, 1])
def test_players_sit_in_their_seats_and_count_in_chips(first):
    """All-in or fold with one card each, the seat `first` deciding first: values by seat are those of other forms."""
    rules = Rules(
        players=2,
        deck=Deck.of("TJQKA"),
        rounds=(Round(private=1, bet=2, first=first),),
        limit="push",
        blinds=(2, 1) if first else (1, 2),
        stacks=(9, 9),
        odd_chips="split",
    )
    game = PokerGame(rules, "push")
    found = {kind: solve(game, algorithm="dcfr", form=kind, target=1e-4) for kind in ("sequence", "public", "classes")}
    exact = solve(game, algorithm="lp", form="sequence")
    for kind, solution in found.items():
        assert solution.values == pytest.approx(exact.values, abs=2e-3), kind
        assert solution.pot == found["sequence"].pot == 3
        for player in (0, 1):
            answer = solution.best_response(player)
            assert answer.values[player] == pytest.approx(solution.measure.best_responses[player], abs=1e-6)
            assert answer.values[player] >= solution.values[player] - 1e-9
        assert solution.root.player == first
        told = solution.root.summary()["ev"][0] * (rules.blinds[1 - first] if kind == "classes" else 1)  # in big blinds
        assert told + (0 if kind != "public" else -1) == pytest.approx(
            exact.values[0] + (0 if kind != "public" else rules.blinds[0] - 1), abs=2e-3
        )
    assert {line.player for line in found["classes"].strategy.lines()} == {0, 1}
