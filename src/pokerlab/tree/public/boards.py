"""The boards of a game of public cards, round by round, and each player's hands on them.

A hand is one or two cards; two hands that share a card exclude each other, and a board excludes the hands that share a
card with it. Boards that a symmetry of the cards maps onto each other are stored once, with the images of their hands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.tree.public.treeplex import padded

BLOCK = 32  # hands are padded to a multiple of this

# (cards of the board) -> one number per hand, larger is stronger; any number for hands that conflict with the board
Strength = Callable[[tuple[int, ...]], np.ndarray]
Arrays = list[np.ndarray]


@dataclass(frozen=True)
class Hands:
    """One player's hands on every board of a round. Rows beyond `count` are empty."""

    rows: int  # padded
    count: np.ndarray  # [board] int32
    hand: np.ndarray  # [board, row] int16: number among all hands, -1 where empty
    cards: np.ndarray  # [board, row, 2] int16
    above: np.ndarray  # [board, row] int16: row on the board before; empty rows point one past its last
    twin: np.ndarray  # [board, row] int16: the opponent's row of the same hand, or one past their last
    image_row: np.ndarray  # [image, row] int16: where each image of the board puts a row on the board before
    group: np.ndarray  # [groups of all boards + boards] int32: first row of each strength, then the count
    below: np.ndarray | None = None  # [board, row above] int16: the row here, -1 if blocked; where no board has images


@dataclass(frozen=True)
class Board:
    """One board of a round, representing all its images."""

    cards: tuple[int, ...]  # public cards so far
    parent: int  # its number in the round before
    group: list[np.ndarray]  # symmetries that preserve it
    images: list[np.ndarray]  # a permutation of the cards for each board it represents, itself first


@dataclass(frozen=True)
class Cards:
    """The cards of a game: hands, each player's weights, the first board and the deals that follow."""

    hands: Sequence[tuple[int, ...]]
    weights: tuple[np.ndarray, np.ndarray]  # [hand] of each player, zero for hands that conflict with the first board
    deck_size: int
    board: tuple[int, ...]
    deals: tuple[int, ...]

    @property
    def chances(self) -> list[float]:
        """The probability of each board, in each round, given two hands and the board before."""
        left = self.deck_size - len(self.board) - 2 * len(self.hands[0])
        chances = [1.0]
        for count in self.deals:
            if left < count:
                raise BadSetting(f"there are not enough cards: {left} are left for a deal of {count}")
            chances.append(1.0 / comb(left, count))
            left -= count
        return chances


class HandImages:
    """Where permutations of the cards map hands of one or two cards."""

    def __init__(self, hands: Sequence[tuple[int, ...]], deck_size: int) -> None:
        self._cards = np.sort(np.array(hands, np.int64).reshape(len(hands), -1), axis=1)  # [hand, 1 or 2]
        self._number = np.full((deck_size,) * self._cards.shape[1], -1)  # of the hand of some cards, lowest first
        self._number[tuple(self._cards.T)] = np.arange(len(hands))
        self._known: dict[bytes, np.ndarray] = {}

    def under(self, permutation: np.ndarray) -> np.ndarray:
        """[hand] The hand that each hand is mapped to, -1 if there is no such hand."""
        key = permutation.tobytes()
        if key not in self._known:
            self._known[key] = self._number[tuple(np.sort(permutation[self._cards], axis=1).T)]
        return self._known[key]


def preserved_symmetries(symmetries: Sequence[np.ndarray], cards: Cards) -> list[np.ndarray]:
    """Those permutations of the cards that map the board and both ranges to themselves."""
    images, preserving = HandImages(cards.hands, cards.deck_size), []
    for permutation in map(np.asarray, symmetries):
        if {int(permutation[card]) for card in cards.board} != set(cards.board):
            continue
        image = images.under(permutation)
        if min(image) >= 0 and all(np.array_equal(weight[image], weight) for weight in cards.weights):
            preserving.append(permutation)
    return preserving


def enumerate_boards(cards: Cards, group: list[np.ndarray], only: tuple[int, ...] | None = None) -> list[list[Board]]:
    """[round][board] One board of each class; the boards that follow a board are adjacent.

    With `only`, of the first deal these cards alone.
    """
    rounds = [[Board(tuple(cards.board), 0, group, [np.arange(cards.deck_size)])]]
    for count in cards.deals:
        if only is not None and len(rounds) == 1:
            rounds.append([_after(rounds[0][0], 0, only, cards.deck_size)])
            continue
        following = [_next_boards(board, number, cards.deck_size, count) for number, board in enumerate(rounds[-1])]
        rounds.append([board for boards in following for board in boards])
    return rounds


def _next_boards(board: Board, number: int, deck_size: int, count: int) -> list[Board]:
    """The boards after a deal, one of each class under the symmetries that preserve the board."""
    free = [card for card in range(deck_size) if card not in board.cards]
    seen: set[frozenset[int]] = set()
    result = []
    for dealt in combinations(free, count):
        if frozenset(dealt) not in seen:
            result.append(_after(board, number, dealt, deck_size))
            seen.update(frozenset(image[list(dealt)].tolist()) for image in result[-1].images)
    return result


def _after(board: Board, number: int, dealt: tuple[int, ...], deck_size: int) -> Board:
    """The board after a deal."""
    images: dict[frozenset[int], np.ndarray] = {frozenset(dealt): np.arange(deck_size)}
    keep = []
    for permutation in board.group:
        image = frozenset(int(permutation[card]) for card in dealt)
        images.setdefault(image, permutation)
        if image == frozenset(dealt):
            keep.append(permutation)
    return Board((*board.cards, *dealt), number, keep, list(images.values()))


class HandPlacing:
    """Assigns hands to boards, round after round: rows of a round point at rows of the round before."""

    def __init__(self, cards: Cards, hand_cards: np.ndarray) -> None:
        self._cards, self._hand_cards = cards, hand_cards
        self._images = HandImages(cards.hands, cards.deck_size)
        live = [np.flatnonzero(weights > 0) for weights in cards.weights]
        self._above = [_rows_of([hands], len(cards.hands)) for hands in live]
        self._above_rows = [padded(len(hands), BLOCK) for hands in live]
        self._holds = (self._hand_cards == np.arange(cards.deck_size)[:, None, None]).any(axis=2)  # [card, hand]

    def place(self, boards: list[Board], strength: Strength | None) -> tuple[tuple[Hands, Hands], np.ndarray]:
        """Both players' hands on the boards of the next round, and where each board's groups begin.

        With `strength`, hands are sorted weakest first and hands of equal strength form a group.
        """
        order: tuple[Arrays, Arrays] = ([], [])
        groups: tuple[Arrays, Arrays] = ([], [])
        known: dict[frozenset[int], np.ndarray] = {}
        for board in boards:
            open_hand = ~self._holds[list(board.cards)].any(axis=0)
            live = [np.flatnonzero(open_hand & (weights > 0)) for weights in self._cards.weights]
            if strength is not None:
                key = frozenset(board.cards)
                if key not in known:
                    known[key] = np.asarray(strength(board.cards))
                live = _sort(live, known[key], groups)
            for player in (0, 1):
                order[player].append(live[player])
        rows = [padded(max(map(len, own)), BLOCK) for own in order]
        row_of = [_rows_of(own, len(self._cards.hands)) for own in order]
        hands = [self._hands(boards, k, order[k], rows, row_of[1 - k], groups[k]) for k in (0, 1)]
        self._above, self._above_rows = row_of, rows
        sizes = [len(group) for group in groups[0]] or [0] * len(boards)
        return (hands[0], hands[1]), np.cumsum([0, *sizes], dtype=np.int32)

    def _hands(
        self, boards: list[Board], player: int, order: Arrays, rows: list[int], twins: np.ndarray, groups: Arrays
    ) -> Hands:
        shape = (len(boards), rows[player])
        hand = np.full(shape, -1, np.int16)
        cards = np.zeros((*shape, 2), np.int16)
        above = np.full(shape, self._above_rows[player], np.int16)
        twin = np.full(shape, rows[1 - player], np.int16)
        image_row = np.zeros((sum(len(board.images) for board in boards), rows[player]), np.int16)
        image = 0
        for number, (board, live) in enumerate(zip(boards, order, strict=True)):
            count = len(live)
            hand[number, :count] = live
            cards[number, :count] = self._hand_cards[live]
            before = self._above[player][board.parent]
            above[number, :count] = before[live]
            other = twins[number, live]
            twin[number, :count] = np.where(other >= 0, other, rows[1 - player])
            for permutation in board.images:
                image_row[image, :count] = before[self._images.under(permutation)[live]]
                image += 1
        return Hands(
            rows=rows[player],
            count=np.array([len(live) for live in order], np.int32),
            hand=hand,
            cards=cards,
            above=above,
            twin=twin,
            image_row=image_row,
            group=np.concatenate(groups) if groups else np.zeros(0, np.int32),
        )


def _sort(live: Arrays, power: np.ndarray, groups: tuple[Arrays, Arrays]) -> Arrays:
    """Hands weakest first; appends the start of each strength to the groups of each player."""
    live = [hands[np.argsort(power[hands], kind="stable")] for hands in live]
    classes = np.unique(power[np.concatenate(live)])
    for hands, group in zip(live, groups, strict=True):
        starts = np.searchsorted(power[hands], classes)
        group.append(np.append(starts, len(hands)).astype(np.int32))
    return live


def _rows_of(order: Arrays, hand_count: int) -> np.ndarray:
    """[board, hand] The row of each hand on each board, -1 if absent."""
    rows = np.full((len(order), hand_count), -1, np.int32)
    for number, live in enumerate(order):
        rows[number, live] = np.arange(len(live))
    return rows
