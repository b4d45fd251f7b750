"""`pokerlab dealer`: a server of the computer poker competition's protocol."""

from __future__ import annotations

from typing import Annotated, Any, TextIO

import typer

from pokerlab.cli._output import Json


def command(
    game: Annotated[str, typer.Argument(help="A poker game, or a competition game definition (.game).")],
    hands: Annotated[int, typer.Option("--hands", min=1, help="Hands in a match.")] = 1000,
    names: Annotated[str, typer.Option("--names", help="Names of the seats, separated by commas.")] = "",
    ports: Annotated[str, typer.Option("--ports", help="A port a seat, separated by commas; 0 is any free one.")] = "",
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; loopback unless you say otherwise.")
    ] = ("127.0.0.1"),
    log: Annotated[str, typer.Option("--log", help="Where the log goes; NAME.log by default.")] = "",
    title: Annotated[str, typer.Option("--name", help="Name of the match.")] = "match",
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play the same cards once for every rotation of the seats.")
    ] = False,
    response_seconds: Annotated[float, typer.Option("--t-response", help="Seconds for one action.")] = 600.0,
    hand_seconds: Annotated[float, typer.Option("--t-hand", help="Seconds of one seat for one hand.")] = 600.0,
    per_hand_seconds: Annotated[float, typer.Option("--t-per-hand", help="Seconds a hand over the match.")] = 7.0,
    start_seconds: Annotated[float, typer.Option("--t-start", help="Seconds for all clients to connect.")] = 60.0,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            help="Seed of the deals; unless told, nobody can guess it, and the log tells it at the end.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Serve a match over the competition's protocol: [bold]pokerlab dealer holdem-limit --hands 3000[/bold].

    The ports, one a seat, are told on standard error as soon as they listen; the log is written hand by hand.
    With --duplicate clients are disconnected after each pass and connect again, so that they remember nothing.
    A client that goes away folds its hand, and scores zero at best.
    """
    import asyncio
    import sys
    from contextlib import suppress
    from pathlib import Path

    from pokerlab.cli._output import console, print_json
    from pokerlab.errors import BadFile, BadSetting, printable
    from pokerlab.formats.opening import open_game
    from pokerlab.games.poker.engine import PokerGame
    from pokerlab.match.wire.dealer import Dealer, secret_seed
    from pokerlab.match.wire.seat import Limits

    chosen = open_game(game)
    if not isinstance(chosen, PokerGame):
        raise BadSetting(f"{game[:40]} is not a poker game, so it cannot be dealt")
    seats = [name.strip() for name in names.split(",")] if names else [f"player{i + 1}" for i in range(chosen.players)]
    limits = Limits(response=response_seconds, hand=hand_seconds, per_hand=per_hand_seconds, connect=start_seconds)
    listen = _ports(ports)
    passes = chosen.players if duplicate else 1
    results: list[dict[str, Any]] = []
    deals = secret_seed() if seed is None else seed
    for rotation in range(passes):
        order = seats[rotation:] + seats[:rotation]
        where = Path(log or f"{title}.log")
        path = where.with_suffix(f".{rotation}{where.suffix}") if duplicate else where
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", newline="\n") as file:
                dealer = Dealer(
                    chosen, order, hands=hands, seed=deals, secret=seed is None, limits=limits, log=file, title=title
                )
                rotated = [listen[seats.index(name)] for name in order] if listen else []

                def tell(open_ports: list[int], order: list[str] = order, file: TextIO = file) -> None:
                    with suppress(OSError):  # pipes and devices have no earlier log
                        file.truncate(0)  # only now: where a match cannot begin, an earlier one keeps its log
                    listen[:] = [open_ports[order.index(name)] for name in seats]  # the same seat, the same port again
                    pairs = ", ".join(f"{name} {port}" for name, port in zip(order, open_ports, strict=True))
                    # for programs to read: one line whatever the width, at once; who has read enough is gone
                    with suppress(OSError):
                        print(printable(f"listening on {host}: {pairs}"), file=sys.stderr, flush=True)

                served = asyncio.run(dealer.serve(host, rotated, on_listening=tell))
        except OSError as problem:
            raise BadFile(f"cannot write the log {path}: {problem.strerror or problem}") from problem
        results.append(
            {
                "log": str(path),
                "hands": served.hands,
                "scores": dict(zip(served.names, served.scores, strict=True)),
                "forfeited": served.forfeited,
                "forfeits": served.forfeits,
                "reason": served.reason,
                "notes": served.notes[:20],
            }
        )
    total = {name: sum(result["scores"][name] for result in results) for name in seats}
    if json:
        gone = sorted({name for result in results for name in result["forfeits"]})
        found = {"game": chosen.name, "hands": hands, "seed": deals, "passes": results, "scores": total}
        print_json(found | {"forfeited": gone})
        return
    _tell(results, total)
    if seed is None:
        console().print(f"[dim]the cards are those of --seed {deals}[/dim]")


def _ports(text: str) -> list[int]:
    from pokerlab.errors import BadSetting

    words = [word.strip() for word in text.split(",")] if text else []
    for word in words:
        if not (word.isdigit() and len(word) < 6 and int(word) < 65536):
            raise BadSetting(f"{word[:20]!r} is not a port: a number from 0 to 65535")
    return [int(word) for word in words]


def _tell(results: list[dict[str, Any]], total: dict[str, float]) -> None:
    from rich.markup import escape
    from rich.table import Table

    from pokerlab.cli._output import console
    from pokerlab.formats.acpc import number

    screen = console()
    table = Table()
    for heading in ("pass", "hands", *total, "log"):
        table.add_column(escape(heading), overflow="fold")
    for place, result in enumerate(results, start=1):
        row = [number(result["scores"][name]) for name in total]
        table.add_row(str(place), str(result["hands"]), *row, escape(result["log"]))
        for name, reason in result["forfeits"].items():
            screen.print(f"[red]{escape(name)} forfeits: {escape(reason)}[/red]")
        for note in result["notes"]:
            screen.print(f"[yellow]{escape(note)}[/yellow]")
    if len(results) > 1:
        table.add_row("all", "", *(number(chips) for chips in total.values()), "", style="bold")
    screen.print(table)
