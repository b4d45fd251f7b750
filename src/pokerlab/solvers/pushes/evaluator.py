"""What pushing and folding are worth to every class at every decision, given everybody's strategies.

All-ins of two and three seats are exact by classes (cards/preflop.py, cards/multiway.py); those of more are sampled
(wide.py). Ends with three and more seats in are rare and change slowly, so that the expensive part of them can be kept
from one call to the next (`renew`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import permutations

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDER_COUNT, ORDERS, SECOND_PLACE, multiway_table
from pokerlab.parallel import Team, core_count
from pokerlab.solvers.pushes.chances import PRIOR, Chances, PairTables, Reaches
from pokerlab.solvers.pushes.wide import RAREST, WideSampler
from pokerlab.tree.pushes import PushForm


@dataclass(frozen=True, eq=False)
class Assessment:
    """What everybody's strategies are worth."""

    actions: np.ndarray  # [node, 2, 169]: what folding and pushing are worth at a decision
    holds: np.ndarray  # [node, 169]: chance that a decision is reached with each class
    node_chances: np.ndarray  # [node]
    end_chances: np.ndarray  # [end]
    utilities: np.ndarray  # [seat]
    gains: np.ndarray  # [seat]: what a best response would win more
    sampling_error: np.ndarray  # [seat]: standard error of the utilities by sampled all-ins

    @property
    def epsilon(self) -> float:
        """The most that a seat could win more by a best response."""
        return float(self.gains.max(initial=0.0))


class Evaluator:
    """Assesses strategies of one form; threads share the work."""

    def __init__(self, form: PushForm, *, workers: int | None = None, seed: int = 0) -> None:
        self.form = form
        self.tables = PairTables.exact()
        self.chances = Chances(form, self.tables)
        self._team = Team(workers or core_count())
        self._twos = [number for number, end in enumerate(form.ends) if len(end.inside) == 2]
        self._threes = [number for number, end in enumerate(form.ends) if len(end.inside) == 3]
        wides = [number for number, end in enumerate(form.ends) if len(end.inside) > 3]
        self._wide = WideSampler(form, self.chances, wides, team=self._team, seed=seed)
        self._values = form.values
        self._worth = np.zeros((len(form.ends), form.players, CLASS_COUNT))
        self._mean = np.zeros((len(form.ends), form.players))
        for number, end in enumerate(form.ends):
            if len(end.inside) == 1:
                self._fill(number, self._values[number][0])

    def _fill(self, end: int, values: np.ndarray) -> None:
        self._mean[end] = values
        self._worth[end] = values[:, None]

    def assess(self, pushes: np.ndarray, *, renew: bool = True, least: float = 1e-6, effort: float = 1.0) -> Assessment:
        """What the chance of a push at every decision for every class, [node, 169], is worth.

        Without `renew` the ends with three and more seats in keep what they were worth last. `least` leaves out classes
        of three-way all-ins with less than this part of the largest weight; `effort` scales sampling.
        """
        reaches = self.chances.reaches(pushes)
        self._two_way(reaches)
        if renew:
            self._three_way(reaches, least)
            self._wide.renew(reaches, self._worth, self._mean, effort=effort)
        actions = self._actions(reaches)
        advantage = actions[:, 1] - actions[:, 0]
        gain = reaches.holds * np.where(advantage > 0, advantage * (1 - pushes), -advantage * pushes)
        gains = np.bincount(self.form.node_seat, weights=gain.sum(1), minlength=self.form.players)
        return Assessment(
            actions=actions,
            holds=reaches.holds,
            node_chances=reaches.node_chances,
            end_chances=reaches.end_chances,
            utilities=reaches.end_chances @ self._mean,
            gains=gains,
            sampling_error=np.sqrt((reaches.end_chances**2) @ self._wide.variances),
        )

    def _two_way(self, reaches: Reaches) -> None:
        tables, form = self.tables, self.form
        ranges = np.array([self._ranges(reaches, number, 2) for number in self._twos]).reshape(-1, 2, CLASS_COUNT)
        for place in range(2):
            other = ranges[:, 1 - place]
            weights = other @ tables.given.T
            won, tied = (other @ tables.win.T) / weights, (other @ tables.tie.T) / weights
            orders = np.stack([won, 1 - won - tied, tied])  # [order, end, class] from the side of this place
            if place == 1:
                orders = orders[[1, 0, 2]]
            for row, number in enumerate(self._twos):
                values = self._values[number]
                if place == 0:
                    own = PRIOR * ranges[row, 0] * weights[row]
                    self._fill(number, (orders[:, row] @ own / own.sum()) @ values)
                seat = form.ends[number].inside[place]
                self._worth[number, seat] = values[:, seat] @ orders[:, row]

    def _ranges(self, reaches: Reaches, number: int, count: int) -> np.ndarray:
        """The weights of the classes of the seats that are in: [place, 169]."""
        inside = self.form.ends[number].inside
        ranges = [self.chances.range_at(reaches, number, seat, inside) for seat in inside]
        return np.array([weights if weights.any() else PRIOR for weights in ranges[:count]])

    def _three_way(self, reaches: Reaches, least: float) -> None:
        from pokerlab.solvers.pushes._kernels.orders import order_weights

        met = [
            number for number in self._threes if reaches.near_chances[number] > RAREST or not self._mean[number].any()
        ]
        if not met:
            return
        ranges = np.array([self._ranges(reaches, number, 3) for number in met])  # [end, place, 169]
        others = np.array([[one, other] for one, other in ((1, 2), (0, 2), (0, 1))])
        rows = np.ascontiguousarray(ranges[:, others].reshape(-1, 2, CLASS_COUNT))  # [end * place, 2, 169]
        found = np.empty((len(rows), CLASS_COUNT, ORDER_COUNT))
        table, places, roles = weighted_table(), np.stack([FIRST_PLACE, SECOND_PLACE]), role_orders()
        pending = iter(range(len(rows)))

        def weigh(member: int) -> None:
            for row in pending:  # whoever is free takes the next
                order_weights(table, places, roles, rows, least, row, row + 1, found)

        self._team.run(weigh)
        for row, number in enumerate(met):
            values = self._values[number]
            for place, seat in enumerate(self.form.ends[number].inside):
                weights = found[3 * row + place]
                orders = weights[:, place_orders()[place]]  # the orders of (seat, other, other) as those of the end
                own = ranges[row, place] @ orders
                if place == 0:
                    self._fill(number, own / own.sum() @ values)
                self._worth[number, seat] = orders @ values[:, seat] / orders.sum(1)

    def _actions(self, reaches: Reaches) -> np.ndarray:
        from pokerlab.solvers.pushes._kernels.walk import action_values

        form, chances = self.form, self.chances
        found = np.zeros((form.nodes, 2, CLASS_COUNT))
        if not form.nodes:
            return found
        members = self._team.members
        order = np.argsort(
            form.last - np.arange(form.nodes), kind="stable"
        )  # so that members get as much as each other

        def walk(member: int) -> None:
            nodes = np.ascontiguousarray(order[member::members])
            scratch = np.empty((form.nodes + 1, CLASS_COUNT))
            action_values(
                form.child, form.last, form.node_seat, reaches.calls, chances.pairs, chances.depths, self._worth,
                nodes, scratch, found,
            )  # fmt: skip

        self._team.run(walk)
        return found


@cache
def weighted_table() -> np.ndarray:
    """Hands of three classes that fit together times the chance of each order: [818805, 16] float32, zeros last."""
    table = multiway_table()
    weighted = np.zeros((len(table.hands), 16), np.float32)
    weighted[:, :ORDER_COUNT] = table.chances * table.hands[:, None]
    return weighted


@cache
def role_orders() -> np.ndarray:
    """The order of three roles by how they are sorted by class, and by the order of the sorted hands: [6, 13]."""
    found = np.empty((6, ORDER_COUNT), np.int64)
    for sorting, roles in enumerate(permutations(range(3))):  # roles[place] is the role that stands there when sorted
        for number, places in enumerate(ORDERS):
            of_role = [0, 0, 0]
            for place, role in enumerate(roles):
                of_role[role] = places[place]
            found[sorting, number] = ORDERS.index((of_role[0], of_role[1], of_role[2]))
    return found


@cache
def place_orders() -> np.ndarray:
    """For each place of an end, where the end's orders lie among those of (that seat, the others in order): [3, 13]."""
    found = np.empty((3, ORDER_COUNT), np.int64)
    for place in range(3):
        others = [other for other in range(3) if other != place]
        for number, places in enumerate(ORDERS):
            found[place, number] = ORDERS.index((places[place], places[others[0]], places[others[1]]))
    return found
