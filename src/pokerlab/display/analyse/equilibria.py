"""Equilibria of a game: dominance, the list, answers to questions, and correlated ones; joint play of learners."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rich.markup import escape

from pokerlab.display.elements.numbers import counted, game_title, short_text
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.analyse.equilibria import NashAnalysis
from pokerlab.lab.solve.repeated_play import RepeatedPlay
from pokerlab.solvers.equilibria.bimatrix import Equilibrium

LONGEST_FRACTION = 9  # characters: longer ones are printed as decimals
MOST_ACTIONS = 30  # of a strategy in the list; --json has all
HIDDEN = 5e-4  # smaller shares of an average are not listed


def show_equilibria(screen: Any, found: NashAnalysis, *, rows: int) -> None:
    """Dominated strategies, then equilibria, then answers."""
    sizes = " x ".join(str(len(names)) for names in found.strategies)
    what = "actions at infosets" if found.method == "sequence" else "strategies"
    screen.print(f"[bold]{escape(game_title(found.game))}[/bold]: {sizes} {what}")
    if found.rounded:
        screen.print("[dim]payoffs are rounded to 12 digits: they are no multiples of one unit[/dim]")
    _show_dominance(screen, found)
    screen.print(_headline(found))
    if found.equilibria:
        screen.print(_table(found, found.equilibria[:rows]))
    if len(found.equilibria) > rows:
        screen.print(f"[dim]{len(found.equilibria) - rows:,} more; --rows shows them[/dim]")
    for answer in found.answers:
        by = "" if answer.by == "enumeration" else " [dim](mixed-integer program)[/dim]"
        text = f"[bold]{escape(answer.question)}[/bold]{by}: "
        screen.print(text + (_line(found, answer.equilibrium) if answer.equilibrium else "there is none"))
    if found.correlated:
        cells = [
            (escape(name), *(short_text(value, 4) for value in one.payoffs)) for name, one in found.correlated.items()
        ]
        screen.print()
        headings = ("largest, in which equilibrium", *(f"player {i}" for i in range(found.players)))
        screen.print(plain_table(headings, cells))


def _show_dominance(screen: Any, found: NashAnalysis) -> None:
    if found.dominance is None or not found.dominance.eliminated:
        return
    rows = []
    for one in found.dominance.eliminated:
        names = found.strategies[one.player]
        by = _mix_text({names[i]: share for i, share in one.by.items()})
        rows.append(
            (str(one.turn), str(one.player), escape(names[one.strategy]), escape(by), "" if one.strict else "weakly")
        )
    screen.print(plain_table(("turn", "player", "dominated", "by", ""), rows, left=5))
    left = " x ".join(str(len(own)) for own in found.dominance.left)
    solved = ": solved by dominance" if found.dominance.solves else " are left"
    screen.print(f"{left} strategies{solved}\n")


def _headline(found: NashAnalysis) -> str:
    count = len(found.equilibria)
    if found.everything is not None:
        parts = len(found.everything.components)
        if found.everything.is_finite:
            return f"{counted(count, 'equilibrium', 'equilibria')}, and no other{'' if count == 1 else 's'}"
        text = counted(count, "extreme equilibrium", "extreme equilibria")
        return f"infinitely many equilibria, in {counted(parts, 'component')} with {text}"
    if found.method == "pure":
        return f"{counted(count, 'pure equilibrium', 'pure equilibria')}; mixed ones are not listed"
    if found.method == "supports":
        return f"{counted(count, 'pair')} of supports with equilibria"
    pivots = (
        f" ({min(one.pivots for one in found.paths)} to {max(one.pivots for one in found.paths)} pivots)"
        if found.paths
        else ""
    )
    return f"{counted(count, 'equilibrium', 'equilibria')} found{pivots}; there may be others"


def _table(found: NashAnalysis, equilibria: tuple[Equilibrium, ...]) -> Any:
    rows = []
    for number, one in enumerate(equilibria, 1):
        mixes = [escape(_mix_text(found.mix_of(one, player))) for player in range(found.players)]
        rows.append((str(number), *mixes, *(_number(value) for value in one.payoffs)))
    players = range(found.players)
    headings = ("", *(f"player {i} plays" for i in players), *(f"player {i} wins" for i in players))
    return plain_table(headings, rows, left=1 + found.players)


def _line(found: NashAnalysis, one: Equilibrium) -> str:
    mixes = " · ".join(escape(_mix_text(found.mix_of(one, player))) for player in range(found.players))
    return f"{mixes}, worth {', '.join(map(_number, one.payoffs))}"


def _mix_text(mix: Mapping[str, Any]) -> str:
    """The strategies of a mix with their shares; a pure one by its name alone. Long ones are cut.

    >>> _mix_text({"a": Fraction(1, 3), "b": Fraction(2, 3)})
    '1/3 a, 2/3 b'
    >>> _mix_text({f"a{i}": 0.5 for i in range(1000)})[-30:]
    '0.5 a29, and 970 more (--json)'
    """
    shares = list(mix.items())
    text = ", ".join(name if share == 1 else f"{_number(share)} {name}" for name, share in shares[:MOST_ACTIONS])
    return text if len(shares) <= MOST_ACTIONS else f"{text}, and {len(shares) - MOST_ACTIONS:,} more (--json)"


def _number(value: Any) -> str:
    """A fraction where it is short, else a decimal number.

    >>> _number(Fraction(1, 3)), _number(Fraction(2, 1)), _number(0.25)
    ('1/3', '2', '0.25')
    """
    if isinstance(value, Fraction) and len(str(value)) <= LONGEST_FRACTION:
        return str(value)
    return short_text(float(value), 6)


def show_repeated_play(screen: Any, run: RepeatedPlay) -> None:
    """The averages of each player, and the measurements."""
    screen.print(f"[bold]{escape(game_title(run.game))}[/bold]: {escape(', '.join(run.rules))}")
    for player, (names, own) in enumerate(zip(run.strategies, run.play.averages, strict=True)):
        shares = [f"{share:.3f} {name}" for name, share in zip(names, own[-1], strict=True) if share > HIDDEN]
        screen.print(f"player {player} on average: {escape(', '.join(shares))}")
    screen.print()
    rows = [
        (
            f"{one.iterations:,}",
            *(f"{max(numbers):.3g}" for numbers in (one.external, one.internal)),
            *(f"{number:.3g}" for number in (one.to_coarse, one.to_correlated)),
            *(short_text(value, 4) for value in one.payoffs),
        )
        for one in run.measured
    ]
    wins = (f"player {i} wins" for i in range(len(run.rules)))
    headings = ("iterations", "external regret", "internal regret", "to coarse", "to correlated", *wins)
    screen.print(plain_table(headings, rows, left=0))
    screen.print("[dim]to: the probability to be moved until joint play is a (coarse) correlated equilibrium[/dim]")
