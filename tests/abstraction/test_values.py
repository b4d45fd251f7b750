"""Buckets by expected values after a warm-up: the values themselves, what comes of them, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.abstraction.buckets import lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.making import PERFECT, Plan, make
from pokerlab.abstraction.method import HandValues, open_method
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.registry import load
from pokerlab.solvers.bucketed.warm_up import WarmUp
from pokerlab.tree.bucketed.form import bucketed_form
from pokerlab.tree.bucketed.real_game import measurer
from pokerlab.tree.resources import Resources


def game_of(name: str) -> PokerGame:
    game = open_game(name)
    assert isinstance(game, PokerGame)
    return game


def test_values_of_an_equilibrium_add_up_to_that_of_the_game() -> None:
    """Kuhn: after many iterations the first decision is worth -1/18 on average over cards, and a king the most."""
    game = game_of("kuhn")
    found = WarmUp(game)(CardRounds.of(game), 0, 20_000)
    assert found.depth.tolist() == [0, 1, 1, 2]
    assert found.values[:, 0].mean() == pytest.approx(-1 / 18, abs=2e-3)
    assert (np.diff(found.values, axis=0) > -1e-3).all()  # a higher card is never worth less
    facing = [node for node in range(4) if found.values[0, node] == pytest.approx(-1, abs=1e-2)]
    assert facing  # a jack that faces a bet folds


@pytest.mark.parametrize("name", ["leduc(ranks=4, raises=1)", "rhode-island(ranks=3, suits=2, raises=1)"])
def test_where_the_order_of_the_board_is_forgotten_values_are_means(name: str) -> None:
    game = game_of(name)
    kept, forgotten = CardRounds.of(game, ordered=True), CardRounds.of(game)
    for turn in range(kept.rounds):
        one, other = WarmUp(game)(kept, turn, 5), WarmUp(game)(forgotten, turn, 5)
        indexer = kept.indexer(turn)
        hands = indexer.unindex_batch(np.arange(indexer.size()))
        where, weights = forgotten.index(turn, hands), indexer.counts(np.arange(indexer.size())).astype(float)
        total = np.bincount(where, weights)
        means = [np.bincount(where, weights * column) / total for column in one.values.T]
        assert np.allclose(np.array(means).T, other.values, atol=1e-5)
        assert one.depth.tolist() == other.depth.tolist()


def test_hands_of_one_value_share_a_class_and_depth_weighs_less() -> None:
    """Two columns that tell hands apart in two ways: a small decay leaves the first."""
    cards = CardRounds.of(game_of("leduc(ranks=4)"))
    first, deep = np.array([0, 0, 1, 1]), np.array([0, 3, 0, 3])

    def values(cards: CardRounds, turn: int, iterations: int) -> HandValues:
        assert iterations == 7
        return HandValues(np.stack([first, deep], axis=1).astype(np.float32), np.array([0, 2]))

    for decay, expected in ((0.1, first), (1, deep)):
        plan = Plan(cards, (f"values:2(iterations=7, decay={decay})", "strength:2"))
        table = make(plan, values=values).rounds[0].table
        assert table is not None
        assert len({(int(one), int(other)) for one, other in zip(table, expected, strict=True)}) == 2


def test_buckets_by_value_play_better_than_by_chance_and_worse_than_none() -> None:
    game = game_of("leduc(ranks=6)")
    cards, rng = CardRounds.of(game), np.random.default_rng(1)
    good = make(Plan(cards, ("lossless", "values:6")), values=WarmUp(game))
    table = rng.permutation(np.arange(cards.hands(1)) % 6).astype(np.uint16)
    thrown = replace(good, rounds=(good.rounds[0], replace(good.rounds[1], table=table)))
    found = []
    for buckets in (lossless(cards), good, thrown):
        form = bucketed_form(game, buckets)
        solver = load("algorithms", "pure").start(form, seed=0, resources=Resources(1))
        solver.advance(300_000)
        measured = measurer(form)
        assert measured is not None
        found.append(measured(solver.strategy_arrays()["average"]).exploitability)
    assert found[0] < found[1] < found[2] / 2


def test_perfect_recall_clusters_within_buckets() -> None:
    game = game_of("rhode-island(ranks=4, suits=2, raises=1)")
    found = make(Plan(CardRounds.of(game), ("lossless", "values:2", "values:2"), PERFECT), values=WarmUp(game))
    assert found.remembers
    assert found.counts[0] < found.counts[1] <= 2 * found.counts[0]
    assert found.counts[1] < found.counts[2] <= 2 * found.counts[1]


def test_what_has_no_values_is_refused() -> None:
    leduc = CardRounds.of(game_of("leduc"))
    with pytest.raises(BadSetting, match="warm-up"):
        make(Plan(leduc, ("values:2", "values:2")))
    with pytest.raises(BadSetting, match="another game"):
        make(Plan(leduc, ("values:2", "values:2")), values=WarmUp(game_of("kuhn")))
    holdem = game_of("holdem-limit")
    with pytest.raises(TooLarge, match=r"holdem-limit cannot be computed.*Rhode Island"):
        WarmUp(holdem)(CardRounds.of(holdem), 1, 10)
    with pytest.raises(BadSetting):
        open_method("values:5(decay=2)")
    assert open_method("values:5(iterations=20)").spec == "values:5(iterations=20)"
