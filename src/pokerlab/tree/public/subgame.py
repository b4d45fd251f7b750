"""A subgame in public form: the rest of a hand from a public node on, between two ranges.

The ranges are how likely each player holds each hand there, up to a factor: what is left of the game above the node.
Suit-isomorphic boards are stored separately, since ranges need not be symmetric in the suits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.games.poker.betting import Action, Betting
from pokerlab.games.poker.betting_tree import Node, betting_tree
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.tree.public.layout import Outline, PublicTree, build
from pokerlab.tree.public.spot import strength as holdem_strength

Choose = Callable[[Betting, int], Sequence[tuple[str, Action]]]  # (betting, level at the start of its round)


def subgame_hands(game: PokerGame) -> list[tuple[int, ...]]:
    """Every hand of a game, in the order in which agents number them."""
    private = game.rules.rounds[0].private
    return sorted(combinations(range(game.deck.size), private), key=lambda hand: hand[::-1])


def every_action(game: PokerGame) -> Choose:
    """The choice of every action of a game, its menus included."""
    return lambda betting, _: [(game.action_text(action), action) for action in game.betting.actions(betting)]


def betting_after(place: PublicNode, choose: Choose | None = None) -> Node:
    """The betting tree from a decision on."""
    game = place.game
    return betting_tree(game.betting, choose or every_action(game), game.payoffs, after=place.betting)


def subgame(place: PublicNode, weights: tuple[np.ndarray, np.ndarray], betting: Node) -> PublicTree:
    """The public form of the betting tree `betting` over the hands and boards of a public node.

    weights: [hand] of each player, in the order of `subgame_hands`
    """
    game = place.game
    later = game.rules.rounds[place.betting.round + 1 :]
    hands = subgame_hands(game)
    return build(
        Outline(
            name=f"a subgame of {game.name}",
            betting=betting,
            hands=hands,
            weights=weights,
            deck=game.deck,
            strength=_strength(game, hands),
            board=place.board,
            deals=tuple(round_.public for round_ in later),
            pot=float(game.pot(place.betting)),
        )
    )


def _strength(game: PokerGame, hands: Sequence[tuple[int, ...]]) -> Callable[[tuple[int, ...]], np.ndarray]:
    """The strength of each hand on a board, larger is stronger."""
    rounds = game.rules.rounds
    if game.deck == FULL_DECK and rounds[0].private == 2 and sum(round_.public for round_ in rounds) == 5:
        return holdem_strength

    def strength(board: tuple[int, ...]) -> np.ndarray:
        shown = set(board)
        return np.array([0 if shown & set(hand) else -game.strength(hand + board) for hand in hands], np.int64)

    return strength
