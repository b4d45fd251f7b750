"""How strong every hand of a game is on a board, as arrays over the hands of roll_out.py.

`percentiles` says which share of the possible hands is weaker: what thresholds of opponent models are compared with.
In hold'em all hands of a board are measured at once: before the flop by exact roll-out, after it by immediate rank, or
by effective strength, which looks one card ahead (0.1 s on a flop). Other games read hand by hand (hand_reading.py).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pokerlab.agents.parts.hand_reading import holdem_deck, read_cards
from pokerlab.agents.parts.roll_out import hands_of
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBO_CLASS, combo_index
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import strength_of

NOW, EFFECTIVE = "now", "effective"  # measures of strength
MOST_CACHED = 4_000  # boards


def percentiles(game: PokerGame, board: tuple[int, ...], *, measure: str = EFFECTIVE) -> np.ndarray:
    """The share of possible hands that are weaker, ties counting one half; arbitrary for blocked hands.  # [hand]"""
    return _percentiles(game, tuple(sorted(board)), measure)


@lru_cache(maxsize=MOST_CACHED)
def _percentiles(game: PokerGame, board: tuple[int, ...], measure: str) -> np.ndarray:
    possible = hands_of(game).without(board)
    if measure == NOW and not holdem_deck(game):
        strength = -_ranks(game, board)
    else:
        strength = strengths(game, board, measure=measure)
    ordered = np.sort(strength[possible])
    below = np.searchsorted(ordered, strength, side="left")
    up_to = np.searchsorted(ordered, strength, side="right")
    shares = (below + up_to) / (2 * len(ordered))
    shares.setflags(write=False)
    return np.asarray(shares)


def _ranks(game: PokerGame, board: tuple[int, ...]) -> np.ndarray:
    """The rank of each hand with the board, smaller is stronger; 0 for blocked hands.  # [hand]"""
    hands = hands_of(game)
    found = np.zeros(len(hands))
    rank = strength_of(game.rules.showdown, game.deck, len(hands.cards[0]) + len(board))
    for number in np.flatnonzero(hands.without(board)).tolist():
        found[number] = rank((*hands.cards[number], *board))
    return found


def strengths(game: PokerGame, board: tuple[int, ...], *, measure: str = EFFECTIVE) -> np.ndarray:
    """The strength of each hand against a random one, 0 to 1; arbitrary for hands that contain a card of the board.

    `NOW` is the immediate rank, `EFFECTIVE` adds the positive potential of the next card.
    """
    return _strengths(game, tuple(sorted(board)), measure if _improves(game, board) else NOW)


def _improves(game: PokerGame, board: tuple[int, ...]) -> bool:
    return len(board) < sum(round_.public for round_ in game.rules.rounds)


@lru_cache(maxsize=MOST_CACHED)
def _strengths(game: PokerGame, board: tuple[int, ...], measure: str) -> np.ndarray:
    deck = holdem_deck(game)
    if deck == "high" and not board:
        from pokerlab.cards.measures import preflop_strength

        found = preflop_strength().rollout[COMBO_CLASS]
    elif deck and len(board) >= 3:
        found = _on_board(game, deck, board, measure)
    else:
        found = _one_by_one(game, board, measure)
    found.setflags(write=False)
    return np.asarray(found)


def _on_board(game: PokerGame, deck: str, board: tuple[int, ...], measure: str) -> np.ndarray:
    from pokerlab.cards.measures import board_measures, immediate_ranks
    from pokerlab.cards.strength import ranking

    shift = FULL_DECK.size - game.deck.size  # the lowest card of a short deck is the full deck's 16th
    shown = [card + shift for card in board]
    if measure == EFFECTIVE:
        values = board_measures(shown, lookahead=1, bins=1, ranking=ranking(deck)).effective
    else:
        values = immediate_ranks(shown, ranking=ranking(deck))
    values = np.nan_to_num(values)
    if shift:
        values = values[_combos(game, shift)]
    return np.asarray(values)


@lru_cache(maxsize=8)
def _combos(game: PokerGame, shift: int) -> np.ndarray:
    """The number of each hand among those of the full deck.  # [hand]"""
    return np.array([combo_index(*(card + shift for card in hand)) for hand in hands_of(game).cards])


def _one_by_one(game: PokerGame, board: tuple[int, ...], measure: str) -> np.ndarray:
    hands = hands_of(game)
    possible, found = hands.without(board), np.zeros(len(hands))
    for number in np.flatnonzero(possible).tolist():
        hand = hands.cards[number]
        reading = read_cards(game, hand, board, rng=np.random.default_rng((*hand, *board)))  # used if sampled
        found[number] = reading.effective if measure == EFFECTIVE else reading.now
    return found
