"""Five-card draw by Monte-Carlo CFR: Ee's two abstractions, their opponents, and a player that beats them all.

B. P. Z. Ee, "Searching for Nash at Monte Carlo: approximating optimal strategies for five-card draw poker", University
of Warwick, 2024. Blinds of 1 and 2, stacks of 40, every raise a minimum raise. The player "No Suits" knows the ranks of
its cards, "Highest Suit Mini" also which of them share a suit if at least four do. Each was trained for 10^7 iterations
in three weeks and lost to a player who bets by hand strength. The paper blames three things: the player takes flushes
for high cards, it had too few iterations, and training never visited some infosets. Here the matches are replayed, and
then each of the three is changed alone.

The minimum bet after the draw restarts at the big blind: under this reading "No Suits" has 126,223,175 infosets. Under
the other, in which it continues from the first round, there are 81,170,375, fewer than the 88.3 million that the paper
visited.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from pokerlab.cards.strength import HIGH
from pokerlab.figure import Figure, Line, Panel
from pokerlab.match.draw import BASIC
from pokerlab.papers._draw_runs import (
    DYNAMIC,
    MINI,
    MODELLING,
    NO_SUITS,
    OURS,
    RULES,
    SCALES,
    WEAK,
    DrawMatch,
    Experiment,
    categories,
    one_tailed,
    variance_test,
)
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, decided, rerunnable
from pokerlab.solvers.bucketed.draw_hands import Outcomes

WITHOUT = {"random": 3.371, "draw-article": 0.4124, "always-raise": -3.82807, "always-call": -0.90916}
WITH = {"random": 3.76, "draw-article": 0.67, "always-raise": 2.72, "always-call": 0.118, BASIC: -1.224}
SMALL_BLIND = {NO_SUITS: 0.71343, MINI: 0.95902}
REACHED = {NO_SUITS: 88.3e6, MINI: 116.2e6}
TABLE_1 = {  # hand: win percentage and payoff of the learner, of Basic; None if the paper copied a row
    "high card": (0.437, -1.128, 0.154, -0.96),
    "pair": (0.56, -1.33, 0.629, 0.624),
    "two pair": (0.715, 0.225, 0.826, 3.694),
    "three of a kind": (0.892, 6.268, 0.929, 8.476),
    "straight": (0.977, 10.649, 0.981, 9.931),
    "flush": (0.484, -0.989, 0.519, -2.509),
    "full house": (0.985, 11.01, 0.986, 12.79),
    "four of a kind": (1.0, 10.539, None, None),
    "straight flush": (1.0, 7.0, 0.6, -2.0),
}
NAMES = {"plain": "No Suits", "mini": "Highest Suit Mini", "ours": "ours"}
LEVEL = 0.01  # of the tests
NOTES = (
    "Payoffs are in small blinds a hand (sbb/h), from the first player's side; every deal is played from both seats, "
    "with the deck in the same order. Intervals and t-tests are over deals.",
    "The paper's numbers are of one training that had far to go: signs and orders are what may be compared.",
    "The fallback plays by the strength of the hand where the sum of an infoset's averages is below half of the visits "
    "requested (the paper's 1,000), since linear weights halve visits that are spread evenly.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Train, match, and change one thing at a time."""
    scale = SCALES[rerun.choose(quick="quick", usual="usual", full="full")]
    run = Run.of(scale, rerun.seed, rerun.watch)
    return rerun.result(
        title="Five-card draw by Monte-Carlo CFR",
        source="B. P. Z. Ee, University of Warwick, 2024",
        tables=(
            run.sizes(),
            run.self_play(),
            run.opponents(),
            run.by_hand(),
            run.one_at_a_time(),
            run.our_matches(),
            run.distances(),
        ),
        figures=run.figures(),
        findings=run.findings(),
        notes=(*NOTES, *rerun.quick_notes("A quick run has small buckets of ours in place of the paper's.")),
        iterations=scale.iterations[-1],
        deals=scale.deals,
        ours=OURS,
    )


class Run(Experiment):
    """The tables, figures and findings of the experiment."""

    def sizes(self) -> Table:
        """Infosets, in all and visited in training."""
        rows = []
        for player in (self.plain, self.mini, self.ours):
            method = player.form.buckets.method
            ours = {"in all": player.form.infosets, "reached": player.visited, "iterations": player.iterations}
            note = "printed: reached" if method in REACHED else ""
            rows.append(Row(f"{method}: infosets", printed=REACHED.get(method), ours=ours, note=note))
        return Table("Infosets", rows, digits=0)

    def _row(self, what: str, pair: tuple[str, str], printed: float | None = None) -> Row:
        match = self.matches[pair]
        ours = {"sbb/h": match.gain.mean, "p (profitable)": match.p_value}
        return Row(what, printed=printed, ours=ours, note=f"± {match.gain.half:.3f}")

    def self_play(self) -> Table:
        """Section 4.1."""
        names = {NO_SUITS: "plain", MINI: "mini", "by-draws": "ours"}
        rows = [self._row("No Suits against Highest Suit Mini", ("plain", "mini"), 2.05)]
        for method, who in names.items():
            won = self.matches[who, who].outcomes.won[:, 0]
            half = 1.96 * float(won.std(ddof=1)) / len(won) ** 0.5
            what, ours = f"the small blind, {method} against itself", {"sbb/h": float(won.mean())}
            rows.append(Row(what, printed=SMALL_BLIND.get(method), ours=ours, note=f"± {half:.3f}"))
        ratio, p_value = variance_test(*(self.matches[who, who].outcomes.won.reshape(-1) for who in ("plain", "mini")))
        rows.append(Row("variances, No Suits over Mini: ratio", ours={"sbb/h": ratio}))
        rows.append(Row("... p that it is not the smaller", printed=0.59, ours={"sbb/h": p_value}))
        folding = self.plain.folds()
        classes = np.unique(self.plain.form.buckets.before, return_index=True)[1]
        folded = int((folding[classes] > 0.5).sum())
        rows.append(Row("starting hands (of 6,175) that fold more often than not", 8, ours={"sbb/h": folded}))
        rows.append(Row("share of all deals that the small blind folds at once", ours={"sbb/h": float(folding.mean())}))
        return Table("Self-play (section 4.1), and folding", rows, digits=4)

    def opponents(self) -> Table:
        """Section 4.2."""
        rows = [self._row(f"No Suits against {name}", ("plain", name), WITHOUT.get(name)) for name in RULES]
        rows += [self._row(f"with fallback against {name}", ("backed", name), WITH.get(name)) for name in RULES]
        return Table("Against players by rules (section 4.2, figures 4 to 6)", rows, digits=3)

    def by_hand(self) -> Table:
        """Tables 1 and 2: the match with Basic by the category of the hand dealt."""
        outcomes = self.matches["backed", BASIC].outcomes
        own, theirs = outcomes.won, -outcomes.won
        held = categories(self.plain.form, outcomes.held)  # the learner's hand; Basic has that of the other seat
        names = HIGH().order.categories
        rows = []
        for name, printed in TABLE_1.items():
            category = names.index(name)
            mine, basic = own[held == category], theirs[held[:, ::-1] == category]
            rows.append(_hand_row(f"{name}: No Suits with fallback", mine, basic, printed[:2]))
            rows.append(_hand_row(f"{name}: Basic", basic, None, printed[2:]))
        note = "printed: payoff a hand; the win percentage is in the note"
        return Table("By the hand dealt (tables 1 and 2)", rows, note, digits=3)

    def one_at_a_time(self) -> Table:
        """Which of the paper's explanations accounts for the loss to Basic."""
        rows = [self._row("No Suits with fallback, as in the paper", ("backed", BASIC), -1.224)]
        rows += [self._row(f"iterations: {count:,}", (f"{count}", BASIC)) for count in self.scale.iterations]
        rows.append(self._row("missing infosets: no fallback", ("plain", BASIC)))
        rows.append(self._row("flushes known: Highest Suit Mini with fallback", ("mini backed", BASIC)))
        rows.append(self._row("fewer, better infosets: ours, no fallback", ("ours", BASIC)))
        return Table("Against Basic, one thing changed at a time", rows, digits=3)

    def our_matches(self) -> Table:
        """Our player against all others."""
        rows = [
            self._row("against No Suits", ("ours", "plain")),
            self._row("against No Suits with fallback", ("ours", "backed")),
            self._row("against Highest Suit Mini", ("ours", "mini")),
            *(self._row(f"against {name}", ("ours", name)) for name in RULES),
            Row(f"against {MODELLING}", ours={"sbb/h": self.modelling[0]}, note=f"± {self.modelling[1]:.3f}"),
        ]
        return Table("Our player, without fallback", rows, digits=3)

    def distances(self) -> Table:
        """A lower bound on exploitability."""
        rows = [
            Row(f"{NAMES[name]}: at least", ours={"sbb/h": mean}, note=f"± {half:.3f}")
            for name, (mean, half) in self.bounds.items()
        ]
        return Table("Exploitability, bounded from below by a player who learned to beat each", rows, digits=3)

    def figures(self) -> tuple[Figure, ...]:
        """Figures 2 to 6: cumulative payoffs."""
        seats = [
            _line(self.matches[who, who].outcomes.won[:, seat], f"{NAMES[who]}, {blind}")
            for who in ("plain", "mini")
            for seat, blind in enumerate(("small blind", "big blind"))
        ]
        first = [_line(self.matches["plain", "mini"].outcomes.won, "No Suits")]
        return (
            _figure("figure-2", "No Suits against Highest Suit Mini", first),
            _figure("figure-3", "Small and big blind in self-play", seats),
            self._against("figure-4", "No Suits against weak players", "plain", WEAK),
            self._against("figure-5", "No Suits with fallback against weak players", "backed", WEAK),
            self._against(
                "figure-6", "No Suits with fallback against players that look at their cards", "backed", DYNAMIC
            ),
            self._against("ours", "Our player against all of them", "ours", RULES),
        )

    def _against(self, name: str, caption: str, who: str, others: tuple[str, ...]) -> Figure:
        return _figure(name, caption, [_line(self.matches[who, other].outcomes.won, other) for other in others])

    def findings(self) -> tuple[Finding, ...]:
        """The claims of the paper, and the verdict on its explanations."""
        lost = self.matches["backed", BASIC].outcomes
        others = ("plain", "backed", "mini", *RULES)
        beaten = sum(self.matches["ours", name].p_value < LEVEL for name in others)
        mean, half = self.modelling
        small = [self.matches[who, who].outcomes.won[:, 0] for who in ("plain", "mini")]
        return (
            _finding("No Suits beats Highest Suit Mini", self.matches["plain", "mini"]),
            Finding(
                "the small blind profits in self-play",
                _sign([one_tailed(won) for won in small], [one_tailed(-won) for won in small]),
                ", ".join(f"{won.mean():+.3f}" for won in small),
            ),
            _finding("with the fallback, No Suits loses to Basic", DrawMatch(Outcomes(-lost.won, lost.held))),
            Finding(
                "our player beats both of the paper's and all its opponents, without fallback",
                beaten == len(others) and mean - half > 0,
                f"{beaten} of {len(others)} at {1 - LEVEL:.0%}, and {MODELLING} {mean:+.2f} ± {half:.2f}",
            ),
            Finding("why No Suits loses to Basic", None, self.verdict(), words="see"),
        )

    def verdict(self) -> str:
        """Which of the three explanations accounts for how much of the loss."""
        base = self.matches["backed", BASIC].gain
        changes = {
            "ten times fewer iterations": (f"{self.scale.iterations[-2]}", BASIC),
            "no fallback for missing infosets": ("plain", BASIC),
            "flushes known": ("mini backed", BASIC),
            "fewer infosets, by the prospects of each discard": ("ours", BASIC),
        }
        effects = []
        for what, pair in changes.items():
            gain = self.matches[pair].gain
            half = (gain.half**2 + base.half**2) ** 0.5
            effects.append(f"{what} {gain.mean - base.mean:+.3f} ± {half:.3f}")
        before = f"No Suits with fallback wins {base.mean:+.3f} ± {base.half:.3f} from Basic"
        return f"{before}; changed alone: {'; '.join(effects)}"


def _finding(claim: str, match: DrawMatch) -> Finding:
    p_text = "-" if math.isnan(match.p_value) else f"{match.p_value:.2g}"
    evidence = f"{match.gain.mean:+.3f} ± {match.gain.half:.3f} sbb/h, p {p_text}"
    return Finding(claim, _sign([match.p_value], [1 - match.p_value]), evidence)


def _sign(up: list[float], down: list[float]) -> bool | None:
    """True if all tests are significant upwards, False if one is downwards."""
    return decided(all(p_value < LEVEL for p_value in up), any(p_value < LEVEL for p_value in down))


def _hand_row(what: str, own: np.ndarray, other: np.ndarray | None, printed: Sequence[float | None]) -> Row:
    """A row of tables 1 and 2; printed are the win percentage and the payoff."""
    if not len(own):
        return Row(what, printed=printed[1], ours={"hands": 0}, note="never dealt")
    ours: dict[str, float | int] = {
        "hands": len(own),
        "win percentage": float((own > 0).mean()),
        "payoff": float(own.mean()),
        "p (profitable)": one_tailed(own),
    }
    if other is not None and len(own) > 1 and len(other) > 1 and min(own.std(), other.std()) > 0:
        ours["p (greater)"] = float(stats.ttest_ind(own, other, equal_var=False, alternative="greater").pvalue)
    share = "" if printed[0] is None else f"printed win percentage {printed[0]}"
    return Row(what, printed=printed[1], ours=ours, note=share)


def _line(won: np.ndarray, label: str) -> Line:
    """The chips won so far by hands played, at 200 points."""
    hands = np.unique(np.linspace(1, won.size, 200).astype(int))
    return Line(hands, np.cumsum(won.reshape(-1))[hands - 1], label)


def _figure(name: str, caption: str, lines: list[Line]) -> Figure:
    return Figure(name, caption, (Panel(tuple(lines), x_label="hands", y_label="small blinds won"),))
