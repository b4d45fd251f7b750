"""The value of pushing and folding for every class at every decision, given all players' strategies.

All-ins of two and three seats are exact by classes (cards/preflop.py, cards/multiway.py); those of more are sampled
(sampling.py). All-ins of three and more seats are rare and change slowly, so their values can be reused from one
assessment to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDER_COUNT, ORDERS, SECOND_PLACE, multiway_table
from pokerlab.parallel import ThreadTeam, core_count
from pokerlab.tree.pushes.chances import PRIOR, Chances, PairTables, Reach
from pokerlab.tree.pushes.sampling import RAREST, MultiwaySampler, TerminalValues

if TYPE_CHECKING:
    from pokerlab.tree.pushes.form import PushForm


@dataclass(frozen=True, eq=False)
class Assessment:
    """The values of all players' strategies, in units of the form's utility."""

    actions: np.ndarray  # [node, 2, 169]: of folding and pushing at a decision
    holds: np.ndarray  # [node, 169]: probability that a decision is reached with each class
    node_chances: np.ndarray  # [node]
    terminal_chances: np.ndarray  # [terminal]
    utilities: np.ndarray  # [seat]
    gains: np.ndarray  # [seat]: of a best response
    sampling_error: np.ndarray  # [seat]: standard error of the utilities by sampled all-ins
    terminal_means: np.ndarray  # [terminal, seat]: the utility of each seat there
    terminals: TerminalValues | None = None  # by class, where card removal is pairwise

    @property
    def epsilon(self) -> float:
        """The largest gain of any seat by a best response."""
        return float(self.gains.max(initial=0.0))


class Evaluator:
    """Evaluates strategies of one form; the number of threads does not change the result."""

    def __init__(self, form: PushForm, *, workers: int | None = None, seed: int = 0) -> None:
        self.form = form
        self.tables = PairTables.exact()
        self.chances = Chances(form, self.tables)
        self._team = ThreadTeam(workers or core_count())
        self._twos, self._threes, more = (
            [number for number, terminal in enumerate(form.terminals) if len(terminal.contenders) in sizes]
            for sizes in ((2,), (3,), range(4, form.players + 1))
        )
        self._sampler = MultiwaySampler(form, self.chances, more, team=self._team, seed=seed)

    def no_values(self) -> TerminalValues:
        """Values of terminals before any evaluation: those with one seat left are known."""
        shape = len(self.form.terminals), self.form.players
        values = TerminalValues(np.zeros((*shape, CLASS_COUNT)), *np.zeros((2, *shape)))
        for number, terminal in enumerate(self.form.terminals):
            if len(terminal.contenders) == 1:
                values.fill(number, self.form.utilities[number][0])
        return values

    def assess(
        self,
        pushes: np.ndarray,
        terminals: TerminalValues | None = None,
        *,
        refresh: bool = True,
        least: float = 1e-6,
        effort: float = 1.0,
    ) -> Assessment:
        """Evaluate the push probability at every decision for every class, [node, 169].

        `terminals` are updated; without `refresh` those of three and more seats keep their values. `least`
        omits classes of three-way all-ins below this fraction of the largest weight; `effort` scales sampling.
        By default everything is computed from scratch, and the result depends only on the strategies.
        """
        values = self.no_values() if terminals is None else terminals
        reach = self.chances.reach(pushes)
        self._two_way(reach, values)
        if refresh:
            self._rare(reach, values, least, effort)
        actions = self._actions(reach, values)
        advantage = actions[:, 1] - actions[:, 0]
        gain = reach.holds * np.where(advantage > 0, advantage * (1 - pushes), -advantage * pushes)
        gains = np.bincount(self.form.node_seat, weights=gain.sum(1), minlength=self.form.players)
        return Assessment(
            actions=actions,
            holds=reach.holds,
            node_chances=reach.node_chances,
            terminal_chances=reach.terminal_chances,
            utilities=reach.terminal_chances @ values.mean,
            gains=gains,
            sampling_error=np.sqrt((reach.terminal_chances**2) @ values.variances),
            terminal_means=values.mean,
            terminals=values,
        )

    def likelihood(self, pushes: np.ndarray, path: Sequence[tuple[int, int]], seat: int) -> np.ndarray:
        """The weight of each class of a seat after some actions of all seats: [169]."""
        reach, weights = self.chances.reach(pushes), PRIOR
        for node, action in path:
            weights = weights * (reach.acts if self.form.node_seat[node] == seat else reach.tilts)[node, action]
        return np.asarray(weights)

    def refresh(self, pushes: np.ndarray, terminals: TerminalValues, *, least: float, effort: float | None) -> None:
        """Evaluate the terminals of three and more seats alone, see `assess`; of three if `effort` is None."""
        self._rare(self.chances.reach(pushes), terminals, least, effort)

    def _rare(self, reach: Reach, values: TerminalValues, least: float, effort: float | None) -> None:
        self._three_way(reach, values, least)
        if effort is not None:
            self._sampler.refresh(reach, values, effort=effort)

    def _two_way(self, reach: Reach, values: TerminalValues) -> None:
        tables, form = self.tables, self.form
        ranges = np.array([self._ranges(reach, number) for number in self._twos]).reshape(-1, 2, CLASS_COUNT)
        for place in range(2):
            other = ranges[:, 1 - place]
            weights = other @ tables.given.T
            won, tied = (other @ tables.win.T) / weights, (other @ tables.tie.T) / weights
            orders = np.stack([won, 1 - won - tied, tied])  # [order, terminal, class] from the side of this place
            if place == 1:
                orders = orders[[1, 0, 2]]
            for row, number in enumerate(self._twos):
                utilities = form.utilities[number]
                if place == 0:
                    own = PRIOR * ranges[row, 0] * weights[row]
                    values.fill(number, (orders[:, row] @ own / own.sum()) @ utilities)
                seat = form.terminals[number].contenders[place]
                values.by_class[number, seat] = utilities[:, seat] @ orders[:, row]

    def _ranges(self, reach: Reach, number: int) -> np.ndarray:
        """The weights of the classes of the contenders: [place, 169]."""
        contenders = self.form.terminals[number].contenders
        ranges = [self.chances.range_at(reach, number, seat, contenders) for seat in contenders]
        return np.array([weights if weights.any() else PRIOR for weights in ranges])

    def _three_way(self, reach: Reach, values: TerminalValues, least: float) -> None:
        from pokerlab.tree.pushes._kernels.values import order_weights

        chances, means = reach.near_chances, values.mean
        reached = [number for number in self._threes if chances[number] > RAREST or not means[number].any()]
        if not reached:
            return
        ranges = np.array([self._ranges(reach, number) for number in reached])  # [terminal, place, 169]
        others = np.array([(1, 2), (0, 2), (0, 1)])
        rows = np.ascontiguousarray(ranges[:, others].reshape(-1, 2, CLASS_COUNT))  # [terminal * place, 2, 169]
        weights = np.empty((len(rows), CLASS_COUNT, ORDER_COUNT))
        table, places = weighted_table(), np.stack([FIRST_PLACE, SECOND_PLACE])
        pending = iter(range(len(rows)))

        def weigh(member: int) -> None:
            for row in pending:  # a free thread takes the next
                order_weights(table, places, ROLE_ORDERS, rows, least, row, weights)

        self._team.run(weigh)
        for row, number in enumerate(reached):
            utilities = self.form.utilities[number]
            for place, seat in enumerate(self.form.terminals[number].contenders):
                orders = weights[3 * row + place][:, _CONTENDER_ORDERS[place]]
                own = ranges[row, place] @ orders
                if place == 0:
                    values.fill(number, own / own.sum() @ utilities)
                values.by_class[number, seat] = orders @ utilities[:, seat] / orders.sum(1)

    def _actions(self, reach: Reach, values: TerminalValues) -> np.ndarray:
        from pokerlab.tree.pushes._kernels.values import action_values

        form, chances = self.form, self.chances
        actions = np.zeros((form.nodes, 2, CLASS_COUNT))
        members = self._team.members
        order = np.argsort(form.last - np.arange(form.nodes), kind="stable")  # so that members get equal shares

        def walk(member: int) -> None:
            nodes = np.ascontiguousarray(order[member::members])
            scratch = np.empty((form.nodes + 1, CLASS_COUNT))
            action_values(
                form.child, form.last, form.node_seat, reach.calls, chances.pairs, chances.depths, values.by_class,
                nodes, scratch, actions,
            )  # fmt: skip

        self._team.run(walk)
        return actions


@cache
def weighted_table() -> np.ndarray:
    """Hands of three classes that fit together times the chance of each order: [818805, 16] float32, zeros last."""
    table = multiway_table()
    weighted = np.zeros((len(table.hands), 16), np.float32)
    weighted[:, :ORDER_COUNT] = table.chances * table.hands[:, None]
    return weighted


def rearranged(orders: Sequence[tuple[int, int, int]]) -> np.ndarray:
    """The number of each order with its hands permuted: [permutation, order], as itertools.permutations has them."""
    arrangements = permutations(range(3))
    return np.array(
        [[orders.index(tuple(order[hand] for hand in hands)) for order in orders] for hands in arrangements]
    )


_REARRANGED = rearranged(ORDERS)
ROLE_ORDERS = _REARRANGED[[0, 1, 2, 4, 3, 5]]  # [6, 13] orders of roles, given those sorted by class: the inverses
_CONTENDER_ORDERS = _REARRANGED[[0, 2, 4]]  # [3, 13] a terminal's orders among those of (a contender, the other two)
