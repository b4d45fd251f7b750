"""`pokerlab rollout`: hold'em before the flop with roll-outs, solved exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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


def command(
    menu: Annotated[
        str | None,
        typer.Option(
            "--menu",
            help='No limit, with these raises: "2.5x,3x,allin"; without it, fixed limit.',
            show_default=False,
        ),
    ] = None,
    raises: Annotated[
        int | None,
        typer.Option(
            "--raises", min=0, max=100, help="The most raises besides the blind; 3 in limit.", show_default=False
        ),
    ] = None,
    stack: Annotated[
        str | None, typer.Option("--stack", help="With --menu: the stack in big blinds; 20.", show_default=False)
    ] = None,
    ante: Annotated[
        str | None,
        typer.Option("--ante", help="With --menu: what each puts in besides the blinds.", show_default=False),
    ] = None,
    small_blind: Annotated[
        str, typer.Option("--small-blind", help="The small blind, of a big blind: 0.5, 1/3.")
    ] = "1/2",
    at: Annotated[str, typer.Option("--at", help='The decision to show hand by hand: "c", "r250 r625".')] = "",
    algorithm: Annotated[
        str,
        typer.Option(
            "--with",
            help='The algorithm: "lp" is exact; "dcfr", "cfr+", "fictitious-play" come near.',
            autocompletion=algorithm_names,
        ),
    ] = "lp",
    target: Annotated[
        float,
        typer.Option("--target", min=0, help="The exploitability to come to, in big blinds, where it is not exact."),
    ] = 1e-4,
    with_ev: Annotated[bool, typer.Option("--ev", help="Show the EV of every hand by every action too.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the solution, for browse and match.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw the grid into this PNG, SVG or PDF file.", show_default=False)
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write every hand at every decision to this file.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve hold'em before the flop with roll-outs: any cap on raises or menu of them, exactly, over all hands.

    Once nobody raises any more the board comes without betting: a pot is worth its equity.

    [dim]pokerlab rollout
    pokerlab rollout --raises 5 --at "r r"
    pokerlab rollout --menu "2.5x,allin" --stack 15 --at c --ev[/dim]
    """
    from pokerlab.display.preflop.rollout import draw_roll_out, show_roll_out, write_table
    from pokerlab.display.solve.convergence import check_picture
    from pokerlab.errors import BadSetting
    from pokerlab.lab.rollout import limit_game, menu_game, roll_out

    if picture is not None:
        check_picture(picture)
        check_writable(picture, "draw a picture")
    for path in (csv, out):
        if path is not None:
            check_table(path, "write a table") if path is csv else check_writable(path, "keep a solution")
    if menu is None and (stack or ante):
        raise BadSetting("a stack and an ante are for a menu of raises: name it with --menu, or leave them out")
    if menu is None:
        game = limit_game(raises=3 if raises is None else raises, small_blind=small_blind)
    else:
        game = menu_game(menu, stack=stack or "20", ante=ante or "0", small_blind=small_blind, raises=raises)
    with announcing_compilation():
        found = roll_out(game, algorithm=algorithm, target=target)
    view = found.strategy.at(*at.split())
    told = found.as_dict(view)  # complains where nobody decides
    if out is not None:
        found.solution.save(out)
    if csv is not None:
        write_table(found, csv)
    if picture is not None:
        draw_roll_out(found, view, picture)
    if as_json:
        paths = {"out": out, "picture": picture, "csv": csv}
        print_json(told | {name: path and str(path) for name, path in paths.items()})
        return
    show_roll_out(console(), found, view, with_ev=with_ev)
    for path in (out, picture, csv):
        if path is not None:
            error_console().print(f"[dim]wrote {literal(path)}[/dim]")
