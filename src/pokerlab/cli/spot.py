"""`pokerlab spot`: an equilibrium of a postflop spot between two ranges."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli import _options as options
from pokerlab.cli._options import argument, option
from pokerlab.cli._output import announcing_compilation, console, print_json, wants_json, write_results

if TYPE_CHECKING:
    from pokerlab.lab.solve.tasks import Task
    from pokerlab.strategy.files.solution import Solution
    from pokerlab.tree.resources import Resources


DEFAULTS: dict[str, Any] = {"pot": 100, "stack": 300}
DEFAULT_SEAT = {"range": "random", "bet": "50%,100%", "raise": "100%,allin"}
_spot = partial(options.option, rich_help_panel="The spot, instead of a file or in its place")


def command(
    file: Annotated[Path | None, argument("Spot, as a TOML file; or use the options below.")] = None,
    target: options.PotTarget = None,
    iterations: options.Iterations = None,
    seconds: options.Seconds = None,
    threads: options.Threads = 1,
    storage: options.Storage = "float32",
    device: options.Device = "cpu",
    algorithm: options.Algorithm = None,
    out: options.Out = None,
    keep: options.Keep = "full",
    resume: options.Resume = None,
    lock: options.Locks = None,
    cost: Annotated[bool, option("Also solve without locks, and show what they cost each player.", "--cost")] = False,
    category: options.Category = None,
    forecast_only: options.Forecast = False,
    board: Annotated[str | None, _spot('Board: "Ks7h2d".')] = None,
    pot: Annotated[str | None, _spot("Chips in the pot, or big blinds: 6.5bb.", default="100")] = None,
    stack: Annotated[str | None, _spot("Chips that each player has left, or big blinds: 97bb.", default="300")] = None,
    big_blind: options.BigBlind = None,
    oop: Annotated[str | None, _spot("Range out of position.", default="random")] = None,
    ip: Annotated[str | None, _spot("Range in position.", default="random")] = None,
    bet: Annotated[
        str | None, _spot('Bet sizes of both; by street: "flop 33%; turn 75%,allin".', default="50%,100%")
    ] = None,
    raises: Annotated[
        str | None, _spot("Raise sizes of both: 2.5x, or by street as above.", "--raise", default="100%,allin")
    ] = None,
    oop_bet: Annotated[str | None, _spot("Bet sizes out of position.")] = None,
    oop_raise: Annotated[str | None, _spot("Raise sizes out of position.")] = None,
    donk: Annotated[str | None, _spot("Sizes of bets into the last aggressor of the previous street.")] = None,
    ip_bet: Annotated[str | None, _spot("Bet sizes in position.")] = None,
    ip_raise: Annotated[str | None, _spot("Raise sizes in position.")] = None,
    raise_cap: Annotated[int | None, _spot("Allow at most this many bets and raises per street.")] = None,
    all_in_from: Annotated[float | None, _spot("Bets of at least this fraction of the stack become all-in.")] = None,
    merge: Annotated[float | None, _spot("Merge sizes within this fraction, keeping the larger.")] = None,
    rake: Annotated[str | None, _spot("Rake, as a share of every pot: 5%.")] = None,
    rake_cap: Annotated[float | None, _spot("Upper limit of the rake per pot, in chips.")] = None,
    limit: Annotated[str | None, _spot("Fixed-limit bets: one size, or one per street: 10,20,20.")] = None,
    chip: Annotated[float | None, _spot("Smallest bet unit, in chips: bets are multiples of it.")] = None,
) -> None:
    """Solve a spot: a board, a pot, two ranges and a bet menu, to a measured distance from equilibrium.

    Estimates memory first and stops if the tree does not fit. Shows exploitability as a percentage of the pot while
    solving, then the strategy at the root. Ctrl-C saves the solution so far.

    pokerlab spot examples/river.toml --target 0.1%
    pokerlab spot --board Ks7h2d5c9s --oop random --ip "22+,A2s+" --json
    pokerlab spot examples/river.toml --target 0.3% --category all
    pokerlab spot examples/river.toml --lock "check: check" --cost
    pokerlab spot examples/river.toml --lock "check, bet 50: as formula"
    pokerlab spot examples/turn.toml --threads 2 --out turn.spot
    pokerlab spot examples/turn.toml --out small.spot --keep strategy
    pokerlab spot examples/turn.toml --board KsQs7h2d --oop-bet "turn 33%"
    pokerlab spot examples/turn.toml --big-blind 4
    pokerlab spot --board Ks7h2d5c9s --pot 6.5bb --stack 97bb --bet 33%,3bb
    """
    from pokerlab.cli._solving import build_form, check_saved, read_percent, run_shown
    from pokerlab.display.solve.solution import cost_of_locks, show_spot
    from pokerlab.display.spots.boards import sizes_read
    from pokerlab.errors import BadFile, BadSetting
    from pokerlab.lab.analyse.browsing import by_category, wanted_categories
    from pokerlab.lab.solve.limits import check_limits
    from pokerlab.lab.solve.solving import reopened, start
    from pokerlab.lab.solve.tasks import Task, open_task
    from pokerlab.strategy.lock import lock_from_text
    from pokerlab.tree.machines import device_named
    from pokerlab.tree.resources import Resources

    percent = read_percent(target)
    given = {"board": board, "raise_cap": raise_cap, "all_in_from": all_in_from}
    given |= {"merge": merge, "rake": rake, "rake_cap": rake_cap, "limit": _limit_sizes(limit), "chip": chip}
    given |= {"big_blind": big_blind, "pot": _amount("--pot", pot), "stack": _amount("--stack", stack)}
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
                "a saved solution has its spot, locks, algorithm and storage: with --resume give only limits, "
                "--threads, --device, --out and --keep"
            )
    check_saved(out, keep, resume)
    limits = {"target": percent, "iterations": iterations, "seconds": seconds}
    check_limits(limits)
    if category is not None:
        wanted_categories(category)  # fails before the work
    free = None
    with announcing_compilation():
        if resume is not None:
            running = reopened(resume, threads=threads, device=device)
            if running.task.spot is None:
                raise BadFile(
                    f"{resume} is the solution of a game: resume it with "
                    f"`pokerlab solve --resume {shlex.quote(str(resume))}`"
                )
            if forecast_only:
                _forecast(running.task, limits, running.resources, keep=keep, only=True)
                return
            solution = run_shown(running, resume.name, limits, out=out or resume, keep=keep)
        else:
            task = open_task(_spot_settings(file, given, seats), [lock_from_text(text) for text in lock or []])
            if cost and not task.locks:
                raise BadSetting(
                    '--cost is the cost of locks, and there are none: add --lock "check: check" or [[lock]]'
                )
            resources = Resources(threads, storage, device_named(device))
            _forecast(task, limits, resources, keep=keep if out is not None else None, only=forecast_only)
            if forecast_only:
                return

            def solved(task: Task, title: str, **saving: Any) -> Solution:
                built = build_form(task, algorithm=algorithm, resources=resources)
                return run_shown(start(built, resources=resources), title, limits, **saving)

            solution = solved(task, "solving", out=out, keep=keep)
            free = solved(Task(task.problem), "without locks") if cost else None
    assert solution.spot is not None
    result: dict[str, Any] = {"locks": len(solution.locks), "sizes": sizes_read(solution.spot), "out": out and str(out)}
    if free is not None:
        result |= {"ev_without_locks": list(free.values), "cost_of_locks": cost_of_locks(solution, free)}
    categories = None if category is None else by_category(solution.root, solution.root.acting, category)
    if categories is not None:
        result["categories"] = categories
    shown: dict[str, Any] = {"saved": out or resume, "free": free, "categories": categories}
    write_results(lambda: solution.summary() | result, lambda screen: show_spot(screen, solution, **shown))


def _own(own: str | None, of_both: str | None) -> str | None:
    """The sizes of one player (possibly none), or else those of both."""
    return own if own is not None else of_both


def _forecast(task: Task, limits: dict[str, Any], resources: Resources, *, keep: str | None, only: bool) -> None:
    """Print the size of a spot and of its file; TooLarge for a spot that is to be solved and does not fit."""
    from dataclasses import asdict

    from pokerlab.cli._solving import file_words
    from pokerlab.display.elements.numbers import duration
    from pokerlab.display.spots.boards import show_sizes, sizes_read
    from pokerlab.lab.solve.limits import DEFAULT_PERCENT
    from pokerlab.tree.public.forecast import file_bytes, forecast

    assert task.spot is not None
    resources.check("public")
    percent = float(limits["target"].removesuffix("%")) if limits["target"] else DEFAULT_PERCENT
    isomorphism = task.isomorphism
    size = forecast(
        task.spot,
        storage=resources.storage,
        threads=resources.threads,
        target_percent=percent,
        symmetric=isomorphism.symmetric,
        preserved=isomorphism.preserved,
    )
    if not wants_json():
        screen = console(stderr=not only)
        show_sizes(screen, task.spot)
        screen.print(f"[dim]{size.text()} to {percent:g} %, about {duration(size.seconds)}[/dim]", soft_wrap=True)
        if keep is not None:
            screen.print(f"[dim]{file_words(size.slots, resources.storage, keep)}[/dim]", soft_wrap=True)
    elif only:
        result = asdict(size)
        result |= {"game": task.name, "memory_bytes": result.pop("bytes"), "iterations": round(size.iterations)}
        full, alone = file_bytes(size.slots, storage=resources.storage)
        print_json(result | {"file_bytes": full, "file_bytes_strategy": alone, "sizes": sizes_read(task.spot)})
    if not only:
        size.check(device=resources.device)


def _spot_settings(file: Path | None, given: Mapping[str, Any], seats: Mapping[str, Mapping[str, Any]]) -> Any:
    """The settings of a file, or the defaults, overridden by the given options."""
    from pokerlab.formats.spot_file import read_file, sizes_by_street

    settings = read_file(file) if file is not None else dict(DEFAULTS)
    settings |= {name: value for name, value in given.items() if value is not None}
    for seat, of_seat in seats.items():
        held = settings.get(seat, {} if file is not None else DEFAULT_SEAT)
        chosen = {name: sizes_by_street(value) for name, value in of_seat.items() if value is not None}
        if chosen or seat not in settings:
            settings[seat] = (dict(held) if isinstance(held, Mapping) else {}) | chosen
    return settings


def _amount(name: str, text: str | None) -> Any:
    """An amount in chips as a number, one in big blinds as its text."""
    from pokerlab.errors import BadSetting

    if text is None or text.strip().lower().endswith("bb"):
        return text
    try:
        return float(text)
    except ValueError:
        raise BadSetting(f"{name} must be a number of chips, or of big blinds as 6.5bb, not {text[:40]!r}") from None


def _limit_sizes(text: str | None) -> Any:
    """Fixed-limit bet sizes: "10", or one per street, "10,20,20"."""
    from pokerlab.errors import BadSetting

    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")]
    except ValueError:
        raise BadSetting(f"--limit must be a bet size, or one per street such as 10,20,20, not {text[:40]!r}") from None
