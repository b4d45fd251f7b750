"""All-ins of four and more seats, sampled: hands of the others are drawn from their ranges, with exact card removal.

One deal of the other seats and a board ranks every hand that a seat may hold, so a sample serves all of its classes.
Deals are allocated to terminals by their probability given that the rarest push in them is made; a terminal that is
less likely than `RAREST` even then gets the value of a tie of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, CLASS_COUNT, CLASS_SIZES, COMBO_CLASS, COMBOS
from pokerlab.cards.strength import HIGH
from pokerlab.parallel import ThreadTeam
from pokerlab.tree.pushes.chances import Chances, Reach

if TYPE_CHECKING:
    from pokerlab.tree.pushes.form import PushForm

RAREST = 1e-6
DEALS = 1_000_000  # for a terminal that is always reached; others in proportion to their probability
ROUGH, FEWEST, MOST = 32, 200, 50_000  # of one terminal and seat; the first with less effort than 1


@dataclass(eq=False)
class TerminalValues:
    """The values of terminals, as last computed."""

    by_class: np.ndarray  # [terminal, seat, 169]
    mean: np.ndarray  # [terminal, seat]
    variances: np.ndarray  # [terminal, seat]: of the mean, by sampling
    samples: int = 0  # how often terminals were sampled; numbers the random streams

    def fill(self, terminal: int, values: np.ndarray) -> None:
        """Set the values [seat] of a terminal, the same for every class."""
        self.mean[terminal] = values
        self.by_class[terminal] = values[:, None]


class MultiwaySampler:
    """Samples the values of terminals with four and more contenders."""

    def __init__(self, form: PushForm, chances: Chances, terminals: list[int], *, team: ThreadTeam, seed: int) -> None:
        self.form = form
        self.chances = chances
        self.terminals = terminals
        self._team = team
        self._seed = seed
        self._class_hands = np.full((CLASS_COUNT, 12), -1, np.int64)
        for number, hands in enumerate(CLASS_COMBOS):
            self._class_hands[number, : len(hands)] = hands
        self._tied = {
            number: form.utilities_of(number, np.zeros((1, len(form.terminals[number].contenders)), int))
            for number in terminals
        }

    def refresh(self, reach: Reach, values: TerminalValues, *, effort: float = 1.0) -> None:
        """Sample every terminal again."""
        values.samples += 1
        chances = reach.near_chances
        reached = [number for number in self.terminals if chances[number] > RAREST]
        for number in set(self.terminals) - set(reached):
            values.fill(number, self._tied[number][0])
            values.variances[number] = 0.0
        fewest = FEWEST if effort >= 1 else ROUGH
        reached.sort(key=lambda number: -chances[number])

        def sample(member: int) -> None:
            for number in reached[member :: self._team.members]:
                deals = int(np.clip(effort * DEALS * chances[number], fewest, MOST))
                self._sample(number, reach, values, deals)

        if reached:
            self._team.run(sample)

    def _sample(self, terminal: int, reach: Reach, values: TerminalValues, deals: int) -> None:
        from pokerlab.tree.pushes._kernels.sampling import class_values

        contenders = self.form.terminals[terminal].contenders
        ranges = np.array([self.chances.range_at(reach, terminal, seat, contenders) for seat in contenders])
        ranges[~ranges.any(1)] = 1.0
        random = np.random.default_rng([self._seed, values.samples, terminal])
        means, variances = np.zeros(self.form.players), np.zeros(self.form.players)
        for place, seat in enumerate(contenders):
            others = [other for other in range(len(contenders)) if other != place]
            strengths, ranks = self._deal(ranges[others], deals, random)
            utilities, index = self._utilities(terminal, place, others, strengths)
            own = utilities[index]  # [deal, rank, seat]
            sums, weights = np.zeros((CLASS_COUNT, 2)), np.zeros(own.shape[:2])
            class_values(ranks, np.ascontiguousarray(own[:, :, seat]), COMBO_CLASS, ranges[place], sums, weights)
            counts, total = sums.T
            tied = self._tied[terminal][0, seat]
            values.by_class[terminal, seat] = np.where(counts > 0, total / np.maximum(counts, 1), tied)
            mean, variance = _weighted(weights, own)
            means += mean / len(contenders)
            variances += variance / len(contenders) ** 2
        values.mean[terminal], values.variances[terminal] = means, variances
        folded = [seat for seat in range(self.form.players) if seat not in contenders]
        values.by_class[terminal, folded] = means[folded, None]

    def _deal(self, ranges: np.ndarray, deals: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        from pokerlab.tree.pushes._kernels.sampling import deal_others

        cumulative = np.cumsum(ranges * CLASS_SIZES, axis=1)
        strengths = np.empty((deals, len(ranges)), np.uint16)
        ranks = np.empty((deals, len(COMBOS)), np.uint8)
        state = random.integers(0, 2**63, 1).astype(np.uint64)
        tables = HIGH().tables(7)
        deal_others(cumulative, self._class_hands, CLASS_SIZES, COMBOS, tables, state, strengths, ranks)
        dealt = strengths[:, 0] > 0
        return strengths[dealt], ranks[dealt]

    def _utilities(
        self, terminal: int, place: int, others: list[int], strengths: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The values of every rank of one contender to all seats, by the order of the others.

        Returns utilities [different orders, seat], and the index into them by deal and rank: [deal, 2 * others + 1].
        """
        count = strengths.shape[1]
        better = (strengths[:, None, :] < strengths[:, :, None]).sum(2)  # of others, for each other: [deal, other]
        codes = better @ (count + 1) ** np.arange(count)
        _, first, which = np.unique(codes, return_index=True, return_inverse=True)
        orders = better[first]  # [order, other]
        own = np.arange(2 * count + 1)
        rows = np.empty((len(orders), len(own), count + 1))
        rows[:, :, others] = orders[:, None, :]
        rows[:, :, place] = np.where(own % 2, own // 2, own // 2 - 0.5)  # a tie, or just ahead of the next other
        utilities = self.form.utilities_of(terminal, rows.reshape(-1, count + 1))
        index = which.reshape(-1)[:, None] * len(own) + own[None, :]
        return utilities, index


def _weighted(weights: np.ndarray, utilities: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weighted mean of utilities [deal, rank, seat] over deals, and the variance of that mean: [seat] each.

    Deals in which the seat could hold no hand have no weight.
    """
    each = weights.sum(1)
    sums = np.einsum("ds,dsv->dv", weights, utilities)
    if not each.any():
        return utilities.mean((0, 1)), utilities.var((0, 1))
    mean = sums.sum(0) / each.sum()
    residual = sums - each[:, None] * mean
    return mean, (residual**2).sum(0) / each.sum() ** 2
