"""The distance of bucketed strategies from equilibrium in the real game, where every hand is separate.

Two players are measured in the public form, more in the sequence form, by explicit best responses that see their own
cards, not buckets. Games that fit in neither are not measured: use matches and local best response instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pokerlab.errors import PokerlabError
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.games.poker.engine import PokerGame
from pokerlab.tree.bucketed.form import MISSING, BucketedForm
from pokerlab.tree.form import Form, kind_of
from pokerlab.tree.form import build_form as build_form_as
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.layout import BLOCK, PublicRound, PublicTree, slots_of
from pokerlab.tree.sequence import SequenceForm

MOST_BYTES = 1.5e9  # of a form used for measuring
SECONDS_A_HISTORY, SECONDS_A_DRAW_HISTORY = 2e-6, 14e-6  # to build the sequence form; with a draw, one at a time
MOST_CACHED = 100_000  # histories of a game whose sequence form is cached for the next measurement
BUILDING_BYTES = 2.0  # of the sequence form while it is built, as a multiple of its forecast

Measured = Callable[[np.ndarray], Measure]  # of averages [number]


class MeasuringCost(NamedTuple):
    """What the first measurement in the real game takes."""

    kind: str  # of the form in which it is measured
    histories: float
    bytes: float
    seconds: float


def measuring_cost(form: BucketedForm) -> MeasuringCost | None:
    """What measuring takes; None if the real game is too large."""
    for kind in ("public", "sequence"):
        try:
            if kind_of(kind).why_not(form.game) or (size := kind_of(kind).forecast(form.game)).bytes > MOST_BYTES:
                continue
        except PokerlabError:  # too large
            continue
        if kind == "public":
            return MeasuringCost(kind, size.nodes, size.bytes, 0.0)
        history = SECONDS_A_DRAW_HISTORY if form.has_draws else SECONDS_A_HISTORY
        return MeasuringCost(kind, size.nodes, BUILDING_BYTES * size.bytes, history * size.nodes)
    return None


def measurer(form: BucketedForm, *, tree: PublicTree | None = None) -> Measured | None:
    """The function that measures averages, in `tree` if it is built already; None if the real game is too large."""
    if tree is not None:
        return _in_public(form, tree)
    cost = measuring_cost(form)
    if cost is None:
        return None
    try:
        few = cost.kind == "sequence" and cost.histories <= MOST_CACHED
        game: Any = _cached(form.game) if few else build_form_as(form.game, cost.kind)
    except PokerlabError:  # too large
        return None
    return _in_public(form, game) if cost.kind == "public" else _in_sequence(form, game)


@lru_cache(maxsize=4)
def _cached(game: PokerGame) -> Form:
    """The sequence form of a small game, built once: to build it takes longer than to train and measure in it."""
    return build_form_as(game, "sequence")


def _in_public(form: BucketedForm, tree: PublicTree) -> Measured:
    assessor = Assessor(tree)
    decisions = list(_placed(form, tree))

    def measured(average: np.ndarray) -> Measure:
        sums = [[np.zeros(slots_of(level, player)) for player in (0, 1)] for level in tree.rounds]
        for stored, where, _ in _blocks(form, tree, decisions, sums):
            played = np.asarray(average[where], float)  # [board, row, action]
            blocks = played.reshape(len(played), -1, BLOCK, played.shape[2])
            stored[:] = blocks.transpose(0, 1, 3, 2)
        try:
            return assessor.measure(sums)
        finally:
            assessor.sums = []  # or a second measurement would need twice the memory

    return measured


def numbers_of(form: BucketedForm, tree: PublicTree, sums: Sequence[Sequence[np.ndarray]]) -> np.ndarray:
    """Strategies of the public form as numbers of a form in which every hand is its own bucket.  # [number]"""
    numbers = np.zeros(form.numbers)
    levels = [[np.asarray(stored, float) for stored in level] for level in sums]
    for stored, where, held in _blocks(form, tree, list(_placed(form, tree)), levels):
        numbers[where[held]] = stored.transpose(0, 1, 3, 2).reshape(where.shape)[held]
    return numbers


class DecisionPair(NamedTuple):
    """A decision in both forms. Offsets are computed when they are needed: all of them take more than the form."""

    round: int
    player: int
    slot: int  # in the public form
    node: int  # of the betting
    actions: int
    buckets: np.ndarray  # [board, row], shared by the decisions of a round; 0 in padding rows

    def offsets(self, form: BucketedForm) -> np.ndarray:
        """Offsets in the bucketed form; those of bucket 0 in padding rows.  # [board, row, action]"""
        return np.asarray(form.first_number(self.node, self.buckets)[..., None] + np.arange(self.actions))


def _placed(form: BucketedForm, tree: PublicTree) -> Iterator[DecisionPair]:
    """Where each decision is in both forms."""
    buckets = [[held_buckets(form, tree, level, player) for player in (0, 1)] for level in tree.rounds]
    histories = betting_histories(tree)
    for node in walk(tree.betting):
        if isinstance(node, Decision):
            place, own = tree.places[node], form.betting.node_of(histories[id(node)])
            held = buckets[place.round][node.player]
            yield DecisionPair(place.round, node.player, place.slot, own, len(node.actions), held)


def _blocks(
    form: BucketedForm, tree: PublicTree, placed: Sequence[DecisionPair], sums: Sequence[Sequence[np.ndarray]]
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Of each decision, a view of its numbers in the public form, their offsets, and which rows hold a hand."""
    for one in placed:
        level, where = tree.rounds[one.round], one.offsets(form)
        stored = sums[one.round][one.player].reshape(len(where), -1, level.treeplexes[one.player].slots, BLOCK)
        held = np.arange(where.shape[1]) < np.asarray(level.hands[one.player].count)[:, None]
        yield stored[:, :, one.slot : one.slot + one.actions], where, held  # the first is [board, block, action, lane]


def held_buckets(form: BucketedForm, tree: PublicTree, level: PublicRound, player: int) -> np.ndarray:
    """The bucket of the hand in each row of each board; rows without a hand have bucket 0.  # [board, row]"""
    hands = level.hands[player]
    buckets = np.zeros((len(level.boards), hands.rows), np.int64)
    cards = np.array(tree.hands, np.uint8)
    for board, board_cards in enumerate(level.boards):
        numbers = hands.hand[board, : int(hands.count[board])]
        buckets[board, : len(numbers)] = form.buckets.of(cards[numbers], board_cards)
    return buckets


def betting_histories(tree: PublicTree) -> dict[int, str]:
    """The betting history at each decision, in the rule engine's notation."""
    histories: dict[int, str] = {}
    pending = [(tree.betting, "")]
    while pending:
        node, history = pending.pop()
        while not isinstance(node, Decision) and hasattr(node, "child"):
            node, history = node.child, history + "/"
        if isinstance(node, Decision):
            histories[id(node)] = history
            pending += [(child, history + code) for code, child in zip(node.codes, node.children, strict=True)]
    return histories


def _in_sequence(form: BucketedForm, real: SequenceForm) -> Measured:
    tree = real.tree
    where = np.zeros(tree.slots, np.int64)  # offset of each slot; MISSING if an action is never taken
    for infoset, name in enumerate(tree.infoset_names):
        start, end = int(tree.start[infoset]), int(tree.start[infoset + 1])
        where[start:end] = form.infoset_numbers(name, end - start)
    starts, counts = tree.start[:-1].astype(np.int64), np.diff(tree.start).astype(np.int64)
    known = where != MISSING
    uniform = known / np.repeat(np.add.reduceat(known.astype(float), starts), counts)

    def measured(average: np.ndarray) -> Measure:
        played = np.where(known, np.asarray(average[where], float), 0.0)
        totals = np.repeat(np.add.reduceat(played, starts), counts)
        return real.measure(np.where(totals > 0, played / np.where(totals > 0, totals, 1), uniform))

    return measured
