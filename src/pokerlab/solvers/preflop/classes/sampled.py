"""Sampled regret matching on a game of one decision each, as Goykhman's paper does it (sections 4 and 7).

Each round deals one real game; both players compute what each of their decisions would have won against the other's
current strategy, add the regrets, floor them at zero, and match. The result is the unweighted average of the
strategies after each round in which a hand was held. Rounds follow one another, so one run is one thread.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.evolve.genetic import numbers_of, pack_of, stream
from pokerlab.solvers.preflop.classes.one_decision import OneDecisionSolver
from pokerlab.tree.class_deals import CardDeal
from pokerlab.tree.classes import ClassForm

NOTHING = 1e-12  # regrets below this fraction of the largest payoff count as zero


class SampledRegret(OneDecisionSolver):
    """A run of sampled regret matching; an iteration is a round, one game dealt."""

    def __init__(self, form: ClassForm, *, seed: int = 0) -> None:
        from pokerlab.solvers.preflop.classes._kernels import PlayerSums

        super().__init__(form)
        self.counter = np.array([stream(seed, 0, 0)])
        self.deck = np.arange(52, dtype=np.uint8)
        self.sums = [
            PlayerSums(np.zeros((count, 2)), np.full(count, 0.5), np.zeros(count), np.zeros(count, np.int64))
            for count in form.chance.shape
        ]

    @property
    def acts(self) -> tuple[np.ndarray, np.ndarray]:
        return self.average(0), self.average(1)

    @property
    def nodes_touched(self) -> int:
        """The number of games played."""
        return self.iterations

    def advance(self, iterations: int) -> None:
        from pokerlab.solvers.preflop.classes._kernels import learn_cards, learn_numbers

        deal, payoffs = self.game.deal, self.game.one_decision.payoffs
        state = *self.sums, NOTHING * float(np.abs(payoffs).max())
        if isinstance(deal, CardDeal):
            pack = pack_of(deal)._replace(deck=self.deck)
            self.counter[0] = learn_cards(self.counter[0], iterations, pack, payoffs, *state)
        else:
            self.counter[0] = learn_numbers(self.counter[0], iterations, numbers_of(deal), payoffs, *state)
        self.iterations += iterations

    def average(self, role: int) -> np.ndarray:
        """The average strategy of the first (0) or second (1) player: [hand], one half for hands never held."""
        sums = self.sums[role]
        return np.asarray(np.where(sums.visits > 0, sums.total / np.maximum(sums.visits, 1), 0.5))

    def own_arrays(self) -> dict[str, np.ndarray]:
        sums = {f"{name}{role}": array for role, pair in enumerate(self.sums) for name, array in pair._asdict().items()}
        return {"counter": self.counter, "deck": self.deck} | sums

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        if not np.array_equal(np.sort(arrays["deck"]), np.sort(self.deck)):
            raise BadFile("this state is damaged: its deck is not the deck")
        super().restore(arrays)
