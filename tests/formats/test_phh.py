"""PHH written for PokerKit to read, and read back; a published hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pokerkit import HandHistory

from games.playing import finished_hand
from pokerlab.errors import BadSetting, BadState, PokerlabError
from pokerlab.formats.phh import phh_text, read_phh
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.registry import load

# Dwan and Ivey, 2009, from the PHH standard (phh-std, v0.0.2)
DWAN_IVEY = """variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h",
  "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h", "d db Jh",
]
"""


def test_the_published_hand():
    game, state = read_phh(DWAN_IVEY)
    assert state.betting.history == "r7500r23500fc/r58500c/r148500r291100r1125600c/"
    assert game.returns(state) == (-553500, -2500, 556000)
    assert read_phh(phh_text(game, state))[1] == state


QUARTERS = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0]
min_bet = 0.50
starting_stacks = [60.25, 40, inf]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h", "p3 cbr 1.25", "p1 cbr 3.0", "p2 f", "p3 f",
]
"""


def test_fractions_become_whole_chips_of_a_smaller_size():
    game, state = read_phh(QUARTERS)
    assert game.name == "phh(chip=0.25)"
    assert game.rules.stacks[:2] == (241, 160)
    assert game.rules.blinds == (1, 2, 0)
    assert state.betting.history == "r5r12ff"
    assert game.returns(state) == (7, -2, -5)
    tenths = read_phh(QUARTERS.replace("p1 cbr 3.0", "p1 cbr 3.1"))[0]
    assert tenths.rules.blinds == (5, 10, 0)  # quarters and tenths are whole in twentieths


@pytest.mark.parametrize(
    "spec",
    [
        "holdem-nolimit",
        "holdem-nolimit(players=6, stack=[500, 20000, 3000, 40, 900, 100], ante=10)",
        "holdem-limit(players=3, stack=200)",
        "holdem-limit",
        "short-deck(players=4, stack=[20, 100, 7, 50])",
        "holdem-nolimit(players=4, blinds=[1, 2, 4], stack=[100, 60, 30, 3])",
        "holdem-nolimit(players=5, blinds=[1, 2, 4, 8, 16], stack=200)",
        "holdem-limit(players=3, blinds=[1, 2, 4], stack=600)",
    ],
)
def test_pokerkit_reads_what_we_write(spec):
    game = load("games", spec)
    rng = np.random.default_rng(8)
    for number in range(40):
        state = finished_hand(game, rng)
        text = phh_text(game, state, names=[f'"{seat}\\' for seat in range(game.players)], fields={"hand": number})
        history = HandHistory.loads(text)
        *_, final = history
        assert not final.status
        odd = game.players if game.players > 2 else 1  # PokerKit has its own way with odd chips
        assert all(abs(a - b) < odd for a, b in zip(final.payoffs, game.returns(state), strict=True))
        again, read = read_phh(text)
        assert read.betting == state.betting
        assert again.returns(read) == game.returns(state)


STRADDLE = """variant = "NT"
antes = [0, 0, 0, 0, 0]
blinds_or_straddles = {blinds}
min_bet = 2
starting_stacks = [100, 100, 100, 100, 100]
actions = ["d dh p1 AcAd", "d dh p2 7h2s", "d dh p3 KhKs", "d dh p4 3c3d", "d dh p5 QcQd", {actions}]
"""


@pytest.mark.parametrize(
    ("blinds", "actions", "first", "history"),
    [
        (
            "[1, 2, 4, 0, 0]",
            ["p4 cbr 6", "p5 f", "p1 f", "p2 f", "p3 f"],
            3,
            "r6ffff",
        ),  # by min_bet, not by the straddle
        ("[1, 2, 4, 8, 0]", ["p5 cbr 10", "p1 cbr 12", "p2 f", "p3 f", "p4 f", "p5 f"], 4, "r10r12ffff"),
        ("[1, 2, 0, 0, 4]", ["p1 f", "p2 f", "p3 f", "p4 f"], 0, "ffff"),  # the button straddles
        ("[1, 2, 0, 0, -2]", ["p3 f", "p4 f", "p5 cc", "p1 f", "p2 cbr 5", "p5 f"], 2, "ffcfr5f"),  # comes back in
        ("[1, 2, 0, 0, 2]", ["p1 f", "p2 cc", "p3 f", "p4 f", "p5 cbr 4", "p2 f"], 0, "fcffr4f"),
        ("[4, 1, 2, 0, 0]", ["p2 f", "p3 f", "p4 f", "p5 f"], 1, "ffff"),  # the largest need not be the last
    ],
)
def test_straddles(blinds, actions, first, history):
    words = ", ".join(f'"{action}"' for action in actions)
    text = STRADDLE.format(blinds=blinds, actions=words)
    *_, final = HandHistory.loads(text)
    game, state = read_phh(text)
    assert game.rules.rounds[0].first == first
    assert state.betting.history == history
    assert tuple(final.payoffs) == game.returns(state)
    written = phh_text(game, state)
    assert f"blinds_or_straddles = {blinds}" in written
    assert read_phh(written)[1] == state


def test_games_whose_first_to_act_phh_cannot_tell():
    game = load("games", "holdem-nolimit(players=3)")
    for number, first in ((0, 1), (2, 2)):
        rounds = [replace(round_, first=first) if i == number else round_ for i, round_ in enumerate(game.rules.rounds)]
        other = PokerGame(replace(game.rules, rounds=tuple(rounds), blinds=(1, 2, 0) if number else (0, 1, 0)))
        with pytest.raises(BadSetting, match="who acts first"):
            phh_text(other, other.root())


@pytest.mark.parametrize(("stack", "betting"), [(40, "f///"), (60, "fc///"), (60, "ff")])
def test_pokerkit_reads_hands_with_a_short_big_blind(stack, betting):
    game = load("games", f"holdem-nolimit(players=3, stack=[1000, {stack}, 1000])")
    state = game.start(game.deal(np.random.default_rng(1)))
    for word in betting.rstrip("/"):
        state = game.child(state, Action(word))
    assert state.betting.history == betting
    text = phh_text(game, state)
    *_, final = HandHistory.loads(text)
    assert not final.status
    assert tuple(final.payoffs) == game.returns(state)
    assert read_phh(text)[1].betting == state.betting


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"NT"', '"PO"', "variant 'PO'"),
        ("antes =", "ante =", "no field 'antes'"),
        ("[1000, 2000, 0]", "[1000]", "list of 3 amounts"),
        ("[1000, 2000, 0]", "[1000.000001, 2000, 0]", "too fine"),
        ("[500, 500, 500]", "[-0.5, 500, 500]", "must be chips"),
        ("[1000, 2000, 0]", "[-inf, 2000, 0]", "must be chips"),
        ("[1000, 2000, 0]", "[nan, 2000, 0]", "must be chips"),
        ("min_bet = 2000", "", "min_bet must be chips"),
        ("p3 cbr 7000", "p3 cbr 7e3", "not an action of hold'em"),
        ("p3 cbr 7000", "p2 cbr 7000", "not the turn of p2"),
        ("p3 cbr 7000", "p9 cbr 7000", "no player 'p9'"),
        ("p3 cbr 7000", "p3 cbr 70", "at least"),
        ("p3 cbr 7000", "p3 sd", "not an action of hold'em"),
        ("d db Jc3d5c", "d db JcXX5c", "not a card"),
        ('"d db 4h", ', "", "cards are missing"),
        ("d dh p3 7h6h", "d dh p3 7h5h", "shows cards that differ"),
        ("7h6h", "7h7h", "twice"),
        ("actions = [", "actions = [1, ", "list of texts"),
        ('variant = "NT"', "variant", "not PHH"),
    ],
)
def test_bad_phh(old, new, words):
    assert old in DWAN_IVEY
    with pytest.raises(PokerlabError, match=words):
        read_phh(DWAN_IVEY.replace(old, new))


def test_games_that_phh_does_not_know():
    game = load("games", "leduc")
    with pytest.raises(BadSetting, match="PHH has no code"):
        phh_text(game, game.root())
    with pytest.raises(BadState, match="not PHH"):
        read_phh("]")
