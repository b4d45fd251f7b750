"""`pokerlab verify`: whether a solution is as good as its file says."""

from __future__ import annotations

from typing import Annotated

from typer import Exit

from pokerlab.cli._options import Solution, option
from pokerlab.cli._output import announcing_compilation, write_results


def command(
    file: Solution,
    rerun: Annotated[
        bool, option("Also solve again from scratch and compare every number of the solver's state.", "--rerun")
    ] = False,
) -> None:
    """Check a saved solution: rebuild the game, measure by best responses, and compare with all that the file states.

    Lists what was rechecked and what cannot be, such as the running time. Exit code 2 if something differs.

    pokerlab verify leduc.solution
    """
    from pokerlab.cli._progress import ProgressBar
    from pokerlab.display.analyse.assessment import show_verification
    from pokerlab.lab.analyse.verification import verify

    with announcing_compilation(), ProgressBar(f"verifying {file}"):
        verified = verify(file, rerun=rerun)
    write_results(verified.as_dict, lambda screen: show_verification(screen, verified))
    if not verified.matches:
        raise Exit(2)
