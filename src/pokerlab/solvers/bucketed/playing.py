"""Bucketed strategies against each other, compiled: a million hands in seconds, if the betting is the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.solvers.bucketed.betting_units import tables_of
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, play_draw_hands
from pokerlab.solvers.cfr.sampled.sampler import seed_word
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm

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


def head_to_head(one: Side, other: Side, *, hands: int, seed: int) -> Gain:
    """What `one` wins from `other`, which must play the same game: each deal is played with `one` at every seat."""
    if one.form.game.rules != other.form.game.rules:
        raise BadSetting(f"{one.form.name} and {other.form.name} are different games: let them play a match instead")
    if hands < 2:
        raise BadSetting(f"an interval needs at least 2 hands, got {hands}")
    if one.form.has_draws:
        pair = [DrawContestant(cast(ExchangeForm, side.form), side.numbers) for side in (one, other)]
        return gain_of(play_draw_hands(*pair, hands=hands, seed=seed).won.mean(axis=1))
    from pokerlab.solvers.bucketed._kernels.play import Played, play_hands

    tables, unit = tables_of(one.form)
    sums, state, forms = np.zeros(3), seed_word(seed), (one.form, other.form)
    played = tuple(
        Played(side.numbers, side.form.base[:-1], np.array(betting.rows, np.int64), betting.arrays.slot)
        for side, betting in ((one, one.form.betting), (other, other.form.betting))
    )
    deals, buffers = (tuple(form.deals for form in forms), tuple(form.deal_buffers() for form in forms))
    play_hands(hands, tables, played, deals, buffers, state, sums)
    count, total, squares = sums
    spread = max(squares / count - (total / count) ** 2, 0.0) * count / (count - 1)
    return Gain(float(total / count * unit), float(NORMAL_95 * (spread / count) ** 0.5 * unit), int(count))


def gain_of(won: np.ndarray) -> Gain:
    """The mean of what was won, deal by deal, and its interval."""
    half = NORMAL_95 * float(won.std(ddof=1)) / len(won) ** 0.5
    return Gain(float(won.mean()), half, len(won))
