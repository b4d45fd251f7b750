"""Card abstractions measured in the real game: pathologies, overfitting, recall, and comparisons of methods.

K. Waugh, D. Schnizlein, M. Bowling and D. Szafron, "Abstraction pathologies in extensive games", 2009: a finer
abstraction may give strategies that are more exploitable in the real game than those of a coarser one. M. Schmid, "Game
theory and poker", Charles University in Prague, 2013, sections 8.2.4 and 8.2.5: the same, and overfitting, where
further training improves a strategy inside its abstraction and makes it worse in the real game.

Here on Rhode Island hold'em, which is small enough to measure exactly: every bucketing method with 3 to 100 buckets per
round, imperfect against perfect recall at equal numbers of infosets, and exploitability against iterations, in the real
game and inside the abstraction. With `full`, also limit hold'em: the same methods at equal size, head to head.

Where we differ: the papers solve abstract games to near equilibrium; we train by Pure CFR for a stated number of
iterations, and intervals are over seeds of clustering and training.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import perm

from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.gameshrink import by_outcomes, lossless, signal_tree
from pokerlab.abstraction.making import PERFECT
from pokerlab.papers._abstraction_findings import Experiment
from pokerlab.papers._abstraction_runs import (
    FULL,
    PLAIN,
    QUICK,
    USUAL,
    Cell,
    HoldemMatches,
    meetings,
    outcomes,
)
from pokerlab.papers._bucketed_runs import poker_game
from pokerlab.papers.result import PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.solvers.bucketed.playing import Gain
from pokerlab.solvers.convex.program.linear_program import program_size
from pokerlab.tree.bucketed.betting import betting_form

NOTES = (
    "Exploitability is in chips a hand, the mean over both seats of what a best response that sees its cards wins; "
    "intervals are 95 % by Student's t over seeds, each with its own clustering and training.",
    "The first round keeps its hands apart; other rounds have as many buckets as said. potential looks ahead, so "
    "its last round is by emd. nested has as many buckets in all as said.",
    "Pure CFR with linear weights trains for a number of iterations in proportion to the infosets, with a least one, "
    "so abstractions are not quite solved: what is left is seen inside the abstraction. Curves have no weights.",
    "A point counts as worse than a coarser one of its method where the 95 % interval of the difference (Welch) is "
    "above 0; a pair in forty does so by chance where there is none. Waugh and others speak of refinements: the "
    "evidence says which pairs are, since k-means with more centres need not split buckets.",
    "At the end a hand's strength takes few values: strength has at most 43 classes in the last round and emd 34, so "
    "they have fewer buckets than asked for, and fewer infosets than with perfect recall.",
    "Inside an abstraction a best response is exact where buckets remember; where they forget, none is given.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Make, train and measure abstractions."""
    scale = rerun.choose(quick=QUICK, usual=USUAL, full=FULL)
    watch = rerun.watch
    keys = list(dict.fromkeys([*scale.grid(), *(key for pair in scale.recalls() for key in pair)]))
    cells = {key: [scale.cell(key, rerun.seed + number) for number in range(scale.seeds_of(key))] for key in keys}
    curves = {
        (method, count, recall): [  # of the first seed, with perfect recall, also inside the abstraction
            Cell(method, count, seed, scale.marks, recall, PLAIN, inside=recall == PERFECT and seed == rerun.seed)
            for seed in range(rerun.seed, rerun.seed + max(scale.seeds, scale.curve_seeds))
        ]
        for method, count, recall in scale.curves
    }
    everything = [cell for group in (*cells.values(), *curves.values()) for cell in group]
    measured = outcomes(everything, watch.within(0.0, 0.5 if scale.holdem else 1.0), game=scale.game)
    by_key = ({key: [measured[cell] for cell in group] for key, group in groups.items()} for groups in (cells, curves))
    experiment = Experiment(scale, *by_key)
    tables = [_real_game(), experiment.grid_table(), experiment.recall_table(), *experiment.curve_tables()]
    tables.append(experiment.thinned_table())
    if scale.holdem is not None:
        tables.append(_holdem_table(scale.holdem, meetings(scale.holdem, rerun.seed, watch.within(0.5, 1.0))))
    return rerun.result(
        title="Card abstractions in the real game",
        source="K. Waugh, D. Schnizlein, M. Bowling and D. Szafron 2009; M. Schmid, thesis, 2013, 8.2.4 and 8.2.5",
        tables=tables,
        figures=(experiment.grid_figure(), experiment.recall_figure(), experiment.curve_figure()),
        findings=experiment.findings(),
        notes=(*NOTES, *rerun.quick_notes("A quick run has six ranks.")),
        seeds=scale.seeds,
        game=scale.game,
    )


def _real_game() -> Table:
    """Rhode Island hold'em without abstraction, and shrunk as by Gilpin and Sandholm (2007)."""
    game = poker_game("rhode-island")
    betting, signals = betting_form(game), signal_tree(CardRounds.of(game, ordered=True))
    hands = [perm(52, street + 1) for street in range(len(betting.decisions))]
    infosets = sum(nodes // 2 * count for nodes, count in zip(betting.decisions, hands, strict=True))
    shrunk = {"by outcomes": by_outcomes(signals), "without loss": lossless(signals)}
    counts = {name: [int(labels.max()) + 1 for labels in classes] for name, classes in shrunk.items()}
    printed = {"by outcomes": 1_237_238, "without loss": None}
    rows = [
        Row("infosets of each player", printed=26_064_064, ours={"counted": infosets}),
        Row("rows of its linear program", printed=91_224_226, ours={"counted": program_size(betting, hands).rows}),
        *(
            Row(
                f"the same shrunk {name} ({'/'.join(map(str, classes))})",
                printed=printed[name],
                ours={"counted": program_size(betting, classes).rows},
            )
            for name, classes in counts.items()
        ),
    ]
    note = "1,190,443 rows and 1,181,084 columns are printed of what is left after dominated strategies are removed too"
    return Table("Rhode Island hold'em hand by hand", rows, note, digits=0)


def _holdem_table(plan: HoldemMatches, gains: Mapping[tuple[str, str], Gain]) -> Table:
    blind = float(max(poker_game(plan.game).rules.blinds))
    rows = []
    for method in plan.methods:
        against = {other: gains[(method, other)] for other in plan.methods if other != method}
        ours = {f"against {other}": 1000 * gain.mean / blind for other, gain in against.items()}
        half_width = max(1000 * gain.half / blind for gain in against.values())
        rows.append(Row(method, ours=ours, note=f"± {half_width:.1f}"))
    note = f"169/{plan.count}/{plan.count}/{plan.count} buckets, {plan.iterations:,} iterations each"
    return Table("Limit hold'em head to head, mbb a hand to the row", rows, note, digits=1)
