"""`pokerlab verify`: whether a solution is as good as its file says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, literal, print_json

if TYPE_CHECKING:
    from pokerlab.solve.solver import Measure

TOLERANCE = 1e-9


def command(
    file: Annotated[
        Path, typer.Argument(help="A solution kept by `pokerlab solve --out` or `spot --out`.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Lay the game out again, compute best responses to the kept strategy, and compare with what the file says.

    Exit code 2 when they differ.

    Example: [bold]pokerlab verify leduc.solution[/bold]
    """
    from pokerlab.store import manifest_of
    from pokerlab.strategy.spot_solution import KIND

    is_spot = manifest_of(file).get("kind") == KIND
    with announcing_compilation():
        checked = _spot(file) if is_spot else _solution(file)
    if as_json:
        print_json({"file": str(file)} | checked.told)
    else:
        verdict = "[green]matches[/green]" if checked.matches else "[red]does not match[/red]"
        console().print(verdict.join(checked.words), soft_wrap=True)
    if not checked.matches:
        raise typer.Exit(2)


class _Checked(NamedTuple):
    matches: bool
    told: dict[str, Any]
    words: tuple[str, str]  # before and after the verdict


def _same(kept: Measure, found: Measure) -> bool:
    """Whether two measures agree to rounding."""
    said, true = (*kept.values, *kept.best_responses), (*found.values, *found.best_responses)
    scale = max(1.0, *(abs(number) for number in true))
    return len(said) == len(true) and all(
        abs(one - other) <= TOLERANCE * scale for one, other in zip(said, true, strict=True)
    )


def _solution(file: Path) -> _Checked:
    from pokerlab.strategy.solution import load

    kept = load(file)
    found = kept.remeasured()
    matches = _same(kept.measure, found.measure)
    told = {
        "game": kept.game,
        "matches": matches,
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "value": found.value,
        "stated_exploitability": kept.exploitability,
    }
    return _Checked(
        matches,
        told,
        (
            f"[bold]{literal(kept.game)}[/bold]: exploitability {found.exploitability:.6g}, value {found.value:+.6f}; ",
            f" the file's {kept.exploitability:.6g}",
        ),
    )


def _spot(file: Path) -> _Checked:
    from dataclasses import replace

    from pokerlab.strategy.spot_solution import load_spot

    kept = load_spot(file)
    found = replace(kept, measure=kept.solver.measure())
    matches = _same(kept.measure, found.measure)
    told = {
        "game": "spot",
        "matches": matches,
        "exploitability": found.measure.exploitability,
        "exploitability_percent": found.exploitability_percent,
        "ev": list(found.values),
        "stated_exploitability_percent": kept.exploitability_percent,
    }
    return _Checked(
        matches,
        told,
        (
            f"[bold]{literal(file.name)}[/bold]: exploitability {found.exploitability_percent:.6g} % of the pot, EV "
            f"{found.values[0]:.4f} and {found.values[1]:.4f}; ",
            f" the file's {kept.exploitability_percent:.6g} %",
        ),
    )
