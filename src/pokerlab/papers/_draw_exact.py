"""Numbers of `paper ee` that need no training: flushes, folding by strength, rare hands, its walk in Kuhn poker."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from pokerlab.cards.draws import draw_measures
from pokerlab.cards.hand_numbers import HandNumbers
from pokerlab.games.poker.engine import PokerGame
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.papers.result import Row, Table
from pokerlab.tree.bucketed.exchange import ExchangeForm

HANDS = comb(52, 5)
STRAIGHT_FLUSHES = 40
CALLS_FROM = 0.5  # hand strength from which Basic calls
SUITED = 4 * comb(13, 4) * 39  # hands with four cards of a suit and one of another
OUTS = Fraction(9, 47)  # of a draw to four of a suit


def exact_table(form: ExchangeForm, numbers: HandNumbers, iterations: int, visits: float) -> Table:
    """The paper's numbers that can be counted."""
    flushes = 4 * comb(13, 5)
    folded = share_below(numbers, CALLS_FROM)
    rare, buckets = rare_hands(form, iterations, visits)
    rows = (
        Row(
            "share of hands dealt with five cards of a suit",
            printed=0.001965,
            exact=Fraction(flushes, HANDS),
            note="the printed formula gives 0.1981 %; 0.1965 % is without straight flushes",
        ),
        Row(
            "... without straight flushes",
            printed=0.001965,
            exact=Fraction(flushes - STRAIGHT_FLUSHES, HANDS),
            note="of hands dealt, not drawn",
        ),
        Row(
            "... and drawn, by those who hold four of a suit and draw one",
            exact=Fraction(SUITED, HANDS) * OUTS,
            note="so No Suits is blind to five times as many flushes as the paper counts",
        ),
        Row("share of hands that Basic folds to a bet: strength below 0.5", printed=0.5, ours={"ours": folded}),
        Row(
            f"starting hands of No Suits expected fewer than {visits:,.0f} times in {iterations:,} deals",
            ours={"ours": rare},
            note=f"of {buckets:,}",
        ),
    )
    return Table("What can be counted", rows)


def share_below(numbers: HandNumbers, strength: float) -> float:
    """The share of all hands whose strength is below a number."""
    return float((draw_measures().strength[numbers.canonical] < strength).mean())


def rare_hands(form: ExchangeForm, iterations: int, visits: float) -> tuple[int, int]:
    """How many buckets of dealt hands are expected fewer times than that, and how many there are."""
    counts = np.bincount(form.buckets.before)
    return int((counts * (iterations / counts.sum()) < visits).sum()), len(counts)


# ---- the walk in Kuhn poker (section 3.3, figure 1) ------------------------------------------------------------------

PLAYED = {"": "c", "cb": "f"}  # what the first player plays in the example, after each history
DEALT = (2, 0)  # the king and the jack
PASS, BET = 0, 1


def kuhn_table() -> Table:
    """The paper's first iteration: regrets against the action played, and those of its own algorithm 2."""
    rows = []
    for place, history, printed in (("after pass and bet", "cb", (0, 3)), ("at the top", "", (None, None))):
        for position, action in enumerate(("pass", "bet")):
            rows.append(
                Row(
                    f"{place}: regret of {action}",
                    printed=printed[position],
                    ours={
                        "against the action played": regrets(history, sampled=True)[position],
                        "algorithm 2": regrets(history, sampled=False)[position],
                    },
                )
            )
    note = (
        "The first player holds the king, the second the jack, bets after a pass and folds to a bet; pass is also fold."
    )
    return Table("The first iteration in Kuhn poker (section 3.3)", rows, note, digits=2)


def regrets(history: str, *, sampled: bool) -> tuple[float, float]:
    """The sampled regrets of pass and bet after a history, for the first player with uniform play.

    `sampled`: against the value of the action that is played in the example; otherwise, as algorithm 2 has it, against
    the mean over both.
    """
    game = poker_game("kuhn")
    state = game.child(game.root(), DEALT)
    for letter in history:
        state = game.child(state, game.actions(state)[_is_bet(letter)])
    values = [_value(game, game.child(state, action), sampled=sampled) for action in game.actions(state)]
    base = values[_is_bet(PLAYED[history])] if sampled else sum(values) / 2
    return values[PASS] - base, values[BET] - base


def _is_bet(letter: str) -> int:
    return int(letter == "b")


def _value(game: PokerGame, state: Any, *, sampled: bool) -> float:
    """What the first player wins: the second bets after a pass and folds the jack to a bet."""
    player = game.player(state)
    if player < 0:
        return float(game.returns(state)[0])
    actions = game.actions(state)
    if player == 1:
        first_bet = len(actions) == 2 and game.action_text(actions[0]) == "f"  # facing a bet
        return _value(game, game.child(state, actions[PASS if first_bet else BET]), sampled=sampled)
    values = [_value(game, game.child(state, action), sampled=sampled) for action in actions]
    return values[_is_bet(PLAYED["cb"])] if sampled else sum(values) / 2
