"""Sampled regret matching on a two-role game, as Goykhman's paper does it (sections 4 and 7).

Each round deals one real game; both roles compute what each of their decisions would have won against the other's
current strategy, add the regrets, floor them at zero, and match. The answer is the unweighted average of the
strategies after each round in which a hand was held. Rounds follow one another, so one run is one thread.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadFile
from pokerlab.solvers.evolve.role_games import numbers_of, pack_of, stream
from pokerlab.solvers.roles.exact import measure_roles
from pokerlab.tree.measure import Measure
from pokerlab.tree.roles import CardDeal, RoleForm

NOTHING = 1e-12  # regrets below this share of the largest payoff count as none


class SampledRoles:
    """A run of sampled regret matching; an iteration is a round, one game dealt."""

    def __init__(self, form: RoleForm, *, seed: int = 0) -> None:
        from pokerlab.solvers.roles._kernels import RoleSums

        self.form = form
        self.iterations = 0
        self.counter = stream(seed, 0, 0)
        self.deck = np.arange(52, dtype=np.uint8)
        self.roles = [
            RoleSums(np.zeros((count, 2)), np.full(count, 0.5), np.zeros(count), np.zeros(count, np.int64))
            for count in form.chance.shape
        ]

    def answer(self) -> dict[str, np.ndarray]:
        """How often each role acts with each hand."""
        return {"acts0": self.average(0), "acts1": self.average(1)}

    @property
    def nodes_touched(self) -> int:
        """Games played."""
        return self.iterations

    def advance(self, iterations: int) -> None:
        """More rounds."""
        from pokerlab.solvers.roles._kernels import learn_cards, learn_numbers

        deal, payoffs = self.form.deal, self.form.payoffs
        state = *self.roles, NOTHING * float(np.abs(payoffs).max())
        if isinstance(deal, CardDeal):
            pack = pack_of(deal)._replace(deck=self.deck)
            counter = learn_cards(self.counter, iterations, pack, payoffs, *state)
        else:
            counter = learn_numbers(self.counter, iterations, numbers_of(deal), payoffs, *state)
        self.counter = np.uint64(counter)
        self.iterations += iterations

    def average(self, role: int) -> np.ndarray:
        """The answer: [hand] probability to act, one half for hands never held."""
        sums = self.roles[role]
        return np.asarray(np.where(sums.visits > 0, sums.total / np.maximum(sums.visits, 1), 0.5))

    def measure(self) -> Measure:
        """Value and best responses of the average strategies."""
        return measure_roles(self.form, self.average(0), self.average(1))

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        named: dict[str, np.ndarray] = {
            "iterations": np.array([self.iterations]),
            "counter": np.array([self.counter], np.uint64),
            "deck": self.deck,
        }
        for role, state in enumerate(self.roles):
            for name, array in state._asdict().items():
                named[f"{name}{role}"] = array
        return named

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        self.iterations = int(arrays["iterations"][0])
        self.counter = np.uint64(arrays["counter"][0])
        if not np.array_equal(np.sort(arrays["deck"]), np.sort(self.deck)):
            raise BadFile("this state is damaged: its deck is not the deck")
        self.deck = np.array(arrays["deck"])
        self.roles = [
            state._replace(**{name: np.array(arrays[f"{name}{role}"]) for name in state._fields})
            for role, state in enumerate(self.roles)
        ]
