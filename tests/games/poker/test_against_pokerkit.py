"""Random hands in our engine and in PokerKit: the same actors, legal actions, amounts, pots and payoffs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from games.poker.pokerkit_twin import (
    KuhnPokerHand,
    LeducHoldemHand,
    Tally,
    compare_hand,
    compare_short_blind,
    random_stacks,
)
from pokerlab.cards.card import SHORT_DECK, Deck
from pokerlab.formats.phh import _rules as phh_rules
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.registry import load

HANDS = 2_000  # in all, in the normal suite
SLOW_HANDS = 100_000  # of each variant


def holdem(rng: np.random.Generator, limit: str, **settings) -> Rules:
    """Hold'em for two to six players, with antes or straddles now and then."""
    players = int(rng.integers(2, 7))
    small, big = [(1, 2), (5, 10), (50, 100), (10, 25)][int(rng.integers(4))]
    blinds = [big, small] if players == 2 else [small, big] + [0] * (players - 2)
    if players > 3 and rng.random() < 0.2:
        blinds[2] = 2 * big
    largest = max(blinds)
    bets = (largest, largest, 2 * largest, 2 * largest) if limit == "fixed" else (largest,) * 4
    cap = 4 if limit == "fixed" else None
    first = (blinds.index(largest) + 1) % players
    rounds = [Round(private=2, bet=bets[0], raises=cap, first=first)]
    rounds += [Round(public=cards, bet=bet, raises=cap) for cards, bet in zip((3, 1, 1), bets[1:], strict=True)]
    ante = int(rng.integers(1, big + 1)) if rng.random() < 0.3 else 0
    return Rules(
        players=players,
        rounds=tuple(rounds),
        limit=limit,
        antes=(ante,) * players,
        blinds=tuple(blinds),
        **settings,
    )


def short_deck(rng: np.random.Generator) -> Rules:
    return holdem(rng, "no", deck=SHORT_DECK, showdown="short_deck")


def draw(rng: np.random.Generator) -> Rules:
    """Five-card draw with the usual least raise; at most five players, so that the deck never runs out."""
    rules = holdem(rng, ["no", "pot", "fixed"][int(rng.integers(3))])
    while rules.players > 5:
        rules = holdem(rng, "no")
    first, second = rules.rounds[:2]
    return replace(rules, rounds=(replace(first, private=5), replace(second, public=0, draw=5)))


VARIANTS = {
    "no limit": lambda rng: holdem(rng, "no"),
    "pot limit": lambda rng: holdem(rng, "pot"),
    "fixed limit": lambda rng: holdem(rng, "fixed"),
    "short deck": short_deck,
    "five-card draw": draw,
}


def compared(variant: str, hands: int, seed: int) -> Tally:
    rng = np.random.default_rng(seed)
    tally = Tally()
    for _ in range(hands):
        rules = random_stacks(VARIANTS[variant](rng), rng)
        compare_hand(PokerGame(rules), rng, tally)
    return tally


@pytest.mark.parametrize("variant", VARIANTS)
def test_random_hands(variant):
    tally = compared(variant, HANDS // len(VARIANTS), seed=5)
    assert tally.kinds == {"fold", "check", "call", "raise"}
    # what makes these hands worth comparing came up, often
    assert tally.side_pots > 50
    assert tally.short_all_ins > 50
    if variant == "fixed limit":
        assert tally.completions > 2
    else:
        assert tally.not_reopened > 2
    if variant == "five-card draw":
        assert tally.draws > 500
    else:
        assert tally.splits > 5
        assert tally.odd_chips > 2


@pytest.mark.parametrize("variant", ["no limit", "pot limit", "fixed limit", "short deck"])
def test_short_big_blinds(variant):
    rng = np.random.default_rng(8)
    tally = Tally()
    for _ in range(200):
        rules = random_stacks(VARIANTS[variant](rng), rng, short_blind=True)
        compare_short_blind(PokerGame(rules), rng, tally)
    assert tally.hands > 150
    assert tally.matched > 5


def straddled(rng: np.random.Generator) -> dict:
    """The fields of a PHH in which any seat may have posted anything, also with a minus sign."""
    players = int(rng.integers(2, 8))
    small, big = [(1, 2), (5, 10), (50, 100), (2, 2)][int(rng.integers(4))]
    blinds = [small, big] + [0] * (players - 2)
    for seat in range(2, players):
        draw = rng.random()
        if draw < 0.5:
            blinds[seat] = int(rng.choice([small, big, 2 * big, 3 * big, 4 * big, -big, -small, 2 * max(blinds)]))
    if rng.random() < 0.1:
        blinds = [int(rng.integers(0, 3)) * small for _ in range(players)]
    code = ["NT", "NS", "FT"][int(rng.integers(3))]
    least = int(rng.choice([big, big, small, 2 * big]))
    bets = {"small_bet": least, "big_bet": 2 * least} if code == "FT" else {"min_bet": least}
    ante = int(rng.integers(0, 2)) * small
    stacks = [1000 * big] * players
    table = {"variant": code, "antes": [ante] * players, "blinds_or_straddles": blinds, "starting_stacks": stacks}
    return table | bets


def test_straddles_of_phh():
    """Who acts first, what a call and the least raise are, and the payoffs, hand by hand."""
    rng = np.random.default_rng(9)
    tally, kinds = Tally(), set()
    for _ in range(600):
        table = straddled(rng)
        deep = phh_rules(table, 1)
        if not any(deep.blinds) and not any(deep.antes):
            continue  # PokerKit has no such hands
        table["starting_stacks"] = list(random_stacks(deep, rng).stacks)
        rules = replace(phh_rules(table, 1), reopens_at=1.0)  # in fixed limit PHH is read more leniently
        order = slice(None, None, -1) if rules.players == 2 else slice(None)
        compare_hand(PokerGame(rules), rng, tally, blinds=tuple(table["blinds_or_straddles"])[order])
        straddles = sum(blind > 0 for blind in rules.blinds) > 2
        kinds.add((straddles, min(table["blinds_or_straddles"]) < 0, rules.least_raise, rules.limit))
    assert tally.hands > 550
    assert {(True, sign, "bet", "no") for sign in (False, True)} < kinds
    assert {(True, sign, "last", "fixed") for sign in (False, True)} < kinds
    assert tally.kinds == {"fold", "check", "call", "raise"}


def preset_draw(hands: int, seed: int) -> Tally:
    """Hands of the preset: as it is every other time, else with other blinds, stacks and numbers of discards."""
    rng, tally = np.random.default_rng(seed), Tally()
    preset = load("games", "five-card-draw")
    for number in range(hands):
        game = preset
        if number % 2:
            small, big = [(1, 2), (5, 10), (3, 10), (2, 2)][int(rng.integers(4))]
            stacks = rng.integers(big, big * int(rng.choice([3, 10, 40])), 2, endpoint=True).tolist()
            discards = int(rng.integers(1, 6))
            game = load("games", f"five-card-draw(blinds=[{small}, {big}], stack={stacks}, discards={discards})")
        compare_hand(game, rng, tally)
    return tally


def test_the_preset_of_five_card_draw():
    tally = preset_draw(600, seed=10)
    assert tally.kinds == {"fold", "check", "call", "raise"}
    assert tally.draws > 500
    assert tally.short_all_ins > 25


@pytest.mark.slow
def test_many_hands_of_the_preset_of_five_card_draw():
    assert preset_draw(SLOW_HANDS, seed=11).hands == SLOW_HANDS


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_random_hands(variant):
    assert compared(variant, SLOW_HANDS, seed=6).hands == SLOW_HANDS


@pytest.mark.parametrize(
    ("spec", "hand_type"), [("kuhn", KuhnPokerHand), ("leduc", LeducHoldemHand), ("rhode-island", None)]
)
def test_small_games(spec, hand_type):
    rng = np.random.default_rng(7)
    game = load("games", spec)
    if spec == "leduc":  # PokerKit's cards have real suits
        game = PokerGame(replace(game.rules, deck=Deck.of("JQK", "hs")))
    tally = Tally()
    for _ in range(300):
        compare_hand(game, rng, tally, hand_type=hand_type)
    assert tally.kinds == {"fold", "check", "call", "raise"}
