"""Places of draw poker: every number is that of hands as they are dealt, and classes are as large as they must be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from blueprints import made_up_exchange
from pokerlab.abstraction.exchange_buckets import AFTER, EXCHANGE
from pokerlab.abstraction.exchange_cards import ExchangeCards, made_hands
from pokerlab.cards.card import FULL_DECK
from pokerlab.display.notebook.results import html
from pokerlab.errors import BadCards, BadSetting, IllegalAction
from pokerlab.formats.opening import open_game
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.action import discard
from pokerlab.games.poker.state import Draw, View
from pokerlab.lab.analyse.browsing import hand_at
from pokerlab.strategy.forms.exchange import ExchangeStrategy
from pokerlab.strategy.views.exchange import ExchangeView

SMALL = "small-draw(cards=2, ranks=4, suits=2, discards=2)"


@pytest.fixture(scope="module")
def by_draws() -> ExchangeStrategy:
    return made_up_exchange("five-card-draw(menu='min')", "by-draws(before=20, after=20)", seed=1)


@pytest.fixture(scope="module")
def lossless() -> ExchangeStrategy:
    return made_up_exchange(SMALL, "lossless", seed=2)


@pytest.fixture(scope="module")
def no_suits() -> ExchangeStrategy:
    return made_up_exchange("five-card-draw(menu='allin', stack=6)", "no-suits", seed=3)


@pytest.fixture(scope="module")
def three() -> ExchangeStrategy:
    return made_up_exchange("five-card-draw(players=3, menu='allin', stack=3)", "by-draws(before=20, after=20)", seed=4)


STRATEGIES = ("by_draws", "lossless", "no_suits", "three")


def root(strategy: ExchangeStrategy) -> ExchangeView:
    found = strategy.root_in(strategy.form)
    assert isinstance(found, ExchangeView)
    return found


def mean_of_all(strategy: ExchangeStrategy, node: int, buckets: np.ndarray) -> np.ndarray:
    """What hands in these buckets do, on average.  # [hand] -> [action]"""
    counts = np.bincount(buckets)
    own = np.flatnonzero(counts)
    return np.asarray(counts[own] @ strategy.rows(node, own) / len(buckets))


def by_cards(place: ExchangeView, told: dict[str, float], hand: str) -> dict[str, float]:
    """What is done in an exchange, by the cards that go, highest first."""
    found: Counter[str] = Counter()
    for option, share in told.items():
        cards = sorted(place.game.deck.cards(place.thrown(hand)[option]), reverse=True)
        found[place.game.action_text(discard(*cards))] += share
    return dict(found)


# ---- classes -------------------------------------------------------------------------------------------------------


def test_classes_have_as_many_hands_as_everybody_knows() -> None:
    # counts of five-card hands: any book of probability; 84,480 of each pair, high cards by C(n, 4) less straights
    made = made_hands(ExchangeCards.of(open_game("five-card-draw")))
    assert made is not None
    counts = dict(zip(made.names, np.bincount(made.of).tolist(), strict=True))
    others = {
        "straight flush": 40,
        "four of a kind": 624,
        "full house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three of a kind": 54_912,
        "two pair": 123_552,
        "ace high": 502_860,
        "king high": 335_580,
        "queen high": 213_180,
        "jack high or less": 250_920,
    }
    pairs = {name: count for name, count in counts.items() if name.startswith("pair of ")}
    assert len(pairs) == 13
    assert set(pairs.values()) == {84_480}
    assert {name: count for name, count in counts.items() if name not in pairs} == others
    assert list(counts)[:7] == list(others)[:7]
    assert (list(counts)[7], list(counts)[19]) == ("pair of aces", "pair of twos")


def test_classes_of_three_cards_and_of_decks_without() -> None:
    # three cards of 52: 52 threes, 48 straight flushes, 720 straights, 1,096 flushes, 3,744 pairs
    made = made_hands(ExchangeCards.of(open_game("small-draw(ranks=13, suits=4, cards=3)")))
    assert made is not None
    counts = dict(zip(made.names, np.bincount(made.of).tolist(), strict=True))
    assert [counts[name] for name in ("straight flush", "three of a kind", "straight", "flush")] == [48, 52, 720, 1_096]
    assert sum(count for name, count in counts.items() if name.startswith("pair")) == 3_744
    for name in ("small-draw", "small-draw(ranks=13, suits=4, cards=2)"):
        assert made_hands(ExchangeCards.of(open_game(name))) is None


# ---- one hand, as at a table ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_hand_does_what_it_does_when_dealt(name: str, request: pytest.FixtureRequest) -> None:
    strategy: ExchangeStrategy = request.getfixturevalue(name)
    game, rng, stages = strategy.form.game, np.random.default_rng(5), set()
    for _ in range(25):
        state, place = game.start(game.deal(rng)), root(strategy)
        while game.player(state) != TERMINAL:
            view = game.view(state, game.player(state))
            assert place.player == view.seat
            assert place.pot == game.chips(game.pot(state.betting))
            expected, hand = dict(strategy.probabilities(view)), game.deck.text(view.cards)
            stages.add(place.stage)
            actions = list(view.actions)
            action = actions[int(rng.integers(len(actions)))]
            if place.stage == EXCHANGE:
                options = strategy.form.buckets.thrown(view.dealt)
                action = discard(*options[int(rng.integers(len(options)))])
                assert by_cards(place, place.strategy(hand), hand) == pytest.approx(expected)
                place = place.at(f"draw {len(action.cards)}" if action.cards else "stand pat")
            else:
                if place.stage == AFTER and not strategy.form.buckets.is_lossless:
                    option = strategy.form.buckets.option(view.dealt, view.draws[0].discarded)
                    by_option, used = place.strategies(hand), strategy.form.buckets.options[option].name
                    found = by_option[used] if name == "no_suits" else place.strategy(hand)
                    assert list(found.values()) == pytest.approx(list(expected.values()))
                elif place.stage != AFTER:
                    assert list(place.strategy(hand).values()) == pytest.approx(list(expected.values()))
                place = place.at(place.actions[actions.index(action)])
            state = game.child(state, action)
        assert place.is_over
        assert place.actions == ()
    assert stages == {0, EXCHANGE, AFTER}


# ---- classes of hands ------------------------------------------------------------------------------------------------


def test_every_row_of_a_small_game_is_the_mean_of_dealt_hands(lossless: ExchangeStrategy) -> None:
    game = lossless.form.game
    hands = [tuple(sorted(hand, reverse=True)) for hand in combinations(range(8), 2)]
    for moves in (("draw 1", "draw 2"), ("draw 2", "stand pat"), ("stand pat", "draw 1", "check"), ("draw 1", "d0")):
        place = root(lossless).at("bet", "call", *moves)
        own = place.player
        count = 0 if "pat" in moves[own] else int(moves[own][-1])
        for row in place.table(own):
            held = tuple(game.deck.cards(row["hand"].removeprefix("like ")))
            options: dict[tuple[int, ...], list[list[float]]] = {}  # by the places of the cards that went
            for dealt in hands:
                gone = tuple(card for card in dealt if card not in held)
                if len(gone) != count:
                    continue
                came = tuple(card for card in held if card not in dealt)
                view = View(game, own, held, (), place.place.betting, dealt, (Draw(own, 0, gone, came),), ())
                which = tuple(sorted(dealt).index(card) for card in gone)
                options.setdefault(which, []).append(list(lossless.probabilities(view).values()))
            mean = np.mean([np.mean(rows, axis=0) for rows in options.values()], axis=0)
            assert list(row["strategy"].values()) == pytest.approx(mean.tolist())
            assert list(place.strategy(row["hand"].removeprefix("like ")).values()) == pytest.approx(mean.tolist())
        assert sum(row["likelihood"] for row in place.table(own)) == pytest.approx(1)


@pytest.mark.parametrize("moves", [(), ("call", "raise 4"), ("call", "check"), ("call", "check", "d2")])
def test_a_class_is_the_mean_of_its_hands(by_draws: ExchangeStrategy, moves: tuple[str, ...]) -> None:
    place = root(by_draws).at(*moves)
    game, own = by_draws.form.game, place.player
    assert own is not None
    rows = {row["hand"]: list(row["strategy"].values()) for row in place.table(own)}
    fours = [
        FULL_DECK.text([*range(4 * rank, 4 * rank + 4), card])
        for rank in range(13)
        for card in range(52)
        if card // 4 != rank
    ]
    straights = [
        FULL_DECK.text([4 * (rank % 13) + suit for rank in range(low, low + 5)])
        for suit in range(4)
        for low in range(-1, 9)
    ]
    for name, hands in (("four of a kind", fours), ("straight flush", straights)):
        found = []
        for hand in hands:
            cards = tuple(game.deck.cards(hand))
            view = View(game, own, cards, (), place.place.betting, cards, (), ())
            found.append(by_draws.row(place.node, view))
        assert rows[name] == pytest.approx(np.mean(found, axis=0).tolist())
    every = mean_of_all(by_draws, place.node, by_draws.form.buckets.before)
    assert list(place.strategy().values()) == pytest.approx(every.tolist())


def test_where_there_are_many_ways_an_exchange_is_told_by_cards(no_suits: ExchangeStrategy) -> None:
    place = root(no_suits).at("call", "check")
    assert place.actions == ("stand pat", "draw 1", "draw 2", "draw 3", "draw 4", "draw 5")
    assert all(sum(row["strategy"].values()) == pytest.approx(1) for row in place.table(0))
    rows = mean_of_all(no_suits, place.node, no_suits.form.buckets.before)
    counts = no_suits.form.buckets.discards
    assert list(place.strategy().values()) == pytest.approx([rows[counts == count].sum() for count in range(6)])
    after = place.at("draw 2", "d1")
    assert after.moves[2:] == ("draw 2", "draw 1")
    buckets = no_suits.form.buckets
    options = np.flatnonzero(counts == 2)
    means = [mean_of_all(no_suits, after.node, buckets.after * buckets.memories + option) for option in options]
    assert len(means) == 10
    assert list(after.strategy().values()) == pytest.approx(np.mean(means, axis=0).tolist())
    hand = hand_at(after, "AsAdKh7c2d")
    assert (len(hand.options), len(hand.buckets)) == (10, 10)
    assert "each option to discard as many cards" in after.note


# ---- walking -------------------------------------------------------------------------------------------------------


def test_what_may_be_typed(by_draws: ExchangeStrategy) -> None:
    start = root(by_draws)
    exchange = start.at("call", "x")
    assert exchange.actions == ("d0", "d1", "d1+", "d2", "d2+", "d3", "d3+", "d4", "d5")
    for text in ("d3", "d3+", "draw 3", "D 3", "discard 3"):
        assert exchange.at(text).moves == ("call", "check", "d3")
        assert exchange.at(text).place.betting.history == exchange.at("d3").place.betting.history
    for text in ("d0", "pat", "stand pat", "draw 0"):
        assert exchange.at(text).moves[-1] == "d0"
    assert start.at("min").moves == ("raise 4",)
    assert start.at("f").is_over
    again = exchange.at("d1", "d5", "bet 2")
    assert start.at(*again.moves).place.betting == again.place.betting
    for text in ("d6", "draw", "d3 d1", "call", "9", "d3++"):
        with pytest.raises(IllegalAction, match="cards are exchanged"):
            exchange.at(text)


def test_what_cannot_be_asked_is_told(by_draws: ExchangeStrategy) -> None:
    start = root(by_draws)
    for text, why in (("AsAd", "not a hand of 5 cards"), ("AsAsKh7c2d", "twice"), ("AsAdKh7c2x", "2x")):
        with pytest.raises(BadCards, match=why):
            hand_at(start, text)
    with pytest.raises(BadSetting, match="is not to act here"):
        hand_at(start, "AsAdKh7c2d", player=1)
    with pytest.raises(IllegalAction, match="the hand is over"):
        hand_at(start.at("fold"), "AsAdKh7c2d")
    with pytest.raises(IllegalAction, match="the hand is over"):
        start.at("fold", "call")
    assert start.table(1) == []
    assert start.at("fold").table(0) == []


def test_notebooks_and_pandas_have_places(by_draws: ExchangeStrategy, lossless: ExchangeStrategy) -> None:
    for place in (root(by_draws).at("call", "check"), root(lossless).at("check", "check", "draw 1", "draw 2")):
        told = html(place)
        assert all(action in told for action in place.actions)
        assert "every hand has the same weight" in told
        frame = place.to_pandas()
        assert len(frame) == len(place.table(place.player or 0)) * len(place.actions)


def test_no_two_actions_look_alike_in_a_picture(by_draws: ExchangeStrategy) -> None:
    place = root(by_draws).at("call", "check")
    (axes,) = place.plot().axes
    looks = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in axes.containers}
    assert len(looks) == len(place.actions) == 9
