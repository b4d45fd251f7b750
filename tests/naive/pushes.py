"""Plain twins of the kernels of all-ins of several players, and a game of three over the joint deal of three hands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from pokerlab.cards.combos import CLASS_COMBOS, COMBOS
from pokerlab.cards.multiway import ORDERS, MultiwayTable, triple_index


def orders_on(strengths: np.ndarray, classes: tuple[int, int, int]) -> np.ndarray:
    """How often three hands of three classes come in each order, on boards with these strengths [board, 1326]."""
    counts = np.zeros(len(ORDERS), np.int64)
    for one in CLASS_COMBOS[classes[0]]:
        for two in CLASS_COMBOS[classes[1]]:
            for three in CLASS_COMBOS[classes[2]]:
                hands = [one, two, three]
                if len(set(COMBOS[hands].ravel().tolist())) < 6:
                    continue
                for row in strengths[:, hands].tolist():
                    if all(row):
                        places = tuple(sorted(set(row)).index(strength) for strength in row)
                        counts[ORDERS.index(places)] += 1
    return counts


def prizes(stacks: list[float], before: list[float], payouts: list[float]) -> list[float]:
    """Expected prizes by every order in which the players can finish."""
    alive = [player for player, stack in enumerate(stacks) if stack > 0]
    out = [player for player, stack in enumerate(stacks) if stack <= 0]
    values = [0.0] * len(stacks)
    for order in permutations(alive):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / left if left > 0 else 1.0
            left -= stacks[player]
        for place, player in enumerate(order):
            values[player] += chance * payouts[place]
    for player in out:
        equal = [other for other in out if before[other] == before[player]]
        first = len(alive) + sum(before[other] > before[player] for other in out)
        values[player] = sum(payouts[first : first + len(equal)]) / len(equal)
    return values


class ThreePlayers:
    """Three players over the exact joint deal: chances of orders of all three, folded hands included.

    Decisions: 0 the first seat; 1, 2 the second after a fold and a push; 3, 4, 5 the third after (fold, push),
    (push, fold) and (push, push). `values[end]` is what each seat gets by the order of those who are in.
    """

    ends = ("ff", "fpf", "fpp", "pff", "pfp", "ppf", "ppp")
    inside = ((2,), (1,), (1, 2), (0,), (0, 2), (0, 1), (0, 1, 2))

    def __init__(self, table: MultiwayTable, values: list[np.ndarray]) -> None:
        self.table, self.values = table, values

    def _cells(self, first: int) -> tuple[np.ndarray, np.ndarray]:
        """For a class of the first seat, by those of the others: ways to hold them, and chances of orders by seat."""
        second, third = np.indices((169, 169))
        held = np.stack([np.full_like(second, first), second, third])
        index = triple_index(*held)
        sorting = np.argsort(held, axis=0, kind="stable")  # [place when sorted] -> seat
        chances = np.zeros((len(ORDERS), 169, 169))
        found = self.table.chances[index]
        for seats in permutations(range(3)):
            cells = (sorting == np.array(seats)[:, None, None]).all(0)
            for number, places in enumerate(ORDERS):
                by_seat = [0, 0, 0]
                for place, seat in enumerate(seats):
                    by_seat[seat] = places[place]
                chances[ORDERS.index(tuple(by_seat)), cells] += found[..., number][cells]
        return self.table.hands[index].astype(float), chances

    def _worth(self, end: int, chances: np.ndarray, seat: int) -> np.ndarray | float:
        inside, values = self.inside[end], self.values[end]
        if len(inside) == 1:
            return float(values[0, seat])
        if len(inside) == 3:
            return np.tensordot(values[:, seat], chances, 1)
        one, two = inside
        won = sum(chances[number] for number, places in enumerate(ORDERS) if places[one] < places[two])
        lost = sum(chances[number] for number, places in enumerate(ORDERS) if places[one] > places[two])
        return won * values[0, seat] + lost * values[1, seat] + (1 - won - lost) * values[2, seat]

    def assess(
        self, pushes: np.ndarray, firsts: Sequence[int] = range(169)
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Utilities [seat]; action values [decision, 2, 169] and the chance of each class there [decision, 169].

        With only some classes of the first seat, what its own actions are worth with these is found alone.
        """
        utilities, total = np.zeros(3), 0.0
        actions, weights = np.zeros((6, 2, 169)), np.zeros((6, 169))
        for first in firsts:
            ways, chances = self._cells(first)
            total += ways.sum()
            s0 = pushes[0, first]
            s1, s2 = pushes[1][:, None], pushes[2][:, None]
            s3, s4, s5 = (pushes[node][None, :] for node in (3, 4, 5))
            worth = [[self._worth(end, chances, seat) for seat in range(3)] for end in range(7)]

            def second(seat: int, after: int, worth=worth, s3=s3, s4=s4, s5=s5):  # type: ignore[no-untyped-def]
                """What folding and pushing of the second seat are worth to a seat."""
                one = [end[seat] for end in worth]
                if after == 0:
                    return one[0] + 0 * s3, (1 - s3) * one[1] + s3 * one[2]
                return (1 - s4) * one[3] + s4 * one[4], (1 - s5) * one[5] + s5 * one[6]

            for seat in range(3):
                folded, pushed = second(seat, 0)
                after_fold = (1 - s1) * folded + s1 * pushed
                folded, pushed = second(seat, 1)
                after_push = (1 - s2) * folded + s2 * pushed
                utilities[seat] += (ways * ((1 - s0) * after_fold + s0 * after_push)).sum()
                if seat == 0:
                    actions[0, :, first] = (ways * after_fold).sum(), (ways * after_push).sum()
                    actions[0, :, first] /= ways.sum()
                    weights[0, first] = ways.sum()
            for node, reach in ((1, 1 - s0), (2, s0)):
                for action, value in enumerate(second(1, node - 1)):
                    actions[node, action] += reach * (ways * value).sum(1)
                weights[node] += reach * ways.sum(1)
            for node, reach, ends in ((3, (1 - s0) * s1, (1, 2)), (4, s0 * (1 - s2), (3, 4)), (5, s0 * s2, (5, 6))):
                for action, end in enumerate(ends):
                    actions[node, action] += (ways * reach * worth[end][2]).sum(0)
                weights[node] += (ways * reach).sum(0)
        actions[1:] /= np.maximum(weights[1:], 1e-300)[:, None, :]
        return utilities / total, actions, weights / total


def disjoint_triples(classes: tuple[int, int, int]) -> int:
    """How many hands of three classes share no card."""
    count = 0
    for one in CLASS_COMBOS[classes[0]]:
        for two in CLASS_COMBOS[classes[1]]:
            for three in CLASS_COMBOS[classes[2]]:
                cards = [set(COMBOS[hand].tolist()) for hand in (one, two, three)]
                count += not any(a & b for a, b in combinations(cards, 2))
    return count
