"""`pokerlab spot`: an equilibrium of a postflop spot between two ranges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, Keep, announcing_compilation, console, error_console, print_json
from pokerlab.cli._spots import Schedule, Storage, bet_size, read_percent, spot_settings

if TYPE_CHECKING:
    from pokerlab.lab.tasks import Task
    from pokerlab.strategy.solution import Solution
    from pokerlab.tree.resources import Resources

SPOT = "The spot, instead of a file or over it"


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
    storage: Storage = "float32",
    algorithm: Schedule = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep the solution in this file.")] = None,
    keep: Keep = "full",
    resume: Annotated[Path | None, typer.Option("--resume", help="Resume this file.")] = None,
    lock: Annotated[
        list[str] | None,
        typer.Option(
            "--lock",
            help='Fix a strategy and solve the rest: "check, bet 50: fold 50%, call 50% with 22-99", or the play of an '
            'agent: "check: as formula". May be repeated.',
            show_default=False,
        ),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Solve without the locks too, and say what they cost each player.")
    ] = False,
    forecast_only: Annotated[bool, typer.Option("--forecast", help="Only say how large it is.")] = False,
    board: Annotated[
        str | None, typer.Option("--board", help='The board, "Ks7h2d"; alone or over a file.', rich_help_panel=SPOT)
    ] = None,
    pot: Annotated[
        float | None, typer.Option("--pot", help="Chips in the pot (100).", rich_help_panel=SPOT, show_default=False)
    ] = None,
    stack: Annotated[
        float | None,
        typer.Option(
            "--stack", help="Chips that each player has left (300).", rich_help_panel=SPOT, show_default=False
        ),
    ] = None,
    oop: Annotated[
        str | None, typer.Option("--oop", help="The range out of position (random).", rich_help_panel=SPOT)
    ] = None,
    ip: Annotated[
        str | None, typer.Option("--ip", help="The range in position (random).", rich_help_panel=SPOT)
    ] = None,
    bet: Annotated[
        str | None,
        typer.Option(
            "--bet",
            help='Bet sizes of both players (50%,100%); by street: "flop 33%; turn 75%,allin; river e".',
            rich_help_panel=SPOT,
        ),
    ] = None,
    raises: Annotated[
        str | None,
        typer.Option(
            "--raise", help="Raise sizes of both players (100%,allin); 2.5x, by street as above.", rich_help_panel=SPOT
        ),
    ] = None,
    oop_bet: Annotated[
        str | None, typer.Option("--oop-bet", help="Bet sizes out of position.", rich_help_panel=SPOT)
    ] = None,
    oop_raise: Annotated[
        str | None, typer.Option("--oop-raise", help="Raise sizes out of position.", rich_help_panel=SPOT)
    ] = None,
    donk: Annotated[
        str | None,
        typer.Option("--donk", help="Bets into the player who bet last on the street before.", rich_help_panel=SPOT),
    ] = None,
    ip_bet: Annotated[str | None, typer.Option("--ip-bet", help="Bet sizes in position.", rich_help_panel=SPOT)] = None,
    ip_raise: Annotated[
        str | None, typer.Option("--ip-raise", help="Raise sizes in position.", rich_help_panel=SPOT)
    ] = None,
    raise_cap: Annotated[
        int | None, typer.Option("--raise-cap", help="Bets and raises on a street, at most.", rich_help_panel=SPOT)
    ] = None,
    all_in_from: Annotated[
        float | None,
        typer.Option(
            "--all-in-from", help="Bets of at least this part of the stack become all-in.", rich_help_panel=SPOT
        ),
    ] = None,
    merge: Annotated[
        float | None,
        typer.Option("--merge", help="Of two sizes nearer than this part the larger stays.", rich_help_panel=SPOT),
    ] = None,
    rake: Annotated[
        str | None, typer.Option("--rake", help="The part of every pot that is taken: 5%.", rich_help_panel=SPOT)
    ] = None,
    rake_cap: Annotated[
        float | None, typer.Option("--rake-cap", help="The most that is taken, in chips.", rich_help_panel=SPOT)
    ] = None,
    limit: Annotated[
        str | None,
        typer.Option("--limit", help="Fixed-limit bets: one size, or one a street as 10,20,20.", rich_help_panel=SPOT),
    ] = None,
    chip: Annotated[
        float | None, typer.Option("--chip", help="Bets are whole numbers of it.", rich_help_panel=SPOT)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a spot: a board, a pot, two ranges and a bet menu, to a measured distance from equilibrium.

    First a forecast, refused when it does not fit; then a bar with exploitability in percent of the pot; then what the
    first player does. Ctrl-C keeps what is solved.

    [dim]pokerlab spot examples/river.toml --target 0.1%
    pokerlab spot --board Ks7h2d5c9s --oop random --ip "22+,A2s+" --json
    pokerlab spot examples/river.toml --lock "check: check" --cost
    pokerlab spot examples/river.toml --lock "check, bet 50: as formula"
    pokerlab spot examples/turn.toml --threads 2 --out turn.spot
    pokerlab spot examples/turn.toml --target 0.5% --out small.spot --keep strategy
    pokerlab spot examples/turn.toml --board KsQs7h2d --rake 5% --oop-bet "turn 33%; river 75%,allin"[/dim]
    """
    from pokerlab.cli._solving import check_kept
    from pokerlab.display.solve.solution import cost_of_locks, show_spot
    from pokerlab.display.spots.bet_sizes import sizes_read
    from pokerlab.errors import BadSetting
    from pokerlab.lab.tasks import Task
    from pokerlab.tree.resources import Resources

    percent = read_percent(target)
    given = {"board": board, "pot": pot, "stack": stack, "raise_cap": raise_cap, "all_in_from": all_in_from}
    given |= {"merge": merge, "rake": rake, "rake_cap": rake_cap, "limit": bet_size(limit), "chip": chip}
    seats = {
        "out_of_position": {"range": oop, "bet": _own(oop_bet, bet), "raise": _own(oop_raise, raises), "donk": donk},
        "in_position": {"range": ip, "bet": _own(ip_bet, bet), "raise": _own(ip_raise, raises)},
    }
    if file is None and board is None and resume is None:
        raise BadSetting("name a spot: a TOML file, or --board with --pot, --stack, --oop and --ip, or --resume")
    if resume is not None:
        of_spot = (file, *given.values(), *(value for options in seats.values() for value in options.values()))
        if any(value is not None for value in of_spot) or lock or cost or algorithm or storage != "float32":
            raise BadSetting(
                "a kept solution has its spot, locks, schedule and storage: with --resume give only when to stop, "
                "--threads, --out and --keep"
            )
    check_kept(out, keep, resume)
    limits = {"target": percent, "iterations": iterations, "seconds": seconds}
    free = None
    with announcing_compilation():
        if resume is not None:
            kept = _resumed(resume, limits, threads, (out, keep), forecast_only, as_json)
            if kept is None:
                return
            solution = kept
        else:
            task = _task(spot_settings(file, given, seats), lock or [], cost=cost)
            resources = Resources(threads, storage)
            file_of = keep if out is not None else None
            if not _forecast(task, limits, resources, keep=file_of, only=forecast_only, quiet=as_json):
                return
            solution = _solved(task, "solving", limits, algorithm, resources, out=out, keep=keep, quiet=as_json)
            if cost:
                plain = Task(task.problem)
                free = _solved(plain, "without locks", limits, algorithm, resources, quiet=as_json)
    if as_json:
        assert solution.spot is not None
        told: dict[str, Any] = {
            "locks": len(solution.locks),
            "sizes": sizes_read(solution.spot),
            "out": out and str(out),
        }
        if free is not None:
            told |= {"ev_without_locks": list(free.values), "cost_of_locks": cost_of_locks(solution, free)}
        print_json(solution.summary() | told)
        return
    show_spot(console(), solution, kept=out or resume, free=free)


def _own(own: str | None, of_both: str | None) -> str | None:
    """A player's own sizes, which may be none at all, or those given for both."""
    return own if own is not None else of_both


def _task(settings: Any, lock_texts: list[str], *, cost: bool) -> Task:
    """The spot with the locks of its file and of the options."""
    from pokerlab.errors import BadSetting
    from pokerlab.lab.tasks import open_task
    from pokerlab.strategy.lock import lock_from_text

    task = open_task(settings, [lock_from_text(text) for text in lock_texts])
    if cost and not task.locks:
        raise BadSetting('--cost is the cost of locks, and there are none: add --lock "check: check" or [[lock]]')
    return task


def _solved(
    task: Task,
    title: str,
    limits: dict[str, Any],
    algorithm: str | None,
    resources: Resources,
    *,
    out: Path | None = None,
    keep: str = "full",
    quiet: bool,
) -> Solution:
    from pokerlab.cli._solving import laid_out, run_shown
    from pokerlab.lab.solving import start

    laid = laid_out(task, algorithm=algorithm, resources=resources, quiet=quiet)
    return run_shown(start(laid, resources=resources), title, limits, out=out, keep=keep, quiet=quiet)


def _forecast(
    task: Task, limits: dict[str, Any], resources: Resources, *, keep: str | None, only: bool, quiet: bool
) -> bool:
    """Say how large a spot is, and its file if it keeps one; refuse what does not fit; whether to solve it."""
    from dataclasses import asdict

    from pokerlab.cli._solving import file_words
    from pokerlab.display.elements.numbers import duration
    from pokerlab.display.spots.bet_sizes import show_sizes, sizes_read
    from pokerlab.lab.limits import DEFAULT_PERCENT, check_limits
    from pokerlab.tree.public.forecast import file_bytes, forecast

    assert task.spot is not None
    resources.check("public")
    check_limits(limits)  # complains before anything is said
    percent = float(limits["target"].removesuffix("%")) if limits["target"] else DEFAULT_PERCENT
    folding = task.folding
    size = forecast(
        task.spot,
        storage=resources.storage,
        threads=resources.threads,
        target_percent=percent,
        symmetric=folding.symmetric,
        alike=folding.alike,
    )
    if only and quiet:
        told = asdict(size)
        told |= {"game": task.name, "memory_bytes": told.pop("bytes"), "iterations": round(size.iterations)}
        full, alone = file_bytes(size.slots, storage=resources.storage)
        told |= {"file_bytes": full, "file_bytes_strategy": alone, "sizes": sizes_read(task.spot)}
        print_json(told)
        return False
    if not quiet:
        note = console() if only else error_console()
        show_sizes(note, task.spot)
        file = "" if keep is None else f"; {file_words(size.slots, resources.storage, keep)}"
        note.print(f"[dim]{size.text()} to {percent:g} %, about {duration(size.seconds)}{file}[/dim]", soft_wrap=True)
    if only:
        return False
    size.check()
    return True


def _resumed(
    path: Path,
    limits: dict[str, Any],
    threads: int,
    kept: tuple[Path | None, str],  # where, and what
    forecast_only: bool,
    quiet: bool,
) -> Solution | None:
    from pokerlab.cli._solving import run_shown
    from pokerlab.errors import BadFile
    from pokerlab.lab.limits import check_limits
    from pokerlab.lab.solving import reopened

    check_limits(limits)  # complains before the work
    running = reopened(path, threads=threads)
    if running.task.spot is None:
        raise BadFile(f"{path} is the solution of a game: resume it with `pokerlab solve --resume {path}`")
    if forecast_only:
        _forecast(running.task, limits, running.resources, keep=kept[1], only=True, quiet=quiet)
        return None
    return run_shown(running, path.name, limits, out=kept[0] or path, keep=kept[1], quiet=quiet)
