"""`pokerlab vonneumann`: von Neumann's poker on [0, 1], solved exactly; any strategy checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pokerlab.cli._output import Json, console, error_console, literal, print_json

_STRATEGY_HELP = "A strategy as pieces of 0-1 with probabilities: '0-1/9, 7/9-1', '0.5-1:1/2', never, always."


def command(
    ante: Annotated[str, typer.Option("--ante", help="What each puts in before the deal: 1, 0.5 or 3/2.")] = "1",
    bet: Annotated[str, typer.Option("--bet", help="What Player may bet.")] = "2",
    player: Annotated[
        str | None, typer.Option("--player", help=f"Check Player's bets. {_STRATEGY_HELP}", show_default=False)
    ] = None,
    dealer: Annotated[
        str | None, typer.Option("--dealer", help="Check Dealer's calls, written the same way.", show_default=False)
    ] = None,
    at: Annotated[
        str | None, typer.Option("--at", help="Also e1 and e2 at these hands: '0.1, 1/2'.", show_default=False)
    ] = None,
    family: Annotated[
        int, typer.Option("--family", min=2, max=100, help="How many of Dealer's equilibria to list.")
    ] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", help="Draw strategies and margins into this folder.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve von Neumann's poker in closed form, and check any strategy: equilibrium? admissible? what does it lose?

    Example: [bold]pokerlab vonneumann --ante 1 --bet 2 --dealer "1/9-7/9:1/3, 7/9-1"[/bold]
    """
    from pokerlab.games.von_neumann_continuous import ContinuousPoker, Steps, number
    from pokerlab.report.von_neumann import exact, print_check, print_solution

    game = ContinuousPoker(number(ante), number(bet))
    given_player = None if player is None else Steps.read(player)
    given_dealer = None if dealer is None else Steps.read(dealer)
    hands = [] if at is None else [_hand(number(word)) for word in at[:2000].split(",")]
    margins = _margins(game, given_player, given_dealer)
    checks: dict[str, Any] = {}
    if given_player is not None:
        checks["Player"] = (given_player, game.check_player(given_player))
    if given_dealer is not None:
        checks["Dealer"] = (given_dealer, game.check_dealer(given_dealer))
    members = game.dealer_family(family)
    files = _draw(game, out, player=given_player, dealer=given_dealer) if out is not None else []
    if as_json:
        drawn = {"figures": [str(path) for path in files]}
        print_json(_as_dict(game, checks, members) | _margins_dict(margins, hands) | drawn)
        return
    shown = console()
    print_solution(game, shown)
    for role, (strategy, check) in checks.items():
        print_check(role, strategy, check, shown)
    if given_player is not None:
        _print_against(game, given_player, given_dealer, shown)
    if not checks:
        shown.print(
            "\n[bold]Dealer's equilibria[/bold], from the loosest to the admissible one, and what each wins "
            "from a Player who always bets"
        )
        for _, steps in members:
            shown.print(f"  {steps!s:<46} {exact(-game.value(Steps.read('always'), steps))}")
    for hand in hands:
        for name, line in margins.items():
            shown.print(f"  {name}({hand}) = {exact(line.at(hand))}")
    for path in files:
        error_console().print(f"[dim]wrote {literal(path)}[/dim]")


def _hand(hand: Any) -> Any:
    from pokerlab.errors import BadSetting

    if hand > 1:
        raise BadSetting(f"hands are numbers from 0 to 1, not {hand}")
    return hand


def _margins(game: Any, player: Any, dealer: Any) -> dict[str, Any]:
    """e1 against the Dealer given (or the admissible), e2 against the Player given (or the equilibrium)."""
    solution = game.equilibrium
    return {
        "e1": game.player_margin(solution.dealer if dealer is None else dealer),
        "e2": game.dealer_margin(solution.player if player is None else player),
    }


def _margins_dict(margins: dict[str, Any], hands: list[Any]) -> dict[str, Any]:
    return {
        name: {
            "breaks": list(map(str, line.breaks)),
            "values": list(map(str, line.values)),
            "at": {str(hand): str(line.at(hand)) for hand in hands},
        }
        for name, line in margins.items()
    }


def _print_against(game: Any, player: Any, dealer: Any, shown: Any) -> None:
    from pokerlab.report.von_neumann import exact

    solution = game.equilibrium
    shown.print("\n[bold]Dealer's net winnings from this Player[/bold], chips a hand")
    rows = [("the best response", game.best_against_player(player))]
    if dealer is not None:
        rows.append(("the Dealer given", -game.value(player, dealer)))
    rows.append(("the admissible equilibrium", -game.value(player, solution.dealer)))
    rows.append(("the loosest equilibrium", -game.value(player, solution.loosest_dealer)))
    for name, value in rows:
        shown.print(f"  {name:<28}{exact(value)}")


def _draw(game: Any, out: Path, **strategies: Any) -> list[Path]:
    from pokerlab.report.figure import draw
    from pokerlab.report.paper import make_folder
    from pokerlab.report.von_neumann import figures
    from pokerlab.writing import replacing

    folder = make_folder(out)
    written = []
    for figure in figures(game, **strategies):
        for ending, data in draw(figure).items():
            path = folder / f"{figure.name}.{ending}"
            with replacing(path) as temporary:
                temporary.write_bytes(data)
            written.append(path)
    return written


def _as_dict(game: Any, checks: dict[str, Any], members: list[Any]) -> dict[str, Any]:
    solution = game.equilibrium
    names = ("x1", "x2", "c", "y0", "call_rate", "value")
    result: dict[str, Any] = {
        "ante": game.ante,
        "bet": game.bet,
        **{name: getattr(solution, name) for name in names},
        "decimals": {name: float(getattr(solution, name)) for name in names},
        "player": solution.player,
        "dealer": solution.dealer,
        "family": [{"share": share, "dealer": steps} for share, steps in members],
    }
    for role, (strategy, check) in checks.items():
        result[f"{role.lower()}_check"] = {
            "strategy": strategy,
            "equilibrium": check.equilibrium,
            "admissible": check.admissible,
            "guarantee": check.guarantee,
            "loss": check.loss,
            "against_equilibrium": check.against_equilibrium,
            "dominated_by": None if check.dominated_by is None else str(check.dominated_by),
            "reason": check.reason,
        }
    if len(checks) == 2:
        result["value_of_the_two"] = game.value(checks["Player"][0], checks["Dealer"][0])
    return result
