"""All-ins of four and more seats, sampled: hands of the others drawn from their ranges, cards removed exactly.

One deal of the other seats and a board tells where each of the hands that a seat may hold comes in, so that a sample
serves all of its classes. Deals are given to ends by how often they come once the rarest push in them is made; an end
that comes less often than `RAREST` even so is worth what a tie of all would be.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_COUNT, CLASS_SIZES, COMBO_CLASS, COMBOS
from pokerlab.cards.strength import HIGH
from pokerlab.parallel import Team
from pokerlab.solvers.pushes.chances import Chances, Reaches
from pokerlab.tree.pushes import PushForm

RAREST = 1e-6
DEALS = 1_000_000  # of an end that always comes; others by how often they do
FEWEST, MOST = 32, 50_000  # of one end and seat


class WideSampler:
    """Keeps what ends with four and more seats in are worth."""

    def __init__(self, form: PushForm, chances: Chances, ends: list[int], *, team: Team, seed: int) -> None:
        self.form = form
        self.chances = chances
        self.ends = ends
        self.variances = np.zeros((len(form.ends), form.players))  # of what an end is worth, by sampling
        self._team = team
        self._seed = seed
        self._renewals = 0
        self._class_hands = np.full((CLASS_COUNT, 12), -1, np.int64)
        for number, hands in enumerate(CLASS_COMBOS):
            self._class_hands[number, : len(hands)] = hands
        self._tied = {
            end: form.values_of(form.ends[end], np.zeros((1, len(form.ends[end].inside)), int)) for end in ends
        }

    def renew(self, reaches: Reaches, worth: np.ndarray, mean: np.ndarray, *, effort: float = 1.0) -> None:
        """Sample every end anew into worth [end, seat, 169] and mean [end, seat]."""
        self._renewals += 1
        chances = reaches.near_chances
        met = [end for end in self.ends if chances[end] > RAREST]
        for end in set(self.ends) - set(met):
            mean[end] = self._tied[end][0]
            worth[end] = mean[end][:, None]
            self.variances[end] = 0.0
        met.sort(key=lambda end: -chances[end])

        def sample(member: int) -> None:
            for end in met[member :: self._team.members]:
                deals = int(np.clip(effort * DEALS * chances[end], FEWEST, MOST))
                self._sample(end, reaches, worth, mean, deals)

        if met:
            self._team.run(sample)

    def _sample(self, end: int, reaches: Reaches, worth: np.ndarray, mean: np.ndarray, deals: int) -> None:
        inside = self.form.ends[end].inside
        ranges = np.array([self.chances.range_at(reaches, end, seat, inside) for seat in inside])
        ranges[~ranges.any(1)] = 1.0
        random = np.random.default_rng([self._seed, self._renewals, end])
        means, variances = np.zeros(self.form.players), np.zeros(self.form.players)
        for place, seat in enumerate(inside):
            others = [other for other in range(len(inside)) if other != place]
            strengths, places = self._deal(ranges[others], deals, random)
            values, index = self._values(end, place, others, strengths)
            own = values[index]  # [deal, place, seat]
            met, total, spots = self._class_sums(places, own[:, :, seat], ranges[place])
            worth[end, seat] = np.where(met > 0, total / np.maximum(met, 1), self._tied[end][0, seat])
            one, spread = _weighted(spots, own)
            means += one / len(inside)
            variances += spread / len(inside) ** 2
        mean[end], self.variances[end] = means, variances
        folded = [seat for seat in range(self.form.players) if seat not in inside]
        worth[end, folded] = means[folded, None]

    def _deal(self, ranges: np.ndarray, deals: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        from pokerlab.solvers.pushes._kernels.wide import deal_others

        cumulative = np.cumsum(ranges * CLASS_SIZES, axis=1)
        strengths = np.empty((deals, len(ranges)), np.uint16)
        places = np.empty((deals, len(COMBOS)), np.uint8)
        state = random.integers(0, 2**63, 1).astype(np.uint64)
        tables = HIGH().tables(7)
        deal_others(cumulative, self._class_hands, CLASS_SIZES, COMBOS, tables, state, strengths, places)
        dealt = strengths[:, 0] > 0
        return strengths[dealt], places[dealt]

    def _values(self, end: int, place: int, others: list[int], strengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What every place of one seat is worth to all, by the order of the others.

        Gives values [different orders, seat], and which of them each deal and place has: [deal, 2 * others + 1].
        """
        count = strengths.shape[1]
        better = (strengths[:, None, :] < strengths[:, :, None]).sum(2)  # of others, for each other: [deal, other]
        codes = better @ (count + 1) ** np.arange(count)
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        orders = better[first]  # [order, other]
        own = np.arange(2 * count + 1)
        rows = np.empty((len(orders), len(own), count + 1))
        rows[:, :, others] = orders[:, None, :]
        rows[:, :, place] = np.where(own % 2, own // 2, own // 2 - 0.5)  # a tie with, or just ahead of, what b beat
        values = self.form.values_of(self.form.ends[end], rows.reshape(-1, count + 1))
        index = which.reshape(-1)[:, None] * len(own) + own[None, :]
        return values, index

    def _class_sums(
        self, places: np.ndarray, values: np.ndarray, ranges: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from pokerlab.solvers.pushes._kernels.wide import class_worth

        sums, spots = np.zeros((CLASS_COUNT, 2)), np.zeros(values.shape)
        class_worth(places, np.ascontiguousarray(values), COMBO_CLASS, ranges, sums, spots)
        return sums[:, 0], sums[:, 1], spots


def _weighted(spots: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of values [deal, place, seat] over deals with these weights, and the variance of that mean: [seat] each.

    The deals without any hand that the seat could hold there count nothing.
    """
    each = spots.sum(1)
    sums = np.einsum("ds,dsv->dv", spots, values)
    if not each.any():
        return values.mean((0, 1)), values.var((0, 1))
    mean = sums.sum(0) / each.sum()
    residual = sums - each[:, None] * mean
    return mean, (residual**2).sum(0) / each.sum() ** 2
