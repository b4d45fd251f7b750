"""`pokerlab spot`: an equilibrium of a postflop spot between two ranges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, error_console, print_json

if TYPE_CHECKING:
    from pokerlab.strategy.spot_solution import SpotSolution


def command(
    file: Annotated[
        Path | None, typer.Argument(help="The spot, a TOML file; or use the options below.", show_default=False)
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Stop at this exploitability, in percent of the pot: 0.3%.")
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", help="Stop after so many iterations.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after so long.")] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Share the boards among threads.")] = 1,
    storage: Annotated[str, typer.Option("--storage", help="float32, or int16 at half the memory.")] = "float32",
    algorithm: Annotated[str | None, typer.Option("--with", help='A schedule: "dcfr(gamma=4)", "cfr+" ...')] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep the solution in this file.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on from this file.")] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            "--lock",
            help='Fix a strategy and solve the rest: "check, bet 50: fold 50%, call 50% with 22-99". May be repeated.',
            show_default=False,
        ),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Solve without the locks too, and say what they cost each player.")
    ] = False,
    forecast_only: Annotated[bool, typer.Option("--forecast", help="Only say how large it is.")] = False,
    board: Annotated[str | None, typer.Option("--board", help='Instead of a file: the board, "Ks7h2d".')] = None,
    pot: Annotated[float, typer.Option("--pot", help="Chips in the pot.")] = 100,
    stack: Annotated[float, typer.Option("--stack", help="Chips that each player has left.")] = 300,
    oop: Annotated[str, typer.Option("--oop", help="The range out of position.")] = "random",
    ip: Annotated[str, typer.Option("--ip", help="The range in position.")] = "random",
    bet: Annotated[str, typer.Option("--bet", help="Bet sizes of both players.")] = "50%,100%",
    raises: Annotated[str, typer.Option("--raise", help="Raise sizes of both players.")] = "100%,allin",
    as_json: Json = False,
) -> None:
    """Solve a spot: a board, a pot, two ranges and a bet menu, to a measured distance from equilibrium.

    First a forecast, refused when it does not fit; then a bar with exploitability in percent of the pot; then what the
    first player does. Ctrl-C keeps what is solved.

    [dim]pokerlab spot examples/river.toml --target 0.1%
    pokerlab spot --board Ks7h2d5c9s --oop random --ip "22+,A2s+" --json
    pokerlab spot examples/river.toml --lock "check: check" --cost
    pokerlab spot examples/turn.toml --threads 2 --out turn.spot[/dim]
    """
    from pokerlab.cli._spots import read_percent
    from pokerlab.errors import BadSetting

    percent = read_percent(target)
    if sum(given is not None for given in (file, board, resume)) != 1:
        raise BadSetting("name a spot: a TOML file, or --board with --pot, --stack, --oop and --ip, or --resume")
    if out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise BadSetting(f"cannot keep a solution in {str(out)[:80]!r}: it is not a file in a folder that exists")
    if resume is not None and (lock or cost):
        raise BadSetting("a kept solution has the locks it was solved with: give --lock and --cost with a spot")
    limits = {"target_percent": percent, "iterations": iterations, "seconds": seconds}
    free = None
    with announcing_compilation():
        if resume is not None:
            solution = _resumed(resume, limits, threads, out, as_json)
        else:
            settings: Any = file
            if board is not None:
                menu = {"bet": bet, "raise": raises}
                settings = {"board": board, "pot": pot, "stack": stack}
                settings |= {"out_of_position": {"range": oop} | menu, "in_position": {"range": ip} | menu}
            options: dict[str, Any] = {"limits": limits, "algorithm": algorithm, "threads": threads, "storage": storage}
            found = _solved(
                settings, lock or [], **options, out=out, forecast_only=forecast_only, cost=cost, quiet=as_json
            )
            if found is None:
                return
            solution = found
            if cost:
                free = _without_locks(solution, **options, quiet=as_json)
    if as_json:
        told: dict[str, Any] = {"locks": len(solution.locks), "out": out and str(out)}
        if free is not None:
            told |= {"ev_without_locks": list(free.values), "cost_of_locks": _cost(solution, free)}
        print_json(solution.summary() | told)
        return
    _show(solution, out or resume, free)


def _solved(
    settings: Any,
    lock_texts: list[str],
    *,
    limits: dict[str, Any],
    algorithm: str | None,
    threads: int,
    storage: str,
    out: Path | None,
    forecast_only: bool,
    cost: bool,
    quiet: bool,
) -> SpotSolution | None:
    from dataclasses import asdict

    from pokerlab.cli._solving import duration, progress_bar
    from pokerlab.errors import BadSetting
    from pokerlab.solve.public import STORAGE
    from pokerlab.strategy import spot_solution as spots
    from pokerlab.strategy.spot_lock import lock_from_text
    from pokerlab.tree.spot_forecast import forecast

    if storage not in STORAGE:
        raise BadSetting(f"numbers are stored as {' or '.join(STORAGE)}, not {storage[:40]!r}")
    spot, locks = spots.open_spot(settings)
    locks = (*locks, *map(lock_from_text, lock_texts))
    if cost and not locks:
        raise BadSetting('--cost is the cost of locks, and there are none: add --lock "check: check" or [[lock]]')
    percent = limits["target_percent"] or spots.DEFAULT_TARGET_PERCENT
    size = forecast(spot, storage=storage, threads=threads, target_percent=percent)
    if forecast_only and quiet:
        print_json(asdict(size))
        return None
    note = console() if forecast_only else error_console()
    if not quiet:
        note.print(f"[dim]{size.text()} to {percent:g} %, about {duration(size.seconds)}[/dim]")
    if forecast_only:
        return None
    size.check()
    stop = spots.stopping(spot, **limits)
    with progress_bar("solving", stop, quiet=quiet, pot=spot.pot) as show:
        return spots.solve_spot(
            spot,
            **limits,
            algorithm=algorithm or spots.DEFAULT_ALGORITHM,
            threads=threads,
            storage=storage,
            locks=locks,
            on_progress=show,
            save=out,
        )


def _without_locks(
    locked: SpotSolution, *, limits: dict[str, Any], algorithm: str | None, threads: int, storage: str, quiet: bool
) -> SpotSolution:
    """The same spot solved as far, nobody's strategy fixed."""
    from pokerlab.cli._solving import progress_bar
    from pokerlab.strategy import spot_solution as spots

    method = algorithm or spots.DEFAULT_ALGORITHM
    with progress_bar("without locks", spots.stopping(locked.spot, **limits), quiet=quiet, pot=locked.spot.pot) as show:
        return spots.solve_spot(
            locked.spot, **limits, algorithm=method, threads=threads, storage=storage, on_progress=show
        )


def _cost(locked: SpotSolution, free: SpotSolution) -> list[float]:
    """What the locks take from each player, in chips."""
    return [before - after for before, after in zip(free.values, locked.values, strict=True)]


def _resumed(path: Path, limits: dict[str, Any], threads: int, out: Path | None, quiet: bool) -> SpotSolution:
    from pokerlab.cli._solving import progress_bar
    from pokerlab.strategy import spot_solution as spots

    spot = spots.load_spot(path).spot
    with progress_bar(path.name, spots.stopping(spot, **limits), quiet=quiet, pot=spot.pot) as show:
        return spots.resume_spot(path, **limits, threads=threads, on_progress=show, save=out)


def _show(solution: SpotSolution, kept: Path | None, free: SpotSolution | None) -> None:
    from pokerlab.report.spot import SEAT_NAMES, show_view

    screen = console()
    view = solution.root
    show_view(screen, view)
    why = {"target": ", target reached", "interrupted": ", interrupted"}.get(solution.stopped, "")
    screen.print(
        f"[dim]exploitability[/dim]   [bold]{solution.exploitability_percent:.3g} %[/bold] of the pot after "
        f"{solution.iterations:,} iterations in {solution.seconds:.2f} s{why}"
    )
    if solution.locks:
        count = len(solution.locks)
        words = "1 strategy is fixed" if count == 1 else f"{count} strategies are fixed"
        screen.print(f"[dim]locks[/dim]            {words}; exploitability is that of the game with them")
    if free is not None:
        taken = [f"{name} {cost:+.3f}" for name, cost in zip(SEAT_NAMES, _cost(solution, free), strict=True)]
        screen.print(
            f"[dim]cost of locks[/dim]    {', '.join(taken)} chips a hand, within "
            f"{max(solution.exploitability_percent, free.exploitability_percent) * solution.spot.pot / 50:.2g}"
        )
    if kept is not None:
        screen.print(f"[dim]kept in[/dim]          {kept}   (pokerlab browse {kept})")
