"""`pokerlab dealer`: a server of the ACPC protocol."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pokerlab.cli._options import FreshSeed, Game, Hands, option
from pokerlab.cli._output import write_results

if TYPE_CHECKING:
    from pokerlab.events import Event


def command(
    game: Game,
    hands: Hands = 1000,
    names: Annotated[str, option("Names of the seats, separated by commas.")] = "",
    ports: Annotated[
        str, option("A port for each seat (with --mirror, of each table), separated by commas; 0: any free port.")
    ] = "",
    host: Annotated[str, option("Address to listen on.")] = "127.0.0.1",
    log: Annotated[str, option("Log file; default: NAME.log.")] = "",
    title: Annotated[str, option("Name of the match.", "--name")] = "match",
    duplicate: Annotated[bool, option("Play the same cards once per rotation of the seats.", "--duplicate")] = False,
    mirror: Annotated[
        bool,
        option("The same, all rotations at once, each at its own table: for two people against a bot.", "--mirror"),
    ] = False,
    fixed_button: Annotated[bool, option("Leave the button at the last seat.", "--fixed-button")] = False,
    response_seconds: Annotated[float, option("Time limit per action, in seconds.", "--t-response")] = 600.0,
    hand_seconds: Annotated[float, option("Time limit per hand for each seat, in seconds.", "--t-hand")] = 600.0,
    per_hand_seconds: Annotated[
        float, option("Limit of a seat's mean time per hand, in seconds.", "--t-per-hand")
    ] = 7.0,
    start_seconds: Annotated[float, option("Time limit for all clients to connect, in seconds.", "--t-start")] = 60.0,
    seed: FreshSeed = None,
) -> None:
    """Serve a match over the ACPC protocol.

    The ports, one per seat, are printed to stderr once listening; the log is written hand by hand.
    With --duplicate, clients are disconnected after each pass and reconnect, so that they remember nothing.
    With --mirror, every rotation of the seats has its own table and its own clients, and --names are the sides:
    at each table a side holds the cards that the other side holds at the other table.
    A client that disconnects folds its hand and scores zero at best.

    pokerlab dealer holdem-limit --hands 3000
    pokerlab dealer holdem-limit --hands 500 --mirror --names people,bots
    """
    from pokerlab.display.play.match import print_served
    from pokerlab.errors import BadSetting
    from pokerlab.lab.play.playing import open_poker
    from pokerlab.lab.play.serving import serve_match
    from pokerlab.match.wire.seat import Limits

    words = [word.strip() for word in ports.split(",")] if ports else []
    for word in words:
        if not (word.isdigit() and len(word) < 6 and int(word) < 65536):
            raise BadSetting(f"{word[:20]!r} is not a port: a number from 0 to 65535")
    result = serve_match(
        open_poker(game, ", so it cannot be dealt"),
        hands=hands,
        names=[name.strip() for name in names.split(",")] if names else [],
        ports=[int(word) for word in words],
        host=host,
        log=Path(log or f"{title}.log"),
        title=title,
        duplicate=duplicate,
        mirror=mirror,
        fixed_button=fixed_button,
        limits=Limits(response=response_seconds, hand=hand_seconds, per_hand=per_hand_seconds, connect=start_seconds),
        seed=seed,
        on_progress=lambda event: _print_ports(host, event, mirror=mirror),
    )

    def show(screen: Any) -> None:
        print_served(result, screen)
        if seed is None:
            screen.print(f"[dim]--seed {result.seed} deals the same cards[/dim]")

    write_results(result.as_dict, show)


def _print_ports(host: str, event: Event, *, mirror: bool) -> None:
    """Print the ports, once they listen, in one line for programs to read."""
    from pokerlab.errors import printable

    if event.payload is None:
        return
    pairs = ", ".join(f"{name} {port}" for name, port in zip(event.payload.names, event.payload.ports, strict=True))
    with suppress(OSError):  # the reader has closed the pipe
        where = f"{host} table {event.payload.table}" if mirror else host
        print(printable(f"listening on {where}: {pairs}"), file=sys.stderr, flush=True)
