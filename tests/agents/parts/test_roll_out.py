"""Roll-outs hand by hand, against showdowns counted one at a time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pokerlab.agents.parts import roll_out
from pokerlab.agents.parts.roll_out import Hands, hands_of, win_shares
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.games.poker.engine import PokerGame
from pokerlab.registry import load


def number_of(hands: Hands, cards: tuple[int, ...]) -> int:
    return hands.cards.index(tuple(sorted(cards)))


def counted(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...], hand: tuple[int, ...]) -> float:
    """The part of the pot against one hand, over every run-out."""
    unseen = [card for card in range(game.deck.size) if card not in {*cards, *board, *hand}]
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    parts = []
    for later in combinations(unseen, coming):
        mine, theirs = game.strength((*cards, *board, *later)), game.strength((*hand, *board, *later))
        parts.append(1.0 if mine < theirs else 0.5 if mine == theirs else 0.0)
    return sum(parts) / len(parts)


@pytest.mark.parametrize(
    ("game", "shown"),
    [
        ("holdem-limit", 5),
        ("holdem-nolimit", 4),
        ("short-deck", 5),
        ("short-deck", 4),
        ("leduc", 0),
        ("leduc(ranks=5, suits=3)", 1),
        ("rhode-island(ranks=6)", 1),
        ("rhode-island(ranks=4, suits=2)", 0),
        ("kuhn", 0),
    ],
)
def test_against_showdowns_one_at_a_time(game: str, shown: int) -> None:
    table, rng = load("games", game), np.random.default_rng(3)
    private, hands = table.rules.rounds[0].private, hands_of(table)
    for _ in range(3):
        dealt = tuple(int(card) for card in rng.permutation(table.deck.size)[: 2 * private + shown])
        cards, hand, board = dealt[:private], dealt[private : 2 * private], dealt[2 * private :]
        found = win_shares(table, tuple(sorted(cards)), tuple(sorted(board)))
        assert found[number_of(hands, hand)] == pytest.approx(counted(table, cards, board, hand), abs=1e-9)
        back = win_shares(table, tuple(sorted(hand)), tuple(sorted(board)))
        assert back[number_of(hands, cards)] == pytest.approx(1 - found[number_of(hands, hand)], abs=1e-9)


def test_the_mean_over_hands_is_the_strength_against_any_hand() -> None:
    table = load("games", "holdem-limit")
    deck, hands = table.deck, hands_of(table)
    for text, board in (("AhKh", "Td7s2c"), ("9c9d", "9h8h2s4d"), ("2c7d", "")):
        cards, shown = tuple(sorted(deck.cards(text))), tuple(sorted(deck.cards(board)))
        possible = hands.without((*cards, *shown))
        mean = win_shares(table, cards, shown)[possible].mean()
        if board:
            assert mean == pytest.approx(hand_measures(cards, shown).rollout)
        else:
            from pokerlab.cards.combos import COMBO_CLASS

            assert mean == pytest.approx(preflop_strength().rollout[COMBO_CLASS[number_of(hands, cards)]])


def test_many_run_outs_are_sampled_and_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load("games", "rhode-island(ranks=5, suits=3)")
    exact = win_shares(table, (7,), ())
    monkeypatch.setattr(roll_out, "MOST_SHOWDOWNS", 15 * 60)  # 60 of 91 run-outs
    win_shares.cache_clear()
    sampled = win_shares(table, (7,), ())
    win_shares.cache_clear()
    assert (sampled == win_shares(table, (7,), ())).all()
    win_shares.cache_clear()
    held = hands_of(table).without((7,))
    assert (sampled[held] != exact[held]).any()
    assert np.abs(sampled[held] - exact[held]).max() < 5 * 0.5 / np.sqrt(40)  # at least 40 run-outs leave a card over


def test_hands_by_text_in_any_order() -> None:
    hands = hands_of(load("games", "holdem-limit"))
    assert hands.numbers(["AsKd", "KdAs", "2c2d"]) == [
        number_of(hands, (51, 45)),
        number_of(hands, (45, 51)),
        number_of(hands, (0, 1)),
    ]
    assert len(hands) == 1326
    assert hands.without((51,)).sum() == 1326 - 51
