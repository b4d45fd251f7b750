"""The formula player: the review's numbers, and a stronger agent beats weaker ones."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.agents.library.formula import Formula, pot_odds
from pokerlab.agents.parts import hand_reading as reading
from pokerlab.agents.parts.hand_reading import Reading, enumerated, from_table, read
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting import CALL
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.games.poker.state import View
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.registry import load
from published.review import IMMEDIATE_RANK, POT_ODDS

unit = st.floats(0, 1)


def view_of(game_name: str, hole: str, board: str) -> View:
    """The view of the first seat with these cards, everybody having checked so far."""
    game = load("games", game_name)
    own, public = game.deck.cards(hole), game.deck.cards(board)
    rest = [card for card in range(game.deck.size) if card not in own + public]
    cards = (*own, *rest[: len(own)], *public, *rest[len(own) :])
    state = game.start(cards[: game.dealing.needed[-1]])
    while len(game.board(state)) < len(public) or state.betting.actor != 0:
        state = game.child(state, CALL)
    return game.view(state, 0)


def test_pot_odds_of_the_review() -> None:
    for to_call, pot, odds in POT_ODDS:
        assert pot_odds(to_call, pot) == odds


def test_immediate_rank_of_the_review() -> None:
    for hole, board, (wins, ties, losses) in IMMEDIATE_RANK:
        expected = (wins + ties / 2) / (wins + ties + losses)
        reading = read(view_of("holdem-limit", hole, board), np.random.default_rng(0))
        assert reading.now == pytest.approx(expected)
        assert round(reading.now, 6) == 0.834413


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999), st.integers(1, 999))
def test_effective_strength_is_ahead_now_or_overtaking(stays: int, overtakes: int, falls: int, keeps: int) -> None:
    """Equation (2) of the review says what counting says: where hands never tie, the share that is ahead or gets so."""
    reading = from_table([[stays, 0, overtakes], [0, 0, 0], [falls, 0, keeps]])
    assert reading.effective == pytest.approx((falls + keeps + overtakes) / (stays + overtakes + falls + keeps))


@pytest.mark.parametrize(("hole", "board"), [("TcJc", "2dTsKhQs"), ("AhAd", "KhQhJhTd"), ("2c7d", "8s8h8d8c")])
def test_compiled_reading_is_the_enumerated_one(hole: str, board: str) -> None:
    view = view_of("holdem-limit", hole, board)
    fast = read(view, np.random.default_rng(0))
    assert fast == pytest.approx(enumerated(view.game, view.cards, view.board))


def test_short_deck_reading_is_the_enumerated_one() -> None:
    view = view_of("short-deck", "AcKd", "6s7sTh9d")
    assert read(view, np.random.default_rng(0)) == pytest.approx(enumerated(view.game, view.cards, view.board))


def test_flop_potential_looks_one_card_ahead_by_counting() -> None:
    """Every opponent hand and turn card, one by one."""
    from pokerlab.cards.strength import strength

    hole, board = FULL_DECK.cards("9h8h"), FULL_DECK.cards("7hTc2h")
    left = [card for card in range(52) if card not in hole + board]
    counts: Counter[tuple[float, float]] = Counter()  # by what is won now and with the turn card: 0, 1/2 or 1
    ours, later = strength(hole + board), {card: strength([*hole, *board, card]) for card in left}
    for hand in combinations(left, 2):
        now = won(ours, strength([*hand, *board]))
        for card in left:
            if card not in hand:
                counts[now, won(later[card], strength([*hand, *board, card]))] += 1
    every = sum(counts.values())
    ahead = sum(now * count for (now, _), count in counts.items())
    gained = sum(max(then - now, 0) * count for (now, then), count in counts.items())
    lost = sum(max(now - then, 0) * count for (now, then), count in counts.items())
    reading = read(view_of("holdem-limit", "9h8h", "7hTc2h"), np.random.default_rng(0))
    assert reading == pytest.approx((ahead / every, gained / (every - ahead), lost / ahead))


def won(mine: int, theirs: int) -> float:
    """The share of the pot; smaller strengths are stronger."""
    return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0


@given(unit, unit, st.integers(0, 100), st.integers(1, 400), st.integers(0, 4))
@settings(max_examples=40)
def test_triples_are_probabilities(now: float, positive: float, to_call: int, pot: int, raises: int) -> None:
    triple = Formula().triple(Reading(now, positive, 0.0), to_call=to_call, pot=pot, raises=raises)
    assert sum(triple) == pytest.approx(1)
    assert min(triple) >= -1e-12
    assert to_call or triple.fold == 0


@given(unit, unit, unit)
def test_better_hands_fold_less_and_bet_more(first: float, second: float, odds: float) -> None:
    weak, strong = sorted((first, second))
    pot = 100.0
    to_call = odds * pot
    worse, better = (Formula().triple(Reading(now, 0, 0), to_call=to_call, pot=pot) for now in (weak, strong))
    assert better.fold <= worse.fold + 1e-12
    assert better.raise_ + better.call >= worse.raise_ + worse.call - 1e-12


@pytest.mark.parametrize("setting", ["bet", "reraise", "bluff", "mix", "lookahead"])
def test_settings_are_checked(setting: str) -> None:
    for value in (-1, 7, "x", None, float("nan")):
        with pytest.raises(BadSetting, match=setting):
            load("agents", "formula", **{setting: value})


@pytest.mark.parametrize("weaker", ["always-call", "always-raise", "random"])
@pytest.mark.parametrize("game", ["holdem-limit", "holdem-nolimit"])
def test_beats_weaker_agents(game: str, weaker: str) -> None:
    """The interval lies above zero, after a modest number of duplicate hands."""
    result = play_match(MatchSettings.of(game, ["formula", weaker], hands=600, duplicate=True, seed=1))
    assert result.summaries[0].low > 0
    assert result.luck[0] < 0.025


@pytest.mark.parametrize("weaker", ["always-call", "always-raise", "random"])
@pytest.mark.parametrize("game", ["leduc", "kuhn"])
def test_beats_weaker_agents_in_small_games(game: str, weaker: str) -> None:
    result = play_match(MatchSettings.of(game, ["formula", weaker], hands=1500, duplicate=True, seed=1))
    assert result.summaries[0].low > 0


def test_ring_games_too() -> None:
    agents = ["formula", "random", "always-call"]
    result = play_match(MatchSettings.of("holdem-limit(players=3)", agents, hands=1500, duplicate=True, seed=2))
    assert result.summaries[0].low > 0


LATER = Rules(
    players=2,
    rounds=(Round(private=2), Round(private=1, public=1), Round(private=2)),
    antes=(1, 1),
    stacks=(50, 50),
)
APART = Rules(players=2, rounds=(Round(private=3),), antes=(1, 1), stacks=(9, 9), replacement=True)


@pytest.mark.parametrize("rules", [LATER, APART], ids=["private cards later", "a deck each"])
def test_a_decision_looks_at_few_hands(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where strengths are worked out card by card, hands are sampled before they are too many to look at."""
    looked = 0

    def counted(*words: Any, **settings: Any) -> Any:
        nonlocal looked
        for pair in pairs(*words, **settings):
            looked += 1
            yield pair

    pairs = reading._pairs
    monkeypatch.setattr(reading, "_pairs", counted)
    game = PokerGame(rules)
    rng = np.random.default_rng(3)
    state = game.start(game.deal(rng))
    while game.player(state) >= 0:
        looked = 0
        read(game.view(state, game.player(state)), rng)
        assert 0 < looked <= reading.EXACT_BY_DEFINITION
        state = game.child(state, CALL)


def test_a_small_game_is_read_exactly_with_a_deck_each() -> None:
    game = load("games", "von-neumann(cards=10)")
    state = game.start([3, 8])
    assert read(game.view(state, 0), np.random.default_rng(0)).now == pytest.approx((3 + 0.5) / 10)
