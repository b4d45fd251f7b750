"""GameShrink: merge hands that play the same game, derived from the cards alone without knowledge of suits.

A. Gilpin and T. Sandholm, "Lossless abstraction of imperfect information games", Journal of the ACM, 2007. The *signal
tree* has a node for what a player may hold and see in each round; its children are the possible next public cards. Two
nodes are ordered game isomorphic if their children can be matched one to one with isomorphic ones, down to leaves with
the same outcomes; nodes with isomorphic parents are then merged, from the root down.

Which nodes may be merged without loss? It is not enough that two hands win, tie and lose equally often against the
opponent's holdings: in Leduc hold'em one card beats a king on a jack as on a queen, but the opponent who holds that
card is a different one, and played differently before. Here (`lossless`) two nodes are isomorphic only if they also
face opponents of every class equally often, with the same outcomes. Then counterfactual values, and so best responses,
are the same for both against any opponent who plays by classes: in a two-player game, an equilibrium over classes is an
equilibrium of the full game. The classes are the coarsest of that kind, by partition refinement.

By outcomes alone (`by_outcomes`) Rhode Island hold'em has 13, 205 and 1,774 classes and a linear program of 1,237,238
rows and columns with 50,428,638 non-zeros, the sizes that Gilpin and Sandholm print; but such classes are lossy, as
exploitability in the real game shows. With a threshold, matched leaves may differ: the cost of a matching is the mean
difference of the outcomes (a win 1, a tie 1/2), and nodes are merged if it is at most the threshold. Those abstractions
are lossy, and small.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.run_outs import extended
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.showdown import strength_of

MOST_EDGES = 20_000_000  # of nodes to children or to opponents, per round
LOST, TIED, WON = 0, 1, 2

Classes = tuple[np.ndarray, ...]  # [round] of [hand]: the class of each hand, which determines its parent's


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges from the hands of a round, several per hand."""

    hand: np.ndarray  # [edge] the hand it starts from, ascending
    to: np.ndarray  # [edge] a hand of this round, or of the next


@dataclass(frozen=True, eq=False)
class SignalTree:
    """What a player may hold and see, up to suit isomorphism, and the possible opponents."""

    hands: tuple[int, ...]  # [round] number of hands
    parents: tuple[np.ndarray, ...]  # [round] of [hand]: the hand of the previous round; empty in the first
    children: tuple[Edges, ...]  # [round except the last]: one public deal each
    opponents: tuple[Edges, ...]  # [round]: what the opponent would see with each possible holding
    outcome: np.ndarray  # [edge to an opponent in the last round]: LOST, TIED or WON


@lru_cache(maxsize=2)
def signal_tree(cards: CardRounds) -> SignalTree:
    """Build a signal tree; BadSetting if the order of the board is forgotten, TooLarge if there are too many edges."""
    if not cards.ordered and sum(cards.is_dealt(round) for round in range(1, cards.rounds)) > 1:
        raise BadSetting(
            "gameshrink compares hands with all that was seen before, so play must remember: make its buckets with "
            "perfect recall (--recall perfect)"
        )
    for round in range(cards.rounds):
        _check(cards.hands(round), comb(cards.deck.size, cards.private))
    hands = [cards.every_hand(round) for round in range(cards.rounds)]
    opponents, children = [], []
    for round, held in enumerate(hands):
        rows = extended(held, cards.deck.size, cards.private)
        seen = np.roll(rows[:, cards.private :], cards.private, axis=1)  # the opponent's cards, then the board
        opponents.append(_edges(cards, round, len(held), seen))
    for round, held in enumerate(hands[:-1]):
        count = cards.boards[round + 1] - cards.boards[round]
        _check(len(held), comb(cards.deck.size, count))
        children.append(_edges(cards, round + 1, len(held), extended(held, cards.deck.size, count)))
    parents = [cards.index(round, cards.up_to(round, held)) for round, held in enumerate(hands[1:])]
    strength = strength_of(cards.showdown, cards.deck, cards.private + cards.boards[-1])
    own = np.array([strength(tuple(hand)) for hand in hands[-1].tolist()])  # smaller is stronger
    last = opponents[-1]
    outcome = np.sign(own[last.to] - own[last.hand]).astype(np.int64) + 1
    sizes, parents = tuple(map(len, hands)), [np.zeros(0, np.int64), *parents]
    return SignalTree(sizes, tuple(parents), tuple(children), tuple(opponents), np.asarray(outcome))


def _check(hands: int, others: int) -> None:
    """Raise TooLarge if there are too many edges."""
    if hands * others > MOST_EDGES:
        raise TooLarge(
            f"{hands:,} hands of a round with {others:,} sets of cards that may come are too many for gameshrink, "
            "which looks at every pair; those of Rhode Island hold'em are not"
        )


def _edges(cards: CardRounds, round: int, hands: int, to: np.ndarray) -> Edges:
    """Edges from hands, equally many each, to the hands of a round in these rows of cards."""
    return Edges(np.repeat(np.arange(hands), len(to) // hands), cards.index(round, to))


def lossless(tree: SignalTree) -> Classes:
    """The coarsest lossless classes: refined until hands of a class are indistinguishable."""
    classes = [np.zeros(count, np.int64) for count in tree.hands]
    while True:
        finer = [_refined(tree, classes, round) for round in range(len(classes))]
        if all(new.max() == old.max() for new, old in zip(finer, classes, strict=True)):
            return tuple(classes)
        classes = finer


def _refined(tree: SignalTree, classes: Sequence[np.ndarray], round: int) -> np.ndarray:
    """Split the classes of a round by their children, opponents and parents."""
    opposing = classes[round][tree.opponents[round].to]
    if round == len(classes) - 1:
        opposing = 3 * opposing + tree.outcome
    parts = [classes[round], _multisets(tree.opponents[round].hand, opposing)]
    if round < len(classes) - 1:
        following = tree.children[round]
        parts.append(_multisets(following.hand, classes[round + 1][following.to]))
    if round:
        parts.append(classes[round - 1][tree.parents[round]])
    return _numbered(np.column_stack(parts))


def by_outcomes(tree: SignalTree, *, threshold: float = 0.0) -> Classes:
    """Classes of hands whose trees match in wins and ties, exactly or nearly; lossy, see the module docstring."""
    types = [np.zeros(0, np.int64)] * len(tree.hands)
    types[-1] = _multisets(tree.opponents[-1].hand, tree.outcome)
    for round in range(len(types) - 2, -1, -1):
        following = tree.children[round]
        types[round] = _multisets(following.hand, types[round + 1][following.to])
    apart = _distances(tree, types) if threshold > 0 else None
    classes: list[np.ndarray] = []
    for round, own in enumerate(types):
        above = classes[-1][tree.parents[round]] if round else np.zeros(len(own), np.int64)
        if apart is None:
            classes.append(_numbered(np.column_stack([above, own])))
        else:
            classes.append(_united(above, own, apart[round] <= threshold))
    return tuple(classes)


def _multisets(hand: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Equal numbers for hands whose edges have equal labels in any order.  # [edge] both -> [hand]"""
    ordered = label[np.lexsort((label, hand))]
    starts = np.searchsorted(hand, np.arange(int(hand[-1]) + 2))
    known: dict[bytes, int] = {}
    parts = zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    return np.array([known.setdefault(ordered[first:end].tobytes(), len(known)) for first, end in parts])


def _numbered(rows: np.ndarray) -> np.ndarray:
    """Equal numbers for equal rows, in order of first occurrence.  # [hand, part] -> [hand]"""
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return np.asarray(order[which.reshape(-1)])


def _distances(tree: SignalTree, types: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The least cost of matching the trees of two types of hands, round by round.  # [round] of [type, type]"""
    from scipy.optimize import linear_sum_assignment

    won = np.sort(_examples(tree.opponents[-1].hand, tree.outcome, types[-1]), axis=1)
    distances = [np.abs(won[:, None] - won[None]).mean(axis=2) / 2]  # opponents matched in sorted order
    for round in range(len(types) - 2, -1, -1):
        following, after = tree.children[round], distances[0]
        children = _examples(following.hand, types[round + 1][following.to], types[round])
        apart = np.zeros((len(children), len(children)))
        for one, other in combinations(range(len(children)), 2):  # their children matched at least cost
            costs = after[np.ix_(children[one], children[other])]
            apart[one, other] = apart[other, one] = costs[linear_sum_assignment(costs)].mean()
        distances.insert(0, apart)
    return distances


def _examples(hand: np.ndarray, label: np.ndarray, types: np.ndarray) -> np.ndarray:
    """The labels of the edges of one hand of each type; all hands have equally many.  # [edge] -> [type, edge]"""
    return np.asarray(label.reshape(int(hand[-1]) + 1, -1)[np.unique(types, return_index=True)[1]])


def _united(above: np.ndarray, types: np.ndarray, near: np.ndarray) -> np.ndarray:
    """Classes of hands in one parent class whose types are near, directly or through a chain.  # [hand]"""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    joined = np.zeros(len(types), np.int64)
    for parent in range(int(above.max()) + 1):
        own = np.flatnonzero(above == parent)
        there, which = np.unique(types[own], return_inverse=True)
        joined[own] = connected_components(csr_matrix(near[np.ix_(there, there)]), directed=False)[1][which]
    return _numbered(np.column_stack([above, joined]))
