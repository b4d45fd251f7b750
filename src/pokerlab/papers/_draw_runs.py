"""The runs of `paper ee`: training and matches of five-card draw players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import numpy as np
from scipy import stats

from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.cards.strength import HIGH
from pokerlab.events import Watch
from pokerlab.match.draw import strategy_player
from pokerlab.papers._bucketed_runs import poker_game, start_solver, table_winnings
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, Outcomes
from pokerlab.solvers.bucketed.playing import Gain, gain_of
from pokerlab.solvers.bucketed.progress import visited_infosets
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.forms.kinds import Naming, strategy_of
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form

GAME = "five-card-draw(menu='min')"
ALGORITHM = "external(schedule='linear-cfr')"
AT_ONCE = 20_000  # iterations between checks of the cancel token


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained player."""

    form: ExchangeForm
    average: np.ndarray  # [number] float32
    iterations: int

    def player(self, fallback: float = 0.0) -> DrawContestant:
        """The player, which falls back on hand strength if the averages of an infoset sum to less."""
        return strategy_player(self.form, self.average, fallback=fallback)

    @cached_property
    def visited(self) -> int:
        """The number of infosets that training visited."""
        return visited_infosets(self.form, self.average)

    @cached_property
    def strategy(self) -> BucketedStrategy:
        """The average strategy."""
        return cast(BucketedStrategy, strategy_of(self.form, {"average": self.average}, Naming()))

    def folds(self) -> np.ndarray:
        """How often the small blind open-folds each hand.  # [hand]"""
        buckets = self.form.buckets
        rows = self.strategy.rows(0, np.arange(buckets.counts[0]))
        return np.asarray(rows[:, self.form.betting.actions[0].index("f")][buckets.before])


@cache
def form_of(buckets: str) -> ExchangeForm:
    """The paper's game with buckets."""
    game = poker_game(GAME)
    return exchange_form(game, exchange_buckets(buckets, game))


def train(
    form: ExchangeForm,
    marks: tuple[int, ...],
    *,
    seed: int,
    watch: Watch,
    at: Callable[[Trained], None] | None = None,
    threads: int = 1,
) -> Trained:
    """A player after the last of some numbers of iterations; `at` is called after each.

    With one thread the same seed gives the same player.
    """
    solver = start_solver(ALGORITHM, form, seed=seed, threads=threads)
    player = Trained(form, solver.average, 0)
    for mark in marks:
        while solver.iterations < mark:
            solver.advance(min(AT_ONCE, mark - solver.iterations))
            watch.at(f"{form.buckets.method}, {solver.iterations:,} iterations", solver.iterations, marks[-1])
        player = Trained(form, solver.average, mark)  # a view: copies would take too much memory
        if at:
            at(player)
    return player


# ---- matches -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Matched:
    """A match: every deal is played from both seats."""

    outcomes: Outcomes

    @cached_property
    def gain(self) -> Gain:
        """Chips per hand, in small blinds; the interval is over deals."""
        return gain_of(self.outcomes.won.mean(axis=1))

    @cached_property
    def p_value(self) -> float:
        """The one-tailed t-test over deals; a small p suggests that it wins."""
        return one_tailed(self.outcomes.won.mean(axis=1))

    @property
    def cumulative(self) -> tuple[np.ndarray, np.ndarray]:
        """Hands played and chips won so far, at 200 points."""
        won = self.outcomes.won.reshape(-1)
        hands = np.unique(np.linspace(1, len(won), 200).astype(int))
        return hands, np.cumsum(won)[hands - 1]


def one_tailed(values: np.ndarray) -> float:
    """The probability of such a mean if there is no gain; 1 if undefined."""
    if len(values) < 2 or not values.std():
        return float(not (len(values) and values.mean() > 0))
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def variance_test(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """The ratio of two variances, and the one-tailed F-test that the first is not the smaller."""
    ratio = float(one.var(ddof=1) / other.var(ddof=1))
    return ratio, float(stats.f.cdf(ratio, len(one) - 1, len(other) - 1))


def at_the_table(player: Trained, opponent: str, *, hands: int, seed: int) -> tuple[float, float]:
    """What a player wins per hand against an agent with a memory, in chips, and half of the interval."""
    winnings = table_winnings(player.form, player.strategy, opponent, hands=hands, seed=seed)
    blind = max(player.form.game.rules.blinds) / 1000
    return winnings.mean * blind, winnings.half_width * blind


def categories(form: ExchangeForm, hands: np.ndarray) -> np.ndarray:
    """The category of each hand, by hand index.  # [n]"""
    return np.asarray(np.searchsorted(HIGH().category_ends, form.buckets.cards.strength[hands]))
