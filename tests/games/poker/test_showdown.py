"""Strengths at the showdown: the plain-list lookups against the compiled ones, the definition against both."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.card import FULL_DECK, SHORT_DECK, Deck
from pokerlab.cards.strength import ORDERS, ranking
from pokerlab.errors import BadCards, BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, FOLD, RAISE
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import SHOWDOWNS, Round, Rules
from pokerlab.games.poker.showdown import from_definition, is_looked_up, strength_of

SHORT_TO_FULL = 16  # card c of the short deck is card c + 16 of the full one


@pytest.mark.parametrize(
    ("showdown", "deck", "size"),
    [
        ("high", FULL_DECK, 5),
        ("high", FULL_DECK, 6),
        ("high", FULL_DECK, 7),
        ("short_deck", SHORT_DECK, 5),
        ("short_deck", SHORT_DECK, 7),
        ("three_card", FULL_DECK, 3),
    ],
)
def test_three_ways_to_the_same_order(showdown, deck, size):
    rng = np.random.default_rng(1)
    hands = np.array([rng.choice(deck.size, size, replace=False) for _ in range(1500)])
    known = ranking(showdown).strengths(hands + (SHORT_TO_FULL if deck is SHORT_DECK else 0)).astype(int)
    looked_up = strength_of(showdown, deck, size)
    defined = from_definition(ORDERS[showdown], deck)
    assert [looked_up(tuple(hand)) for hand in hands.tolist()] == known.tolist()
    by_definition = np.array([defined(tuple(hand)) for hand in hands.tolist()])
    order = np.argsort(known, kind="stable")
    assert np.array_equal(np.sign(np.diff(known[order])), np.sign(np.diff(by_definition[order])))


def test_every_category_of_five_cards_by_definition():
    """All the hands that sampling seldom meets."""
    cards = FULL_DECK.cards
    texts = (
        "AsKsQsJsTs 5s4s3s2sAs 9c9d9h9s2c 9c9d9h2s2c Ts8s7s5s2s AcKsQsJsTs 5c4s3s2sAs 9c9d9h3s2c 9c9d3h3s2c 9c9dKh3s2c"
    )
    defined = from_definition(ORDERS["high"], FULL_DECK)
    strengths = [defined(tuple(cards(text))) for text in (*texts.split(), "AcKsQsJs9s")]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths)


def test_one_card_is_its_rank_and_two_are_a_pair_or_their_ranks():
    numbers = Deck.of(str(number) for number in range(500))
    strength = strength_of("high", numbers, 1)
    assert sorted(range(500), key=lambda card: strength((card,))) == list(range(499, -1, -1))
    leduc = Deck.of("JQK", "ab")
    pair = strength_of("high", leduc, 2)
    texts = ["KaKb", "QaQb", "JaJb", "KaQb", "KaJa", "QbJa"]
    strengths = [pair(tuple(leduc.cards(text))) for text in texts]
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == 6
    assert pair(tuple(leduc.cards("KaJb"))) == pair(tuple(leduc.cards("JaKb")))


def test_the_ace_plays_low_only_below_its_own_lowest_rank():
    short = strength_of("short_deck", SHORT_DECK, 5)
    assert short(tuple(SHORT_DECK.cards("As6c7c8c9d"))) < short(tuple(SHORT_DECK.cards("AsAc7c8c9d")))
    reduced = Deck.of("6789TJQKA", "cdhs")  # an ordinary game on a stripped deck has no such straight
    plain = strength_of("high", reduced, 5)
    assert plain(tuple(reduced.cards("As6c7c8c9d"))) > plain(tuple(reduced.cards("AsAc7c8c9d")))


def test_a_flush_beats_a_full_house_in_short_deck_only():
    flush, full = "AsKs9s8s7s", "AcAdAhKcKd"
    short = strength_of("short_deck", SHORT_DECK, 5)
    assert short(tuple(SHORT_DECK.cards(flush))) < short(tuple(SHORT_DECK.cards(full)))
    high = strength_of("high", FULL_DECK, 5)
    assert high(tuple(FULL_DECK.cards(flush))) > high(tuple(FULL_DECK.cards(full)))


@given(st.permutations("cdhs"), st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True))
def test_suits_have_no_order(suits, hand):
    moved = [card // 4 * 4 + "cdhs".index(suits[card % 4]) for card in hand]
    for strength in (strength_of("high", FULL_DECK, len(hand)), from_definition(ORDERS["high"], FULL_DECK)):
        assert strength(tuple(moved)) == strength(tuple(hand))


@pytest.mark.parametrize("name", SHOWDOWNS)
@pytest.mark.parametrize("deck", [FULL_DECK, SHORT_DECK, Deck.of("JQK", "ab")], ids=["full", "short", "leduc"])
def test_every_showdown_looks_at_cards_and_not_at_their_order_or_suits(name, deck):
    rng = np.random.default_rng(4)
    for size in (1, 2, 3, 5):
        strength = strength_of(name, deck, size)
        for _ in range(40):
            hand = rng.choice(deck.size, size, replace=False)
            suits = rng.permutation(len(deck.suits))
            renamed = hand // len(deck.suits) * len(deck.suits) + suits[hand % len(deck.suits)]
            assert strength(tuple(hand.tolist())) == strength(tuple(rng.permutation(renamed).tolist()))
    assert not is_looked_up(name, deck, 9)


def test_rules_know_every_showdown():
    for name in SHOWDOWNS:
        assert Rules(players=2, rounds=(Round(private=1),), showdown=name).showdown == name
    with pytest.raises(BadSetting, match="showdown must be one of high, short_deck, three_card; got 'low'"):
        Rules(players=2, rounds=(Round(private=1),), showdown="low")


def test_cards_that_were_folded_may_be_unknown() -> None:
    game = open_game("kuhn(players=3)")
    assert isinstance(game, PokerGame)
    state = game.start((1, -1, 3))
    for action in (RAISE, FOLD, CALL):
        state = game.child(state, action)
    assert game.returns(state) == (-2, -1, 3)
    assert game.strengths(state)[1] is None
    with pytest.raises(BadCards, match="the winner is unknown"):
        game.strengths(state._replace(cards=(1, 2, -1)))
