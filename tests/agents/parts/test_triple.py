"""Triples become legal actions; sizes are parts of the pot."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab import registry
from pokerlab.agents.opening import open_agent
from pokerlab.agents.parts import hand_reading
from pokerlab.agents.parts.triple import Triple, allowed, choose, sized
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.betting import CALL, Legal, raise_to
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.strategy.policy import table_of

parts = st.floats(0, 1)


def test_triples_are_checked() -> None:
    with pytest.raises(BadSetting, match="sum to 1"):
        Triple.of(fold=0.5, call=0.2)


@given(parts, parts, parts, st.booleans(), st.integers(-1, 5), st.integers(0, 1))
def test_allowed_moves_what_is_not(
    fold: float, call: float, raise_: float, can_fold: bool, cost: int, raising: int
) -> None:
    legal = Legal(can_fold, cost, 10 * raising, 20 * raising)
    result = allowed(Triple(fold, call, raise_), legal)
    assert sum(result) == pytest.approx(fold + call + raise_)
    assert result.raise_ == 0 or legal.can_raise
    assert result.call == 0 or legal.call >= 0 or not (can_fold or raising)
    if can_fold and cost >= 0 and raising:
        assert result == (fold, call, raise_)


def test_choose_follows_the_triple() -> None:
    game = registry.load("games", "holdem-limit")
    view = game.view(game.start(game.deal(np.random.default_rng(1))), 1)
    rng = np.random.default_rng(2)
    drawn = [choose(Triple(0.2, 0.5, 0.3), view, rng).kind for _ in range(4000)]
    for kind, share in (("f", 0.2), ("c", 0.5), ("r", 0.3)):
        spread = 4 * np.sqrt(share * (1 - share) / 4000)
        assert abs(drawn.count(kind) / 4000 - share) < spread


@pytest.mark.parametrize(
    ("betting", "fraction", "total"),
    [
        ([], 1.0, 300),  # 50 to call into 150: to 100, and a pot of 200 more
        ([], 0.0, 200),  # the least raise
        ([], 1e9, 20000),  # all-in
        ([raise_to(300), CALL], 0.5, 600),  # half of 600 on the flop, 300 being in already
        ([raise_to(300), CALL, raise_to(600)], 1.0, 1800),  # 300 to call makes 1200
    ],
)
def test_sizes(betting: list[object], fraction: float, total: int) -> None:
    game = registry.load("games", "holdem-nolimit")
    state = game.start(range(9))
    for action in betting:
        state = game.child(state, action)
    view = game.view(state, state.betting.actor)
    assert sized(view, view.legal, fraction) == raise_to(total)


def random_places(game: str, seed: int) -> list[PublicNode]:
    """The nodes of a random line, half of the hands considered at some of them."""
    rng, place, visited = np.random.default_rng(seed), start_of(open_game(game)), []
    while True:
        if place.missing:
            free = [card for card in range(place.game.deck.size) if card not in place.board]
            place = place._replace(board=place.board + tuple(rng.choice(free, place.missing, replace=False).tolist()))
        elif place.seat < 0:
            return visited
        else:
            half = frozenset(hand for hand in place.hands().cards if rng.random() < 0.5)
            visited.append(place if rng.random() < 0.5 else place._replace(among=half))
            likely = [action for action in place.actions if action != "f"]
            place = place.after(likely[int(rng.integers(len(likely)))])


@pytest.mark.parametrize(
    "agent", ["formula", "formula(mix=0, pot_fraction=0.3)", "rules", "always-call", "always-raise"]
)
@pytest.mark.parametrize(
    "game", ["leduc", "rhode-island(ranks=5, suits=3)", "leduc-nolimit(stack=7)", "examples/turn.toml"]
)
def test_all_hands_at_once_play_as_each_alone(agent: str, game: str) -> None:
    """To the last bit."""
    policy = open_agent(agent)
    for seed in range(3):
        for place in random_places(game, seed):
            table, expected = policy.table(place), table_of(policy, place)
            assert (tuple(table.hands), table.actions) == (tuple(expected.hands), expected.actions)
            assert np.array_equal(table.probability, expected.probability)


def test_hands_that_differ_by_names_of_suits_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And get the reading that counting gives each of them."""
    game, counted = open_game("rhode-island(ranks=4, suits=3, ante=7)"), []
    plain = hand_reading.enumerated
    monkeypatch.setattr(hand_reading, "enumerated", lambda *args, **more: counted.append(args) or plain(*args, **more))
    hands = [(cards, board) for cards in range(12) for board in range(12) if cards != board]
    for cards, board in hands:
        place = PublicNode(game, game.betting.start(), (board,), frozenset({(cards,)}))
        reading = hand_reading.read_all(place)
        assert tuple(float(part[0]) for part in reading) == plain(game, (cards,), (board,))
    assert len(counted) == 4 * 4 + 4 * 3  # a rank each in two suits, or two ranks of one suit
