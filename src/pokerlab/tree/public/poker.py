"""Poker games of the rule engine in public form: any two-player game of one or two private cards without draws.

The betting is traversed by the rule engine's own automaton, which does not depend on cards
(games/poker/betting_tree.py).
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.games.game import start_pot
from pokerlab.games.poker.betting_tree import Node, betting_tree
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.public.layout import Outline, PublicTree, build


def public_tree(game: PokerGame, *, symmetric: bool = True) -> PublicTree:
    """A poker game in public form, suit-isomorphic boards stored once.

    >>> from pokerlab import registry
    >>> tree = public_tree(registry.load("games", "leduc"))
    >>> len(tree.rounds), [len(level.boards) for level in tree.rounds], tree.infosets
    (2, [1, 3], 486)
    """
    return build(outline_of(game, symmetric=symmetric))


def why_not_public(game: PokerGame) -> str:
    """Why a poker game has no public form, as a sentence; "" if it has one."""
    rules = game.rules
    if rules.players != 2 or any(round_.draw or round_.private for round_ in rules.rounds[1:]):
        return f"{game.name} has no public form: that is for two players who get all their cards at the start"
    if rules.rounds[0].private not in (1, 2):
        return f"{game.name} has no public form: that is for hands of one or two cards"
    if rules.replacement:
        return f"{game.name} deals each player from a deck of their own, which the public form does not"
    if not game.payoffs.splits_in_half:
        return f"{game.name} has no public form: an odd chip of its antes goes to one seat where hands tie"
    if rules.rounds[0].public:
        return f"{game.name} deals public cards before any betting, which the public form does not"
    return ""


def betting_of(game: PokerGame) -> Node:
    """The betting of a two-player game, independent of the cards."""
    return betting_tree(
        game.betting,
        lambda state, _: [(game.action_text(action), action) for action in game.betting.actions(state)],
        game.payoffs,
    )


def outline_of(game: PokerGame, *, symmetric: bool = True) -> Outline:
    """The public form of a poker game before its boards are built."""
    why_not = why_not_public(game)
    if why_not:
        raise BadSetting(why_not)
    rules, deck = game.rules, game.deck
    hands = list(combinations(range(deck.size), rules.rounds[0].private))

    def strength(board: tuple[int, ...]) -> np.ndarray:
        meets = [bool(set(hand) & set(board)) for hand in hands]
        powers = [0 if shared else -game.strength(hand + board) for hand, shared in zip(hands, meets, strict=True)]
        return np.array(powers, np.int64)

    return Outline(
        name=game.name,
        betting=betting_of(game),
        hands=hands,
        weights=(np.ones(len(hands)), np.ones(len(hands))),
        deck=deck,
        strength=strength,
        deals=tuple(round_.public for round_ in rules.rounds[1:]),
        symmetries=suit_symmetries(deck) if symmetric else (),
        pot=start_pot(game),
    )


def suit_symmetries(deck: Deck) -> list[np.ndarray]:
    """Every suit permutation of a deck, as permutations of its cards."""
    ranks, suits = len(deck.ranks), len(deck.suits)
    if suits > 4:  # too many permutations to list; transpositions alone would not be a group
        return []
    return [np.add.outer(np.arange(ranks) * suits, names).reshape(-1) for names in permutations(range(suits))]
