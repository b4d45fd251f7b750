"""Published states and log lines in the games of the published definitions, byte for byte."""

from __future__ import annotations

import pytest

from pokerlab.formats.acpc import match_state, read_betting, read_match_state, state_line
from pokerlab.formats.gamedef import acpc_rules
from pokerlab.games.poker.engine import PokerGame, State
from published.acpc import GAME_DEFINITIONS, LOG_LINE, MATCH_STATES


def competition_game(name: str) -> PokerGame:
    return PokerGame(acpc_rules(GAME_DEFINITIONS[name]), name)


NO_LIMIT = competition_game("holdem.nolimit.2p.reverse_blinds")


@pytest.mark.parametrize(("name", "line"), [(name, line) for name in MATCH_STATES for line in MATCH_STATES[name]])
def test_match_states_round_trip(name, line):
    """The seat's own cards and the board, put back into a state with other cards unknown, give the same line."""
    game = competition_game(name)
    view, hand = read_match_state(game, line + "\r\n")
    hands = [view.shown[seat] if view.shown else () for seat in range(game.players)]
    hands[view.seat] = view.cards
    size = game.rules.rounds[0].private
    cards = [card for one in hands for card in (one or (0,) * size)]
    assert match_state(game, State(view.betting, (*cards, *view.board)), view.seat, hand) == line


def log_state(game: PokerGame, betting: str, cards: str) -> State:
    return State(read_betting(game, betting), tuple(game.deck.cards(cards)))


def test_log_line_has_its_values():
    _, hand, betting, cards, values, names = LOG_LINE.split(":")
    state = log_state(NO_LIMIT, betting, cards.replace("/", "|"))
    won = NO_LIMIT.returns(state)
    assert won == (13024, -13024)
    assert values == "13024|-13024"
    assert state_line(NO_LIMIT, state, int(hand), won, names.split("|")) == LOG_LINE


def test_raise_sizes_are_totals_over_the_hand():
    view, _ = read_match_state(NO_LIMIT, "MATCHSTATE:0:30:cc/r250c/r500:9s8h|/8c8d5c/6s")
    assert view.spent == (500, 250)
    assert view.legal == (True, 250, 750, 20000, -1, ())  # the turn's bet of 250 may be raised by as much


def test_a_split_odd_chip_is_written_as_a_half():
    game = competition_game("holdem.nolimit.3p")
    state = log_state(game, "r275cc/cr375cf/cc/cc", "2c3dKsKhKdKcAsAhAdQs7d")
    line = state_line(game, state, 5, game.returns(state), ("A", "B", "C"))
    assert line.endswith(":-275|137.5|137.5:A|B|C")
