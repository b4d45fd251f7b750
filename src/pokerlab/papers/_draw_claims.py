"""The verdicts of `paper ee`: every claim of its sections 4 and 6, by our matches and their intervals.

A claim about what was won holds if a t-test at 99 % says so in its direction, fails if it says so in the other, and is
undecided otherwise; then the number of deals that would decide it is given. Sizes are compared too: a printed number
outside our interval is mentioned, since signs are all that one training run can show.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pokerlab.match.draw import BASIC
from pokerlab.papers._draw_runs import MODELLING, RULES, DrawMatch, Experiment
from pokerlab.papers._draw_tables import (
    FOLDED,
    REACHED,
    SELF_PLAY,
    SMALL_BLIND,
    VARIANCES,
    WITH,
    WITHOUT,
    Tables,
    straight_draws,
)
from pokerlab.papers.result import Finding, decided

LEVEL = 0.01  # of the tests
AT_99, AT_95 = 2.326, 1.96  # quantiles: one-tailed at 99 %, two-tailed at 95 %
SIMILAR = 0.1  # sbb/h: a smaller effect does not account for a loss of 1.2


def findings(run: Experiment, tables: Tables) -> tuple[Finding, ...]:
    """All verdicts; those that fail say after how many iterations."""
    words = f"does not hold after {run.last:,} iterations"
    trained = (
        *_self_play(run, tables),
        *_opponents(run),
        *_explanations(run, tables),
        *_hands(tables),
        *_potential(run),
    )
    return (
        *(replace(one, words=words) if one.holds is False else one for one in trained),
        *_convergence(run),
        *_ours(run),
    )


def won(claim: str, match: DrawMatch, *, printed: float | None = None, loses: bool = False) -> Finding:
    """The verdict on a claim that a player wins, or loses, a match."""
    gain = match.gain
    return signed(claim, gain.mean, gain.half, printed=printed, loses=loses, deals=gain.hands)


def signed(
    claim: str, mean: float, half: float, *, printed: float | None = None, loses: bool = False, deals: int = 0
) -> Finding:
    """The verdict on a mean with a 95 % interval: a claim that it is positive, or negative."""
    side = -mean if loses else mean
    bound = half * AT_99 / AT_95
    holds = decided(side > bound, side < -bound)
    words = ""
    if holds is None and deals and side:
        needed = deals * (bound / abs(side)) ** 2
        words = f"undecided at this size: it would take about {float(f'{needed:.2g}'):,.0f} deals"
    elif holds and printed is not None and abs(mean - printed) > half:
        words = "holds, not its size"
    beside = "" if printed is None else f", printed {printed:+.4g}"
    return Finding(claim, holds, f"{mean:+.3f} ± {half:.3f} sbb/h{beside}", words=words)


def _self_play(run: Experiment, tables: Tables) -> list[Finding]:
    ratio, p_value = tables.variances
    verdicts = [
        won("No Suits beats Highest Suit Mini (4.1)", run.matches["plain", "mini"], printed=SELF_PLAY),
        Finding(
            "the payoffs of No Suits do not vary significantly less than those of Mini (4.1)",
            bool(p_value > LEVEL),
            f"ratio of variances {ratio:.3f}, p {p_value:.2g}, printed {VARIANCES}",
        ),
    ]
    for who, name in (("plain", "No Suits"), ("mini", "Highest Suit Mini")):
        mean, half = _small_blind(run, who)
        claim = f"the small blind profits when {name} plays itself (4.1)"
        verdicts.append(signed(claim, mean, half, printed=SMALL_BLIND[who], deals=run.scale.deals))
    mean, half = _small_blind(run, "ours")
    verdicts.append(
        signed(
            "acting first is an advantage: the small blind of our player profits too (4.1)",
            mean,
            half,
            deals=run.scale.deals,
        )
    )
    reached = run.curve[run.last]["reached"]
    verdicts.append(
        Finding(
            "No Suits reached 88.3 million infosets (4.1)",
            None,
            f"{reached[0]:,.0f} in the average and {reached[1]:,.0f} touched after {run.last:,} iterations, printed "
            f"{REACHED['plain']:,.0f} after 10^7",
            words="see",
        )
    )
    return verdicts


def _small_blind(run: Experiment, who: str) -> tuple[float, float]:
    values = run.matches[who, who].outcomes.won[:, 0]
    return float(values.mean()), AT_95 * float(values.std(ddof=1)) / len(values) ** 0.5


def _opponents(run: Experiment) -> list[Finding]:
    verdicts = []
    for who, words, printed in (("plain", "No Suits", WITHOUT), ("backed", "with the fallback No Suits", WITH)):
        for name, value in printed.items():
            verb = "beats" if value > 0 else "loses to"
            verdicts.append(won(f"{words} {verb} {name} (4.2)", run.matches[who, name], printed=value, loses=value < 0))
    for name in RULES[RULES.index(BASIC) + 1 :]:
        verdicts.append(
            won(f"with the fallback No Suits loses to {name} (figure 6)", run.matches["backed", name], loses=True)
        )
    mean, half = run.modelling["backed"]
    verdicts.append(
        signed(
            f"with the fallback No Suits loses to {MODELLING} (figure 6)",
            mean,
            half,
            loses=True,
            deals=run.scale.table_hands // 4,
        )
    )
    return verdicts


def _explanations(run: Experiment, tables: Tables) -> list[Finding]:
    """What accounts for the loss to Basic: every change alone, with and without the fallback."""
    basic = RULES.index(BASIC)
    base = run.curve[run.last]["won"][:, basic]
    effects = {
        what: (measured["won"][:, basic, 0] - base[:, 0], np.hypot(measured["won"][:, basic, 1], base[:, 1]))
        for what, measured in tables.changes().items()
    }
    classes, _ = run.curve[run.last]["folding"]
    flushes, halves = effects["flushes known: Highest Suit Mini"]
    fell = run.matches["backed", BASIC].fell
    small = all(abs(flushes) + halves < SIMILAR)
    large = any(flushes - halves > SIMILAR)
    lines = [f"{what}: {_change(*effect)}" for what, effect in effects.items() if not what.startswith("No Suits")]
    backed = run.matches["backed", BASIC].gain.mean - run.matches["plain", BASIC].gain.mean
    return [
        Finding(
            "No Suits folds more often than not with only 8 hands: it calls too much (4.2)",
            bool(classes < 0.05 * 6175),
            f"{classes:.0f} of its 6,175 starting hands, printed {FOLDED} of all hands; Basic folds half of all hands",
        ),
        Finding(
            "it loses to Basic because it does not see flushes (4.2)",
            decided(large, small),
            f"seeing them changes {_change(flushes, halves)}",
        ),
        Finding(
            "it loses where training came too rarely (4.2)",
            None,
            f"the fallback takes {fell:.2f} decisions a hand against Basic and changes {backed:+.3f} sbb/h",
            words="see",
        ),
        Finding(
            "why No Suits loses to Basic: one change alone, without and with fallback", None, "; ".join(lines), "see"
        ),
    ]


def _change(effect: np.ndarray, half: np.ndarray) -> str:
    return f"{effect[0]:+.3f} ± {half[0]:.3f} and {effect[1]:+.3f} ± {half[1]:.3f}"


def _hands(tables: Tables) -> list[Finding]:
    """Tables 1 and 2."""
    hands = tables.hands
    mine, basic = hands["high card"]
    more_wins = mine.wins > basic.wins
    medium = ("pair", "two pair", "three of a kind")
    gaps = [_gap(hands[name][1], hands[name][0]) for name in medium]
    strong = ("straight", "flush", "straight flush")
    return [
        Finding(
            "with high cards No Suits wins more hands than Basic and less money (tables 1 and 2)",
            decided(more_wins and _gap(basic, mine) > 1, not more_wins or _gap(basic, mine) < -1),
            f"{mine.wins:.1%} and {mine.paid:+.3f}, Basic {basic.wins:.1%} and {basic.paid:+.3f}; printed 43.7 % and "
            "-1.128, 15.4 % and -0.96",
        ),
        Finding(
            "Basic gets more out of pairs, two pairs and three of a kind (tables 1 and 2)",
            decided(all(gap > 1 for gap in gaps), any(gap < -1 for gap in gaps)),
            "; ".join(f"{name} {hands[name][1].paid:+.3f} and {hands[name][0].paid:+.3f}" for name in medium),
        ),
        Finding(
            "No Suits does better than Basic with straights, flushes and straight flushes (tables 1 and 2)",
            decided(
                all(_gap(*hands[name]) > 1 for name in strong[:2]), any(_gap(*hands[name]) < -1 for name in strong[:2])
            ),
            "; ".join(
                f"{name} {hands[name][0].paid:+.2f} ± {hands[name][0].half:.2f} and {hands[name][1].paid:+.2f} ± "
                f"{hands[name][1].half:.2f}"
                for name in strong
                if hands[name][0].hands > 1
            )
            + "; of straight flushes too few are dealt to tell",
        ),
    ]


def _gap(one: object, other: object) -> float:
    """The difference of two payoffs in half-widths of its interval."""
    half = float(np.hypot(one.half, other.half))  # type: ignore[attr-defined]
    return float((one.paid - other.paid) / half) if half else 0.0  # type: ignore[attr-defined]


def _potential(run: Experiment) -> list[Finding]:
    basic = run.matches["backed", BASIC].gain
    verdicts = []
    for name in RULES[RULES.index(BASIC) + 1 :]:
        gain = run.matches["backed", name].gain
        half = float(np.hypot(basic.half, gain.half))
        verdicts.append(
            signed(
                f"{name} does worse than Basic against No Suits with fallback (4.2)",
                gain.mean - basic.mean,
                half,
                deals=gain.hands,
            )
        )
    return verdicts


def _convergence(run: Experiment) -> list[Finding]:
    most = max(run.curve)
    measured = run.curve[most]["won"]
    worst = [(float(measured[0, place, 0]), float(measured[0, place, 1]), name) for place, name in enumerate(RULES)]
    lost = [one for one in worst if one[0] < -one[1]]
    ahead = all(mean > half for mean, half, _ in worst)
    shares = straight_draws(run.plain)
    odd, random = shares["discards the odd card"], shares["a discard at random"]
    bets, calls, raises = list(shares.values())[2:]
    first, last = (run.curve[mark]["won"][0, :, 0] for mark in (min(run.curve), most))
    return [
        Finding(
            "with more iterations it at least breaks even against all (6)",
            decided(ahead, bool(lost)),
            f"after {most:,} iterations without fallback it loses to "
            + (", ".join(f"{name} {mean:+.3f} ± {half:.3f}" for mean, half, name in lost) or "none of them"),
            words="" if not lost else f"not yet at {most:,} iterations",
        ),
        Finding(
            "more iterations play better (6)",
            decided(bool((last > first).all()), bool((last < first).all())),
            f"{int((last > first).sum())} of {len(RULES)} matches improve from {min(run.curve):,} to {most:,}",
        ),
        Finding(
            "with four to a straight it consistently discards the odd card (6)",
            decided(odd > 0.9, odd < 0.5),
            f"{odd:.1%} of the time, a discard at random {random:.1%}",
        ),
        Finding(
            "when the straight is missed it mixes calls and raises (6)",
            bool(min(bets, 1 - bets, calls, raises) > 0.02),
            f"it bets {bets:.1%}; facing a bet it calls {calls:.1%} and raises {raises:.1%}",
        ),
    ]


def _ours(run: Experiment) -> list[Finding]:
    others = ("plain", "backed", "mini", *RULES)
    beaten = [name for name in others if run.matches["ours", name].p_value < LEVEL]
    lost = [name for name in others if 1 - run.matches["ours", name].p_value < LEVEL]
    mean, half = run.modelling["ours"]
    return [
        Finding(
            "our player beats both of the paper's and all its opponents, without fallback",
            decided(len(beaten) == len(others) and mean > half, bool(lost) or mean < -half),
            f"{len(beaten)} of {len(others)} at {1 - LEVEL:.0%}, and {MODELLING} {mean:+.2f} ± {half:.2f}",
        )
    ]
