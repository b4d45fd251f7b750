"""Monte-Carlo restricted Nash response on the bucketed form.

Ponsen, de Jong and Lanctot, "Computing approximate Nash equilibria and robust best-responses using sampling", 2011:
external sampling in the game in which an opponent plays a known strategy with probability p, drawn before the hand, and
freely otherwise. Here a share p of the deals of each iteration is played against the known strategy, instead of a coin
for each deal, which changes no expectation.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.analysis.restriction import Restriction
from pokerlab.solvers.bucketed.sampled import BucketedSampled
from pokerlab.solvers.cfr.fixed import measure_fixed
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure

LEAST_DEALS = 1000  # of an iteration
NUMBERS_A_DEAL = 200  # of an iteration: copying the regrets then costs little


class RestrictedSampled(BucketedSampled):
    """External sampling against an opponent who is held to a model for the whole game with some probability.

    An iteration is many deals: first those in which the opponent is held, then the free ones, then walks of the free
    opponent with all of them, which add to the average strategy of the counter-strategy.
    """

    def __init__(self, form: BucketedForm, schedule: Schedule, restriction: Restriction, *, seed: int = 0) -> None:
        from pokerlab.solvers.bucketed._kernels.matching import FloatSums

        if restriction.by_infoset:
            raise BadSetting("sampling holds the opponent for whole hands: choose rnr, or leave out --with for dbr")
        if form.has_draws:
            raise BadSetting(f"{form.name} exchanges cards, and counter-strategies are not sampled there")
        super().__init__(form, Sampler("external"), schedule, seed=seed)
        self.restriction = restriction
        self.deals = max(LEAST_DEALS, form.numbers // NUMBERS_A_DEAL)
        self.held_deals = round(restriction.whole * self.deals)
        self._own = form.slots_of(1 - restriction.player)
        held = np.array(form.check(restriction.model), np.float32)
        self._held = FloatSums(held, held, np.zeros(form.numbers, np.float32))  # the average of these walks is not used

    def advance(self, iterations: int) -> None:
        for _ in range(iterations):
            self._step()

    def _step(self) -> None:
        own, opponent = 1 - self.restriction.player, self.restriction.player
        regret, held = self._sums.regret, self._held.regret
        if self._discounts:
            step = self.schedule.step(self.iterations + 1)
            self._walks.discount(self._sums, np.array([step.keep_positive, step.keep_negative, step.keep_average]))
        first = self.iterations * self.deals
        split, last = first + self.held_deals, first + self.deals
        held[self._own] = regret[self._own]
        self._play((first, split), own, self._held)
        regret[self._own] = held[self._own]
        self._play((split, last), own, self._sums)
        self._play((first, last), opponent, self._sums)
        self.iterations += 1

    def _play(self, deals: tuple[int, int], player: int, sums: object) -> None:
        """The walks of a player with some deals."""
        from pokerlab.solvers.bucketed._kernels.tables import Span

        if deals[1] > deals[0]:
            span = Span(*deals, 0, 1, self._seed[0])
            self.nodes_touched += self._walks.advance(span, (player, player + 1), sums)

    def measure(self) -> Measure:
        """How far the averages are from equilibrium of the restricted game, inside the abstraction."""
        average = self.strategy_arrays()["average"]
        return measure_fixed(self.form, self.restriction.fixed(self.form), self._plan(average))

    def _plan(self, average: np.ndarray) -> np.ndarray:
        """The play of both: of the held player, the model and the free play as the restriction mixes them."""
        form, held = self.form, self.restriction.player
        plan, model = form.plan(average), form.plan(self.restriction.model)
        part, whole = form.treeplexes.sequences_of(held), self.restriction.whole
        plan[part] = whole * model[part] + (1.0 - whole) * plan[part]
        return plan

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Counter-strategies are not resumed."""
        raise BadSetting("a counter-strategy is computed again, not resumed")
