"""`pokerlab pushfold`: push or fold before the flop, solved exactly; charts over stacks; best responses to ranges."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from pokerlab.cli._options import Algorithm, Ante, Csv, Json, Plot, SmallBlind, WithEv, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results

if TYPE_CHECKING:
    from pokerlab.lab.preflop.push_fold import HeadsUp
    from pokerlab.lab.preflop.push_fold_chart import PushFoldChart
    from pokerlab.lab.preflop.push_fold_table import TableSolution

_RANGE_HELP = 'a range "22+,A2+", or "20%" for the best hands by equity against a random hand'


def command(
    stack: Annotated[str | None, Option(help="Stack of both players, in big blinds.", show_default="10")] = None,
    stacks: Annotated[
        str | None, Option(help="Stacks in the order of acting, big blind last: 8,20, or for 3 to 9 players: 12,8,20.")
    ] = None,
    payouts: Annotated[str | None, Option(help="Play for prizes, first place first: 50,30,20.")] = None,
    position: Annotated[
        str | None, Option(help="Seat to act, after everyone before it has folded: CO, BU, SB.")
    ] = None,
    ante: Ante = "0",
    small_blind: SmallBlind = "1/2",
    chart: Annotated[
        str | None, Option(help="Largest stack for each hand, over all stacks from 1 to this one.")
    ] = None,
    step: Annotated[str, Option(help="Distance between the stacks of a chart.")] = "0.1",
    call: Annotated[str | None, Option(help=f"Best pushes against a big blind that calls {_RANGE_HELP}.")] = None,
    push: Annotated[str | None, Option(help="Best calls against a small blind that pushes this range.")] = None,
    algorithm: Algorithm = None,
    target: Annotated[
        float | None,
        target_option(
            "if approximate: in big blinds (0.0001); with more players or prizes, in percent of the prize pool", least=0
        ),
    ] = None,
    with_ev: WithEv = False,
    picture: Plot = None,
    csv: Csv = None,
    as_json: Json = False,
) -> None:
    """Solve push or fold: heads-up exactly, with charts and best responses; 3 to 9 players for chips or prizes.

    Heads-up, the small blind pushes or folds and the big blind calls or folds. All 1,326 hands count, with card
    removal. EV is in big blinds, relative to the stack before blinds and antes. With more players or prizes, finds the
    pushes, calls and over-calls of every seat, and their distance from equilibrium. Algorithms: "lp" is exact
    (heads-up); heads-up also "cfr", "cfr+" and "dcfr", and with more players "fictitious-play" and "regret-matching+".

    [dim]pokerlab pushfold --stack 10
    pokerlab pushfold --stacks 8,20 --ante 0.1 --ev
    pokerlab pushfold --stack 12 --call 20%
    pokerlab pushfold --chart 20 --picture chart.png
    pokerlab pushfold --stacks 12,8,20 --payouts 50,30,20[/dim]
    """
    check_outputs(csv=csv, picture=picture)
    given = {"--stack": stack, "--stacks": stacks, "--call": call, "--push": push, "--ev": with_ev or None}
    given |= {"--payouts": payouts, "--position": position}
    amounts = {"ante": ante or "0", "small_blind": small_blind}
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
    _show(found, picture=picture, csv=csv, as_json=as_json, with_ev=with_ev)


def _show(
    found: HeadsUp | PushFoldChart | TableSolution,
    *,
    picture: Path | None,
    csv: Path | None,
    as_json: bool,
    with_ev: bool,
) -> None:
    from pokerlab.display.preflop import push_fold, push_fold_table
    from pokerlab.lab.preflop.push_fold import HeadsUp
    from pokerlab.lab.preflop.push_fold_chart import PushFoldChart

    show: Any = push_fold_table.show_table
    figure: Any = push_fold_table.table_figure
    if isinstance(found, PushFoldChart):
        show, figure = push_fold.show_chart, push_fold.stack_figure
    elif isinstance(found, HeadsUp):
        show, figure = partial(push_fold.show_push_fold, with_ev=with_ev), push_fold.range_figure
    write_results(
        found.as_dict,
        lambda screen: show(screen, found),
        as_json=as_json,
        picture=(picture, lambda _: figure(found)),
        csv=(csv, lambda _: push_fold.csv_rows(found)),
    )


def _solved(table: dict[str, Any], settings: dict[str, Any]) -> HeadsUp:
    from pokerlab.lab.preflop.push_fold import push_fold, stakes

    return push_fold(stakes(**table), **settings)


def _table(
    given: dict[str, Any], algorithm: str | None, target: float | None, amounts: dict[str, str]
) -> TableSolution:
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.errors import BadSetting
    from pokerlab.lab.preflop.push_fold_table import default_target, push_fold_table, table_stakes

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
    from pokerlab.lab.preflop.push_fold_chart import push_fold_chart

    other = [name for name, value in given.items() if value is not None]
    if other:
        raise BadSetting(f"a chart is of every stack and of the equilibrium alone: leave out {' and '.join(other)}")
    if algorithm not in (None, "lp"):
        raise BadSetting("a chart is solved by linear programs: leave out --with")
    with ProgressBar(after=SOON) as bar:
        return push_fold_chart(most, on_progress=bar, **settings)
