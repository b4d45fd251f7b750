"""How good a hand is against an unknown opposing hand: now, after the cards to come, and how that may change.

The measures of Rubin and Watson's review, section 2.2, for hold'em boards of three to five cards:

- immediate hand rank (IHR): the share of the opponent's hands that we beat now, ties one half; against a weighted
  opponent it is the immediate hand strength (IHS);
- positive and negative potential: behind now and ahead later, ahead now and behind later (ties count one half), with
  a lookahead of one or two cards;
- effective hand strength (EHS): IHS + (1 - IHS) * positive potential;
- roll-out strength (7cHS, the same as E[HS]): the share at the river, over all run-outs;
- E[HS^2] and the histogram of the share at the river.

`hand_measures` is for one hand, pair by pair; `board_measures` for all 1,326 at once, by sorting and sweeping.
Averages over run-outs weight each run-out by its probability against this opponent: uniform if all their hands are
equally likely. A hand that is never behind has positive potential 0, one that is never ahead negative potential 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from pokerlab import store
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import (
    CLASS_COUNT,
    CLASS_SIZES,
    COMBO_CLASS,
    COMBO_COUNT,
    COMBOS,
    blocked,
    combo_index,
    combo_name,
)
from pokerlab.cards.strength import HIGH, Ranking
from pokerlab.errors import BadCards, BadRange, BadSetting

if TYPE_CHECKING:
    from pokerlab.cards._kernels.measures import Outcomes, RunOutSums
    from pokerlab.cards._kernels.strength import StrengthTables


_FINEST = 2.0**40  # weights are rounded to multiples of the largest over this, unless they are short decimals


@dataclass(frozen=True)
class HandMeasures:
    """The measures of one hand on a board."""

    wins: float  # weight of the opponent's hands that we beat on the current board
    ties: float
    losses: float
    transitions: np.ndarray  # [3, 3] weight by ahead, tied, behind: rows now, columns after `lookahead` cards
    lookahead: int
    scores: np.ndarray  # [run-out] weight beaten at the river, plus half of that tied
    totals: np.ndarray  # [run-out] opponent weight at the river

    @property
    def immediate(self) -> float:
        """IHR, or IHS against a weighted opponent: wins plus half the ties, over all."""
        return (self.wins + self.ties / 2) / (self.wins + self.ties + self.losses)

    @property
    def positive(self) -> float:
        """Positive potential: the share of being behind now that is ahead later."""
        (_, _, _), (tied_ahead, _, _), (behind_ahead, behind_tied, _) = self.transitions
        all_tied, all_behind = self.transitions[1].sum(), self.transitions[2].sum()
        return _ratio(behind_ahead + behind_tied / 2 + tied_ahead / 2, all_behind + all_tied / 2)

    @property
    def negative(self) -> float:
        """Negative potential: the share of being ahead now that is behind later."""
        (_, ahead_tied, ahead_behind), (_, _, tied_behind), (_, _, _) = self.transitions
        all_ahead, all_tied = self.transitions[0].sum(), self.transitions[1].sum()
        return _ratio(ahead_behind + ahead_tied / 2 + tied_behind / 2, all_ahead + all_tied / 2)

    @property
    def effective(self) -> float:
        """EHS: ahead now, or behind and improving."""
        return self.immediate + (1 - self.immediate) * self.positive

    @property
    def rollout(self) -> float:
        """7cHS, E[HS]: the mean share at the river."""
        return float(self.scores.sum() / self.totals.sum())

    @property
    def squared(self) -> float:
        """E[HS^2]: the mean squared share at the river; larger for hands that may become very strong."""
        return float((self.scores**2 / self.totals).sum() / self.totals.sum())

    def histogram(self, bins: int = 10) -> np.ndarray:
        """The probability [bins] that the share at the river falls into each of equal bins of 0 to 1."""
        _check_bins(bins)
        part = np.minimum((self.scores * bins / self.totals).astype(np.int64), bins - 1)
        return np.asarray(np.bincount(part, self.totals, bins) / self.totals.sum())


@dataclass(frozen=True)
class BoardMeasures:
    """The measures of every hand on a board, in the order of cards/combos.py; nan if the board blocks the hand or
    the hand blocks the opponent's whole range."""

    board: tuple[int, ...]
    wins: np.ndarray  # [1326]
    ties: np.ndarray  # [1326]
    losses: np.ndarray  # [1326]
    immediate: np.ndarray  # [1326] IHR, IHS
    positive: np.ndarray  # [1326]
    negative: np.ndarray  # [1326]
    effective: np.ndarray  # [1326] EHS
    rollout: np.ndarray  # [1326] 7cHS, E[HS]
    squared: np.ndarray  # [1326] E[HS^2]
    histogram: np.ndarray  # [1326, bins]
    lookahead: int


def hand_measures(
    hole: Sequence[int],
    board: Sequence[int],
    *,
    weights: np.ndarray | None = None,
    lookahead: int | None = None,
    ranking: Ranking | None = None,
) -> HandMeasures:
    """Measure one hand; `weights` [1326] are the opponent's, potential looks `lookahead` cards ahead (default: all).

    >>> measured = hand_measures(FULL_DECK.cards("TcJc"), FULL_DECK.cards("2dTsKh"))
    >>> measured.wins, measured.ties, measured.losses, round(measured.immediate, 6)
    (899.0, 6.0, 176.0, 0.834413)
    """
    if len(hole) != 2:
        raise BadCards(f"a hand has two cards, got {len(hole)}")
    _check([*hole, *board], ranking or HIGH())
    table = _Table.of(board, weights, lookahead, ranking)
    to_river = 5 - len(board)
    now, transitions, scores, totals = table.one_hand(hole, to_river)
    if now.sum() == 0:
        held, shown = FULL_DECK.text(hole), FULL_DECK.text(board)
        raise BadRange(f"with {held} on {shown} the opponent can hold none of the hands of this range")
    if table.lookahead != to_river:
        transitions = table.one_hand(hole, table.lookahead).table
    possible = totals > 0
    wins, ties, losses = (now / table.unit).tolist()
    return HandMeasures(
        wins,
        ties,
        losses,
        transitions=transitions / table.unit,
        lookahead=table.lookahead,
        scores=scores[possible] / table.unit,
        totals=totals[possible] / table.unit,
    )


def hand_transitions(
    hole: Sequence[int],
    board: Sequence[int],
    *,
    weights: np.ndarray | None = None,
    lookahead: int | None = None,
    ranking: Ranking | None = None,
) -> np.ndarray:
    """Opponent hands times run-outs of `lookahead` cards [3, 3], by ahead, tied, behind: rows now, columns later.

    For use at every decision: fast up to one card ahead. `weights` [1326] are the opponent's; the counts are multiples
    of them.
    """
    rank = ranking or HIGH()
    _check([*hole, *board], rank)
    table = _Table.of(board, weights, lookahead, rank)
    if table.lookahead > 1 or weights is not None:
        return np.asarray(table.one_hand(hole, table.lookahead).table)
    from pokerlab.cards._kernels.measures import count_transitions

    counts = np.zeros(9, np.int64)
    hand, tables = combo_index(*hole), table._tables(table.lookahead)
    count_transitions(hand, table.board, table.lookahead, table.dead, COMBOS, *tables, counts)
    return counts.reshape(3, 3).astype(np.float64)


def board_measures(
    board: Sequence[int],
    *,
    weights: np.ndarray | None = None,
    lookahead: int | None = None,
    bins: int = 10,
    ranking: Ranking | None = None,
) -> BoardMeasures:
    """Measure every hand of a board against an opponent with `weights` [1326], uniform by default.

    >>> measured = board_measures(FULL_DECK.cards("2dTsKh7c"))
    >>> combo_name(int(np.nanargmax(measured.immediate)))
    'KdKc'
    """
    _check_bins(bins)
    table = _Table.of(board, weights, lookahead, ranking)
    wins, ties, faced = table.compare()
    to_river = 5 - len(board)
    final = table.sum_run_outs(to_river, bins, potential=table.lookahead == to_river)
    looked = final if table.lookahead == to_river else table.sum_run_outs(table.lookahead, 1, potential=True)
    missing = table.dead[COMBOS].any(1) | (faced == 0)
    run_outs = comb(int((~table.dead).sum()) - 4, table.lookahead)
    immediate = _ratios(wins + ties / 2, faced)
    improved, score_now = looked.gains, (wins + ties / 2) * run_outs
    worsened = np.maximum(improved - (looked.scores - score_now), 0)
    positive = _ratios(improved, faced * run_outs - score_now)
    results = {
        "wins": wins / table.unit,
        "ties": ties / table.unit,
        "losses": (faced - wins - ties) / table.unit,
        "immediate": immediate,
        "positive": positive,
        "negative": _ratios(worsened, score_now),
        "effective": immediate + (1 - immediate) * positive,
        "rollout": _ratios(final.scores, final.totals),
        "squared": _ratios(final.squares, final.totals),
        "histogram": _ratios(final.histogram, final.totals[:, None]),
    }
    for values in results.values():
        values[missing] = np.nan
    return BoardMeasures(board=tuple(int(card) for card in board), lookahead=table.lookahead, **results)


def immediate_ranks(
    board: Sequence[int], *, weights: np.ndarray | None = None, ranking: Ranking | None = None
) -> np.ndarray:
    """The immediate rank of every hand [1326] of a board, nan if blocked: the fast part of `board_measures`."""
    table = _Table.of(board, weights, 0, ranking)
    wins, ties, faced = table.compare()
    return np.where(faced > 0, _ratios(wins + ties / 2, faced), np.nan)


@dataclass(frozen=True)
class PreflopStrength:
    """The exact strength at the river of the 169 classes of hole cards against a uniform opponent."""

    counts: np.ndarray  # [169, 1981] int64: deals of the class and a board, by twice the wins plus the ties out of 990

    @property
    def rollout(self) -> np.ndarray:
        """7cHS, E[HS] of each class [169]."""
        return np.asarray(self.counts @ np.arange(1981) / self.counts.sum(1) / 1980)

    @property
    def squared(self) -> np.ndarray:
        """E[HS^2] of each class [169]."""
        return np.asarray(self.counts @ np.arange(1981) ** 2 / self.counts.sum(1) / 1980**2)

    def histogram(self, bins: int = 10) -> np.ndarray:
        """The probability [169, bins] of each bin of 0 to 1."""
        _check_bins(bins)
        part = np.minimum(np.arange(1981) * bins // 1980, bins - 1)
        return np.asarray(self.counts @ (part[:, None] == np.arange(bins)) / self.counts.sum(1, keepdims=True))


@cache
def preflop_strength() -> PreflopStrength:
    """Measure hole cards before the flop over all boards, once; saved in the store.

    Suit-isomorphic boards are evaluated once and weighted by their number: 134,459 instead of 2,598,960.
    """
    saved = store.computed("preflop-strength", _preflop_counts, kind="preflop strength", edition=1)
    return PreflopStrength(np.array(saved.arrays["counts"]))


def _preflop_counts() -> dict[str, np.ndarray]:
    from pokerlab.cards._kernels.measures import count_boards
    from pokerlab.cards.canonical import canonical_boards

    counts = np.zeros((CLASS_COUNT, 1981), np.int64)
    count_boards(*canonical_boards(5), COMBOS, COMBO_CLASS, HIGH().tables(7), counts)
    assert (counts.sum(1) == CLASS_SIZES * comb(50, 5)).all()
    return {"counts": counts}


@dataclass(frozen=True)
class _Table:
    """A checked board with known cards, the opponent's weights as integers, and the strength tables."""

    board: np.ndarray  # [m] uint8
    dead: np.ndarray  # [52] bool
    weights: np.ndarray  # [1326] float64
    unit: float  # the integer that represents a weight of 1
    lookahead: int
    ranking: Ranking

    @staticmethod
    def of(board: Sequence[int], weights: np.ndarray | None, lookahead: int | None, ranking: Ranking | None) -> _Table:
        rank = ranking or HIGH()
        if rank.order.most_cards != 7:
            raise BadSetting(f"the measures are of hold'em hands, not of {rank.order.name} poker")
        if not 3 <= len(board) <= 5:
            raise BadCards(f"the board must have three to five cards, got {len(board)}")
        _check(board, rank)
        dead = np.zeros(52, np.bool_)
        dead[: 4 * rank.order.lowest_rank] = True
        dead[list(board)] = True
        to_come = 5 - len(board)
        ahead = to_come if lookahead is None else lookahead
        if not 0 <= ahead <= to_come:
            raise BadSetting(f"with {len(board)} cards on the board potential looks 0 to {to_come} cards ahead")
        return _Table(np.array(list(board), np.uint8), dead, *_integer_weights(weights), ahead, rank)

    def compare(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Weight that each hand beats, ties and faces on the current board."""
        from pokerlab.cards._kernels.measures import compare_board
        from pokerlab.cards._kernels.sweep import OpposingWeights

        wins, ties, faced = np.zeros((3, COMBO_COUNT))
        tables = self.ranking.tables(len(self.board) + 2)
        compare_board(self.board, self.dead, COMBOS, self.weights, tables, OpposingWeights(wins, ties, faced))
        return wins, ties, faced

    def sum_run_outs(self, to_come: int, bins: int, *, potential: bool) -> RunOutSums:
        """The sums over all run-outs of this many cards, for every hand."""
        from pokerlab.cards._kernels.measures import RunOutSums, sum_run_outs

        scores, squares, totals = np.zeros((3, COMBO_COUNT))
        gains = np.zeros(COMBO_COUNT if potential else 0)
        sums = RunOutSums(scores, squares, totals, np.zeros((COMBO_COUNT, bins)), gains)
        run_outs = self._run_outs(to_come)
        sum_run_outs(self.board, run_outs, self.dead, COMBOS, self.weights, *self._tables(to_come), sums)
        return sums

    def one_hand(self, hole: Sequence[int], to_come: int) -> Outcomes:
        """Weight now [3], transitions [3, 3], and per run-out the score and the opponent weight, of one hand."""
        from pokerlab.cards._kernels.measures import Outcomes, one_hand

        run_outs = self._run_outs(to_come)
        run_outs = run_outs[~np.isin(run_outs, hole).any(1)]
        outcomes = Outcomes(np.zeros(3), np.zeros((3, 3)), *np.zeros((2, len(run_outs))))
        weights, hand = np.where(blocked(hole), 0.0, self.weights), combo_index(*hole)
        one_hand(hand, self.board, run_outs, self.dead, weights, *self._tables(to_come), outcomes)
        return outcomes

    def _run_outs(self, to_come: int) -> np.ndarray:
        live = np.flatnonzero(~self.dead).tolist()
        rows = list(combinations(live, to_come))
        return np.array(rows, np.uint8).reshape(len(rows), to_come)

    def _tables(self, to_come: int) -> tuple[StrengthTables, StrengthTables]:
        """The kernels' strength tables for the board now, and after this many more cards."""
        size = len(self.board) + 2
        return self.ranking.tables(size), self.ranking.tables(size + to_come)


def _check(cards: Sequence[int], rank: Ranking) -> None:
    FULL_DECK.check(cards)
    for card in cards:
        if card < 4 * rank.order.lowest_rank:
            raise BadCards(f"{FULL_DECK.name(card)} is not in the deck of {rank.order.name} poker")


def _integer_weights(weights: np.ndarray | None) -> tuple[np.ndarray, float]:
    """Weights [1326] as integers, so that sums and removals are exact, and the integer that represents 1."""
    if weights is None:
        return np.ones(COMBO_COUNT), 1.0
    array = np.asarray(weights, np.float64)
    if array.shape != (COMBO_COUNT,):
        raise BadRange(f"an opponent has {COMBO_COUNT} weights, one for each hand, not an array of {array.shape}")
    wrong = np.flatnonzero(~(np.isfinite(array) & (array >= 0)))
    if len(wrong):
        raise BadRange(f"the weight {array[wrong[0]]} of {combo_name(int(wrong[0]))} is not a number from 0 up")
    largest = float(array.max())
    if largest == 0:
        raise BadRange("the opponent's range is empty: give some hand a weight above 0")
    for unit in (1.0, 10.0, 100.0, 1000.0, 10000.0):
        integers = np.rint(array * unit)
        if largest * unit <= _FINEST and (integers / unit == array).all():
            return integers, unit
    unit = _FINEST / largest
    return np.rint(array * unit), unit


def _check_bins(bins: int) -> None:
    if not 1 <= bins <= 1000:
        raise BadSetting(f"a histogram has 1 to 1000 bins, not {bins}")


def _ratio(part: float, total: float) -> float:
    return float(part / total) if total else 0.0


def _ratios(part: np.ndarray, total: np.ndarray) -> np.ndarray:
    return np.asarray(np.divide(part, total, out=np.zeros_like(part), where=total > 0))
