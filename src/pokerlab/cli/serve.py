"""`pokerlab serve`: the page in a browser."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._options import Cluster, backend_of, option
from pokerlab.cli._output import error_console, literal, print_json, wants_json


def command(
    port: Annotated[
        int | None,
        option("Port; default: the first free one from 8770 on; 0: any free one.", min=0, max=65535),
    ] = None,
    address: Annotated[str, option("Address to listen on; any but this machine's own requires a token.")] = "127.0.0.1",
    browser: Annotated[bool, option("Open a browser.", "--browser/--no-browser")] = True,
    seconds: Annotated[float | None, option("Stop after this many seconds; default: run until Ctrl-C.", min=0)] = None,
    cluster: Cluster = None,
) -> None:
    """Open the page: study, play and watch in a browser.

    It has spots, charts, a trainer, tables to play at, experiments and matches. Everything runs on this machine and
    needs no network. Long jobs run in the background and continue if you close the tab; Ctrl-C stops the server, and
    interrupted jobs can be resumed the next time.

    With --address 0.0.0.0 others can open the page with the token that is printed. Nothing is encrypted: do that only
    on a network that you trust. With --cluster, matches, tournaments, reports and papers run on a Ray cluster.

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
            screen.print("[dim]anyone with this address and token can use the page; nothing is encrypted[/dim]")
        screen.print("[dim]Ctrl-C stops the server; running jobs are saved and can be resumed[/dim]")

    backend = "" if cluster is None else backend_of(cluster)
    serve(port=port, address=address, browser=browser, seconds=seconds, backend=backend, on_start=started)
