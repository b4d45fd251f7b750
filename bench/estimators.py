"""Measures how many times as many hands each estimator of `match --adjust` is worth.

    python -m bench.estimators leduc [HANDS]       # a solution of Leduc against itself
    python -m bench.estimators holdem [HANDS]      # the blueprint of limit hold'em against itself

The ratio is that of the variances of the mean, without and with the estimator, of hands played once and of duplicate
deals, and the number of hands a second says what an estimator costs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pokerlab.lab.solve.solving import solve
from pokerlab.match.run.match import MatchSettings, play_match

ESTIMATORS = ("all-in", "imaginary", "divat", "mivat", "aivat")


def main(words: list[str]) -> int:
    """Print a line for each estimator, of plain and of duplicate hands."""
    holdem = words[:1] == ["holdem"]
    hands = int(words[1]) if len(words) > 1 else 1000 if holdem else 10_000
    with tempfile.TemporaryDirectory() as folder:
        agent = "blueprint"
        if not holdem:
            agent = f"strategy:{Path(folder) / 'leduc.solution'}"
            solve("leduc", target=1e-3, save=Path(folder) / "leduc.solution")
        specs = (*ESTIMATORS, *(() if holdem else ("aivat(values='equity')",)))
        for spec in specs:
            print(spec, *(_measured(agent, spec, hands, holdem=holdem, duplicate=both) for both in (False, True)))
    return 0


def _measured(agent: str, spec: str, hands: int, *, holdem: bool, duplicate: bool) -> str:
    game = "holdem-limit" if holdem else "leduc"
    result = play_match(MatchSettings.of(game, [agent, agent], hands=hands, duplicate=duplicate, adjust=spec, seed=3))
    kind = "duplicate" if duplicate else "plain"
    return f"{kind} {result.times_as_many(0):.2f} times as many hands, {result.hands / result.seconds:.0f} hands/s;"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
