"""`pokerlab verify`: whether a solution is as good as its file says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli._output import Json, announcing_compilation, console, literal, print_json

if TYPE_CHECKING:
    from pokerlab.lab.verification import Verification


def command(
    file: Annotated[
        Path, typer.Argument(help="A solution kept by `pokerlab solve --out` or `spot --out`.", show_default=False)
    ],
    rerun: Annotated[
        bool,
        typer.Option(
            "--rerun",
            help="Also solve again from the start, as long as it took, and compare every number of the solver's state.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Lay the game out again, measure the kept strategy by best responses, and compare with all that the file states.

    What was recomputed is told, and what no recomputing tells: how long it took, on which version. Exit code 2 when
    something differs.

    Example: [bold]pokerlab verify leduc.solution[/bold]
    """
    from pokerlab.lab.verification import verify
    from pokerlab.store import manifest_of

    stated = manifest_of(file)
    with announcing_compilation():
        checked = verify(file, rerun=rerun)
    numbers, words = (_spot if "spot" in stated else _solution)(checked, stated)
    if as_json:
        print_json({"file": str(file)} | numbers | _statements(checked))
    else:
        _show(file, checked, words)
    if not checked.matches:
        raise typer.Exit(2)


def _statements(checked: Verification) -> dict[str, Any]:
    return {
        "matches": checked.matches,
        "recomputed": [statement.what for statement in checked.statements],
        "wrong": [
            {"what": one.what, "stated": one.stated, "found": one.found} for one in checked.statements if not one.agrees
        ],
        "not_recomputed": list(checked.not_recomputed),
    }


def _solution(checked: Verification, stated: dict[str, Any]) -> tuple[dict[str, Any], str]:
    found = checked.measure
    numbers = {
        "game": checked.name,
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "value": found.values[0],
        "stated_exploitability": stated.get("exploitability"),
    }
    words = (
        f"[bold]{literal(checked.name)}[/bold]: exploitability {found.exploitability:.6g}, value {found.values[0]:+.6g}"
    )
    return numbers, words


def _spot(checked: Verification, stated: dict[str, Any]) -> tuple[dict[str, Any], str]:
    pot = float(stated["spot"]["pot"])
    found, percent = checked.measure, 100 * checked.measure.exploitability / pot
    ev = [value + pot / 2 for value in found.values]
    numbers = {
        "game": "spot",
        "exploitability": found.exploitability,
        "exploitability_percent": percent,
        "ev": ev,
        "stated_exploitability_percent": stated.get("exploitability_percent"),
    }
    return numbers, f"exploitability {percent:.6g} % of the pot, EV {ev[0]:.6g} and {ev[1]:.6g}"


def _show(file: Path, checked: Verification, words: str) -> None:
    screen = console()
    verdict = "[green]matches[/green]" if checked.matches else "[red]does not match[/red]"
    screen.print(f"{words}; {verdict} what {literal(file.name)} states", soft_wrap=True)
    for one in checked.wrong:
        screen.print(f"  {one.what}: the file says {str(one.stated)[:80]}, found {str(one.found)[:80]}", markup=False)
    count = len(checked.statements)
    left = ", ".join(checked.not_recomputed)
    screen.print(f"[dim]{count} statements recomputed; not recomputed: {left}[/dim]", soft_wrap=True)
