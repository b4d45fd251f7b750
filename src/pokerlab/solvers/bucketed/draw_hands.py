"""Compiled hands of draw poker between strategies over buckets, rules, and strategies that fall back on a rule.

Both sides play the same deals from every seat, with the stock in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.exchange import side_of
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed.betting import BettingForm
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.read_only import locked

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.draw_hands import BettingFacts, Contestant, HandBuffers
    from pokerlab.solvers.bucketed._kernels.draw_rules import DrawTables


@dataclass(frozen=True, eq=False)
class DrawContestant:
    """A contestant: a strategy, a rule, or a strategy with a rule to fall back on."""

    form: ExchangeForm
    numbers: np.ndarray | None = None  # [number] the strategy is proportional to these; None: the rule plays
    rule: DrawTables | None = None
    fallback: float = 0.0  # infosets whose numbers sum to less are played by the rule


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What a contestant won, deal by deal, from each seat."""

    won: np.ndarray  # [deal, seat] chips; [deal, 1] if every deal was played once, with the seats in turn
    held: np.ndarray  # [deal, seat] the number of the hand dealt to the seat
    fell: tuple[int, int] = (0, 0)  # by contestant: decisions that its rule took for its strategy


def play_draw_hands(
    one: DrawContestant, other: DrawContestant, *, hands: int, seed: int, every_seat: bool = True
) -> Outcomes:
    """Play deals of a game with one draw, each with `one` at every seat and `other` at the rest, or in one seat."""
    from pokerlab.solvers.bucketed._kernels.draw_hands import BettingFacts
    from pokerlab.solvers.bucketed._kernels.draw_hands import play_draw_hands as play

    form, cards = one.form, one.form.buckets.cards
    if other.form.game.rules != form.game.rules:
        raise BadSetting(f"{form.name} and {other.form.name} are different games: let them play a match instead")
    has_rules = one.rule is not None or other.rule is not None
    if has_rules and (form.players, cards.held, cards.most, cards.deck.size) != (2, 5, 5, 52):
        raise BadSetting(f"{form.name} is not five-card draw for two")
    tables, unit = tables_of(form)
    none = np.zeros(0, np.int32)
    facts = betting_facts(form.betting) if has_rules else BettingFacts(np.zeros((0, 3), np.int32), *[none] * 4)
    canonical = cards.canonical if has_rules else none
    won = np.zeros((hands, form.players if every_seat else 1))
    held, pair = np.zeros((hands, form.players), np.int64), (_contestant(one), _contestant(other))
    play(tables, facts, canonical, pair, _buffers(form, seed), won, held)
    return Outcomes(won * unit, held, (int(pair[0].fell[0]), int(pair[1].fell[0])))


def _contestant(player: DrawContestant) -> Contestant:
    """A contestant as kernels read it, with arrays of one type, so that they are compiled once."""
    from pokerlab.solvers.bucketed._kernels.draw_hands import Contestant
    from pokerlab.solvers.bucketed._kernels.draw_rules import NO_RULE
    from pokerlab.solvers.bucketed._kernels.matching import FloatSums

    has_strategy = player.numbers is not None
    numbers = locked(np.asarray(player.numbers if has_strategy else np.zeros(1), np.float32))
    rule = player.rule or NO_RULE
    rule = rule._make(part if isinstance(part, int) else locked(part) for part in rule)
    side = side_of(player.form, FloatSums(numbers, numbers, numbers))
    return Contestant(side, rule, has_strategy, float(player.fallback), np.zeros(1, np.int64))


def _buffers(form: ExchangeForm, seed: int) -> HandBuffers:
    from pokerlab.solvers.bucketed._kernels.draw_hands import HandBuffers

    players, cards = form.players, form.buckets.cards
    return HandBuffers(
        cards=np.zeros(players * (cards.held + cards.most), np.uint8),
        hands=np.zeros((players, cards.held), np.uint8),
        number=np.zeros(players, np.int64),
        current=np.zeros(players, np.int64),
        bucket=np.zeros(players, np.int64),
        strength=np.zeros(players, np.int64),
        history=np.zeros((players, 4), np.int64),
        spare=np.zeros(cards.held, np.uint8),
        state=seed_word(seed).copy(),
    )


@lru_cache(maxsize=4)
def betting_facts(betting: BettingForm) -> BettingFacts:
    """What rules need to know about every betting node."""
    from pokerlab.solvers.bucketed._kernels.draw_hands import BettingFacts

    arrays, rules = betting.arrays, betting.game.betting
    child = np.full((betting.nodes, 3), -1, np.int32)
    bets, cost, raise_by = (np.zeros(betting.nodes, np.int32) for _ in range(3))
    for node in np.flatnonzero(arrays.actor >= 0).tolist():
        names = betting.actions[node]
        if names[0].startswith("d"):
            continue
        for position, name in reversed(list(enumerate(names))):  # the first raise is the smallest
            child[node, "fcr".index(name[0])] = position
        bets[node] = betting.histories[node].rpartition("/")[2].count("r")
        put, actor = arrays.put[node], int(arrays.actor[node])
        largest = int(put.max())
        cost[node] = min(largest, rules.behind[actor] + rules.antes[actor]) - int(put[actor])
        if child[node, 2] >= 0:
            raise_by[node] = int(arrays.put[int(arrays.first[node]) + int(child[node, 2]), actor]) - largest
    return BettingFacts(child, bets, cost, arrays.put.sum(axis=1).astype(np.int32), raise_by)
