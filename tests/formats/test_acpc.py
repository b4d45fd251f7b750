"""The protocol's text against its published examples, and both ways on random hands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.formats.acpc import (
    BadLine,
    match_state,
    number,
    played,
    read_answer,
    read_betting,
    read_match_state,
    returns_of,
    state_line,
    wire_deck,
)
from pokerlab.formats.gamedef import acpc_rules, acpc_text
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import Action, PokerGame, State
from pokerlab.games.poker.text import read_action

DEALS = (  # public cards by round, where some rounds deal none and the first does
    "GAMEDEF\nnolimit\nnumPlayers = {players}\nnumRounds = 4\nstack = {stack}\nblind = 5 10{zeros}\n"
    "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = {board}\nEND GAMEDEF\n"
)
ODD_DEALS = [
    DEALS.format(players=players, stack=" 300" * players, zeros=" 0" * (players - 2), board=board)
    for players, board in ((2, "3 0 1 1"), (3, "2 1 0 1"), (3, "0 0 3 0"), (2, "0 0 0 0"))
]
GAMES = ["holdem-limit", "holdem-nolimit", "holdem-limit(players=3)", "holdem-nolimit(players=6)", "leduc", "kuhn"]
GAMES += ODD_DEALS


def poker(name: str) -> PokerGame:
    game = PokerGame(acpc_rules(name)) if name.startswith("GAMEDEF") else open_game(name)
    assert isinstance(game, PokerGame)
    return game


def random_hand(game: PokerGame, rng: np.random.Generator) -> list[State]:
    """Every state of a hand played at random."""
    states = [game.start(game.deal(rng))]
    while game.player(states[-1]) >= 0:
        legal = game.legal(states[-1])
        choices = [Action("c")] + ([Action("f")] if legal.fold else [])
        if legal.can_raise:
            fixed = game.rules.limit == "fixed"
            choices.append(Action("r", 0 if fixed else int(rng.integers(legal.least, legal.most + 1))))
        states.append(game.child(states[-1], choices[rng.integers(len(choices))]))
    return states


# the protocol's own example of a state (published description of the protocol)
EXAMPLE = "MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d"
# a line and the score of a published log
LOG_LINE = "STATE:0:cr13024c/r16916f:5d5c|9hQd/8dAs8s:13024|-13024:Alice|Bob"


def test_published_state_round_trips() -> None:
    game = poker("holdem-nolimit")
    view, hand = read_match_state(game, EXAMPLE)
    assert (view.seat, hand, view.betting.actor) == (0, 30, -2)
    assert view.pot == 2500
    state = game.start(game.deck.cards("9s8h9c6h8c8d5c6s2d"))
    for word in ("c", "c", "r250", "c", "r500", "c", "r1250", "c"):
        state = game.child(state, read_action(game, word))
    assert match_state(game, state, 0, 30) == EXAMPLE
    assert returns_of(view) == game.returns(state)


def test_published_log_line_comes_out_byte_for_byte() -> None:
    game = poker("holdem-nolimit")
    state = game.start(game.deck.cards("5d5c9hQd8dAs8s2c3c"))
    for word in ("c", "r13024", "c", "r16916", "f"):
        state = game.child(state, read_action(game, word))
    assert state_line(game, state, 0, game.returns(state), ("Alice", "Bob")) == LOG_LINE


def test_all_in_shows_the_rounds_that_are_left() -> None:
    betting = read_betting(poker("holdem-nolimit"), "r19015r20000c///")
    assert betting.history == "r19015r20000c///"
    assert betting.actor == -2


@pytest.mark.parametrize("name", GAMES)
def test_every_state_reads_back_and_hides_the_others(name: str) -> None:
    game, rng = poker(name), np.random.default_rng(3)
    known = None  # the betting of the line before, of this hand or the last
    for hand in range(60):
        for state in random_hand(game, rng):
            for position in range(game.players):
                line = match_state(game, state, position, hand)
                view, read_hand = read_match_state(game, line, known)
                known = view.betting
                assert read_hand == hand
                assert view == game.view(state, position)
                if game.player(state) >= 0:
                    cards = line.split(":")[4].split("/")[0].split("|")
                    first_board = wire_deck(game.deck).text(view.board[: game.rules.rounds[0].public])
                    cards[-1] = cards[-1].removesuffix(first_board)
                    assert [bool(text) for text in cards] == [seat == position for seat in range(game.players)]
        final = states_view(game, state)
        assert final is None or final == pytest.approx(game.returns(state))


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)", "leduc", "leduc(players=3)", "leduc(ranks=5, suits=4)"])
def test_cards_are_those_that_the_server_deals_for_the_definition(name: str) -> None:
    """With ranks and suits of the full deck; the game's own text is read too if it cannot be mistaken for that."""
    game, rng = poker(name), np.random.default_rng(3)
    theirs = PokerGame(acpc_rules(acpc_text(game.rules)))
    own_text = len(game.deck.suits) < 4
    for hand in range(30):
        for state in random_hand(game, rng):
            betting = read_betting(theirs, state.betting.history)
            for position in range(game.players):
                line = match_state(game, state, position, hand)
                assert line == match_state(theirs, state._replace(betting=betting), position, hand)
                view, _ = read_match_state(game, line)
                cards = "|".join(game.text(view.cards) if seat == position else "" for seat in range(game.players))
                if state.betting.actor < 0 or not own_text:
                    continue
                known = f"MATCHSTATE:{position}:{hand}:{state.betting.history}:{cards}/{game.text(view.board)}"
                assert read_match_state(game, known)[0] == view == game.view(state, position)
    with pytest.raises(BadLine, match="cards are written"):
        read_match_state(game, "MATCHSTATE:0:0::2c" + "|" * (game.players - 1))


def states_view(game: PokerGame, state: State) -> tuple[float, ...] | None:
    return returns_of(read_match_state(game, match_state(game, state, 0, 0))[0])


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("", "is not a state"),
        ("MATCHSTATE:0:0::", "hole cards"),
        ("MATCHSTATE:9:0::AsKs|", "has 2 players"),
        ("MATCHSTATE:0:0::|AsKs", "cannot see its own"),
        ("MATCHSTATE:0:x::AsKs|", "not a whole number"),
        ("MATCHSTATE:0:0:z:AsKs|", "cannot read the betting"),
        ("MATCHSTATE:0:0:r5:AsKs|", "does not fit"),
        ("MATCHSTATE:0:0:cc:AsKs|/2c3c4c", "separates its rounds wrongly"),
        ("MATCHSTATE:0:0:cc/:AsKs|", "public cards"),
        ("MATCHSTATE:0:0::AsAs|", "comes twice"),
        ("MATCHSTATE:0:0::AsKs|AsQs", "comes twice"),
        ("MATCHSTATE:0:0::AsKs|" + "9" * 500, "cannot be"),
    ],
)
def test_wrong_lines_get_a_sentence(line: str, part: str) -> None:
    with pytest.raises(BadLine, match=part) as caught:
        read_match_state(poker("holdem-nolimit"), line)
    assert len(str(caught.value)) < 400


@given(st.text(alphabet="MATCHSTE:0123456789/|AKQJTcdhsrf", max_size=60))
def test_any_line_is_read_or_refused(text: str) -> None:
    game = poker("holdem-limit")
    for line in (text, f"MATCHSTATE:0:0:{text}", f"MATCHSTATE:0:0::{text}"):
        try:
            view, _ = read_match_state(game, line)
            told = f"MATCHSTATE:{view.seat}:"
        except PokerlabError as problem:
            told = str(problem)
        assert told in line or " " in told  # the seat that was asked for, or a sentence
        assert len(told) < 400


def test_actions_and_numbers() -> None:
    assert read_action(poker("holdem-limit"), "r") == Action("r")
    with pytest.raises(IllegalAction, match="rSIZE"):
        read_action(poker("holdem-nolimit"), "r")
    assert [number(value) for value in (0, 100, 0.5, -13024, 1 / 3)] == ["0", "100", "0.5", "-13024", "0.333333"]


def test_what_goes_on_from_a_known_betting() -> None:
    """A betting is known again only at the end of an action: r20 is no start of r200."""
    game = poker("holdem-nolimit(blinds=[1, 2])")
    known = played(game, "r20")
    for text in ("r200", "r20c/", "r200c/cr300", "c", "r20", "r2000"):
        assert read_betting(game, text, known) == read_betting(game, text)


def test_long_bettings_are_read() -> None:
    game = poker("holdem-nolimit(stack=400000)")
    text = "".join(f"r{100 * raises}" for raises in range(2, 4001))
    assert len(text) > 20_000
    assert read_betting(game, text).history == text


@pytest.mark.parametrize(
    ("limit", "text", "meant"),
    [
        ("limit", "c", "c"),
        ("limit", "c  ", "c"),
        ("limit", "k\t", "c"),
        ("limit", "K", "c"),
        ("limit", "F anything", "f"),
        ("limit", "r300", "r"),
        ("limit", "B", "r"),
        ("nolimit", "r300 ", "r300"),
        ("nolimit", "R 300", "r300"),
        ("nolimit", "b300.5", "r300"),
        ("nolimit", "c300", "c"),
        ("nolimit", "r", None),
        ("nolimit", "r-300", None),
        ("nolimit", " c", None),
        ("nolimit", "", None),
        ("limit", "\u0660", None),
        ("nolimit", "r\u0663", None),
    ],
)
def test_answers(limit: str, text: str, meant: str | None) -> None:
    """As readAction of the competition's server takes them, which looks at the first letter and a number after it."""
    game = poker(f"holdem-{limit}")
    if meant is None:
        with pytest.raises(IllegalAction):
            read_answer(game, text)
    else:
        assert read_answer(game, text) == read_action(game, meant)
