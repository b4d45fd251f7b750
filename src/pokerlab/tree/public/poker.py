"""Poker games of the rule engine in public form: any two-player game of one or two private cards without draws.

The betting is walked by the rule engine's own automaton, which knows no cards (games/poker/betting_tree.py).
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from pokerlab.cards.card import Deck
from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting_tree import betting_tree
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.public.layout import PublicTree, build


def public_tree(game: PokerGame, *, symmetric: bool = True) -> PublicTree:
    """A poker game in public form, cards that a renaming of suits maps onto each other kept once.

    >>> from pokerlab import registry
    >>> tree = public_tree(registry.load("games", "leduc"))
    >>> len(tree.rounds), [len(level.boards) for level in tree.rounds], tree.infosets
    (2, [1, 3], 486)
    """
    rules = game.rules
    private = rules.rounds[0].private
    if rules.players != 2 or any(round_.draw or round_.private for round_ in rules.rounds[1:]) or private not in (1, 2):
        raise BadSetting(
            f"{game.name} has no public form here: that is for two players who are dealt one or two cards "
            "at the start and exchange none"
        )
    if rules.replacement:
        raise BadSetting(f"{game.name} deals each player from a deck of their own, which the public form does not")
    if rules.rounds[0].public:
        raise BadSetting(f"{game.name} deals public cards before any betting, which the public form does not")
    betting = betting_tree(
        game.betting, lambda state, _: [(game.action_text(action), action) for action in game.betting.actions(state)]
    )
    deck = game.deck
    hands = list(combinations(range(deck.size), private))

    def strength(board: tuple[int, ...]) -> np.ndarray:
        meets = [bool(set(hand) & set(board)) for hand in hands]
        powers = [0 if met else -game.strength(hand + board) for hand, met in zip(hands, meets, strict=True)]
        return np.array(powers, np.int64)

    return build(
        betting,
        hands=hands,
        weights=(np.ones(len(hands)), np.ones(len(hands))),
        deck_size=deck.size,
        deals=tuple(round_.public for round_ in rules.rounds[1:]),
        strength=strength,
        symmetries=suit_symmetries(deck) if symmetric else (),
    )


def suit_symmetries(deck: Deck) -> list[np.ndarray]:
    """Every renaming of the suits of a deck, as permutations of its cards."""
    ranks, suits = len(deck.ranks), len(deck.suits)
    if suits > 4:  # the renamings are too many to list; those that exchange two suits would not be a group
        return []
    return [np.add.outer(np.arange(ranks) * suits, names).reshape(-1) for names in permutations(range(suits))]
