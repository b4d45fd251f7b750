"""Roll-outs: what a hand wins against each opposing hand if betting stops and the remaining cards are dealt.

Hands are numbered as in cards/combos.py for two cards of the full deck, and in a similar order in other games. Hold'em
is exact: before the flop from the preflop table, after it by the kernels of cards/measures.py. Other games apply their
own showdown rule to every run-out if there are few, and to a fixed sample if there are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.agents.parts.hand_reading import holdem_deck
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import COMBO_COUNT, combo_index
from pokerlab.games.poker.engine import PokerGame

MOST_SHOWDOWNS = 100_000  # per hand that are enumerated; more are sampled
MOST_CACHED = 2_000  # roll-outs per process


class Hands:
    """Every hand that a game can deal, as cards, as text and by number."""

    def __init__(self, game: PokerGame) -> None:
        self._game = game
        private, size = game.rules.rounds[0].private, game.deck.size
        self.cards = sorted(combinations(range(size), private), key=lambda hand: hand[::-1])  # highest card last
        self._holding = np.zeros((size, len(self.cards)), np.bool_)  # [card, hand]
        for number, hand in enumerate(self.cards):
            self._holding[list(hand), number] = True

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def _of_text(self) -> dict[str, int]:
        return {self._game.text(hand[::-1]): number for number, hand in enumerate(self.cards)}

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of hands given as text, their cards in any order."""
        known, game = self._of_text, self._game
        ordered = (text if text in known else game.text(sorted(game.deck.cards(text))[::-1]) for text in texts)
        return [known[text] for text in ordered]

    @cached_property
    def _of_cards(self) -> dict[tuple[int, ...], int]:
        return {hand: number for number, hand in enumerate(self.cards)}

    def number(self, cards: Sequence[int]) -> int:
        """The number of a hand, its cards in any order."""
        return self._of_cards[tuple(sorted(cards))]

    def without(self, cards: Sequence[int]) -> np.ndarray:
        """Which hands contain none of these cards.  # [hand] bool"""
        return np.asarray(~self._holding[list(cards)].any(axis=0))


@lru_cache(maxsize=16)
def hands_of(game: PokerGame) -> Hands:
    """The hands of a game, cached."""
    return Hands(game)


@lru_cache(maxsize=MOST_CACHED)
def win_shares(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """The share of the pot that a hand wins against each opposing hand, averaged over run-outs.  # [hand]

    Entries of hands that share a card with it or with the board are arbitrary: nobody can hold them.
    """
    deck = holdem_deck(game)
    if deck == "high" and not board:
        from pokerlab.cards.preflop import preflop_table

        table, combo = preflop_table(5), combo_index(*cards)
        shares = np.asarray((table.wins[combo] + table.ties[combo] / 2) / table.boards)
    elif deck and len(board) >= 3:
        shares = _on_a_board(game, deck, cards, board)
    else:
        shares = _by_showdowns(game, cards, board)
    shares.setflags(write=False)
    return shares


def shares_are_exact(game: PokerGame, shown: int) -> bool:
    """Whether `win_shares` counts every run-out of a board with this number of cards, instead of a sample."""
    deck = holdem_deck(game)
    if (deck == "high" and not shown) or (deck and shown >= 3):
        return True
    private, public = game.rules.rounds[0].private, sum(round_.public for round_ in game.rules.rounds)
    return comb(game.deck.size - private - shown, public - shown) <= _most_run_outs(game)


def _most_run_outs(game: PokerGame) -> int:
    return max(MOST_SHOWDOWNS // len(hands_of(game)), 1)


def _on_a_board(game: PokerGame, deck: str, cards: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """One minus the share that each opposing hand wins against this one."""
    from pokerlab.cards.measures import board_measures
    from pokerlab.cards.strength import ranking

    shift = FULL_DECK.size - game.deck.size  # the lowest card of a short deck is the full deck's 16th
    weights = np.zeros(COMBO_COUNT)
    weights[combo_index(*(card + shift for card in cards))] = 1
    shown = [card + shift for card in board]
    measured = board_measures(shown, weights=weights, lookahead=0, bins=1, ranking=ranking(deck))
    full = np.asarray(np.nan_to_num(1 - measured.rollout))
    if not shift:
        return full
    return np.asarray(full[[combo_index(*(card + shift for card in hand)) for hand in hands_of(game).cards]])


def _by_showdowns(game: PokerGame, cards: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    hands, strength = hands_of(game), game.strength
    unseen = [card for card in range(game.deck.size) if card not in cards and card not in board]
    coming = sum(round_.public for round_ in game.rules.rounds) - len(board)
    won, showdowns = np.zeros(len(hands)), np.zeros(len(hands))
    for later in run_outs(unseen, coming, most=_most_run_outs(game), seed=(*cards, *board)):
        shown = (*board, *later)
        mine = strength((*cards, *shown))
        possible = hands.without((*cards, *shown))
        showdowns += possible
        for number in np.flatnonzero(possible):
            theirs = strength((*hands.cards[number], *shown))
            won[number] += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return np.asarray(np.divide(won, showdowns, out=np.full(len(hands), 0.5), where=showdowns > 0))


def run_outs(unseen: list[int], coming: int, *, most: int, seed: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every set of cards that may come, or a sample if there are more than `most`."""
    if comb(len(unseen), coming) <= most:
        return list(combinations(unseen, coming))
    rng = np.random.default_rng(seed)
    drawn = rng.random((most, len(unseen))).argsort(axis=1)[:, :coming]
    return [tuple(row) for row in np.array(unseen)[drawn].tolist()]
