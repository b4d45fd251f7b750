"""Hands as text, and played again from it."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.agents.opening import open_agent
from pokerlab.errors import PokerlabError
from pokerlab.formats.acpc import state_line
from pokerlab.match.hands.hand_text import betting_text, cards_text, replay
from pokerlab.match.table.referee import play_hand
from pokerlab.registry import load

GAMES = ["kuhn(players=3)", "leduc", "rhode-island", "holdem-limit(players=3)", "holdem-nolimit(stack=900)"]
GAMES += [
    "five-card-draw(players=3)",
    "five-card-draw",
    "five-card-draw(players=6)",
    "preflop-limit",
    "preflop-nolimit",
    "push-fold",
    "short-deck",
    "small-draw",
    "flop-poker",
    "von-neumann",
]
GAMES += ["leduc-nolimit", "leduc-nolimit(stack=20, menu='50%,100%,allin')"]


@pytest.mark.parametrize("name", GAMES)
def test_replayed_hands_are_the_same(name: str) -> None:
    game = load("games", name)
    rng = np.random.default_rng(3)
    agents = [open_agent("random")] * game.players
    for cards in game.deals(rng, 40):
        over = play_hand(game, cards, agents, [rng] * game.players)
        text = cards_text(game, over.state), betting_text(game, over.state)
        steps, end = replay(game, *text)
        assert game.returns(end) == over.payoffs
        assert end.betting == over.state.betting
        assert end.draws == over.state.draws
        assert (cards_text(game, end), betting_text(game, end)) == text
        assert [game.player(step.state) for step in steps] == [step.seat for step in steps]


def test_as_the_competition_writes_it() -> None:
    game = load("games", "holdem-nolimit")
    rng = np.random.default_rng(4)
    agents = [open_agent("random")] * 2
    for number, cards in enumerate(game.deals(rng, 30)):
        over = play_hand(game, cards, agents, [rng, rng])
        line = state_line(game, over.state, number, over.payoffs, ("A", "B"))
        assert line.split(":")[2:4] == [betting_text(game, over.state), cards_text(game, over.state)]


def test_unknown_cards_stay_unknown() -> None:
    game = load("games", "holdem-nolimit")
    steps, end = replay(game, "9s8h|????/8c8d5c", "cr300c/r600f")
    assert len(steps) == 5
    assert game.returns(end) == (300, -300)
    assert game.hand(end, 1) == (-1, -1)
    assert cards_text(game, end) == "9s8h|????/8c8d5c"


@pytest.mark.parametrize(
    ("cards", "betting", "words"),
    [
        ("9s8h|9c6h", "cr120c", "at least 200"),
        ("9s8h|9c6h", "cx", "cannot read"),
        ("9s8h", "c", "1 seats"),
        ("9s8h|9s6h", "c", "twice"),
        ("9s8h9d|9c6h", "c", "3 cards"),
        ("9s8h|9c6h/8c8d5c2d", "cc/c", "do not fit"),
        ("9s8h|9c6h", "fc", "over"),
    ],
)
def test_what_does_not_fit_is_named(cards: str, betting: str, words: str) -> None:
    with pytest.raises(PokerlabError, match=words):
        replay(load("games", "holdem-nolimit"), cards, betting)


@pytest.mark.parametrize(
    ("betting", "words"),
    [
        ("cc/d(2c>KdQs)d(>)cc", "'KdQs' cannot have come for '2c': as many new cards come as are thrown away"),
        ("cc/d(>Kd)d(>)cc", "'Kd' cannot have come for ''"),
        ("cc/d(2c3d>Kd)d(>)cc", "'Kd' cannot have come for '2c3d'"),
        ("cc/d(2c>)d(>)cc", "'' cannot have come for '2c'"),
        ("cc/d(2c>7c)d(>)cc", "none that somebody holds"),
        ("cc/d(2c>2c)d(>)cc", "none that was thrown away before the deck has run out"),
        ("cc/d(2c3d>KdKd)d(>)cc", "twice"),
        ("cc/d(2c>Kd)d(7c>Kd)cc", "'Kd' cannot have come for '7c'"),
        ("cc/d(2c>Kd)d(7c>2c)cc", "'2c' cannot have come for '7c'"),
        ("cc/d(Ah>Kd)d(>)cc", "cannot discard 'Ah': the hand is 2c3d4h5s6c"),
        ("cc/d(2c3d4h5s6c7c>KdQdJdTd9d8c)d(>)cc", "at most 5 cards"),
    ],
)
def test_draws_that_cannot_have_been(betting: str, words: str) -> None:
    with pytest.raises(PokerlabError) as caught:
        replay(load("games", "five-card-draw"), "2c3d4h5s6c|7c8d9hTsJc", betting)
    assert words in str(caught.value)


def test_every_preset_is_here() -> None:
    """A new preset is either in GAMES or known to need settings."""
    names = {name.split("(")[0] for name in GAMES}
    from pokerlab.games.poker.engine import PokerGame

    for entry in registry.available("games"):
        try:
            game = registry.load("games", entry.name)
        except PokerlabError:
            continue
        if isinstance(game, PokerGame) and entry.name not in names:
            assert entry.name in ("one-card",), entry.name
