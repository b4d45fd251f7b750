"""Exchanges of cards: what is refused and why, and a deck that runs out."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import IllegalAction
from pokerlab.games.poker.betting import CALL, STAND_PAT, Action, discard
from pokerlab.games.poker.engine import PokerGame, State
from pokerlab.games.poker.typed import read_typed
from pokerlab.registry import load

OWN, OTHER = "As9d7c5h2d", "KsQdJc8h3d"


def at_the_draw(game: PokerGame | None = None) -> State:
    game = game or load("games", "five-card-draw")
    cards = game.deck.cards(OWN + OTHER)
    rest = [card for card in range(51, -1, -1) if card not in cards]
    state = game.start((*cards, *rest, *range(52)))
    return game.child(game.child(state, CALL), CALL)


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Kh", "cannot discard 'Kh': the hand is As9d7c5h2d, and each card goes once"),  # in nobody's hand
        ("Ks", "cannot discard 'Ks': the hand is As9d7c5h2d"),  # in the other hand: drawing out of turn
        ("AsAs", "each card goes once"),
        ("As9d7c5h2dKs", "at most 5 cards may be exchanged, and these are 6"),
    ],
)
def test_what_cannot_be_thrown_away(cards: str, words: str) -> None:
    game, state = load("games", "five-card-draw"), at_the_draw()
    thrown = discard(*(game.deck.card(cards[place : place + 2]) for place in range(0, len(cards), 2)))
    with pytest.raises(IllegalAction) as caught:
        game.child(state, thrown)
    assert words in str(caught.value)


@pytest.mark.parametrize("cards", [(52,), (-1,)])
def test_what_is_no_card(cards: tuple[int, ...]) -> None:
    game = load("games", "five-card-draw")
    with pytest.raises(IllegalAction, match="cannot discard"):
        game.child(at_the_draw(), Action("d", 0, cards))


def test_drawing_out_of_turn() -> None:
    """Before the betting ends, after both have drawn, and a second time: the next to draw is the other seat."""
    game = load("games", "five-card-draw")
    own = game.deck.cards(OWN)
    state = at_the_draw()
    before = game.start(state.cards)
    after_own = game.child(state, discard(*own[:2]))
    assert after_own.betting.actor == 1
    over = game.child(after_own, STAND_PAT)
    for wrong in (before, over):
        with pytest.raises(IllegalAction, match="cards are exchanged only in a draw, and this is betting"):
            game.child(wrong, discard(own[0]))
    with pytest.raises(IllegalAction, match="the hand is KsQdJc8h3d"):
        game.child(after_own, discard(own[4]))
    with pytest.raises(IllegalAction, match="this is a draw: discard up to 5 cards, or none to stand pat"):
        game.child(after_own, CALL)


@pytest.mark.parametrize(
    ("typed", "words"),
    [("d Kh", "Kh is not in your hand"), ("d As9d7c5h2dKs", "Ks is not in your hand"), ("c", "this is a draw")],
)
def test_what_people_type(typed: str, words: str) -> None:
    game = load("games", "five-card-draw")
    with pytest.raises(IllegalAction, match=words):
        read_typed(typed, game.view(at_the_draw(), 0))


def test_two_players_never_run_out() -> None:
    """Twenty cards at most are needed: every new card comes from the deck, in its order."""
    game, rng = load("games", "five-card-draw"), np.random.default_rng(1)
    for cards in game.deals(rng, 20):
        state = game.child(game.child(game.start(cards), CALL), CALL)
        for _ in range(2):
            state = game.child(state, game.actions(state)[-1])
        assert [card for draw in state.draws for card in draw.received] == list(cards[10:20])


def test_a_deck_that_runs_out_is_the_muck_shuffled_again() -> None:
    """Of six players who throw all five, four and a half are served from 22 cards; then earlier discards come again, in
    the order of a second shuffle, and nobody gets back what he has just thrown away."""
    game, rng = load("games", "five-card-draw(players=6)"), np.random.default_rng(2)
    for cards in game.deals(rng, 20):
        state = game.start(cards)
        while not state.betting.drawing:
            state = game.child(state, CALL)
        while state.betting.drawing:
            state = game.child(state, game.actions(state)[-1])
        received = [card for draw in state.draws for card in draw.received]
        assert received[:22] == list(cards[30:52])
        fifth, sixth = state.draws[4:]
        mucked = [card for draw in state.draws[:4] for card in draw.discarded]
        again = [card for card in cards[52:] if card in mucked]
        assert list(fifth.received[2:]) == again[:3]
        open_again = [card for card in cards[52:] if card in {*mucked, *fifth.discarded} - {*fifth.received}]
        assert list(sixth.received) == open_again[:5]


def test_what_may_come_in_an_exchange() -> None:
    """By chance: as many cards as were thrown away, that nobody holds and that were not thrown away."""
    game = load("games", "five-card-draw")
    own, other = game.deck.cards(OWN), game.deck.cards(OTHER)
    state = game.root()
    state = game.child(game.child(game.child(state, (*own, *other)), CALL), CALL)
    state = game.child(state, discard(*own[:2]))
    free = [card for card in range(52) if card not in (*own, *other)]
    assert game.dealing.may_come(state, free[:2])
    for wrong in (free[:1], free[:3], [free[0], free[0]], [free[0], own[0]], [free[0], own[3]], [free[0], other[0]]):
        assert not game.dealing.may_come(state, wrong)
    whole = set(game.dealing.every(state))
    assert len(whole) == game.dealing.count(state) == 42 * 41 // 2
    assert all(game.dealing.may_come(state, cards) for cards in whole)
