"""`pokerlab game`: what a game is like, and a picture of its tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, check_writable, console, error_console, literal, print_json

if TYPE_CHECKING:
    from pokerlab.tree.forecast import Forecast

PLAYS = 100  # at random, of a game that is not walked
MOST_TABLE_BYTES = 2e7  # of the normal form of a game that is written as one
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
        Path | None,
        typer.Option(
            "--write",
            help="Write the game to this .efg file, or its normal form to this .nfg file.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="The most nodes to walk.")] = 1_000_000,
    as_json: Json = False,
) -> None:
    """Tell what a game is like: nodes, infosets, sequences, strategies, recall; draw it or write it as a file.

    Of a game too large to walk: what is counted without walking.

    Example: [bold]pokerlab game "goofspiel(cards=3)" --draw goofspiel.svg[/bold]
    """
    if name is None:
        _list(as_json)
        return
    from pokerlab.formats.opening import open_game

    game = open_game(name)
    if draw is not None:
        _draw(game, draw)
    unwalked = _too_large(game, limit)
    if write is not None:
        from pokerlab.errors import TooLarge
        from pokerlab.formats.gambit_writing import write as write_game

        if unwalked is not None and write.suffix.lower() != ".nfg":
            raise TooLarge(
                f"{game.name} has {unwalked.text()}: more than the {limit:,} nodes of --limit are not written"
            )
        write_game(_strategic(game) if write.suffix.lower() == ".nfg" else game, write)
        error_console().print(f"written: {literal(write)}")
    if unwalked is not None:
        facts = _unwalked(game, unwalked)
        if as_json:
            print_json(facts | {"drawing": None if draw is None else str(draw)})
        else:
            _show_unwalked(facts, limit)
        return
    description = _walk(game, limit)
    memory = _memory(description)
    if as_json:
        print_json(_as_dict(description) | {"memory_bytes": memory, "drawing": None if draw is None else str(draw)})
        return
    _show(description, memory)


def _strategic(game: Any) -> Any:
    """A game as .nfg files have it; an extensive one by its reduced normal form, where that is small."""
    from pokerlab.games.strategic import StrategicGame
    from pokerlab.tree.history.layout import build
    from pokerlab.tree.normal import as_strategic, normal_form

    if isinstance(game, StrategicGame):
        return game
    return as_strategic(normal_form(build(game), most_bytes=MOST_TABLE_BYTES), title=getattr(game, "title", ""))


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
    from pokerlab.writing import replacing

    if path.suffix.lower() != ".svg":
        raise BadFile(f"trees are drawn as SVG; {str(path)[:60]!r} does not end in .svg")
    check_writable(path, "write the tree")
    picture = draw_tree(game)
    with replacing(path) as temporary:
        temporary.write_text(picture, encoding="utf-8")
    error_console().print(f"drawn: {literal(path)}")


def _too_large(game: Any, limit: int) -> Forecast | None:
    """The forecast of a game that has surely more nodes than may be walked; None for others."""
    from pokerlab.tree.forecast import forecast

    size = forecast(game)
    return size if (size.surely if size.error else size.nodes) > limit else None


def _walk(game: Any, limit: int) -> Any:
    from pokerlab.games.describe import describe

    notes = error_console()
    if not notes.is_terminal:
        return describe(game, limit=limit)
    shown = literal(game.name)
    with notes.status(f"walking {shown}") as status:
        return describe(game, limit=limit, on_progress=lambda n: status.update(f"walking {shown}: {n:,} nodes"))


def _memory(description: Any) -> float:
    """Bytes that solving the game takes, laid out."""
    from pokerlab.tree.forecast import run_bytes

    infosets = sum(own.infosets for own in description.facts)
    sequences = sum(own.sequences for own in description.facts)
    return run_bytes(description.players, description.nodes, description.terminals, infosets, sequences)


def _unwalked(game: Any, size: Forecast) -> dict[str, Any]:
    """What is known of a game too large to walk: exact counts as texts, since most readers of JSON round them."""
    from pokerlab.games.game import ROUNDING, imbalance
    from pokerlab.games.sizes import quick_size

    exact = quick_size(game)
    ends = [game.returns(_random_end(game, seed)) for seed in range(PLAYS)]
    stakes = max(abs(payoff) for payoffs in ends for payoff in payoffs)
    zero_sum = all(imbalance(payoffs) <= ROUNDING * stakes for payoffs in ends)
    return {
        "game": game.name,
        "players": game.players,
        "zero_sum": zero_sum,
        "zero_sum_from": f"{PLAYS} random plays",
        "nodes": None if exact is None else str(exact.nodes),
        "nodes_estimate": size.nodes,
        "nodes_standard_error": size.error,
        "nodes_text": size.text().partition(" nodes")[0],
        "infosets": None if exact is None or exact.infosets is None else str(exact.infosets),
        "by_player": [
            {"player": player, "infosets": str(infosets), "sequences": str(sequences)}
            for player, (infosets, sequences) in enumerate(exact.by_player if exact else ())
        ],
        "memory_bytes": size.bytes,
        "not_walked": ["perfect recall", "payoffs", "strategies"],
    }


def _random_end(game: Any, seed: int) -> Any:
    """A state in which a random play of a game ends."""
    import numpy as np

    from pokerlab.games.game import CHANCE, TERMINAL

    rng, state = np.random.default_rng(seed), game.root()
    while (player := game.player(state)) != TERMINAL:
        if player == CHANCE and hasattr(game, "sample"):
            move = game.sample(state, rng)
        else:
            moves = [move for move, _ in game.outcomes(state)] if player == CHANCE else game.actions(state)
            move = moves[int(rng.integers(len(moves)))]
        state = game.child(state, move)
    return state


def _show_unwalked(facts: dict[str, Any], limit: int) -> None:
    from rich.table import Table

    from pokerlab.tree.forecast import bytes_text, count_text

    screen = console()
    sums = "zero-sum" if facts["zero_sum"] else "not zero-sum"
    screen.print(
        f"\n[bold]{literal(facts['game'])}[/bold]: {_players(facts['players'])}, {sums} in {facts['zero_sum_from']}\n"
        f"{facts['nodes_text']} nodes{'' if facts['nodes'] else ' by random walks'}; "
        f"laid out and solved it would take {bytes_text(facts['memory_bytes'])}\n"
    )
    if facts["by_player"]:
        table = Table("", *(f"player {own['player']}" for own in facts["by_player"]), box=None, pad_edge=False)
        for column in table.columns[1:]:
            column.justify = "right"
        for what in ("infosets", "sequences"):
            table.add_row(what, *(f"{int(own[what]):,}" for own in facts["by_player"]))
        screen.print(table)
    elif facts["infosets"]:
        screen.print(f"{count_text(float(facts['infosets']))} infosets")
    left, advice = ", ".join(facts["not_walked"]), "`pokerlab size` tells every digit; " if facts["nodes"] else ""
    screen.print(
        f"[dim]not walked, having more than {limit:,} nodes: {left}; {advice}smaller settings "
        "or a higher --limit let it be walked[/dim]"
    )


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


def _show(description: Any, memory: float) -> None:
    from rich.table import Table

    from pokerlab.tree.forecast import bytes_text

    screen = console()
    sums = "zero-sum" if description.zero_sum else "not zero-sum"
    if description.constant_sum:
        sums = f"constant-sum ({description.constant_sum:g})"
    recall = "perfect recall" if description.perfect_recall else "[red]imperfect recall[/red]"
    screen.print(f"\n[bold]{literal(description.name)}[/bold]: {_players(description.players)}, {sums}, {recall}")
    for own in description.facts:
        if own.forgotten:
            screen.print(f"  {own.forgotten}", markup=False)
    screen.print(
        f"{description.nodes:,} nodes: {description.decisions:,} decisions, {description.chance_nodes:,} of chance, "
        f"{description.terminals:,} terminal; depth {description.depth}, "
        f"up to {description.most_actions} actions; {bytes_text(memory)} of memory to solve\n"
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


def _players(count: int) -> str:
    return f"{count} player{'' if count == 1 else 's'}"


def _strategies(log10: float, exact: Any, powers: str) -> str:
    """Every digit of a number of strategies where they are few, else its powers and size."""
    return f"{exact():,}" if log10 < 12 else f"{powers} ≈ 10^{log10:.1f}"


def _reduced(own: Any) -> str:
    if own.reduced_log10 is None:
        return "—"
    if own.reduced_exact is not None and own.reduced_log10 < 12:
        return f"{own.reduced_exact:,}"
    return f"≈ 10^{own.reduced_log10:.1f}"
