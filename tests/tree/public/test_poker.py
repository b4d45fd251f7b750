"""Poker games of any rules in public form: any strategy is worth there what it is in the sequence form."""

from __future__ import annotations

import random
import warnings
from itertools import count

import numpy as np
import pytest

from pokerlab import store
from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting, Notice, PokerlabError, TooLarge
from pokerlab.formats.gamedef import rules_from
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.forms.classes import ClassStrategy
from pokerlab.strategy.forms.public import PublicStrategy
from pokerlab.strategy.profile import profile_of
from pokerlab.tree.classes import why_not
from pokerlab.tree.form import build_form
from pokerlab.tree.public.layout import two_cards
from pokerlab.tree.public.poker import public_tree, why_not_public

KUHN = {
    "players": 2,
    "limit": "fixed",
    "ranks": "JQK",
    "suits": ["a"],
    "antes": 1,
    "rounds": [{"private": 1, "raises": 1}],
}


def random_rules(seed: int) -> dict[str, object]:
    """A small game in which seats have nothing alike and a round may bring any number of cards, none included."""
    rng = random.Random(seed)
    rounds = [
        {
            "bet": rng.randint(1, 3),
            "raises": rng.randint(0, 2),
            "first": rng.randint(0, 1),
            "public": 0 if number == 0 else rng.choice([0, 1, 1, 2]),
            "betting": rng.random() < 0.9,
        }
        for number in range(rng.randint(1, 3))
    ]
    rounds[0]["private"] = rng.randint(1, 2)
    limit = rng.choice(["fixed", "no", "pot", "push"])
    has_stacks = limit != "fixed" or rng.random() < 0.4
    return {
        "players": 2,
        "limit": limit,
        "ranks": "TJQKA"[-rng.randint(2, 4) :],
        "suits": "cdh"[: rng.randint(1, 2)],
        "odd_chips": rng.choice(["seat", "split"]),
        "antes": rng.choice([1, [1, 2], [0, 1], [3, 0]]),
        "blinds": rng.choice([[0, 0], [1, 2], [2, 1]]),
        "rounds": rounds,
    } | ({"stacks": [rng.randint(1, 6), rng.randint(1, 6)]} if has_stacks else {})


def public_games(number: int) -> list[PokerGame]:
    """The first so many of those games that there are, are small and have a public form."""
    found: list[PokerGame] = []
    for seed in count():
        try:
            game = PokerGame(rules_from(random_rules(seed)), f"random {seed}")
        except PokerlabError:
            continue
        cards = sum(2 * round_.private + round_.public for round_ in game.rules.rounds)
        if game.deck.size**cards <= 8**4 and not why_not_public(game):
            found.append(game)
        if len(found) == number:
            return found
    raise AssertionError


@pytest.mark.parametrize("game", public_games(24), ids=lambda game: game.name)
def test_a_random_strategy_is_worth_the_same_in_both_forms(game: PokerGame) -> None:
    tree = public_tree(game, symmetric=False)  # else only strategies that treat suits alike have the same value
    rng = np.random.default_rng(5)
    sums = [
        [rng.random(tree.stored(number, player)).astype(np.float32) for player in (0, 1)]
        for number in range(len(tree.rounds))
    ]
    strategy, form = PublicStrategy(tree, sums), build_form(game, "sequence")
    expected, found = form.measure(profile_of(strategy, game, form)), strategy.measure_in(strategy.form)
    assert found.values == pytest.approx(expected.values, abs=1e-5)
    assert found.best_responses == pytest.approx(expected.best_responses, abs=1e-5)
    for player in (0, 1):
        assert strategy.root.ev(player) - strategy.root.node.put[player] == pytest.approx(found.values[player])


@pytest.mark.parametrize(
    ("antes", "odd_chips", "has_form"), [([1, 2], "seat", False), ([1, 2], "split", True), ([1, 3], "seat", True)]
)
def test_an_odd_chip_that_goes_to_one_seat_is_refused(antes: list[int], odd_chips: str, has_form: bool) -> None:
    """A tie would not be worth the mean of winning and losing, which these forms build upon."""
    game = PokerGame(rules_from(KUHN | {"antes": antes, "odd_chips": odd_chips, "suits": "ab"}), "kuhn of two suits")
    if has_form:
        assert public_tree(game).rounds
    else:
        with pytest.raises(BadSetting, match="odd chip"):
            public_tree(game)


def test_a_round_without_cards_is_walked_through() -> None:
    game = PokerGame(rules_from(KUHN | {"rounds": [{"private": 1, "raises": 1}, {"raises": 1}]}), "two rounds")
    tree = public_tree(game)
    sums = [[np.ones(tree.stored(number, player), np.float32) for player in (0, 1)] for number in (0, 1)]
    place = PublicStrategy(tree, sums).at("c", "c", "r")
    assert (place.player, place.moves, place.coming) == (1, ("c", "c", "r"), 0)


def test_one_ante_for_the_table_is_paid_to_the_winner_in_the_classes_form() -> None:
    """Against the sequence form: the winner gets the ante that seat 0 alone has put in."""
    table = KUHN | {"antes": [3, 0], "blinds": [1, 2], "stacks": [9, 9], "limit": "push"}
    game = PokerGame(rules_from(table | {"rounds": [{"private": 1}], "odd_chips": "split"}), "one ante")
    assert why_not(game) == ""
    form, rng = build_form(game, "classes"), np.random.default_rng(2)
    p, q = rng.random(3), rng.random(3)
    sequence = build_form(game, "sequence")
    profile = profile_of(ClassStrategy(form, form.behaviours_of((p, q))), game, sequence)
    assert form.order == (0, 1)
    assert form.one_decision.value(p, q) * max(game.rules.blinds) == pytest.approx(sequence.measure(profile).values[0])


def test_drift_of_hands_that_are_alike_is_told() -> None:
    """In a game of ties float32 sends hands of other suits other ways; what is measured then is no one's play."""
    rules = Rules(
        players=2,
        deck=Deck.of("KA", "cdh"),
        rounds=(Round(private=2, bet=3, raises=2), Round(public=2, bet=3, raises=0, first=1)),
        limit="fixed",
        antes=(0, 1),
        blinds=(1, 1),
        odd_chips="split",
    )
    store.notify.cache_clear()
    with pytest.warns(Notice, match="no longer play the same"):
        solve(PokerGame(rules, "ties"), algorithm="dcfr", form="public", iterations=300)
    store.notify.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        solve("leduc", form="public", iterations=300)
        solve("rhode-island(ranks=4, suits=3)", form="public", iterations=60)


@pytest.mark.parametrize(("hands", "size"), [([(0,), (1,)], 32_767), ([(0, 40_000)], 40_001)])
def test_decks_that_are_too_large_are_refused(hands: list[tuple[int, ...]], size: int) -> None:
    assert two_cards([(5,), (7,)], 100)[0].tolist() == [[5, 100], [7, 101]]
    with pytest.raises(TooLarge, match=f"a deck of {size:,} cards"):
        two_cards(hands, size)
