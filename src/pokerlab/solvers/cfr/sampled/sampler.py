"""A Monte-Carlo variant as a value: what a walk does at chance, at its own player's infosets, and at the others'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.settings import number
from pokerlab.solvers.core.algorithm import Algorithm, Engine
from pokerlab.solvers.core.cfr_family import schedule_of
from pokerlab.solvers.core.plan_solver import ProfileSolver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.resources import CUDA, Resources
from pokerlab.tree.sequence import SequenceForm

if TYPE_CHECKING:
    from pokerlab.solvers.cfr.sampled._kernels import sampling as _sampling

AT_CHANCE = ("enumerate", "sample", "public")
AT_OWN = ("enumerate", "explore", "average", "pure")
AT_OTHERS = ("enumerate", "sample")
Exploration = Annotated[float, number(most=1, above=0)]  # a probability above zero
_STATE = ("regret", "current", "average", "seen", "logs")


@dataclass(frozen=True)
class Sampler:
    """What a walk does at each kind of node. An iteration is one walk of every player."""

    name: str
    chance: str = "sample"  # or "enumerate"; "public" samples public events and enumerates private deals
    own: str = "enumerate"  # or one action: "explore"; some: "average"; all, valued by one: "pure"
    others: str = "sample"
    exploration: float = 0.0  # of "explore": how often to play uniformly; of "average": the minimum probability
    bonus: float = 0.0  # of "average": added to the weight of every action
    threshold: float = 1.0  # of "average": an action with at least 1 / threshold of the weight is always tried
    pruning: float = 0.0  # times the largest payoff: actions with regret below minus that are mostly skipped; 0: none

    @property
    def record(self) -> _sampling.Sampling:
        """The settings as kernels read them."""
        from pokerlab.solvers.cfr.sampled._kernels.sampling import Sampling

        modes = AT_CHANCE.index(self.chance), AT_OWN.index(self.own), AT_OTHERS.index(self.others)
        return Sampling(*modes, float(self.exploration), float(self.bonus), float(self.threshold))


def sampled(sampler: Sampler, schedule: str, **settings: Any) -> Algorithm:
    """The algorithm that combines a sampler with a schedule, given by the name of its algorithm."""
    chosen = schedule_of(schedule, purpose="sample with")
    engines: dict[Any, Engine] = {}
    if not sampler.pruning:
        engines["sequence"] = lambda form, seed, resources: SampledSolver(form, sampler, chosen, seed=seed)
    engines["bucketed"] = on_buckets(sampler, chosen)
    if sampler.chance == "public":
        engines["bucketed", CUDA] = on_card(chosen)
    return Algorithm(sampler.name, engines, {"schedule": schedule} | settings, random=True)


def on_buckets(sampler: Sampler, schedule: Schedule) -> Engine:
    """The engine that combines a sampler with a schedule on the bucketed form."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.solvers.bucketed.sampled import BucketedSampled
        from pokerlab.solvers.bucketed.together import TrainingTogether

        if resources.backend:
            return TrainingTogether(form, sampler, schedule, seed=seed, resources=resources)
        return BucketedSampled(form, sampler, schedule, seed=seed, threads=resources.threads)

    return make


def on_card(schedule: Schedule, **settings: Any) -> Engine:
    """The engine of public chance sampling on a graphics card; with a `trunk`, of CFR-BR."""

    def make(form: Any, seed: int, resources: Resources) -> Any:
        from pokerlab.parallel import core_count
        from pokerlab.solvers.bucketed.cuda.solver import CudaBucketSolver
        from pokerlab.tree.machines import card

        return CudaBucketSolver(form, schedule, machine=card(), seed=seed, threads=core_count(), **settings)

    return make


def walkable(tree: HistoryTree, *, find_public: bool) -> _sampling.WalkTree:
    """Pack a tree for walks; detecting the public chance nodes costs a separate pass."""
    from pokerlab.solvers.cfr.sampled._kernels.sampling import CHANCE_CODE, END_CODE, WalkTree
    from pokerlab.tree._kernels.forms import mark_private

    at_chance = tree.actor == CHANCE
    nodes = np.empty((tree.nodes, 4), np.uint32)  # filled column by column: a large tree leaves no memory for copies
    nodes[:, 0] = tree.actor.view(np.uint8)
    nodes[at_chance, 0] = CHANCE_CODE
    nodes[tree.actor == TERMINAL, 0] = END_CODE
    nodes[:, 1], nodes[:, 2], nodes[:, 3] = tree.first_child, tree.child_count, tree.label.view(np.uint32)
    nodes[at_chance, 3] = _uniform(tree, np.flatnonzero(at_chance))
    private = np.zeros(tree.nodes, bool)
    if find_public:
        mark_private(tree.actor, tree.parent, tree.first_child, tree.child_count, tree.label, tree.infosets, private)
    start = tree.start.astype(np.uint32)
    return WalkTree(nodes, tree.probability, at_chance & ~private, tree.edge, tree.returns, start)


def most_visited(tree: _sampling.WalkTree, sampling: _sampling.Sampling) -> int:
    """The largest number of histories that a walk of any player can visit."""
    from pokerlab.solvers.cfr.sampled._kernels import sampling as kernels

    players = tree.returns.shape[1]
    return max(int(kernels.most_visited(np.uint32(player), sampling, tree)) for player in range(players))


def _uniform(tree: HistoryTree, nodes: np.ndarray) -> np.ndarray:
    """Whether the outcomes of each chance node are equally likely.  # [chance node] -> [chance node]"""
    if not len(nodes):
        return np.zeros(0, bool)
    firsts, counts = tree.first_child[nodes].astype(np.int64), tree.child_count[nodes].astype(np.int64)
    offsets = np.r_[0, np.cumsum(counts)[:-1]]
    children = np.repeat(firsts - offsets, counts) + np.arange(int(counts.sum()))
    spread = np.abs(tree.probability[children] * np.repeat(counts, counts) - 1.0)
    return np.asarray(np.maximum.reduceat(spread, offsets) < 1e-12)


def seed_word(seed: int) -> np.ndarray:
    """The random state of the kernels for a seed.  # [1] uint64"""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)


class SampledSolver(ProfileSolver):
    """Monte-Carlo CFR. Arrays by slot [A]: regret, current behaviour, and average, a sum of weighted behaviours."""

    def __init__(self, form: SequenceForm, sampler: Sampler, schedule: Schedule, *, seed: int) -> None:
        from pokerlab.solvers.cfr.sampled._kernels.sampling import WalkBuffers, WalkSums

        super().__init__(form)
        tree = form.tree
        self.sampler, self.schedule, self.nodes_touched = sampler, schedule, 0
        regret, average, delta = np.zeros((3, tree.slots))
        self.sums = WalkSums(regret, tree.uniform(), average, delta, np.zeros((tree.infosets, 2)), np.zeros(3))
        self.random = seed_word(seed)
        self._tree = walkable(tree, find_public=sampler.chance == "public")
        self._sampling = sampler.record
        most = most_visited(self._tree, self._sampling)
        self._buffers = WalkBuffers(
            queue=np.zeros((most, 4), np.int64),
            weights=np.zeros((most, 6)),
            touched=np.zeros(tree.infosets + 1, np.int32),
            mark=np.zeros(tree.infosets + 1, bool),
        )

    def advance(self, iterations: int) -> None:
        from pokerlab.solvers.cfr.sampled._kernels.learning import advance_sampled

        steps = self.schedule.table(self.iterations + 1, iterations)
        walked = self._sampling, self._tree, self._buffers, self.sums
        self.nodes_touched += int(advance_sampled(steps, self.schedule.alternating, *walked, self.random))
        self.iterations += iterations

    def result(self) -> np.ndarray:
        """The average strategy; uniform at infosets never visited.  # [A]"""
        return self.game.normalize(self.sums.average)

    def own_arrays(self) -> dict[str, np.ndarray]:
        return {name: getattr(self.sums, name) for name in _STATE} | {"random": self.random}
