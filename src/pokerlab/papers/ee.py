"""Five-card draw by Monte-Carlo CFR: Ee's two abstractions, their opponents, and a player that beats them all.

B. P. Z. Ee, "Searching for Nash at Monte Carlo: approximating optimal strategies for five-card draw poker", University
of Warwick, 2024. Blinds of 1 and 2, stacks of 40, every raise a minimum raise. The player "No Suits" knows the ranks of
its cards, "Highest Suit Mini" also which of them share a suit if at least four do. Each was trained for 10^7 iterations
in three weeks and lost to a player who bets by hand strength. The paper blames three things: the player takes flushes
for high cards, it had too few iterations, and training never visited some infosets. Here the matches are replayed, and
then each of the three is changed alone. Section 5 names endgame solving as a remedy; it is tried in a draw game that is
small enough to measure exactly.

The minimum bet after the draw restarts at the big blind: under this reading "No Suits" has 126,223,175 infosets. Under
the other, in which it continues from the first round, there are 81,170,375, fewer than the 88.3 million that the paper
visited.

The tables are in _draw_tables.py and _draw_exact.py, the verdicts in _draw_claims.py, the runs in _draw_runs.py and
_draw_training.py, other readings of the paper in _draw_readings.py, endgames in _draw_endgames.py.
"""

from __future__ import annotations

import numpy as np

from pokerlab.figure import Figure, Line, Panel
from pokerlab.match.draw import BASIC
from pokerlab.papers._draw_claims import findings
from pokerlab.papers._draw_endgames import endgame_findings, endgame_table, solve_endgames
from pokerlab.papers._draw_exact import exact_table, kuhn_table
from pokerlab.papers._draw_readings import against_free_folding_random, blind_basic
from pokerlab.papers._draw_runs import DYNAMIC, MODELLING, OURS, RULES, SCALES, WEAK, DrawMatch, Experiment
from pokerlab.papers._draw_tables import Tables
from pokerlab.papers.result import PaperResult, Rerun, rerunnable

NOTES = (
    "Payoffs are in small blinds a hand (sbb/h), from the first player's side; every deal is played from both seats, "
    "with the deck in the same order. Intervals and t-tests are over deals.",
    "The paper's numbers are of one training with no interval. Where the sign of ours is the other one, its row says "
    "so; verdicts are about our players at the iterations of this run.",
    "The fallback plays by the strength of the hand where the sum of an infoset's averages is below half of the visits "
    "requested (the paper's 1,000), since linear weights halve visits that are spread evenly.",
    "The paper's traverser changes after each iteration; an iteration here has a walk for each player, so its 10^7 "
    "iterations are 5 * 10^6 of ours.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """Train, match, and change one thing at a time."""
    name = rerun.choose(quick="quick", usual="usual", full="full")
    scale, watch = SCALES[name], rerun.watch
    run = Experiment.of(scale, rerun.seed, watch.within(0.0, 0.9))
    watch.at("other readings", 0.9)
    weight = scale.fallback_weight
    blind = DrawMatch(run.against(run.plain.player(weight), blind_basic(run.plain.form), number=50))
    free = against_free_folding_random(run.plain.form, run.plain.average, deals=scale.deals // 10, seed=rerun.seed)
    watch.at("endgames", 0.95)
    endgames = solve_endgames(
        rerun.choose(quick=(10,), usual=(10, 100), full=(10, 100, 1000)), ranks=3 if rerun.quick else 4
    )
    tables = Tables(run, blind, free)
    numbers = run.plain.form.buckets.cards
    return rerun.result(
        title="Five-card draw by Monte-Carlo CFR",
        source="B. P. Z. Ee, University of Warwick, 2024",
        tables=(
            exact_table(run.plain.form, numbers, 10_000_000, 1_000),
            kuhn_table(),
            tables.sizes(),
            tables.self_play(),
            tables.opponents(),
            tables.by_iterations(),
            tables.one_at_a_time(),
            tables.by_hand(),
            tables.readings(),
            tables.four_straights(),
            tables.our_matches(),
            tables.distances(),
            endgame_table(endgames),
        ),
        figures=_figures(run),
        findings=(*findings(run, tables), *endgame_findings(endgames)),
        notes=(*NOTES, *rerun.quick_notes("A quick run has small buckets of ours in place of the paper's.")),
        iterations=scale.iterations[-1],
        deals=scale.deals,
        ours=OURS,
        modelling=MODELLING,
    )


def _figures(run: Experiment) -> tuple[Figure, ...]:
    """Figures 2 to 6: cumulative payoffs; and what more iterations do."""
    seats = [
        _line(run.matches[who, who].outcomes.won[:, seat], f"{text}, {blind}")
        for who, text in (("plain", "No Suits"), ("mini", "Highest Suit Mini"))
        for seat, blind in enumerate(("small blind", "big blind"))
    ]
    first = [_line(run.matches["plain", "mini"].outcomes.won, "No Suits")]
    return (
        _figure("figure-2", "No Suits against Highest Suit Mini", first),
        _figure("figure-3", "Small and big blind in self-play", seats),
        _against(run, "figure-4", "No Suits against weak players", "plain", WEAK),
        _against(run, "figure-5", "No Suits with fallback against weak players", "backed", WEAK),
        _against(run, "figure-6", "No Suits with fallback against players that look at their cards", "backed", DYNAMIC),
        _against(run, "ours", "Our player against all of them", "ours", RULES),
        _by_iterations(run),
    )


def _by_iterations(run: Experiment) -> Figure:
    marks = np.array(list(run.curve), float)
    won = np.array([measured["won"] for measured in run.curve.values()])  # [mark, fallback, opponent, mean and half]
    panels = []
    for backed, title in enumerate(("no fallback", "with fallback")):
        lines = [
            Line(marks, won[:, backed, place, 0], name) for place, name in enumerate(RULES) if name in (*WEAK, BASIC)
        ]
        panels.append(Panel(tuple(lines), title, "iterations", "small blinds a hand", x_log=True))
    return Figure("iterations", "What No Suits wins as its iterations grow", tuple(panels), columns=2)


def _against(run: Experiment, name: str, caption: str, who: str, others: tuple[str, ...]) -> Figure:
    return _figure(name, caption, [_line(run.matches[who, other].outcomes.won, other) for other in others])


def _line(won: np.ndarray, label: str) -> Line:
    """The chips won so far by hands played, at 200 points."""
    hands = np.unique(np.linspace(1, won.size, 200).astype(int))
    return Line(hands, np.cumsum(won.reshape(-1))[hands - 1], label)


def _figure(name: str, caption: str, lines: list[Line]) -> Figure:
    return Figure(name, caption, (Panel(tuple(lines), x_label="hands", y_label="small blinds won"),))
