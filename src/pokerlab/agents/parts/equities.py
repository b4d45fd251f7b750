"""How groups of hands and whole ranges fare against each other if the rest of the board is dealt without bets.

A fixed sample of run-outs stands for all of them (all, if there are few), and hands are compared by the share of hands
that are weaker at the end. Cards that two hands share are ignored; win_shares in roll_out.py is exact for one hand.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.agents.parts.beliefs import possible
from pokerlab.agents.parts.hand_reading import holdem_deck
from pokerlab.agents.parts.hand_tables import NOW, percentiles
from pokerlab.agents.parts.roll_out import hands_of, run_outs, win_shares
from pokerlab.games.poker.engine import PokerGame

RUN_OUTS = 48  # all of a turn
BINS = 100  # of strengths at the end


class FinalBins(NamedTuple):
    """Where hands end up."""

    bins: np.ndarray  # [run-out, hand] bin of the strength at the end
    free: np.ndarray  # [run-out, hand] whether the run-out leaves the hand possible


@lru_cache(maxsize=200)
def final_bins(game: PokerGame, board: tuple[int, ...]) -> FinalBins:
    """The bins of all hands for run-outs of a board."""
    unseen = [card for card in range(game.deck.size) if card not in board]
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    bins, free = [], []
    for later in run_outs(unseen, coming, most=RUN_OUTS, seed=board):
        strength = percentiles(game, (*board, *later), measure=NOW)
        bins.append(np.minimum((strength * BINS).astype(np.int64), BINS - 1))
        free.append(hands_of(game).without((*board, *later)))
    return FinalBins(np.array(bins), np.array(free))


def equity_matrix(game: PokerGame, board: tuple[int, ...], rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The share of the pot that each range of `rows` [row, hand] wins against each of `columns` [column, hand]."""
    final = final_bins(game, tuple(sorted(board)))
    total = np.zeros((len(rows), len(columns)))
    for bins, free in zip(final.bins, final.free, strict=True):
        mine, theirs = _distribution(bins, rows * free), _distribution(bins, columns * free)
        below = np.cumsum(theirs, axis=1) - theirs / 2
        total += mine @ below.T
    return total / len(final.bins)


def shares_of(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """The share of the pot that a hand wins against each opposing hand: exact in hold'em.  # [hand]"""
    if holdem_deck(game) == "high" or (holdem_deck(game) and board):
        return win_shares(game, tuple(sorted(cards)), tuple(sorted(board)))
    final, own = final_bins(game, tuple(sorted(board))), hands_of(game).number(cards)
    free = final.free & final.free[:, [own]]
    gap = np.sign(final.bins[:, [own]] - final.bins)
    total = ((gap + 1) / 2 * free).sum(axis=0)
    seen = free.sum(axis=0)
    return np.where(seen > 0, total / np.maximum(seen, 1), 0.5)


def equities_against(game: PokerGame, board: tuple[int, ...], weights: np.ndarray) -> np.ndarray:
    """The share of the pot that each hand wins against a range [hand].  # [hand]"""
    final = final_bins(game, tuple(sorted(board)))
    total, seen = np.zeros(len(weights)), np.zeros(len(weights))
    for bins, free in zip(final.bins, final.free, strict=True):
        [theirs] = _distribution(bins, (weights * free)[None])
        below = np.cumsum(theirs) - theirs / 2
        total += below[bins] * free
        seen += free
    return np.asarray(total / np.maximum(seen, 1))


def _distribution(bins: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The chance of each bin under each range; uniform if it is empty.  # [range, bin]"""
    found = np.array([np.bincount(bins, row, BINS) for row in weights])
    totals = found.sum(axis=1, keepdims=True)
    return np.where(totals > 0, found / np.where(totals > 0, totals, 1), 1 / BINS)


class Groups(NamedTuple):
    """Hands in groups of equal size by strength, the weakest first."""

    of_hand: np.ndarray  # [hand]
    count: int

    def masses(self, weights: np.ndarray) -> np.ndarray:
        """The weight of each group.  # [group]"""
        return np.bincount(self.of_hand, weights, self.count)

    def ranges(self, weights: np.ndarray) -> np.ndarray:
        """The part of a range that is in each group.  # [group, hand]"""
        return np.where(self.of_hand == np.arange(self.count)[:, None], weights, 0.0)


def strength_groups(game: PokerGame, board: tuple[int, ...], count: int) -> Groups:
    """Groups by the share of hands that are weaker on a board."""
    strength = percentiles(game, board, measure=NOW)
    return Groups(np.minimum((strength * count).astype(np.int64), count - 1), count)


def public_range(game: PokerGame, board: tuple[int, ...], weights: np.ndarray) -> np.ndarray:
    """A range as it looks to everybody, without the hands that the board excludes.  # [hand]"""
    return possible(game, weights, board)
