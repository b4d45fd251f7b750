"""`pokerlab report`: the same spot over many boards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._completion import STORAGE, algorithm_names, choices
from pokerlab.cli._output import Json, announcing_compilation, console, error_console, print_json


def command(
    file: Annotated[Path, typer.Argument(help="The spot, a TOML file; its board is replaced.")],
    boards: Annotated[
        str, typer.Option("--boards", help='"Ks7h2d, QsJsTs:2" with weights or not, a file of them, or flops: all.')
    ] = "flops",
    target: Annotated[str, typer.Option("--target", help="Exploitability in percent of the pot.")] = "0.5%",
    iterations: Annotated[int | None, typer.Option("--iterations", help="Stop after so many iterations.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="Boards solved at the same time.")] = 1,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop each board after so long.")] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Threads for each board.")] = 1,
    storage: Annotated[
        str, typer.Option("--storage", help="float32, or int16 at half the memory.", autocompletion=choices(*STORAGE))
    ] = "float32",
    algorithm: Annotated[
        str | None,
        typer.Option("--with", help='A schedule: "dcfr(gamma=4)", "cfr+" ...', autocompletion=algorithm_names),
    ] = None,
    lock: Annotated[
        list[str] | None, typer.Option("--lock", help='Fix a strategy on every board: "check: check".')
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Keep the table here, and resume it.")] = None,
    as_json: Json = False,
) -> None:
    """Solve a spot on many boards: frequencies and EVs in one table, weighted totals, resumable.

    [dim]pokerlab report examples/flop.toml --boards flops --workers 2 --out flops.csv
    pokerlab report examples/river.toml --boards "Ks7h2d5c9s, AsAd7h7c2d:2"[/dim]
    """
    from pokerlab.cli._spots import read_percent
    from pokerlab.errors import BadFile
    from pokerlab.formats.spot_file import read_file
    from pokerlab.lab import boards as reports
    from pokerlab.lab.solving import DEFAULT_ALGORITHMS, check_limits, check_storage, open_task
    from pokerlab.registry import find
    from pokerlab.report.boards import show_boards
    from pokerlab.solvers.algorithm import Resources
    from pokerlab.strategy.lock import lock_from_text, lock_settings

    settings = read_file(file)
    settings["lock"] = [*settings.get("lock", []), *(lock_settings(lock_from_text(text)) for text in lock or [])]
    open_task(settings)  # complains about the spot and the options before any work is done
    limits: dict[str, Any] = {"target": read_percent(target), "iterations": iterations, "seconds": seconds}
    check_limits(limits)
    check_storage(Resources(threads, storage))
    options = limits | {"storage": storage, "threads": threads, "algorithm": algorithm or DEFAULT_ALGORITHMS["public"]}
    find("algorithms", options["algorithm"].partition("(")[0])
    chosen = reports.read_boards(reports.boards_text(boards))
    if out is not None and (out.is_dir() or not out.parent.is_dir()):
        raise BadFile(f"cannot write {str(out)[:80]!r}: it is not a file in a folder that exists")
    notes = error_console()
    with announcing_compilation(), notes.status("") as status:

        def told(row: dict[str, Any], count: int) -> None:
            text = row.get("problem") or f"EV {row['ev_out_of_position']:.2f} / {row['ev_in_position']:.2f}"
            status.update(f"{count} of {len(chosen)} boards: {row['board']}  {text}")

        rows = reports.report(settings, chosen, out=out, workers=workers, on_row=told, **options)
    means = reports.totals(rows)
    if as_json:
        print_json({"boards": rows, "totals": means, "out": out and str(out)})
        return
    show_boards(console(), rows, means, out=out)
