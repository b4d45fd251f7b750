"""`pokerlab report`: one spot on many boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli import _options as options
from pokerlab.cli._options import argument, backend_of, option
from pokerlab.cli._output import announcing_compilation, check_writable, error_console, hint, write_results
from pokerlab.cli._progress import ProgressBar
from pokerlab.display.elements.numbers import counted, duration

if TYPE_CHECKING:
    from pokerlab.events import Event, OnProgress
    from pokerlab.lab.spots.boards import TimeLeft

PARTS = 10  # progress lines where standard error is not a terminal


def command(
    file: Annotated[Path, argument("Spot, as a TOML file; its board is replaced.")],
    boards: Annotated[
        str,
        option(
            'Boards: "Ks7h2d, QsJsTs:2" (weights are optional), a file of them, flops (all 1,755), '
            "or a subset that represents all: flops:25, flops:49, flops:95, flops:184."
        ),
    ] = "flops",
    at: Annotated[str, option('Decision to report: "check", "check, bet 50" ...; default: the first.')] = "",
    target: options.PotTarget = "0.5%",
    iterations: options.Iterations = None,
    workers: Annotated[
        int | None,
        option("Boards to solve at the same time.", min=1, max=256, default="1; on a cluster, as many as it has cores"),
    ] = None,
    backend: options.Backend = "processes",
    cluster: options.Cluster = None,
    seconds: options.SecondsPerBoard = None,
    threads: options.Threads = 1,
    storage: options.Storage = "float32",
    algorithm: options.Algorithm = None,
    lock: options.Locks = None,
    big_blind: options.BigBlind = None,
    out: options.Out = None,
) -> None:
    """Solve a spot on many boards: frequencies and EVs at one decision in a table, with weighted totals.

    --out saves the table as CSV, one row per board; the same command resumes an interrupted report.

    pokerlab report examples/flop.toml --boards flops:25 --at check --out cbet.csv
    pokerlab report examples/flop.toml --boards flops --out flops.csv
    pokerlab report examples/river.toml --boards "Ks7h2d5c9s, AsAd7h7c2d:2"
    """
    from pokerlab.cli._solving import read_percent
    from pokerlab.display.spots.boards import show_boards, subset_error
    from pokerlab.formats.spot_file import read_file
    from pokerlab.lab.solve.limits import check_limits
    from pokerlab.lab.solve.tasks import open_task
    from pokerlab.lab.spots import boards as reports
    from pokerlab.lab.spots.board_list import boards_text, read_boards, subset_size
    from pokerlab.lab.spots.boards import TimeLeft
    from pokerlab.parallel import cores_of, worker_count
    from pokerlab.registry import find
    from pokerlab.strategy.lock import lock_from_text, lock_settings
    from pokerlab.tree.form import kind_of
    from pokerlab.tree.resources import Resources

    settings = read_file(file) | ({} if big_blind is None else {"big_blind": big_blind})
    settings["lock"] = [*settings.get("lock", []), *(lock_settings(lock_from_text(text)) for text in lock or [])]
    task = open_task(settings)  # checks the spot and the options before any work is done
    assert task.spot is not None
    money = task.spot.money
    limits: dict[str, Any] = {"target": read_percent(target), "iterations": iterations, "seconds": seconds}
    check_limits(limits)
    Resources(threads, storage).check("public")
    options = limits | {
        "storage": storage,
        "threads": threads,
        "algorithm": algorithm or kind_of("public").default_algorithm,
    }
    find("algorithms", options["algorithm"].partition("(")[0])
    text = boards_text(boards)
    chosen, moves = read_boards(text), reports.read_moves(at)
    reports.check_report(settings, chosen, moves)
    if out is not None:
        check_writable(out, "save a report")
    backend = backend_of(cluster, backend, cores=threads)
    at_once = workers or (1 if cluster is None else worker_count(backend))
    left = TimeLeft(
        settings, chosen, workers=at_once if cluster is None else min(at_once, cores_of(backend)), **options
    )
    with announcing_compilation(), ProgressBar("boards", left=left.left) as bar:
        show = _progress(bar, left)
        options |= {"workers": at_once, "backend": backend}
        rows = reports.report(settings, chosen, at=moves, out=out, on_progress=show, **options)
    means, size = reports.totals(rows), subset_size(text)
    subset = None if size is None else subset_error(size)
    write_results(
        {"boards": rows, "totals": means, "at": list(moves), "subset": subset, "unit": money},
        lambda screen: show_boards(screen, rows, means, moves=moves, subset=size, money=money),
        out=(out, None),
    )


def _progress(bar: ProgressBar, left: TimeLeft) -> OnProgress:
    """The bar, a forecast before it, and a few lines where no bar is drawn."""
    lines = not error_console().is_terminal

    def show(event: Event) -> None:
        count, total = int(event.done), int(event.total or 0)
        if isinstance(event.payload, list):  # the rows that are saved already
            left.begin([row["board"] for row in event.payload])
            solved = f", {count:,} of them solved already" if count else ""
            if count < total:
                hint(f"{counted(total, 'board')}{solved}: about {duration(left.expected)}")
            bar(event)
            return
        left.finished(event.payload["board"])
        row = event.payload
        known = "problem" not in row and row["ev_out_of_position"] is not None
        evs = f"  EV {row['ev_out_of_position']:.2f} / {row['ev_in_position']:.2f}" if known else ""
        bar(replace(event, message=f"{row['board']}{evs}"))
        if lines and count < total and count * PARTS // total > (count - 1) * PARTS // total:
            hint(f"{count:,} of {total:,} boards, about {duration(left.left())} left")

    return show
