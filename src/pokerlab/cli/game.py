"""`pokerlab game`: what a game is like, and a picture of its tree."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, console, error_console, print_json

MOST_DIGITS = 4000  # of an exact number in the JSON


def command(
    name: Annotated[
        str | None,
        typer.Argument(
            help='The game: "leduc", "kuhn(players=3)", or a .efg, .nfg, .csv, .json, .game or .toml file; '
            "leave it out to list the games.",
            show_default=False,
        ),
    ] = None,
    draw: Annotated[
        Path | None,
        typer.Option("--draw", help="Draw the tree of a small game into this SVG file.", show_default=False),
    ] = None,
    write: Annotated[
        Path | None, typer.Option("--write", help="Write the game to this .efg or .nfg file.", show_default=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most nodes to walk.")] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Tell what a game is like: nodes, infosets, sequences, strategies, recall; draw it or write it as a file.

    Example: [bold]pokerlab game "goofspiel(cards=3)" --draw goofspiel.svg[/bold]
    """
    if name is None:
        _list(as_json)
        return
    from pokerlab.games.loading import open_game

    game = open_game(name)
    if draw is not None:
        _draw(game, draw)
    if write is not None:
        from pokerlab.games.gambit_writing import write as write_game

        write_game(game, write)
        error_console().print(f"written: {write}")
    description = _walk(game, limit)
    if as_json:
        print_json(_as_dict(description) | {"drawing": None if draw is None else str(draw)})
        return
    _show(description)


def _list(as_json: bool) -> None:
    from pokerlab.registry import available

    entries = available("games")
    if as_json:
        print_json({"games": [{"name": entry.name, "summary": entry.summary} for entry in entries]})
        return
    from rich.table import Table

    table = Table("game", "what it is", box=None, pad_edge=False, header_style="bold")
    for entry in entries:
        table.add_row(f"[bold]{entry.name}[/bold]", entry.summary.partition(": ")[2] or entry.summary)
    console().print(table)


def _draw(game: Any, path: Path) -> None:
    from pokerlab.errors import BadFile
    from pokerlab.report.tree_drawing import draw_tree

    if path.suffix.lower() != ".svg":
        raise BadFile(f"trees are drawn as SVG; {str(path)[:60]!r} does not end in .svg")
    picture = draw_tree(game)
    try:
        path.write_text(picture, encoding="utf-8")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise BadFile(f"cannot write {str(path)[:60]!r}: {reason}") from None
    error_console().print(f"drawn: {path}")


def _walk(game: Any, limit: int) -> Any:
    from pokerlab.errors import TooLarge
    from pokerlab.games.describe import describe
    from pokerlab.games.sizes import counted_size

    size = counted_size(game)
    if size is not None and size.nodes is not None and size.nodes > limit:
        about = f"{size.nodes:,}" if size.nodes < 10**12 else f"about 10^{len(str(size.nodes)) - 1}"
        raise TooLarge(
            f"{game.name} has {about} nodes, more than the {limit:,} to walk; `pokerlab size` tells its exact size, "
            "and smaller settings or a higher --limit let it be walked"
        )
    notes = error_console()
    if not notes.is_terminal:
        return describe(game, limit=limit)
    with notes.status(f"walking {game.name}") as status:
        return describe(game, limit=limit, on_progress=lambda n: status.update(f"walking {game.name}: {n:,} nodes"))


def _as_dict(description: Any) -> dict[str, Any]:
    def exact(number: int | None, log10: float | None) -> str | None:
        return str(number) if number is not None and log10 is not None and log10 < MOST_DIGITS else None

    return {
        "game": description.name,
        "players": description.players,
        "zero_sum": description.zero_sum,
        "constant_sum": description.constant_sum,
        "perfect_recall": description.perfect_recall,
        "forgotten": [str(own.forgotten) for own in description.facts if own.forgotten],
        "nodes": description.nodes,
        "decision_nodes": description.decisions,
        "chance_nodes": description.chance_nodes,
        "terminals": description.terminals,
        "depth": description.depth,
        "most_actions": description.most_actions,
        "largest_payoff": max(own.largest_payoff for own in description.facts),
        "by_player": [
            {
                "player": player,
                "infosets": own.infosets,
                "sequences": own.sequences,
                "pure_strategies": exact(own.pure_exact(), own.pure_log10) if own.pure_log10 < MOST_DIGITS else None,
                "pure_strategies_as_powers": own.pure_text,
                "pure_strategies_log10": own.pure_log10,
                "reduced_strategies": exact(own.reduced_exact, own.reduced_log10),
                "reduced_strategies_log10": own.reduced_log10,
                "smallest_payoff": own.smallest_payoff,
                "largest_payoff": own.largest_payoff,
            }
            for player, own in enumerate(description.facts)
        ],
    }


def _show(description: Any) -> None:
    from rich.table import Table

    screen = console()
    sums = "zero-sum" if description.zero_sum else "not zero-sum"
    if description.constant_sum:
        sums = f"constant-sum ({description.constant_sum:g})"
    recall = "perfect recall" if description.perfect_recall else "[red]imperfect recall[/red]"
    screen.print(f"\n[bold]{description.name}[/bold]: {description.players} players, {sums}, {recall}")
    for own in description.facts:
        if own.forgotten:
            screen.print(f"  {own.forgotten}", markup=False)
    screen.print(
        f"{description.nodes:,} nodes: {description.decisions:,} decisions, {description.chance_nodes:,} of chance, "
        f"{description.terminals:,} terminal; depth {description.depth}, "
        f"up to {description.most_actions} actions\n"
    )
    table = Table("", *(f"player {p}" for p in range(description.players)), box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    facts = description.facts
    table.add_row("infosets", *(f"{own.infosets:,}" for own in facts))
    table.add_row("sequences", *(f"{own.sequences:,}" for own in facts))
    table.add_row("pure strategies", *(_strategies(own.pure_log10, own.pure_exact, own.pure_text) for own in facts))
    table.add_row("reduced", *(_reduced(own) for own in facts))
    table.add_row("payoffs", *(f"{own.smallest_payoff:g} to {own.largest_payoff:g}" for own in facts))
    screen.print(table)


def _strategies(log10: float, exact: Any, powers: str) -> str:
    """Every digit of a number of strategies where they are few, else its powers and size."""
    return f"{exact():,}" if log10 < 12 else f"{powers} ≈ 10^{log10:.1f}"


def _reduced(own: Any) -> str:
    if own.reduced_log10 is None:
        return "—"
    if own.reduced_exact is not None and own.reduced_log10 < 12:
        return f"{own.reduced_exact:,}"
    return f"≈ 10^{own.reduced_log10:.1f}"
