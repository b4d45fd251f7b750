"""Sizes without building: against published numbers, against walking, and one way of counting against another."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest

from pokerlab.cards.card import Deck
from pokerlab.errors import TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.describe import describe
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.betting_count import count_betting, count_by_merging, count_no_limit, through_raises
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.sizes import counted_size, size_of
from pokerlab.tree.forecast import forecast
from published import sizes as published


def test_limit_holdem():
    size = size_of(open_game("holdem-limit"))
    assert tuple(one.betting for one in size.rounds) == published.LIMIT_BETTING
    assert size.states == published.LIMIT_STATES
    assert size.infosets == published.LIMIT_INFOSETS
    assert size.canonical_infosets == published.LIMIT_CANONICAL_INFOSETS


@pytest.mark.parametrize(("stack", "small", "big"), list(published.NO_LIMIT))
def test_no_limit_holdem(stack, small, big):
    size = size_of(open_game("holdem-nolimit", stack=stack, blinds=(small, big)))
    assert (size.states, size.infosets) == published.NO_LIMIT[stack, small, big]
    if (stack, small, big) in published.NO_LIMIT_BETTING:
        assert tuple(one.betting for one in size.rounds) == published.NO_LIMIT_BETTING[stack, small, big]
    else:
        assert len(str(size.states)) == 165
        assert size.canonical_infosets == published.ACPC_CANONICAL_INFOSETS


@pytest.mark.parametrize(
    ("stack", "small", "big"), [(3, 1, 2), (6, 1, 2), (9, 1, 2), (12, 2, 3), (20, 5, 7), (14, 0, 2)]
)
def test_the_partition_formula_is_what_merging_counts(stack, small, big):
    """The betting automaton, action by action, against partitions of raises."""
    game = open_game("holdem-nolimit", stack=stack, blinds=(small, big))
    merged, formula = count_by_merging(game), count_no_limit(stack, big, 4)
    for round_ in range(4):
        assert merged.in_round(round_) == formula.in_round(round_)
        actions = sum(count for (where, _), count in merged.actions.items() if where == round_)
        assert actions == formula.actions[round_, None]
    assert {r: n for r, n in merged.folds.items() if n} == {r: n for r, n in formula.folds.items() if n}
    assert merged.showdowns == formula.showdowns
    assert sum(merged.deals.values()) == sum(formula.deals.values())


def test_the_partition_formula_with_antes():
    """Short deck: everybody antes, and the button alone posts a blind."""
    game = open_game("short-deck(stack=9)")
    merged, formula = count_by_merging(game), count_betting(game)
    assert set(formula.decisions) == {(round_, None) for round_ in range(4)}, "counted by the formula"
    assert [merged.in_round(round_) for round_ in range(4)] == [formula.in_round(round_) for round_ in range(4)]
    assert merged.showdowns == formula.showdowns
    assert sum(merged.folds.values()) == sum(formula.folds.values())


def test_raises_are_partitions():
    chips, least = 17, 3
    found = through_raises([0] * chips + [1], least)
    for spent in range(1, chips + 1):
        ways = sum(
            sum(parts) == spent
            for count in range(1, spent // least + 1)
            for parts in combinations_with_replacement(range(least, spent + 1), count)
        )
        assert found[chips - spent] == ways
    assert through_raises([1, 1, 1], 5) == [0, 0, 0]


def test_unequal_stacks_are_counted_by_merging():
    game = open_game("holdem-nolimit", stack=(6, 9), blinds=(1, 2))
    assert count_betting(game).decisions == count_by_merging(game).decisions


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("leduc(players=3)", {}),
        ("holdem-limit(players=3, raises=(3, 2, 2, 2))", {}),
        ("holdem-limit(players=3, stack=[30, 24, 9])", {}),
        ("holdem-nolimit(stack=(9, 4, 7), players=3, blinds=(1, 2, 0))", {}),
        ("holdem-nolimit(stack=(9, 4, 7), players=3, blinds=(1, 2, 0))", {"limit": "pot"}),
        ("holdem-nolimit(stack=14)", {"least_raise": "double"}),
        ("holdem-nolimit(stack=12)", {"least_raise": "acpc", "blinds": (2, 1)}),
        ("leduc-nolimit(stack=8, menu='50%,100%,allin')", {}),
    ],
)
def test_betting_that_goes_on_alike_is_counted_as_one(name, changes, monkeypatch):
    """Against counting by all chips in the pot."""
    game = open_game(name)
    game = PokerGame(replace(game.rules, **changes), name) if changes else game
    counted = count_by_merging(game)
    monkeypatch.setattr(game.betting, "alike", game.betting.forgetting)
    assert counted == count_by_merging(game)


def test_three_player_limit_holdem():
    """As many nodes as are built of it by tests/tree/bucketed/test_betting.py."""
    count = count_betting(open_game("holdem-limit(players=3)"))
    assert sum(count.decisions.values()) + sum(count.folds.values()) + count.showdowns == 23_937_308


def test_rhode_island():
    size = size_of(open_game("rhode-island"))
    assert tuple(one.betting for one in size.rounds) == published.RHODE_ISLAND_BETTING
    assert size.by_player == ((published.RHODE_ISLAND_INFOSETS, published.RHODE_ISLAND_SEQUENCES),) * 2
    assert size.linear_program == published.RHODE_ISLAND_LINEAR_PROGRAM


def test_goofspiel_of_the_sampling_paper():
    assert size_of(open_game("goofspiel(cards=7, play_last=true)")).nodes == published.GOOFSPIEL_7_HISTORIES


@pytest.mark.parametrize(
    "name",
    [
        "kuhn",
        "kuhn(players=3)",
        "kuhn(players=4)",
        "leduc",
        "one-card(cards=5)",
        "goofspiel(cards=1)",
        "goofspiel(cards=4)",
        "goofspiel(cards=4, play_last=true)",
        "goofspiel(cards=3, points=random)",
        "goofspiel(cards=3, points=random, play_last=true, hidden=false)",
        "goofspiel(cards=4, points=ascending, hidden=false)",
        "liars-dice(sides=3)",
        "liars-dice(dice=2, sides=2)",
        "liars-dice(sides=2, players=3)",
        "princess-and-monster(steps=6)",
        "princess-and-monster(rows=2, steps=5)",
        "princess-and-monster(steps=1)",
        "latent-tictactoe(rows=2, columns=2, line=2)",
        "latent-tictactoe(rows=2, columns=3, line=3)",
        "latent-tictactoe(rows=1, columns=4, line=2)",
    ],
)
def test_counting_is_walking(name):
    game = open_game(name)
    size, walked = counted_size(game), describe(game)
    assert size is not None
    assert (size.nodes, size.states, size.terminals) == (walked.nodes, walked.decisions, walked.terminals)
    if size.infosets is not None:
        assert size.infosets == sum(own.infosets for own in walked.facts)
        assert size.by_player == tuple((own.infosets, own.sequences) for own in walked.facts)
        assert size.infoset_actions == sum(own.sequences - 1 for own in walked.facts)


def test_leduc_up_to_suits():
    """Three ranks first; then a pair, or two ranks in the same or in different suits."""
    size = size_of(open_game("leduc"))
    assert size.canonical_infosets == 6 * 3 + 30 * (3 + 6 * 2)


def test_other_games_are_walked():
    size = size_of(open_game("ace-king"))
    assert (size.how, size.nodes, size.by_player) == ("walked", 39, ((4, 9), (4, 9)))
    with pytest.raises(TooLarge, match="1,000 nodes"):
        size_of(open_game("phantom-tictactoe"), limit=1000)


def test_too_many_chips_are_refused(monkeypatch):
    monkeypatch.setattr("pokerlab.games.poker.betting_count.MOST_STEPS", 50)
    with pytest.raises(TooLarge, match="too many arrangements"):
        size_of(open_game("holdem-nolimit", players=3, stack=20, blinds=(1, 2)))
    with pytest.raises(TooLarge, match="20,000 big blinds, too deep"):
        size_of(open_game("holdem-nolimit", stack=2_000_000, blinds=(50, 100)))


@pytest.mark.parametrize(
    "name",
    [
        "leduc",
        "leduc-nolimit(stack=6)",
        "leduc-nolimit(stack=9, menu='50%,allin')",
        "holdem-limit(players=3)",
        "holdem-nolimit(stack=700, players=3)",
        "five-card-draw",
    ],
)
def test_actions_are_counted_as_they_are_listed(name):
    betting = open_game(name).betting
    rng, met = np.random.default_rng(1), set()
    for _ in range(20):
        place = betting.start()
        while place.actor >= 0:
            actions = betting.actions(place)
            met.add(len(actions))
            assert betting.action_count(place) == len(actions)
            place = betting.act(place, actions[rng.integers(len(actions))] if actions else Action("d"))
        assert betting.action_count(place) == 0
    assert len(met) > 1


@pytest.mark.slow
def test_latent_tictactoe():
    """Also by a recursion over the board, both players' views and the last move."""
    assert size_of(open_game("latent-tictactoe")).nodes == 58_086_835


DRAWS = {
    "fixed limit": ("AKQ", {"limit": "fixed", "antes": (1, 1)}, Round(private=1, bet=2, raises=1), 1, 1),
    "short stacks": ("AKQ", {"blinds": (1, 2), "stacks": (5, 3)}, Round(private=1, bet=2), 1, 0),
    "two discards": ("AKQJ", {"blinds": (1, 2), "stacks": (2, 2)}, Round(private=2, bet=2), 2, 1),
}


@pytest.mark.parametrize("name", DRAWS)
def test_games_with_a_draw_are_counted_as_they_are_walked(name: str) -> None:
    ranks, settings, dealt, discards, first = DRAWS[name]
    rounds = dealt, replace(dealt, private=0, draw=discards, first=first)
    game = PokerGame(Rules(players=2, deck=Deck.of(ranks, "sh"), rounds=rounds, **({"limit": "no"} | settings)), name)
    counted, walked = game.size(), size_of(Told(None, game), limit=3_000_000)
    assert (counted.how, walked.how) == ("counted", "walked")
    for part in ("states", "infosets", "infoset_actions", "terminals", "nodes"):
        assert getattr(counted, part) == getattr(walked, part), part
    if counted.by_player:
        assert counted.by_player == walked.by_player
    assert sum(one.infosets for one in counted.rounds) == counted.infosets


def test_five_card_draw_is_counted() -> None:
    size = size_of(open_game("five-card-draw"))
    assert size.how == "counted"
    assert size.rounds[0].infosets == size.rounds[0].betting * comb(52, 5)
    assert size.rounds[0].canonical_infosets == size.rounds[0].betting * 134_459  # Ee: starting hands up to suits
    assert size.nodes == pytest.approx(forecast(open_game("five-card-draw")).nodes)
    least = size_of(open_game("five-card-draw(menu='min')"))
    assert least.nodes < size.nodes
    assert open_game("five-card-draw(players=3)").size() is None
    assert open_game("small-draw(ranks=3, suits=2, cards=2, discards=2)").size() is None  # the deck may run out


class Told:
    """Some game, and what it says of its size."""

    def __init__(self, size: object, game: object = None) -> None:
        self.size = size
        self._game = game or open_game("matching-pennies")

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)


def test_a_game_tells_its_own_size() -> None:
    known = size_of(open_game("liars-dice(sides=2)"))
    assert size_of(Told(lambda *, effort: known)) is known
    for none in (None, 5, lambda *, effort: None):  # a setting called size is no answer
        assert size_of(Told(none)).nodes == 7
    with pytest.raises(TooLarge, match="before anything is walked"):
        size_of(Told(None), before_walking=refuse)
    assert size_of(Told(lambda *, effort: known), before_walking=refuse) is known


def refuse() -> None:
    raise TooLarge("before anything is walked")
