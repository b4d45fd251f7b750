"""The text of an action reads back as the action, in every poker game; what is none gets a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import IllegalAction, PokerlabError
from pokerlab.games.poker.betting import CALL, Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.text import action_words, read_action
from pokerlab.games.poker.typed import WORDS
from pokerlab.registry import available, load


def poker_games() -> list[str]:
    found = []
    for entry in available("games"):
        try:
            if isinstance(load("games", entry.name), PokerGame):
                found.append(entry.name)
        except PokerlabError:
            continue  # it needs settings
    return found


@pytest.mark.parametrize("name", poker_games())
def test_every_action_reads_back(name: str) -> None:
    game = load("games", name)
    rng = np.random.default_rng(2)
    for cards in game.deals(rng, 3):
        state = game.start(cards)
        while game.player(state) >= 0:
            actions = list(game.actions(state))
            for action in [*actions[:40], *actions[-3:]]:
                assert read_action(game, game.action_text(action)) == action
            state = game.child(state, actions[int(rng.integers(len(actions)))])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("holdem-nolimit", "r"),
        ("holdem-nolimit", "raise"),
        ("holdem-nolimit", "r-3"),
        ("holdem-nolimit", "r²"),
        ("holdem-nolimit", "d"),
        ("holdem-nolimit", "d(5h4c)"),
        ("holdem-nolimit", ""),
        ("holdem-limit", "f3"),
        ("holdem-limit", "k"),
        ("five-card-draw", "d(5h"),
        ("five-card-draw", "9" * 4000),
    ],
)
def test_what_is_no_action_gets_a_sentence(name: str, text: str) -> None:
    with pytest.raises(IllegalAction, match=rf"is not an action of {name}: f, c,") as problem:
        read_action(load("games", name), text)
    assert len(str(problem.value)) < 200


def test_words_tell_who_does_it() -> None:
    game = load("games", "holdem-nolimit(stack=1000)")
    start = game.betting.start()
    assert action_words(game, start, Action("r", 300)) == "raises to 300"
    assert action_words(game, start, Action("r", 1000), you=True) == "raise to 1,000 and are all-in"
    assert action_words(game, start, CALL, you=True) == "call 50"
    flop = game.betting.act(game.betting.act(start, Action("r", 300)), CALL)
    assert action_words(game, flop, Action("r", 400), base=300) == "bets 100"
    bet = game.betting.act(flop, Action("r", 400))
    assert action_words(game, bet, Action("r", 600), base=300) == "raises to 300"
    assert action_words(game, bet, Action("r", 600)) == "raises to 600"


def test_words_mean_one_thing() -> None:
    assert {WORDS[meaning] for meaning in WORDS.values()} == set(WORDS.values())
