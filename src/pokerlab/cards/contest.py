"""A contest: the players' ranges, the board and the dead cards; and the exact counting methods.

Each method returns `Splits`: for each player, the weight of deals in which they take an equal k-th of the pot.
cards/equity.py chooses the method and says why; cards/sampling.py is the random one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, islice, permutations
from math import comb, prod

import numpy as np

from pokerlab import parallel
from pokerlab.cards import preflop
from pokerlab.cards.combos import COMBO_COUNT, COMBOS, renamed_combos
from pokerlab.cards.ranges import Range
from pokerlab.cards.strength import HIGH
from pokerlab.events import SILENT, Watch

_OUTER_ROWS = 2048  # rows of boards per unit of work
# [52] uint64: a card as a bit of its suit's ranks; [1326] uint64: a hand as a set of two cards
CARD_BITS = np.array([1 << (16 * (card % 4) + card // 4) for card in range(52)], np.uint64)
HAND_MASKS = (np.uint64(1) << COMBOS[:, 0].astype(np.uint64)) | (np.uint64(1) << COMBOS[:, 1].astype(np.uint64))


@dataclass(frozen=True, eq=False)
class Contest:
    """Ranges from which hands blocked by the board and the dead cards have been removed."""

    ranges: tuple[Range, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]

    @cached_property
    def weights(self) -> np.ndarray:
        """[player, 1326]; if all hands of a range have the same weight, it becomes 1, so that counts are integers."""
        rows = []
        for held in self.ranges:
            levels = np.unique(held.weights[held.combos])
            rows.append(held.weights / levels[0] if len(levels) == 1 else held.weights)
        return np.array(rows)

    @cached_property
    def hands(self) -> tuple[np.ndarray, ...]:
        """The possible hands of each player."""
        return tuple(held.combos for held in self.ranges)

    @property
    def is_unweighted(self) -> bool:
        """Whether every hand has weight 0 or 1, so that counts are integers."""
        return bool(np.isin(self.weights, (0, 1)).all())

    @property
    def known(self) -> bool:
        """Whether every player has one hand."""
        return all(len(hands) == 1 for hands in self.hands)

    @property
    def to_come(self) -> int:
        """The number of board cards still to be dealt."""
        return 5 - len(self.board)

    @property
    def deck(self) -> list[int]:
        """Cards that are neither on the board nor dead."""
        gone = {*self.board, *self.dead}
        return [card for card in range(52) if card not in gone]

    @property
    def run_outs(self) -> int:
        """The number of ways to complete the board, ignoring the hands."""
        return comb(len(self.deck), self.to_come)

    @property
    def boards(self) -> int:
        """The number of ways to complete the board once every player has a hand."""
        return comb(len(self.deck) - 2 * len(self.ranges), self.to_come)

    @property
    def assignments(self) -> int:
        """An upper bound on the number of ways to deal the hands."""
        return prod(len(hands) for hands in self.hands)

    @property
    def dead_mask(self) -> np.ndarray:
        """Dead cards as [52] bool."""
        mask = np.zeros(52, np.bool_)
        mask[list(self.dead)] = True
        return mask


@dataclass(frozen=True, eq=False)
class Splits:
    """The counts; `weights[player, k]` is how much of `total` the player shares in k equal parts."""

    weights: np.ndarray  # [player, players + 1] float64
    total: float


def count_boards(contest: Contest, watch: Watch = SILENT) -> Splits:
    """Known hands on every board."""
    hands = [int(hands[0]) for hands in contest.hands]
    counts = known_hands(hands, contest.board, contest.dead, watch)
    return Splits(counts.astype(np.float64), float(contest.boards))


def known_hands(hands: list[int], board: tuple[int, ...], dead: tuple[int, ...], watch: Watch = SILENT) -> np.ndarray:
    """[player, players + 1] int64: on how many boards each of these hands takes an equal k-th of the pot."""
    from pokerlab.cards._kernels.equity import CardSets
    from pokerlab.cards._kernels.equity import count_boards as kernel

    ranking = HIGH()
    held = [[*map(int, COMBOS[hand]), *board] for hand in hands]
    gone = {*dead, *(card for cards in held for card in cards)}
    deck = [card for card in range(52) if card not in gone]
    own = CardSets(
        np.array([ranking.start + ranking.keys[cards].sum() for cards in held], np.uint64),
        np.array([CARD_BITS[cards].sum() for cards in held], np.uint64),
    )
    left = CardSets(ranking.keys[deck], CARD_BITS[deck])
    to_come = 5 - len(board)
    inner = min(2, to_come)
    outer = _positions(len(deck), to_come - inner)

    def counted(start: int) -> np.ndarray:
        splits = np.zeros((len(hands), len(hands) + 1), np.int64)
        kernel(own, left, outer[start : start + _OUTER_ROWS], inner, ranking.tables(7), splits)
        return splits

    total = np.zeros((len(hands), len(hands) + 1), np.int64)
    starts = range(0, len(outer), _OUTER_ROWS)
    for done, result in enumerate(parallel.run(counted, starts, cancel=watch.cancel), start=1):
        total += result
        watch.at("counting", done, len(starts))
    return total


@cache
def _positions(size: int, length: int) -> np.ndarray:
    """All ascending index tuples [n, length] of `length` cards in a deck."""
    flat = np.fromiter((place for chosen in combinations(range(size), length) for place in chosen), np.int64)
    return flat.reshape(comb(size, length), length)


def table_splits(contest: Contest, watch: Watch = SILENT) -> Splits:
    """Two ranges before the flop, from the table of all hands against all hands."""
    table = preflop.preflop_table(5, watch=watch)
    first, second = contest.weights
    wins = float(first @ (table.wins @ second))
    losses = float(second @ (table.wins @ first))
    ties = float(first @ (table.ties @ second))
    return Splits(np.array([[0, wins, ties], [0, losses, ties]]), wins + losses + ties)


def match_ups(contest: Contest) -> tuple[np.ndarray, np.ndarray]:
    """Choices of one hand per player [n, player], suit-isomorphic ones merged, and the weight of each [n].

    For at most six players, because a choice is one 64-bit integer.
    """
    rows, used = np.zeros((1, 0), np.int64), np.zeros(1, np.uint64)
    for hands in contest.hands:
        first, second = (grid.ravel() for grid in np.meshgrid(np.arange(len(rows)), hands, indexing="ij"))
        fits = (used[first] & HAND_MASKS[second]) == 0
        first, second = first[fits], second[fits]
        rows, used = np.hstack([rows[first], second[:, None]]), used[first] | HAND_MASKS[second]
    weight = np.ones(len(rows))
    for player, hands in enumerate(rows.T):
        weight *= contest.weights[player][hands]
    least = np.full(len(rows), np.iinfo(np.int64).max)
    for suits in permutations(range(4)):
        known = (contest.board, contest.dead)
        if not all({card // 4 * 4 + suits[card % 4] for card in cards} == {*cards} for cards in known):
            continue  # only renamings that fix the board and the dead cards
        renamed, number = renamed_combos(suits), np.zeros(len(rows), np.int64)
        for hands in rows.T:
            number = number * COMBO_COUNT + renamed[hands]
        np.minimum(least, number, out=least)
    _, chosen, place = np.unique(least, return_index=True, return_inverse=True)
    return rows[chosen], np.bincount(place, weight, len(chosen))


def count_match_ups(contest: Contest, watch: Watch = SILENT) -> Splits:
    """Ranges of few hands, by counting all boards for each match-up type."""
    choices, weights = match_ups(contest)
    players = len(contest.ranges)
    splits = np.zeros((players, players + 1))
    for done, (hands, weight) in enumerate(zip(choices.tolist(), weights, strict=True), start=1):
        splits += weight * known_hands(hands, contest.board, contest.dead)
        watch.at("counting", done, len(choices))
    return Splits(splits, float(weights.sum()) * contest.boards)


def sweep_splits(contest: Contest, watch: Watch = SILENT) -> Splits:
    """Two ranges over all run-outs, without comparing pairs of hands."""
    win, tie, total = against(contest, 1, contest.hands[0], watch)
    first = contest.weights[0]
    wins, ties, deals = float(first @ win), float(first @ tie), float(first @ total)
    return Splits(np.array([[0, wins, ties], [0, deals - wins - ties, ties]]), deals)


def against(
    contest: Contest, opponent: int, hands: np.ndarray, watch: Watch = SILENT
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weight of one player's range that each of these hands beats, ties and faces, over all run-outs: [1326]."""
    from pokerlab.cards._kernels.equity import sweep_boards
    from pokerlab.cards._kernels.sweep import OpposingWeights

    tables = HIGH().tables(7)
    weights = contest.weights[opponent]
    either = np.union1d(hands, np.flatnonzero(weights)).astype(np.int16)
    dead = contest.dead_mask

    def swept(boards: np.ndarray) -> np.ndarray:
        sums = np.zeros((3, COMBO_COUNT))
        sweep_boards(boards, dead, tables, either, COMBOS, weights, OpposingWeights(*sums))
        return sums

    win, tie, total = _over_boards(contest, swept, watch)
    return win, tie, total


def _boards(contest: Contest, size: int) -> Iterator[np.ndarray]:
    """All completed boards [n, 5], in pieces."""
    run_outs = combinations(contest.deck, contest.to_come)
    while piece := list(islice(run_outs, size)):
        more = np.array(piece, np.uint8).reshape(len(piece), contest.to_come)
        yield np.hstack([np.repeat(np.array([contest.board], np.uint8), len(piece), axis=0), more])


def _over_boards(contest: Contest, function: Callable[[np.ndarray], np.ndarray], watch: Watch) -> np.ndarray:
    size = 64 if contest.run_outs < 1 << 16 else 1024
    pieces = -(-contest.run_outs // size)
    total = np.zeros(())
    for done, result in enumerate(parallel.run(function, _boards(contest, size), cancel=watch.cancel), start=1):
        total = total + result
        watch.at("counting", done, pieces)
    return total


def deal_splits(contest: Contest, watch: Watch = SILENT) -> Splits:
    """Every deal of every player's range on every run-out."""
    from pokerlab.cards._kernels.deals import Ranges, deal_all_boards

    tables = HIGH().tables(7)
    players = len(contest.ranges)
    order = sorted(range(players), key=lambda player: len(contest.hands[player]))  # the longest loop innermost
    lengths = np.array([len(contest.hands[player]) for player in order])
    hands = np.zeros((players, int(lengths.max())), np.int16)
    for row, player in enumerate(order):
        hands[row, : lengths[row]] = contest.hands[player]
    ranges = Ranges(lengths, hands, np.ascontiguousarray(contest.weights[order]))
    dead = contest.dead_mask

    def dealt(boards: np.ndarray) -> np.ndarray:
        splits = np.zeros((players, players + 1))
        splits[0, 0] = deal_all_boards(boards, dead, tables, ranges, HAND_MASKS, splits)
        return splits

    summed = _over_boards(contest, dealt, watch)
    total = float(summed[0, 0])
    summed[0, 0] = 0
    splits = np.empty_like(summed)
    splits[order] = summed
    return Splits(splits, total)
