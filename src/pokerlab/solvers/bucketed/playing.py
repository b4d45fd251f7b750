"""Bucketed strategies against each other, compiled: a million hands in seconds, if the betting is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, play_draw_hands
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm

if TYPE_CHECKING:
    from pokerlab.solvers.bucketed._kernels.play import Played

NORMAL_95 = 1.959963984540054  # of a mean of many hands


@dataclass(frozen=True)
class Gain:
    """What a strategy wins from another per hand, averaged over seats, in the game's chips."""

    mean: float
    half: float  # half-width of the 95 % interval
    hands: int  # deals, each played from every seat

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.mean - self.half, self.mean + self.half


@dataclass(frozen=True, eq=False)
class Side:
    """A form with numbers that the strategy is proportional to, in the layout of the form."""

    form: BucketedForm
    numbers: np.ndarray  # [number]

    @property
    def played(self) -> Played:
        """As kernels read it."""
        from pokerlab.solvers.bucketed._kernels.play import Played

        betting = self.form.betting
        return Played(self.numbers, self.form.base[:-1], np.array(betting.rows, np.int64), betting.arrays.slot)


def head_to_head(one: Side, other: Side, *, hands: int, seed: int) -> Gain:
    """What `one` wins from `other`, which must play the same game: each deal is played with `one` at every seat."""
    if one.form.game.rules != other.form.game.rules:
        raise BadSetting(f"{one.form.name} and {other.form.name} are different games: let them meet in a match")
    if hands < 2:
        raise BadSetting(f"an interval needs at least 2 hands, not {hands}")
    if one.form.has_draws:
        pair = [DrawContestant(cast(ExchangeForm, side.form), side.numbers) for side in (one, other)]
        return gain_of(play_draw_hands(*pair, hands=hands, seed=seed).won.mean(axis=1))
    return _head_to_head(one, other, hands=hands, seed=seed)


def _head_to_head(one: Side, other: Side, *, hands: int, seed: int) -> Gain:
    from pokerlab.solvers.bucketed._kernels.play import play_hands

    tables, unit = tables_of(one.form)
    sums, state = np.zeros(3), seed_word(seed)
    rooms = one.form.deal_buffers(), other.form.deal_buffers()
    play_hands(hands, tables, (one.played, other.played), (one.form.deals, other.form.deals), rooms, state, sums)
    count, total, squares = sums
    spread = max(squares / count - (total / count) ** 2, 0.0) * count / (count - 1)
    return Gain(float(total / count * unit), float(NORMAL_95 * (spread / count) ** 0.5 * unit), int(count))


def gain_of(won: np.ndarray) -> Gain:
    """The mean of what was won, deal by deal, and its interval."""
    half = NORMAL_95 * float(won.std(ddof=1)) / len(won) ** 0.5
    return Gain(float(won.mean()), half, len(won))
