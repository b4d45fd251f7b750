"""The exact positive potential of every five-card hand before the draw (Ee, appendix C).

    PPOT = (T[behind, ahead] + T[behind, tied] / 2 + T[tied, ahead] / 2) / (T[behind] + T[tied] / 2)

T counts pairs of new cards and an opposing hand, by how the two hands compare before and after the draw: every set of
new cards from the 47 that we do not hold, and for each every opposing hand from the cards then left, excluding our
discards. The discards are a mask for each hand; the stored potential is that of `best`, the masks with the largest mean
strength. The paper does not say how the opponent's hand changes in their draw: here it stays as it is, which is how the
paper counts ("(52-5-2)C5 potential hands held by opponents").

The paper only estimates it, since a hand that draws three has 16,215 sets of new cards and each has 850,668 opposing
hands. Here hands are counted by their ranks, with corrections for flushes (cards/_kernels/draw_potential.py): a few
seconds for all 134,459 hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab import parallel, store
from pokerlab.cards.draws import MASKS, all_hands, draw_measures
from pokerlab.cards.rank_hands import HAND, plain_classes, rank_multisets, rank_tables
from pokerlab.errors import BadSetting

if TYPE_CHECKING:
    from pokerlab.cards._kernels.draw_potential import Draws


@cache
def draw_potential() -> np.ndarray:
    """The potential of every hand with its best discard, computed once and saved in the store.  # [hand] float64"""
    saved = store.computed(
        "five-card-draw-potential",
        lambda: {"potential": potential_of(draw_measures().best)},
        kind="five-card draw potential",
        edition=1,
        notice="computing the potential of every hand of five-card draw, once: some ten seconds",
    )
    return saved.arrays["potential"]


def potential_of(masks: np.ndarray, hands: np.ndarray | None = None) -> np.ndarray:
    """The potential of hands (by index, default: all) with the discards of their masks.  # [hand] float64

    BadSetting if a flush does not stand pat: it would change ranks and suits at once, which is not supported.
    """
    measures = draw_measures()
    numbers = np.arange(len(measures.classes)) if hands is None else np.asarray(hands)
    masks = np.asarray(masks).astype(np.int64)
    gains = np.zeros(len(numbers))
    drawing = masks > 0
    suits = all_hands()[numbers] % 4
    if (drawing & (suits == suits[:, :1]).all(axis=1)).any():
        raise BadSetting("the potential of a flush that throws cards is not known: its mask must be 0")
    places = np.flatnonzero(drawing)
    for members, members_gains in parallel.run(_gains, _groups(numbers[places], masks[places])):
        gains[places[members]] = members_gains
    behind = comb(47, HAND) - measures.ahead[numbers].astype(np.int64) - measures.tied[numbers]
    opponents = 2 * behind + measures.tied[numbers]  # twice the denominator, for each set of new cards
    draws = np.array([comb(42, mask.bit_count()) for mask in range(MASKS)])[masks]  # without the opponent's cards
    return np.asarray(np.divide(gains, opponents * draws, out=np.zeros(len(gains)), where=opponents > 0))


class _Members(NamedTuple):
    """Hands of the same ranks that hold the same ranks."""

    places: np.ndarray  # [hand] int64: their positions in the input
    ranks: np.ndarray  # [5] int64
    held: np.ndarray  # [5] bool
    best: int  # their class
    suits: np.ndarray  # [hand, 4] int64: the ranks of each suit, 13 bits
    suited: np.ndarray  # [hand, 4] bool: whether all held cards are of a suit


def _groups(numbers: np.ndarray, masks: np.ndarray) -> Iterator[_Members]:
    cards = all_hands()[numbers].astype(np.int64)
    ranks, suit = cards // 4, cards % 4
    held = (masks[:, None] >> np.arange(HAND) & 1) == 0
    suits = np.stack([np.where(suit == one, 1 << ranks, 0).sum(1) for one in range(4)], axis=1)
    suited = np.stack([((suit == one) | ~held).all(axis=1) for one in range(4)], axis=1)
    digits = 14 ** np.arange(HAND)
    key = (ranks * digits).sum(1) * 14**HAND + (np.sort(np.where(held, ranks, 13), axis=1) * digits).sum(1)
    order = np.argsort(key, kind="stable")
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    classes = draw_measures().classes[numbers]
    for places in np.split(order, starts[1:]) if len(order) else ():
        one = places[0]
        yield _Members(places, ranks[one], held[one], int(classes[one]), suits[places], suited[places])


def _gains(members: _Members) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the hands of a group, and twice the numerator of the potential of each."""
    from pokerlab.cards._kernels.draw_potential import Group, gains_of_group

    tables = rank_tables()
    held = members.ranks[members.held]
    drawn = rank_multisets(HAND - len(held))
    hands = np.hstack([np.broadcast_to(held, (len(drawn), len(held))), drawn])
    sets = (1 << hands).sum(1)
    different = (hands[:, :, None] == hands[:, None, :]).sum((1, 2)) == HAND
    flush = different & bool(members.suited.any())
    group = Group(
        ranks=members.ranks,
        held=np.bincount(members.ranks, minlength=13),
        held_ranks=int((1 << held).sum()),  # no flush if two of them are equal
        best=members.best,
        draws=_sorted_draws(drawn, plain_classes(hands)),
        flushes=_sorted_draws(drawn[flush], tables.flush_of[sets[flush]]),
        change=np.zeros(int(flush.sum())),
        both=np.zeros((int(flush.sum()), len(tables.sets)), np.int8),
        flush=np.zeros(len(tables.sets)),
        factors=np.zeros((13, 5, len(tables.sets)), np.float32),
        own=np.zeros(MASKS),
        extra=np.zeros((MASKS, len(tables.sets))),
    )
    gains = np.zeros(len(members.places))
    gains_of_group(group, tables, members.suits, members.suited, gains)
    return members.places, gains


def _sorted_draws(ranks: np.ndarray, classes: np.ndarray) -> Draws:
    from pokerlab.cards._kernels.draw_potential import Draws

    order = np.argsort(classes, kind="stable")
    ranks = np.ascontiguousarray(ranks[order])
    counts = (ranks[:, :, None] == np.arange(13)).sum(1)
    scratch = (np.zeros((*shape, len(ranks)), np.float32) for shape in ((), (13, 5), (3, 14)))
    return Draws(ranks, counts, classes[order], *scratch)
