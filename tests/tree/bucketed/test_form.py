"""The bucketed form: what is dealt, how large it is, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest
from tests.abstraction.test_buckets import random_buckets
from tests.naive import bucketed as naive

from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.abstraction.buckets import Buckets, RoundBuckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed._kernels.deals import draw_cards, make_deals
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.form import build_form, choose, why_not


def poker(name: str) -> PokerGame:
    found = open_game(name)
    assert isinstance(found, PokerGame)
    return found


def small_forms() -> list[BucketedForm]:
    """Forms of every kind: one to three players, one or two cards, orders of hands, buckets that remember or not."""
    forms = [bucketed_form(poker(name)) for name in ("kuhn", "kuhn(players=3)", "leduc", "leduc(players=3)")]
    island = poker("rhode-island")
    cards = CardRounds.of(island)
    forms += [bucketed_form(island, random_buckets(cards, (3, 9, 30), join=join)) for join in (False, True)]
    ordered = CardRounds.of(island, ordered=True)
    forms.append(bucketed_form(island, random_buckets(ordered, (5, 10, 15))))
    return forms


@pytest.mark.parametrize("form", small_forms(), ids=lambda form: f"{form.name}-{form.buckets.text}")
def test_deals_are_what_seats_see(form: BucketedForm) -> None:
    room, state = form.deal_buffers(100), np.array([7], np.uint64)
    for count in (1, 100, 37):
        make_deals(count, form.deals, room, state)
        for deal in range(count):
            cards = room.cards[deal].tolist()
            assert len(set(cards)) == len(cards)
            buckets, strengths = naive.seen(form, cards)
            assert room.bucket[deal].tolist() == buckets
            mine = room.strength[deal].tolist()
            for one in range(form.players):
                for other in range(form.players):
                    assert np.sign(mine[one] - mine[other]) == np.sign(strengths[one] - strengths[other])


def test_hands_of_seven_cards_are_compared_by_what_they_are() -> None:
    game = poker("holdem-limit(players=3)")
    cards = CardRounds.of(game)
    form = BucketedForm(game, bucketed_form(poker("kuhn")).betting, one_bucket(cards))
    room, state = form.deal_buffers(64), np.array([1], np.uint64)
    make_deals(64, form.deals, room, state)
    for deal in range(64):
        dealt = room.cards[deal].tolist()
        strengths = [game.strength(tuple(dealt[2 * seat : 2 * seat + 2] + dealt[6:])) for seat in range(3)]
        assert np.argsort(strengths, kind="stable").tolist() == np.argsort(room.strength[deal], kind="stable").tolist()


def one_bucket(cards: CardRounds) -> Buckets:
    """Buckets of hold'em in which all hands of a round are one: tables of nothing but zeros."""
    zeros = [np.zeros(cards.hands(turn), np.uint16) for turn in range(4)]
    return Buckets(cards, tuple(RoundBuckets("one:1", 1, table) for table in zeros))


def test_every_card_is_as_likely_as_another() -> None:
    form = bucketed_form(poker("leduc"))
    cards = np.zeros((60_000, 3), np.uint8)
    draw_cards(len(cards), form.deals, cards, np.array([5], np.uint64))
    counts = np.zeros((6, 6, 6))
    np.add.at(counts, tuple(cards.T), 1)
    found = counts[counts > 0]
    assert len(found) == 6 * 5 * 4
    expected = len(cards) / 120
    statistic = float(((found - expected) ** 2 / expected).sum())  # chi-squared of 119 degrees of freedom
    assert statistic < 119 + 4 * np.sqrt(2 * 119)


def test_buckets_of_other_cards_are_refused() -> None:
    with pytest.raises(BadSetting, match="of other cards than those of leduc"):
        bucketed_form(poker("leduc"), lossless(CardRounds.of(poker("kuhn"))))


def test_a_game_with_buckets_has_this_form_alone() -> None:
    leduc = poker("leduc")
    problem = Abstracted(leduc, lossless(CardRounds.of(leduc)))
    assert "has the bucketed form alone" in why_not(problem, "sequence")
    assert choose(problem, ("sequence", "public", "bucketed")).kind == "bucketed"
    assert build_form(problem, "bucketed").size.infosets == 3 * 6 + 15 * 30
    assert "not a poker game" in why_not(open_game("goofspiel(cards=3)"), "bucketed")
    assert why_not(open_game("five-card-draw"), "bucketed") == ""
    assert "run out" in why_not(open_game("five-card-draw(players=6)"), "bucketed")
