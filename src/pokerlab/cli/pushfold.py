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
    from pokerlab.lab.push_fold_table import TableSolution

_RANGE_HELP = 'A range "22+,A2+", or "20%" for the best hands by equity against a random hand.'


def command(
    stack: Annotated[
        str | None, typer.Option("--stack", help="The stack of both in big blinds; 10 unless told.", show_default=False)
    ] = None,
    stacks: Annotated[
        str | None,
        typer.Option(
            "--stacks",
            help="The stacks in the order of acting, the big blind's last: 8,20, or of 3 to 9 players: 12,8,20.",
            show_default=False,
        ),
    ] = None,
    payouts: Annotated[
        str | None,
        typer.Option("--payouts", help="Play for prizes, from the first place down: 50,30,20.", show_default=False),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--position", help="The seat to act, all before it having folded: CO, BU, SB.", show_default=False
        ),
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
        str | None,
        typer.Option(
            "--with",
            help='The algorithm: "lp" is exact, heads-up; heads-up also "cfr", "cfr+", "dcfr"; of '
            'more players "fictitious-play" or "regret-matching+".',
            autocompletion=algorithm_names,
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            min=0,
            help="The exploitability to come to where it is not exact: in big blinds, 0.0001 unless told; of more "
            "players or for prizes in percent of the prize pool.",
            show_default=False,
        ),
    ] = None,
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
    """Solve push or fold: heads-up exactly, with charts and answers to ranges; 3 to 9 players for chips or prizes.

    Heads-up the small blind pushes or folds, the big blind calls or folds. All 1,326 hands count, with the cards that
    they take from each other. EV is in big blinds, counted from the stack before blinds and antes. With more players,
    or with prizes, every seat's pushes, calls and over-calls are found, and how far they are from equilibrium.

    [dim]pokerlab pushfold --stack 10
    pokerlab pushfold --stacks 8,20 --ante 0.1 --ev
    pokerlab pushfold --stack 12 --call 20%
    pokerlab pushfold --chart 20 --picture chart.png
    pokerlab pushfold --stacks 12,8,20 --payouts 50,30,20[/dim]
    """
    from pokerlab.display.solve.convergence import check_picture

    if picture is not None:
        check_picture(picture)
        check_writable(picture, "draw a picture")
    if csv is not None:
        check_table(csv, "write a table")
    given = {"--stack": stack, "--stacks": stacks, "--call": call, "--push": push, "--ev": with_ev or None}
    given |= {"--payouts": payouts, "--position": position}
    amounts = {"ante": ante, "small_blind": small_blind}
    found: HeadsUp | PushFoldChart | TableSolution
    with announcing_compilation():
        if chart is not None:
            found = _charted(chart, given, algorithm, amounts | {"step": step})
        elif payouts is not None or position is not None or (stacks or "").count(",") > 1:
            found = _table(given, algorithm, target, amounts)
        else:
            table = {"stack": stack, "stacks": stacks} | amounts
            chosen = {"algorithm": algorithm or "lp", "target": 1e-4 if target is None else target}
            found = _solved(table, chosen | {"push": push, "call": call})
    _tell(found, picture=picture, csv=csv, as_json=as_json, with_ev=with_ev)


def _tell(
    found: HeadsUp | PushFoldChart | TableSolution,
    *,
    picture: Path | None,
    csv: Path | None,
    as_json: bool,
    with_ev: bool,
) -> None:
    from pokerlab.display.preflop import push_fold, push_fold_table
    from pokerlab.lab.push_fold import HeadsUp
    from pokerlab.lab.push_fold_chart import PushFoldChart

    if csv is not None:
        push_fold.write_table(found, csv)
    if picture is not None:
        if isinstance(found, PushFoldChart):
            push_fold.draw_chart(found, picture)
        elif isinstance(found, HeadsUp):
            push_fold.draw_push_fold(found, picture)
        else:
            push_fold_table.draw_table(found, picture)
    if as_json:
        paths = {"picture": picture, "csv": csv}
        print_json(found.as_dict() | {name: path and str(path) for name, path in paths.items()})
        return
    screen = console()
    if isinstance(found, PushFoldChart):
        push_fold.show_chart(screen, found)
    elif isinstance(found, HeadsUp):
        push_fold.show_push_fold(screen, found, with_ev=with_ev)
    else:
        push_fold_table.show_table(screen, found)
    for path in (picture, csv):
        if path is not None:
            error_console().print(f"[dim]wrote {literal(path)}[/dim]")


def _solved(table: dict[str, Any], settings: dict[str, Any]) -> HeadsUp:
    from pokerlab.lab.push_fold import push_fold, stakes

    return push_fold(stakes(**table), **settings)


def _table(
    given: dict[str, Any], algorithm: str | None, target: float | None, amounts: dict[str, str]
) -> TableSolution:
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.errors import BadSetting
    from pokerlab.lab.push_fold_table import default_target, push_fold_table, table_stakes

    other = [name for name in ("--stack", "--call", "--push", "--ev") if given[name] is not None]
    if other:
        raise BadSetting(f"with more players or prizes name --stacks, and leave out {' and '.join(other)}")
    if given["--stacks"] is None:
        raise BadSetting("with prizes or a position the stacks of all players are needed: --stacks 12,8,20")
    stakes = table_stakes(given["--stacks"], payouts=given["--payouts"], position=given["--position"], **amounts)
    wanted = default_target(stakes) if target is None else target
    with ProgressBar(after=SOON) as bar:
        return push_fold_table(stakes, algorithm=algorithm or "fictitious-play", target=wanted, on_progress=bar)


def _charted(most: str, given: dict[str, Any], algorithm: str | None, settings: dict[str, Any]) -> PushFoldChart:
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.errors import BadSetting
    from pokerlab.lab.push_fold_chart import push_fold_chart

    other = [name for name, value in given.items() if value is not None]
    if other:
        raise BadSetting(f"a chart is of every stack and of the equilibrium alone: leave out {' and '.join(other)}")
    if algorithm not in (None, "lp"):
        raise BadSetting("a chart is solved by linear programs: leave out --with")
    with ProgressBar(after=SOON) as bar:
        return push_fold_chart(most, on_progress=bar, **settings)
