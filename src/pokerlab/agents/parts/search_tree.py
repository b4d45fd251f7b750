"""Search of the betting to come in two-player games: a flat tree without chance events, and expectimax on it.

The tree has the actions of both players from one moment on, to the end of the betting round or of the hand; public
cards are not in it. Values have a column for each hand that the opponent may hold: `back_up` weights the children of an
opponent's node by the chance of each action with that hand. At one's own nodes all columns take the same action, which
is the best on average over the hands that come there (miximax), or a mixture that prefers the better (miximix). A
single column is a search that does not distinguish hands (Rubin and Watson, "Computer poker: a review", 2011, section
5.1). Values are chips won over the whole hand: EV = Pr(win) * pot - investment, so a fold costs what was put in.

Nodes are numbered breadth first, so that a level and all children of a level are slices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.situations import Situation, check_open_betting, situation
from pokerlab.agents.parts.triple import Triple, sized_at
from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.poker.action import CALL, FOLD, Action
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame

NOBODY = -1  # who acts at a leaf, and who has folded at a showdown
KINDS = {"f": 0, "c": 1, "r": 2}  # columns of frequencies and triples
MOST_NODES = 100_000


class Extent(NamedTuple):
    """How much of the betting is searched."""

    whole_hand: bool = True  # else the current round; what comes after it counts as a showdown
    raises: int = 4  # bets and raises in a round after which nobody raises again
    sizes: tuple[float, ...] = (1.0,)  # of raises outside fixed limit, as fractions of the pot
    reraises: tuple[float, ...] | None = None  # the same after a raise of the search; None: as `sizes`


@dataclass(frozen=True, eq=False)
class SearchTree:
    """The betting from one moment on."""

    game: PokerGame
    bettings: tuple[Betting, ...]  # by node
    actions: tuple[Action, ...]  # that lead to each node; a call for the root
    parent: np.ndarray  # [node]; NOBODY for the root
    actor: np.ndarray  # [node] the seat to act, or NOBODY
    kind: np.ndarray  # [node] of the action that leads there: 0 fold, 1 call, 2 raise
    folded: np.ndarray  # [node] the seat that has folded, or NOBODY
    fold_values: np.ndarray  # [node, seat] what is won where a seat has folded; else 0
    pot: np.ndarray  # [node] as far as it is matched
    invested: np.ndarray  # [node, seat] chips in the matched pot at leaves
    levels: tuple[slice, ...]

    def __len__(self) -> int:
        return len(self.bettings)

    @property
    def leaves(self) -> np.ndarray:
        """Nodes where the search ends in a showdown.  # [leaf]"""
        return np.flatnonzero((self.actor == NOBODY) & (self.folded == NOBODY))

    def children(self, node: int) -> np.ndarray:
        """The nodes after one.  # [child]"""
        return np.flatnonzero(self.parent == node)

    def situations(self, seat: int) -> dict[int, Situation]:
        """What a seat faces where it acts, by node."""
        return {node: situation(self.game, self.bettings[node]) for node in np.flatnonzero(self.actor == seat).tolist()}


def check_heads_up(game: PokerGame, player: str) -> None:
    """Raise BadSetting unless two play, with private cards that are dealt once before the betting."""
    check_open_betting(game, player)
    if game.players != 2:
        raise BadSetting(f"{player} searches the betting of two players; {game.name} has {game.players}")


def search_tree(game: PokerGame, root: Betting, extent: Extent) -> SearchTree:
    """The tree from a decision on."""
    bettings, actions, parents, levels = [root], [CALL], [NOBODY], [slice(0, 1)]
    while levels[-1].stop > levels[-1].start:
        for node in range(levels[-1].start, levels[-1].stop):
            if _is_open(bettings[node], root, extent):
                for action in options(game, bettings[node], root, extent):
                    bettings.append(game.betting.act(bettings[node], action))
                    actions.append(action)
                    parents.append(node)
        levels.append(slice(levels[-1].stop, len(bettings)))
        if len(bettings) > MOST_NODES:
            raise TooLarge(f"the betting of {game.name} has more than {MOST_NODES:,} nodes here: allow fewer raises")
    return _flat(game, bettings, actions, parents, tuple(levels[:-1]), extent)


def _is_open(betting: Betting, root: Betting, extent: Extent) -> bool:
    return betting.actor >= 0 and (extent.whole_hand or betting.round == root.round)


def options(game: PokerGame, betting: Betting, root: Betting, extent: Extent) -> list[Action]:
    """The actions that are searched at a decision."""
    legal = game.betting.legal(betting)
    found = ([FOLD] if legal.fold else []) + ([CALL] if legal.call >= 0 else [])
    if legal.can_raise and (betting.raises < extent.raises or legal.call < 0):
        raised = betting.round > root.round or betting.raises > root.raises
        sizes = extent.sizes if extent.reraises is None or not raised else extent.reraises
        found += dict.fromkeys(sized_at(game, betting, legal, size) for size in sizes)
    return found


def _flat(
    game: PokerGame,
    bettings: list[Betting],
    actions: list[Action],
    parents: list[int],
    levels: tuple[slice, ...],
    extent: Extent,
) -> SearchTree:
    root, antes = bettings[0], game.betting.antes
    actor = [betting.actor if _is_open(betting, root, extent) else NOBODY for betting in bettings]
    matched = [min(betting.live) for betting in bettings]
    return SearchTree(
        game,
        tuple(bettings),
        tuple(actions),
        np.array(parents),
        np.array(actor),
        np.array([KINDS[action.kind] for action in actions]),
        np.array([{1: 1, 2: 0}.get(betting.alive, NOBODY) for betting in bettings]),
        np.array([game.payoffs.returns(betting, ()) if betting.folded_out else (0.0, 0.0) for betting in bettings]),
        np.array([sum(antes) + 2.0 * chips for chips in matched]),
        np.array([[ante + float(chips) for ante in antes] for chips in matched]),
        levels,
    )


def leaf_values(tree: SearchTree, seat: int, wins: np.ndarray) -> np.ndarray:
    """Values of leaves to a seat: what folds win, and EV = Pr(win) * pot - investment at showdowns; 0 elsewhere.

    `wins` is the share of the pot that the seat wins by opposing hand, at all leaves [hand] or at each [leaf, hand].
    """
    leaves = tree.leaves
    wins = np.broadcast_to(wins, (len(leaves), wins.shape[-1]))
    values = np.repeat(tree.fold_values[:, seat, None], wins.shape[-1], axis=1)
    values[leaves] = wins * tree.pot[leaves, None] - tree.invested[leaves, seat, None]
    return values


def spread(tree: SearchTree, frequencies: np.ndarray) -> np.ndarray:
    """Chances of the actions that lead to nodes, from frequencies [node, kind] or [node, kind, hand] of their parents.

    Raises of several sizes share theirs, and chances of actions that are not in the tree go to the others.
    """
    if frequencies.ndim == 2:
        frequencies = frequencies[:, :, None]
    chance = np.ones((len(tree), frequencies.shape[-1]))
    for children in tree.levels[1:]:
        parents, kinds = tree.parent[children], tree.kind[children]
        starts, owner = siblings(parents)
        raises = np.add.reduceat(kinds == KINDS["r"], starts)[owner]
        shares = frequencies[parents, kinds] / np.where(kinds == KINDS["r"], raises, 1)[:, None]
        totals = np.add.reduceat(shares, starts)[owner]
        counts = np.bincount(owner)[owner][:, None]
        chance[children] = np.where(totals > 0, shares / np.where(totals > 0, totals, 1), 1 / counts)
    return chance


def triples_by_node(tree: SearchTree, seat: int, triple: Callable[[Situation], Triple], hands: int) -> np.ndarray:
    """Frequencies [node, kind, hand] where a seat acts, from a function of the situation; 0 elsewhere."""
    found = np.zeros((len(tree), len(KINDS), hands))
    for node, now in tree.situations(seat).items():
        for kind, part in enumerate(triple(now)):
            found[node, kind] = part
    return found


def back_up(
    tree: SearchTree,
    values: np.ndarray,
    chance: np.ndarray,
    *,
    seat: int,
    weights: np.ndarray,
    temperature: float = 0.0,
    informed: np.ndarray | None = None,
) -> np.ndarray:
    """Fill in the values of inner nodes; returns their averages over the hands that come there.  # [node]

    `values` [node, hand] are those of leaves and are changed; `chance` [node, hand] is that of the opponent's action
    into each node, `weights` [hand] that of its hands. With a temperature, own actions are a mixture whose logarithms
    differ by the differences of values over the temperature. Where a node is `informed` [node], the columns are known
    when it is reached, so the best action is taken for each.
    """
    chance = np.broadcast_to(chance, values.shape)
    reach = _reach(tree, chance, seat, weights)
    total = reach.sum(axis=1)
    average = np.einsum("nh,nh->n", values, reach) / total
    for children in reversed(tree.levels[1:]):
        parents = tree.parent[children]
        starts, owner = siblings(parents)
        played = chance[children].copy()
        own = tree.actor[parents] == seat
        played[own] = choose_best(average[children], starts, owner, temperature)[own, None]
        if informed is not None and (seen := own & informed[parents]).any():
            played[seen] = choose_best(values[children], starts, owner, temperature)[seen]
        inner = parents[starts]
        values[inner] = np.add.reduceat(played * values[children], starts)
        average[inner] = np.einsum("nh,nh->n", values[inner], reach[inner]) / total[inner]
    return np.asarray(average)


def _reach(tree: SearchTree, chance: np.ndarray, seat: int, weights: np.ndarray) -> np.ndarray:
    """How likely each hand comes to each node if the seat goes there.  # [node, hand]"""
    reach = np.empty(chance.shape)
    reach[0] = weights
    for children in tree.levels[1:]:
        parents = tree.parent[children]
        theirs = np.where((tree.actor[parents] == seat)[:, None], 1.0, np.maximum(chance[children], 1e-12))
        reach[children] = reach[parents] * theirs
    return reach


def siblings(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the children of each parent start, and the number of the parent of each child, within a level."""
    first = np.concatenate([[True], parents[1:] != parents[:-1]])
    return np.flatnonzero(first), np.cumsum(first) - 1


def choose_best(scores: np.ndarray, starts: np.ndarray, owner: np.ndarray, temperature: float = 0.0) -> np.ndarray:
    """The chance of each child: the best (equals share), or a mixture.  # [child, column]"""
    gap = scores - np.maximum.reduceat(scores, starts)[owner]
    preference = np.exp(gap / temperature) if temperature > 0 else (gap == 0).astype(float)
    return np.asarray(preference / np.add.reduceat(preference, starts)[owner])
