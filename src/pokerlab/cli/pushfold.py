"""`pokerlab pushfold`: push or fold before the flop, solved exactly; charts over stacks; best responses to ranges."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pokerlab.cli._options import (
    Algorithm,
    Ante,
    BigBlindAnte,
    Csv,
    Out,
    Plot,
    SmallBlind,
    WithEv,
    option,
    target_option,
)
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results

_RANGE_HELP = 'this range: "22+,A2+", or "20%" for the top 20 % of hands'


def command(
    stack: Annotated[str | None, option("Stack of both players, in big blinds.", default="10")] = None,
    stacks: Annotated[
        str | None,
        option("Stacks in big blinds, in the order of acting, big blind last: 8,20 or, for 3 to 9 players, 12,8,20."),
    ] = None,
    payouts: Annotated[str | None, option("Play for prizes, first place first: 50,30,20.")] = None,
    position: Annotated[str | None, option("Seat to act, after everyone before it has folded: CO, BU, SB.")] = None,
    against: Annotated[
        str | None, option("3 or more players: calls against a push from this seat: CO, BU, SB.")
    ] = None,
    ante: Ante = "0",
    big_blind_ante: BigBlindAnte = "0",
    small_blind: SmallBlind = "1/2",
    chart: Annotated[
        str | None, option("Largest stack for each hand, over all stacks from 1 to this many big blinds.")
    ] = None,
    step: Annotated[str, option("Distance between the stacks of a chart, in big blinds.")] = "0.1",
    call: Annotated[str | None, option(f"Best pushes against a big blind that calls {_RANGE_HELP}.")] = None,
    push: Annotated[str | None, option("Best calls against a small blind that pushes this range.")] = None,
    algorithm: Algorithm = None,
    target: Annotated[
        float | None,
        target_option("for approximate solvers: in big blinds, or for prizes in percent of the pool", least=0),
    ] = None,
    with_ev: WithEv = False,
    picture: Plot = None,
    csv: Csv = None,
    out: Out = None,
) -> None:
    """Solve push or fold: heads-up exactly, with charts and best responses; 3 to 9 players for chips or prizes.

    Heads-up, the small blind pushes or folds and the big blind calls or folds. All 1,326 hands count, with card
    removal. EV is in big blinds, relative to the stack before blinds and antes. With more players or prizes, finds the
    pushes, calls and over-calls of every seat, mixed only where they have to be, and their distance from equilibrium
    (epsilon). Algorithms: "lp" is exact
    (heads-up); heads-up also "cfr", "cfr+" and "dcfr", and with more players "fictitious-play" and "regret-matching+".
    --out saves the solution for show, browse, verify, review, solve --resume and strategy:FILE.
    `solve "push-fold(stack=10)"` solves the same game as any other, with its algorithms and limits; pushfold adds
    charts over stacks, best responses to ranges, and EV.

    pokerlab pushfold --stack 10
    pokerlab pushfold --stacks 8,20 --ante 0.1 --ev
    pokerlab pushfold --stack 12 --call 20%
    pokerlab pushfold --chart 20 --plot chart.png
    pokerlab pushfold --stacks 12,8,20 --payouts 50,30,20 --out table.solution
    pokerlab pushfold --stacks 20,20,20,20,20,20 --big-blind-ante 1 --against CO
    """
    from pokerlab.cli._progress import SOON, ProgressBar
    from pokerlab.display.preflop import push_fold as display
    from pokerlab.errors import BadSetting
    from pokerlab.lab.preflop.push_fold import push_fold, stakes
    from pokerlab.lab.preflop.push_fold_chart import push_fold_chart
    from pokerlab.lab.preflop.push_fold_table import push_fold_table, table_stakes

    check_outputs(csv=csv, picture=picture, out=out)
    given = {"--stack": stack, "--stacks": stacks, "--call": call, "--push": push, "--ev": with_ev or None}
    given |= {"--payouts": payouts, "--position": position, "--against": against}
    named = [name for name, value in given.items() if value is not None]
    blinds: dict[str, Any] = {"ante": ante or "0", "small_blind": small_blind, "big_blind_ante": big_blind_ante}
    result: Any
    show: Any
    figure: Any
    with announcing_compilation(), ProgressBar(after=SOON) as bar:
        if chart is not None:
            if out is not None:
                raise BadSetting("a chart covers many games, and --out saves one: leave out --out, or name --stack")
            if named:
                raise BadSetting(f"--chart shows the equilibrium at every stack: leave out {' and '.join(named)}")
            if algorithm not in (None, "lp"):
                raise BadSetting("a chart is solved by linear programs: leave out --with")
            result = push_fold_chart(chart, step=step, **blinds, on_progress=bar)
            show, figure = display.show_chart, display.stack_figure
        elif payouts is not None or position is not None or against is not None or (stacks or "").count(",") > 1:
            other = [name for name in named if name not in ("--stacks", "--payouts", "--position", "--against")]
            if other:
                raise BadSetting(f"with more players or prizes name --stacks, and leave out {' and '.join(other)}")
            if stacks is None:
                raise BadSetting("prizes, --position and --against need the stacks of all players: --stacks 12,8,20")
            table = table_stakes(stacks, payouts=payouts, position=position, **blinds)
            raiser = None if against is None else table.opener(against)
            method = algorithm or "fictitious-play"
            result = push_fold_table(table, algorithm=method, target=target, on_progress=bar, save=out)
            show, figure = (partial(one, raiser=raiser) for one in (display.show_table, display.table_figure))
        else:
            game = stakes(stack=stack, stacks=stacks, **blinds)
            accuracy = 1e-4 if target is None else target
            result = push_fold(game, algorithm=algorithm or "lp", target=accuracy, push=push, call=call, save=out)
            show, figure = partial(display.show_push_fold, with_ev=with_ev), display.range_figure
    write_results(
        result.as_dict,
        lambda screen: show(screen, result),
        picture=(picture, lambda _: figure(result)),
        csv=(csv, lambda _: display.csv_rows(result)),
        out=(out, None),
    )
