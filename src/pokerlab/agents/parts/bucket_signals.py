"""Hands of a poker game as sequences of buckets: the signals of small models that are solved ahead (tree/signals.py).

In each round a hand is in one of a few buckets of equal weight by its roll-out hand strength: the share of the pot that
it wins against a random hand if the remaining cards are dealt without betting. How the buckets of both players meet and
who is ahead in the end is counted over all pairs of hands, on every board of a small game or on a sample of boards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, prod

import numpy as np

from pokerlab.agents.parts.roll_out import hands_of, win_shares
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.tree.public.poker import why_not_public
from pokerlab.tree.public.spot import strength as holdem_strength
from pokerlab.tree.signals import Signals

MOST_BOARDS = 6_000  # that are enumerated; in larger games boards are sampled
SAMPLED = (40, 3, 2)  # deals of each later round after each board before it
MOST_HANDS = 1_326
MOST_SIGNALS = 4_000


@dataclass(frozen=True, eq=False)
class BucketSignals:
    """The buckets of one game, and how they meet."""

    game: PokerGame
    counts: tuple[int, ...]  # buckets of each round
    cuts: tuple[np.ndarray, ...]  # [round] of [bucket - 1]: where buckets of strength end
    together: np.ndarray  # [signal, signal]: a signal is the sequence of all buckets, in mixed radix
    ahead: np.ndarray  # [signal, signal]

    def later(self, number: int) -> int:
        """The number of signals that begin with the same buckets up to a round."""
        return prod(self.counts[number + 1 :])

    def own(self, signals: np.ndarray, first: int, last: int) -> np.ndarray:
        """The same signals among those of some rounds.  # [any] -> [any]"""
        return np.asarray(signals // self.later(last) % prod(self.counts[first : last + 1]))

    def of_hands(self, board: Sequence[int]) -> np.ndarray:
        """The first signal with the buckets of each hand so far; any for hands that meet the board.  # [hand]"""
        number = _round_of(self.game, board)
        signal = np.zeros(len(hands_of(self.game)), np.int64)
        for round_ in range(number + 1):
            shown = tuple(board[: self.game.dealing.public(round_)])
            if self.counts[round_] > 1:
                bucket = np.searchsorted(self.cuts[round_], _strengths(self.game, shown), side="right")
                signal = signal * self.counts[round_] + bucket
        return np.asarray(signal * self.later(number))

    def model(self, first: int, last: int, weights: tuple[np.ndarray, np.ndarray] | None = None) -> Signals:
        """The signals of some rounds, with payoffs after all of them. `weights` [signal] are ranges of both players.

        Betting in the rounds after the last may not depend on buckets, and buckets before the first are forgotten.
        """
        together, ahead = self.together, self.ahead
        if weights is not None:
            ranges = np.multiply.outer(*weights)
            together, ahead = together * ranges, ahead * ranges
        start, end = prod(self.counts[:first]), self.later(last)
        kept = len(together) // start // end
        shape = (start, kept, end) * 2
        met, won = (matrix.reshape(shape).sum(axis=(0, 2, 3, 5)) for matrix in (together, ahead))
        signals, labels = np.arange(kept), []
        for number in range(first, last + 1):
            labels.append(signals // prod(self.counts[number + 1 : last + 1]))
        return Signals(met / met.sum(), won / met.sum(), (tuple(labels), tuple(labels)))


def refuse_unsuitable(name: str, game: PokerGame) -> None:
    """Raise BadSetting if hands of a game cannot be put into buckets of roll-out strength here."""
    reason = why_not_public(game)
    if isinstance(game, SpotGame):
        reason = f"{game.name} does not start with the deal"
    elif not reason and len(game.rules.rounds) < 2:
        reason = f"{game.name} has only one round"
    elif not reason and game.rules.limit != "fixed" and not game.rules.has_menus:
        reason = f"{game.name} has neither a limit nor a menu of bets"
    elif not reason and len(hands_of(game)) > MOST_HANDS:
        reason = f"{game.name} has too many hands"
    elif not reason and not _is_holdem(game) and _board_count(game) > MOST_BOARDS:
        reason = f"{game.name} has too many boards, and is not hold'em with the full deck"
    if reason:
        raise BadSetting(f"{name} cannot model this game: {reason}")


@lru_cache(maxsize=4)
def bucket_signals(game: PokerGame, counts: tuple[int, ...], seed: int = 0) -> BucketSignals:
    """Make the buckets of each round, and count how they meet."""
    rounds = len(game.rules.rounds)
    counts = (counts + counts[-1:] * rounds)[:rounds]
    if prod(counts) > MOST_SIGNALS:
        raise BadSetting(f"{prod(counts):,} sequences of buckets are too many; name fewer buckets in each round")
    boards = list(_boards(game, seed))
    cuts = tuple(_cuts(game, boards, number, count) for number, count in enumerate(counts))
    empty = np.zeros((0, 0))
    buckets = BucketSignals(game, counts, cuts, empty, empty)
    together, ahead = np.zeros((2, prod(counts), prod(counts)))
    apart = _apart(game)
    for board in boards:
        free = np.flatnonzero(hands_of(game).without(board))
        signal, power = buckets.of_hands(board)[free], _powers(game, board)[free]
        order = np.argsort(signal, kind="stable")
        free, signal, power = free[order], signal[order], power[order]
        present, starts = np.unique(signal, return_index=True)
        met = apart[np.ix_(free, free)]
        won = met * np.sign(power[:, None] - power).astype(np.float32)
        where = np.ix_(present, present)
        for total, pairs in ((together, met), (ahead, won)):
            total[where] += np.add.reduceat(np.add.reduceat(pairs, starts, axis=0), starts, axis=1)
    return BucketSignals(game, counts, cuts, together / together.sum(), ahead / together.sum())


def _is_holdem(game: PokerGame) -> bool:
    rules = game.rules
    dealt = tuple(round_.public for round_ in rules.rounds)
    return (
        game.deck == FULL_DECK and rules.rounds[0].private == 2 and dealt == (0, 3, 1, 1) and rules.showdown == "high"
    )


def _round_of(game: PokerGame, board: Sequence[int]) -> int:
    """The last round whose public cards are these."""
    counts = [game.dealing.public(number) for number in range(len(game.rules.rounds))]
    return len(counts) - 1 - counts[::-1].index(len(board))


def _board_count(game: PokerGame) -> int:
    """The number of ways to deal all public cards, round by round."""
    left, count = game.deck.size, 1
    for round_ in game.rules.rounds:
        count, left = count * comb(left, round_.public), left - round_.public
    return count


def _boards(game: PokerGame, seed: int) -> Iterator[tuple[int, ...]]:
    """All boards, or a sample in which several share their first cards."""
    rng, is_sample = np.random.default_rng(seed), _board_count(game) > MOST_BOARDS

    def deal(board: tuple[int, ...], later: Sequence[int]) -> Iterator[tuple[int, ...]]:
        if not later:
            yield board
            return
        free = [card for card in range(game.deck.size) if card not in board]
        if is_sample:
            count = SAMPLED[len(SAMPLED) - len(later)]
            dealt = [tuple(rng.choice(free, later[0], replace=False).tolist()) for _ in range(count)]
        else:
            dealt = list(combinations(free, later[0]))
        for cards in dealt:
            yield from deal((*board, *cards), later[1:])

    return deal((), [round_.public for round_ in game.rules.rounds if round_.public])


@lru_cache(maxsize=4_096)
def _strengths(game: PokerGame, board: tuple[int, ...]) -> np.ndarray:
    """The roll-out strength of every hand against a random one; 0 for hands that meet the board.  # [hand]"""
    hands = hands_of(game)
    free = hands.without(board)
    if _is_holdem(game) and board:
        from pokerlab.cards.measures import board_measures

        return np.asarray(np.nan_to_num(board_measures(board, lookahead=0, bins=1).rollout))
    strengths = np.zeros(len(hands))
    for number in np.flatnonzero(free):
        cards = hands.cards[number]
        others = hands.without((*cards, *board))
        strengths[number] = win_shares(game, cards, board)[others].mean()
    return strengths


def _cuts(game: PokerGame, boards: Sequence[tuple[int, ...]], number: int, count: int) -> np.ndarray:
    """Strengths between buckets of equal weight in a round."""
    if count == 1:
        return np.zeros(0)
    shown = {board[: game.dealing.public(number)] for board in boards}
    held = np.concatenate([_strengths(game, board)[hands_of(game).without(board)] for board in shown])
    return np.asarray(np.quantile(held, np.arange(1, count) / count) + 1e-12)


@lru_cache(maxsize=4)
def _apart(game: PokerGame) -> np.ndarray:
    """1 where two hands share no card.  # [hand, hand] float32"""
    return np.array([hands_of(game).without(hand) for hand in hands_of(game).cards], np.float32)


def _powers(game: PokerGame, board: tuple[int, ...]) -> np.ndarray:
    """The strength of each hand at a showdown, larger is stronger.  # [hand]"""
    if _is_holdem(game):
        return holdem_strength(board)
    hands = hands_of(game)
    free = hands.without(board)
    return np.array([-game.strength((*hand, *board)) if free[k] else 0 for k, hand in enumerate(hands.cards)])
