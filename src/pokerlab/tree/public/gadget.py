"""A subgame with a gadget: at its root the opponent chooses between entering it and values that they have elsewhere.

Solving a subgame between fixed ranges is unsafe: the opponent may come there with other hands. A gadget lets each of
the opponent's hands choose, so that its solution leaves no hand more than its *alternative*: what the hand wins there
against the strategy that is replaced.

- "resolve": every hand either terminates and takes its alternative or follows into the subgame (Burch, Johanson and
  Bowling, "Solving imperfect information games using decomposition", 2014)
- "maxmargin": the opponent chooses one hand to follow with, and pays its alternative; the value is minus the smallest
  margin, the alternative less what the hand wins (Moravcik and others, "Refining subgames in large imperfect
  information games", 2016)

The gadget is a form like others. It wraps the subgame's public form with a decision of the opponent before it: the
payoffs of that decision's sequences are corrected by the alternatives, and for "maxmargin" the decisions of all hands
are merged into one infoset. So every algorithm on plans and payoffs solves it; solvers/cfr/public/gadget.py is faster.

Hands of the opponent are weighted by one over the compatible weight of the other player's range, so that every hand
counts the same, and payoffs are conditional values: what a hand wins if it is held in the subgame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.games.poker.betting_tree import Decision, FoldPayoffs, Node
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.tree.form import Form, FormSize
from pokerlab.tree.public.layout import BLOCK, PublicTree, compatible_weight, two_cards
from pokerlab.tree.public.profiles import joined, parts
from pokerlab.tree.public.subgame import subgame, subgame_hands
from pokerlab.tree.treeplex import Treeplexes

RESOLVE, MAXMARGIN = "resolve", "maxmargin"
FOLLOW, TERMINATE = "follow", "terminate"


@dataclass(frozen=True, eq=False)
class Gadget(Form):
    """A subgame in which the opponent chooses to enter it."""

    tree: PublicTree  # the subgame
    opponent: int
    alternatives: np.ndarray  # [hand] what each of the opponent's hands has elsewhere, in chips
    method: str

    kind = "gadget"
    players = 2
    is_zero_sum = True

    @property
    def name(self) -> str:
        return self.tree.name

    @property
    def pot(self) -> float:
        return self.tree.pot

    @cached_property
    def max_abs_payoff(self) -> float:
        return float(self.tree.max_abs_payoff + np.abs(self.alternatives[self.hands]).max())

    @property
    def size(self) -> FormSize:
        return self.tree.size

    @property
    def nodes_per_pass(self) -> int:
        return self.tree.nodes_per_pass

    @property
    def hands(self) -> np.ndarray:
        """The opponent's hands that the choices are for.  # [choice]"""
        hands = self.tree.rounds[0].hands[self.opponent]
        return np.asarray(hands.hand[0, : int(hands.count[0])])

    @cached_property
    def _entered(self) -> PublicTree:
        """The subgame with the opponent's decision before it."""
        names, quit_ = (FOLLOW, TERMINATE), FoldPayoffs((0.0, 0.0))
        return self.tree.with_betting(Decision(self.opponent, names, (self.tree.betting, quit_), names))

    @property
    def _offered(self) -> np.ndarray:
        """[choice] The alternatives, each times the weight of its hand in payoffs: the same for all."""
        return np.asarray(self.alternatives[self.hands] / len(self.hands))

    @cached_property
    def _follow(self) -> np.ndarray:
        """[choice] The sequence of the inner form with which each hand follows; terminating is the next one."""
        level, trees = self._entered.rounds[0], self._entered.treeplexes
        step = level.treeplexes[self.opponent].slots
        return int(trees.own[self.opponent, 0]) + step * np.arange(len(self.hands))

    @cached_property
    def _order(self) -> np.ndarray:
        """[S] The inner sequence of each sequence: where decisions are merged, theirs come first."""
        order = np.arange(self._entered.treeplexes.sequences)
        if self.method != MAXMARGIN:
            return order
        own = self._entered.treeplexes.sequences_of(self.opponent)
        below = np.setdiff1d(order[own], [self._follow, self._follow + 1])
        return np.concatenate([order[: own.start], self._follow, below, order[own.stop :]])

    @cached_property
    def treeplexes(self) -> Treeplexes:
        inner = self._entered.treeplexes
        if self.method != MAXMARGIN:
            return inner
        trees = [inner.single(player) for player in (0, 1)]
        start, parent = trees[self.opponent]
        offset = int(inner.own[self.opponent, 0]) - 1  # of numbers among all players from the player's own
        choices, sequences = self._follow - offset, int(start[-1]) - 1
        below = np.setdiff1d(np.arange(1, sequences + 1), [choices, choices + 1])
        position = np.zeros(sequences + 1, np.int64)
        position[np.concatenate([choices, below])] = np.arange(1, 1 + len(choices) + len(below))
        rest = np.flatnonzero(~np.isin(start[:-1], choices))  # infosets below the choice
        first = 1 + len(choices)
        starts = np.concatenate([[1, first], first + np.cumsum(np.diff(start)[rest])])
        trees[self.opponent] = starts, np.concatenate([[0], position[parent[rest]]])
        return Treeplexes.joined(trees)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        """Those of the subgame, with the alternatives where the opponent terminates, or less them where they follow."""
        values, inner_plan = np.zeros(self._entered.treeplexes.sequences), self._inner_plan(plan)
        self._entered.payoffs(player, inner_plan, values)
        chosen = self._follow if self.method == MAXMARGIN else self._follow + 1
        gained = -self._offered if self.method == MAXMARGIN else self._offered
        if player == self.opponent:
            values[chosen] += gained
        else:
            values[player] -= float(inner_plan[chosen] @ gained)
        own = self.treeplexes.sequences_of(player)
        out[player], out[own] = values[player], values[self._order[own]]

    def _inner_plan(self, plan: np.ndarray) -> np.ndarray:
        """Plans as those of the subgame's form.  # [S] -> [S of the form]"""
        inner_plan = np.zeros(self._entered.treeplexes.sequences)
        inner_plan[self._order] = plan
        inner_plan[self._follow + 1] = 1.0 - inner_plan[self._follow]
        return inner_plan

    def inner_profile(self, plan: np.ndarray) -> np.ndarray:
        """Plans as a profile of the subgame.  # [S] -> [A of the subgame]"""
        profile = self._entered.behaviour(self._inner_plan(plan))
        pieces, slots = parts(self._entered, profile), self._entered.rounds[0].treeplexes[self.opponent].slots
        first = pieces[0][self.opponent].reshape(-1, slots, BLOCK)
        pieces[0][self.opponent] = first[:, 2:].reshape(-1)  # without the choice, whose slots are the first two
        return joined(pieces)

    def responses(self, profile: np.ndarray) -> np.ndarray:
        """What each of the opponent's hands wins with a best response to the other player, once in the subgame.

        NaN for hands that cannot be there.  # [A of the subgame] -> [hand]
        """
        _, best = self.tree.assessor.hands(parts(self.tree, profile), self.opponent)
        weights = self.tree.weights[self.opponent]
        wins = np.full(len(weights), np.nan)
        wins[weights > 0] = best * weights[weights > 0]  # weights are one over those of opposing hands
        return wins


def gadget(
    place: PublicNode, betting: Node, *, hero: int, reach: np.ndarray, alternatives: np.ndarray, method: str = RESOLVE
) -> Gadget:
    """The gadget of a subgame, given the other player's range.

    betting: the betting tree from the node on; reach: [hand] of the player whose strategy is sought;
    alternatives: [hand] of the opponent
    """
    opponent = 1 - hero
    game = place.game
    cards, tokens = two_cards(subgame_hands(game), game.deck.size)
    free = ~np.isin(cards, place.board).any(axis=1)
    reach = np.where(free, reach, 0.0)
    against = np.where(free, compatible_weight(cards, reach, tokens), 0.0)
    weights = np.divide(1.0, against, out=np.zeros(len(reach)), where=against > 1e-9 * reach.sum())
    pair = (reach, weights) if hero == 0 else (weights, reach)
    return Gadget(subgame(place, pair, betting), opponent, alternatives, method)
