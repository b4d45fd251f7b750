"""Hands of one game followed in another: nothing is refused, what fits is found again, and what does not is said."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.action import CALL, FOLD, RAISE, Action, raise_to
from pokerlab.games.poker.engine import PokerGame
from pokerlab.registry import load
from pokerlab.strategy.translating import AHEAD, CAPPED, OFF_MENU, OVER, Reading, Translator, hashed, node_of
from pokerlab.tree.bucketed.betting import betting_form

MENUS = ("100%,allin", "33%,75%,200%", "allin", "50%,2.5x", "none")
REAL = (
    "holdem-nolimit(stack=20000)",
    "holdem-nolimit(stack=(700, 12345))",
    "holdem-nolimit(stack=150, blinds=(50, 100))",
    "holdem-nolimit(stack=3000, blinds=(10, 20), ante=5)",
    "holdem-nolimit(stack=5000, limit=pot)",
    "holdem-nolimit(stack=4000, menu='20%,60%,150%,allin')",
    "holdem-limit",
    "holdem-limit(stack=73)",
)
METHODS = ("nearest", "pseudo-harmonic", "geometric(below=call)", "arithmetic(below=call)")


def nolimit(text: str) -> PokerGame:
    game = load("games", f"holdem-nolimit({text})")
    assert isinstance(game, PokerGame)
    return game


def some_action(game: PokerGame, reading: Reading, rng: np.random.Generator) -> Action:
    """A legal action of the table: more bets than folds, of every size, now and then the least and the most."""
    legal = game.betting.legal(reading.real)
    kind = rng.random()
    if legal.can_raise and kind < 0.55:
        if game.betting.limit == "fixed":
            return RAISE
        extremes = [legal.least, legal.most, min(legal.most, round(legal.least * 10 ** rng.random()))]
        return raise_to(legal.nearest(int(rng.choice(extremes))))
    return FOLD if legal.fold and kind > 0.93 else CALL


def play(translator: Translator, rng: np.random.Generator) -> Reading:
    """A hand in which some seats play at random and others by the abstract game."""
    reading, own = translator.start(), int(rng.integers(0, 1 << translator.real.players))
    while reading.real.actor != TERMINAL:
        if own >> reading.real.actor & 1:
            action = translator.passive(reading)
            if reading.is_decision:
                choices = translator.abstract.betting.actions(reading.abstract)
                action = translator.real_action(reading, choices[rng.integers(len(choices))])
            translator.real.betting.verify(reading.real, action)
        else:
            action = some_action(translator.real, reading, rng)
        reading = translator.step(reading, action, float(rng.random()))
    return reading


@pytest.mark.parametrize("real", REAL)
def test_every_hand_is_played_to_its_end(real: str) -> None:
    rng = np.random.default_rng(REAL.index(real))
    table = load("games", real)
    for menu, stack in product(MENUS, (200, 2000, (900, 2600))):
        abstract = nolimit(f"menu='{menu}', stack={stack}")
        for method in METHODS:
            translator = Translator(abstract, table, method)
            for _ in range(12):
                play(translator, rng)


def test_limit_and_rings_in_any_pair() -> None:
    rng = np.random.default_rng(5)
    rings = [
        "holdem-nolimit(players=3, stack=(300, 900, 4000))",
        "holdem-nolimit(players=3, stack=1000, menu='50%,allin')",
        "holdem-limit(players=3, stack=(40, 90, 200))",
        "push-fold(players=3)",
    ]
    games = [load("games", text) for text in rings]
    for abstract, real in product(games[1:], games[:3]):
        if len(abstract.rules.rounds) == len(real.rules.rounds):
            translator = Translator(abstract, real, "pseudo-harmonic(below=call)")
            for _ in range(40):
                play(translator, rng)
    two = [load("games", text) for text in ("leduc", "leduc-nolimit")]
    for abstract, real in product(two, two):
        for _ in range(40):
            play(Translator(abstract, real), rng)


@pytest.mark.parametrize("game", ["holdem-nolimit(stack=(2000, 900), menu='50%,100%,allin', ante=3)", "holdem-limit"])
def test_a_game_in_itself_is_followed_action_by_action(game: str) -> None:
    table, rng = load("games", game), np.random.default_rng(11)
    translator = Translator(table, table)
    for _ in range(60):
        end = play(translator, rng)
        assert end.abstract == end.real
        assert not end.remarks


def test_own_bets_are_found_again() -> None:
    """Whatever becomes of an abstract bet at the table, it is read as that bet, and not by translation."""
    rng = np.random.default_rng(12)
    abstract, table = nolimit("stack=3000, menu='40%,90%,210%,allin'"), nolimit("stack=20011, blinds=(7, 13)")
    translator = Translator(abstract, table)
    for _ in range(60):
        reading = translator.start()
        while reading.is_decision:
            choices = translator.abstract.betting.actions(reading.abstract)
            place = int(rng.integers(len(choices)))
            became = translator.real_action(reading, choices[place])
            twins = {i for i, one in enumerate(choices) if translator.real_action(reading, one) == became}
            reading = translator.step(reading, became, float(rng.random()))
            assert reading.path[-1] in twins
        assert OFF_MENU not in reading.remarks


def test_readings_by_hand() -> None:
    table = nolimit("stack=20000")
    translator = Translator(nolimit("stack=20000, menu='50%,100%'"), table, "nearest")
    for history, meant in {
        "c": "c",
        "r200": "r200",  # half of the pot of 200 after the call, on top of it
        "r240": "r200",
        "r250": "r200",  # in the middle: the smaller
        "r251": "r300",
        "r20000": "r300",
        "r300c/cr400": "r300c/cr600",  # the least bet is nearer to half of the pot of 600
        "r290c/cr870": "r300c/cr900",  # a whole pot of 580 is a whole pot of 600
        "r290c/cr870f": "r300c/cr900f",
    }.items():
        assert translator.follow(history).abstract.history == meant, history


def test_an_all_in_is_all_in() -> None:
    """Whatever part of the pot it is; and one that puts the other seat all-in is one too."""
    for stack in (500, 20000, (900, 20000), (20000, 900)):
        translator = Translator(nolimit("stack=20000, menu='100%,allin'"), nolimit(f"stack={stack}"))
        reading = translator.start()
        legal = translator.real.betting.legal(reading.real)
        shoved = translator.step(reading, raise_to(legal.most))
        assert shoved.abstract.history == "r20000"
        covering = 900 if isinstance(stack, tuple) else legal.most
        assert translator.step(reading, raise_to(covering)).abstract.history == "r20000"
        assert translator.real_action(reading, raise_to(20000)) == raise_to(legal.most)


def test_deeper_than_trained() -> None:
    """A bet of more than the abstract stack is all-in there; after a call the table is played by checking."""
    translator = Translator(nolimit("stack=1000, menu='100%,allin'"), nolimit("stack=20000"))
    reading = translator.follow("r2500")
    assert (reading.abstract.history, reading.remarks) == ("r1000", (OFF_MENU,))
    reading = translator.step(reading, CALL)
    assert reading.abstract.actor == TERMINAL
    assert not reading.is_decision
    assert translator.passive(reading) == CALL
    assert reading.remarks == (OFF_MENU, OVER)
    assert translator.follow("r2500c/r5000").remarks == reading.remarks


def test_a_seat_that_is_all_in_checks_where_it_was_not() -> None:
    """Of three, the first is all-in at the table alone: on the flop it checks for it, and the second is to act."""
    real = load("games", "holdem-nolimit(players=3, stack=(300, 900, 4000))")
    translator = Translator(load("games", "holdem-nolimit(players=3, stack=4000, menu='100%,allin')"), real, "nearest")
    for history, meant, actor in (("cr300cc/", "cr400cc/c", 1), ("cr300cc/c", "cr400cc/cc", 2)):
        reading = translator.follow(history)
        assert (reading.abstract.history, reading.abstract.actor, reading.real.actor) == (meant, actor, actor)
        assert reading.is_decision


def test_a_raise_beyond_the_cap_is_a_call() -> None:
    real, abstract = load("games", "holdem-limit(raises=(9, 9, 9, 9))"), load("games", "holdem-limit")
    translator = Translator(abstract, real)
    reading = translator.follow("rrrr")
    assert reading.abstract.history == "rrrc/"
    assert reading.remarks == (CAPPED, AHEAD)
    assert translator.passive(reading) == CALL
    assert translator.follow("rrrrc/").is_decision
    assert translator.follow("rrrrrc/r").abstract.history == "rrrc/r"


def test_a_small_bet_may_be_read_as_a_check_where_it_can_still_be_answered() -> None:
    translator = Translator(nolimit("stack=20000, menu='100%'"), nolimit("stack=20000"), "nearest(below=call)")
    first = translator.follow("r300c/r400")
    assert (first.abstract.history, first.is_decision) == ("r300c/c", True)
    assert translator.real_action(first, CALL) == CALL
    last = translator.follow("r300c/cr400")  # a check would end the round
    assert last.abstract.history == "r300c/cr900"
    plain = Translator(nolimit("stack=20000, menu='100%'"), nolimit("stack=20000"), "nearest")
    assert plain.follow("r300c/r400").abstract.history == "r300c/r900"


def test_bets_keep_their_part_of_the_pot() -> None:
    """Blinds of 50 and 100 in the abstract game, of 5 and 10 at the table: 75 % is 75 %."""
    translator = Translator(nolimit("stack=20000, menu='75%,allin'"), nolimit("stack=4000, blinds=(5, 10)"))
    reading = translator.start()
    assert translator.real_action(reading, translator.abstract.betting.actions(reading.abstract)[2]) == raise_to(25)
    reading = translator.follow("r25c/")
    assert reading.abstract.history == "r250c/"
    assert not reading.remarks
    assert translator.real_action(reading, translator.abstract.betting.actions(reading.abstract)[1]) == raise_to(63)


def test_random_readings_follow_the_draw() -> None:
    translator = Translator(nolimit("stack=20000, menu='50%,100%'"), nolimit("stack=20000"), "arithmetic")
    assert translator.follow("r225", lambda history: 0.7).abstract.history == "r200"  # a chance of three quarters
    assert translator.follow("r225", lambda history: 0.8).abstract.history == "r300"
    read = [translator.follow("r225", hashed(1, (a, a + 1))).abstract.history for a in range(400)]
    assert abs(read.count("r200") / 400 - 0.75) < 5 * (0.75 * 0.25 / 400) ** 0.5
    assert read[:9] == [translator.follow("r225", hashed(1, (a + 1, a))).abstract.history for a in range(9)]
    assert read != [translator.follow("r225", hashed(2, (a, a + 1))).abstract.history for a in range(400)]


def test_the_place_in_the_arrays() -> None:
    abstract, rng = nolimit("stack=600, menu='100%,allin'"), np.random.default_rng(3)
    form = betting_form(abstract)
    translator = Translator(abstract, nolimit("stack=9000"))
    for _ in range(40):
        reading = play(translator, rng)
        assert form.histories[node_of(form, reading)] == reading.abstract.history


def test_games_that_do_not_fit() -> None:
    for real, reason in (("holdem-nolimit(players=3)", "players"), ("leduc-nolimit", "rounds")):
        with pytest.raises(BadSetting, match=reason):
            Translator(nolimit("menu='100%'"), load("games", real))
    with pytest.raises(BadSetting, match="exchanged"):
        Translator(load("games", "five-card-draw"), load("games", "five-card-draw(discards=3)"))
    follow = Translator(
        load("games", "five-card-draw(menu='allin')"), load("games", "five-card-draw"), "nearest"
    ).follow
    assert follow("r6c/d2d0r10").abstract.history.startswith("r40c/d2d0")
