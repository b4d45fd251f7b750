"""`pokerlab verify`: whether a solution is as good as its file says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, print_json

TOLERANCE = 1e-9


def command(
    file: Annotated[Path, typer.Argument(help="A solution kept by `pokerlab solve --out`.", show_default=False)],
    as_json: Json = False,
) -> None:
    """Lay the game out again, compute best responses to the kept strategy, and compare with what the file says.

    Exit code 2 when they differ.

    Example: [bold]pokerlab verify leduc.solution[/bold]
    """
    from pokerlab.strategy.solution import load

    kept = load(file)
    with announcing_compilation():
        found = kept.remeasured()
    said = (*kept.measure.values, *kept.measure.best_responses)
    true = (*found.measure.values, *found.measure.best_responses)
    scale = max(1.0, *(abs(number) for number in true))
    matches = len(said) == len(true) and all(
        abs(one - other) <= TOLERANCE * scale for one, other in zip(said, true, strict=True)
    )
    if as_json:
        print_json(
            {
                "file": str(file),
                "game": kept.game,
                "matches": matches,
                "exploitability": found.exploitability,
                "nash_conv": found.nash_conv,
                "value": found.value,
                "stated_exploitability": kept.exploitability,
            }
        )
    else:
        verdict = "[green]matches[/green]" if matches else "[red]does not match[/red]"
        console().print(
            f"[bold]{kept.game}[/bold]: exploitability {found.exploitability:.6g}, value {found.value:+.6f}; "
            f"{verdict} the file's {kept.exploitability:.6g}",
            soft_wrap=True,
        )
    if not matches:
        raise typer.Exit(2)
