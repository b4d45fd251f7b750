"""A betting tree over cards as a game of histories, and random ones of it: the plain twin of the public form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import strategies

from pokerlab.cards.card import Deck
from pokerlab.games.game import CHANCE, TERMINAL
from pokerlab.games.poker.betting_tree import Deal, Decision, FoldPayoffs, Node, Showdown
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.public.boards import Strength
from pokerlab.tree.public.layout import Outline, PublicTree, build


@dataclass(frozen=True, eq=False)
class PublicGame:
    """The same arguments as tree.public.Outline, dealt card by card. A state is (pair of hands, board, node, path)."""

    betting: Node
    hands: Sequence[tuple[int, ...]]
    weights: tuple[np.ndarray, np.ndarray]
    deck_size: int
    board: tuple[int, ...]
    deals: tuple[int, ...]
    strength: Strength
    symmetries: Sequence[np.ndarray] = ()

    name = "public"
    players = 2

    def tree(self, *, symmetric: bool = False) -> PublicTree:
        """The public form."""
        return build(
            Outline(
                name=self.name,
                betting=self.betting,
                hands=self.hands,
                weights=self.weights,
                deck=Deck.of(str(number) for number in range(self.deck_size)),
                board=self.board,
                deals=self.deals,
                strength=self.strength,
                symmetries=self.symmetries if symmetric else (),
            )
        )

    def root(self) -> Any:
        return None

    def player(self, state: Any) -> int:
        if state is None or isinstance(state[2], Deal):
            return CHANCE
        return state[2].player if isinstance(state[2], Decision) else TERMINAL

    def actions(self, state: Any) -> list[int]:
        return list(range(len(state[2].actions)))

    def outcomes(self, state: Any) -> list[tuple[Any, float]]:
        if state is None:
            pairs = [
                ((i, j), self.weights[0][i] * self.weights[1][j])
                for i, one in enumerate(self.hands)
                for j, other in enumerate(self.hands)
                if not (set(one) & set(other) or set(one + other) & set(self.board))
            ]
            live = [(pair, weight) for pair, weight in pairs if weight > 0]
            total = sum(weight for _, weight in live)
            return [(pair, weight / total) for pair, weight in live]
        (i, j), board, _, path = state
        gone = {*self.hands[i], *self.hands[j], *board}
        count = self.deals[sum(step == "/" for step in path)]
        dealt = list(combinations([card for card in range(self.deck_size) if card not in gone], count))
        return [(cards, 1 / len(dealt)) for cards in dealt]

    def child(self, state: Any, action: Any) -> Any:
        if state is None:
            return action, self.board, self.betting, ()
        pair, board, node, path = state
        if isinstance(node, Deal):
            return pair, board + action, node.child, (*path, "/")
        return pair, board, node.children[action], (*path, action)

    def returns(self, state: Any) -> tuple[float, float]:
        (i, j), board, node, _ = state
        if isinstance(node, FoldPayoffs):
            return node.returns
        assert isinstance(node, Showdown)
        power = self.strength(board)
        if power[i] == power[j]:
            return tuple((win + lose) / 2 for win, lose in zip(node.win, node.lose, strict=True))
        return (node.win[0], node.lose[1]) if power[i] > power[j] else (node.lose[0], node.win[1])

    def infoset(self, state: Any, player: int) -> str:
        pair, board, _, path = state
        return f"{player}|{pair[player]}|{sorted(board[len(self.board) :]) if len(self.deals) < 2 else board}|{path}"

    def view(self, state: Any, player: int) -> Any:
        return self.infoset(state, player)


def history_numbers(game: PublicGame, tree: HistoryTree, public: PublicTree, sums: Any) -> np.ndarray:
    """Numbers of a public tree without symmetries, by slot of the history tree."""
    numbers = np.zeros(tree.slots)
    paths = dict(_paths(game.betting, ()))
    for infoset, name in enumerate(tree.infoset_names):
        player, hand, board, path = name.split("|")
        node = paths[path]
        place = public.places[node]
        level = public.rounds[place.round]
        cards = public.rounds[0].boards[0] + _dealt(board, len(game.board), len(game.deals))
        number = [frozenset(item) for item in level.boards].index(frozenset(cards))
        row = int(np.flatnonzero(level.hands[int(player)].hand[number] == int(hand))[0])
        found = row_sums(public, place.round, int(player), sums)[number, row, place.slot :][: len(node.actions)]
        numbers[tree.start[infoset] : tree.start[infoset + 1]] = found
    return numbers


def history_profile(game: PublicGame, tree: HistoryTree, public: PublicTree, sums: Any) -> np.ndarray:
    """Sums of a public tree without symmetries as a profile of the history tree: in proportion, uniform where all 0."""
    weights, counts = history_numbers(game, tree, public, sums), np.diff(tree.start)
    if not len(counts):
        return weights
    total = np.repeat(np.add.reduceat(weights, tree.start[:-1].astype(np.int64)), counts)
    return np.where(total > 0, weights / np.where(total > 0, total, 1), 1 / np.repeat(counts, counts))


def row_sums(public: PublicTree, number: int, player: int, sums: Any) -> np.ndarray:
    """[board, row, slot] The sums of a player in a round."""
    from pokerlab.tree.public.layout import BLOCK

    level = public.rounds[number]
    slots, rows = level.treeplexes[player].slots, level.hands[player].rows
    blocks = np.asarray(sums[number][player], np.float64).reshape(len(level.boards), rows // BLOCK, slots, BLOCK)
    return blocks.transpose(0, 1, 3, 2).reshape(len(level.boards), rows, slots)


def _dealt(text: str, first: int, deals: int) -> tuple[int, ...]:
    cards = tuple(int(word) for word in text.strip("[]()").replace(",", " ").split())
    return cards if deals < 2 else cards[first:]


def _paths(node: Node, path: tuple[Any, ...]) -> Any:
    if isinstance(node, Decision):
        yield str(path), node
        for number, child in enumerate(node.children):
            yield from _paths(child, (*path, number))
    elif isinstance(node, Deal):
        yield from _paths(node.child, (*path, "/"))


def _random_betting(rng: np.random.Generator, rounds: int, depth: int, zero_sum: bool) -> Node:
    ends = depth == 0 or rng.random() < 0.25
    if ends and rounds and rng.random() < 0.7:
        return Deal(_random_betting(rng, rounds - 1, 3, zero_sum))
    if ends:
        amounts = rng.normal(0, 2, 4)
        if rounds == 0 and rng.random() < 0.6:
            win, lose = amounts[:2], amounts[2:]
            if zero_sum:
                win, lose = np.array([win[0], -lose[0]]), np.array([lose[0], -win[0]])
            return Showdown((float(win[0]), float(win[1])), (float(lose[0]), float(lose[1])))
        return FoldPayoffs((float(amounts[0]), float(-amounts[0] if zero_sum else amounts[1])))
    count = int(rng.integers(1, 4))
    children = tuple(_random_betting(rng, rounds, depth - 1, zero_sum) for _ in range(count))
    return Decision(int(rng.integers(2)), tuple(f"a{k}" for k in range(count)), children)


def random_public_game(seed: int, *, zero_sum: bool = True) -> PublicGame:
    """Random betting over one or two rounds, a deck of two suits, hands of one or two cards, weights with zeros."""
    rng = np.random.default_rng(seed)
    ranks, suits = int(rng.integers(3, 5)), 2
    deck_size = ranks * suits
    private = int(rng.integers(1, 3))
    hands = list(combinations(range(deck_size), private))
    rounds = int(rng.integers(0, 2))
    board = tuple(int(card) for card in rng.choice(deck_size, int(rng.integers(0, 2)), replace=False))
    flip = np.arange(deck_size) ^ 1

    def strength(cards: tuple[int, ...]) -> np.ndarray:
        paired = [sum(card // 2 == other // 2 for card in hand for other in (*cards, *hand)) for hand in hands]
        return np.array(
            [100 * pair + sum(card // 2 for card in hand) for hand, pair in zip(hands, paired, strict=True)]
        )

    weights = rng.random((2, len(hands))) * (rng.random((2, len(hands))) < 0.8)
    weights[:, -1] = 0.5
    weights[:, 0] = 0.5
    betting = _random_betting(rng, rounds, 3, zero_sum)
    return PublicGame(
        betting,
        hands,
        (weights[0], weights[1]),
        deck_size,
        board,
        (1,) * rounds,
        strength,
        (np.arange(deck_size), flip),
    )


def random_public_games(*, zero_sum: bool = True) -> strategies.SearchStrategy[PublicGame]:
    """Random games of the public form."""
    return strategies.integers(0, 10**9).map(lambda seed: random_public_game(seed, zero_sum=zero_sum))
