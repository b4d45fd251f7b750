"""Plain twins of the first-order kernels: dense matrices, one infoset at a time, simplex projections by sorting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pokerlab.tree.sequence import SequenceForm


def projected(point: np.ndarray) -> np.ndarray:
    """The nearest distribution, by sorting."""
    ordered = np.sort(point)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    return np.maximum(point - excess[np.flatnonzero(ordered > excess)[-1]], 0)


@dataclass
class Treeplex:
    """One player's sequences, numbered from 0, the empty one; and what each prox function costs there."""

    form: SequenceForm
    player: int
    entropy: bool
    infosets: list[tuple[int, list[int]]] = field(default_factory=list)  # (parent, sequences), parents first
    weight: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        own = self.form.sequences_of(self.player)
        low, high = self.form.tree.first_infoset[self.player : self.player + 2].tolist()
        for infoset in range(low, high):
            parent = int(self.form.parent[infoset])
            first, last = (int(bound) - own.start + 1 for bound in self.form.start[infoset : infoset + 2])
            self.infosets.append((0 if parent < 2 else parent - own.start + 1, list(range(first, last))))
        self.size = own.stop - own.start + 1
        self.weight = [self._weight(index) for index in range(len(self.infosets))]

    def after(self, sequence: int) -> list[int]:
        """The infosets that follow a sequence."""
        return [index for index, (parent, _) in enumerate(self.infosets) if parent == sequence]

    def _weight(self, index: int) -> float:
        parent, sequences = self.infosets[index]
        most = max(sum(self._weight(below) for below in self.after(sequence)) for sequence in sequences)
        return (1 + most) * (1 if parent == 0 else 2)

    def uniform(self) -> list[np.ndarray]:
        """A behaviour: a distribution for each infoset."""
        return [np.full(len(sequences), 1 / len(sequences)) for _, sequences in self.infosets]

    def plan(self, behaviour: list[np.ndarray]) -> np.ndarray:
        """The plan of a behaviour."""
        plan = np.ones(self.size)
        for (parent, sequences), mix in zip(self.infosets, behaviour, strict=True):
            plan[sequences] = plan[parent] * mix
        return plan

    def divergence(self, plan: np.ndarray, prior: list[np.ndarray]) -> float:
        """Of a plan from a behaviour: the sum over infosets of weight * reach * divergence there."""
        total = 0.0
        for (parent, sequences), weight, other in zip(self.infosets, self.weight, prior, strict=True):
            if plan[parent] <= 0:
                continue
            mix = plan[sequences] / plan[parent]
            if self.entropy:
                local = sum(p * np.log(p / q) for p, q in zip(mix, other, strict=True) if p > 0)
            else:
                local = 0.5 * ((mix - other) ** 2).sum()
            total += weight * plan[parent] * local
        return total

    def prox(self, gradient: np.ndarray, smoothing: float, prior: list[np.ndarray]) -> tuple[list[np.ndarray], float]:
        """The behaviour that is best less smoothing times its divergence from a prior, and its worth."""
        value = gradient.astype(float)
        behaviour: list[np.ndarray] = [np.zeros(0)] * len(self.infosets)
        for index in range(len(self.infosets) - 1, -1, -1):
            parent, sequences = self.infosets[index]
            scale, other, worth = smoothing * self.weight[index], prior[index], value[sequences]
            if self.entropy:
                with np.errstate(divide="ignore"):
                    logits = np.log(other) + worth / scale
                behaviour[index] = np.exp(logits - np.logaddexp.reduce(logits))
                value[parent] += scale * np.logaddexp.reduce(logits)
            else:
                behaviour[index] = projected(other + worth / scale)
                away = behaviour[index] - other
                value[parent] += behaviour[index] @ worth - 0.5 * scale * (away @ away)
        return behaviour, float(value[0])


class Players:
    """Both treeplexes with the payoff matrix: gradients, smoothed best responses."""

    def __init__(self, form: SequenceForm, prox: str) -> None:
        self.trees = [Treeplex(form, player, prox == "entropy") for player in (0, 1)]
        self.matrix = form.matrix.toarray()

    def gradient(self, player: int, plan: np.ndarray) -> np.ndarray:
        """What a player's sequences win against the other's plan."""
        return self.matrix @ plan if player == 0 else -self.matrix.T @ plan

    def smoothed(self, player: int, other: np.ndarray, mu: float) -> tuple[list[np.ndarray], float]:
        """The smoothed best response to the other's plan, and its worth."""
        tree = self.trees[player]
        return tree.prox(self.gradient(player, other), mu, tree.uniform())

    def excess(self, plans: list[np.ndarray], mu: list[float]) -> float:
        """The sum of both smoothed values."""
        return sum(self.smoothed(player, plans[1 - player], mu[player])[1] for player in (0, 1))

    def first(self, mu: list[float]) -> list[np.ndarray]:
        """The first point of the excessive gap technique."""
        one, other = self.trees
        second = other.plan(self.smoothed(1, one.plan(one.uniform()), mu[1])[0])
        return [one.plan(one.prox(self.gradient(0, second), mu[0], one.uniform())[0]), second]

    def shrunk(
        self, plans: list[np.ndarray], mu: list[float], player: int, share: float
    ) -> tuple[list[np.ndarray], list[float]]:
        """The point and the smoothing after a step."""
        tree, rival = self.trees[player], 1 - player
        answer, _ = self.smoothed(player, plans[rival], mu[player])
        ahead = (1 - share) * plans[player] + share * tree.plan(answer)
        met = self.trees[rival].plan(self.smoothed(rival, ahead, mu[rival])[0])
        moved, _ = tree.prox(self.gradient(player, met), (1 - share) * mu[player] / share, answer)
        found, left = list(plans), list(mu)
        found[player] = (1 - share) * plans[player] + share * tree.plan(moved)
        found[rival] = (1 - share) * plans[rival] + share * met
        left[player] = (1 - share) * mu[player]
        return found, left


def own_parts(form: SequenceForm, plan: np.ndarray) -> list[np.ndarray]:
    """Plans by sequence of both, as one plan each, the empty sequence first."""
    return [np.concatenate([[1.0], plan[form.sequences_of(player)]]) for player in (0, 1)]
