"""The competition's text of states and game definitions: read and written back byte for byte."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.playing import random_action
from pokerlab.errors import BadCards, BadState, IllegalAction, PokerlabError
from pokerlab.games.acpc_text import (
    log_line,
    match_state_text,
    read_action,
    read_match_state,
    read_state,
    state_text,
)
from pokerlab.games.betting import CALL, Action
from pokerlab.games.gamedef import acpc_rules
from pokerlab.games.poker import PokerGame
from pokerlab.registry import load
from published.acpc import GAME_DEFINITIONS, LOG_LINE, MATCH_STATES


def competition_game(name: str) -> PokerGame:
    return PokerGame(acpc_rules(GAME_DEFINITIONS[name]), name)


NO_LIMIT = competition_game("holdem.nolimit.2p.reverse_blinds")


@pytest.mark.parametrize(("name", "line"), [(name, line) for name in MATCH_STATES for line in MATCH_STATES[name]])
def test_match_states_round_trip(name, line):
    read = read_match_state(competition_game(name), line + "\r\n")
    assert match_state_text(read.view, read.hand) == line


def test_log_line_round_trips_with_its_values():
    read = read_state(NO_LIMIT, LOG_LINE)
    assert NO_LIMIT.returns(read.state) == read.values == (13024, -13024)
    assert log_line(NO_LIMIT, read.state, read.names, read.hand) == LOG_LINE


def test_raise_sizes_are_totals_over_the_hand():
    view = read_match_state(NO_LIMIT, "MATCHSTATE:0:30:cc/r250c/r500:9s8h|/8c8d5c/6s").view
    assert view.spent == (500, 250)
    assert view.legal == (True, 250, 750, 20000, -1)  # the turn's bet of 250 may be raised by as much


def test_match_state_hides_the_other_hands():
    game = NO_LIMIT
    state = game.start(game.deal(np.random.default_rng(3)))
    for action in (CALL, CALL):
        state = game.child(state, action)
    line = match_state_text(game.view(state, 0), 4)
    assert line == f"MATCHSTATE:0:4:cc/:{game.text(state.cards[:2])}|/{game.text(state.cards[4:7])}"
    assert read_match_state(game, line).view == game.view(state, 0)


def test_a_split_odd_chip_is_written_as_a_half():
    game = competition_game("holdem.nolimit.3p")
    line = "STATE:5:r275cc/cr375cf/cc/cc:2c3d|KsKh|KdKc/AsAhAd/Qs/7d:-275|137.5|137.5:A|B|C"
    read = read_state(game, line)
    assert game.returns(read.state) == read.values
    assert log_line(game, read.state, read.names, read.hand) == line


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("", BadState, "must begin with MATCHSTATE"),
        ("MATCHSTATE", BadState, "0 fields"),
        ("MATCHSTATE:0:1", BadState, "2 fields"),
        ("MATCHSTATE:2:1::AsKs|", BadState, "the seat must be a number from 0 to 1"),
        ("MATCHSTATE:-1:1::AsKs|", BadState, "'-1'"),
        ("MATCHSTATE:0:x::AsKs|", BadState, "the hand number"),
        ("MATCHSTATE:0:1:x:AsKs|", BadState, "'x' at position 1"),
        ("MATCHSTATE:0:1:cc:AsKs|", BadState, "a round ends at position 2"),
        ("MATCHSTATE:0:1:c/c:AsKs|", BadState, "where no round ends"),
        ("MATCHSTATE:0:1:r150:AsKs|", IllegalAction, "at least 200"),
        ("MATCHSTATE:0:1:r20001:AsKs|", IllegalAction, "at most 20000"),
        ("MATCHSTATE:0:1:r99999999999999999:AsKs|", IllegalAction, "more than anybody has"),
        ("MATCHSTATE:0:1:r0300:AsKs|", IllegalAction, "without zeros"),
        ("MATCHSTATE:0:1:r:AsKs|", IllegalAction, "needs its total"),
        ("MATCHSTATE:0:1:fc:AsKs|", IllegalAction, "the hand is over"),
        ("MATCHSTATE:0:1:cf:AsKs|", IllegalAction, "check instead"),
        ("MATCHSTATE:0:1:d2:AsKs|", IllegalAction, "only in a draw"),
        ("MATCHSTATE:0:1:c:AsKs", BadCards, "1 hands where 2"),
        ("MATCHSTATE:0:1:c:AsAs|", BadCards, "twice"),
        ("MATCHSTATE:0:1:c:AsKs|AsKd", BadCards, "twice"),
        ("MATCHSTATE:0:1:c:AsXs|", BadCards, "'x' is not a rank"),
        ("MATCHSTATE:0:1:c:As|", BadCards, "1 cards where 2"),
        ("MATCHSTATE:0:1:cc/:AsKs|", BadCards, "1 rounds, and the betting 2"),
        ("MATCHSTATE:0:1:c:AsKs|:c", BadState, "goes on after the cards"),
        ("MATCHSTATE:0:1:" + "c" * 30000, BadState, "characters"),
    ],
)
def test_bad_lines_are_refused_with_a_sentence(line, error, words):
    with pytest.raises(error, match=words):
        read_match_state(NO_LIMIT, line)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_answered_with_a_sentence(text):
    for line in (text, f"MATCHSTATE:0:1:{text}", f"MATCHSTATE:0:1:c:{text}"):
        with contextlib.suppress(PokerlabError):
            read_match_state(NO_LIMIT, line)


@pytest.mark.parametrize(
    "spec", ["holdem-nolimit", "holdem-limit(players=4)", "leduc", "kuhn(players=3)", "five-card-draw(players=3)"]
)
def test_states_of_random_hands_round_trip(spec):
    game = load("games", spec)
    rng = np.random.default_rng(11)
    for hand in range(60):
        state = game.start(game.deal(rng))
        while game.player(state) >= 0:
            line = state_text(game, state, hand)
            again = read_state(game, line).state
            assert state_text(game, again, hand) == line
            for seat in range(game.players):
                view = game.view(state, seat)
                line = match_state_text(view, hand)
                assert read_match_state(game, line).view == view
                assert game.view(again, seat) == view
            state = game.child(state, random_action(game, state, rng))
        line = log_line(game, state, [f"player{seat}" for seat in range(game.players)], hand)
        read = read_state(game, line)
        assert game.returns(read.state) == game.returns(state)
        assert log_line(game, read.state, read.names, hand) == line


def test_an_action_is_read_as_a_client_sends_it():
    betting = NO_LIMIT.root().betting
    assert read_action(NO_LIMIT, betting, "r300") == Action("r", 300)
    assert read_action(NO_LIMIT, betting, "c") == CALL
    for text in ("", "x", "r", "r1", "c ", "/", "f\n", "r-5", "ff", "r١٢٣"):
        with pytest.raises(IllegalAction):
            read_action(NO_LIMIT, betting, text)
