"""Deals the hand out against random hands and compares how often it wins with the pot odds: r00lbot.

Greg Wohletz's r00lbot of the early IRC server (Rubin and Watson, "Computer poker: a review", 2011, sections 2.3 and
3.3): before the flop, rules from Sklansky's and Malmuth's groups of hands; after it, some 3000 roll-outs against as
many random hands as there are opponents. Opponents' actions do not matter to it: that is what selective-sampling adds.

`preflop=income` orders hands by simulated income rates, as Poki did, instead of by groups (cards/starting_hands.py).
The review does not give r00lbot's rules. Ours, with f = 2 / (opponents + 1), a fair share of the pot relative to that
against one opponent:

- before the flop a hand among the best `opens` * f of all hands raises, half of that for each raise after the first;
  the best `plays` * f calls, a fifth less for each raise; other hands check or fold;
- after it, a hand that wins a share of at least `bets` * f bets, and from `raises` * f raises; it calls if it wins more
  often than the pot odds require.

Other games than hold'em have no groups: all their rounds are played as after the flop. A decision takes about 10 ms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pokerlab.agents.parts.hand_reading import holdem_deck, opponents
from pokerlab.agents.parts.situations import check_open_betting, situation
from pokerlab.agents.parts.triple import ALWAYS_CALL, ALWAYS_FOLD, ALWAYS_RAISE, PotFraction, Triple, choose
from pokerlab.cards.combos import COMBO_CLASS, combo_index
from pokerlab.cards.starting_hands import income_rates, sklansky_groups, top_shares
from pokerlab.games.poker.action import Action
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View
from pokerlab.settings import Settings, Share, one_of, whole

INCOME, GROUPS = "income", "sklansky"


@dataclass(frozen=True)
class RollOut(Settings):
    """The player of roll-outs."""

    label = "rollout"
    preflop: Annotated[str, one_of(INCOME, GROUPS)] = GROUPS
    trials: Annotated[int, whole(1, 1_000_000)] = 500  # roll-outs per decision
    opens: Share = 0.4
    plays: Share = 0.85
    bets: Share = 0.55
    raises: Share = 0.7
    pot_fraction: PotFraction = 0.75  # size of raises outside fixed limit

    def check_game(self, game: PokerGame) -> None:
        """Raise BadSetting for games with draws or later private cards."""
        check_open_betting(game, self.name)

    def reset(self) -> None:
        """Do nothing: there is nothing to forget."""

    def act(self, view: View, rng: np.random.Generator) -> Action:
        self.check_game(view.game)
        by_groups = holdem_deck(view.game) == "high" and not view.board
        triple = self.before_the_flop(view) if by_groups else self.after_it(view, rng)
        return choose(triple, view, rng, pot_fraction=self.pot_fraction)

    def before_the_flop(self, view: View) -> Triple:
        """By the order of starting hands."""
        order = -sklansky_groups() if self.preflop == GROUPS else income_rates(view.game.players)
        worse = top_shares(order)[COMBO_CLASS[combo_index(*view.cards)]]
        fair, raises = 2 / (opponents(view) + 1), max(view.betting.raises - 1, 0)
        if 1 - worse <= self.opens * fair * 0.5**raises:
            return ALWAYS_RAISE
        return ALWAYS_CALL if 1 - worse <= self.plays * fair * 0.8**raises else ALWAYS_FOLD

    def after_it(self, view: View, rng: np.random.Generator) -> Triple:
        """By the share of the pot that roll-outs win."""
        now, fair = situation(view.game, view.betting), 2 / (opponents(view) + 1)
        wins = rolled_out(view, self.trials, rng)
        if wins >= (self.raises if now.to_call else self.bets) * fair:
            return ALWAYS_RAISE
        return ALWAYS_CALL if wins >= now.pot_odds else ALWAYS_FOLD


def rolled_out(view: View, trials: int, rng: np.random.Generator) -> float:
    """The share of the pot won on average if the rest of the board is dealt and all opponents hold random cards."""
    game, strength = view.game, view.game.strength
    known = {*view.cards, *view.board}
    unseen = np.array([card for card in range(game.deck.size) if card not in known])
    coming = game.dealing.public(len(game.rules.rounds) - 1) - len(view.board)
    private, others = len(view.cards), opponents(view)
    drawn = rng.random((trials, len(unseen))).argsort(axis=1)[:, : coming + private * others]
    won = 0.0
    for row in unseen[drawn].tolist():
        board = (*view.board, *row[:coming])
        mine = strength((*view.cards, *board))
        theirs = [strength((*row[first : first + private], *board)) for first in range(coming, len(row), private)]
        best = min(theirs)
        won += 1.0 if mine < best else 1 / (1 + theirs.count(best)) if mine == best else 0.0
    return won / trials


agent = RollOut
