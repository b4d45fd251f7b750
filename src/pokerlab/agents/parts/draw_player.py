"""A seat of two-player five-card draw: the facts its players use from a view, and players that decide by tables.

draw_decisions.py describes the decisions; here a view becomes table indices, and the result becomes an action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.agents.agent import PolicyAgent
from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.agents.parts.triple import PotFraction, Triple, betting_options
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.draws import hand_indexer
from pokerlab.errors import BadSetting
from pokerlab.games.poker.action import Action, actions_of, discard
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.draw_rules import DrawTables, Facts

_MOST_KNOWN = 100_000  # cached hand indices


def check_five_card_draw(game: PokerGame, player: str) -> None:
    """Raise BadSetting unless a game is two-player five-card draw: five cards, bets, one draw, bets."""
    rules = game.rules
    rounds = rules.rounds
    five = len(rounds) == 2 and rounds[0].private == 5 and rounds[1].private == 0 and rounds[1].draw > 0
    bets = all(round_.betting and round_.public == 0 for round_ in rounds)
    standard = rules.showdown == "high" and rules.deck == FULL_DECK and not rules.replacement and rules.limit != "push"
    if game.players != 2 or not (five and bets and standard):
        raise BadSetting(f"{player} plays only two-player five-card draw (--game five-card-draw), not {game.name}")


class HandAction(NamedTuple):
    """One action of a hand, and the actions before it."""

    round: int
    seat: int
    kind: str  # "f", "c", "r" or "d"
    before: str  # kinds of the earlier actions of the round
    cards: int  # of a draw


def hand_actions(view: View) -> Iterator[HandAction]:
    """The actions of a hand of two players, from its history."""
    first = [round_.first for round_ in view.game.rules.rounds]
    for number, text in enumerate(view.history.split("/")):
        seat, before, drawing = first[number], "", False
        for action in actions_of(text):
            if drawing and action.kind != "d":
                seat = first[number]  # betting restarts after the draws
            drawing = action.kind == "d"
            yield HandAction(number, seat, action.kind, before, len(action.cards))
            before += action.kind if not drawing else ""
            seat = 1 - seat


def facts_of(view: View) -> Facts:
    """The facts, other than cards, that a decision depends on."""
    from pokerlab.solvers.bucketed._kernels.draw_rules import Facts

    betting, legal = view.betting, view.legal
    acted, raised = [0, 0], [0, 0]  # by round
    for action_taken in hand_actions(view):
        if action_taken.seat == view.seat and action_taken.kind != "d":
            acted[action_taken.round] = 1
            raised[action_taken.round] |= action_taken.kind == "r"
    ante = view.game.betting.antes[view.seat]
    return Facts(
        round=betting.round,
        bets=betting.raises,
        cost=max(legal.call, 0),
        pot=view.pot,
        raise_by=legal.least - ante - betting.level if legal.can_raise else 0,
        drawn=sum(len(draw.discarded) for draw in view.draws),
        acted=acted[betting.round],
        raised=raised[betting.round],
        raised_before=raised[0],
    )


@lru_cache(maxsize=_MOST_KNOWN)
def hand_number(cards: tuple[int, ...]) -> int:
    """The index of a five-card hand up to suit isomorphism."""
    return hand_indexer().index(cards)


def thrown_cards(cards: Sequence[int], mask: int, most: int) -> tuple[int, ...]:
    """The cards of a hand that a mask discards, highest first; the lowest `most` of them if there are more."""
    from pokerlab.solvers.bucketed._kernels.draw_rules import in_canonical_order

    ordered = np.zeros(len(cards), np.uint8)
    in_canonical_order(np.array(cards, np.uint8), ordered)
    thrown = [card for position, card in enumerate(ordered.tolist()) if mask >> position & 1]
    return tuple(sorted(thrown, reverse=True)[-most:] if most else ())


@dataclass(frozen=True)
class DrawPlayer(PolicyAgent):
    """A player without memory: tables and a rule code, looked up by its label."""

    pot_fraction: PotFraction = 0.0  # raise size outside fixed limit; 0 is the minimum raise

    def check_game(self, game: PokerGame) -> None:
        check_five_card_draw(game, self.label)

    def act(self, view: View, rng: np.random.Generator) -> Action:
        options = self.options(view)
        point = rng.random()
        for action, chance in options:
            point -= chance
            if point < 0:
                return action
        return options[-1][0]

    def probabilities(self, view: View) -> dict[str, float]:
        return {view.game.action_text(action): chance for action, chance in self.options(view)}

    def options(self, view: View) -> list[tuple[Action, float]]:
        """Every legal action with its probability."""
        from pokerlab.solvers.bucketed._kernels.draw_rules import chances

        self.check_game(view.game)
        if view.betting.drawing:
            return exchanges(view, decisions(self.label))
        hands = hand_number(view.dealt), hand_number(view.cards)
        triple = Triple(*chances(decisions(self.label), *hands, facts_of(view)))
        return betting_options(triple, view, pot_fraction=self.pot_fraction)


def exchanges(view: View, tables: DrawTables) -> list[tuple[Action, float]]:
    """The exchanges of a player, with their probabilities."""
    from pokerlab.solvers.bucketed._kernels.draw_rules import discard_options

    raised = any(action_taken.seat == view.seat and action_taken.kind == "r" for action_taken in hand_actions(view))
    options: dict[Action, float] = {}
    for option in range(3):
        mask, chance = discard_options(tables, hand_number(view.dealt), int(raised), option)
        if chance > 0:
            action = discard(*thrown_cards(view.cards, mask, view.legal.discards))
            options[action] = options.get(action, 0.0) + chance
    return list(options.items())
