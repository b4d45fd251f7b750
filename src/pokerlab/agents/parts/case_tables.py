"""Decisions counted by what they have in common, level by level: hand, betting and board as words.

The most similar decisions have the same class of hand, the same betting in the whole hand and a board of the same
texture. Where there are few of them, the next level leaves something out. `levels` names a decision at each of them.

Hands before the flop of hold'em are the 169 classes, elsewhere tenths of hand strength and three degrees of potential.
Bets outside fixed limit are letters for sizes: q(uarter pot), h(alf), i (two thirds), p(ot), d(ouble), v (five times).
"""

from __future__ import annotations

import hashlib
from bisect import bisect
from collections.abc import Iterable, Mapping
from functools import lru_cache

import numpy as np

from pokerlab.agents.parts.case_base import Outcomes
from pokerlab.agents.parts.examples import KINDS, Example, pot_fraction, unit
from pokerlab.agents.parts.hand_reading import holdem_deck, read
from pokerlab.agents.parts.situations import past_actions, situation
from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS, combo_index
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import View

_SIZES, _SIZE_LETTERS = (0.35, 0.58, 0.82, 1.5, 3.5), "qhipdv"
_DRAWS = (0.1, 0.18)  # positive potential of a weak and of a strong draw
_STRAIGHT = 5  # ranks that a straight spans


def levels(view: View, rng: np.random.Generator | None = None) -> tuple[str, ...]:
    """The words of a decision, the most precise first."""
    hand, betting, board = hand_class(view, rng), betting_words(view.game, view.history), texture(view)
    now = betting.rsplit("/", 1)[-1]
    facing = situation(view.game, view.betting).facing
    number = view.round
    return (
        f"{number}|{hand}|{betting}|{board}",
        f"{number}|{hand}|{betting}",
        f"{number}|{hand}|{now}|{board}",
        f"{number}|{hand}|{now}",
        f"{number}|{hand}|{facing}",
    )


def hand_class(view: View, rng: np.random.Generator | None) -> str:
    """The class of the hand in a view."""
    if holdem_deck(view.game) == "high" and not view.board:
        return str(CLASS_NAMES[COMBO_CLASS[combo_index(*view.cards)]])
    reading = read(view, rng)
    return f"{min(int(reading.now * 10), 9)}{'-dD'[bisect(_DRAWS, reading.positive)]}"


@lru_cache(maxsize=50_000)
def betting_words(game: PokerGame, history: str) -> str:
    """A history with the sizes of bets as letters; that of fixed limit as it is."""
    if game.rules.limit == "fixed":
        return history
    words = ["" for _ in range(history.count("/") + 1)]
    for past in past_actions(game, history):
        kind, betting = past.action.kind, past.before
        if kind == "r":
            owed = max(betting.level - betting.live[past.seat], 0)
            added = past.action.amount - game.betting.antes[past.seat] - betting.level
            kind = _SIZE_LETTERS[bisect(_SIZES, added / max(game.pot(betting) + owed, 1))]
        words[betting.round] += kind
    return "/".join(words)


def texture(view: View) -> str:
    """What a board makes possible: the most cards of a suit, pairs, and the most ranks within a straight's span."""
    deck = view.game.deck
    if not view.board:
        return ""
    suits, ranks = [deck.suit(card) for card in view.board], sorted({deck.rank(card) for card in view.board})
    suited = max(suits.count(suit) for suit in suits)
    near = max(sum(low <= rank < low + _STRAIGHT for rank in ranks) for low in ranks)
    return f"{suited}{'p' if len(ranks) < len(suits) else '-'}{near}"


def number_of(words: str) -> int:
    """The number that stands for words in a file."""
    return int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "little")


class CaseTables:
    """The outcomes of decisions by words."""

    def __init__(self, keys: np.ndarray, sums: np.ndarray) -> None:
        self._keys = keys  # [entry] uint64, sorted
        self._sums = sums  # [entry, 7]: counts and gains of fold, call, raise, and the summed sizes of raises

    def __len__(self) -> int:
        return len(self._keys)

    def outcomes(self, words: str) -> Outcomes | None:
        """What was done at decisions with these words, and what it won; None if there were none."""
        number = np.uint64(number_of(words))
        row = int(np.searchsorted(self._keys, number))
        if row == len(self._keys) or self._keys[row] != number:
            return None
        sums = self._sums[row].astype(np.float64)
        raises = sums[KINDS.index("r")]
        return Outcomes(sums[:3], sums[3:6], float(sums[6] / raises) if raises else 0.0)

    def arrays(self) -> dict[str, np.ndarray]:
        """The tables as named arrays, for a file."""
        return {"keys": self._keys, "sums": self._sums}

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray]) -> CaseTables:
        """The tables of a file."""
        return CaseTables(arrays["keys"], arrays["sums"])

    @staticmethod
    def learned(decisions: Iterable[Example]) -> CaseTables:
        """Count decisions at every level."""
        rng, counted = np.random.default_rng(0), dict[str, np.ndarray]()
        for example in decisions:
            kind, view = KINDS.index(example.action.kind), example.view
            added = np.zeros(7)
            added[kind], added[3 + kind] = 1, example.gain / unit(view.game)
            added[6] = pot_fraction(view, example.action)
            for words in levels(view, rng):
                counted[words] = counted.get(words, 0.0) + added
        rows = sorted((number_of(words), sums) for words, sums in counted.items())
        keys = np.array([number for number, _ in rows], np.uint64)
        return CaseTables(keys, np.array([sums for _, sums in rows], np.float32).reshape(-1, 7))
