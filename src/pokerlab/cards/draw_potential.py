"""The positive potential of every five-card hand before the draw, exactly (Ee, appendix C).

    PPOT = (T[behind, ahead] + T[behind, tied] / 2 + T[tied, ahead] / 2) / (T[behind] + T[tied] / 2)

T counts pairs of new cards and an opposing hand, by how the two hands compare before and after the draw: every set of
new cards from the 47 that we do not hold, and for each every opposing hand from the cards then left, those that we
threw away excluded. Which cards are thrown is a mask for each hand; the potential that is kept is of `best`, the masks
of the greatest mean strength. The paper does not say what becomes of the opponent's hand in his draw: here it stays as
it is, which is how the paper counts ("(52-5-2)C5 potential hands held by opponents").

The paper estimates it roughly, since a hand that draws three has 16,215 sets of new cards and each has 850,668
opposing hands. Here hands are counted by their ranks, and flushes are corrected for (cards/_kernels/draw_potential.py):
some seconds for all 134,459 hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab import parallel, store
from pokerlab.cards.draws import HAND, MASKS, all_hands, draw_measures
from pokerlab.cards.strength import HIGH, strengths
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from pokerlab.cards._kernels.draw_potential import Draws, Group, RankTables

_EDITION = 1


@cache
def draw_potential() -> np.ndarray:
    """The potential of every hand that throws its best cards, computed once and kept in the store.  # [hand] float64"""
    kept = store.computed(
        "five-card-draw-potential",
        lambda: {"potential": potential_of(draw_measures().best)},
        kind="five-card draw potential",
        edition=_EDITION,
    )
    return kept.arrays["potential"]


def potential_of(masks: np.ndarray, hands: np.ndarray | None = None) -> np.ndarray:
    """The potential of hands (by number, all unless told) that throw the cards of their masks.  # [hand] float64

    BadSetting where a flush does not stand pat: its cards change ranks and suits at once, which is not counted here.
    """
    measures = draw_measures()
    numbers = np.arange(len(measures.classes)) if hands is None else np.asarray(hands)
    masks = np.asarray(masks).astype(np.int64)
    gains = np.zeros(len(numbers))
    drawing = masks > 0
    if (drawing & _flushes()[numbers]).any():
        raise BadSetting("the potential of a flush that throws cards is not known: its mask must be 0")
    places = np.flatnonzero(drawing)
    for members, found in parallel.run(_gains, _groups(numbers[places], masks[places])):
        gains[places[members]] = found
    behind = comb(47, HAND) - measures.ahead[numbers].astype(np.int64) - measures.tied[numbers]
    met = 2 * behind + measures.tied[numbers]  # twice the denominator, for each set of new cards
    thrown = np.array([mask.bit_count() for mask in range(MASKS)])[masks]
    ways = np.array([comb(42, count) for count in range(HAND + 1)])[thrown]  # that do not hold the opponent's cards
    return np.asarray(np.divide(gains, met * ways, out=np.zeros(len(gains)), where=met > 0))


def _flushes() -> np.ndarray:
    suits = all_hands() % 4
    return np.asarray((suits == suits[:, :1]).all(axis=1))


class _Members(NamedTuple):
    """Hands of the same ranks that keep the same ranks."""

    places: np.ndarray  # [hand] int64: where they stand among those asked for
    ranks: np.ndarray  # [5] int64
    kept: np.ndarray  # [5] bool
    best: int  # their class
    suits: np.ndarray  # [hand, 4] int64: the ranks of each suit, 13 bits
    suited: np.ndarray  # [hand, 4] bool: whether all kept cards are of a suit


def _groups(numbers: np.ndarray, masks: np.ndarray) -> Iterator[_Members]:
    cards = all_hands()[numbers].astype(np.int64)
    ranks, suit = cards // 4, cards % 4
    kept = (masks[:, None] >> np.arange(HAND) & 1) == 0
    suits = np.stack([np.where(suit == one, 1 << ranks, 0).sum(1) for one in range(4)], axis=1)
    suited = np.stack([((suit == one) | ~kept).all(axis=1) for one in range(4)], axis=1)
    digits = 14 ** np.arange(HAND)
    key = (ranks * digits).sum(1) * 14**HAND + (np.sort(np.where(kept, ranks, 13), axis=1) * digits).sum(1)
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    classes = draw_measures().classes[numbers]
    for places in np.split(order, starts[1:]):
        one = places[0]
        yield _Members(places, ranks[one], kept[one], int(classes[one]), suits[places], suited[places])


def _gains(members: _Members) -> tuple[np.ndarray, np.ndarray]:
    """The places of the hands of a group, and twice the numerator of the potential of each."""
    from pokerlab.cards._kernels.draw_potential import gains_of_group

    tables, thrown = _rank_tables(), int((~members.kept).sum())
    draws = _draws(thrown)
    out = np.zeros(len(members.places))
    gains_of_group(_group(members, draws), draws, tables, members.suits, members.suited, out)
    return members.places, out


def _group(members: _Members, draws: Draws) -> Group:
    from pokerlab.cards._kernels.draw_potential import Group

    kept = members.ranks[members.kept]
    hands = np.hstack([np.broadcast_to(kept, (len(draws.ranks), len(kept))), draws.ranks])
    sets, number = len(_rank_tables().sets), len(draws.ranks)
    return Group(
        ranks=members.ranks,
        held=np.bincount(members.ranks, minlength=13),
        kept=np.bincount(kept, minlength=13),
        best=members.best,
        after=_plain_classes(hands),
        ways=np.zeros(number, np.int64),
        gains=np.zeros(number),
        upto=np.zeros(HIGH().class_count + 1),
        flush=np.zeros(sets),
        own=np.zeros(MASKS),
        extra=np.zeros((MASKS, sets)),
    )


def _plain_classes(ranks: np.ndarray) -> np.ndarray:
    """The class of hands of these ranks that are no flush; any where a rank comes five times.  # [hand] int64

    The cards of a rank are given suits one after the other, and the last card of a hand of five ranks another suit.
    """
    ordered = np.sort(ranks, axis=1)
    repeat = np.zeros_like(ordered)
    for place in range(1, HAND):
        same = ordered[:, place] == ordered[:, place - 1]
        repeat[:, place] = np.where(same, repeat[:, place - 1] + 1, 0)
    suits = repeat % 4
    suits[(repeat == 0).all(axis=1), HAND - 1] = 1
    return strengths((4 * ordered + suits).astype(np.uint8), check=False).astype(np.int64)


@cache
def _draws(cards: int) -> Draws:
    from pokerlab.cards._kernels.draw_potential import Draws

    every = combinations_with_replacement(range(12, -1, -1), cards)
    ranks = np.array([drawn for drawn in every if max(map(drawn.count, drawn)) <= 4], np.int64)
    return Draws(ranks, (ranks[:, :, None] == np.arange(13)).sum(1))


@cache
def _rank_tables() -> RankTables:
    from pokerlab.cards._kernels.draw_potential import RankTables

    hands = _draws(HAND)
    classes = _plain_classes(hands.ranks)
    order = np.argsort(classes, kind="stable")
    ranks = np.argsort(-hands.counts, axis=1, kind="stable")[:, :HAND]  # different ranks first
    counts = np.take_along_axis(hands.counts, ranks, axis=1)
    different = np.array(list(combinations(range(13), HAND)), np.int64)
    sets = (1 << different).sum(1)
    plains, flushes = _plain_classes(different), strengths((4 * different).astype(np.uint8)).astype(np.int64)
    plain_of, flush_of = np.zeros(1 << 13, np.int64), np.zeros(1 << 13, np.int64)
    plain_of[sets], flush_of[sets] = plains, flushes
    by_flush = np.argsort(flushes)
    return RankTables(
        ranks=np.ascontiguousarray(ranks[order]),
        counts=np.ascontiguousarray(counts[order]),
        classes=classes[order],
        sets=sets[by_flush],
        flushes=flushes[by_flush],
        plains=plains[by_flush],
        plain_of=plain_of,
        flush_of=flush_of,
        choose=np.array([[comb(free, count) for count in range(6)] for free in range(5)]),
    )
