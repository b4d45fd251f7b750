"""Facts about a game, traversed or counted, and the list of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.elements.table import plain_table
from pokerlab.games.describe import PlayerFacts
from pokerlab.lab.analyse.describing import NOT_WALKED, UnwalkedGame, WalkedGame
from pokerlab.tree.forecast import bytes_text, count_text


def show_game(screen: Any, found: WalkedGame | UnwalkedGame, *, limit: int) -> None:
    """Facts about a game, of which at most `limit` nodes were traversed."""
    if isinstance(found, WalkedGame):
        _show_walked(screen, found)
    else:
        _show_unwalked(screen, found, limit)


def _show_walked(screen: Any, found: WalkedGame) -> None:
    """A traversed game: its nodes, and the numbers of each player."""
    described = found.description
    sums = "zero-sum" if described.zero_sum else "not zero-sum"
    if described.constant_sum:
        sums = f"constant-sum ({described.constant_sum:g})"
    recall = "perfect recall" if described.perfect_recall else "[red]imperfect recall[/red]"
    screen.print(
        f"\n[bold]{escape(game_title(described.name))}[/bold]: {counted(described.players, 'player')}, {sums}, {recall}"
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
    rows = [
        ("infosets", *(f"{own.infosets:,}" for own in facts)),
        ("sequences", *(f"{own.sequences:,}" for own in facts)),
        ("pure strategies", *(_strategies(own.pure_log10, own.pure_exact, own.pure_text) for own in facts)),
        ("reduced", *(_reduced(own) for own in facts)),
        ("payoffs", *(f"{own.smallest_payoff:g} to {own.largest_payoff:g}" for own in facts)),
    ]
    screen.print(_player_table(described.players, rows))


def _show_unwalked(screen: Any, found: UnwalkedGame, limit: int) -> None:
    """A game with more nodes than the limit: what is counted, and what is left out."""
    sums = "zero-sum" if found.zero_sum else "not zero-sum"
    screen.print(
        f"\n[bold]{escape(game_title(found.game))}[/bold]: {counted(found.players, 'player')}, "
        f"{sums} in {found.zero_sum_from}\n"
        f"{found.nodes_text} nodes{' by random walks' if found.exact is None else ''}; "
        f"solving it as a tree would take {bytes_text(found.size.bytes)}\n"
    )
    if found.exact is not None and found.exact.by_player:
        pairs = zip(("infosets", "sequences"), zip(*found.exact.by_player, strict=True), strict=True)
        rows = [(what, *(f"{number:,}" for number in numbers)) for what, numbers in pairs]
        screen.print(_player_table(len(found.exact.by_player), rows))
    elif found.exact is not None and found.exact.infosets is not None:
        screen.print(f"{count_text(float(found.exact.infosets))} infosets")
    advice = "" if found.exact is None else "`pokerlab size` prints every digit; "
    screen.print(
        f"[dim]more than {limit:,} nodes, so not computed: {', '.join(NOT_WALKED)}; {advice}use smaller settings "
        "or a higher --limit[/dim]"
    )


def _player_table(count: int, rows: Sequence[Sequence[str]]) -> Table:
    return plain_table(["", *(f"player {player}" for player in range(count))], rows)


def _strategies(log10: float, exact: Callable[[], int], powers: str) -> str:
    """A number of strategies: every digit if it is small, else as powers and magnitude."""
    return f"{exact():,}" if log10 < 12 else f"{powers} ≈ 10^{log10:.1f}"


def _reduced(own: PlayerFacts) -> str:
    if own.reduced_log10 is None:
        return "—"
    if own.reduced_exact is not None and own.reduced_log10 < 12:
        return f"{own.reduced_exact:,}"
    return f"≈ 10^{own.reduced_log10:.1f}"
