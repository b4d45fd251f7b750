"""What first-order solvers share: they count steps and gradients, and answer with plans."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from pokerlab.solvers.first_order.ground import Ground
from pokerlab.tree.form import Form


class FirstOrder(ABC):
    """A solver that steps along gradients."""

    _ground: Ground
    _progress: Any  # counts [2] int64: steps and gradients

    @abstractmethod
    def answer(self) -> dict[str, np.ndarray]:
        """The plans, in the form's own arrays."""

    @property
    def form(self) -> Form:
        """What it solves."""
        return self._ground.form

    @property
    def iterations(self) -> int:
        """Steps done."""
        return int(self._progress.counts[0])

    @property
    def gradients(self) -> int:
        """How often the payoffs of one player's sequences against a plan of the other have been computed."""
        return int(self._progress.counts[1])

    @property
    def nodes_touched(self) -> int:
        """Each gradient visits every history."""
        return self.gradients * self._ground.nodes

    def profile(self) -> np.ndarray:
        """The same as behaviour, of the sequence and the normal form.  # [A]"""
        return self.answer()["probability"]
