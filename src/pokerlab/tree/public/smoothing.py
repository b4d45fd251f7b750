"""First-order methods on the public form: smoothed best responses by one walk up the boards, their plans by one down.

A vector has the layout of the form's arrays: by player, then by round [board, block, slot, BLOCK]. A player's prox
function is the sum, over hands and boards, of their probability times the dilated function of the betting there. So its
weights are those of the betting alone, with the chance of a deal between rounds, and its modulus is 1 in the norm that
weights hands and boards by their probability. The norm of the payoffs is bounded in that norm by `norm_within`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pokerlab.tree.forecast import check_memory
from pokerlab.tree.public._kernels import reach
from pokerlab.tree.public._kernels import smoothing as kernels
from pokerlab.tree.public._kernels.memory import Portions
from pokerlab.tree.public.layout import PublicTree, compatible_weight
from pokerlab.tree.public.profiles import parts, shares
from pokerlab.tree.public.treeplex import Treeplex
from pokerlab.tree.public.walk import PlayerWalk, Tiles, Workspace
from pokerlab.tree.resources import aligned
from pokerlab.tree.smoothing import ENTROPY, SmoothedBestResponse, norm_within

VECTORS = 10  # that a method stores or works in, at most
Rounds = list[np.ndarray]  # a player's part of a vector, round by round


class PublicSmoothing(SmoothedBestResponse):
    """A public tree with a prox function."""

    def __init__(self, tree: PublicTree, prox: str) -> None:
        self.form: PublicTree = tree
        self.prox = prox
        check_memory(VECTORS * 8 * tree.slots, "first-order methods", "a tenth")
        self.own = tree.slots_of(0), tree.slots_of(1)
        self.weights = [prox_weights(tree, player, entropy=prox == ENTROPY) for player in (0, 1)]
        self.diameter = np.array([weights.diameter for weights in self.weights])
        self.norm = norm_of(tree)
        self._scale = [tree.pairs / float(tree.weights[player].sum()) for player in (0, 1)]
        self._choice = self.vector()  # a buffer for a behaviour
        self._walk = SmoothWalk(tree, threads=tree.resources.threads)

    def vector(self) -> np.ndarray:
        return aligned(self.form.slots, np.float64)

    def rounds(self, vector: np.ndarray, player: int) -> Rounds:
        """A player's part of a vector, round by round."""
        return [pair[player] for pair in parts(self.form, vector)]

    def respond(
        self, player: int, smoothing: float, *, plan: np.ndarray, prior: np.ndarray, point: np.ndarray, out: np.ndarray
    ) -> float:
        choice, scale = self.rounds(self._choice, player), smoothing * self._scale[player]
        vectors = self.rounds(prior, player), self.rounds(point, player), choice
        mixing = [
            kernels.Mixing(self.prox == ENTROPY, scale * weight, *parts)
            for weight, *parts in zip(self.weights[player].weight, *vectors, strict=True)
        ]
        value = self._walk.respond(player, mixing, self.rounds(plan, 1 - player))
        self._walk.realise(player, choice, self.rounds(out, player))
        return value

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        return shares(self.form, plan, kind=np.float64)

    def plan(self, behaviour: np.ndarray) -> np.ndarray:
        plan = self.vector()
        for player in (0, 1):
            self._walk.realise(player, self.rounds(behaviour, player), self.rounds(plan, player))
        return plan

    def profile(self, plan: np.ndarray) -> np.ndarray:
        return self.behaviour(plan).astype(np.float32)


class ProxWeights(NamedTuple):
    """The prox function of a player."""

    weight: list[np.ndarray]  # [round][node]
    diameter: float


def prox_weights(tree: PublicTree, player: int, *, entropy: bool) -> ProxWeights:
    """The weights of `weigh` in _kernels/prox.py, over the betting, with the chance of deals between rounds."""
    first = [np.ones(tree.rounds[0].treeplexes[player].roots, np.bool_)]  # [round][root]: the player has not acted
    for level in tree.rounds[:-1]:
        plex = level.treeplexes[player]
        first.append(np.concatenate([first[-1], np.zeros(plex.slots, np.bool_)])[plex.deal_sequence])
    weight: list[np.ndarray] = []
    heavy = far = np.zeros(0)  # for each root of the round below: the weights after it, and the diameter
    for number in range(len(tree.rounds) - 1, -1, -1):
        plex = tree.rounds[number].treeplexes[player]
        after, farthest = np.zeros(plex.roots + plex.slots), np.zeros(plex.roots + plex.slots)
        if number + 1 < len(tree.rounds):
            chance = _chance_of_deals(tree, number + 1)
            np.add.at(after, plex.deal_sequence, chance * heavy)
            np.add.at(farthest, plex.deal_sequence, chance * far)
        weights = np.zeros(plex.nodes)
        for node in range(plex.nodes - 1, -1, -1):
            count, above = int(plex.node_actions[node]), int(plex.node_sequence[node])
            slots = slice(plex.roots + int(plex.node_slot[node]), plex.roots + int(plex.node_slot[node]) + count)
            weights[node] = (1.0 + after[slots].max()) * (1.0 if above < plex.roots and first[number][above] else 2.0)
            after[above] += weights[node]
            local = math.log(count) if entropy else 0.5 - 0.5 / count
            farthest[above] += weights[node] * local + farthest[slots].max()
        weight.insert(0, weights)
        heavy, far = after[: plex.roots], farthest[: plex.roots]
    return ProxWeights(weight, float(far[0]))


def _chance_of_deals(tree: PublicTree, number: int) -> float:
    """The sum of the probabilities of the boards that can follow a board, for a player who sees their own hand only.

    Probabilities are given two hands, so the sum is slightly above 1.
    """
    level, before = tree.rounds[number], tree.rounds[number - 1]
    seen = len(before.boards[0]) + len(tree.hands[0])
    return level.chance * math.comb(tree.deck.size - seen, len(level.boards[0]) - len(before.boards[0]))


def norm_of(tree: PublicTree) -> float:
    """A bound on the norm of the payoffs, with hands and boards weighted by their probability."""
    largest = []
    for player in (0, 1):
        paid = max(_most_paid(level.treeplexes, player) for level in tree.rounds)
        weights = tree.weights[player]
        opposing = compatible_weight(tree.hand_cards, tree.weights[1 - player], tree.tokens)[weights > 0]
        largest.append(paid * float(opposing.max()) * float(weights.sum()) / tree.pairs)
    return norm_within(*largest)


def _most_paid(treeplexes: tuple[Treeplex, Treeplex], player: int) -> float:
    """The largest sum of the amounts at terminal nodes after one sequence of a player."""
    plex, other = treeplexes[player], treeplexes[1 - player]
    lanes = other.ahead_width + len(other.lane_sequence) - other.compatible_from
    amounts = np.where(plex.source_value < lanes, np.abs(plex.source_factor), 0.0)
    sums = np.concatenate([[0.0], np.cumsum(amounts)])
    return float((sums[plex.source_start[1:]] - sums[plex.source_start[:-1]]).max(initial=0.0))


class SmoothWalk(PlayerWalk):
    """Walks up with smoothed best responses, and down with plans."""

    def __init__(self, tree: PublicTree, *, threads: int = 1) -> None:
        super().__init__(tree, threads=threads)
        self._mixing: list[kernels.Mixing] = []  # [round]; empty on the way down
        self._other: Rounds = []  # the opponent's plan on the way up
        self._choice: Rounds = []  # the player's behaviour on the way down
        self._plan: Rounds = []  # the plan that is written on the way down
        self._ones = [np.where(root > 0, 1.0, 0.0) for root in self.roots]

    def respond(self, player: int, mixing: list[kernels.Mixing], other: Rounds) -> float:
        """Compute the smoothed best response to the opponent's plan; returns its value."""
        self.player, self._mixing, self._other, self.carried = player, mixing, other, (0,)
        return self.mean(self.hand_values()[0])

    def realise(self, player: int, choice: Rounds, plan: Rounds) -> None:
        """The plan of a player's behaviour."""
        self.player, self._mixing, self.carried = player, [], ()
        self._choice, self._plan = choice, plan
        self.walk([self._ones[player]], [np.zeros_like(self.roots[player]) for _ in range(2)])

    def deals(self, number: int, space: Workspace) -> Tiles:
        return super().deals(number, space) if self._mixing else [space.sides[number][self.player].tiles.deals]

    def descend(self, number: int, board: int, from_above: Tiles, space: Workspace) -> None:
        scratch = space.scratch[number]
        if self._mixing:
            side, other = space.sides[number][1 - self.player], self._other[number]
            reach.descend(side, space.levels[number], board, other, other, 0.0, from_above[0], scratch)
            return
        side = space.sides[number][self.player]
        kernels.realise_board(side, board, self._choice[number], self._plan[number], from_above[0], scratch)

    def ascend(self, number: int, board: int, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        if self._mixing:
            kernels.respond_board(space.facing[number][self.player], board, self._mixing[number], to_above[0])

    def boards(self, number: int, portions: Portions, from_above: Tiles, to_above: Tiles, space: Workspace) -> None:
        if self._mixing:
            facing, other = space.facing[number][self.player], self._other[number]
            kernels.respond_boards(portions, facing, self._mixing[number], other, from_above[0], to_above[0])
            return
        side, scratch = space.sides[number][self.player], space.scratch[number]
        kernels.realise_boards(portions, side, self._choice[number], self._plan[number], from_above[0], scratch)
