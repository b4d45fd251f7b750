"""Beliefs, sampled deals and simulated hands, against enumeration in small games with unequal players."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt

import numpy as np
import pytest

from pokerlab.agents.parts import hand_tables
from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.deal_sampling import sample_deals
from pokerlab.agents.parts.hand_tables import NOW, percentiles, strengths
from pokerlab.agents.parts.opponent_model import FrequencyModel, by_strength
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.simulation import Simulation, action_values
from pokerlab.agents.parts.situations import Situation, situation
from pokerlab.agents.parts.triple import Triple, allowed
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE
from pokerlab.games.poker.engine import PokerGame, State


def test_hands_of_a_short_deck_are_read_together_as_one_by_one() -> None:
    game = open_game("short-deck")
    assert isinstance(game, PokerGame)
    board = tuple(sorted(game.deck.cards("As7h9dJc8s")))
    possible = hands_of(game).without(board)
    for found in (hand_tables._on_board(game, "short_deck", board, NOW), strengths(game, board)):
        assert (found == hand_tables._one_by_one(game, board, NOW))[possible].all()


class Lopsided:
    """Players that differ by place, and mix every action."""

    def triple(self, strength: object, now: Situation, player: int) -> Triple:
        raises = 0.1 + 0.5 * strength / (1 + player)  # type: ignore[operator]
        folds = 0.3 * (1 - strength) * (now.facing > 0)  # type: ignore[operator]
        return Triple(folds, 1 - raises - folds, raises)

    def inputs(self, now: Situation, player: int) -> object:
        return now, player


def played(game: PokerGame, cards: tuple[int, ...], moves: str) -> State:
    state = game.start(cards)
    for move in moves:
        state = game.child(state, {"f": FOLD, "c": CALL, "r": RAISE}[move])
    return state


def test_weights_are_those_of_bayes_rule() -> None:
    game = open_game("leduc(players=3)")
    view = game.view(played(game, (0, 2, 5, 4), "crcccr"), 2)  # the second player raises, then the first on the board
    model = Lopsided()
    found = Beliefs(model, floor=0.0).weights(view)
    assert set(found) == {0, 1}
    for seat, weights in found.items():
        wanted = {}
        for hand in range(6):
            if hand in (*view.cards, *view.board):
                continue
            weight, betting = 1.0, game.betting.start()
            for move in "crcccr":
                if betting.actor == seat:
                    board = view.board if betting.round else ()
                    strength = percentiles(game, board)[hand]
                    triple = model.triple(strength, situation(game, betting), (seat - 2) % 3)
                    weight *= dict(zip("fcr", triple, strict=True))[move]
                betting = game.betting.act(betting, {"c": CALL, "r": RAISE}[move])
            wanted[hand] = weight
        total = sum(wanted.values())
        assert weights == pytest.approx([wanted.get(hand, 0.0) / total for hand in range(6)])


def test_the_weights_of_a_new_hand_start_again() -> None:
    game = open_game("leduc")
    beliefs = Beliefs(Lopsided())
    for cards, moves in (((0, 2, 5), "r"), ((1, 4, 5), "c"), ((1, 4, 0), "ccr"), ((1, 4, 0), "cr")):
        state = played(game, cards, moves)
        view = game.view(state, state.betting.actor)
        again = Beliefs(Lopsided()).weights(view)
        for seat, weights in beliefs.weights(view).items():
            assert weights == pytest.approx(again[seat])


def test_sampled_deals_follow_the_weights() -> None:
    game = open_game("leduc(players=3)")
    state = played(game, (0, 2, 5, 4), "ccc")
    view = game.view(state, 1)
    rng = np.random.default_rng(4)
    weights = {0: rng.random(6), 2: rng.random(6)}
    known = {*view.cards, *view.board}
    joint = {
        pair: weights[0][pair[0]] * weights[2][pair[1]] for pair in permutations(range(6), 2) if not known & set(pair)
    }
    for own in weights.values():
        own[list(known)] = 0.0
    count = 4000
    deals = sample_deals(view, weights, count, rng)
    seen = Counter()
    for deal in deals:
        assert game.view(deal, 1) == view
        assert len(set(deal.cards)) == len(deal.cards)
        seen[game.hand(deal, 0)[0], game.hand(deal, 2)[0]] += 1
    assert set(seen) <= set(joint)
    total = sum(joint.values())
    for pair, weight in joint.items():
        mean = count * weight / total
        assert abs(seen[pair] - mean) <= 5 * sqrt(mean), pair


def test_run_outs_are_shared_and_uniform() -> None:
    game = open_game("holdem-limit(players=4)")
    state = played(game, tuple(range(13)), "cccc")
    view = game.view(state, 1)
    free = hands_of(game).without((*view.cards, *view.board)).astype(float)
    weights = dict.fromkeys((0, 2, 3), free)
    deals = sample_deals(view, weights, 60, np.random.default_rng(1), run_outs=7)
    assert all(len(set(deal.cards)) == 13 and game.view(deal, 1) == view for deal in deals)
    assert len({deal.cards[-2:] for deal in deals}) < 30  # a few more than the orders of the deck


def exact(game: PokerGame, state: State, seat: int, model: Lopsided) -> float:
    """The expected payoff of a seat when all seats play by a model."""
    actor = state.betting.actor
    if actor < 0:
        return game.returns(state)[seat]
    hand = hands_of(game).number(game.hand(state, actor))
    strength = float(percentiles(game, game.board(state), measure="now")[hand])
    triple = allowed(
        model.triple(strength, situation(game, state.betting), (actor - seat) % game.players), game.legal(state)
    )
    return sum(
        chance * exact(game, game.child(state, action), seat, model)
        for action, chance in zip((FOLD, CALL, RAISE), triple, strict=True)
        if chance > 0
    )


def test_simulated_values_are_right() -> None:
    game = open_game("leduc")
    model = Lopsided()
    state = played(game, (3, 0, 5), "r")
    view = game.view(state, 1)
    weights = Beliefs(model).weights(view)
    values = action_values(view, weights, Simulation(model, trials=3000, run_outs=3000), np.random.default_rng(2))
    assert [value.action for value in values] == [CALL, RAISE]
    for value in values:
        wanted = sum(
            weights[0][theirs]
            * exact(game, game.child(State(view.betting, (theirs, 0, board)), value.action), 1, model)
            / 4
            for theirs, board in permutations([card for card in range(6) if card != 0], 2)
        )
        assert abs(value.mean - (wanted + game.spent(view.betting)[1])) <= 4 * value.error


def test_frequencies_are_kept_on_average() -> None:
    share = (np.arange(20_000) + 0.5) / 20_000
    for frequencies in (
        Triple(0.25, 0.5, 0.25),
        Triple(0.02, 0.97, 0.01),
        Triple(0.0, 0.1, 0.9),
        Triple(0.7, 0.0, 0.3),
    ):
        triples = by_strength(share, frequencies, width=0.3)
        assert [part.mean() for part in triples] == pytest.approx(frequencies, abs=1e-3)
        assert (np.diff(triples.raise_) >= 0).all()
        assert by_strength(0.4, frequencies, width=0.3) == pytest.approx(tuple(p[8000] for p in triples), abs=1e-4)


def test_a_model_learns_each_player() -> None:
    game, model = open_game("leduc"), FrequencyModel(prior=4)
    for cards, moves in (((0, 2, 4), "rrf"), ((1, 3, 5), "ccrrf"), ((1, 2, 5), "rf")):
        model.observe(game.view(played(game, cards, moves), 1))
    first, second = situation(game, game.betting.start()), situation(game, played(game, (0, 2, 4), "r").betting)
    assert model.observations(1, first) == 3  # the opponent acts first
    assert model.frequencies(1, first) == pytest.approx((0, (1 + 2.4) / 7, (2 + 1.6) / 7))
    assert model.frequencies(0, second) == pytest.approx(((1 + 1) / 6, 2.2 / 6, (1 + 0.8) / 6))
    model.reset()
    assert not model.observations(1, first)
