"""A Monte-Carlo variant as a value: what a walk does at chance, at its own player's infosets, and at the others'."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.solvers.algorithm import Algorithm
from pokerlab.solvers.measure import measure
from pokerlab.solvers.run import Measure, Profiled
from pokerlab.solvers.schedule import Schedule
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.sequence import SequenceForm

AT_CHANCE = ("enumerate", "sample", "public")
AT_OWN = ("enumerate", "explore", "average", "pure")
AT_OTHERS = ("enumerate", "sample")


@dataclass(frozen=True)
class Sampler:
    """What a walk does at each kind of node. An iteration is one walk of every player."""

    name: str
    chance: str = "sample"  # or "enumerate"; "public" samples what all see and enumerates what is dealt in private
    own: str = "enumerate"  # or one action: "explore"; some: "average"; all, valued by one: "pure"
    others: str = "sample"
    exploration: float = 0.0  # of "explore": how often any action; of "average": the least probability
    bonus: float = 0.0  # of "average": added to the weight of every action
    threshold: float = 1.0  # of "average": the share beyond one in this many is always tried

    @property
    def modes(self) -> np.ndarray:
        """As kernels read it.  # [3]"""
        return np.array([AT_CHANCE.index(self.chance), AT_OWN.index(self.own), AT_OTHERS.index(self.others)])


def sampled(sampler: Sampler, schedule: str, **settings: Any) -> Algorithm:
    """The algorithm that crosses a sampler with a schedule, given by the name of its algorithm."""
    chosen = registry.load("algorithms", schedule).schedule if isinstance(schedule, str) else None
    if chosen is None:
        raise BadSetting(f"{schedule!r} has no schedule to sample with; choose cfr, cfr+, linear-cfr, dcfr or pcfr+")
    return Algorithm(
        sampler.name,
        {"sequence": lambda form, seed, resources: SampledSolver(form, sampler, chosen, seed=seed)},
        {"schedule": schedule} | settings,
        chosen,
        random=True,
    )


@dataclass(frozen=True)
class Walkable:
    """A tree as walks read it."""

    nodes: np.ndarray  # [N, 4] uint32: actor, first child, number of children, label (see _kernels/sampling.py)
    public: np.ndarray  # [N] bool: chance nodes whose outcome everybody sees
    start: np.ndarray  # [I + 1] uint32


def walkable(tree: HistoryTree, *, find_public: bool) -> Walkable:
    """Pack a tree for walks; finding the public chance nodes costs a pass of its own."""
    from pokerlab.solvers.sampled._kernels.sampling import CHANCE_CODE, END_CODE
    from pokerlab.tree._kernels.forms import mark_private

    actor = tree.actor.astype(np.int64)
    at_chance = tree.actor == CHANCE
    even = np.zeros(tree.nodes, bool)
    even[at_chance] = _even(tree, np.flatnonzero(at_chance))
    codes = np.where(at_chance, int(CHANCE_CODE), np.where(tree.actor == TERMINAL, int(END_CODE), actor))
    labels = np.where(at_chance, even, tree.label)
    nodes = np.column_stack([codes, tree.first_child, tree.child_count, labels]).astype(np.uint32)
    private = np.zeros(tree.nodes, bool)
    if find_public:
        mark_private(tree.actor, tree.parent, tree.first_child, tree.child_count, tree.label, tree.infosets, private)
    return Walkable(nodes, at_chance & ~private, tree.start.astype(np.uint32))


def _even(tree: HistoryTree, nodes: np.ndarray) -> np.ndarray:
    """Whether the outcomes of each chance node are equally likely.  # [chance node] -> [chance node]"""
    if not len(nodes):
        return np.zeros(0, bool)
    firsts, counts = tree.first_child[nodes].astype(np.int64), tree.child_count[nodes].astype(np.int64)
    offsets = np.r_[0, np.cumsum(counts)[:-1]]
    children = np.repeat(firsts - offsets, counts) + np.arange(int(counts.sum()))
    spread = np.abs(tree.probability[children] * np.repeat(counts, counts) - 1.0)
    return np.asarray(np.maximum.reduceat(spread, offsets) < 1e-12)


def seed_word(seed: int) -> np.ndarray:
    """The state of the kernels' random numbers for a seed.  # [1] uint64"""
    return np.random.SeedSequence(seed).generate_state(1, np.uint64)


class SampledSolver(Profiled):
    """Monte-Carlo CFR. Arrays by slot [A]: regret, current behaviour, and average, a sum of weighted behaviours."""

    def __init__(self, form: SequenceForm, sampler: Sampler, schedule: Schedule, *, seed: int) -> None:
        from pokerlab.solvers.sampled._kernels.sampling import most_visited

        tree = form.tree
        self.form, self.sampler, self.schedule = form, sampler, schedule
        self.iterations = 0
        self.nodes_touched = 0
        self.current = tree.uniform()
        self.regret, self.average, self._delta = np.zeros((3, tree.slots))
        self.seen = np.zeros((tree.infosets, 2))  # how far the logs were at each infoset's last update
        self.logs = np.zeros(3)  # of what is kept of positive and negative regret, and of the average
        self.random = seed_word(seed)
        self._tree = walkable(tree, find_public=sampler.chance == "public")
        self._modes = sampler.modes
        most = max(
            int(most_visited(np.uint32(player), self._modes, self._tree.nodes, self._tree.public))
            for player in range(tree.players)
        )
        self._queue = np.zeros((most, 4), np.int64)
        self._weights = np.zeros((most, 6))
        self._touched = np.zeros(tree.infosets + 1, np.int32)
        self._mark = np.zeros(tree.infosets + 1, bool)
        self._settings = np.array([sampler.exploration, sampler.bonus, sampler.threshold])

    def advance(self, iterations: int) -> None:
        """Do this many more iterations."""
        from pokerlab.solvers.sampled._kernels.sampling import advance_sampled

        tree, walked = self.form.tree, self._tree
        self.nodes_touched += int(
            advance_sampled(
                self.schedule.table(self.iterations + 1, iterations),
                self.schedule.alternating,
                self._modes,
                self._settings,
                walked.nodes,
                tree.probability,
                walked.public,
                tree.edge,
                tree.returns,
                walked.start,
                self._queue,
                self._weights,
                self.current,
                self.average,
                self.regret,
                self._delta,
                self._touched,
                self._mark,
                self.seen,
                self.logs,
                self.random,
            )
        )
        self.iterations += iterations

    def estimate(self, profile: np.ndarray, *, player: int, walks: int) -> tuple[np.ndarray, np.ndarray]:
        """Means over walks of a player in which everybody keeps to a profile; the solver's sums stay as they are.

        The sampled regret of each action, and the weight that each action of the next player gets in his average; the
        means of both do not depend on how walks are sampled.  # [A], [A]
        """
        from pokerlab.solvers.sampled._kernels.sampling import walk_often

        tree, walked = self.form.tree, self._tree
        delta, average = np.zeros((2, tree.slots))
        walk_often(
            walks,
            np.uint32(player),
            self._modes,
            self._settings,
            walked.nodes,
            tree.probability,
            walked.public,
            tree.edge,
            tree.returns,
            walked.start,
            self._queue,
            self._weights,
            np.asarray(profile, dtype=np.float64),
            average,
            delta,
            self._touched,
            self._mark,
            self.random,
        )
        return delta / walks, average / walks

    def profile(self) -> np.ndarray:
        """The average strategy, even where it has not been.  # [A]"""
        return self.form.profile(np.concatenate([np.ones(self.form.players), self.average]))

    def measure(self) -> Measure:
        """Exploitability of the average strategy."""
        return measure(self.form, self.profile())

    def arrays(self) -> dict[str, np.ndarray]:
        """The whole state."""
        state = {
            name: getattr(self, name).copy() for name in ("regret", "current", "average", "seen", "logs", "random")
        }
        return state | {"counts": np.array([self.iterations, self.nodes_touched])}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `arrays` gave."""
        for name in ("regret", "current", "average", "seen", "logs", "random"):
            getattr(self, name)[...] = arrays[name]
        self.iterations, self.nodes_touched = (int(count) for count in arrays["counts"])


def share(name: str, value: float) -> None:
    """Refuse a setting that is not a probability above zero."""
    if not isinstance(value, int | float) or not 0 < value <= 1:
        raise BadSetting(f"{name} must be above 0 and at most 1, not {value!r}")
