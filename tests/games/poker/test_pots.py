"""Main and side pots, split pots, odd chips; and chips are conserved, always."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.playing import random_action
from pokerlab.cards.card import FULL_DECK, SHORT_DECK
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting, BettingRules
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.pots import Payoffs
from pokerlab.games.poker.rules import LEAST_RAISES, LIMITS, Round, Rules
from pokerlab.registry import load


def payoffs(players: int, *, antes: tuple[int, ...] = (), odd_chips: str = "seat") -> Payoffs:
    rules = Rules(players=players, rounds=(Round(private=1),), antes=antes, odd_chips=odd_chips)
    return Payoffs(rules, BettingRules(rules))


def over(*live: int, folded: tuple[int, ...] = ()) -> Betting:
    """A showdown after these chips."""
    alive = sum(1 << seat for seat in range(len(live)) if seat not in folded)
    return Betting(0, TERMINAL, live, max(live), 0, 0, alive, 0, 0, 0, False, "")


def test_side_pots_by_level():
    pots = payoffs(4).pots(over(50, 200, 500, 500))
    assert [(pot.amount, pot.seats) for pot in pots] == [(200, (0, 1, 2, 3)), (450, (1, 2, 3)), (600, (2, 3))]


def test_folded_chips_stay_where_they_were_put():
    pots = payoffs(4).pots(over(50, 200, 500, 500, folded=(1,)))
    assert [(pot.amount, pot.seats) for pot in pots] == [(200, (0, 2, 3)), (1050, (2, 3))]


def test_unmatched_chips_go_back():
    assert payoffs(2).returns(over(500, 200), [1, 2]) == (200, -200)
    assert payoffs(3).returns(over(500, 200, 100), [3, 2, 1]) == (-200, 0, 200)
    assert payoffs(3).returns(over(500, 200, 100), [1, 2, 3]) == (300, -200, -100)


def test_the_best_hand_of_each_pot_wins_it():
    # the shortest stack has the best hand, the next the second best
    assert payoffs(4).returns(over(50, 200, 500, 500), [1, 2, 4, 3]) == (150, 250, -500, 100)


def test_odd_chips_go_one_each_from_the_left_of_the_button():
    assert payoffs(3).returns(over(5, 5, 1, folded=(2,)), [7, 7, None]) == (1, 0, -1)
    assert payoffs(4).returns(over(10, 10, 10, 2, folded=(3,)), [7, 7, 7, None]) == (1, 1, 0, -2)
    assert payoffs(4).returns(over(10, 10, 10, 2, folded=(3,)), [9, 7, 7, None]) == (-10, 6, 6, -2)


def test_odd_chips_may_be_split():
    third = pytest.approx(2 / 3)
    assert payoffs(4, odd_chips="split").returns(over(10, 10, 10, 2, folded=(3,)), [7, 7, 7, None]) == (
        third,
        third,
        third,
        -2,
    )


def test_each_pot_is_split_by_itself():
    # main pot 25 and side pot 5 between the same two: an odd chip in each, both to the first seat
    assert payoffs(3).returns(over(10, 10, 5, folded=()), [7, 7, 9]) == (3, 2, -5)
    assert payoffs(4).returns(over(8, 5, 8, 2), [7, 9, 7, 9]) == (4, -5, 3, -2)


def test_equal_antes_are_layered_and_an_ante_for_the_table_is_everybodys():
    short = payoffs(3, antes=(5, 5, 5)).pots(over(0, 10, 10))
    assert [(pot.amount, pot.seats) for pot in short] == [(15, (0, 1, 2)), (20, (1, 2))]
    table = payoffs(3, antes=(0, 15, 0)).pots(over(4, 10, 10))
    assert [(pot.amount, pot.seats) for pot in table] == [(27, (0, 1, 2)), (12, (1, 2))]


@st.composite
def any_rules(draw) -> Rules:
    """Poker games of every shape: players, antes, blinds, stacks, limits, rounds, draws."""
    players = draw(st.integers(2, 10))
    per_seat = st.lists(st.integers(0, 30), min_size=players, max_size=players).map(tuple)
    draws = draw(st.booleans()) and players <= 6
    count = draw(st.integers(1, 4))
    first = st.integers(0, players - 1)
    caps = st.none() | st.integers(0, 4)
    bets = st.integers(1, 20)
    rounds = [
        Round(private=draw(st.integers(1, 5 if draws else 3)), bet=draw(bets), raises=draw(caps), first=draw(first))
    ]
    for _ in range(count - 1):
        public = 0 if draws else draw(st.integers(0, 3))
        exchange = draw(st.integers(0, 5)) if draws else 0
        betting = draw(st.booleans())
        rounds.append(
            Round(public=public, draw=exchange, bet=draw(bets), raises=draw(caps), first=draw(first), betting=betting)
        )
    needed = sum(players * round_.private + round_.public for round_ in rounds) + max(round_.draw for round_ in rounds)
    return Rules(
        players=players,
        rounds=tuple(rounds),
        deck=SHORT_DECK if needed <= SHORT_DECK.size and draw(st.booleans()) else FULL_DECK,
        limit=draw(st.sampled_from(LIMITS)),
        antes=draw(per_seat),
        blinds=draw(per_seat),
        stacks=draw(st.lists(st.integers(1, 200), min_size=players, max_size=players).map(tuple)),
        odd_chips=draw(st.sampled_from(["seat", "split"])),
        reopens_at=draw(st.sampled_from([0.0, 0.5, 1.0])),
        least_raise=draw(st.sampled_from(LEAST_RAISES)),
    )


def assert_matched(game: PokerGame, betting: Betting) -> None:
    """Nobody is asked to put in more than some other seat in the hand can match."""
    call = game.betting.legal(betting).call
    if call > 0:
        others = [seat for seat in range(game.players) if betting.alive >> seat & 1 and seat != betting.actor]
        assert betting.live[betting.actor] + call <= max(game.betting.behind[seat] for seat in others)


@settings(max_examples=400, deadline=None)
@given(any_rules(), st.integers(0, 2**32 - 1))
def test_chips_are_conserved_in_any_game(rules, seed):
    rng = np.random.default_rng(seed)
    game = PokerGame(rules)
    states = [game.start(game.deal(rng))]
    while game.player(states[-1]) >= 0:
        state = states[-1]
        for seat in range(rules.players):
            assert 0 <= game.stacks(state.betting)[seat] <= rules.stacks[seat]
        assert game.pot(state.betting) + sum(game.stacks(state.betting)) == sum(rules.stacks)
        assert_matched(game, state.betting)
        states.append(game.child(state, random_action(game, state, rng)))
        assert len(states) < 2000
    for earlier, later in pairwise(states):
        assert all(a <= b for a, b in zip(earlier.betting.live, later.betting.live, strict=True))
        assert later.betting.history.startswith(earlier.betting.history)
    betting = states[-1].betting
    assert sum(pot.amount for pot in game.pots(states[-1])) == sum(game.spent(betting))
    won = game.returns(states[-1])
    assert sum(won) == pytest.approx(0, abs=1e-9)
    for seat, spent in enumerate(game.spent(betting)):
        assert won[seat] >= -spent - 1e-9
        if not betting.alive >> seat & 1:
            assert won[seat] == -spent
    if rules.odd_chips == "seat":
        assert all(value == int(value) for value in won)
    held = [card for seat in range(rules.players) for card in game.hand(states[-1], seat)]
    if not any(round_.draw for round_ in rules.rounds):
        assert len(set(held)) == len(held)


def test_no_card_is_in_two_hands_after_six_players_exchange_all():
    """Sixty cards are needed from a deck of fifty-two: the muck is dealt again."""
    game = load("games", "five-card-draw(players=6)")
    rng = np.random.default_rng(4)
    reshuffled = 0
    for _ in range(50):
        state = game.start(game.deal(rng))
        while game.player(state) >= 0:
            if state.betting.drawing:
                state = game.child(state, game.actions(state)[-1])  # all five
                own = state.draws[-1]
                assert not set(own.discarded) & set(own.received), "nobody gets back what he has just thrown away"
                assert len(own.received) == 5
            else:
                state = game.child(state, game.actions(state)[1 if game.legal(state).fold else 0])
            held = [card for seat in range(6) for card in game.hand(state, seat)]
            assert len(set(held)) == 30
        received = [card for draw in state.draws for card in draw.received]
        reshuffled += len(set(received) & set(state.cards[:30])) > 0
    assert reshuffled == 50
