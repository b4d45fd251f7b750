"""A table session: players, possibly including a human, hand after hand; everything that happens is an event.

The button moves each hand. The deal and every player have their own random generators, so that actions do not change
the cards. An agent's illegal action is replaced by a legal one, as in a match.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.agents.agent import Agent
from pokerlab.games.poker.betting import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.match.table.referee import decide, show_end


class HandBegins(NamedTuple):
    """The cards have been dealt."""

    number: int  # from 1
    names: tuple[str, ...]  # by seat


class PlayerActs(NamedTuple):
    """A player is about to act."""

    state: State  # before it
    action: Action
    name: str
    fault: str  # why the agent's original action was illegal; empty if it was legal


class HandEnds(NamedTuple):
    """A hand is over."""

    number: int
    state: State
    returns: tuple[float, ...]  # by seat
    names: tuple[str, ...]  # by seat
    won: tuple[float, ...]  # over the session, by player


Event = HandBegins | PlayerActs | HandEnds


class Session:
    """Players at one table; a `person` is prompted and never corrected, and leaves by raising an error.

    The same seed deals the same cards; by default they differ each time.
    """

    def __init__(
        self,
        game: PokerGame,
        players: Sequence[Agent],
        names: Sequence[str],
        *,
        seed: int | None = None,
        person: int = -1,
    ) -> None:
        self.game, self.players, self.names = game, list(players), tuple(names)
        self.person = person  # index of the human player; -1: none
        sources = np.random.SeedSequence(seed).spawn(1 + game.players)
        self._dealing, *self._chance = map(np.random.default_rng, sources)
        self.won = [0.0] * game.players  # by player
        self.played = 0

    def hands(self, count: int = 0) -> Iterator[Event]:
        """Play this many hands, endlessly for 0; yields every event as it happens."""
        for player in self.players:
            player.reset()
        while not count or self.played < count:
            yield from self._hand()

    def _hand(self) -> Iterator[Event]:
        game, count = self.game, self.game.players
        order = [(seat + self.played) % count for seat in range(count)]  # the player in each seat
        names = tuple(self.names[player] for player in order)
        state = game.start(game.deal(self._dealing))
        yield HandBegins(self.played + 1, names)
        while (seat := game.player(state)) >= 0:
            action, fault = self._action(state, order[seat])
            yield PlayerActs(state, action, names[seat], fault)
            state = game.child(state, action)
        returns = game.returns(state)
        for seat, won in enumerate(returns):
            self.won[order[seat]] += won
        self.played += 1
        yield HandEnds(self.played, state, returns, names, tuple(self.won))
        show_end(game, state, [self.players[player] for player in order])

    def _action(self, state: State, player: int) -> tuple[Action, str]:
        if player == self.person:
            return self.players[player].act(self.game.view(state, state.betting.actor), self._chance[player]), ""
        return decide(self.game, state, self.players[player], self._chance[player])
