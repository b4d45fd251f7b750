"""The runs of `paper ee`: matches of five-card draw players, and the whole experiment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
from scipy import stats

from pokerlab.events import Watch
from pokerlab.match.categories import categories_of
from pokerlab.match.draw import BASIC, NEARLY_NOTHING, play, strategy_player
from pokerlab.papers._bucketed_runs import table_winnings
from pokerlab.papers._draw_training import Measured, TrainedPlayer, form_of, train
from pokerlab.parallel import core_count
from pokerlab.solvers.bucketed.draw_hands import DrawContestant, Outcomes
from pokerlab.solvers.bucketed.exploiting import Exploiter
from pokerlab.solvers.bucketed.playing import Gain, Side, gain_of, head_to_head
from pokerlab.tree.bucketed.exchange import ExchangeForm

NO_SUITS, MINI, OURS = "no-suits", "highest-suit-mini", "by-draws(before=500, after=300)"
MODELLING = "draw-modelling"
WEAK = ("random", "draw-article", "always-raise", "always-call")
DYNAMIC = (BASIC, "draw-potential", "draw-semi-bluff", "draw-pot-odds")
RULES = (*WEAK, *DYNAMIC)
HALF_OF_THE_VISITS = 0.5  # the share that linear weights leave, see match/draw.py


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

    @property
    def fell(self) -> float:
        """Decisions a hand that the fallback took."""
        return self.outcomes.fell[0] / self.outcomes.won.size


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

    iterations: tuple[int, ...]  # of No Suits; matches use the last
    ours: int  # iterations of our player, who is also measured after those of No Suits
    deals: int
    table_hands: int  # of ours against the opponent with a memory; the paper's players play half as many
    exploiting: int  # iterations
    fallback: float  # visits
    later: tuple[int, ...] = ()  # iterations to which No Suits is trained further after the matches
    buckets: tuple[str, str, str] = (NO_SUITS, MINI, OURS)
    threads: int = 1  # runs with more threads are not reproducible
    saves: bool = False  # whether training is saved and resumed

    @property
    def fallback_weight(self) -> float:
        """Total average weight below which the paper's player falls back."""
        return self.fallback * HALF_OF_THE_VISITS


SMALL = ("by-draws(before=20, after=20)", "by-draws(before=30, after=20)", "by-draws(before=40, after=20)")
SCALES = {
    "quick": Scale((100, 1_000), 2_000, 400, 20, 500, 2.0, buckets=SMALL),
    "usual": Scale((20_000, 60_000, 200_000), 2_000_000, 30_000, 1_000, 200_000, 20.0),
    "full": Scale(
        (100_000, 1_000_000, 3_000_000, 10_000_000),
        20_000_000,
        100_000,
        4_000,
        5_000_000,
        1_000.0,
        later=(30_000_000, 100_000_000),
        threads=core_count(),
        saves=True,
    ),
}


@dataclass(frozen=True)
class Measuring:
    """What is measured of a player after each number of iterations: matches with and without fallback, self-play."""

    deals: int
    seed: int
    weight: float  # below which the player falls back

    def __call__(self, player: TrainedPlayer) -> Measured:
        """Winnings as means and half-widths, and what training reached."""
        won, fell = np.zeros((2, len(RULES), 2)), np.zeros(len(RULES))
        for place, who in enumerate((player.player(), player.player(self.weight))):
            for column, name in enumerate(RULES):
                match = self._match(who, name, player, 100 * place + column)
                won[place, column] = match.gain.mean, match.gain.half
                fell[column] = match.fell  # in the end those with fallback
        alone = self._match(player.player(), player.player(), player, 99).outcomes.won[:, 0]
        classes = np.unique(player.form.buckets.before, return_index=True)[1]
        folding = player.folds()
        return {
            "won": won,  # [without or with fallback, opponent, mean or half-width]
            "fell": fell,  # [opponent] decisions a hand
            "small_blind": np.array([alone.mean(), 1.96 * alone.std(ddof=1) / len(alone) ** 0.5]),
            "reached": np.array([player.visited, player.touched]),
            "folding": np.array([float((folding[classes] > 0.5).sum()), folding.mean()]),
            "seconds": np.array([player.seconds]),
        }

    def _match(self, who: DrawContestant, other: DrawContestant | str, player: TrainedPlayer, number: int) -> DrawMatch:
        seed = self.seed + player.iterations + number
        return DrawMatch(play(who, other, player.form, hands=self.deals, seed=seed))


@dataclass(frozen=True, eq=False)
class Experiment:
    """All players, and all matches of the tables."""

    scale: Scale
    seed: int
    plain: TrainedPlayer  # No Suits
    mini: TrainedPlayer
    ours: TrainedPlayer
    curve: Mapping[int, Measured]  # of No Suits, by iterations
    like: Mapping[str, Measured]  # of the other two after as many iterations as No Suits has in matches
    matches: Mapping[tuple[str, str], DrawMatch] = field(default_factory=dict)
    modelling: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # chips a hand won, half of the interval
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, scale: Scale, seed: int, watch: Watch) -> Self:
        """Train and match."""
        forms = [form_of(name) for name in scale.buckets]
        own = partial(
            train,
            seed=seed,
            threads=scale.threads,
            saves=scale.saves,
            at=Measuring(scale.deals, seed, scale.fallback_weight),
        )
        last = scale.iterations[-1]
        plain, curve = own(forms[0], scale.iterations, watch=watch.within(0.0, 0.2))
        mini, minis = own(forms[1], (last,), watch=watch.within(0.2, 0.35))
        ours, others = own(forms[2], (last, scale.ours), watch=watch.within(0.35, 0.5))
        run = cls(scale, seed, plain, mini, ours, curve, {"mini": minis[last], "ours": others[last]})
        watch.at("matches", 0.5)
        run = replace(run, matches=run._matches())
        watch.at(f"matches with {MODELLING}", 0.6)
        run = replace(run, modelling=run._modelling())
        watch.at("learning to beat the players", 0.7)
        run = replace(run, bounds=run._bounds())
        if scale.later:
            _, later = own(forms[0], (*scale.iterations, *scale.later), watch=watch.within(0.75, 1.0))
            run = replace(run, curve=later)
        return run

    @cached_property
    def last(self) -> int:
        """The iterations of No Suits in all matches."""
        return self.scale.iterations[-1]

    def _matches(self) -> dict[tuple[str, str], DrawMatch]:
        """Every match, by the names of its players."""
        form, weight = self.plain.form, self.scale.fallback_weight
        plain, backed = self.plain.player(), self.plain.player(weight)
        mini, ours = self.mini.player(), self.ours.player()
        unlearned = strategy_player(form, self.plain.average, fallback=NEARLY_NOTHING)
        pairs: list[tuple[str, DrawContestant | str, str, DrawContestant | str]] = [
            ("plain", plain, "mini", mini),
            ("plain", plain, "plain", plain),
            ("mini", mini, "mini", mini),
            ("ours", ours, "ours", ours),
            ("ours", ours, "plain", plain),
            ("ours", ours, "backed", backed),
            ("ours", ours, "mini", mini),
            *((who, player, name, name) for name in RULES for who, player in (("plain", plain), ("backed", backed))),
            *(("ours", ours, name, name) for name in RULES),
            *(("unlearned", unlearned, name, name) for name in WEAK),
            *((name, name, BASIC, BASIC) for name in RULES if name != BASIC),
        ]
        return {
            (one, other): DrawMatch(play(first, second, form, hands=self.scale.deals, seed=self.seed + 1000 + number))
            for number, (one, first, other, second) in enumerate(pairs)
        }

    def against(self, one: DrawContestant, other: DrawContestant, *, number: int) -> Outcomes:
        """Another match of this run, by its number."""
        return play(one, other, self.plain.form, hands=self.scale.deals, seed=self.seed + 2000 + number)

    def _modelling(self) -> dict[str, tuple[float, float]]:
        """What each player wins at the table from the agent that models its opponent."""
        won = {}
        hands, weight = self.scale.table_hands, self.scale.fallback_weight
        for name, player, share, fallback in (
            ("plain", self.plain, 2, 0.0),
            ("backed", self.plain, 2, weight),
            ("ours", self.ours, 1, 0.0),
        ):
            blind = max(player.form.game.rules.blinds) / 1000
            winnings = table_winnings(
                player.form, player.strategy, MODELLING, hands=hands // share, seed=self.seed, fallback=fallback
            )
            won[name] = winnings.mean * blind, winnings.half_width * blind
        return won

    def _bounds(self) -> dict[str, tuple[float, float]]:
        """Lower bounds of exploitability: the most that a rule or a learned opponent wins, a mean and a half-width.

        The best opponent is chosen by matches already played, and measured on new deals.
        """
        bounds = {}
        for name, player in (("plain", self.plain), ("mini", self.mini), ("ours", self.ours)):
            own, average = self.ours.form, player.average
            exploiter = Exploiter(own, player.form, average, seed=self.seed, threads=self.scale.threads)
            exploiter.advance(self.scale.exploiting)
            learned, other = Side(own, exploiter.strategy_arrays()["average"]), Side(player.form, average)
            tried = head_to_head(learned, other, hands=self.scale.deals // 4, seed=self.seed + 1)
            rule, lost = self._best_rule(name)
            if tried.mean >= lost:
                gain = head_to_head(learned, other, hands=self.scale.deals, seed=self.seed + 2)
            else:
                outcomes = play(rule, player.player(), player.form, hands=self.scale.deals, seed=self.seed + 3)
                gain = DrawMatch(outcomes).gain
            bounds[name] = gain.mean, gain.half
        return bounds

    def _best_rule(self, name: str) -> tuple[str, float]:
        """The rule-based player that wins most from one of ours, and what it wins."""
        won = self.curve[self.last]["won"] if name == "plain" else self.like[name]["won"]
        best = int(won[0, :, 0].argmin())
        return RULES[best], -float(won[0, best, 0])
