"""Hands between agents, for training: played without a referee, each action seen with the hand that took it.

What training computes is a few kilobytes, or up to 1 MB of cases. For seed 0 it ships with the package, in
agents/weights; other seeds are trained at first use and saved in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab import store
from pokerlab.agents.agent import Agent, Observer
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State, View

WEIGHTS = Path(__file__).parents[1] / "weights"
EDITION = 1  # of all weights; changes when their meaning does
OnAction = Callable[[int, View, Action], None]  # seat, view and action


class PlayedHand(NamedTuple):
    """A hand that is over."""

    state: State
    payoffs: tuple[float, ...]


def play(
    game: PokerGame, agents: Sequence[Agent], cards: tuple[int, ...], rng: np.random.Generator, on_action: OnAction
) -> PlayedHand:
    """Play a deal, and show its end to agents that observe."""
    state = game.start(cards)
    while (seat := state.betting.actor) >= 0:
        view = game.view(state, seat)
        action = agents[seat].act(view, rng)
        on_action(seat, view, action)
        state = game.child(state, action)
    for seat, agent in enumerate(agents):
        if isinstance(agent, Observer):
            agent.observe(game.view(state, seat))
    return PlayedHand(state, game.returns(state))


def training_game(spec: str) -> PokerGame:
    """A game that agents train in."""
    game = open_game(spec)
    assert isinstance(game, PokerGame)
    return game


def trained(
    name: str, train: Callable[[int], Mapping[str, np.ndarray]], *, seed: int, seconds: float
) -> Mapping[str, np.ndarray]:
    """The weights of a player: those that ship, or of another seed, trained at first use."""
    path = path_of(name)
    if seed == 0 and path.is_file():
        return store.load(path, kind="weights").arrays
    notice = f"training {name} with seed {seed}; about {seconds:g} seconds, once"
    return store.computed(
        f"{name}-{seed}", lambda: train(seed), kind="weights", edition=EDITION, notice=notice, seed=seed
    ).arrays


def path_of(name: str) -> Path:
    """The file of shipped weights."""
    return WEIGHTS / f"{name}.safetensors"


def ship(name: str, train: Callable[[int], Mapping[str, np.ndarray]], **manifest: Any) -> Path:
    """Train a player with seed 0 and write the file that ships."""
    return store.save(path_of(name), train(0), kind="weights", seed=0, **manifest)
