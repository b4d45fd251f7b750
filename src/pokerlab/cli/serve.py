"""`pokerlab serve`: the page in a browser."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._options import option
from pokerlab.cli._output import error_console, literal, print_json, wants_json


def command(
    port: Annotated[
        int | None,
        option("Port; default: the first free one from 8770 on; 0: any free one.", min=0, max=65535),
    ] = None,
    address: Annotated[str, option("Address to listen on; others than this machine's own need a token.")] = "127.0.0.1",
    browser: Annotated[bool, option("Open a browser.", "--browser/--no-browser")] = True,
    seconds: Annotated[float | None, option("Stop after this many seconds; default: with Ctrl-C.", min=0)] = None,
) -> None:
    """Open the page: study, play and watch in a browser.

    Spots, charts, a trainer, tables to play at, experiments and matches; everything runs on this machine and without
    a network. Long jobs run in the background and outlive the tab; Ctrl-C ends the server, and interrupted jobs can be
    resumed the next time.

    With --address 0.0.0.0 others can open the page with the token that is printed. There is no encryption: do that only
    in a network that you trust.

    pokerlab serve
    pokerlab serve --port 9000 --no-browser
    """
    from pokerlab.app.server import Address, serve

    def started(where: Address) -> None:
        if wants_json():
            print_json({"url": where.url, "token": where.token or None})
            return
        screen = error_console()
        screen.print(f"the page is at {literal(where.url)}", soft_wrap=True)
        if where.token:
            screen.print(
                "[dim]everybody who has this address with its token can use the page; nothing is encrypted[/dim]"
            )
        screen.print("[dim]Ctrl-C ends it; jobs that run are saved and can be resumed[/dim]")

    serve(port=port, address=address, browser=browser, seconds=seconds, on_start=started)
