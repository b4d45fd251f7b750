"""A player whose strategy is replaced by solved subgames in the course of the hand.

From a given round on, the rest of the hand is solved when the round begins; if the opponent then bets a size that the
solved tree does not have, the subgame after that bet is solved, and so on (nested solving, Brown and Sandholm, "Safe
and nested subgame solving for imperfect-information games", 2017). There the alternative of a hand is what it wins with
the best action of the tree at the decision where the size was bet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from pokerlab.agents.agent import ReportingPolicyPlayer
from pokerlab.agents.parts.subgames import REACH, UNSAFE, Effort, Step, Subgame, SubgameStrategy, solve
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import Action, actions_of
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.state import View
from pokerlab.games.poker.text import read_action
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.strategy.policy import Policy, PolicyTable
from pokerlab.tree.public.gadget import MAXMARGIN
from pokerlab.tree.public.poker import why_not_public
from pokerlab.tree.public.subgame import Choose

MOST_STORED = 50_000_000  # probabilities of solved subgames that a player remembers


def refuse_unsuitable(name: str, game: PokerGame, from_round: int) -> None:
    """Raise BadSetting if subgames of a game from a round on have no public form."""
    reason = why_not_public(game)
    if reason or isinstance(game, SpotGame):
        raise BadSetting(f"{name} solves subgames in public form: {reason or f'{game.name} is not a whole game'}")
    last = len(game.rules.rounds) - 1
    if from_round > last:
        raise BadSetting(f"{name} solves from round {from_round}, and the rounds of {game.name} are 0 to {last}")


class Resolver:
    """The strategies in force along the hands of one game, for both seats."""

    def __init__(
        self,
        game: PokerGame,
        policy: Policy,
        *,
        method: str,
        effort: Effort,
        from_round: int,
        choose: Choose | None = None,
        beliefs: bool = True,
    ) -> None:
        self.game, self.policy, self.beliefs = game, policy, beliefs
        self.method, self.effort, self.from_round, self.choose = method, effort, from_round, choose
        self.notes: Counter[str] = Counter()
        self._solved: dict[tuple[int, str, tuple[int, ...]], SubgameStrategy] = {}
        self._stored = 0  # probabilities in them
        self._gifts: dict[Any, np.ndarray] = {}

    def at(self, place: PublicNode) -> Policy:
        """The strategy in force at a decision, for the seat to act there."""
        game, hero, steps = self.game, place.seat, list[Step]()
        policy, betting = self.policy, game.betting.start()
        for action in (*actions_of(place.betting.history), None):
            here = PublicNode(game, betting, place.board[: game.dealing.public(betting.round)])
            if policy is self.policy and betting.round >= self.from_round:
                policy = self._from(here, hero, steps, policy)
            if action is None:
                break
            known = not isinstance(policy, SubgameStrategy) or str(action) in policy.decision(here).codes
            steps.append(Step(policy, here, action, known))
            betting = game.betting.act(betting, action)
            if not known:
                policy = self._from(PublicNode(game, betting, here.board), hero, steps, policy)
        return policy

    def _from(self, root: PublicNode, hero: int, steps: Sequence[Step], before: Policy) -> SubgameStrategy:
        """The solution of the subgame from a node on."""
        key = hero, root.betting.history, root.board
        if key not in self._solved:
            subgame, bet = Subgame(root, hero, tuple(steps), self.choose), steps[-1] if steps else None
            if self.method == UNSAFE or (bet and not bet.is_known and bet.place.seat == hero):  # never by its own play
                believed = subgame if self.beliefs else Subgame(root, hero, (), self.choose)
                solved = solve(believed, before, self.effort, UNSAFE)
            else:
                method = MAXMARGIN if self.method == REACH else self.method
                solved = solve(subgame, before, self.effort, method, self._alternatives(subgame, before))
            self._stored += len(solved.profile)
            if self._stored > MOST_STORED:
                self._solved.clear()
                self._stored = len(solved.profile)
            self._solved[key] = solved
        return self._solved[key]

    def _alternatives(self, subgame: Subgame, before: Policy) -> np.ndarray:
        """[hand] What the opponent's hands win by a best response to the strategy that is replaced."""
        if subgame.steps and not subgame.steps[-1].is_known:  # the best on the menu where another size was bet
            last = subgame.steps[-1].place
            values = Subgame(last, subgame.hero, subgame.steps[:-1], self.choose).value(before)
        else:
            values = subgame.value(before)
        return values + subgame.gifts(self._gifts) if self.method == REACH else values


class ResolvingAgent(ReportingPolicyPlayer):
    """A policy at the table that solves subgames."""

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(name)
        self._settings = settings
        self._resolver: Resolver | None = None

    def policy_for(self, game: PokerGame) -> Policy:
        """The strategy that is played before the first subgame, and replaced by them."""
        raise NotImplementedError

    def first_round(self, game: PokerGame) -> int:
        """The first round that is solved at the table."""
        raise NotImplementedError

    def choices(self, game: PokerGame) -> Choose | None:
        """The bets that subgames consider; None: all that the game allows."""
        return None

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting if the game has no subgames in public form, or the blueprint does not play it."""
        self.resolver(game)

    def resolver(self, game: PokerGame) -> Resolver:
        """The strategies in force in a game."""
        if self._resolver is None or self._resolver.game != game:
            first = self.first_round(game)
            refuse_unsuitable(self.name, game, first)
            policy, choose = self.policy_for(game), self.choices(game)
            self._resolver = Resolver(game, policy, from_round=first, choose=choose, **self._settings)
        return self._resolver

    def table(self, place: PublicNode) -> PolicyTable:
        table = self.resolver(place.game).at(place).table(place)
        actions = place.actions
        if set(table.actions) == set(actions):
            return table
        rows = np.zeros((len(table.hands), len(actions)))  # bets that are not on the menu are never made
        rows[:, [actions.index(action) for action in table.actions]] = table.probability
        return PolicyTable(table.hands, actions, rows)

    def probabilities(self, view: View) -> dict[str, float]:
        place = PublicNode(view.game, view.betting, view.board)
        return dict(self.resolver(view.game).at(place).probabilities(view))

    def act(self, view: View, rng: np.random.Generator) -> Action:
        chances = self.probabilities(view)
        texts, sums = list(chances), np.cumsum(list(chances.values()))
        chosen = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
        return read_action(view.game, texts[min(chosen, len(texts) - 1)])
