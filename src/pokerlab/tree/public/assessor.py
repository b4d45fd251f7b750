"""Values of strategies over a public tree to a player, hand by hand, and of a best response."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pokerlab.store import notify
from pokerlab.tree.measure import Measure
from pokerlab.tree.public._kernels import assess
from pokerlab.tree.public._kernels.memory import Portions, ResponseRequest
from pokerlab.tree.public.layout import BLOCK, PublicTree, slots_of
from pokerlab.tree.public.profiles import Sums
from pokerlab.tree.public.treeplex import LANES
from pokerlab.tree.public.walk import PlayerWalk, Tiles, Workspace
from pokerlab.tree.read_only import locked

DRIFT = 1e-4  # fraction of the largest payoff: values that should sum to zero are off by more than rounding beyond this


class Assessor(PlayerWalk):
    """Values strategies given as sums over steps (strategies are proportional to them), in float64."""

    def __init__(self, tree: PublicTree, *, threads: int = 1) -> None:
        super().__init__(tree, threads=threads)
        self.sums: Sums = []
        self.choice: list[np.ndarray] | None = None
        self.held: dict[tuple[int, int], np.ndarray] = {}  # by round and player: where hands are held to their strategy
        self.target = -1, -1  # round and board whose values of sequences are written to `values`
        self.values = np.zeros(LANES)

    def hold(self, number: int, player: int, places: np.ndarray) -> None:
        """From now on a best response follows the given strategy at these offsets of a round."""
        key = (number, player)
        if key not in self.held:
            self.held[key] = np.zeros(slots_of(self.tree.rounds[number], player), np.float32)
        self.held[key][places] = 1

    def measure(self, sums: Sums) -> Measure:
        """Value and best-response value of each player."""
        return measure_of(self.tree, [self.totals(sums, player) for player in (0, 1)])

    def totals(self, sums: Sums, player: int) -> tuple[float, float]:
        """(value of the strategies, value of a best response) to a player."""
        value, best = self.hands(sums, player)
        return self.mean(value), self.mean(best)

    def hands(self, sums: Sums, player: int, choice: list[np.ndarray] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The same by hand of the player's range, each times the weight of opposing hands.

        If `choice` is given ([round] of arrays like the player's sums), a best response is written to it.
        """
        self.sums, self.player, self.choice = sums, player, choice
        value, best = self.hand_values()
        return value, best

    def sequences(
        self, sums: Sums, player: int, *, number: int, board: int, root: int, reach: np.ndarray
    ) -> np.ndarray:
        """[hand, sequence] A player's value of every sequence on a board of a round, reached through one root.

        `reach` [hand] is the opponent's; values are for each own hand, times the weight of opposing hands, and
        0 for hands not on the board. Sequences that are not below the root have value 0.
        """
        level, other = self.tree.rounds[number], 1 - player
        plex, seat = level.treeplexes[player], level.hands[player]
        self.sums, self.player, self.choice = sums, player, None
        self.values, self.target = np.zeros(seat.rows * (plex.roots + plex.slots)), (number, board)
        above = self.tree.rounds[max(number - 1, 0)].hands
        tile = np.zeros((above[other].rows + 1, plex.roots))
        count = int(level.hands[other].count[board])
        tile[level.hands[other].above[board, :count], root] = reach[level.hands[other].hand[board, :count]]
        result = [np.zeros((above[player].rows + 1) * plex.roots) for _ in range(2)]
        if number == 0:
            self.walk([tile.reshape(-1)], result)
        else:
            self._below(number, board, board + 1, [tile.reshape(-1)], result, self.top)
        self.target = (-1, -1)
        blocks = self.values.reshape(-1, plex.roots + plex.slots, BLOCK)
        rows = blocks.transpose(0, 2, 1).reshape(seat.rows, -1)
        values = np.zeros((len(self.tree.hands), plex.roots + plex.slots))
        own = int(seat.count[board])
        values[seat.hand[board, :own]] = rows[:own]
        return values

    def boards(self, number: int, portions: Portions, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        assess.respond_in_portions(
            portions,
            space.facing[number][self.player],
            self._inquiry(number, int(portions.boards[0, 0])),
            locked(self.sums[number][1 - self.player]),
            space.best[number][self.player],
            *from_above,
            *to_above,
        )

    def _inquiry(self, number: int, board: int) -> ResponseRequest:
        """The outputs requested for the boards of a round, starting at `board`."""
        held = self.held.get((number, self.player))
        return ResponseRequest(
            sums=locked(self.sums[number][self.player]),
            held=_NOTHING if held is None else held,
            holding=held is not None,
            choice=_NOTHING if self.choice is None else self.choice[number],
            choosing=self.choice is not None,
            sequence_values=self.values,
            valuing=self.target == (number, board),
        )


def measure_of(tree: PublicTree, totals: Sequence[tuple[float, float]]) -> Measure:
    """The measure made of the value and the best-response value of each player."""
    values, best = (totals[0][0], totals[1][0]), (totals[0][1], totals[1][1])
    measure = Measure(values, best, zero_sum=tree.is_zero_sum)
    if measure.zero_sum and abs(sum(values)) > DRIFT * tree.max_abs_payoff:
        notify(
            f"suit-isomorphic hands of {tree.name} do not play the same: its values do not sum to zero, and "
            "exploitability is uncertain by as much"
        )
    return measure


_NOTHING = np.zeros(LANES, np.float32)
