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
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.profiles import parts
from pokerlab.tree.public.walk import Tiles, Walk, Workspace
from pokerlab.tree.resources import aligned

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
        self._free_assessor: Assessor | None = None  # of the player who is not held

    def measure(self) -> Measure:
        """How far the averages are from equilibrium; the held player responds only with their free part."""
        held, whole, average = self.restriction.player, self.restriction.whole, self.average
        model = [list(pair) for pair in average]
        for pair, of_model in zip(model, parts(self.tree, self.restriction.model), strict=True):
            pair[held] = of_model[held]
        if self._free_assessor is None:
            self._free_assessor = self.assessor
            if not self.restriction.by_infoset:
                self._free_assessor = MixtureAssessor(self.tree, self.restriction, threads=self.threads)
            else:
                shares = parts(self.tree, self.restriction.held)
                self.assessor.held = {(number, held): pair[held] for number, pair in enumerate(shares)}
        by_model, free_best = self.assessor.totals(model, held)
        value, best = self._free_assessor.totals(average, 1 - held)
        values, responses = (-value, value), (whole * by_model + (1.0 - whole) * free_best, best)
        if held == 1:
            values, responses = values[::-1], responses[::-1]
        return Measure(values, responses, zero_sum=True)

    def deals(self, number: int, space: Workspace) -> Tiles:
        return [*super().deals(number, space), self.hold(number, space).deals]

    def hold(self, number: int, space: Workspace) -> kernels.ModelConstraint:
        return self._holds[id(space)][number]


class MixtureAssessor(Assessor):
    """Values strategies of a player whose opponent is either held to a model for the whole game or free."""

    def __init__(self, tree: PublicTree, restriction: Restriction, *, threads: int = 1) -> None:
        super().__init__(tree, threads=threads)
        self._holds = _holds(self, restriction, np.float64)

    def walk(self, from_above: Tiles, to_above: Tiles) -> None:
        super().walk([*from_above, *from_above], to_above)  # the model starts where the free part does

    def deals(self, number: int, space: Workspace) -> Tiles:
        return [*super().deals(number, space), self._holds[id(space)][number].deals]

    def boards(self, number: int, portions: Portions, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        kernels.respond_held_in_portions(
            portions,
            space.facing[number][self.player],
            self._inquiry(number, int(portions.boards[0, 0])),
            self.sums[number][1 - self.player],
            space.best[number][self.player],
            tuple(from_above),
            *to_above,
            self._holds[id(space)][number],
        )


def _holds(walk: Walk, restriction: Restriction, dtype: Any) -> dict[int, list[kernels.ModelConstraint]]:
    """A restriction as kernels read it, round by round, per workspace (each thread has its own)."""
    player, by_infoset = restriction.player, restriction.by_infoset
    model = parts(walk.tree, restriction.model)
    shares = parts(walk.tree, restriction.held) if by_infoset else []
    return {
        id(space): [
            kernels.ModelConstraint(
                player=player,
                whole=float(restriction.whole),
                by_infoset=by_infoset,
                model=model[number][player],
                held=shares[number][player] if by_infoset else _NOTHING,
                reach=aligned((side.plex.roots + side.plex.slots) * BLOCK, dtype),
                deals=aligned(len(side.tiles.deals), dtype),
                mixed=aligned(side.plex.slots * BLOCK, dtype),
            )
            for number, side in enumerate(pair[player] for pair in space.sides)
        ]
        for space in (walk.top, *walk.spaces)
    }
