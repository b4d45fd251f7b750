"""Subgames solved in the course of a hand, each replacing a strategy from a public node on.

A subgame is built in public form between the ranges that the strategies played so far leave (Bayes' rule), and solved
for one player, the *hero*; the solution is a policy for the rest of the hand. The methods:

- "unsafe": the opponent is assumed to hold the range of the strategy that is replaced (Ganzfried and Sandholm, "Endgame
  solving in large imperfect-information games", 2015)
- "resolve", "maxmargin": a gadget at the root lets the opponent bring other hands (tree/public/gadget.py)
- "reach-maxmargin": maxmargin with alternatives that are raised by *gifts*: what the opponent's hand lost by its
  earlier actions of the hand, compared with its best ones (Brown and Sandholm, "Safe and nested subgame solving for
  imperfect-information games", 2017). Subgames share no gift twice, so the hero stays as safe as before.

The alternative of a hand is what it wins with a best response to the strategy that is replaced.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from pokerlab.agents.parts.on_menu import OnMenu
from pokerlab.agents.parts.opponent_range import OpponentRange
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.errors import UnknownName
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.betting_tree import Decision, Node
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.solvers.cfr.public.gadget import GadgetSolver
from pokerlab.solvers.cfr.public.solver import PublicSolver
from pokerlab.solvers.core.schedule import Schedule
from pokerlab.strategy.policy import Policy, PolicyTable
from pokerlab.strategy.public_profile import decision_after, public_profile_of
from pokerlab.tree.public.gadget import MAXMARGIN, RESOLVE, Gadget, gadget
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.profiles import parts, shares
from pokerlab.tree.public.reading import chances, map_board
from pokerlab.tree.public.subgame import Choose, betting_after, subgame

UNSAFE, REACH = "unsafe", "reach-maxmargin"
METHODS = (UNSAFE, RESOLVE, MAXMARGIN, REACH)
AT_ONCE = 10  # iterations between looks at the clock


@dataclass(frozen=True)
class Effort:
    """How a subgame is solved, and when solving stops."""

    schedule: Schedule
    iterations: int
    seconds: float = np.inf


class Step(NamedTuple):
    """One action of a hand, and the policy in force where it was taken."""

    policy: Policy
    place: PublicNode
    action: Action
    is_known: bool = True  # whether the policy has the action; otherwise it says nothing about who takes it


class SubgameStrategy:
    """The solution of a subgame: a policy for the hand from its root on."""

    name = "the solution of a subgame"

    def __init__(self, root: PublicNode, tree: PublicTree, betting: Node, profile: np.ndarray, before: Policy) -> None:
        self.root, self.tree, self.betting, self.profile = root, tree, betting, profile
        self._before = before  # decides with hands that the ranges exclude
        self._skip = len(root.betting.history)
        self._tables: dict[tuple[str, tuple[int, ...]], PolicyTable] = {}

    def decision(self, place: PublicNode) -> Decision:
        """The subgame's decision at a public node; UnknownName if there is none."""
        history, start = place.betting.history, self.root.betting.history
        if not history.startswith(start) or place.board[: len(self.root.board)] != self.root.board:
            raise UnknownName(f"the subgame after {start[:60]!r} does not contain {history[:60]!r}")
        return decision_after(self.betting, history[self._skip :], self.tree.name)

    def table(self, place: PublicNode) -> PolicyTable:
        key = place.betting.history, place.board
        if key not in self._tables:
            self._tables[key] = self._table_at(place)
        return self._tables[key]

    def _table_at(self, place: PublicNode) -> PolicyTable:
        node = self.decision(place)
        hands = hands_of(place.game)
        mapping = map_board(self.tree, self.tree.places[node].round, place.board)
        rows = chances(self.tree, parts(self.tree, self.profile), node, mapping)  # boards represent themselves alone
        present = np.flatnonzero(hands.without(place.board))
        unknown = np.isnan(rows[present, 0])
        if unknown.any():
            rows[present[unknown]] = self._others(place, node)[present[unknown]]
        texts = [place.game.text(hands.cards[number][::-1]) for number in present]
        return PolicyTable(texts, node.codes, rows[present])

    def _others(self, place: PublicNode, node: Decision) -> np.ndarray:
        """[hand, action] Play with hands that the ranges exclude: as before if that has these actions, else uniform."""
        hands = hands_of(place.game)
        rows = np.full((len(hands), len(node.codes)), 1 / len(node.codes))
        try:
            table = self._before.table(place)
        except UnknownName:
            return rows
        if set(table.actions) == set(node.codes):
            known = ~np.isnan(table.probability).any(axis=1)
            order = [list(table.actions).index(code) for code in node.codes]
            numbers = np.array(hands.numbers(table.hands))
            rows[numbers[known]] = table.probability[known][:, order]
        return rows

    def probabilities(self, view: Any) -> Mapping[str, float]:
        table = self.table(PublicNode(view.game, view.betting, view.board))
        row = list(table.hands).index(view.game.text(sorted(view.cards, reverse=True)))
        return dict(zip(table.actions, table.probability[row].tolist(), strict=True))


@dataclass(frozen=True)
class Subgame:
    """What is solved: a public node, the hero, how the hand came there, and the bets that are considered."""

    root: PublicNode
    hero: int
    steps: Sequence[Step]
    choose: Choose | None = None
    taken: Action | None = None  # at the root, if the subgame begins after an action there

    @cached_property
    def betting(self) -> Node:
        """The betting tree from the root on."""
        whole = betting_after(self.root, self.choose)
        if self.taken is None:
            return whole
        assert isinstance(whole, Decision)
        return whole.children[whole.codes.index(str(self.taken))]

    @property
    def start(self) -> Betting:
        """The betting at the root."""
        rules = self.root.game.betting
        return self.root.betting if self.taken is None else rules.act(self.root.betting, self.taken)

    def after(self, action: Action) -> Subgame:
        """The subgame after an action at the root, on the same board."""
        return replace(self, taken=action)

    def value(self, policy: Policy) -> np.ndarray:
        """What the opponent's hands win here with a best response to a policy.  # [hand]"""
        return self.responses(self.gadget(MAXMARGIN), policy)

    @cached_property
    def ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """[hand] How likely each player brings each hand, up to a factor."""
        game = self.root.game
        ranges = [hands_of(game).without(self.root.board).astype(np.float64) for _ in range(2)]
        for step in self.steps:
            if step.is_known:
                ranges[step.place.seat] *= reader_of(step.policy, game).likelihood(step.place, step.action)
        for seat, weights in enumerate(ranges):
            if not weights.any():  # a policy never comes here: any hand may
                ranges[seat] = hands_of(game).without(self.root.board).astype(np.float64)
        return ranges[0] / ranges[0].max(), ranges[1] / ranges[1].max()

    def gadget(self, method: str) -> Gadget:
        """The gadget, with alternatives of zero."""
        reach, zero = self.ranges[self.hero], np.zeros(len(self.ranges[0]))
        return gadget(self.root, self.betting, hero=self.hero, reach=reach, alternatives=zero, method=method)

    def responses(self, problem: Gadget, policy: Policy) -> np.ndarray:
        """What the opponent's hands win here with a best response to a policy.  # [hand]"""
        root = self.betting, self.start
        if self.choose is not None and not isinstance(policy, SubgameStrategy):
            policy = OnMenu(policy, self.choose)
        return problem.responses(public_profile_of(policy, self.root.game, problem.tree, player=self.hero, root=root))

    def gifts(self, known: dict[Any, np.ndarray]) -> np.ndarray:
        """[hand] What each of the opponent's hands lost by its actions so far."""
        total = np.zeros(len(self.ranges[0]))
        for number, step in enumerate(self.steps):
            if step.place.seat == self.hero or not step.is_known:
                continue
            key = self.hero, step.place.betting.history, step.place.board, str(step.action)
            if key not in known:
                choose = self.choose if isinstance(step.policy, SubgameStrategy) else None  # all that the policy knows
                above = replace(self, root=step.place, steps=self.steps[:number], choose=choose)
                known[key] = np.nan_to_num(above.value(step.policy) - above.after(step.action).value(step.policy))
            total += known[key]
        return total


def reader_of(policy: Policy, game: PokerGame) -> OpponentRange:
    """The reader of a policy's ranges: a subgame's own, so that it is cached with it."""
    if isinstance(policy, SubgameStrategy):
        return policy.__dict__.setdefault("reader", OpponentRange(policy, game))  # type: ignore[no-any-return]
    return OpponentRange(policy, game)


def solve(
    subgame_: Subgame, before: Policy, effort: Effort, method: str, alternatives: np.ndarray | None = None
) -> SubgameStrategy:
    """Solve a subgame in place of the policy `before`; a gadget needs the alternatives of the opponent's hands [hand].

    By default these are what they win by a best response to that policy.
    """
    root, betting = subgame_.root, subgame_.betting
    if method == UNSAFE:
        tree = subgame(root, subgame_.ranges, betting)
        solver = PublicSolver(tree, effort.schedule)
        run(solver, effort)
        return SubgameStrategy(root, tree, betting, shares(tree, tree.unpack(solver.strategy_arrays())), before)
    problem = subgame_.gadget(method)
    if alternatives is None:
        alternatives = subgame_.responses(problem, before)
    problem = replace(problem, alternatives=np.nan_to_num(alternatives))
    gadget_solver = GadgetSolver(problem, effort.schedule)
    run(gadget_solver, effort)
    tree = problem.tree
    return SubgameStrategy(root, tree, betting, shares(tree, tree.unpack(gadget_solver.strategy_arrays())), before)


def run(solver: Any, effort: Effort) -> None:
    """Advance a solver until the iterations or the seconds are over."""
    began = time.perf_counter()
    while solver.iterations < effort.iterations and time.perf_counter() - began < effort.seconds:
        solver.advance(min(AT_ONCE, effort.iterations - solver.iterations))
