"""What a policy is: action probabilities at one decision, or for every hand at a public node at once.

Strategies of every form and agents with known probabilities are policies. Locks, best responses, the exploitability of
an agent and the browser query policies, independent of how a form stores its numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.poker.public_node import PublicNode


@dataclass(frozen=True, eq=False)
class PolicyTable:
    """The action probabilities of each hand at a public node."""

    hands: Sequence[str]
    actions: Sequence[str]
    probability: np.ndarray  # [hand, action] float64; NaN in rows of hands unknown to the policy


@dataclass(frozen=True)
class StrategyLine:
    """One infoset of a strategy, as people read it."""

    infoset: str
    player: int
    reach: float | None  # the player's own reach probability; None if unknown
    actions: Mapping[str, float]
    hand: str = ""  # for infosets that are a hand at a public node: both separately
    board: str = ""
    moves: str = ""
    trained: bool | None = None  # whether training visited the infoset; None if nothing was trained
    discards: Mapping[str, str] = field(default_factory=dict)  # at a draw, the cards that each action discards


def hand_line(
    hand: str,
    moves: str,
    player: int,
    actions: Sequence[str],
    row: Sequence[float],
    reach: float | None = None,
    **more: Any,
) -> StrategyLine:
    """The line of a hand, a class of hands or a bucket at a public node without a board."""
    played = dict(zip(actions, row, strict=True))
    return StrategyLine(f"{hand}:{moves}", player, reach, played, hand, "", moves, **more)


@runtime_checkable
class Policy(Protocol):
    """Action probabilities wherever a player decides."""

    def probabilities(self, view: Any) -> Mapping[str, float]:
        """The probability of each action, by its text in the game; they sum to one.

        `view` is what `games.game.turn_of` returns: it has a `seat` and an `infoset`; in poker it is a View. Raises
        UnknownName if the policy does not know this decision.
        """

    def table(self, place: PublicNode) -> PolicyTable:
        """The same for every hand that the seat to act may hold at a public node of a poker game."""


def has_profiles(policy: Any) -> bool:
    """Whether a policy has a `profile_in(form)`: strategies do, and agents do not."""
    return hasattr(policy, "profile_in")


def ignores_cards(policy: Any) -> bool:
    """Whether a policy plays every hand in the same way, so that it is known from the betting alone."""
    return bool(getattr(policy, "ignores_cards", False))


def policy_name(policy: Any, default: str = "a strategy") -> str:
    """The name of an agent; a default for other policies."""
    return str(getattr(policy, "name", default))


def table_of(policy: Policy, place: PublicNode) -> PolicyTable:
    """Build a policy's table hand by hand; BadSetting at a draw, where actions depend on the hand."""
    if place.betting.drawing:
        raise BadSetting("at a draw every hand has its own actions: ask for the probabilities of one hand")
    hands, actions, rows = place.hands(), place.actions, []
    for _, view in place.views():
        try:
            played = policy.probabilities(view)
            rows.append([float(played.get(action, 0.0)) for action in actions])
        except UnknownName:
            rows.append([float("nan")] * len(actions))
    return PolicyTable(hands.texts, actions, np.array(rows, float).reshape(len(rows), len(actions)))
