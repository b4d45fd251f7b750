"""`pokerlab nash`: all equilibria of a small game, dominance, and questions about the equilibria."""

from __future__ import annotations

from typing import Annotated

from pokerlab.cli._completion import NASH_METHODS, choices
from pokerlab.cli._options import Game, Rows, option
from pokerlab.cli._output import write_results


def command(
    game: Game,
    method: Annotated[
        str,
        option(
            "Method: vertices and supports (all, two players), lemke-howson, sequence (Lemke's), pure; auto: by size.",
            "--method",
            complete=choices(*NASH_METHODS),
        ),
    ] = "auto",
    weak: Annotated[bool, option("Also eliminate weakly dominated strategies.", "--weak")] = False,
    at_least: Annotated[
        str | None, option("Ask for an equilibrium worth at least this to --for: 2, 0.5, 1/3.", "--at-least")
    ] = None,
    player: Annotated[int, option("The player whose payoff --at-least is about.", "--for", min=0)] = 0,
    another: Annotated[bool, option("Ask for a second equilibrium.", "--another")] = False,
    welfare: Annotated[bool, option("Ask for the equilibrium with the largest sum of payoffs.", "--welfare")] = False,
    correlated: Annotated[
        bool, option("Also the best correlated and coarse correlated equilibria.", "--correlated")
    ] = False,
    starts: Annotated[int, option("Paths of Lemke's method, each from another start.", "--starts", min=1)] = 1,
    rows: Rows = 20,
) -> None:
    """Find the equilibria of any small game: all of them for two players with few strategies, zero-sum or not.

    First dominated strategies are eliminated, and all pure equilibria listed. For two players the vertices of the
    best-response polytopes give every equilibrium, in fractions; larger games have some by Lemke and Howson's paths, or
    one in the sequence form by Lemke's. Questions are answered by the list if it is complete, else by mixed-integer
    programs. Three or more players: dominance, pure and correlated equilibria.

    pokerlab nash battle-of-the-sexes
    pokerlab nash shapley --correlated
    pokerlab nash kuhn --starts 3
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.analyse.equilibria import show_equilibria
    from pokerlab.lab.analyse.equilibria import Questions, analyse_equilibria, exact_number

    least = None if at_least is None else exact_number(at_least)
    asked = Questions(welfare=welfare, another=another, at_least=least, player=player)
    with ProgressBar(f"equilibria of {game}") as bar:
        found = analyse_equilibria(
            game, method=method, weak=weak, questions=asked, correlated=correlated, starts=starts, on_progress=bar
        )
    write_results(found.as_dict, lambda screen: show_equilibria(screen, found, rows=rows))
