"""Pure CFR: every player, including the traverser, samples one action per infoset, so values come from single playouts.

Gibson, "Regret minimization in games and the development of champion multiplayer computer poker-playing agents", 2014.
If payoffs are integers (in some unit), regrets and averages are integers too, as in the paper; with a schedule other
than plain CFR, with other payoffs, or for a single player, they are floats.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.settings import Text, checked
from pokerlab.solvers.cfr.sampled.sampler import SampledSolver, Sampler, most_visited, on_buckets, seed_word, walkable
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.solvers.core.run import Solver
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.resources import Resources
from pokerlab.tree.sequence import SequenceForm
from pokerlab.tree.units import whole_payoffs

SAMPLER = Sampler("pure", own="pure")


@checked
def algorithm(*, schedule: Text = "cfr") -> Algorithm:
    """Pure CFR, with integer arithmetic if the schedule and the payoffs allow it."""
    chosen = schedule_of(schedule, purpose="sample with")

    def make(form: SequenceForm, seed: int, resources: Resources) -> Solver:
        plain = schedule == "cfr" and form.players > 1  # averages are updated in the other players' traversals
        whole = whole_payoffs(form.tree.returns) if plain else None
        if whole is None:
            return SampledSolver(form, SAMPLER, chosen, seed=seed)
        return PureSolver(form, *whole, seed=seed)

    engines = {"sequence": make, "bucketed": on_buckets(SAMPLER, chosen)}
    return Algorithm("pure", engines, {"schedule": schedule}, random=True)


class PureSolver(ProfileSolver):
    """Pure CFR in integers. By slot [A]: regret, and how often each action was sampled."""

    def __init__(self, form: SequenceForm, payoff: np.ndarray, unit: float, *, seed: int) -> None:
        from pokerlab.solvers.cfr.sampled._kernels.pure import PureBuffers, PureTree

        super().__init__(form)
        self.tree, self.unit, self.nodes_touched = form.tree, unit, 0
        tree = form.tree
        self.random = seed_word(seed)
        walked = walkable(tree, find_public=False)
        most = most_visited(walked, SAMPLER.record)
        nodes, chances = _packed(tree, walked.nodes, payoff)
        slots = tree.slots + len(chances) + 2
        regret, count = np.zeros((2, slots), np.int64)
        threshold = np.full(slots, 2**32 - 1, np.uint32)
        threshold[tree.slots : -2] = chances
        self._tree = PureTree(nodes, threshold, regret, count)
        self._buffers = PureBuffers(np.zeros((most, 3), np.uint32), np.zeros(most + 1, np.int64))
        self._renew()

    def _renew(self) -> None:
        from pokerlab.solvers.cfr.sampled._kernels.pure import match_all

        match_all(self.tree.start, self._tree)

    def advance(self, iterations: int) -> None:
        from pokerlab.solvers.cfr.sampled._kernels.pure import advance_pure

        self.nodes_touched += int(advance_pure(iterations, self.tree.players, self._tree, self._buffers, self.random))
        self.iterations += iterations

    def result(self) -> np.ndarray:
        """How often each action was sampled at its infoset; uniform at infosets never visited.  # [A]"""
        return self.game.normalize(self._tree.count[: self.tree.slots])

    def own_arrays(self) -> dict[str, np.ndarray]:
        learned = {"regret": self._tree.regret[: self.tree.slots], "count": self._tree.count[: self.tree.slots]}
        return learned | {"random": self.random, "unit": np.array([self.unit])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Restore a state returned by `arrays`; ValueError if its regrets are in another unit."""
        if float(arrays["unit"][0]) != self.unit:
            raise ValueError(f"regrets in units of {float(arrays['unit'][0])}, not of {self.unit}")
        super().restore(arrays)
        self._renew()


def _packed(tree: HistoryTree, nodes: np.ndarray, payoff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nodes as the kernel reads them, and thresholds of non-uniform chance.  # [N, max(4, 1 + P)], [outcome]"""
    from pokerlab.solvers.cfr.sampled._kernels.pure import UNIFORM_CODE
    from pokerlab.solvers.cfr.sampled._kernels.sampling import UNIFORM

    packed = np.zeros((tree.nodes, max(4, 1 + tree.players)), np.uint32)
    packed[:, :4] = nodes
    acting, ended, dealing = tree.actor >= 0, tree.actor == TERMINAL, tree.actor == CHANCE
    packed[acting, 3] = tree.start[tree.label[acting]]
    packed[ended, 1 : 1 + tree.players] = payoff[tree.label[ended]].astype(np.int32).view(np.uint32)
    packed[dealing & (nodes[:, 3] == UNIFORM), 0] = UNIFORM_CODE
    thresholds: list[np.ndarray] = []
    slot = tree.slots
    for node in np.flatnonzero(dealing & (nodes[:, 3] != UNIFORM)):
        first, count = int(tree.first_child[node]), int(tree.child_count[node])
        sums = np.cumsum(tree.probability[first : first + count])
        thresholds.append(np.minimum(np.append(sums[:-1], 1.0) * 2**32, 2**32 - 1).astype(np.uint32))
        packed[node, 3] = slot
        slot += count
    return packed, np.concatenate(thresholds) if thresholds else np.zeros(0, np.uint32)
