"""`pokerlab vonneumann`: von Neumann's poker on [0, 1], solved exactly; checks any strategy."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cli._options import OutFolder, option
from pokerlab.cli._output import note, write_results

_STRATEGY = "as pieces of 0-1 with probabilities: '0-1/9, 7/9-1:1/2', never, always"


def command(
    ante: Annotated[str, option("Ante of each player, in chips: 1, 0.5 or 3/2.")] = "1",
    bet: Annotated[str, option("Bet of Player, in chips.")] = "2",
    bets: Annotated[str | None, option(f"Check these bets of Player, {_STRATEGY}.")] = None,
    calls: Annotated[str | None, option("Check these calls of Dealer, in the same notation.")] = None,
    at: Annotated[str | None, option("Also print e1 and e2 at these hands: '0.1, 1/2'.")] = None,
    family: Annotated[int, option("Number of Dealer equilibria to list.", min=2, max=100)] = 5,
    out: OutFolder = None,
) -> None:
    """Solve von Neumann's poker in closed form, and check any strategy: equilibrium? admissible? what does it lose?

    The figures of --out show the strategies and margins.

    pokerlab vonneumann --ante 1 --bet 2 --calls "1/9-7/9:1/3, 7/9-1"
    """
    from pokerlab.display.solve.von_neumann import print_study, write_figures
    from pokerlab.lab.preflop.von_neumann import study

    result = study(ante=ante, bet=bet, player=bets, dealer=calls, at=at, family=family)
    files = write_figures(result, out) if out is not None else []

    def show(screen: Any) -> None:
        print_study(result, screen)
        for path in files:
            note(f"wrote {path}")

    write_results(lambda: result.as_dict() | {"figures": [str(path) for path in files]}, show)
