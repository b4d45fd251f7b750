"""What a file stores of a solution: everything needed to resume, or only the strategy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pokerlab.errors import BadSetting
from pokerlab.strategy.files.solution import FULL, STRATEGY, Solution
from pokerlab.strategy.files.solution_file import load


def check_keep(keep: str) -> None:
    """Raise BadSetting for an unknown value of `keep`."""
    if keep not in (FULL, STRATEGY):
        raise BadSetting(f"a file keeps {FULL} (all that resuming needs) or {STRATEGY} (alone), not {keep[:40]!r}")


def compact(path: Path | str, out: Path | str, *, bits: int = 8) -> Solution:
    """Write only the strategy of a saved solution to another file; return that solution.

    For a blueprint, a probability takes 8 or 16 `bits`.
    """
    if bits not in (8, 16):
        raise BadSetting(f"a probability is kept in 8 or 16 bits, not {bits}")
    found = load(path)
    if bits != 8:
        if not found.strategy.has_buckets:
            raise BadSetting("bits can be chosen for blueprints alone; other solutions are kept to a thousandth")
        if found.keeps != FULL:
            raise BadSetting(f"{path} keeps the strategy alone already, in as few digits as it was told")
        found = replace(found, strategy=found.strategy.strategy_only(bits))
    alone = found.strategy_only()
    alone.save(out)
    return alone


def check_elsewhere(path: Path | str, save: Path | str | None, keep: str) -> None:
    """Raise BadSetting if the strategy alone would overwrite the state that it is resumed from."""
    if keep == STRATEGY and (save is None or Path(save).resolve() == Path(path).resolve()):
        raise BadSetting(
            f"{path} could not be resumed again if only its strategy were kept there: name another file to keep it in"
        )
