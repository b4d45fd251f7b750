"""Compiled hands of five-card draw are those of the referee and the agents, hand by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from blueprints import made_up_exchange
from pokerlab import registry
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.agents.library.blueprint import FELL_BACK, BlueprintAgent
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.lab.play.playing import run_compiled_match
from pokerlab.lab.solve.training import train
from pokerlab.match.draw import play, strategy_player, thinned_numbers
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.match.run.result import MatchResult
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed._kernels.exchange import deal_cards
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form

GAME = open_game("five-card-draw(menu='min')")
FEW = "by-draws(before=20, after=20)"
SURE = ("always-call", "always-raise", "draw-basic", "draw-potential", "draw-semi-bluff", "draw-pot-odds")


@pytest.fixture(scope="module")
def form() -> ExchangeForm:
    return exchange_form(GAME, exchange_buckets("by-draws(before=20, after=20)", GAME))


def by_referee(cards: np.ndarray, names: tuple[object, object], game: PokerGame = GAME) -> tuple[float, ...]:
    """A hand played by the rule engine with agents that never roll dice."""
    rest = [card for card in range(52) if card not in cards.tolist()]
    state = game.start((*cards.tolist(), *rest, *range(52)))
    agents = [registry.load("agents", name) if isinstance(name, str) else name for name in names]
    rng = np.random.default_rng(0)
    while game.player(state) != TERMINAL:
        seat = game.player(state)
        state = game.child(state, agents[seat].act(game.view(state, seat), rng))
    return game.returns(state)


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


@pytest.mark.parametrize("buckets", ["highest-suit-mini", FEW])
def test_hands_of_blueprints_are_those_of_the_referee(buckets: str) -> None:
    """The same cards give the same results, with a fallback that takes part of the decisions and draws.

    In the first buckets each hand has discards of its own, and what a player remembers is which of them it was.
    """
    strategy = made_up_exchange("five-card-draw(menu='min', stack=4)", buckets, seed=6)
    game, options = strategy.form.game, len(strategy.form.buckets.options)
    strategy.numbers[1][:] *= 3 / options  # weights as those of bets, so that draws fall back as often
    agent = BlueprintAgent("own", SimpleNamespace(strategy=strategy), purify=True, fallback=0.6)  # type: ignore[arg-type]
    backed = strategy_player(strategy.form, thinned_numbers(strategy, purify=True), fallback=0.6)
    rng, fell, decided, draws = np.random.default_rng(5), 0, Counter[str](), 0
    for seed in rng.integers(0, 2**31, 200).tolist():
        cards = np.zeros(20, np.uint8)
        deal_cards(cards, 52, seed_word(seed).copy())
        other = str(rng.choice(SURE))
        outcomes = play(backed, other, strategy.form, hands=1, seed=seed)
        expected = by_referee(cards, (agent, other), game)[0], by_referee(cards, (other, agent), game)[1]
        assert outcomes.won[0].tolist() == pytest.approx(list(expected)), (other, seed)
        fell += outcomes.fell[0]
        decided += agent.remarks()
        draws += (
            strategy.weight(strategy.form.betting.node_of("cc/"), game.view(game.start((*cards, *range(52))), 0)) < 0.6
        )
    assert decided[FELL_BACK] == fell > 100
    assert 30 < draws < 170


MENU = "five-card-draw(menu='50%,allin', stack=8)"


@pytest.mark.parametrize("duplicate", [True, False])
def test_a_compiled_match_agrees_with_a_plain_one(duplicate: bool) -> None:
    """Means by agent and by seat within the intervals of their difference; all else is the same."""
    solution = train(MENU, buckets="by-draws(before=20, after=20)", iterations=3_000)
    agents = [BlueprintAgent("own", solution, threshold=0.2, fallback=5.0), "draw-article"]
    settings = MatchSettings.of(MENU, agents, hands=2_001, seed=4, duplicate=duplicate)
    plain = play_match(settings)
    many = MatchSettings.of(MENU, agents, hands=100_001, seed=4, duplicate=duplicate)
    compiled = run_compiled_match(many)
    assert (compiled.hands, compiled.deals) == ((100_002, 50_001) if duplicate else (100_001, 100_001))
    assert compiled.seat_names == plain.seat_names == ("small blind", "big blind, button")
    assert compiled.hands > plain.hands
    assert compiled.as_dict().keys() == plain.as_dict().keys()
    assert compiled.hand_deviation[0] == pytest.approx(plain.hand_deviation[0], rel=0.1)
    pairs = [(compiled.summaries[0], plain.summaries[0])]
    pairs += zip(compiled.positions[0], plain.positions[0], strict=True)
    for one, other in pairs:
        assert one.mean == pytest.approx(other.mean, abs=4 * np.hypot(one.standard_error, other.standard_error))
    assert compiled.positions[0][0].mean != compiled.positions[0][1].mean
    rates = [result.remarks[0][2] / result.hands for result in (compiled, plain)]
    assert rates[0] == pytest.approx(rates[1], rel=0.1)
    for own, total in zip(compiled.categories, compiled.summaries, strict=True):
        counts = {one.category: one.winnings.count for one in own}
        assert sum(counts.values()) == compiled.hands
        assert sum(one.winnings.count * one.winnings.mean for one in own) / compiled.hands == pytest.approx(total.mean)
        assert counts["pair"] / compiled.hands == pytest.approx(1_098_240 / 2_598_960, abs=0.01)
    for many_hands, few_hands in zip(compiled.categories, plain.categories, strict=True):
        one, other = many_hands[-1].winnings, few_hands[-1].winnings
        assert one.mean == pytest.approx(other.mean, abs=4 * np.hypot(one.standard_error, other.standard_error))
    assert compiled.categories[0][-1].category == plain.categories[1][-1].category == "high card"
    again = run_compiled_match(many, workers=2)
    assert again.summaries == compiled.summaries
    assert run_compiled_match(replace(many, seed=5)).summaries != compiled.summaries


def test_a_table_without_a_menu_is_compiled_if_nobody_leaves_the_tree() -> None:
    least = BlueprintAgent("least", train("five-card-draw(menu='min', stack=6)", buckets=FEW, iterations=500))
    menu = BlueprintAgent("menu", train(MENU, buckets=FEW, iterations=500))

    def played(game: str, *agents: object) -> MatchResult:
        return run_compiled_match(MatchSettings.of(game, agents, hands=400, seed=1, duplicate=True))

    both = [
        played(game, least, "draw-basic") for game in ("five-card-draw(stack=6)", "five-card-draw(menu='min', stack=6)")
    ]
    assert both[0].summaries == both[1].summaries
    assert played("five-card-draw(stack=8)", menu, menu).hands == 400  # nobody else bets
    rules = [played(game, "draw-basic", "draw-article") for game in ("five-card-draw", "five-card-draw(menu='min')")]
    assert rules[0].summaries == rules[1].summaries
    for game, agents, why in (
        ("five-card-draw(stack=8)", (menu, "draw-basic"), "in their own game"),
        ("five-card-draw(stack=7)", (least, least), "in their own game"),
        (MENU, (menu, "always-raise"), "always-raise is not compiled"),
        (MENU, (menu, "random(discards=made)"), "is not compiled"),
        ("five-card-draw", ("draw-basic", "draw-modelling"), "draw-modelling is not compiled"),
    ):
        with pytest.raises(BadSetting, match=why):
            played(game, *agents)


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
