"""Scheduled CFR over a public tree in which one player is held to a strategy, and its measures.

The same games as in solver.py, with the same walk: every hand at every node of every board, each step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pokerlab.solvers.analysis.restriction import Restriction
from pokerlab.solvers.cfr.public._kernels import restricted as kernels
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.measure import Measure
from pokerlab.tree.public._kernels.memory import Portions
from pokerlab.tree.public.assessor import Assessor, Sums
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.profiles import joined, parts
from pokerlab.tree.public.walk import Walk, Workspace, aligned

_NOTHING = np.zeros(BLOCK, np.float32)


class RestrictedPublicSolver(PublicSolver):
    """CFR with a schedule; all its results, including its measure, refer to the restricted game.

    If held for the whole game, the held player's average covers their free play only; if held by infoset, it
    includes the play that they are held to.
    """

    def __init__(self, tree: PublicTree, schedule: Schedule, restriction: Restriction, *, threads: int = 1) -> None:
        super().__init__(tree, schedule, threads=threads)
        self.restriction = restriction
        self.roots.append(self.roots[restriction.player])
        self._holds = _holds(self, restriction, np.float32)
        self._restricted: RestrictedAssessor | None = None

    def profile(self) -> np.ndarray:
        """The averages, as sums that strategies are proportional to.  # [A]"""
        return joined(self.average)

    def measure(self) -> Measure:
        """How far the averages are from an equilibrium of the restricted game."""
        if self._restricted is None:
            self._restricted = RestrictedAssessor(self.tree, self.restriction, threads=self.threads)
        return self._restricted.measure(self.average)

    def deals(self, number: int, space: Workspace) -> list[np.ndarray]:
        return [*super().deals(number, space), self.hold(number, space).deals]

    def hold(self, number: int, space: Workspace) -> kernels.Hold:
        return self._holds[id(space)][number]


class RestrictedAssessor(Assessor):
    """Values strategies in the restricted game, in the format of the averages of `RestrictedPublicSolver`."""

    def __init__(self, tree: PublicTree, restriction: Restriction, *, threads: int = 1) -> None:
        super().__init__(tree, threads=threads)
        self.restriction = restriction
        self._model = parts(tree, restriction.model)
        self._holds = _holds(self, restriction, np.float64)
        self._mixing = False  # whether the opponent is a mixture of held and free

    def measure(self, sums: Sums) -> Measure:
        """Value and best-response value of each player; the held player responds only with their free part."""
        held, whole = self.restriction.player, self.restriction.whole
        model = [
            [self._model[number][held] if player == held else pair[player] for player in (0, 1)]
            for number, pair in enumerate(sums)
        ]
        by_model, best_of_held = self._held_totals(model)
        value, best = self._free_totals(sums)
        best_of_held = whole * by_model + (1.0 - whole) * best_of_held
        values, answers = (-value, value), (best_of_held, best)
        return Measure(values if held == 0 else values[::-1], answers if held == 0 else answers[::-1], zero_sum=True)

    def _held_totals(self, model: Sums) -> tuple[float, float]:
        """What the held player wins with the model, and with the best response of their free part."""
        held = self.restriction.player
        if self._holds[id(self.top)][0].by_infoset:
            shares = parts(self.tree, self.restriction.held)
            self.held = {(number, held): pair[held] for number, pair in enumerate(shares)}
        found = self.totals(model, held)
        self.held = {}
        return found

    def _free_totals(self, sums: Sums) -> tuple[float, float]:
        self._mixing = not self._holds[id(self.top)][0].by_infoset
        found = self.totals(sums, 1 - self.restriction.player)
        self._mixing = False
        return found

    def walk(self, from_above: list[np.ndarray], to_above: list[np.ndarray]) -> None:
        """Walk the whole tree once; the model starts where the free part of the held player does."""
        super().walk([*from_above, *from_above] if self._mixing else from_above, to_above)

    def deals(self, number: int, space: Workspace) -> list[np.ndarray]:
        found = super().deals(number, space)
        return [*found, self._holds[id(space)][number].deals] if self._mixing else found

    def descend(self, number: int, board: int, from_above: list[np.ndarray], space: Workspace) -> None:
        if not self._mixing:
            super().descend(number, board, from_above, space)
            return
        other = 1 - self.player
        sums, side = self.sums[number][other], space.sides[number][other]
        hold, level, scratch = self._holds[id(space)][number], space.levels[number], space.scratch[number]
        both = from_above[0], from_above[1]
        kernels.descend_whole(side, level, board, sums, sums, 0.0, both, hold, scratch)

    def boards(
        self,
        number: int,
        portions: Portions,
        from_above: list[np.ndarray],
        to_above: list[np.ndarray],
        space: Workspace,
    ) -> None:
        if not self._mixing:
            super().boards(number, portions, from_above, to_above, space)
            return
        kernels.answer_held_portions(
            portions,
            space.facing[number][self.player],
            self._inquiry(number, int(portions.boards[0, 0])),
            self.sums[number][1 - self.player],
            space.best[number][self.player],
            (from_above[0], from_above[1]),
            *to_above,
            self._holds[id(space)][number],
        )


def _holds(walk: Walk, restriction: Restriction, dtype: Any) -> dict[int, list[kernels.Hold]]:
    """A restriction as kernels read it, round by round, per workspace (each thread has its own)."""
    tree, player = walk.tree, restriction.player
    model = parts(tree, restriction.model)
    by_infoset = bool(len(restriction.held)) and not restriction.is_complete
    held = parts(tree, restriction.held) if by_infoset else []
    found = {}
    for space in (walk.top, *walk.spaces):
        found[id(space)] = [
            kernels.Hold(
                player=player,
                whole=float(restriction.whole),
                by_infoset=by_infoset,
                model=model[number][player],
                held=held[number][player] if by_infoset else _NOTHING,
                reach=aligned((side.plex.roots + side.plex.slots) * BLOCK, dtype),
                deals=aligned(len(side.tiles.deals), dtype),
                mixed=aligned(side.plex.slots * BLOCK, dtype),
            )
            for number, side in enumerate(pair[player] for pair in space.sides)
        ]
    return found
