"""Facts about a game, traversed or counted, and its exact size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from pokerlab.display.elements.numbers import counted, game_title
from pokerlab.display.elements.table import plain_table
from pokerlab.games.describe import PlayerFacts
from pokerlab.games.poker.rules import HOLDEM_ROUNDS
from pokerlab.games.sizes import Size
from pokerlab.lab.analyse.describing import NOT_WALKED, GameSize, UnwalkedGame, WalkedGame
from pokerlab.tree.forecast import bytes_text, count_text


def show_game(screen: Any, facts: WalkedGame | UnwalkedGame, *, limit: int) -> None:
    """Facts about a game, of which at most `limit` nodes were traversed."""
    if isinstance(facts, WalkedGame):
        _show_walked(screen, facts)
    else:
        _show_unwalked(screen, facts, limit)


def _show_walked(screen: Any, facts: WalkedGame) -> None:
    """A traversed game: its nodes, and the numbers of each player."""
    described = facts.description
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
        f"{described.nodes:,} nodes: {described.decisions:,} decisions, {described.chance_nodes:,} chance, "
        f"{described.terminals:,} terminal\n"
        f"depth {described.depth}, up to {described.most_actions} actions, "
        f"{bytes_text(facts.memory_bytes)} of memory to solve\n"
    )
    players = described.facts
    rows = [
        ("infosets", *(f"{own.infosets:,}" for own in players)),
        ("sequences", *(f"{own.sequences:,}" for own in players)),
        ("pure strategies", *(_strategies(own.pure_log10, own.pure_exact, own.pure_text) for own in players)),
        ("reduced", *(_reduced(own) for own in players)),
        ("payoffs", *(f"{own.smallest_payoff:g} to {own.largest_payoff:g}" for own in players)),
    ]
    screen.print(_player_table(described.players, rows))


def _show_unwalked(screen: Any, facts: UnwalkedGame, limit: int) -> None:
    """A game with more nodes than the limit: what is counted, and what is left out."""
    sums = "zero-sum" if facts.zero_sum else "not zero-sum"
    screen.print(
        f"\n[bold]{escape(game_title(facts.game))}[/bold]: {counted(facts.players, 'player')}, "
        f"{sums} in {facts.zero_sum_from}\n"
        f"{facts.nodes_text} nodes{' by random walks' if facts.exact is None else ''}; "
        f"solving it as a tree would take {bytes_text(facts.size.bytes)}\n"
    )
    if facts.exact is not None and facts.exact.by_player:
        pairs = zip(("infosets", "sequences"), zip(*facts.exact.by_player, strict=True), strict=True)
        rows = [(what, *(f"{number:,}" for number in numbers)) for what, numbers in pairs]
        screen.print(_player_table(len(facts.exact.by_player), rows))
    elif facts.exact is not None and facts.exact.infosets is not None:
        screen.print(f"{count_text(float(facts.exact.infosets))} infosets")
    advice = "" if facts.exact is None else "`pokerlab size` prints every digit; "
    screen.print(
        f"[dim]more than {limit:,} nodes, so not computed: {', '.join(NOT_WALKED)}; {advice}use smaller settings "
        "or a higher --most-nodes[/dim]"
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


def show_size(screen: Any, facts: GameSize) -> None:
    """The counts of a game, in total and by round."""
    size = facts.size
    screen.print(f"\n[bold]{escape(size.name)}[/bold], {size.how} exactly\n")
    counts = (
        ("game states (decisions)", size.states),
        ("infosets", size.infosets),
        ("infosets up to suits", size.canonical_infosets),
        ("infoset-actions", size.infoset_actions),
        ("terminals", size.terminals),
        ("nodes in all", size.nodes),
        ("rows of the linear program", size.linear_program),
        *(
            (f"{what} of player {player}", value)
            for player, values in enumerate(size.by_player)
            for what, value in zip(("infosets", "sequences"), values, strict=True)
        ),
    )
    rows = [(what, _rounded(value), _grouped(value)) for what, value in counts if value is not None]
    if facts.memory_bytes is not None:
        rows.append(("memory to solve it as a tree", bytes_text(facts.memory_bytes), ""))
    table = plain_table(("what", "how many", "exactly"), rows, left=3)
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    screen.print(table)
    if size.rounds:
        _show_rounds(screen, size)


def _show_rounds(screen: Any, size: Size) -> None:
    names = HOLDEM_ROUNDS if len(size.rounds) == 4 else [str(number + 1) for number in range(len(size.rounds))]
    rows = []
    for name, one in zip(names, size.rounds, strict=True):
        values = (one.betting, one.states, one.infosets, one.canonical_infosets)
        rows.append((name, *("—" if value is None else _short(value) for value in values)))
    screen.print()
    screen.print(plain_table(("round", "betting", "states", "infosets", "up to suits"), rows))


def _short(value: int) -> str:
    return f"{value:,}" if value < 10**15 else _rounded(value)


def _rounded(value: int) -> str:
    """A large number rounded to four digits.

    >>> _rounded(319_365_922_522_608), _rounded(99_999_999)
    ('3.194e14', '1.000e8')
    """
    power = len(str(value)) - 4
    if power <= 3:
        return f"{value:,}"
    digits = str((value + 5 * 10 ** (power - 1)) // 10**power)  # integers, because the largest do not fit in a float
    return f"{digits[0]}.{digits[1:4]}e{power + len(digits) - 1}"


def _grouped(value: int) -> str:
    """All digits, in groups of three that may wrap."""
    digits = str(value)
    return "" if len(digits) <= 7 else f"{value:,}".replace(",", " ")
