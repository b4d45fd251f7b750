"""What a game is like, in words: walked or counted; and the games that there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import game_title
from pokerlab.games.describe import PlayerFacts
from pokerlab.lab.describing import NOT_WALKED, UnwalkedGame, WalkedGame
from pokerlab.registry import Entry
from pokerlab.tree.forecast import bytes_text, count_text


def show_games(screen: Any, entries: Sequence[Entry]) -> None:
    """Every game with what it is."""
    table = Table("game", "what it is", box=None, pad_edge=False, header_style="bold")
    for entry in entries:
        table.add_row(f"[bold]{entry.name}[/bold]", entry.summary.partition(": ")[2] or entry.summary)
    screen.print(table)


def show_game(screen: Any, found: WalkedGame | UnwalkedGame, *, limit: int) -> None:
    """What is known of a game, of which at most `limit` nodes may be walked."""
    if isinstance(found, WalkedGame):
        _show_walked(screen, found)
    else:
        _show_unwalked(screen, found, limit)


def _show_walked(screen: Any, found: WalkedGame) -> None:
    """A game whose every node was seen: its nodes, and what each player has."""
    described = found.description
    sums = "zero-sum" if described.zero_sum else "not zero-sum"
    if described.constant_sum:
        sums = f"constant-sum ({described.constant_sum:g})"
    recall = "perfect recall" if described.perfect_recall else "[red]imperfect recall[/red]"
    screen.print(
        f"\n[bold]{escape(game_title(described.name))}[/bold]: {_players(described.players)}, {sums}, {recall}"
    )
    for own in described.facts:
        if own.forgotten:
            screen.print(f"  {own.forgotten}", markup=False)
    screen.print(
        f"{described.nodes:,} nodes: {described.decisions:,} decisions, {described.chance_nodes:,} of chance, "
        f"{described.terminals:,} terminal; depth {described.depth}, "
        f"up to {described.most_actions} actions; {bytes_text(found.memory_bytes)} of memory to solve\n"
    )
    facts = described.facts
    table = _table_of_players(described.players)
    table.add_row("infosets", *(f"{own.infosets:,}" for own in facts))
    table.add_row("sequences", *(f"{own.sequences:,}" for own in facts))
    table.add_row("pure strategies", *(_strategies(own.pure_log10, own.pure_exact, own.pure_text) for own in facts))
    table.add_row("reduced", *(_reduced(own) for own in facts))
    table.add_row("payoffs", *(f"{own.smallest_payoff:g} to {own.largest_payoff:g}" for own in facts))
    screen.print(table)


def _show_unwalked(screen: Any, found: UnwalkedGame, limit: int) -> None:
    """A game of more nodes than may be walked: what is counted, and what is left out."""
    sums = "zero-sum" if found.zero_sum else "not zero-sum"
    screen.print(
        f"\n[bold]{escape(game_title(found.game))}[/bold]: {_players(found.players)}, {sums} in {found.zero_sum_from}\n"
        f"{found.nodes_text} nodes{' by random walks' if found.exact is None else ''}; "
        f"laid out and solved it would take {bytes_text(found.size.bytes)}\n"
    )
    if found.exact is not None and found.exact.by_player:
        table = _table_of_players(len(found.exact.by_player))
        for what, numbers in zip(("infosets", "sequences"), zip(*found.exact.by_player, strict=True), strict=True):
            table.add_row(what, *(f"{number:,}" for number in numbers))
        screen.print(table)
    elif found.exact is not None and found.exact.infosets is not None:
        screen.print(f"{count_text(float(found.exact.infosets))} infosets")
    advice = "" if found.exact is None else "`pokerlab size` tells every digit; "
    screen.print(
        f"[dim]not walked, having more than {limit:,} nodes: {', '.join(NOT_WALKED)}; {advice}smaller settings "
        "or a higher --limit let it be walked[/dim]"
    )


def _table_of_players(count: int) -> Table:
    table = Table("", *(f"player {player}" for player in range(count)), box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    return table


def _players(count: int) -> str:
    return f"{count} player{'' if count == 1 else 's'}"


def _strategies(log10: float, exact: Callable[[], int], powers: str) -> str:
    """Every digit of a number of strategies where they are few, else its powers and size."""
    return f"{exact():,}" if log10 < 12 else f"{powers} ≈ 10^{log10:.1f}"


def _reduced(own: PlayerFacts) -> str:
    if own.reduced_log10 is None:
        return "—"
    if own.reduced_exact is not None and own.reduced_log10 < 12:
        return f"{own.reduced_exact:,}"
    return f"≈ 10^{own.reduced_log10:.1f}"
