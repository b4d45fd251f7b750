"""A solution in words: what was solved and how, its value, and its measured distance from equilibrium."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pokerlab.strategy.solution import Solution

SEAT_WIDTH = len("out of position")  # the lines above begin with seats
STOPPED = {"target": ", target reached", "interrupted": ", interrupted"}


def show_solution(
    screen: Any, solution: Solution, *, kept: Path | None = None, plot: Path | None = None, csv: Path | None = None
) -> None:
    """Print what a run found; of a spot, its first place too, and of push or fold its charts."""
    if solution.spot is not None:
        show_spot(screen, solution, kept=kept, plot=plot, csv=csv)
        return
    from rich.markup import escape
    from rich.table import Table

    from pokerlab.display.elements.numbers import game_title
    from pokerlab.display.preflop.charts import has_chart, show_charts, value_rows
    from pokerlab.strategy.shipped import name_of

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="dim")
    table.add_column()
    form = "" if solution.form == "sequence" else f", {solution.form} form"
    table.add_row(
        "game", f"[bold]{escape(game_title(solution.game))}[/bold], {len(solution.strategy):,} infosets{form}"
    )
    table.add_row("algorithm", escape(solution.algorithm_text))
    if solution.form == "bucketed":
        table.add_row("buckets", escape(_bucket_words(solution)))
    for what, words in value_rows(solution) if solution.form == "classes" else _found(solution):
        table.add_row(what, words)
    rate = solution.iterations / max(solution.seconds, 1e-9)
    why = STOPPED.get(solution.stopped, "")
    table.add_row("iterations", f"{solution.iterations:,} in {solution.seconds:.2f} s ({rate:,.0f}/s){why}")
    table.add_row("set-up", f"{solution.setup_seconds:.2f} s, laying out and compiling")
    if kept is not None:
        table.add_row("kept in", escape(name_of(kept)) + kept_words(solution, kept))
    for what, path in (("picture", plot), ("curve", csv)):
        if path is not None:
            table.add_row(what, escape(str(path)))
    if kept is not None and solution.stopped == "interrupted":
        verb = "train" if solution.form == "bucketed" else "solve"
        table.add_row("resume with", f"pokerlab {verb} --resume {escape(shlex.quote(str(kept)))}")
    screen.print(table)
    if has_chart(solution):
        show_charts(screen, solution.strategy)


def _bucket_words(solution: Solution) -> str:
    """How many buckets each round has, how they were made, and where they are kept."""
    buckets = solution.strategy.form.buckets
    if buckets.is_lossless:
        return f"{buckets.text}, one for every hand"
    return f"{buckets.text} by {', '.join(buckets.methods)}" + (f", in {buckets.file}" if buckets.file else "")


def _found(solution: Solution) -> list[tuple[str, str]]:
    """Value and exploitability as rows of words."""
    from pokerlab.display.elements.numbers import gap_text, value_text

    found = solution.measure
    if not found.is_known:
        return [("exploitability", "not measured: the game is too large; matches tell how strong it plays")]
    rows = []
    if solution.bounds is not None:
        low, high = solution.bounds
        text = f"[bold]{value_text(found.values[0])}[/bold] to player 0; "
        rows.append(("value", f"{text}the game's is {value_text(low)} to {value_text(high)}"))
    else:
        rows.append(("values", ", ".join(map(value_text, found.values))))
        rows.append(("epsilon", f"{found.epsilon:.3g}, the largest gain of a best response"))
    percent = f", {solution.exploitability_percent:.3g} % of the pot" if solution.form == "public" else ""
    gap, both = gap_text(found.exploitability), gap_text(found.nash_conv)
    where = " in the real game, hand by hand" if solution.form == "bucketed" else ""
    return [*rows, ("exploitability", f"[bold]{gap}[/bold] (NashConv {both}{percent}){where}")]


def show_spot(
    screen: Any,
    solution: Solution,
    *,
    kept: Path | None = None,
    free: Solution | None = None,
    plot: Path | None = None,
    csv: Path | None = None,
) -> None:
    """Print the first place of a solved spot and how far it is solved; `free` is the same without its locks."""
    from rich.markup import escape
    from rich.table import Table

    from pokerlab.display.browse.node import show_view

    show_view(screen, solution.root)
    rows = [
        (
            "exploitability",
            f"[bold]{solution.exploitability_percent:.3g} %[/bold] of the pot after "
            f"{solution.iterations:,} iterations in {solution.seconds:.2f} s{STOPPED.get(solution.stopped, '')}",
        )
    ]
    if solution.locks:
        count = len(solution.locks)
        words = "1 strategy is fixed" if count == 1 else f"{count} strategies are fixed"
        rows.append(("locks", f"{words}; exploitability is that of the game with them"))
    if free is not None:
        seats = solution.root.seats
        taken = [f"{name} {cost:+.3f}" for name, cost in zip(seats, cost_of_locks(solution, free), strict=True)]
        within = max(solution.exploitability_percent, free.exploitability_percent) * solution.pot / 50
        rows.append(("cost of locks", f"{', '.join(taken)} chips a hand, within {within:.2g}"))
    if kept is not None:
        path = escape(str(kept))
        rows.append(("kept in", f"{path}{kept_words(solution, kept)}   (pokerlab browse {path})"))
    for what, written in (("picture", plot), ("curve", csv)):
        if written is not None:
            rows.append((what, escape(str(written))))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", width=SEAT_WIDTH)
    for what, words in rows:
        table.add_row(what, words)
    screen.print(table)


def kept_words(solution: Solution, path: Path) -> str:
    """How large the file of a solution is, and what it lacks."""
    from pokerlab.tree.forecast import bytes_text

    size = f", {bytes_text(path.stat().st_size)}" if path.is_file() else ""
    return size + (": the strategy alone, which cannot be resumed" if solution.keeps == "strategy" else "")


def cost_of_locks(locked: Solution, free: Solution) -> list[float]:
    """What the locks take from each player, in chips."""
    return [before - after for before, after in zip(free.values, locked.values, strict=True)]


def compact_words(solution: Solution, file: Path, out: Path) -> str:
    """What a solution came to that is kept by its strategy alone."""
    from pokerlab.display.elements.numbers import gap_text
    from pokerlab.tree.forecast import bytes_text

    sizes = f"{bytes_text(out.stat().st_size)} instead of {bytes_text(file.stat().st_size)}"
    gap = gap_text(solution.exploitability)
    if solution.form == "public":
        gap = f"{solution.exploitability_percent:.4g} % of the pot"
    return f"wrote {out}: {sizes}; exploitability as kept {gap}"


def draw_solution(solution: Solution, path: Path) -> None:
    """A picture of what a run found: how it converged, or of push or fold its charts."""
    from pokerlab.display.preflop.charts import draw_charts, has_chart
    from pokerlab.display.solve.convergence import draw_convergence

    if has_chart(solution):
        draw_charts(solution.strategy, path)
        return
    name = solution.algorithm_text
    draw_convergence({name: solution.curve}, path, title=f"{solution.game}: {name}")
