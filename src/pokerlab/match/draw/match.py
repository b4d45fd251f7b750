"""Matches of five-card draw, compiled: strategies over buckets, with or without Ee's fallback, and players by rules.

The fallback of B. Ee, "Approximating optimal strategies for five-card draw poker" (2024), section 4.2: an infoset that
training came to fewer than 1,000 times is played by the strength of the hand (as draw-basic plays), and nobody folds
where staying is free. How often training came to an infoset is told by the sum of its averages. Linear weights count
early visits less: an infoset that is come to evenly over training sums to half of its visits.

The two sides play the same deals from both seats, and cards of the stock come in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.exchange import side_of
from pokerlab.solvers.bucketed.playing import Outcomes, Side
from pokerlab.solvers.sampled.sampler import seed_word
from pokerlab.tree.bucketed.betting import BettingForm
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import locked

if TYPE_CHECKING:
    from pokerlab.match.draw._kernels import Contestant, PlaceFacts

VISITS = 1_000  # below which Ee's player falls back
BASIC = "draw-basic"


@dataclass(frozen=True, eq=False)
class Learned:
    """A strategy, which may fall back on the strength of its hand where training has rarely been."""

    side: Side
    fallback: float = 0.0  # sums of averages below which it does; 0: never, and play is uniform where it never was


def play(one: Learned | str, other: Learned | str, form: ExchangeForm, *, hands: int, seed: int = 0) -> Outcomes:
    """Deals, each played with `one` at both seats. Players by rules are named: "draw-basic".

    `form`: a game whose betting both play by; that of strategies where there are any.
    """
    from pokerlab.match.draw._kernels import Table, play_draw

    if form.players != 2 or form.buckets.cards.held != 5 or form.buckets.cards.deck.size != 52:
        raise BadSetting(f"{form.name} is not five-card draw for two")
    for player in (one, other):
        if isinstance(player, Learned) and player.side.form.game.rules != form.game.rules:
            raise BadSetting(f"{player.side.form.name} and {form.name} are different games: let them meet in a match")
    tables, unit = tables_of(form)
    table = Table(
        cards=np.zeros(20, np.uint8),
        hands=np.zeros((2, 5), np.uint8),
        dealt=np.zeros(2, np.int64),
        held=np.zeros(2, np.int64),
        bucket=np.zeros(2, np.int64),
        strength=np.zeros(2, np.int64),
        told=np.zeros((2, 4), np.int64),
        spare=np.zeros((2, 5), np.uint8),
        state=seed_word(seed).copy(),
    )
    won, held = np.zeros((hands, 2)), np.zeros((hands, 2), np.int64)
    pair = (_contestant(one, form), _contestant(other, form))
    play_draw(tables, place_facts(form.betting), form.buckets.cards.canonical, pair, table, won, held)
    return Outcomes(won * unit, held)


def _contestant(player: Learned | str, form: ExchangeForm) -> Contestant:
    from pokerlab.match.draw._kernels import Contestant
    from pokerlab.solvers.bucketed._kernels.matching import FloatSums

    if isinstance(player, str):
        own, numbers, least, likest = form, np.zeros(1, np.float32), 0.0, np.zeros(32, np.uint8)
    else:
        assert isinstance(player.side.form, ExchangeForm)
        own, numbers = player.side.form, np.asarray(player.side.numbers, np.float32)
        least, likest = float(player.fallback), _likest(player.side.form)
    played = locked(numbers)  # arrays of one kind, so that kernels are compiled once
    tables = decisions(player if isinstance(player, str) else BASIC)
    rule = tables._make(field if isinstance(field, int) else locked(field) for field in tables)
    side = side_of(own, FloatSums(played, played, played))
    return Contestant(side, rule, not isinstance(player, str), least, likest)


def _likest(form: ExchangeForm) -> np.ndarray:
    """For each mask of cards, a way that throws as many away, the same cards where all hands have the same masks."""
    buckets = form.buckets
    masks = buckets.masks[0].tolist()
    found = np.zeros(32, np.uint8)
    for mask in range(32):
        same = [way for way, one in enumerate(buckets.ways) if one.cards == mask.bit_count()]
        exact = [way for way in same if len(buckets.masks) == 1 and masks[way] == mask]
        found[mask] = (exact or same)[0]
    return found


@lru_cache(maxsize=4)
def place_facts(betting: BettingForm) -> PlaceFacts:
    """What rules look at, for every place of the betting."""
    from pokerlab.match.draw._kernels import PlaceFacts

    arrays, rules = betting.arrays, betting.game.betting
    child = np.full((betting.nodes, 3), -1, np.int32)
    bets, cost, pot, raise_by = (np.zeros(betting.nodes, np.int32) for _ in range(4))
    pot[:] = arrays.put.sum(axis=1)
    for node in np.flatnonzero(arrays.actor >= 0).tolist():
        names = betting.actions[node]
        if names[0].startswith("d"):
            continue
        for place, name in enumerate(names):
            kind = "fcr".index(name[0])
            if child[node, kind] < 0:
                child[node, kind] = place
        history = betting.histories[node].rpartition("/")[2]
        bets[node] = history.count("r")
        put, actor = arrays.put[node], int(arrays.actor[node])
        largest = int(put.max())
        cost[node] = min(largest, rules.room[actor] + rules.antes[actor]) - int(put[actor])
        if child[node, 2] >= 0:
            after = arrays.put[int(arrays.first[node]) + int(child[node, 2])]
            raise_by[node] = int(after[actor]) - largest
    return PlaceFacts(child, bets, cost, pot, raise_by)
