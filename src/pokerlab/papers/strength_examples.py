"""The worked examples of hand strength in Schmid's thesis and in Rubin and Watson's review.

M. Schmid, "Game Theory and Poker", 2013, section 8.3; J. Rubin and I. Watson, "Computer poker: a review", 2011, section
2.2. `pokerlab equity` and `pokerlab strength` print the same numbers.
"""

from __future__ import annotations

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.equity import equity
from pokerlab.cards.measures import hand_measures, preflop_strength
from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable

PRINTED_STRENGTHS = (0.570, 0.575)
NEAR = 0.0005
BINS = 20


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Every printed strength, exactly."""
    rerun.watch.at("equities", 0.0)
    before, after = (equity(["AsAc", "2d3d"], board=board, exact=True).players[0] for board in ("", "4d5dKs"))
    rerun.watch.at("hand rank", 0.4)
    rank = hand_measures(FULL_DECK.cards("TcJc"), FULL_DECK.cards("2dTsKh"))
    rerun.watch.at("hands before the flop", 0.5)
    strength = preflop_strength()
    rollout = dict(zip(CLASS_NAMES, strength.rollout.tolist(), strict=True))
    near = {
        printed: sorted(name for name, value in rollout.items() if abs(value - printed) <= NEAR)
        for printed in PRINTED_STRENGTHS
    }
    tables = (
        Table(
            "Two hands",
            (
                Row(
                    "AsAc against 2d3d, percent", 82.16, ours={"wins": 100 * before.win, "equity": 100 * before.equity}
                ),
                Row("the same on 4d5dKs", 50.61, ours={"wins": 100 * after.win, "equity": 100 * after.equity}),
            ),
            "The thesis prints how often the aces win; equity adds half of the ties.",
            digits=2,
        ),
        Table(
            "Immediate hand rank of TcJc on 2dTsKh",
            (
                Row("wins", 899, ours={"exact": int(rank.wins)}),
                Row("ties", 6, ours={"exact": int(rank.ties)}),
                Row("losses", 176, ours={"exact": int(rank.losses)}),
                Row("rank", 0.834413, ours={"exact": rank.immediate}),
            ),
        ),
        Table(
            "Hands of nearly equal E[HS]",
            tuple(
                Row(f"E[HS] of {printed:.3f}", printed, ours={"classes": ", ".join(names) or "none"})
                for printed, names in near.items()
            ),
            "The thesis does not name the two hands of its figure 8.3: these classes have the printed strength.",
            digits=3,
        ),
    )
    drawn = [names[0] for names in near.values() if names]
    return rerun.result(
        title="Examples of hand strength",
        source="M. Schmid, Game Theory and Poker, 2013, section 8.3; J. Rubin and I. Watson, Artificial Intelligence "
        "175, 2011, section 2.2",
        tables=tables,
        figures=(_figure(drawn),) if drawn else (),
        findings=_findings(100 * before.win, 100 * after.win, rank.immediate, near),
        notes=rerun.quick_notes(),
    )


def _figure(classes: list[str]) -> Figure:
    """The distribution of strength at the river, of one class for each printed strength."""
    histogram = preflop_strength().histogram(BINS)
    middle = [(place + 0.5) / BINS for place in range(BINS)]
    lines = tuple(Line(middle, histogram[CLASS_NAMES.index(name)], name, style="steps") for name in classes)
    panel = Panel(lines, "hand strength at the river", "strength against a random hand", "share of boards")
    return Figure("distributions", "Two hands of nearly equal expected strength.", (panel,))


def _findings(before: float, after: float, rank: float, near: dict[float, list[str]]) -> tuple[Finding, ...]:
    return (
        Finding(
            "aces win 82.16 % against 2d3d, and 50.61 % on the flop 4d5dKs",
            abs(before - 82.16) < 0.005 and abs(after - 50.61) < 0.005,
            f"{before:.4f} % before the flop and {after:.4f} % on it",
        ),
        Finding("TcJc wins 899 times, ties 6 and loses 176", abs(rank - 0.834413) < 5e-7, f"hand rank {rank:.6f}"),
        Finding(
            "two hands may have strengths of 0.570 and 0.575 and different distributions",
            all(near.values()),
            "; ".join(f"{printed:.3f}: {', '.join(names) or 'none'}" for printed, names in near.items()),
        ),
    )
