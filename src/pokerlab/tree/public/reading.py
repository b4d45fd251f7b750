"""Lookups in a public form: boards that represent others, and the numbers of a decision.

Solvers store a number for each action of each infoset in blocks of hands, board by board (see layout.py). Only this
module knows the order; others use it to get the hands of a decision on a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadCards
from pokerlab.games.poker.betting_tree import Deal, Decision, Node
from pokerlab.tree.public.layout import BLOCK, PublicTree


@dataclass(frozen=True, eq=False)
class BoardMapping:
    """An actual board: the board of a round that represents it, and the card permutation that maps that one onto it."""

    number: int  # round
    board: int  # of the round
    frame: np.ndarray  # [card] the permutation that maps the board onto the one of the table


def at_start(tree: PublicTree) -> BoardMapping:
    """The board that the form starts with."""
    return BoardMapping(0, 0, np.arange(tree.deck.size))


def after_cards(tree: PublicTree, mapping: BoardMapping, cards: Sequence[int]) -> tuple[BoardMapping, np.ndarray]:
    """The board after the cards of the next round, and for each hand of its frame the hand of the frame before.

    BadCards if these cards cannot be dealt.
    """
    level, before = tree.rounds[mapping.number + 1], tree.rounds[mapping.number]
    inverse = np.argsort(mapping.frame)
    wanted = {*before.boards[mapping.board], *(int(inverse[card]) for card in cards)}
    for board in range(int(before.children[mapping.board]), int(before.children[mapping.board + 1])):
        for image in level.images[level.image_start[board] : level.image_start[board + 1]]:
            if {int(card) for card in image[list(level.boards[board])]} == wanted:
                return BoardMapping(mapping.number + 1, board, mapping.frame[image]), tree.image(image)
    raise BadCards(f"the cards {tree.deck.text(cards)} cannot come here")


def boards_to(tree: PublicTree, number: int, board: int) -> list[BoardMapping]:
    """A board of a round as stored in the form, after the boards of earlier rounds that it follows."""
    standings: list[BoardMapping] = []
    for level in range(number, -1, -1):
        standings.insert(0, BoardMapping(level, board, np.arange(tree.deck.size)))
        board = int(tree.rounds[level].parent[board])
    return standings


def map_board(tree: PublicTree, number: int, board: Sequence[int]) -> BoardMapping:
    """The actual board in a round, given all its public cards in the order dealt.

    BadCards if there are too few or too many, or if the form starts with others. A round may deal no card.
    """
    mapping, seen = at_start(tree), len(tree.rounds[0].boards[0])
    if set(board[:seen]) != set(tree.rounds[0].boards[0]) or len(board) != len(tree.rounds[number].boards[0]):
        raise BadCards(f"the cards {tree.deck.text(board)} are not a board of {tree.name} here")
    while mapping.number < number:
        count = len(tree.rounds[mapping.number + 1].boards[0]) - seen
        mapping, _ = after_cards(tree, mapping, board[seen : seen + count])
        seen += count
    return mapping


def is_on_board(tree: PublicTree, mapping: BoardMapping, player: int) -> np.ndarray:
    """[hand] Whether a player may hold each hand, in the frame of the representing board."""
    meets = np.isin(tree.hand_cards, tree.rounds[mapping.number].boards[mapping.board]).any(axis=1)
    return np.asarray((tree.weights[player] > 0) & ~meets)


def chances(
    tree: PublicTree, sums: Sequence[Sequence[np.ndarray]], node: Decision, mapping: BoardMapping
) -> np.ndarray:
    """[hand, action] The probability of each action with each hand, NaN for hands not on the board.

    Strategies are proportional to `sums` [round][player]; uniform where they are zero.
    """
    place, level = tree.places[node], tree.rounds[mapping.number]
    hands, plex = level.hands[node.player], level.treeplexes[node.player]
    start = mapping.board * hands.rows * plex.slots
    stored = sums[mapping.number][node.player][start : start + hands.rows * plex.slots]
    blocks = np.asarray(stored).reshape(-1, plex.slots, BLOCK)[:, place.slot : place.slot + len(node.actions)]
    chosen = blocks.astype(np.float64).transpose(0, 2, 1).reshape(hands.rows, -1)
    total = chosen.sum(axis=1, keepdims=True)
    chosen = np.where(total > 0, chosen / np.where(total > 0, total, 1), 1 / len(node.actions))
    probabilities = np.full((len(tree.hands), len(node.actions)), np.nan)
    count = int(hands.count[mapping.board])
    probabilities[hands.hand[mapping.board, :count]] = chosen[:count]
    return probabilities


def stored_places(tree: PublicTree, node: Decision, boards: Sequence[int], held: np.ndarray) -> np.ndarray:
    """[infoset, action] Where solvers store the actions of some hands of a decision, on some boards of its round.

    held: [hand] whether each hand, in the frame of its board, is included.
    """
    place, level = tree.places[node], tree.rounds[tree.places[node].round]
    hands, plex = level.hands[node.player], level.treeplexes[node.player]
    slots = place.slot + np.arange(len(node.actions))
    offsets = [np.zeros((0, len(node.actions)), np.int64)]
    for board in boards:
        rows = _rows(tree, node, board, held)
        first = (board * hands.rows + rows // BLOCK * BLOCK) * plex.slots + rows % BLOCK
        offsets.append(first[:, None] + slots * BLOCK)
    return np.concatenate(offsets)


def stored_hands(tree: PublicTree, node: Decision, board: int, held: np.ndarray) -> np.ndarray:
    """[infoset] The hands of a decision on a board, in the order of `stored_places`."""
    level = tree.rounds[tree.places[node].round]
    return np.asarray(level.hands[node.player].hand[board][_rows(tree, node, board, held)])


def _rows(tree: PublicTree, node: Decision, board: int, held: np.ndarray) -> np.ndarray:
    numbers = tree.rounds[tree.places[node].round].hands[node.player].hand[board]
    return np.flatnonzero((numbers >= 0) & held[np.maximum(numbers, 0)])


def boards_after(tree: PublicTree, number: int, boards: Sequence[int], card: int | None) -> list[int]:
    """The boards of the next round that follow some of this one, with this last card, or with any if none is given."""
    before, level = tree.rounds[number], tree.rounds[number + 1]
    following = [b for board in boards for b in range(before.children[board], before.children[board + 1])]
    return [board for board in following if card is None or level.boards[board][-1] == card]


def first_value(tree: PublicTree, node: Decision) -> int:
    """The first of the player's sequences that are the actions of a decision."""
    place = tree.places[node]
    return tree.rounds[place.round].treeplexes[node.player].roots + place.slot


def past_deals(node: Node) -> Node:
    """The node after all cards due before a decision have been dealt."""
    while isinstance(node, Deal):
        node = node.child
    return node
