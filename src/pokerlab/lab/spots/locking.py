"""Locks that imitate a policy: agents and saved strategies, queried hand by hand at a node of a spot."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pokerlab import registry
from pokerlab.agents.opening import open_policy
from pokerlab.errors import BadSetting
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.text import read_action
from pokerlab.games.spot.spot import Spot
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.specs import split
from pokerlab.strategy.lock import Lock, Plays
from pokerlab.strategy.policy import Policy
from pokerlab.tree.public.spot import HANDS

NEVER = ("human", "remote")  # agents that cannot be queried for every hand


def plays_in(spot: Spot | None) -> Plays:
    """How the agents that locks name play a spot; each is opened once."""
    opened: dict[str, Policy] = {}
    numbers: dict[str, int] = {}

    def plays(lock: Lock, codes: tuple[str, ...], board: tuple[int, ...]) -> np.ndarray:
        assert spot is not None, "locks are of spots"
        game = SpotGame(spot)
        if lock.like not in opened:
            opened[lock.like] = _policy(lock, game)
        if not numbers:
            numbers.update({game.text(sorted(hand, reverse=True)): number for number, hand in enumerate(HANDS)})
        betting = game.betting.start()
        for code in codes:
            betting = game.betting.act(betting, read_action(game, code))
        locked = (lock.hands.without(board).weights > 0) & (spot.ranges[betting.actor].without(board).weights > 0)
        among = frozenset(tuple(sorted(HANDS[number], reverse=True)) for number in np.flatnonzero(locked))
        table = opened[lock.like].table(PublicNode(game, betting, board, among))
        rows = np.full((len(HANDS), len(table.actions)), np.nan)
        rows[[numbers[hand] for hand in table.hands]] = table.probability
        if np.isnan(rows[locked]).any():
            where = ", ".join(lock.moves) or "the start"
            raise BadSetting(f"{lock.like[:60]} does not know what to do with every hand at {where[:60]!r}")
        return rows

    return plays


def _policy(lock: Lock, game: SpotGame) -> Policy:
    name = lock.like
    if registry.is_own(split(name)[0]):
        if lock.code is None:
            raise BadSetting(
                f"a lock in a file cannot play like {name[:60]!r}: a file must not choose what code is run; "
                f'name it where you type, as in --lock ": as {name[:60]}"'
            )
        name = lock.code.current_name(name, beside=Path())
        lock.code.check(name)
        return open_policy(name, game)
    word = name.partition(":")[0].partition("(")[0].strip().lower()
    if word in NEVER or "fallback" in name:  # which may name any agent
        raise BadSetting(f"a lock cannot play like {name[:60]!r}: name an agent of the library, or strategy:FILE")
    return open_policy(name, game)
