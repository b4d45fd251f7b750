"""The tables, figures and findings of `paper abstractions`, from the outcomes of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.abstraction.making import IMPERFECT, PERFECT
from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers._abstraction_runs import (
    SQUARED,
    THINNED,
    THINNED_METHODS,
    Key,
    Outcome,
    Scale,
    refines,
)
from pokerlab.papers.result import Finding, Interval, Row, Table, decided, interval

BY = ("strength", "potential")  # by expectation, and aware of potential
COARSE, FINE = slice(None, 2), slice(-2, None)  # of the numbers of buckets
MOST_SEEDS = 10_000  # a forecast of more says nothing
CHIPS = "exploitability, chips a hand"


def _real(runs: Sequence[Outcome], mark: int = -1) -> Interval:
    return interval([run.real[mark] for run in runs])


def _is_more(one: Sequence[Outcome], other: Sequence[Outcome]) -> bool:
    """Whether the 95 % interval of the difference of two means (Welch) is above 0."""
    from scipy import stats

    first, second = ([run.real[-1] for run in runs] for runs in (one, other))
    if len(set(first)) == len(set(second)) == 1:  # no variance, and so no interval
        return first[0] > second[0]
    return bool(stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95).low > 0)


def _band(x: Sequence[float], intervals: Sequence[Interval], label: str) -> Line:
    return Line(
        np.array(x, float),
        np.array([one.mean for one in intervals]),
        label,
        low=np.array([max(one.low, one.mean / 10) for one in intervals]),  # positive, for the logarithmic axis
        high=np.array([one.high for one in intervals]),
    )


def _parts(counts: Sequence[int]) -> list[Sequence[int]]:
    """The coarse and the fine half of the numbers of buckets, two of each; none if there are fewer than four."""
    return [counts[COARSE], counts[FINE]] if len(counts) >= 4 else []


def _curve_name(key: Key) -> str:
    method, count, recall = key
    return f"{method}:{count}, {recall} recall"


@dataclass(frozen=True)
class Experiment:
    """The outcomes of all abstractions, by seed: their tables, figures and findings."""

    scale: Scale
    outcomes: Mapping[Key, Sequence[Outcome]]  # trained and then measured
    curves: Mapping[Key, Sequence[Outcome]]  # measured during training

    def real(self, method: str, count: int) -> Interval:
        """Exploitability in the real game, with imperfect recall."""
        return _real(self.outcomes[(method, count, IMPERFECT)])

    def worse(self) -> list[tuple[str, int, int, bool]]:
        """(method, coarse, fine, refined) of each abstraction that is worse than a coarser one of its method."""
        pairs = []
        for method in self.scale.methods:
            for place, fine in enumerate(self.scale.counts):
                for coarse in self.scale.counts[:place]:
                    one, other = (self.outcomes[(method, count, IMPERFECT)] for count in (coarse, fine))
                    if _is_more(other, one):
                        pairs.append((method, coarse, fine, refines(other[0].buckets, one[0].buckets)))
        return pairs

    # ---- tables ----------------------------------------------------------------------------------------------------

    def grid_table(self) -> Table:
        """Exploitability by method and number of buckets."""
        scale, rows = self.scale, []
        for count in scale.counts:
            intervals = {method: self.real(method, count) for method in scale.methods}
            widest = max(one.half_width for one in intervals.values())
            ours = {name: one.mean for name, one in intervals.items()}
            rows.append(Row(f"{count} buckets", ours=ours, note=f"± {widest:.2f}"))
        note = "the widest interval of a row; the iterations of each: " + ", ".join(
            f"{count} buckets {scale.iterations((scale.methods[0], count, IMPERFECT)):,}" for count in scale.counts
        )
        return Table("Exploitability in the real game by buckets a round, imperfect recall", rows, note, digits=3)

    def recall_table(self) -> Table:
        """Perfect and imperfect recall at equal size."""
        rows = []
        for keys in self.scale.recalls():
            perfect, imperfect = runs = [self.outcomes[key] for key in keys]
            intervals = dict(zip((PERFECT, IMPERFECT), map(_real, runs), strict=True))
            sizes = [of_seeds[0].infosets for of_seeds in runs]
            rows.append(
                Row(
                    f"{keys[0][0]}, {perfect[0].buckets.text} and {imperfect[0].buckets.text}",
                    ours={f"{recall} recall": one.mean for recall, one in intervals.items()},
                    note=", ".join(
                        f"{size:,} ± {one.half_width:.2f}" for size, one in zip(sizes, intervals.values(), strict=True)
                    ),
                )
            )
        title = "Perfect and imperfect recall at equal numbers of infosets: exploitability in the real game"
        return Table(title, rows, "infosets and interval of each", digits=3)

    def thinned_table(self) -> Table:
        """The same strategies purified, and without their rare actions."""
        rows = []
        for method, count, runs in self._thinned():
            ours = {"as trained": str(_real(runs))}
            ours |= {name: str(interval([run.thinned[name] for run in runs])) for name in THINNED}
            rows.append(Row(f"{method}, {count} buckets", ours=ours))
        return Table("Purification and thresholding: exploitability in the real game", rows)

    def _thinned(self) -> list[tuple[str, int, Sequence[Outcome]]]:
        return [
            (method, count, self.outcomes[(method, count, IMPERFECT)])
            for method in self.scale.methods
            if method in THINNED_METHODS
            for count in self.scale.counts
        ]

    def curve_tables(self) -> list[Table]:
        """Exploitability during training, a table for each abstraction."""
        tables = []
        for key, runs in self.curves.items():
            rows = []
            for place, mark in enumerate(self.scale.marks):
                real = _real(runs, place)
                inside = {"inside the abstraction": runs[0].inside[place]} if runs[0].inside else {}
                ours = {"real game": real.mean, **inside}
                rows.append(Row(f"{mark:,} iterations", ours=ours, note=f"± {real.half_width:.2f}"))
            title = f"Exploitability by iterations, {_curve_name(key)} ({runs[0].buckets.text})"
            note = "inside the abstraction: of the first seed" if runs[0].inside else ""
            tables.append(Table(title, rows, note, digits=3))
        return tables

    # ---- figures ---------------------------------------------------------------------------------------------------

    def grid_figure(self) -> Figure:
        """Exploitability by method and number of buckets; rings mark those worse than a coarser one."""
        counts = self.scale.counts
        lines = [_band(counts, [self.real(method, count) for count in counts], method) for method in self.scale.methods]
        if marked := sorted({(method, fine) for method, _, fine, _ in self.worse()}):
            heights = [self.real(method, fine).mean for method, fine in marked]
            points = np.array([float(fine) for _, fine in marked])
            lines.append(Line(points, np.array(heights), "worse than a coarser one", style="rings"))
        panel = Panel(tuple(lines), x_label="buckets a round", y_label=CHIPS, x_log=True, y_log=True)
        return Figure("buckets", "Exploitability in the real game by method and number of buckets", (panel,))

    def recall_figure(self) -> Figure:
        """Exploitability by infosets, with perfect and with imperfect recall."""
        lines = []
        for method in self.scale.remembering:
            pairs = [pair for pair in self.scale.recalls() if pair[0][0] == method]
            for recall, keys in zip((PERFECT, IMPERFECT), zip(*pairs, strict=True), strict=True):
                runs = [self.outcomes[key] for key in keys]
                sizes = [of_seeds[0].infosets for of_seeds in runs]
                lines.append(_band(sizes, [_real(of_seeds) for of_seeds in runs], f"{method}, {recall} recall"))
        panel = Panel(tuple(lines), x_label="infosets", y_label=CHIPS, x_log=True, y_log=True)
        return Figure("recall", "Perfect and imperfect recall", (panel,))

    def curve_figure(self) -> Figure:
        """Exploitability during training, a panel for each abstraction."""
        panels, marks = [], self.scale.marks
        for key, runs in self.curves.items():
            drawn = [_band(marks, [_real(runs, place) for place in range(len(marks))], "real game")]
            if runs[0].inside:
                drawn.append(Line(np.array(marks, float), np.array(runs[0].inside), "inside the abstraction"))
            panels.append(Panel(tuple(drawn), _curve_name(key), "iterations", CHIPS, x_log=True, y_log=True))
        return Figure("iterations", "Exploitability during training", tuple(panels), columns=2)

    # ---- findings --------------------------------------------------------------------------------------------------

    def findings(self) -> list[Finding]:
        """What the papers claim, and what was measured."""
        worse = [
            f"{method} {fine} buckets {self.real(method, fine)} against {coarse} buckets "
            f"{self.real(method, coarse)}{', a refinement' if refined else ''}"
            for method, coarse, fine, refined in self.worse()
        ]
        scale, least, most = self.scale, self.scale.counts[0], self.scale.counts[-1]
        ends = {method: (self.real(method, least), self.real(method, most)) for method in scale.methods}
        improves = all(many.high < few.low for few, many in ends.values())
        declines = any(many.low > few.high for few, many in ends.values())
        by_method = ", ".join(f"{method} {few} to {many}" for method, (few, many) in ends.items())
        return [
            Finding(f"{most} buckets are better than {least}, by every method", decided(improves, declines), by_method),
            Finding(
                "a finer abstraction may be more exploitable in the real game than a coarser one",
                True if worse else None,
                "; ".join(worse)
                or "no finer abstraction is worse than a coarser one of its method beyond the intervals",
            ),
            *self.overfitting(),
            *self.expectation_or_potential(),
            *self.squares(),
            self.thinning(),
            self.less_exploitable(
                "imperfect recall is less exploitable than perfect recall at equal numbers of infosets",
                "exploitability of imperfect by that of perfect",
                {
                    method: [(without, whole) for whole, without in scale.recalls() if whole[0] == method]
                    for method in scale.remembering
                },
            ),
            self.less_exploitable(
                "values of ten warm-up iterations make less exploitable buckets than other methods (arXiv 2605.10900)",
                "exploitability by that of each other, on average over sizes",
                {
                    other: [(("values", count, IMPERFECT), (other, count, IMPERFECT)) for count in scale.counts]
                    for other in scale.methods
                    if other != "values"
                },
            ),
        ]

    def expectation_or_potential(self) -> list[Finding]:
        """Gilpin and Sandholm's comparison, in the review's section 4.4: who is better where."""
        if not {"strength", "potential"} <= set(self.scale.methods):
            return []
        verdicts = []
        for words, one, other, counts in (
            ("expectation-based buckets are better than potential-aware ones in coarse abstractions", *BY, COARSE),
            ("potential-aware buckets are better than expectation-based ones in fine abstractions", *BY[::-1], FINE),
        ):
            pairs = [((one, count, IMPERFECT), (other, count, IMPERFECT)) for count in self.scale.counts[counts]]
            sizes = " and ".join(str(count) for count in self.scale.counts[counts])
            verdicts.append(self.less_exploitable(f"{words} ({sizes} buckets)", f"{one} by {other}", {other: pairs}))
        return verdicts

    def squares(self) -> list[Finding]:
        """Johanson and others, in the review's section 4.4: E[HS²] prefers hands that may become strong."""
        if "strength" not in self.scale.methods:
            return []
        counts = self.scale.counts
        groups = {"all sizes": counts} | {f"{part[0]} and {part[1]} buckets": part for part in _parts(counts)}
        pairs = {
            name: [((SQUARED, count, IMPERFECT), ("strength", count, IMPERFECT)) for count in part]
            for name, part in groups.items()
        }
        claim = "buckets by E[HS²] are less exploitable than by E[HS]"
        measure = "exploitability of E[HS²] by that of E[HS]"
        return [self.less_exploitable(f"{claim} ({name})", measure, {"strength": own}) for name, own in pairs.items()]

    def thinning(self) -> Finding:
        """Whether purified strategies, as Tartanian5's, and those without rare actions are less exploitable."""
        logs = {
            name: [
                interval([np.log(run.thinned[name] / run.real[-1]) for run in runs]) for _, _, runs in self._thinned()
            ]
            for name in THINNED
        }
        every = [one for of_name in logs.values() for one in of_name]
        words = [
            f"{name} in {sum(one.high < 0 for one in of_name)} of {len(of_name)} abstractions less exploitable, in "
            f"{sum(one.low > 0 for one in of_name)} more (by {np.exp(np.mean([one.mean for one in of_name])):.2f} "
            "times on average)"
            for name, of_name in logs.items()
        ]
        return Finding(
            "purified and thresholded strategies are less exploitable in the real game",
            decided(all(one.high < 0 for one in every), any(one.low > 0 for one in every)),
            "; ".join(words),
        )

    def overfitting(self) -> list[Finding]:
        """Whether real exploitability rises above its minimum during training, each seed compared with itself."""
        marks, findings = self.scale.marks, []
        for key, runs in self.curves.items():
            real = [_real(runs, place) for place in range(len(marks))]
            least = int(np.argmin([one.mean for one in real]))
            rise = interval([run.real[-1] - run.real[least] for run in runs])
            falls = least == len(real) - 1
            minimum = f"{real[least]} after {marks[least]:,}; a seed rises by {rise} on average"
            evidence = f"{real[-1]} after {marks[-1]:,} iterations, {'the least' if falls else minimum}"
            if runs[0].inside:
                evidence += f"; inside the abstraction {runs[0].inside[-1]:.3f}, from {runs[0].inside[0]:.3f}"
            claim = f"training overfits: exploitability falls, then rises again ({_curve_name(key)})"
            findings.append(Finding(claim, decided(not falls and rise.low > 0, falls), evidence))
        return findings

    def less_exploitable(self, claim: str, measure: str, pairs: Mapping[str, Sequence[tuple[Key, Key]]]) -> Finding:
        """Whether the first of each pair is less exploitable than the second, by method.

        The ratio is the geometric mean over the pairs of a method; its interval is over seeds, of logarithms.
        """

        def real(key: Key) -> np.ndarray:
            return np.array([run.real[-1] for run in self.outcomes[key]])

        ratios = {}
        for method, of_method in pairs.items():
            seeds = min(len(self.outcomes[key]) for pair in of_method for key in pair)
            logs = [np.log(real(one)[:seeds] / real(other)[:seeds]) for one, other in of_method]
            ratios[method] = interval(np.mean(logs, axis=0))
        evidence = [
            f"{method} {np.exp(log.mean):.2f} times ({np.exp(log.low):.2f} to {np.exp(log.high):.2f})"
            for method, log in ratios.items()
        ]
        holds = all(log.high < 0 for log in ratios.values())
        fails = any(log.low > 0 for log in ratios.values())
        verdict = decided(holds, fails)
        unclear = [log for log in ratios.values() if log.low <= 0 <= log.high and log.mean]
        needed = max((log.count * (log.half_width / log.mean) ** 2 for log in unclear), default=0.0)
        words = (
            f"undecided: it would take about {needed:,.0f} seeds" if verdict is None and 0 < needed < MOST_SEEDS else ""
        )
        return Finding(claim, verdict, f"{measure}: {', '.join(evidence)}", words=words)
