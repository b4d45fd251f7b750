"""`pokerlab pushfold`: push or fold before the flop, solved exactly; charts over stacks; answers to ranges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._completion import algorithm_names
from pokerlab.cli._output import (
    Json,
    announcing_compilation,
    check_table,
    check_writable,
    console,
    error_console,
    literal,
    print_json,
)

if TYPE_CHECKING:
    from pokerlab.lab.push_fold import HeadsUp
    from pokerlab.lab.push_fold_chart import PushFoldChart

_RANGE_HELP = 'A range "22+,A2+", or "20%" for the best hands by equity against a random hand.'


def command(
    stack: Annotated[
        str | None, typer.Option("--stack", help="The stack of both in big blinds; 10 unless told.", show_default=False)
    ] = None,
    stacks: Annotated[
        str | None,
        typer.Option("--stacks", help="The small blind's and the big blind's stack: 8,20.", show_default=False),
    ] = None,
    ante: Annotated[str, typer.Option("--ante", help="What each puts in besides the blinds: 0.1 or 1/8.")] = "0",
    small_blind: Annotated[
        str, typer.Option("--small-blind", help="The small blind, of a big blind: 0.5, 1/3.")
    ] = "1/2",
    chart: Annotated[
        str | None,
        typer.Option(
            "--chart", help="The largest stack for each hand, by every stack from 1 to this.", show_default=False
        ),
    ] = None,
    step: Annotated[str, typer.Option("--step", help="How far apart the stacks of a chart are.")] = "0.1",
    call: Annotated[
        str | None,
        typer.Option(
            "--call", help=f"The best pushes against a big blind that calls this. {_RANGE_HELP}", show_default=False
        ),
    ] = None,
    push: Annotated[
        str | None,
        typer.Option("--push", help="The best calls against a small blind that pushes this.", show_default=False),
    ] = None,
    algorithm: Annotated[
        str,
        typer.Option(
            "--with",
            help='The algorithm: "lp" is exact; "fictitious-play", "cfr", "cfr+", "dcfr" come near.',
            autocompletion=algorithm_names,
        ),
    ] = "lp",
    target: Annotated[
        float,
        typer.Option("--target", min=0, help="The exploitability to come to, in big blinds, where it is not exact."),
    ] = 1e-4,
    with_ev: Annotated[bool, typer.Option("--ev", help="Show the EV of every hand too.")] = False,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Draw the grids into this PNG, SVG or PDF file.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a row for each hand to this file.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve heads-up push or fold exactly: both ranges, EV of every hand, charts over stacks, answers to any range.

    The small blind pushes or folds, the big blind calls or folds. All 1,326 hands count, with the cards that they take
    from each other. EV is in big blinds, counted from the stack before blinds and antes.

    [dim]pokerlab pushfold --stack 10
    pokerlab pushfold --stacks 8,20 --ante 0.1 --ev
    pokerlab pushfold --stack 12 --call 20%
    pokerlab pushfold --chart 20 --picture chart.png[/dim]
    """
    from pokerlab.report.convergence import check_picture
    from pokerlab.report.push_fold import draw_chart, draw_push_fold, show_chart, show_push_fold, write_table

    if picture is not None:
        check_picture(picture)
        check_writable(picture, "draw a picture")
    if csv is not None:
        check_table(csv, "write a table")
    found: HeadsUp | PushFoldChart
    with announcing_compilation():
        if chart is not None:
            given = {"--stack": stack, "--stacks": stacks, "--call": call, "--push": push, "--ev": with_ev or None}
            found = _charted(chart, given, algorithm, {"ante": ante, "small_blind": small_blind, "step": step})
        else:
            table = {"stack": stack, "stacks": stacks, "ante": ante, "small_blind": small_blind}
            found = _solved(table, {"algorithm": algorithm, "target": target, "push": push, "call": call})
    if csv is not None:
        write_table(found, csv)
    if picture is not None:
        draw_chart(found, picture) if chart is not None else draw_push_fold(found, picture)  # type: ignore[arg-type]
    if as_json:
        paths = {"picture": picture, "csv": csv}
        print_json(found.as_dict() | {name: path and str(path) for name, path in paths.items()})
        return
    screen = console()
    show_chart(screen, found) if chart is not None else show_push_fold(screen, found, with_ev=with_ev)  # type: ignore[arg-type]
    for path in (picture, csv):
        if path is not None:
            error_console().print(f"[dim]wrote {literal(path)}[/dim]")


def _solved(table: dict[str, Any], settings: dict[str, Any]) -> HeadsUp:
    from pokerlab.lab.push_fold import push_fold, stakes

    return push_fold(stakes(**table), **settings)


def _charted(most: str, given: dict[str, Any], algorithm: str, settings: dict[str, Any]) -> PushFoldChart:
    from pokerlab.cli._progress import SOON, counted_bar
    from pokerlab.errors import BadSetting
    from pokerlab.lab.push_fold_chart import push_fold_chart

    other = [name for name, value in given.items() if value is not None]
    if other:
        raise BadSetting(f"a chart is of every stack and of the equilibrium alone: leave out {' and '.join(other)}")
    if algorithm != "lp":
        raise BadSetting("a chart is solved by linear programs: leave out --with")
    what = "solving"
    with counted_bar(what, after=SOON) as bar:
        return push_fold_chart(most, on_progress=lambda done, total: bar(what, done, total), **settings)
