"""Samples of the boards of a game with buckets, as public trees of a few boards that a card walks at once.

The first deal of a sample is `fan[0]` sets of public cards, each later one `fan[1]`, ... for each board; ALL stands
for every set. A set is weighted by how many there are for each that was drawn, so that values are unbiased. Samples are
numbered: the same seed and number give the same boards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.errors import BadSetting
from pokerlab.parallel import ThreadTeam
from pokerlab.tree.bucketed.cuda._kernels import PlacedHands, PlacingBuffers, SampledRound, place_hands
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.public.boards import BLOCK, Cards, Hands
from pokerlab.tree.public.layout import PublicRound, PublicTree, compatible_weight, two_cards
from pokerlab.tree.public.poker import betting_of, why_not_public
from pokerlab.tree.public.treeplex import compile_betting, padded

ALL = 0  # of the sets of public cards of a deal


@dataclass(frozen=True, eq=False)
class BoardSample:
    """Some boards, with the betting of the game; of each hand its bucket."""

    tree: PublicTree
    buckets: tuple[np.ndarray, ...]  # [round] of [board, row] uint16, the same for both players


class BoardSampler:
    """Draws samples of boards; hands are placed by several threads."""

    def __init__(self, form: BucketedForm, *, seed: int, threads: int = 1) -> None:
        reason = why_not_public(form.game)
        if reason:
            raise BadSetting(f"a card walks all hands of two players over boards: {reason}")
        self.form, self.seed = form, seed
        self.cards: CardRounds = form.buckets.cards
        self._team = ThreadTeam(threads)
        self._hands = np.array(list(combinations(range(self.cards.deck.size), self.cards.private)), np.uint8)
        pairs, self._tokens = two_cards([tuple(hand) for hand in self._hands.tolist()], self.cards.deck.size)
        self._pairs = pairs
        self._deals = form.deals._replace(players=1)
        betting = betting_of(form.game)
        self._plexes, places = compile_betting(betting, self.cards.rounds)
        weights = np.ones(len(self._hands))
        self._empty = PublicTree(
            name=form.name,
            deck=self.cards.deck,
            pot=form.pot,
            betting=betting,
            places=places,
            rounds=(),
            hands=[tuple(hand) for hand in self._hands.tolist()],
            hand_cards=pairs,
            weights=(weights, weights),
            pairs=float(compatible_weight(pairs, weights, self._tokens).sum()),
            tokens=self._tokens,
        )

    @cached_property
    def dealt(self) -> list[int]:
        """The public cards dealt after each round but the last."""
        return np.diff(self.cards.boards).tolist()

    def sets(self, round_index: int) -> int:
        """The sets of public cards that may be dealt after a round."""
        return comb(self.cards.deck.size - self.cards.boards[round_index], self.dealt[round_index])

    def left(self, round_index: int) -> int:
        """The hands that share no card with a board of a round."""
        return comb(self.cards.deck.size - self.cards.boards[round_index], self.cards.private)

    def pair_probability(self, round_index: int) -> float:
        """The probability of a pair of hands that share no card, given a board of a round."""
        free = self.cards.deck.size - self.cards.boards[round_index]
        return 1.0 / (comb(free, self.cards.private) * comb(free - self.cards.private, self.cards.private))

    def sample(self, number: int, fan: tuple[int, ...]) -> BoardSample:
        """Sample number `number`; `fan` has the sets of cards drawn after each round but the last."""
        random = np.random.default_rng([self.seed, number])
        cards = Cards(self._empty.hands, self._empty.weights, self.cards.deck.size, (), tuple(self.dealt))
        boards, parents = np.zeros((1, 0), np.uint8), np.zeros(1, np.int32)
        row_above = np.arange(len(self._hands), dtype=np.int16)[None]
        rows_above, chance = padded(len(self._hands), BLOCK), 1.0
        rounds: list[PublicRound] = []
        buckets = []
        for round_index in range(self.cards.rounds):
            if round_index:
                boards, parents, share = _dealt(
                    boards, self.dealt[round_index - 1], fan[round_index - 1], self.cards.deck.size, random
                )
                chance = cards.chances[round_index] * share
                rounds[-1] = replace(rounds[-1], children=_starts(parents, len(rounds[-1].boards)))
            placed = self._placed(boards, parents, row_above, rows_above, round_index)
            rounds.append(self._round(round_index, boards, parents, placed, chance))
            buckets.append(placed.bucket)
            row_above, rows_above = placed.row, placed.hand.shape[1]
        return BoardSample(replace(self._empty, rounds=tuple(rounds)), tuple(buckets))

    def _placed(
        self, boards: np.ndarray, parents: np.ndarray, row_above: np.ndarray, rows_above: int, round_index: int
    ) -> PlacedHands:
        count, left, hands = len(boards), self.left(round_index), len(self._hands)
        rows, last = padded(left, BLOCK), round_index == self.cards.rounds - 1
        placed = PlacedHands(
            hand=np.full((count, rows), -1, np.int16),
            cards=np.zeros((count, rows, 2), np.int16),
            above=np.full((count, rows), rows_above, np.int16),
            below=np.full((count, rows_above), -1, np.int16),
            row=np.full((count, hands), -1, np.int16),
            bucket=np.zeros((count, rows), np.uint16),
            group=np.zeros((count, left + 1 if last else 1), np.int32),
            groups=np.zeros(count, np.int32),
        )
        sampled = SampledRound(boards, parents, row_above, round_index, last)
        members = min(self._team.members, count)

        def work(member: int) -> None:
            if member < members:
                first, end = member * count // members, (member + 1) * count // members
                buffers = self._buffers(left, boards.shape[1])
                place_hands(first, end, sampled, self._hands, self._pairs, self._deals, placed, buffers)

        self._team.run(work)
        return placed

    def _buffers(self, left: int, board: int) -> PlacingBuffers:
        return PlacingBuffers(
            rows=np.zeros((left, self.cards.private + board), np.uint8),
            hand=np.zeros(left, np.int64),
            index=np.zeros(left, np.int64),
            bucket=np.zeros(left, np.int32),
            strength=np.zeros(left, np.int32),
            rank=np.zeros(left, np.uint16),
        )

    def _round(
        self, round_index: int, boards: np.ndarray, parents: np.ndarray, placed: PlacedHands, chance: float
    ) -> PublicRound:
        count, rows = placed.hand.shape
        left = self.left(round_index)
        twin = np.full(rows, rows, np.int16)
        twin[:left] = np.arange(left)
        used = np.arange(placed.group.shape[1]) < placed.groups[:, None]
        group = np.zeros(placed.group.size, np.int32)  # as large for every sample
        group[: used.sum()] = placed.group[used]
        hands = Hands(
            rows=rows,
            count=np.full(count, left, np.int32),
            hand=placed.hand,
            cards=placed.cards,
            above=placed.above,
            twin=np.tile(twin, (count, 1)),
            image_row=placed.above,
            group=group,
            below=placed.below,
        )
        return PublicRound(
            treeplexes=self._plexes[round_index],
            hands=(hands, hands),
            boards=tuple(map(tuple, boards.tolist())),
            parent=parents,
            children=np.zeros(0, np.int32),
            image_start=np.arange(count + 1, dtype=np.int32),
            images=(),
            group_start=np.cumsum([0, *placed.groups], dtype=np.int32),
            chance=chance,
        )


def _dealt(
    boards: np.ndarray, cards: int, wanted: int, deck_size: int, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, float]:
    """The boards after a deal, the board that each follows, and how many sets each of them stands for."""
    following: list[np.ndarray] = []
    for board in boards:
        free = np.setdiff1d(np.arange(deck_size, dtype=np.uint8), board)
        every = comb(len(free), cards)
        if wanted == ALL or wanted >= every:
            sets = free[np.array(list(combinations(range(len(free)), cards)), np.int64)]
        elif cards == 1:
            sets = random.permutation(free)[:wanted, None]
        else:
            sets = np.array([random.choice(free, cards, replace=False) for _ in range(wanted)], np.uint8)
        following.append(np.concatenate([np.tile(board, (len(sets), 1)), sets], axis=1))
    parents = np.repeat(np.arange(len(boards), dtype=np.int32), [len(each) for each in following])
    return np.concatenate(following).astype(np.uint8), parents, every / len(following[0])


def _starts(parents: np.ndarray, boards: int) -> np.ndarray:
    """Where the boards that follow each board begin.  # [board + 1] int32"""
    return np.searchsorted(parents, np.arange(boards + 1)).astype(np.int32)
