"""Walks of games with an exchange of cards, for Monte-Carlo CFR: external sampling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.walks import Walks
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.tree.bucketed.exchange import ExchangeForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.exchange import ExchangeBuffers, ExchangeSide
    from pokerlab.solvers.bucketed._kernels.matching import FloatSums
    from pokerlab.solvers.bucketed._kernels.tables import Span, Tables


_TERMINAL_VALUES: WeakKeyDictionary[ExchangeForm, np.ndarray] = WeakKeyDictionary()


class ExchangeWalks(Walks):
    """Walks of one deal in which the traversing player tries every discard option.

    With an `opponent`, a form and numbers, the others play that strategy and nothing is learned for them.
    """

    def __init__(
        self,
        form: ExchangeForm,
        tables: Tables,
        sampler: Sampler,
        *,
        threads: int,
        opponent: tuple[ExchangeForm, np.ndarray] | None = None,
    ) -> None:
        from pokerlab.solvers.bucketed._kernels.matching import FloatSums
        from pokerlab.solvers.cfr.sampled._kernels.sampling import ENUMERATE, SAMPLE

        record = sampler.record
        if (record.own, record.others) != (ENUMERATE, SAMPLE) or sampler.pruning:
            raise BadSetting(f"{form.name} has a draw, which only external sampling supports: choose --with external")
        super().__init__(form, tables)
        theirs, numbers = opponent or (form, None)
        self._opponent = None if numbers is None else side_of(theirs, FloatSums(numbers, numbers, numbers))
        options = len(theirs.buckets.options)
        self._buffers = [exchange_buffers(form, options=options) for _ in range(threads)]

    def advance(self, span: Span, players: tuple[int, int], sums: Any) -> int:
        from pokerlab.solvers.bucketed._kernels.exchange import advance_exchanging

        side, buffers = side_of(cast(ExchangeForm, self.form), sums), self._buffers[span.member]
        sides, learns = (side, self._opponent or side), self._opponent is None
        return int(advance_exchanging(span, players, learns, self.tables, sides, buffers))


def side_of(form: ExchangeForm, sums: FloatSums) -> ExchangeSide:
    """A strategy of a form, as kernels read it."""
    from pokerlab.solvers.bucketed._kernels.exchange import ExchangeSide

    arrays, betting = form.betting.arrays, form.betting
    return ExchangeSide(
        cards=form.exchange,
        slot=arrays.slot,
        moves=arrays.moves.astype(np.int32),
        base=form.base[:-1],
        rows=np.array(betting.rows, np.int64),
        sums=sums,
    )


def exchange_buffers(form: ExchangeForm, *, options: int = 0) -> ExchangeBuffers:
    """Buffers for the walks of one thread; `options` if the opponent has more of them than the form."""
    from pokerlab.solvers.bucketed._kernels.exchange import BITS, SOME, ExchangeBuffers

    cards, players = form.buckets.cards, form.players
    exchanges = ((players - 1) * cards.most + 1) * max(len(form.buckets.options), options)
    if exchanges >= SOME or BITS * players > 62:
        raise BadSetting(
            f"{form.name} has {players} players and {exchanges:,} exchanges in a walk, and the limits are six players "
            f"and {SOME - 1:,} exchanges: choose buckets with fewer discard options"
        )
    entries = max(_most_entries(form, player) for player in range(players))
    return ExchangeBuffers(
        queue=np.zeros((entries, 7), np.int64),
        share=np.zeros(entries),
        offset=np.zeros(entries, np.int64),
        factor=np.zeros(entries),
        value=np.zeros(entries),
        cards=np.zeros(players * (cards.held + cards.most), np.uint8),
        hands=np.zeros((players, cards.held), np.uint8),
        number=np.zeros(players, np.int64),
        bucket=np.zeros(players, np.int64),
        known=np.zeros((players, exchanges), np.uint64),
        held=np.zeros((2, players, exchanges), np.int64),
        numbers=np.zeros((players, exchanges), np.int64),
        spare=np.zeros(cards.held, np.uint8),
        strength=np.zeros(players, np.int64),
        terminal_values=terminal_values(form),
        state=np.zeros(1, np.uint64),
    )


def terminal_values(form: ExchangeForm) -> np.ndarray:
    """Payoffs in units to either of two players with the stronger, equal, weaker hand.  # [node, player, 3] or empty"""
    if form.players != 2:
        return np.zeros((0, 2, 3))
    if form not in _TERMINAL_VALUES:
        from pokerlab.solvers.bucketed._kernels.tables import payoff

        tables, _ = tables_of(form)
        values = np.zeros((form.betting.nodes, 2, 3))
        strengths = [np.array(pair, np.int64) for pair in ((0, 1), (0, 0), (1, 0))]
        for node in np.flatnonzero(form.betting.arrays.actor < 0).tolist():
            for outcome in range(3):
                values[node, 0, outcome] = payoff(node, 0, strengths[outcome], tables)
                values[node, 1, outcome] = payoff(node, 1, strengths[2 - outcome], tables)
        _TERMINAL_VALUES[form] = values
    return _TERMINAL_VALUES[form]


def _most_entries(form: ExchangeForm, player: int) -> int:
    """The largest number of (hand, node) pairs that a walk of a player visits."""
    arrays, discards = form.betting.arrays, form.buckets.discards
    most = np.ones(form.betting.nodes, np.int64)
    for node in np.flatnonzero(arrays.actor >= 0)[::-1].tolist():
        first, children = int(arrays.first[node]), int(arrays.children[node])
        below = most[first : first + children]
        if arrays.actor[node] != player:
            most[node] = 2 + below.max()
        else:
            most[node] = 1 + (below[discards] if arrays.moves[node] != children else below).sum()
    return int(most[0])
