"""`pokerlab dealer`: a server of the computer poker competition's protocol."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli._completion import game_names
from pokerlab.cli._output import Json

if TYPE_CHECKING:
    from pokerlab.events import Event


def command(
    game: Annotated[
        str, typer.Argument(help="A poker game, or a competition game definition (.game).", autocompletion=game_names)
    ],
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
    from pathlib import Path

    from pokerlab.cli._output import console, print_json
    from pokerlab.display.play.serving import print_served
    from pokerlab.lab.playing import open_poker
    from pokerlab.lab.serving import serve_match
    from pokerlab.match.wire.seat import Limits

    result = serve_match(
        open_poker(game, ", so it cannot be dealt"),
        hands=hands,
        names=[name.strip() for name in names.split(",")] if names else [],
        ports=_ports(ports),
        host=host,
        log=Path(log or f"{title}.log"),
        title=title,
        duplicate=duplicate,
        limits=Limits(response=response_seconds, hand=hand_seconds, per_hand=per_hand_seconds, connect=start_seconds),
        seed=seed,
        on_progress=lambda event: _print_ports(host, event),
    )
    if json:
        print_json(result.as_dict())
        return
    print_served(result, console())
    if seed is None:
        console().print(f"[dim]the cards are those of --seed {result.seed}[/dim]")


def _print_ports(host: str, event: Event) -> None:
    """The ports, once they listen, in one line for programs to read."""
    from pokerlab.errors import printable

    if event.payload is None:
        return
    pairs = ", ".join(f"{name} {port}" for name, port in zip(event.payload.names, event.payload.ports, strict=True))
    with suppress(OSError):  # who has read enough is gone
        print(printable(f"listening on {host}: {pairs}"), file=sys.stderr, flush=True)


def _ports(text: str) -> list[int]:
    from pokerlab.errors import BadSetting

    words = [word.strip() for word in text.split(",")] if text else []
    for word in words:
        if not (word.isdigit() and len(word) < 6 and int(word) < 65536):
            raise BadSetting(f"{word[:20]!r} is not a port: a number from 0 to 65535")
    return [int(word) for word in words]
