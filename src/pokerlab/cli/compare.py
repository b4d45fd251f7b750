"""`pokerlab compare`: several algorithms on one game, and their convergence curves."""

from __future__ import annotations

from typing import Annotated, Any

from pokerlab.cli._completion import AXES, several_algorithm_names
from pokerlab.cli._options import Csv, Form, Game, Iterations, Plot, SecondsPerAlgorithm, Seed, Target, option
from pokerlab.cli._output import announcing_compilation, check_outputs, note, write_results


def command(
    game: Game,
    algorithms: Annotated[
        str, option("Algorithms, separated by commas.", "--with", complete=several_algorithm_names)
    ] = "cfr,cfr+,linear-cfr,dcfr,pcfr+,external",
    seconds: SecondsPerAlgorithm = None,
    iterations: Iterations = None,
    target: Target = None,
    form: Form = "auto",
    axis: Annotated[
        str,
        option(
            "Horizontal axis: seconds, iterations, nodes (touched) or passes (over the game).", "--x", complete=AXES
        ),
    ] = "seconds",
    plot: Plot = None,
    csv: Csv = None,
    seed: Seed = 0,
) -> None:
    """Run several algorithms on one game: how their exploitability falls, by default in 3 seconds each.

    pokerlab compare leduc --with cfr,cfr+,dcfr,pcfr+,external --x nodes
    pokerlab compare leduc --with egt,mirror-prox,cfr+,dcfr,pcfr+ --x passes
    pokerlab compare leduc --with cfr,dcfr --csv curves.csv --plot curves.png
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.solve.convergence import check_axis, comparison_columns, comparison_figure, show_comparison
    from pokerlab.lab.solve.comparing import compare
    from pokerlab.specs import split_specs

    check_axis(axis)
    check_outputs(csv=csv, picture=plot)
    limits: dict[str, Any] = {"target": target, "iterations": iterations, "seconds": seconds}
    with announcing_compilation(), ProgressBar() as bar:
        comparison = compare(game, split_specs(algorithms), **limits, seed=seed, form=form, on_progress=bar)
    if axis in ("nodes", "passes") and not any(one.nodes_touched for one in comparison.solutions.values()):
        note(f"no algorithm here counts {axis}; curves are drawn against seconds")
        axis = "seconds"
    write_results(
        comparison.as_dict,
        lambda screen: show_comparison(screen, comparison, axis=axis),
        csv=(csv, lambda _: comparison_columns(comparison, axis)),
        plot=(plot, lambda _: comparison_figure(comparison, axis)),
    )
