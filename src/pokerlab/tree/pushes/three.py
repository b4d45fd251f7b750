"""Push or fold with three players, all three hands dealt jointly: card removal is exact.

A hand has at most six decisions and seven terminals. With the orders in which hands can rank these are 25 *ends*: three
without a showdown, three for each two players (the first wins, a tie, the second wins), and the 13 orders of three
hands. `HandOfThree` says which decisions and terminals of a form these are. A player who is all-in already, or stays in
for free, has no decision. What an end is worth is up to the form: chips, prizes, or values of a tournament's states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.combos import CLASS_COUNT
from pokerlab.cards.multiway import FIRST_PLACE, ORDERS, SECOND_PLACE, multiway_table
from pokerlab.tree.pushes.chances import FOLDS, NONE, PUSHES
from pokerlab.tree.pushes.evaluator import Assessment, rearranged

if TYPE_CHECKING:
    from pokerlab.tree.pushes.form import PushForm

BUTTON, SMALL, BIG = range(3)
# what is decided: by the button; by the small blind behind a push and behind a fold; by the big blind against the
# button alone, against the small blind alone, and against both
PUSH, CALL, STEAL, DEFEND, DEFEND_BLIND, OVERCALL = range(6)
DECISIONS = 6
DECIDER = (BUTTON, SMALL, SMALL, BIG, BIG, BIG)
FACING = ((), (BUTTON,), (), (BUTTON,), (SMALL,), (BUTTON, SMALL))  # who is in before each decision
ALL_FOLD, FIRST_PAIR, FIRST_ORDER = 0, 3, 12
SEATS_IN = ((BIG,), (BUTTON,), (SMALL,), (BUTTON, SMALL), (BUTTON, BIG), (SMALL, BIG), (BUTTON, SMALL, BIG))
RANKS = {1: ((0,),), 2: ((0, 1), (0, 0), (1, 0)), 3: ORDERS}  # the ends of as many contenders: ranks, 0 the best
ENDS = tuple((seats, ranks) for seats in SEATS_IN for ranks in RANKS[len(seats)])
DEALS = 1326 * 1225 * 1128  # of three hands to three seats

Orders = Sequence[tuple[int, int, int]]  # ranks of three hands in each order, 0 the best; ties share one


def cards_of(table: np.ndarray, orders: Orders) -> Any:
    """Any table [z, order, x, y] in the format of the kernels."""
    from pokerlab.tree.pushes._kernels.three import Cards

    seats = (0, 1), (0, 2), (1, 2)
    compared = np.array([[np.sign(ranks[a] - ranks[b]) + 1 for ranks in orders] for a, b in seats], np.int64)
    pairs = np.zeros((3, *table.shape[2:]))
    for order in range(len(orders)):
        pairs[compared[0, order]] += table[:, order].sum(0, dtype=np.float64)
    turned = np.array([orders.index((y, z, x)) for x, y, z in orders])
    return Cards(np.ascontiguousarray(table, np.float32), pairs, compared, turned)


@cache
def three_cards() -> Any:
    """The 169 classes of hold'em hands, all orders of three of them over all boards; 250 MB."""
    from pokerlab.tree.pushes._kernels.three import spread

    table = multiway_table()
    chances = np.asarray(table.chances) * (table.hands / DEALS).astype(np.float32)[:, None]
    spread_table = np.empty((CLASS_COUNT, len(ORDERS), CLASS_COUNT, CLASS_COUNT), np.float32)
    spread(chances, np.stack([FIRST_PLACE, SECOND_PLACE]), rearranged(ORDERS), spread_table)
    return cards_of(spread_table, ORDERS)


@cache
def staying_ends() -> np.ndarray:
    """Which ends follow staying in, by decision; the others follow folding: [6, end] bool."""
    stays = np.zeros((DECISIONS, len(ENDS)), bool)
    for decision, (seat, facing) in enumerate(zip(DECIDER, FACING, strict=True)):
        for end, (seats, _) in enumerate(ENDS):
            before = tuple(other for other in seats if other < seat)
            stays[decision, end] = seat in seats and before == facing and (seat != BIG or end >= FIRST_PAIR)
    return stays


def end_chances(push: np.ndarray, leads: np.ndarray) -> np.ndarray:
    """The probability of each end, given how often the button pushes and where its hands lead.

    push [..., hand], leads [..., hand, end] -> [..., end]
    """
    played = np.where(staying_ends()[PUSH], push[..., None], 1 - push[..., None])
    chances = (played * leads).sum(-2)
    return np.asarray(chances / chances.sum(-1, keepdims=True))  # float32 sums to 1 within 1e-7


@dataclass(frozen=True, eq=False)
class HandOfThree:
    """Which decision and which terminal of a form each of the six decisions and 25 ends is."""

    nodes: tuple[int, ...]  # [6] NONE where a player has no choice, or never comes
    forced: np.ndarray  # [6] where a player has no choice: the probability of staying in; elsewhere NaN
    terminals: tuple[int, ...]  # [25] NONE for an end that cannot be reached

    @staticmethod
    def of(form: PushForm) -> HandOfThree:
        """The decisions and terminals of a form of three players."""
        numbers = {terminal.contenders: number for number, terminal in enumerate(form.terminals)}
        present = {seat for seats in numbers for seat in seats}  # the others have folded before
        nodes: dict[tuple[int, tuple[int, ...]], int] = {}
        for node in range(form.nodes):
            own = int(form.node_seat[node])
            chosen = {int(form.node_seat[above]): action for above, action in form.path_of(node)}
            before = (other for other in range(own) if chosen.get(other, PUSHES if other in present else FOLDS))
            nodes[own, tuple(before)] = node
        forced = np.full(DECISIONS, np.nan)
        for decision, (seat, facing) in enumerate(zip(DECIDER, FACING, strict=True)):
            comes = any(tuple(other for other in seats if other < seat) == facing for seats in numbers)
            if (seat, facing) not in nodes and (comes or seat not in form.node_seat):
                forced[decision] = float(seat in present)
        return HandOfThree(
            tuple(nodes.get(key, NONE) for key in zip(DECIDER, FACING, strict=True)),
            forced,
            tuple(numbers.get(seats, NONE) for seats, _ in ENDS),
        )

    @property
    def decides(self) -> np.ndarray:
        """Where nothing is forced: [6] bool."""
        return np.asarray(np.isnan(self.forced))

    def outcomes(self, form: PushForm) -> list[tuple[int, list[int]]]:
        """The terminal and the ranks of its contenders for each of the 25 ends.

        An end that cannot be reached, since a player cannot fold, is as if that player lost.
        """
        terminals = []
        for seats, ranks in ENDS:
            rank = dict(zip(seats, ranks, strict=True))
            wider = (number for number, one in enumerate(form.terminals) if set(seats) <= set(one.contenders))
            terminal = min(wider, key=lambda number: len(form.terminals[number].contenders), default=NONE)
            contenders = () if terminal == NONE else form.terminals[terminal].contenders
            terminals.append((terminal, [rank.get(seat, len(ENDS)) for seat in contenders]))
        return terminals

    def profile(self, pushes: np.ndarray) -> np.ndarray:
        """How often each hand stays in, [6, 169], given the probability of a push at each decision of the form."""
        forced = np.nan_to_num(self.forced)
        rows = [
            np.full(CLASS_COUNT, one) if node == NONE else pushes[node]
            for node, one in zip(self.nodes, forced, strict=True)
        ]
        return np.array(rows)

    def pushes(self, profile: np.ndarray) -> np.ndarray:
        """The reverse: [node, 169]."""
        order = [decision for decision in np.argsort(self.nodes).tolist() if self.nodes[decision] != NONE]
        return np.asarray(profile[order])


class JointEvaluator:
    """Evaluates strategies of a form of three players."""

    def __init__(self, form: PushForm) -> None:
        self.form = form
        self.hand = HandOfThree.of(form)
        utilities = [
            np.zeros(3) if terminal == NONE else form.utilities_of(terminal, np.array([ranks]))[0] - form.before
            for terminal, ranks in self.hand.outcomes(form)
        ]
        self.ends = np.array(utilities)  # [25, 3] relative to before the hand

    def _leads(self, profile: np.ndarray) -> np.ndarray:
        from pokerlab.tree.pushes._kernels.three import assess

        leads = np.empty((DECISIONS, CLASS_COUNT, len(ENDS)))
        assess(three_cards(), profile, leads)
        return leads

    def assess(self, pushes: np.ndarray, *, effort: float = 1.0) -> Assessment:
        """Evaluate the push probability at every decision for every class, [node, 169]; nothing is sampled."""
        form, profile = self.form, self.hand.profile(pushes)
        leads = self._leads(profile)
        actions, holds = self._actions(leads)
        for node in np.flatnonzero(holds.sum(1) == 0).tolist():  # what would be won there after any hands of others
            anything = pushes.copy()
            anything[[above for above, _ in form.path_of(node)]] = 0.5
            actions[node] = self._actions(self._leads(self.hand.profile(anything)))[0][node]
        chances = end_chances(profile[PUSH], leads[PUSH])
        advantage = actions[:, 1] - actions[:, 0]
        gain = holds * np.where(advantage > 0, advantage * (1 - pushes), -advantage * pushes)
        terminals = np.array(self.hand.terminals)
        members = np.array([terminals == number for number in range(len(form.terminals))])  # [terminal, end]
        own = members * chances
        totals = own.sum(1)
        shares = np.where(totals[:, None] > 0, own / np.maximum(totals, 1e-300)[:, None], members)
        return Assessment(
            actions=actions,
            holds=holds,
            node_chances=holds.sum(1),
            terminal_chances=totals,
            utilities=form.before + chances @ self.ends,
            gains=np.bincount(form.node_seat, weights=gain.sum(1), minlength=form.players),
            sampling_error=np.zeros(form.players),
            terminal_means=form.before + shares @ self.ends / shares.sum(1, keepdims=True),
        )

    def _actions(self, leads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The values of folding and pushing, [node, 2, 169], and how likely hands reach a decision: [node, 169]."""
        stays, form = staying_ends(), self.form
        actions, holds = np.empty((form.nodes, 2, CLASS_COUNT)), np.empty((form.nodes, CLASS_COUNT))
        for decision, node in enumerate(self.hand.nodes):
            if node != NONE:
                seat = DECIDER[decision]
                for action, ends in ((FOLDS, ~stays[decision]), (PUSHES, stays[decision])):
                    holds[node] = leads[decision][:, ends].sum(1)
                    gains = leads[decision][:, ends] @ self.ends[ends, seat]
                    actions[node, action] = form.before[seat] + gains / np.where(holds[node] > 0, holds[node], 1.0)
        return actions, holds

    def likelihood(self, pushes: np.ndarray, path: Sequence[tuple[int, int]], seat: int) -> np.ndarray:
        """The weight of each class of a seat after some actions of all seats: [169]."""
        acts = np.ones((3, CLASS_COUNT))
        for node, action in path:
            acts[self.form.node_seat[node]] = pushes[node] if action == PUSHES else 1 - pushes[node]
        one, other = (number for number in range(3) if number != seat)
        return np.asarray(acts[seat] * (three_deals() @ acts[one] @ acts[other]))


@cache
def three_deals() -> np.ndarray:
    """The probability that three players hold three classes: [169, 169, 169]."""
    deals: np.ndarray = np.asarray(three_cards().orders).sum(1, dtype=np.float64)
    return deals
