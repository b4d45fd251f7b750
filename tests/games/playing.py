"""Random play of poker games, for tests."""

from __future__ import annotations

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.poker.betting import CALL, FOLD, Action
from pokerlab.games.poker.engine import PokerGame, State
from pokerlab.registry import available, load


def poker_names() -> list[str]:
    """The presets that are poker games and need no settings."""
    found = []
    for entry in available("games"):
        try:
            made = load("games", entry.name)
        except PokerlabError:
            continue
        if isinstance(made, PokerGame):
            found.append(entry.name)
    return found


def random_action(game: PokerGame, state: State, rng: np.random.Generator, *, fold: float = 0.15) -> Action:
    """A legal action without listing them all: seldom a fold, raises of the least, the most, or any size."""
    legal = game.legal(state)
    if legal.discards >= 0:
        hand = game.hand(state, state.betting.actor)
        count = int(rng.integers(0, min(legal.discards, len(hand)) + 1))
        return Action("d", 0, tuple(int(card) for card in rng.choice(hand, count, replace=False)))
    draw = rng.random()
    if legal.fold and (draw < fold or (legal.call < 0 and draw < 0.5)):
        return FOLD
    if legal.call >= 0 and (not legal.can_raise or draw < 0.6):
        return CALL
    if game.rules.limit == "fixed":
        return Action("r")
    size = rng.random()
    if legal.menu:
        return Action("r", int(rng.choice(legal.menu)))
    if size < 0.6:
        return Action("r", legal.least if size < 0.4 else legal.most)
    return Action("r", int(rng.integers(legal.least, legal.most + 1)))


def finished_hand(game: PokerGame, rng: np.random.Generator) -> State:
    """A random hand played to its end."""
    state = game.start(game.deal(rng))
    while game.player(state) >= 0:
        state = game.child(state, random_action(game, state, rng))
    return state
