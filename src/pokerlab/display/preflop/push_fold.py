"""Push or fold (charts, EV of hands, charts over stacks, tables of more players) and preflop roll-outs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from rich.markup import escape

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.cards.ranges import class_averages
from pokerlab.display.browse.node import action_colours, ev_grid
from pokerlab.display.elements.grid import Grid, MixGrid, Scale
from pokerlab.display.elements.numbers import value_text
from pokerlab.display.elements.table import plain_table
from pokerlab.display.preflop.charts import act_grid, chart_panel, chart_panels, print_beside, show_charts
from pokerlab.figure import Figure
from pokerlab.lab.preflop.push_fold import CALL, ORDER, PUSH, HeadsUp, RangeResponse
from pokerlab.lab.preflop.push_fold_chart import PushFoldChart
from pokerlab.lab.preflop.push_fold_table import Decision, TableSolution
from pokerlab.lab.preflop.rollout import RollOut
from pokerlab.papers.schmid_pushfold import chart_figure
from pokerlab.solvers.core.algorithm import short_spec
from pokerlab.solvers.preflop.classes.chart import span_text
from pokerlab.tables import Columns

if TYPE_CHECKING:
    from pokerlab.strategy.forms.classes import ClassView

ROLES = ("small blind", "big blind")
ACTS = ("pushes", "calls")
MOST_GAPS = 8  # spans of a hand that are printed


def show_push_fold(screen: Any, result: HeadsUp, *, with_ev: bool = False) -> None:
    """Both ranges, the value, the exploitability, and best responses to the given ranges."""
    screen.print(f"[bold]push or fold[/bold] with {result.stakes.text()}")
    show_charts(screen, result.strategy)
    if not result.game.second_decides:
        screen.print("[dim]the big blind is already all-in and has nothing to decide[/dim]")
    screen.print(_small_blind_text(result.value), soft_wrap=True)
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{result.exploitability:.2g}[/bold] big blinds, "
        f"[dim]by best responses of all 1,326 hands; {short_spec(result.solution.algorithm)}[/dim]",
        soft_wrap=True,
    )
    for role in (PUSH, CALL):
        screen.print(f"[dim]{ACTS[role]}[/dim] {result.range_of(role).text()}", soft_wrap=True)
    if with_ev:
        for role in (PUSH, CALL):
            _show_evs(screen, result.evs[role], role)
    for response in result.responses:
        show_response(screen, response)


def _show_evs(screen: Any, evs: np.ndarray, role: int) -> None:
    """EV of pushing, or of calling a push, with each class."""
    grid = ev_grid(evs[1])
    what = "pushes" if role == PUSH else "calls a push"
    screen.print(f"\nEV of each hand that the {ROLES[role]} {what} with, in big blinds; a fold has {evs[0, 0]:.3g}")
    screen.print(grid)
    screen.print(grid.legend(screen), soft_wrap=True)


def show_response(screen: Any, response: RangeResponse) -> None:
    """The best response to a range, and its gain over equilibrium play."""
    other = 1 - response.role
    share = f"{100 * response.given.fraction:.1f} %"
    screen.print(f"\n[bold]the {ROLES[other]} {ACTS[other]} {share} of hands[/bold]; best response:")
    titles = [
        f"[bold]{ROLES[other]} {ACTS[other]}[/bold]",
        f"[bold]{ROLES[response.role]} {ACTS[response.role]}[/bold]",
    ]
    print_beside(screen, titles, [Grid(response.given.grid()), Grid(class_averages(response.best))])
    own = f"[dim]{ROLES[response.role]} {ACTS[response.role]}[/dim] [bold]{100 * response.range.fraction:.1f} %[/bold]"
    screen.print(f"{own} of hands: {response.range.text()}", soft_wrap=True)
    screen.print(
        f"[dim]wins[/dim] [bold]{value_text(response.value)}[/bold] big blinds a hand, "
        f"[bold]{value_text(response.gain)}[/bold] more than in equilibrium",
        soft_wrap=True,
    )
    screen.print(f"[dim]the equilibrium strategy wins {value_text(response.keeping)} against it[/dim]", soft_wrap=True)
    screen.print(f"[dim]a percentage is the best hands {ORDER}[/dim]", soft_wrap=True)


def show_chart(screen: Any, result: PushFoldChart) -> None:
    """The largest stack of each hand for pusher and caller, and the hands with gaps."""
    chart = result.chart
    stakes = f"ante {float(result.ante):g}, small blind {float(result.small_blind):g}"
    screen.print(f"[bold]push or fold[/bold], the largest stack in big blinds for each hand; {stakes}")
    scale = Scale(0.0, float(chart.stacks[-1]))
    for role, title in ((PUSH, "pusher"), (CALL, "caller")):
        gaps = chart.with_gaps(role)
        cells = {hand: text + "*" * (hand in gaps) for hand, text in chart.cells(role).items()}
        screen.print(f"\n[bold]{title}[/bold] [dim]({ROLES[role]}; * marks gaps)[/dim]")
        texts = [cells[name] for name in CLASS_NAMES]
        largest = np.nan_to_num(chart.largest(role)).reshape(13, 13)
        screen.print(Grid(largest, scale, texts, max(5, 1 + max(map(len, texts))), ranks=True))
        for hand, spans in gaps.items():
            stacks = ", ".join(map(span_text, spans[:MOST_GAPS])) + (", ..." if len(spans) > MOST_GAPS else "")
            screen.print(f"[dim]*[/dim] {hand} at {stacks}", soft_wrap=True)
    low, high = float(chart.stacks[0]), float(chart.stacks[-1])
    screen.print(
        f"\n{len(chart.stacks)} linear programs, from {low:g} to {high:g} big blinds; a hand counts where it acts at "
        f"least half of the time; exploitability at most {chart.exploitabilities.max():.1g}",
        soft_wrap=True,
    )
    _show_published(screen, result)


def _show_published(screen: Any, result: PushFoldChart) -> None:
    if result.published is None:
        return
    cells = 2 * len(CLASS_NAMES)
    screen.print(
        f"{cells - len(result.published)} of {cells} cells agree with figure 6.1 of Schmid's thesis", style="dim"
    )
    for row in result.published:
        screen.print(
            f"[dim]{row.what}: printed {row.printed}, here {row.ours['ours']}; {row.note}[/dim]", soft_wrap=True
        )


def range_figure(result: HeadsUp) -> Figure:
    """Both ranges and, below them, the given ranges beside their best responses."""
    panels = chart_panels(result.strategy)
    for response in result.responses:
        other = 1 - response.role
        given = f"{ROLES[other]} {ACTS[other]} {100 * response.given.fraction:.1f} %, as given"
        best = f"{ROLES[response.role]} {ACTS[response.role]} {100 * response.range.fraction:.1f} %, the best response"
        panels.append(chart_panel(given, response.given.grid()))
        panels.append(chart_panel(f"{best},\nwins {value_text(response.value, 4)}", class_averages(response.best)))
    return Figure("ranges", result.form.name, tuple(panels), columns=2)


def stack_figure(result: PushFoldChart) -> Figure:
    """The largest stacks of a chart."""
    return chart_figure(result.chart)


def csv_rows(result: HeadsUp | PushFoldChart | TableSolution) -> list[dict[str, Any]]:
    """A row per hand, spans of stacks as text."""
    return [
        {
            name: ", ".join(span_text((low, high)) for low, high in value) if isinstance(value, list) else value
            for name, value in row.items()
        }
        for row in result.rows()
    ]


# ---- more players ----------------------------------------------------------------------------------------------------


FEW_PLAYERS = 3  # up to this number, every decision is shown as a grid
RARELY = 0.002  # rarer over-calls are left to CSV and JSON
COLUMNS = 3


def show_table(screen: Any, result: TableSolution, *, raiser: str | None = None) -> None:
    """Ranges, values and epsilon; with a raiser, grids of the calls against it."""
    stakes = result.stakes
    screen.print(f"[bold]push or fold[/bold] with {stakes.text()}", soft_wrap=True)
    shown = _shown(result, raiser)
    for first in range(0, len(shown), COLUMNS):
        row = shown[first : first + COLUMNS]
        screen.print()
        print_beside(screen, [f"[bold]{_title(one)}[/bold]" for one in row], [act_grid(one.pushes) for one in row])
    screen.print()
    left_out = 0
    for one in result.decisions:
        if len(one.against) > 2 or (len(one.against) == 2 and len(stakes.stacks) > FEW_PLAYERS and one.chance < RARELY):
            left_out += 1
            continue
        screen.print(
            f"[dim]{_title(one)}[/dim] [bold]{100 * one.share:.1f} %[/bold]: {one.range.text() or 'nothing'}",
            soft_wrap=True,
        )
    if left_out:
        screen.print(f"[dim]{left_out} rarer decisions are left out; --csv and --json have over-calls of two[/dim]")
    if len(stakes.stacks) > FEW_PLAYERS:
        _show_calls(screen, result)
    _show_values(screen, result)
    tail = (
        f"; four and more all-in {100 * result.multiway_chance:.2g} % of hands, sampled"
        if result.multiway_chance
        else ""
    )
    screen.print(
        f"[dim]\N{GREEK SMALL LETTER EPSILON}[/dim] [bold]{result.epsilon_percent:.2g} %[/bold] of "
        f"{'the prize pool' if stakes.payouts else 'all chips'} ({result.epsilon:.2g} {stakes.unit}), "
        f"[dim]the most that a best response of one seat wins "
        f"more; {result.solution.iterations} iterations of {result.algorithm}{tail}[/dim]",
        soft_wrap=True,
    )


def _show_values(screen: Any, result: TableSolution) -> None:
    headings = ("seat", "stack", f"before ({result.stakes.unit})", "after", "change", "gain by a best response")
    gains, rows = result.assessment.gains, []
    for place, seat in enumerate(result.stakes.seats):
        before, after = float(result.before[place]), float(result.values[place])
        stack = f"{float(result.stakes.stacks[place]):g}"
        change = value_text(after - before, 4)
        rows.append((seat, stack, f"{before:.4f}", f"{after:.4f}", change, f"{gains[place]:.2g}"))
    screen.print()
    screen.print(plain_table(headings, rows))


def _title(one: Decision) -> str:
    does = {"push": "pushes", "call": "calls", "over-call": "over-calls"}[one.kind]
    return f"{one.seat} {does} {' and '.join(one.against)}".strip()


def _shown(result: TableSolution, raiser: str | None) -> list[Decision]:
    """The decisions that have a grid: a raiser's push and the calls against it, all of few players, or all pushes."""
    if raiser is not None:
        pushes = [one for one in result.decisions if one.seat == raiser and not one.against]
        return [*pushes, *result.calls_of(raiser)]
    return [one for one in result.decisions if len(result.stakes.stacks) <= FEW_PLAYERS or not one.against]


def _show_calls(screen: Any, result: TableSolution) -> None:
    """How much each seat calls, by raiser."""
    seats = result.stakes.seats[result.stakes.folded :]
    shares = {(one.seat, *one.against): one.share for one in result.decisions if len(one.against) == 1}
    rows = [
        (seat, *(f"{100 * shares[seat, raiser]:.1f}" if (seat, raiser) in shares else "" for raiser in seats[:-1]))
        for seat in seats[1:]
    ]
    screen.print("\n[bold]calls[/bold] [dim]in percent of all hands, by who pushed[/dim]")
    screen.print(plain_table(("seat", *(f"v {raiser}" for raiser in seats[:-1])), rows))


def table_figure(result: TableSolution, *, raiser: str | None = None) -> Figure:
    """The grids of pushes and, for few players, of calls and over-calls; or of a raiser's push and the calls of it."""
    panels = [chart_panel(f"{_title(one)} {100 * one.share:.1f} %", one.pushes) for one in _shown(result, raiser)]
    return Figure("table", result.stakes.text(), tuple(panels), columns=min(COLUMNS, len(panels)))


# ---- roll-outs -------------------------------------------------------------------------------------------------------


MOST_ROWS = 40
SELDOM = 5e-4  # rarer decisions are left out


def _small_blind_text(value: float) -> str:
    verb = "loses" if value < 0 else "wins"
    return f"[dim]small blind {verb}[/dim] [bold]{value_text(abs(value))[1:]}[/bold] big blinds per hand"


def show_roll_out(screen: Any, result: RollOut, view: ClassView, *, with_ev: bool = False) -> None:
    """The value, every decision, and the hands at one of them."""
    screen.print(f"[bold]{escape(result.solution.game)}[/bold]", soft_wrap=True)
    screen.print(_small_blind_text(result.value))
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{result.exploitability:.2g}[/bold] big blinds, "
        f"[dim]over all hands; {escape(short_spec(result.solution.algorithm))}[/dim]",
        soft_wrap=True,
    )
    rows = result.rows()
    often = [row for row in rows if row["share"] >= SELDOM]
    lines = []
    for row in often[:MOST_ROWS]:
        actions = ", ".join(f"{word} {100 * share:.1f} %" for word, share in row["frequencies"].items())
        path = " · ".join(row["betting"]) or "start"
        lines.append((escape(path), row["seat"], f"{100 * row['share']:.1f} %", escape(actions)))
    screen.print()
    headings = ("betting", "to act", "reached", "actions")
    screen.print(plain_table(headings, lines, left=("betting", "to act", "actions")))
    if len(rows) > len(often[:MOST_ROWS]):
        left = len(rows) - len(often[:MOST_ROWS])
        screen.print(f"[dim]{left} more decisions are rarely or never reached; --json and --csv have all[/dim]")
    _show_hands(screen, result, view, with_ev=with_ev)


def _show_hands(screen: Any, result: RollOut, view: ClassView, *, with_ev: bool) -> None:
    assert view.player is not None
    words, grid = result.words(view), strategy_grid(result, view)
    screen.print(f"\n[bold]{view.seats[view.player]}[/bold] {_after(view)}")
    screen.print(grid)
    if grid.key(screen):
        screen.print(f"[dim]{grid.key(screen)}[/dim]", soft_wrap=True)
    screen.print("   ".join(f"{grid.mark(screen, place)} {word}" for place, word in enumerate(words)), soft_wrap=True)
    if not view.likelihood(view.player).any():
        screen.print("[dim]never reached in equilibrium, so that hands have no EV[/dim]")
    elif with_ev:
        rows = result.hands(view)
        for word in words:
            numbers = ev_grid(np.array([row["action_ev"][word] for row in rows]))
            screen.print(f"\nEV of each hand by {word}, in big blinds")
            screen.print(numbers)


def strategy_grid(result: RollOut, view: ClassView) -> MixGrid:
    """The strategy of each class at a decision, without the classes that never reach it while others do."""
    rows = result.hands(view)
    shares = np.array([list(row["strategy"].values()) for row in rows])
    likely = np.array([row["likelihood"] for row in rows])
    if likely.any():
        shares[likely == 0] = 0.0
    return MixGrid(shares.reshape(13, 13, -1), action_colours([word.split()[0] for word in result.words(view)]))


def roll_out_figure(result: RollOut, view: ClassView) -> Figure:
    """The hands at a decision, a grid per action."""
    rows = result.hands(view)
    panels = [
        chart_panel(f"{_after(view)}: {word}, {100 * share:.1f} %", np.array([row["strategy"][word] for row in rows]))
        for word, share in zip(result.words(view), view.strategy().values(), strict=True)
    ]
    return Figure("roll-out", result.solution.game, tuple(panels), columns=2)


def csv_columns(result: RollOut) -> Columns:
    """Every class at every decision, a row per action."""
    headings = ("moves", "betting", "seat", "hand", "likelihood", "action", "probability", "ev")
    return dict(zip(headings, zip(*_table_rows(result), strict=True), strict=True))


def _table_rows(result: RollOut) -> Any:
    for path, view in result.places():
        assert view.player is not None
        node = " ".join(view.moves), " · ".join(path), view.seats[view.player]
        for row in result.hands(view):
            for word, share in row["strategy"].items():
                ev = row["action_ev"][word]
                yield *node, row["hand"], row["likelihood"], word, share, None if np.isnan(ev) else ev


def _after(view: ClassView) -> str:
    return f"after {' '.join(view.moves)}" if view.moves else "at the start"
