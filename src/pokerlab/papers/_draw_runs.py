"""The runs of `paper ee`: training and matches of five-card draw players, and the whole experiment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Self, cast

import numpy as np
from scipy import stats

from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.events import Watch
from pokerlab.match.categories import categories_of
from pokerlab.match.draw import BASIC, play, strategy_player
from pokerlab.papers._bucketed_runs import poker_game, start_solver, table_winnings
from pokerlab.parallel import core_count
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, Outcomes
from pokerlab.solvers.bucketed.exploiting import Exploiter
from pokerlab.solvers.bucketed.playing import Gain, Side, gain_of, head_to_head, visited_infosets
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.forms.kinds import StrategyNames, strategy_of
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form

GAME = "five-card-draw(menu='min')"
ALGORITHM = "external(schedule='linear-cfr')"
AT_ONCE = 20_000  # iterations between checks of the cancel token
NO_SUITS, MINI, OURS = "no-suits", "highest-suit-mini", "by-draws(before=500, after=300)"
MODELLING = "draw-modelling"
WEAK = ("random", "draw-article", "always-raise", "always-call")
DYNAMIC = (BASIC, "draw-potential", "draw-semi-bluff", "draw-pot-odds")
RULES = (*WEAK, *DYNAMIC)
HALF_OF_THE_VISITS = 0.5  # the share that linear weights leave, see match/draw.py


@dataclass(frozen=True, eq=False)
class TrainedPlayer:
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
        return cast(BucketedStrategy, strategy_of(self.form, {"average": self.average}, StrategyNames()))

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
    at: Callable[[TrainedPlayer], None] | None = None,
    threads: int = 1,
) -> TrainedPlayer:
    """A player after the last of some numbers of iterations; `at` is called after each.

    With one thread the same seed gives the same player.
    """
    solver = start_solver(ALGORITHM, form, seed=seed, threads=threads)
    player = TrainedPlayer(form, solver.average, 0)
    for mark in marks:
        while solver.iterations < mark:
            solver.advance(min(AT_ONCE, mark - solver.iterations))
            watch.at(f"{form.buckets.method}, {solver.iterations:,} iterations", solver.iterations, marks[-1])
        player = TrainedPlayer(form, solver.average, mark)  # a view: copies would take too much memory
        if at:
            at(player)
    return player


@dataclass(frozen=True, eq=False)
class DrawMatch:
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


def one_tailed(values: np.ndarray) -> float:
    """The probability of such a mean if there is no gain; NaN for fewer than two values, which tell nothing."""
    if len(values) < 2:
        return float("nan")
    if not values.std():
        return float(values.mean() <= 0)
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def variance_test(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """The ratio of two variances, and the one-tailed F-test that the first is not the smaller."""
    ratio = float(one.var(ddof=1) / other.var(ddof=1))
    return ratio, float(stats.f.cdf(ratio, len(one) - 1, len(other) - 1))


def categories(form: ExchangeForm, hands: np.ndarray) -> np.ndarray:
    """The category of each hand, by hand index.  # [n]"""
    return categories_of(form.buckets.cards.strength[hands])


@dataclass(frozen=True)
class Scale:
    """The scale of the experiment."""

    iterations: tuple[int, ...]  # of No Suits; its matches use the last
    mini: int
    ours: int
    deals: int
    table_hands: int  # against the opponent with a memory
    exploiting: int  # iterations
    fallback: float  # visits
    buckets: tuple[str, str, str] = (NO_SUITS, MINI, OURS)
    threads: int = 1  # runs with more threads are not reproducible

    @property
    def fallback_weight(self) -> float:
        """Total average weight below which the paper's player falls back."""
        return self.fallback * HALF_OF_THE_VISITS


SMALL = ("by-draws(before=20, after=20)", "by-draws(before=30, after=20)", "by-draws(before=40, after=20)")
SCALES = {
    "quick": Scale((300, 1_000), 1_000, 2_000, 400, 20, 500, 2.0, SMALL),
    "usual": Scale((20_000, 60_000, 200_000), 200_000, 2_000_000, 60_000, 2_000, 200_000, 20.0),
    "full": Scale(
        (100_000, 1_000_000, 10_000_000),
        10_000_000,
        20_000_000,
        100_000,
        4_000,
        5_000_000,
        1_000.0,
        threads=core_count(),
    ),
}


@dataclass(frozen=True, eq=False)
class Experiment:
    """All players, and all matches of the tables."""

    scale: Scale
    seed: int
    plain: TrainedPlayer  # No Suits
    mini: TrainedPlayer
    ours: TrainedPlayer
    matches: Mapping[tuple[str, str], DrawMatch]
    modelling: tuple[float, float] = (0.0, 0.0)  # chips per hand won from the agent with a memory; half of the interval
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, scale: Scale, seed: int, watch: Watch) -> Self:
        """Train and match."""
        matches: dict[tuple[str, str], DrawMatch] = {}

        def look(player: TrainedPlayer) -> None:
            backed = player.player(scale.fallback_weight)
            outcomes = play(backed, BASIC, player.form, hands=scale.deals, seed=seed + player.iterations)
            matches[f"{player.iterations}", BASIC] = DrawMatch(outcomes)

        forms, own = [form_of(name) for name in scale.buckets], partial(train, seed=seed, threads=scale.threads)
        plain = own(forms[0], scale.iterations, watch=watch.within(0.0, 0.25), at=look)
        mini = own(forms[1], (scale.mini,), watch=watch.within(0.25, 0.5))
        ours = own(forms[2], (scale.ours,), watch=watch.within(0.5, 0.65))
        run = cls(scale, seed, plain, mini, ours, matches)
        watch.at("matches", 0.65)
        matches |= run._matches()
        watch.at(f"a match with {MODELLING}", 0.8)
        winnings = table_winnings(ours.form, ours.strategy, MODELLING, hands=scale.table_hands, seed=seed)
        blind = max(ours.form.game.rules.blinds) / 1000
        watch.at("learning to beat the players", 0.85)
        return replace(run, modelling=(winnings.mean * blind, winnings.half_width * blind), bounds=run._bounds())

    def _matches(self) -> dict[tuple[str, str], DrawMatch]:
        """Every match, by the names of its players."""
        form, matches, weight = self.plain.form, {}, self.scale.fallback_weight
        plain, backed = self.plain.player(), self.plain.player(weight)
        mini, ours = self.mini.player(), self.ours.player()
        pairs: list[tuple[str, DrawContestant | str, str, DrawContestant | str]] = [
            ("plain", plain, "mini", mini),
            ("plain", plain, "plain", plain),
            ("mini", mini, "mini", mini),
            ("ours", ours, "ours", ours),
            ("ours", ours, "plain", plain),
            ("ours", ours, "backed", backed),
            ("ours", ours, "mini", mini),
            ("mini backed", self.mini.player(weight), BASIC, BASIC),
            *((who, player, name, name) for name in RULES for who, player in (("plain", plain), ("backed", backed))),
            *(("ours", ours, name, name) for name in RULES),
            *((name, name, BASIC, BASIC) for name in RULES if name != BASIC),
        ]
        for number, (one, first, other, second) in enumerate(pairs):
            seed = self.seed + 1000 + number
            matches[one, other] = DrawMatch(play(first, second, form, hands=self.scale.deals, seed=seed))
        return matches

    def _bounds(self) -> dict[str, tuple[float, float]]:
        """What an exploiter trained against each player wins: a mean and half of its interval."""
        bounds = {}
        for name, player in (("plain", self.plain), ("mini", self.mini), ("ours", self.ours)):
            own, average = self.ours.form, player.average
            exploiter = Exploiter(own, player.form, average, seed=self.seed, threads=self.scale.threads)
            exploiter.advance(self.scale.exploiting)
            learned = Side(own, exploiter.strategy_arrays()["average"])
            gain = head_to_head(learned, Side(player.form, average), hands=self.scale.deals, seed=self.seed + 1)
            bounds[name] = gain.mean, gain.half
        return bounds
