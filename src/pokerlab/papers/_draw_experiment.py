"""All players and all matches of `paper ee`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from pokerlab.events import Watch
from pokerlab.match.draw import BASIC, play
from pokerlab.papers._draw_runs import Matched, Trained, at_the_table, form_of, train
from pokerlab.parallel import core_count
from pokerlab.solvers.bucketed.draw_hands import DrawContestant
from pokerlab.solvers.bucketed.exploiting import Exploiter
from pokerlab.solvers.bucketed.playing import Side, head_to_head

NO_SUITS, MINI, OURS = "no-suits", "highest-suit-mini", "by-draws(before=500, after=300)"
MODELLING = "draw-modelling"
WEAK = ("random", "draw-article", "always-raise", "always-call")
DYNAMIC = (BASIC, "draw-potential", "draw-semi-bluff", "draw-pot-odds")
RULES = (*WEAK, *DYNAMIC)
HALF_OF_THE_VISITS = 0.5  # the share that linear weights leave, see match/draw.py


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
    plain: Trained  # No Suits
    mini: Trained
    ours: Trained
    matches: Mapping[tuple[str, str], Matched]
    modelling: tuple[float, float] = (0.0, 0.0)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, scale: Scale, seed: int, watch: Watch) -> Self:
        """Train and match."""
        matches: dict[tuple[str, str], Matched] = {}

        def look(player: Trained) -> None:
            backed = player.player(scale.fallback_weight)
            outcomes = play(backed, BASIC, player.form, hands=scale.deals, seed=seed + player.iterations)
            matches[f"{player.iterations}", BASIC] = Matched(outcomes)

        forms, options = [form_of(name) for name in scale.buckets], {"seed": seed, "threads": scale.threads}
        plain = train(forms[0], scale.iterations, watch=watch.within(0.0, 0.25), at=look, **options)
        mini = train(forms[1], (scale.mini,), watch=watch.within(0.25, 0.5), **options)
        ours = train(forms[2], (scale.ours,), watch=watch.within(0.5, 0.65), **options)
        run = cls(scale, seed, plain, mini, ours, matches)
        watch.at("matches", 0.65)
        matches |= run._matches()
        watch.at(f"a match with {MODELLING}", 0.8)
        modelling = at_the_table(ours, MODELLING, hands=scale.table_hands, seed=seed)
        watch.at("learning to beat the players", 0.85)
        return replace(run, modelling=modelling, bounds=run._bounds())

    def _matches(self) -> dict[tuple[str, str], Matched]:
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
            matches[one, other] = Matched(play(first, second, form, hands=self.scale.deals, seed=seed))
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
