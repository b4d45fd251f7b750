"""The prox function of a public tree by its definition: hand by hand, board by board, infoset by infoset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pokerlab.tree.public.layout import BLOCK, PublicTree


@dataclass(frozen=True)
class Infoset:
    """One infoset of a player: where its actions lie in the arrays of its round, and how much it counts."""

    round: int
    node: int
    places: list[int]
    above: tuple[int, int] | None  # the own sequence before it, as (round, place); None for none
    chance: float  # of the hand and the board, images counted


def infosets(tree: PublicTree, player: int) -> list[Infoset]:
    """All of a player's infosets, each after the one before it."""
    weights = tree.weights[player]
    found: list[Infoset] = []
    shares: dict[int, float] = {
        int(hand): float(weights[hand] / weights.sum()) for hand in np.flatnonzero(weights > 0).tolist()
    }
    boards: list[tuple[int, float, dict[tuple[int, int], tuple[int, int] | None]]] = [
        (0, 1.0, {(hand, 0): None for hand in shares})  # (board, chance, the sequence at each hand and root)
    ]
    for number, level in enumerate(tree.rounds):
        plex, hands = level.treeplexes[player], level.hands[player]
        following = []
        for board, chance, arriving in boards:
            passed: dict[tuple[int, int], tuple[int, int] | None] = {}
            for row in range(int(hands.count[board])):
                hand = int(hands.hand[board, row])
                at = (board * hands.rows + row // BLOCK * BLOCK) * plex.slots + row % BLOCK
                last = {root: arriving.get((hand, root)) for root in range(plex.roots)}
                for node in range(plex.nodes):
                    first, count = int(plex.node_slot[node]), int(plex.node_actions[node])
                    places = [at + (first + k) * BLOCK for k in range(count)]
                    above = last[int(plex.node_sequence[node])]
                    found.append(Infoset(number, node, places, above, chance * shares[hand]))
                    last |= {plex.roots + first + k: (number, place) for k, place in enumerate(places)}
                for deal, sequence in enumerate(plex.deal_sequence.tolist()):
                    passed[hand, deal] = last[sequence]
            for child in range(*(int(end) for end in level.children[board : board + 2])):
                below = tree.rounds[number + 1]
                images = int(below.image_start[child + 1] - below.image_start[child])
                following.append((child, chance * below.chance * images, passed))
        boards = following
    return found


def divergence(
    tree: PublicTree, player: int, *, plan: list[np.ndarray], prior: list[np.ndarray], entropy: bool
) -> float:
    """Of a plan from a behaviour, both by round."""
    weights = naive_weights(tree, player)
    total = 0.0
    for infoset in infosets(tree, player):
        reach = 1.0 if infoset.above is None else float(plan[infoset.above[0]][infoset.above[1]])
        if reach <= 0:
            continue
        mix = plan[infoset.round][infoset.places] / reach
        other = prior[infoset.round][infoset.places]
        local = _entropy(mix, other) if entropy else 0.5 * float(((mix - other) ** 2).sum())
        total += infoset.chance * weights[infoset.round][infoset.node] * reach * local
    return total


def _entropy(mix: np.ndarray, other: np.ndarray) -> float:
    return float(sum(p * np.log(p / q) for p, q in zip(mix, other, strict=True) if p > 0))


def naive_weights(tree: PublicTree, player: int) -> list[dict[int, float]]:
    """[round][node] by the definition: of the infosets of one hand, each child counted by its chance given the parent.

    All hands have the same weights; those of the first one that comes everywhere are taken.
    """
    every = infosets(tree, player)
    after: dict[tuple[int, int], float] = {}
    found: list[dict[int, float]] = [{} for _ in tree.rounds]
    for infoset in reversed(every):
        heaviest = max(after.get((infoset.round, place), 0.0) for place in infoset.places) / infoset.chance
        weight = (1.0 + heaviest) * (1.0 if infoset.above is None else 2.0)
        known = found[infoset.round].setdefault(infoset.node, weight)
        assert abs(known - weight) <= 1e-9 * weight, "weights differ by hand"
        if infoset.above is not None:
            after[infoset.above] = after.get(infoset.above, 0.0) + infoset.chance * weight
    return found


def random_behaviour(tree: PublicTree, player: int, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """[round] Any behaviour, in rows without a hand too."""
    for number, level in enumerate(tree.rounds):
        plex = level.treeplexes[player]
        numbers = rng.gamma(0.5, size=tree.stored(number, player)).reshape(-1, plex.slots, BLOCK) + 1e-6
        for first, count in zip(plex.node_slot.tolist(), plex.node_actions.tolist(), strict=True):
            numbers[:, first : first + count] /= numbers[:, first : first + count].sum(axis=1, keepdims=True)
        yield numbers.reshape(-1)
