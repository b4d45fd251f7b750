"""What solvers of the bucketed form share: averages over buckets, measured in the real game."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure


class AverageSolver(ABC):
    """A solver of the bucketed form, whose averages are measured in the real game."""

    form: BucketedForm

    @abstractmethod
    def strategy_arrays(self) -> dict[str, np.ndarray]:
        """The averages as the form packs them."""

    def measure(self) -> Measure:
        """The measure of the average strategies in the real game; unknown if that is too large."""
        return self.form.measure(self.form.unpack(self.strategy_arrays()))
