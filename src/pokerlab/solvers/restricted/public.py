"""The public form as oracles see it: hands on boards are infosets of two treeplexes, and a walk gathers payoffs.

Hands that differ by names of suits alone share their infosets wherever a board stands for several (tree/public/alike).
"""

from __future__ import annotations

import numpy as np

from pokerlab.solvers.public._kernels.memory import Portions
from pokerlab.solvers.public.assessor import Assessor
from pokerlab.solvers.public.walk import Walk, Workspace
from pokerlab.solvers.restricted.fields import Field, Plex
from pokerlab.solvers.run import Measure
from pokerlab.solvers.units import middle_power
from pokerlab.tree.public.alike import alike_rows
from pokerlab.tree.public.layout import BLOCK, LANES, PublicRound, PublicTree, slots_of


class Gathering(Walk):
    """What a player's actions win where betting ends, against sums that the other's play is in proportion to."""

    def __init__(self, tree: PublicTree, *, threads: int) -> None:
        super().__init__(tree, dtype=np.float64, threads=threads)
        self.player = 0
        self.sums: list[np.ndarray] = []  # [round] of the opponent
        self.gains: list[np.ndarray] = []  # [round] of the player, [board, block, slot, BLOCK], flat
        self.carried = (0,)

    def gather(self, player: int, sums: list[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """The gains of a player's actions, and by hand of his range what is won without any."""
        self.player, self.sums = player, sums
        self.gains = [np.zeros(slots_of(level, player)) for level in self.tree.rounds]
        result = [np.zeros_like(self.roots[player]) for _ in range(2)]
        self.walk([self.roots[1 - player]], result)
        return self.gains, result[0].reshape(-1, LANES)[: int((self.tree.weights[player] > 0).sum()), 0]

    def deals(self, number: int, space: Workspace) -> list[np.ndarray]:
        return [space.sides[number][1 - self.player].tiles.deals]

    def worth(self, number: int, space: Workspace) -> list[np.ndarray]:
        return [space.sides[number][self.player].tiles.worth, space.best[number][self.player].worth]

    def descend(self, number: int, board: int, from_above: list[np.ndarray], space: Workspace) -> None:
        from pokerlab.solvers.public._kernels import reach

        side, sums = space.sides[number][1 - self.player], self.sums[number]
        reach.descend(side, space.levels[number], board, sums, sums, 0.0, from_above[0], space.scratch[number])

    def ascend(
        self, number: int, board: int, from_above: list[np.ndarray], to_above: list[np.ndarray], space: Workspace
    ) -> None:
        from pokerlab.solvers.restricted._kernels import gather

        gather(space.facing[number][self.player], board, self.gains[number], to_above[0])

    def boards(
        self,
        number: int,
        portions: Portions,
        from_above: list[np.ndarray],
        to_above: list[np.ndarray],
        space: Workspace,
    ) -> None:
        from pokerlab.solvers.restricted._kernels import gather_portions

        facing = space.facing[number][self.player]
        gather_portions(portions, facing, self.sums[number], self.gains[number], from_above[0], to_above[0])


class PublicField(Field):
    """Plans over hands that share no infoset, and where their numbers lie in arrays of the public form."""

    def __init__(self, tree: PublicTree, *, threads: int = 1) -> None:
        self.form: PublicTree = tree
        self.nodes = round(tree.size.nodes)
        self.unit = middle_power(np.array([tree.stakes]))
        self._gathering, self._assessor = Gathering(tree, threads=threads), Assessor(tree, threads=threads)
        laid = [_Laying(tree, player) for player in (0, 1)]
        self.plexes = (laid[0].plex(), laid[1].plex())
        self._places = [one.places for one in laid]  # [player][round]: of stored numbers in a plan
        self._weights = [one.weights for one in laid]

    def against(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against a plan of the other."""
        gains, without = self._gathering.gather(player, [plan[places] for places in self._places[1 - player]])
        size = self.plexes[player].sequences
        found = np.zeros(size)
        for places, weights, gained in zip(self._places[player], self._weights[player], gains, strict=True):
            found += np.bincount(places, gained * weights, minlength=size)
        live = self.form.weights[player][self.form.weights[player] > 0]
        found[0] = float(live @ without) / self.form.pairs
        return found / self.unit

    def answer(self, plan: np.ndarray) -> dict[str, np.ndarray]:
        """Plans [S] as sums that play is in proportion to."""
        found = {}
        for player in (0, 1):
            own = self.of(player, plan)
            for number, places in enumerate(self._places[player]):
                found[f"average_{number}_{player}"] = own[places].astype(np.float32)
        return found

    kept = answer

    def measure(self, plan: np.ndarray) -> Measure:
        """Value and best responses of what is answered."""
        told = self.answer(plan)
        numbers = range(len(self.form.rounds))
        return self._assessor.measure([[told[f"average_{number}_{player}"] for player in (0, 1)] for number in numbers])


class _Laying:
    """A player's hands on all boards as one treeplex: infosets round by round, board by board, hand by hand."""

    def __init__(self, tree: PublicTree, player: int) -> None:
        self.tree, self.player = tree, player
        self.places: list[np.ndarray] = []  # [round] of [board, block, slot, BLOCK], flat: the sequence of each number
        self.weights: list[np.ndarray] = []  # the same: how likely hand and board are, for one unit of what is gained
        self._starts: list[np.ndarray] = [np.ones(1, np.int64)]
        self._parents: list[np.ndarray] = []
        roots = np.zeros((1, tree.rounds[0].hands[player].rows, tree.rounds[0].treeplexes[player].roots), np.int64)
        first, likely = 1, np.ones(1)
        for number, (level, alike) in enumerate(zip(tree.rounds, alike_rows(tree, player), strict=True)):
            if number:
                likely = likely[level.parent] * level.chance * np.diff(level.image_start)
            slots = self._lay(level, alike, roots, first)
            self._weigh(level, likely)
            first = int(self._starts[-1][-1]) if len(self._starts[-1]) else first
            if number + 1 < len(tree.rounds):
                roots = self._roots(tree.rounds[number + 1], np.concatenate([roots, slots], axis=2), level)

    def _lay(self, level: PublicRound, alike: np.ndarray, roots: np.ndarray, first: int) -> np.ndarray:
        """Number the sequences of a round, from `first` on.  # [board, row, slot]; 0 where no hand is"""
        plex, hands = level.treeplexes[self.player], level.hands[self.player]
        present = np.arange(hands.rows) < hands.count[:, None]  # [board, row]
        own = present & (alike == np.arange(hands.rows))
        order = np.cumsum(own.reshape(-1)).reshape(own.shape) - 1
        base = first + np.take_along_axis(order, alike, axis=1) * plex.slots  # of the first hand alike
        slots = np.where(present[:, :, None], base[:, :, None] + np.arange(plex.slots), 0)
        known = np.concatenate([roots, slots], axis=2)[own]  # [hand, sequence of the round]
        self._parents.append(known[:, plex.node_sequence].reshape(-1))
        ends = plex.node_slot.astype(np.int64) + plex.node_actions
        self._starts.append((base[own][:, None] + ends).reshape(-1))
        shape = len(level.boards), hands.rows // BLOCK, BLOCK, plex.slots
        self.places.append(slots.reshape(shape).transpose(0, 1, 3, 2).reshape(-1))
        return slots

    def _weigh(self, level: PublicRound, likely: np.ndarray) -> None:
        hands, slots = level.hands[self.player], level.treeplexes[self.player].slots
        present = np.arange(hands.rows) < hands.count[:, None]
        weight = self.tree.weights[self.player][np.maximum(hands.hand, 0)] * present * likely[:, None] / self.tree.pairs
        blocks = weight.reshape(len(level.boards), -1, 1, BLOCK)
        self.weights.append(np.repeat(blocks, slots, axis=2).reshape(-1))

    def _roots(self, level: PublicRound, known: np.ndarray, above: PublicRound) -> np.ndarray:
        """The sequences that lead to the roots of the next round.  # [board, row, root]"""
        hands, deals = level.hands[self.player], above.treeplexes[self.player].deal_sequence
        row = np.minimum(hands.above.astype(np.int64), known.shape[1] - 1)  # any, where no hand is
        return np.asarray(known[level.parent[:, None], row][:, :, deals])

    def plex(self) -> Plex:
        """All of it."""
        return Plex(np.concatenate(self._starts), np.concatenate(self._parents))
