"""Heads-up push or fold: figure 6.1 of Schmid's thesis, every tenth of a big blind from 1 to 20, cell by cell.

M. Schmid, "Game theory and poker", Charles University in Prague, 2013, section 6.1; its figure is from HoldemResources.
A cell is the largest stack, in big blinds, with which the small blind pushes a hand, or the big blind calls a push with
it. Here each stack is solved exactly by a linear program; a hand counts as pushed or called if its frequency is at
least one half, which reproduces the printed cells.

In our copy of the figure, four rows of the pusher's cells are partly lost (K, T, 9 and 8); CORRECTED has the right
values. The first table lists the remaining differences.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES, COMBO_CLASS
from pokerlab.figure import Figure, Line, Panel
from pokerlab.papers.result import Finding, PaperResult, Rerun, Row, Table, rerunnable
from pokerlab.registry import load
from pokerlab.solvers.core.run import Stop, run
from pokerlab.solvers.preflop.classes.chart import Chart, chart, span_text
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.tree.classes import ClassForm, class_form

MOST = 20  # big blinds
ROLES = ("pusher", "caller")
ITERATIVE = {"fictitious play": ("fictitious-play", 5000), "CFR": ("cfr", 5000), "DCFR": ("dcfr", 500)}
PUSHER = """
    20+ 20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  20+
    20+ 20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  19.9 19.3
    20+ 20+  20+  20+  20+  20+  20+  20+  20+  20+  16.3 13.5 12.7
    20+ 20+  20+  20+  20+  20+  20+  20+  18.6 14.7 13.5 10.6 8.5
    20+ 20+  20+  20+  20+  20+  20+  20+  20+  11.9 10.5 7.7  6.5
    20+ 20+  20+  20+  20+  20+  20+  20+  20+  14.4 6.9  4.9  3.7
    20+ 18.0 13.0 13.3 17.5 20+  20+  20+  20+  18.8 10.1 2.7  2.5
    20+ 16.1 10.3 8.5  9.0  10.8 14.7 20+  20+  20+  13.9 2.5  2.1
    20+ 15.1 9.6  6.5  5.7  5.2  7.0  10.7 20+  20+  16.3 7.1  2.0
    20+ 14.2 8.9  6.0  4.1  3.5  3.0  2.6  2.4  20+  20+  12.9 2.0
    20+ 13.1 7.9  5.4  3.8  2.7  2.3  2.1  2.0  2.1  20+  10.0 1.8
    20+ 12.2 7.5  5.0  3.4  2.5  1.9  1.8  1.7  1.8  1.6  20+  1.7
    20+ 11.6 7.0  4.6  2.9  2.2  1.8  1.6  1.5  1.5  1.4  1.4  20+
"""
CALLER = """
    20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  20+  20+
    20+  20+  20+  20+  20+  20+  17.6 15.2 14.3 13.2 12.1 11.4 10.7
    20+  20+  20+  20+  20+  16.1 13.0 10.5 9.9  8.9  8.4  7.8  7.2
    20+  20+  19.5 20+  18.0 13.4 10.6 8.8  7.0  6.9  6.1  5.8  5.6
    20+  20+  15.3 12.7 20+  11.5 9.3  7.4  6.3  5.2  5.2  4.8  4.5
    20+  17.1 11.7 9.5  8.4  20+  8.2  7.0  5.8  5.0  4.3  4.1  3.9
    20+  13.8 9.7  7.6  6.6  6.0  20+  6.5  5.6  4.8  4.1  3.6  3.5
    20+  12.4 8.0  6.4  5.5  5.0  4.7  20+  5.4  4.8  4.1  3.6  3.3
    20+  11.0 7.3  5.4  4.6  4.2  4.1  4.0  20+  4.9  4.3  3.8  3.3
    20+  10.2 6.8  5.1  4.0  3.7  3.6  3.6  3.7  20+  4.6  4.0  3.6
    18.3 9.1  6.2  4.7  3.8  3.3  3.2  3.2  3.3  3.5  20+  3.8  3.4
    16.6 8.7  5.9  4.5  3.6  3.1  2.9  2.9  2.9  3.1  3.0  20+  3.3
    15.8 8.1  5.6  4.2  3.5  3.0  2.8  2.6  2.7  2.8  2.7  2.6  15.0
"""
FIGURE = tuple(dict(zip(CLASS_NAMES, cells.split(), strict=True)) for cells in (PUSHER, CALLER))  # by role, by hand
CORRECTED = "K3s K2s T6s T5s T4s T3s T2s 96s 95s 94s 93s 92s 86s 85s 84s 83s 82s".split()  # of the pusher
GAPS = {"63s": ((5.1, 7.1), 2.3), "53s": ((3.8, 12.9), 2.4), "43s": ((4.9, 10.0), 2.2)}  # the upper span; below it
NOTES = (
    "A hand is counted where it acts at least half of the time; most stacks have one or two mixed hands a role.",
    f"Of the pusher {', '.join(CORRECTED)} are the corrected cells: the copy that we have lost or moved them.",
    "Where cells differ, no other equilibrium has the printed one: which hands are indifferent determines the mixture.",
)


@rerunnable
def paper(rerun: Rerun) -> PaperResult:
    """The chart by linear programs beside the figure, and three methods on some of its stacks."""
    watch, quick = rerun.watch, rerun.quick
    stacks = [step / 10 for step in range(10, 10 * MOST + 1, 5 if quick else 1)]
    solved = chart({stack: form_of(stack) for stack in stacks}, watch=watch.within(0.0, 0.6, "stacks"))
    compared = rerun.choose(quick=(10,), usual=(2, 5, 9, 10, 15, 20), full=tuple(range(2, MOST + 1)))
    values = []
    for place, stack in enumerate(compared):
        watch.at(f"three methods with {stack} big blinds", 0.6 + 0.4 * place / len(compared))
        values.append(_values_row(stack))
    different = differences(solved)
    lines, labels = (Line(solved.stacks, solved.values),), ("stack, big blinds", "EV of the small blind, big blinds")
    value = Figure("value", "What the small blind wins a hand.", (Panel(lines, "", *labels),))
    return rerun.result(
        title="Heads-up push or fold, figure 6.1",
        source="M. Schmid, Game theory and poker, Charles University in Prague, 2013; the figure by HoldemResources",
        tables=(
            Table("Cells that differ from the figure", different, digits=1),
            _gap_table(solved),
            Table("The small blind's EV, big blinds a hand", values),
        ),
        figures=(chart_figure(solved), value),
        findings=_findings(solved, different, quick),
        notes=(*NOTES, *rerun.quick_notes("A quick run has every half of a big blind alone.")),
        stacks=len(stacks),
    )


def form_of(stack: float) -> ClassForm:
    """Push or fold with stacks of this many big blinds, as in the figure: blinds of a half and one, no ante."""
    return class_form(load("games", "push-fold", stack=stack))


def differences(solved: Chart) -> list[Row]:
    """Cells that differ from the figure; a chart with fewer stacks is compared at its next lower stack."""
    rows = []
    for role, cells in enumerate(FIGURE):
        for (hand, ours), largest in zip(solved.cells(role).items(), solved.largest(role), strict=True):
            printed = cells[hand]
            number = float(printed.rstrip("+"))
            below = solved.stacks[solved.stacks <= number + 1e-9].max(initial=solved.stacks[0])
            if ours != (printed if printed.endswith("+") else f"{below:.1f}"):
                note = _between(solved, role, hand, number, float(largest))
                rows.append(Row(f"{hand}, {ROLES[role]}", number, ours={"ours": float(largest)}, note=note))
    return rows


def _between(solved: Chart, role: int, hand: str, printed: float, ours: float) -> str:
    """How often a hand acts at the stacks where the figure and the chart disagree."""
    low, high = sorted((printed, solved.stacks[0] if np.isnan(ours) else ours))
    acts = solved.acts[role][:, CLASS_NAMES.index(hand)]
    frequencies = [
        f"{100 * act:.0f} % at {stack:g}"
        for stack, act in zip(solved.stacks.tolist(), acts.tolist(), strict=True)
        if low + 1e-9 < stack < high + 1e-9
    ]
    return f"it acts {', '.join(frequencies)}" if frequencies else ""


def _gap_table(solved: Chart) -> Table:
    """The three hands that the figure marks, and the others with gaps in the stacks where they act half of the time."""
    rows = []
    spans = solved.spans(0)
    for hand, ((low, high), below) in GAPS.items():
        ours = spans[hand]
        upper = [span for span in ours if span[1] > below + 1]
        numbers = {"from": upper[-1][0], "to": upper[0][1], "and up to": ours[-1][1]} if upper else {}
        note = ", ".join(span_text(span) for span in ours)
        rows.append(Row(hand, printed=f"{low:g}-{high:g}, {below:g}", ours=numbers, note=note))
    others = [hand for hand in solved.with_gaps(0) if hand not in GAPS]
    note = f"others, whose gaps the figure does not show: {', '.join(others)}" if others else ""
    return Table("Hands whose range of stacks has gaps, pusher", rows, digits=1, note=note)


def _values_row(stack: int) -> Row:
    """The value of a stack by each method; errors are exploitabilities, for the program over all 1,326 hands."""
    form = form_of(stack)
    exact, combos = solve_one_decision(form.one_decision), form.by_combos()
    acts = exact.first[COMBO_CLASS], exact.second[COMBO_CLASS]
    by_hand = combos.measure(combos.profile_of(combos.behaviours_of(acts)))
    ours, errors = {"linear program": exact.value}, {"linear program": max(by_hand.exploitability, 0.0) / form.chips}
    for name, (spec, iterations) in ITERATIVE.items():
        done = run(load("algorithms", spec).start(form), Stop(iterations=iterations)).last.measure
        assert done is not None
        ours[name] = done.values[form.order[0]] / form.chips
        errors[name] = done.exploitability / form.chips
    pushes, calls = form.one_decision.frequencies(exact.first, exact.second)
    note = f"pushes {100 * pushes:.2f} %, calls {100 * calls:.2f} %"
    return Row(f"{stack} big blinds", ours=ours, errors=errors, note=note)


def chart_figure(solved: Chart) -> Figure:
    """Both grids with the largest stack in each cell."""
    panels = []
    for role, title in enumerate(("Pusher", "Caller")):
        largest, gaps = solved.largest(role), solved.with_gaps(role)
        texts = [f"{hand}\n{text}{'*' if hand in gaps else ''}" for hand, text in solved.cells(role).items()]
        cells = np.nan_to_num(largest / solved.stacks[-1]).reshape(13, 13)
        panels.append(Panel(title=title, cells=cells, cell_text=[texts[13 * row : 13 * row + 13] for row in range(13)]))
    caption = "The largest stack, in big blinds, with which each hand is pushed and called; * where there are gaps."
    return Figure("chart", caption, tuple(panels), columns=2)


def _findings(solved: Chart, different: list[Row], quick: bool) -> tuple[Finding, ...]:
    cells = sum(map(len, FIGURE))
    others = [f"{row.what} {row.ours['ours']:g} for {row.printed:g}" for row in different]
    agree = "; ".join(filter(None, (f"{cells - len(different)} of {cells} cells agree", ", ".join(others))))
    worst = float(solved.exploitabilities.max())
    reads = solved.largest(0)[CLASS_NAMES.index("97o")]
    return (
        Finding("the figure is the equilibrium, cell by cell", None if quick else not different, agree),
        Finding("97o is pushed with 10.8 big blinds or less", None if quick else bool(reads == 10.8), f"{reads:g}"),
        Finding(
            "each stack is solved by linear programming in a fraction of a second",
            bool(worst < 1e-9),
            f"{len(solved.stacks)} programs, none more exploitable than {worst:.1g} big blinds",
        ),
    )
