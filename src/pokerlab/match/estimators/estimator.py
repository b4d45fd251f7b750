"""An estimator replaces the chips that a hand won by a number with the same mean and less luck.

`estimator.start(game, agents)` checks that it applies and returns its state for one pass of a block;
`state.estimate(final_state, seats)` is called for each hand in turn, before agents observe its end. Whatever an
estimator learns from hands it applies to later hands only, so estimates stay unbiased (fitting.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from pokerlab import registry
from pokerlab.agents.agent import Agent
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State


class HandEstimator(Protocol):
    """An estimator at work on the hands of one pass."""

    def estimate(self, state: State, seats: Sequence[Agent]) -> Sequence[float]:
        """What a finished hand was worth to each seat; `seats` has the agent of each."""


@runtime_checkable
class Estimator(Protocol):
    """A named way to take luck out of results."""

    def start(self, game: PokerGame, agents: Sequence[Agent]) -> HandEstimator:
        """An estimator without memory; raises BadSetting, with the reason, where it does not apply."""


def open_estimator(spec: str) -> Estimator:
    """The estimator that a text names: "aivat", "divat(baseline='formula')"."""
    estimator: Estimator = registry.load("estimators", spec, like=Estimator)
    return estimator
