"""The runs of `paper ee`: players of five-card draw trained, and matched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from scipy import stats

from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.agents.library.blueprint import BlueprintAgent
from pokerlab.cards.strength import HIGH
from pokerlab.events import Watch
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.draw.match import Learned, play
from pokerlab.match.run.match import MatchSettings, play_match
from pokerlab.registry import load
from pokerlab.solvers.bucketed.playing import Gain, Outcomes, Side, gain_of
from pokerlab.strategy.kinds import Naming, strategy_of
from pokerlab.strategy.solution import Solution
from pokerlab.tree.bucketed.exchange import ExchangeForm, exchange_form
from pokerlab.tree.measure import Measure
from pokerlab.tree.resources import Resources

GAME = "five-card-draw(menu='min')"
ALGORITHM = "external(schedule='linear-cfr')"
AT_ONCE = 20_000  # iterations between looks whether to stop


@dataclass(frozen=True, eq=False)
class Trained:
    """A player as training left it."""

    form: ExchangeForm
    average: np.ndarray  # [number] float32
    iterations: int

    @property
    def side(self) -> Side:
        """As matches take it."""
        return Side(self.form, self.average)

    def player(self, fallback: float = 0.0) -> Learned:
        """The player, which may fall back on the strength of its hand where its sums are less."""
        return Learned(self.side, fallback)

    @cached_property
    def touched(self) -> int:
        """How many infosets training came to."""
        found = 0
        for stage, count in enumerate(self.form.buckets.counts):
            first = self.form.betting.slots(stage).first
            level = self.average[self.form.base[stage] : self.form.base[stage + 1]].reshape(count, -1)
            for start in range(0, count, 1024):
                found += int(np.count_nonzero(np.maximum.reduceat(level[start : start + 1024], first, axis=1) > 0))
        return found

    def folds(self) -> np.ndarray:
        """How often the small blind folds each hand at once.  # [hand]"""
        names = self.form.betting.actions[0]
        slot = int(self.form.betting.arrays.slot[0])
        level = self.average[: self.form.base[1]].reshape(self.form.buckets.counts[0], -1)
        row = np.asarray(level[:, slot : slot + len(names)], float)
        totals = row.sum(axis=1)
        share = np.where(totals > 0, row[:, names.index("f")] / np.where(totals > 0, totals, 1), 1 / len(names))
        return np.asarray(share[self.form.buckets.before])


@cache
def game() -> PokerGame:
    """The game of the paper."""
    found = open_game(GAME)
    assert isinstance(found, PokerGame)
    return found


@cache
def form_of(buckets: str) -> ExchangeForm:
    """The game with buckets."""
    table = game()
    return exchange_form(table, exchange_buckets(buckets, table))


def trained(
    form: ExchangeForm,
    marks: tuple[int, ...],
    *,
    seed: int,
    watch: Watch,
    at: Callable[[Trained], None] | None = None,
    threads: int = 1,
) -> Trained:
    """A player after the last of some numbers of iterations, looked `at` after each.

    With one thread the same seed gives the same player.
    """
    algorithm, resources = load("algorithms", ALGORITHM), Resources(threads)
    algorithm.rehearse(form, resources=resources)
    solver = algorithm.start(form, seed=seed, resources=resources)
    found = Trained(form, solver.average, 0)
    for mark in marks:
        while solver.iterations < mark:
            solver.advance(min(AT_ONCE, mark - solver.iterations))
            watch.at(f"{form.buckets.method}, {solver.iterations:,} iterations", solver.iterations, marks[-1])
        found = Trained(form, solver.average, mark)  # a view: there is not memory for many
        if at:
            at(found)
    return found


# ---- matches -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Matched:
    """A match: every deal from both seats."""

    outcomes: Outcomes

    @cached_property
    def gain(self) -> Gain:
        """Chips a hand, which are small blinds; the interval is over deals."""
        return gain_of(self.outcomes.won.mean(axis=1))

    @cached_property
    def p_value(self) -> float:
        """The one-tailed t-test that it does not win, over deals."""
        return one_tailed(self.outcomes.won.mean(axis=1))

    @property
    def cumulative(self) -> tuple[np.ndarray, np.ndarray]:
        """Hands played and chips won by then, at 200 places."""
        won = self.outcomes.won.reshape(-1)
        places = np.unique(np.linspace(1, len(won), 200).astype(int))
        return places, np.cumsum(won)[places - 1]


def match(one: Learned | str, other: Learned | str, form: ExchangeForm, *, deals: int, seed: int) -> Matched:
    """Deals between two players, compiled."""
    return Matched(play(one, other, form, hands=deals, seed=seed))


def one_tailed(values: np.ndarray) -> float:
    """How likely such a mean is where there is no gain; 1 where nothing can be said."""
    if len(values) < 2 or not values.std():
        return float(not (len(values) and values.mean() > 0))
    return float(stats.ttest_1samp(values, 0.0, alternative="greater").pvalue)


def variance_test(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """The ratio of two variances, and the one-tailed F-test that the first is not the smaller."""
    ratio = float(one.var(ddof=1) / other.var(ddof=1))
    return ratio, float(stats.f.cdf(ratio, len(one) - 1, len(other) - 1))


def at_the_table(player: Trained, opponent: str, *, hands: int, seed: int) -> tuple[float, float]:
    """What a player wins a hand from an agent with a memory, in chips, and half of the interval."""
    strategy = strategy_of(player.form, {"average": player.average}, Naming())
    solution = Solution(
        strategy=strategy,
        form=player.form.kind,
        algorithm=ALGORITHM,
        seed=seed,
        iterations=player.iterations,
        seconds=0.0,
        measure=Measure.unknown(2),
        stopped="iterations",
        pot=player.form.pot,
        laid=player.form,
    )
    agent = BlueprintAgent("learned", solution)
    settings = MatchSettings.of(player.form.game, (agent, opponent), hands=hands, seed=seed, duplicate=True)
    row = play_match(settings, workers=1).as_dict()["agents"][0]["mbb"]
    blind = max(player.form.game.rules.blinds) / 1000
    return float(row["mean"]) * blind, float(row["high"] - row["low"]) / 2 * blind


def categories(form: ExchangeForm, hands: np.ndarray) -> np.ndarray:
    """The category of each hand, by its place in the order of hands.  # [n]"""
    return np.asarray(np.searchsorted(HIGH().category_ends, form.buckets.cards.strength[hands]))
