"""Hand strength: the share of opponents' hands that lose to ours at the showdown, ties one half.

In the last round it is known exactly (HS). Earlier, its expectation over all run-outs is E[HS], which equals the equity
against a uniform opponent; E[HS^2] is larger for hands that may become very strong (Johanson 2007; Zinkevich et al.
2007).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import numpy as np

from pokerlab import store
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.feature import SummedFeature, check_round
from pokerlab.abstraction.features.final_hands import FinalHands
from pokerlab.abstraction.features.run_outs import RoundBoards, SumKernel, Sums
from pokerlab.errors import TooLarge
from pokerlab.events import SILENT, Watch

_FEWEST_SAVED = 1_000_000  # hands; smaller tables are faster to recompute than to read
_BLOCK = 1 << 16


@dataclass(frozen=True)
class Strength(SummedFeature):
    """E[HS], and with `squared` also E[HS^2]."""

    squared: bool = False

    def dims(self, cards: CardRounds, round: int) -> int:
        return 1 + self.squared

    def sum_kernel(self, cards: CardRounds) -> SumKernel:
        """Adds up scores: twice the wins plus the ties."""
        from pokerlab.abstraction.features._kernels.sums import add_strengths

        most = 2 * FinalHands.of(cards).opponents
        run_outs = max(RoundBoards(cards, round).run_outs for round in range(cards.rounds))
        if most * most * run_outs * 720 >= 1 << 62:  # a generous bound on the holdings that one represents
            raise TooLarge(f"scores up to {most:,} over {run_outs:,} run-outs are too large to add up exactly")
        return cast(SumKernel, add_strengths)

    def features_from(self, sums: np.ndarray, cards: CardRounds, round: int) -> np.ndarray:
        """Scores over the largest possible scores."""
        most, run_outs = 2 * FinalHands.of(cards).opponents, RoundBoards(cards, round).run_outs
        largest = np.array([float(most * run_outs), float(most * most * run_outs)][: 1 + self.squared])
        return np.asarray(sums / largest, np.float32)

    def sums(self, cards: CardRounds, round: int, *, threads: int = 1, watch: Watch = SILENT) -> Iterator[Sums]:
        """Scores of all hands; for the last round of a large game they are saved in the store."""
        check_round(cards, round)
        is_saved = round == cards.rounds - 1 and not cards.ordered and cards.hands(round) >= _FEWEST_SAVED
        if not is_saved:
            yield from super().sums(cards, round, threads=threads, watch=watch)
            return
        scores = final_scores(cards, threads=threads, watch=watch)
        for start in range(0, len(scores), _BLOCK):
            block = scores[start : start + _BLOCK].astype(np.int64)
            sums = np.stack([block, block * block], axis=1) if self.squared else block[:, None]
            yield np.arange(start, start + len(block)), sums


def final_scores(cards: CardRounds, *, threads: int = 1, watch: Watch = SILENT) -> np.ndarray:
    """Twice the wins plus the ties of every hand of the last round, ignoring the order of the board: [hand].

    The type is the smallest that holds them: for hold'em, with at most 1,980, 246 MB of uint16. Large tables are saved
    in the store.
    """
    plain = CardRounds(cards.deck, cards.private, (cards.boards[-1],), cards.showdown)

    def make() -> dict[str, np.ndarray]:
        scores = np.empty(plain.hands(0), np.min_scalar_type(2 * FinalHands.of(plain).opponents))
        for indices, sums in SummedFeature.sums(Strength(), plain, 0, threads=threads, watch=watch):
            scores[indices] = sums[:, 0]
        return {"scores": scores}

    if plain.hands(0) < _FEWEST_SAVED:
        return make()["scores"]
    settings = (*cards.deck.ranks, "/", *cards.deck.suits, cards.private, cards.boards[-1], cards.showdown)
    digest = hashlib.blake2b(repr(settings).encode(), digest_size=6).hexdigest()
    name = f"final-scores-{cards.showdown}-{digest}"
    return store.computed(name, make, kind="final scores", edition=1, settings=repr(settings)).arrays["scores"]
