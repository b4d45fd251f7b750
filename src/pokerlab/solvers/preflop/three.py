"""Fictitious play and regret matching+ for a hand of three players, dealt jointly; all players at once.

The same algorithms as in pushes.py, with exact card removal and without a rough evaluation: sums over hands are stored,
and an iteration adds only what changed. Tournaments play every state's hand with the same buffers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.solvers.preflop.opening import opening
from pokerlab.tree.pushes.form import PushForm
from pokerlab.tree.pushes.three import DECISIONS, ENDS, JointEvaluator, three_cards

ROUNDED = 0.005  # averages this close to 0 or 1 are rounded at the start of a play, which shortens sums over hands


class HandBuffers:
    """What one thread needs to play and assess a hand."""

    def __init__(self, cards: Any) -> None:
        from pokerlab.solvers.preflop._kernels.three import Matrices, Profile

        hands, orders = cards.orders.shape[:2]
        self.cards = cards
        self.sums = np.zeros((2, 8, hands, hands), np.float32)
        self.matrices = Matrices(*self.sums, np.zeros((9, orders), np.float32))
        best, average, margins = np.zeros((3, DECISIONS, hands))
        self.average: np.ndarray = average
        self.profile = Profile(best, self.average, margins, np.ones(DECISIONS, bool))
        self._leads = np.zeros((DECISIONS, hands, len(ENDS)))

    def begin(self, ends: np.ndarray, start: np.ndarray, decides: np.ndarray) -> None:
        """Start from these averages [6, hand], given the value of each end [25, 3]."""
        from pokerlab.solvers.preflop._kernels.three import begin

        self.average[:] = start
        self.profile.decides[:] = decides
        begin(self.cards, ends, self.matrices, self.profile)

    def play(self, ends: np.ndarray, start: np.ndarray, decides: np.ndarray, counted: int, iterations: int) -> None:
        """Fictitious play from averages that stand for `counted` iterations; who has no choice stays in."""
        from pokerlab.solvers.preflop._kernels.three import fictitious_play

        rounded = np.where(start < ROUNDED, 0.0, np.where(start > 1 - ROUNDED, 1.0, start))
        self.begin(ends, np.where(decides[:, None], rounded, 1.0), decides)
        fictitious_play(self.cards, self.matrices, self.profile, 1.0, counted, iterations)

    def leads(self) -> np.ndarray:
        """Where the averages lead: [6, hand, end]."""
        from pokerlab.tree.pushes._kernels.three import assess

        assess(self.cards, self.average, self._leads)
        return self._leads


class JointSolver(ProfileSolver):
    """A strategy of three players, improved by stored sums over the joint deal."""

    game: PushForm
    counted = ("iterations",)

    def __init__(self, form: PushForm) -> None:
        super().__init__(form)
        evaluator = form.evaluator
        assert isinstance(evaluator, JointEvaluator)
        self.hand, self.buffers = evaluator.hand, HandBuffers(three_cards())
        self.buffers.begin(evaluator.ends, self.hand.profile(opening(form)), self.hand.decides)

    @property
    def nodes_touched(self) -> int:
        """Every iteration visits all decisions and terminals."""
        return self.iterations * (self.game.nodes + len(self.game.terminals))

    @property
    @abstractmethod
    def averages(self) -> np.ndarray:
        """The current solution: [6, 169]."""

    @property
    def pushes(self) -> np.ndarray:
        """The current solution: [node, 169]."""
        return self.hand.pushes(self.averages)

    def advance(self, iterations: int) -> None:
        self._iterate(iterations)
        self.iterations += iterations

    @abstractmethod
    def _iterate(self, iterations: int) -> None:
        """Run this many more iterations."""

    def result(self) -> np.ndarray:
        return self.game.profile_of(self.pushes)

    def own_arrays(self) -> dict[str, np.ndarray]:
        profile = self.buffers.profile
        return {
            "current": profile.current,
            "average": profile.average,
            "margins": profile.margins,
            "sums": self.buffers.sums,
        }

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if any(((arrays[name] < 0) | (arrays[name] > 1)).any() for name in ("current", "average")):
            raise BadFile("this state is damaged: its strategies are not probabilities")
        super().restore(arrays)


class JointFictitiousPlay(JointSolver):
    """Each player's average of best responses to all players' averages, with later ones weighing more."""

    @property
    def averages(self) -> np.ndarray:
        return self.buffers.average

    def _iterate(self, iterations: int) -> None:
        from pokerlab.solvers.preflop._kernels.three import fictitious_play

        buffers = self.buffers
        fictitious_play(buffers.cards, buffers.matrices, buffers.profile, 2.0, self.iterations + 1, iterations)


class JointRegretMatching(JointSolver):
    """Regret matching+, with an average in which later strategies weigh more."""

    def __init__(self, form: PushForm) -> None:
        super().__init__(form)
        self._averages: np.ndarray = self.buffers.average.copy()
        self.regrets = np.zeros((DECISIONS, 2, self._averages.shape[1]))

    @property
    def averages(self) -> np.ndarray:
        return self._averages

    def _iterate(self, iterations: int) -> None:
        from pokerlab.solvers.preflop._kernels.three import regret_matching

        buffers, state = self.buffers, (self.regrets, self._averages)
        regret_matching(buffers.cards, buffers.matrices, buffers.profile, *state, self.iterations, iterations)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return super().own_arrays() | {"regrets": self.regrets, "averages": self._averages}
