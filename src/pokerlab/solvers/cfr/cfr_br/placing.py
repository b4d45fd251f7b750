"""Maps hands of the real game to their buckets: the public form alongside the bucketed one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.poker.betting_tree import Decision, walk
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.bucketed.real_game import MOST_BYTES, betting_histories, held_buckets
from pokerlab.tree.forecast import bytes_text
from pokerlab.tree.form import kind_of
from pokerlab.tree.public.form import public_form
from pokerlab.tree.public.layout import PublicTree

if TYPE_CHECKING:
    from pokerlab.solvers.cfr.cfr_br._kernels import Decisions, Placing


def real_game(form: BucketedForm) -> PublicTree:
    """The game without its buckets, in the public form; BadSetting if it has none or is too large."""
    kind = kind_of("public")
    reason = kind.why_not(form.game)
    if not reason:
        size = kind.forecast(form.game).bytes
        if size > MOST_BYTES:
            reason = (
                f"the public form of {form.name} needs {bytes_text(size)}, and {bytes_text(MOST_BYTES)} may be used"
            )
    if reason:
        raise BadSetting(f"cfr-br answers every hand of the real game, in the public form: {reason}")
    return public_form(form.game)


def placings(form: BucketedForm, tree: PublicTree) -> list[list[Placing]]:
    """Where each player's hands are stored among the numbers of buckets, round by round.  # [round][player]"""
    from pokerlab.solvers.cfr.cfr_br._kernels import Placing

    slots = [[np.zeros((2, plex.slots), np.int64) for plex in level.treeplexes] for level in tree.rounds]
    histories, arrays = betting_histories(tree), form.betting.arrays
    for node in walk(tree.betting):
        if isinstance(node, Decision):
            place, own = tree.places[node], form.betting.node_of[histories[id(node)]]
            turn, moves = int(arrays.round[own]), len(node.actions)
            first, stride = slots[place.round][node.player]
            first[place.slot : place.slot + moves] = form.first_number(own, 0) + np.arange(moves)
            stride[place.slot : place.slot + moves] = form.betting.rows[turn]
    return [
        [
            Placing(
                held_buckets(form, tree, level, player).astype(np.int32),
                level.hands[player].count,
                *slots[number][player],
            )
            for player in (0, 1)
        ]
        for number, level in enumerate(tree.rounds)
    ]


def decisions_of(form: BucketedForm, player: int) -> Decisions:
    """A player's decisions in the bucketed form."""
    from pokerlab.solvers.cfr.cfr_br._kernels import Decisions

    arrays = form.betting.arrays
    nodes = np.flatnonzero(arrays.actor == player)
    turns = arrays.round[nodes].astype(np.int64)
    return Decisions(
        form.base[turns] + arrays.slot[nodes],
        np.array(form.betting.rows, np.int64)[turns],
        np.array(form.buckets.counts, np.int64)[turns],
        arrays.moves[nodes].astype(np.int64),
    )
