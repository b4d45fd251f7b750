"""`pokerlab rollout`: hold'em before the flop with roll-outs, solved exactly."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli import _options as options
from pokerlab.cli._options import option, target_option
from pokerlab.cli._output import announcing_compilation, check_outputs, write_results


def command(
    menu: options.Menu = None,
    raises: Annotated[
        int | None,
        option("Allow at most this many raises, not counting the blind.", min=0, max=100, default="3 in limit"),
    ] = None,
    stack: options.Stack = None,
    ante: options.Ante = None,
    small_blind: options.SmallBlind = "1/2",
    at: Annotated[str, option('Decision to show hand by hand: "c", "r250 r625".')] = "",
    algorithm: options.Algorithm = "lp",
    target: Annotated[float, target_option("in big blinds, for approximate solvers", least=0)] = 1e-4,
    with_ev: options.WithEv = False,
    out: options.Out = None,
    picture: options.Plot = None,
    csv: options.Csv = None,
) -> None:
    """Solve hold'em before the flop with roll-outs: any raise cap or bet menu, exactly, over all hands.

    After the last raise the board is dealt without betting, so a pot is worth its equity. Without --menu the game is
    fixed limit; with it no limit, and --stack (default 20) and --ante are in big blinds. The default algorithm, lp, is
    exact.

    pokerlab rollout
    pokerlab rollout --raises 5 --at "r r"
    pokerlab rollout --menu "2.5x,allin" --stack 15 --at c --ev
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.preflop.push_fold import csv_columns, roll_out_figure, show_roll_out
    from pokerlab.errors import BadSetting
    from pokerlab.lab.preflop.rollout import limit_game, menu_game, roll_out

    check_outputs(out=out, csv=csv, picture=picture)
    if menu is None and (stack or ante):
        raise BadSetting("--stack and --ante need a menu of raises: add --menu, or leave them out")
    if menu is None:
        game = limit_game(raises=3 if raises is None else raises, small_blind=small_blind)
    else:
        game = menu_game(menu, stack=stack or "20", ante=ante or "0", small_blind=small_blind, raises=raises)
    with announcing_compilation(), ProgressBar(f"rolling out {game}"):
        result = roll_out(game, algorithm=algorithm or "lp", target=target)
    view = result.strategy.at(*at.split())
    write_results(
        result.as_dict(view),  # fails if nobody acts there
        lambda screen: show_roll_out(screen, result, view, with_ev=with_ev),
        out=(out, lambda _: result.solution),
        picture=(picture, lambda _: roll_out_figure(result, view)),
        csv=(csv, lambda _: csv_columns(result)),
    )
