"""All-ins at their expected value, against plain averages over every run-out."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pokerlab.cards.equity import equity
from pokerlab.games.poker.betting import CALL, FOLD, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.estimators.run_outs import expected_payoffs
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.registry import load


def after(game: PokerGame, cards: tuple[int, ...], actions: list[Action]) -> Any:
    state = game.start(cards)
    for action in actions:
        state = game.child(state, action)
    assert state.betting.actor < 0
    return state


def average(game: PokerGame, cards: tuple[int, ...], actions: list[Action], *, seen: int) -> np.ndarray:
    """The mean of the payoffs over every way to deal the cards after the first `seen`."""
    left = [card for card in range(game.deck.size) if card not in cards[:seen]]
    payoffs = [
        game.returns(after(game, (*cards[:seen], *later), actions)) for later in combinations(left, len(cards) - seen)
    ]
    return np.mean(payoffs, axis=0)


@pytest.mark.parametrize("seed", range(4))
def test_turn_all_in(seed: int) -> None:
    game = load("games", "holdem-nolimit(stack=1000)")
    cards = game.deal(np.random.default_rng(seed))
    actions = [CALL, CALL, CALL, CALL, raise_to(1000), CALL]
    assert expected_payoffs(game, after(game, cards, actions)) == pytest.approx(
        average(game, cards, actions, seen=8), abs=1e-9
    )


@pytest.mark.parametrize("seed", range(3))
def test_side_pots_odd_chips_and_folded_cards(seed: int) -> None:
    """Four players on the flop: one folds, three are all-in for different stacks."""
    game = load("games", "holdem-nolimit(players=4, stack=(301, 703, 1000, 1000))")
    cards = game.deal(np.random.default_rng(seed))
    actions = [raise_to(301), CALL, CALL, CALL, raise_to(703), raise_to(1000), FOLD]
    state = after(game, cards, actions)
    assert len(game.pots(state)) == 3
    assert expected_payoffs(game, state) == pytest.approx(average(game, cards, actions, seen=11), abs=1e-9)


def test_preflop_is_the_published_count() -> None:
    """Aces against kings over 1,712,304 boards: 1,388,072 won, 6,538 tied, 317,694 lost."""
    game = load("games", "holdem-nolimit")
    cards = tuple(game.deck.cards("AhAs KcKd 2c3d4h5s7c"))
    expected = expected_payoffs(game, after(game, cards, [raise_to(20000), CALL]))
    assert expected is not None
    assert expected[0] == pytest.approx(20000 * (1388072 - 317694) / 1712304)
    assert sum(expected) == pytest.approx(0)


@pytest.mark.parametrize(
    ("name", "actions", "seen"),
    [("push-fold(stack=5)", [raise_to(500), CALL], 4), ("short-deck", None, 7)],
)
def test_other_decks(name: str, actions: list[Action] | None, seen: int) -> None:
    game = load("games", name)
    if actions is None:
        stack = game.rules.stacks[0]
        actions = [CALL, CALL, raise_to(stack), CALL]
    cards = game.deal(np.random.default_rng(1))
    state = after(game, cards, actions)
    expected = expected_payoffs(game, state)
    assert expected is not None
    if seen == 4:  # too many boards to play one by one
        ahead = equity([game.text(cards[:2]), game.text(cards[2:4])]).players[0].equity
        assert expected == pytest.approx([500 * (2 * ahead - 1), 500 * (1 - 2 * ahead)])
    else:
        assert expected == pytest.approx(average(game, cards, actions, seen=seen), abs=1e-9)


def test_nothing_to_adjust() -> None:
    game = load("games", "holdem-nolimit(stack=1000)")
    cards = game.deal(np.random.default_rng(1))
    assert expected_payoffs(game, after(game, cards, [FOLD])) is None
    river = [CALL, CALL, CALL, CALL, CALL, CALL, raise_to(1000), CALL]
    assert expected_payoffs(game, after(game, cards, river)) is None


def test_same_mean_less_variance() -> None:
    """Over a match of all-ins the adjusted payoffs spread less, and the means differ by luck alone."""
    settings = MatchSettings.of(
        "holdem-nolimit", ["always-raise(pot_fraction=1000.0)", "always-call"], hands=400, adjust="all-in"
    )
    result = play_match(settings)
    assert result.adjusted is not None
    plain, adjusted = result.summaries[0], result.adjusted[0]
    assert adjusted.deviation < 0.6 * plain.deviation
    assert abs(plain.mean - adjusted.mean) < 4 * plain.standard_error
