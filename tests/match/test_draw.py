"""Compiled hands of five-card draw are those of the referee and the agents, hand by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.match.draw import play, strategy_player
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed._kernels.exchange import deal_cards
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form

GAME = open_game("five-card-draw(menu='min')")
SURE = ("always-call", "always-raise", "draw-basic", "draw-potential", "draw-semi-bluff", "draw-pot-odds")


@pytest.fixture(scope="module")
def form() -> ExchangeForm:
    return exchange_form(GAME, exchange_buckets("by-draws(before=20, after=20)", GAME))


def by_referee(cards: np.ndarray, names: tuple[str, str]) -> tuple[float, ...]:
    """A hand played by the rule engine with agents that never roll dice."""
    rest = [card for card in range(52) if card not in cards.tolist()]
    state = GAME.start((*cards.tolist(), *rest, *range(52)))
    agents = [registry.load("agents", name) for name in names]
    rng = np.random.default_rng(0)
    while GAME.player(state) != TERMINAL:
        seat = GAME.player(state)
        state = GAME.child(state, agents[seat].act(GAME.view(state, seat), rng))
    return GAME.returns(state)


@pytest.mark.parametrize(("one", "other"), list(zip(SURE, SURE[1:] + SURE[:1], strict=True)))
def test_hands_are_those_of_the_referee(form: ExchangeForm, one: str, other: str) -> None:
    deals, state = 12, seed_word(11).copy()
    found = play(one, other, form, hands=deals, seed=11)
    for deal in range(deals):  # agents of tables use a random word a decision, so deals are found again one by one
        alone = play(one, other, form, hands=deal + 1, seed=11)
        assert np.array_equal(alone.won, found.won[: deal + 1])
    first = np.zeros(20, np.uint8)
    deal_cards(first, 52, state)
    expected = by_referee(first, (one, other))[0], by_referee(first, (other, one))[1]
    assert found.won[0].tolist() == pytest.approx(list(expected))
    assert found.held[0].tolist() == form.buckets.cards.number(first[:10].reshape(2, 5)).tolist()


def test_many_first_hands_are_those_of_the_referee(form: ExchangeForm) -> None:
    rng = np.random.default_rng(2)
    for seed in rng.integers(0, 2**31, 40).tolist():
        one, other = rng.choice(SURE, 2)
        cards = np.zeros(20, np.uint8)
        deal_cards(cards, 52, seed_word(seed).copy())
        found = play(str(one), str(other), form, hands=1, seed=seed)
        expected = by_referee(cards, (str(one), str(other)))[0], by_referee(cards, (str(other), str(one)))[1]
        assert found.won[0].tolist() == pytest.approx(list(expected)), (one, other, seed)


def test_a_strategy_that_always_falls_back_plays_as_basic(form: ExchangeForm) -> None:
    numbers = np.ones(form.numbers, np.float32)
    backed = strategy_player(form, numbers, fallback=1e9)
    for seed in range(30):
        found = play(backed, "always-call", form, hands=1, seed=seed)
        assert found.won.tolist() == play("draw-basic", "always-call", form, hands=1, seed=seed).won.tolist()


def test_a_strategy_that_never_falls_back_does_not(form: ExchangeForm) -> None:
    uniform = strategy_player(form, np.zeros(form.numbers, np.float32))
    won = play(uniform, "always-call", form, hands=4000, seed=3).won.mean()
    basic = play("draw-basic", "always-call", form, hands=4000, seed=3).won.mean()
    assert won < 0 < basic


def test_other_games_are_refused(form: ExchangeForm) -> None:
    other = open_game("five-card-draw(menu='allin')")
    with pytest.raises(BadSetting, match="different games"):
        play(strategy_player(exchange_form(other, form.buckets), np.ones(1, np.float32)), "draw-basic", form, hands=1)
    small = open_game("small-draw")
    with pytest.raises(BadSetting, match="five-card draw"):
        play("draw-basic", "draw-basic", exchange_form(small, exchange_buckets("lossless", small)), hands=1)
