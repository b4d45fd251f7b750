"""Spewie Louie: learns a strategy for the tree ahead at the table, with ranges and a strategy matrix at every node.

A program of the computer poker competition of 2012, seventh of eleven in no-limit hold'em, as its author describes it
(in M. Schmid, "Game Theory and Poker", 2013, section 8.4.1): bets are 0.25, 0.4286, 0.6666, 1, 1.5, 4 and 9 times the
pot; a node of the tree has a hand range for each player, a matrix that summarises the tree below, and a strategy matrix
of the player to act. Hands are in 22 groups before the flop, in 8 on flop and turn, in 7 on the river. Before the
competition 24 million matrices were refined by simulated paths; decisions that they do not cover are learned online.

Here every decision is learned online, by regret matching in the betting round to come (parts/group_solver.py), all
hands at once instead of paths; the matrix that summarises what comes after the round is a roll-out. Groups are of equal
size by strength. Ranges at the root follow from how often the players have acted so (parts/opponent_model.py); theirs
followed from the matrices. After a raise of the search further raises are of the pot.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pokerlab.agents.parts.beliefs import Beliefs
from pokerlab.agents.parts.equities import equity_matrix, public_range, strength_groups
from pokerlab.agents.parts.group_solver import GroupGame, solve_groups
from pokerlab.agents.parts.hand_tables import NOW
from pokerlab.agents.parts.opponent_model import FrequencyModel
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.agents.parts.search_tree import Extent, check_heads_up, search_tree
from pokerlab.agents.parts.situations import past_actions
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import declared, whole

SIZES = (0.25, 0.4286, 0.6666, 1.0, 1.5, 4.0, 9.0)
RERAISES = (1.0,)
GROUPS = {0: 22, 3: 8, 4: 8, 5: 7}  # by public cards


class SpewieLouie:
    """Solves the betting round at every decision."""

    def __init__(self, name: str, *, iterations: int, raises: int) -> None:
        self.name = name
        self.model = FrequencyModel()
        self.beliefs = Beliefs(self.model, measure=NOW)
        self._iterations = iterations
        self._raises = raises

    def check_game(self, game: PokerGame) -> None:
        check_heads_up(game, self.name)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        actions, chances = self.strategy(view)
        return actions[int(rng.choice(len(actions), p=chances / chances.sum()))]

    def strategy(self, view: View) -> tuple[list[Action], np.ndarray]:
        """The actions of a decision, and the chance of each.  # [action]"""
        game, seat = view.game, view.seat
        extent = Extent(whole_hand=False, raises=view.betting.raises + self._raises, sizes=SIZES, reraises=RERAISES)
        tree = search_tree(game, view.betting, extent)
        groups = strength_groups(game, view.board, GROUPS.get(len(view.board), 8))
        ranges = {seat: self.own_range(view), 1 - seat: self.opposing_range(view)}
        parts = [groups.ranges(ranges[player]) for player in (0, 1)]
        equity = equity_matrix(game, view.board, *parts)
        masses = (groups.masses(ranges[0]), groups.masses(ranges[1]))
        solved = solve_groups(GroupGame(tree, masses, (equity, 1 - equity.T)), self._iterations)
        children = tree.children(0)
        own = groups.of_hand[hands_of(game).number(view.cards)]
        return [tree.actions[node] for node in children.tolist()], solved[children, own]

    def own_range(self, view: View) -> np.ndarray:
        """What the opponent may think that this seat holds.  # [hand]"""
        return self._range(view, view.seat)

    def opposing_range(self, view: View) -> np.ndarray:
        """What the opponent may hold, one's own cards aside.  # [hand]"""
        return self._range(view, 1 - view.seat)

    def _range(self, view: View, seat: int) -> np.ndarray:
        weights = np.ones(len(hands_of(view.game)))
        for past in past_actions(view.game, view.history):
            if past.seat == seat:
                weights = weights * self.beliefs.likelihood(view, past)
        return public_range(view.game, view.board, weights)

    def observe(self, view: View) -> None:
        """Count what both did."""
        self.model.observe(view)

    def reset(self) -> None:
        """Forget the opponent."""
        self.model.reset()


@declared("spewie-louie")
def agent(
    name: str, *, iterations: Annotated[int, whole(1, 100_000)] = 60, raises: Annotated[int, whole(1, 6)] = 2
) -> SpewieLouie:
    """A player of heads-up games. `iterations` of regret matching per decision; `raises` more in the round are
    searched."""
    return SpewieLouie(name, iterations=iterations, raises=raises)
