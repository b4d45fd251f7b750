"""Any policy as a profile of a form over hand classes: two players before the flop, or push or fold of many.

The policy is queried with every hand of a class and must play them all the same: they differ only in suits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBO_CLASS, COMBOS
from pokerlab.errors import BadSetting, UnknownName
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.policy import Policy
from pokerlab.strategy.public_profile import ROUNDING, decisions
from pokerlab.strategy.views.hands import DealtHands
from pokerlab.tree.class_deals import CardDeal
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.pushes.chances import PUSHES
from pokerlab.tree.pushes.form import PushForm


@dataclass(frozen=True, eq=False)
class ClassHands(DealtHands):
    """The possible hands, and the class of each."""

    group: np.ndarray  # [hand] class

    @staticmethod
    def of(form: ClassForm) -> ClassHands:
        """The hands of a form: all two-card hands, or the cards of its deck."""
        if isinstance(form.deal, CardDeal):
            return ClassHands.of_starting_hands(2)
        cards = np.arange(form.deck.size)
        return ClassHands(form.deck, [(int(card),) for card in cards], 2, cards)

    @staticmethod
    def of_starting_hands(players: int) -> ClassHands:
        """All two-card hands, for `players` players."""
        return ClassHands(FULL_DECK, [(int(low), int(high)) for low, high in COMBOS], players, COMBO_CLASS)

    @cached_property
    def sizes(self) -> np.ndarray:
        """[hand] The number of hands of the same class."""
        return np.asarray(np.bincount(self.group)[self.group])


def class_profile_of(policy: Policy, game: PokerGame, form: ClassForm, *, player: int | None = None) -> np.ndarray:
    """A policy as a profile of the classes form; with `player`, only that player's part, the other uniform.  # [A]"""
    behaviours = [np.array(table) for table in form.behaviours(form.uniform())]  # [S, class] for each player
    hands = ClassHands.of(form)
    for node, betting in decisions(game, form.betting):
        if player is None or node.player == player:
            seat, number = form.decision_numbers[node]
            rows = _by_class(policy, game, betting, hands, node.codes)
            behaviours[seat][form.own[seat].of(number)] = rows.T
    return form.profile_of((behaviours[0], behaviours[1]))


def push_profile_of(policy: Policy, game: Any, form: PushForm, *, player: int | None = None) -> np.ndarray:
    """A policy as a profile of multi-player push or fold; with `player`, only that seat, others uniform.  # [A]"""
    table: PokerGame = getattr(game, "game", game)  # for a game with prizes, the game inside
    pushes = form.pushes_of(form.uniform()).copy()
    nodes = {history: node for node, history in enumerate(form.histories)}
    hands = ClassHands.of_starting_hands(table.players)
    for betting in _decisions(table, table.betting.start()):
        node = nodes.get(betting.history)
        if node is not None and player in (None, form.seats[int(form.node_seat[node])]):
            codes = [table.action_text(action) for action in table.betting.actions(betting)]
            pushes[node] = _by_class(policy, table, betting, hands, codes)[:, PUSHES]
    return form.profile_of(pushes)


def _decisions(game: PokerGame, betting: Betting) -> Iterator[Betting]:
    """Every decision of the betting, depth first."""
    if betting.actor == TERMINAL:
        return
    yield betting
    for action in game.betting.actions(betting):
        yield from _decisions(game, game.betting.act(betting, action))


def _by_class(policy: Policy, game: PokerGame, betting: Betting, hands: ClassHands, codes: Sequence[str]) -> np.ndarray:
    """Action probabilities by hand class.  # [class, action]"""
    where = repr(betting.history) if betting.history else "the start"
    try:
        table = policy.table(PublicNode(game, betting, ()))
    except UnknownName as error:
        raise BadSetting(f"the policy does not know the decision at {where}: {error}") from error
    numbers = {hands.hand_text(number): number for number in range(len(hands.hands))}
    rows = np.full((len(hands.hands), len(codes)), np.nan)
    order = [list(table.actions).index(code) if code in table.actions else -1 for code in codes]
    known = np.column_stack([table.probability, np.zeros(len(table.hands))])[:, order]  # -1: never taken
    rows[[numbers[hand] for hand in table.hands]] = known
    if np.isnan(rows).any() or (rows < 0).any() or (np.abs(rows.sum(1) - 1) > ROUNDING).any():
        raise BadSetting(f"at {where} a policy must give every hand probabilities of {', '.join(codes)} that sum to 1")
    counts = np.bincount(hands.group)
    means = np.stack([np.bincount(hands.group, column) for column in rows.T], axis=1) / counts[:, None]
    if (np.abs(rows - means[hands.group]) > ROUNDING).any():
        raise BadSetting(f"at {where} the policy plays hands differently that differ by names of suits only")
    return np.asarray(means / means.sum(1, keepdims=True))
