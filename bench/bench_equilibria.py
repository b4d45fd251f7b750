"""All equilibria of random two-player games, and one by Lemke and Howson's paths, beside Gambit's C++ (pygambit)."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from bench import Row, interleaved
from pokerlab.formats.opening import open_game
from pokerlab.solvers.equilibria.bimatrix import Bimatrix, whole_table
from pokerlab.solvers.equilibria.lemke import lemke
from pokerlab.solvers.equilibria.lemke_howson import lemke_howson
from pokerlab.solvers.equilibria.vertices import all_equilibria
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

SIZES = (3, 5, 7)
GAMES = 10
LARGER = "leduc"
QUICK = {"SIZES": (2, 3), "GAMES": 2, "LARGER": "kuhn"}


def measure() -> Iterator[Row]:
    """Seconds for several games, exact on both sides; processor time."""
    random = np.random.default_rng(0)
    for size in SIZES:
        tables = [random.integers(-20, 21, (2, size, size)).astype(float) for _ in range(GAMES)]
        games = [Bimatrix(whole_table(table)) for table in tables]
        jobs: dict[str, Callable[[], object]] = {
            "all": lambda: [all_equilibria(game) for game in games],  # noqa: B023
            "paths": lambda: [lemke_howson(game) for game in games],  # noqa: B023
        }
        theirs = gambit_games(tables)
        if theirs:
            jobs |= {f"gambit {name}": partial(solve_all, theirs, name) for name in ("enummixed_solve", "lcp_solve")}
        took = interleaved(jobs, repeats=3, clock=time.process_time)
        what = f"{GAMES} games of {size} x {size}"
        yield Row(f"{what}: all equilibria", took["all"], took.get("gambit enummixed_solve"), "Gambit", "s")
        yield Row(f"{what}: Lemke and Howson, every label", took["paths"], took.get("gambit lcp_solve"), "Gambit", "s")
    yield from sequence_forms()


def sequence_forms() -> Iterator[Row]:
    """Lemke's method on the sequence forms of Kuhn poker and Leduc hold'em."""
    from pokerlab.formats.gambit_writing import efg_text

    form = sequence_form(build(open_game("kuhn")))
    jobs: dict[str, Callable[[], object]] = {"ours": lambda: lemke(form)}
    try:
        import pygambit

        game = pygambit.read_efg(io.StringIO(efg_text(open_game("kuhn"))))
        jobs["theirs"] = lambda: pygambit.nash.lcp_solve(game, rational=True, use_strategic=False)
    except ImportError:
        pass
    took = interleaved(jobs, repeats=3, clock=time.process_time)
    yield Row("Lemke's method on Kuhn poker, exact", took["ours"], took.get("theirs"), "Gambit", "s")
    larger = sequence_form(build(open_game(LARGER)))
    took = interleaved({"ours": lambda: lemke(larger, exact=False)}, repeats=1, clock=time.process_time)
    yield Row(f"Lemke's method on {LARGER}", took["ours"], unit="s")


def gambit_games(tables: list[np.ndarray]) -> list[Any]:
    """The same games as Gambit has them; none if it is not installed."""
    try:
        import pygambit
    except ImportError:
        return []
    games = []
    for table in tables:
        rows, columns = table.shape[1:]
        cells = (f"{Fraction(table[0, i, j])} {Fraction(table[1, i, j])}" for j in range(columns) for i in range(rows))
        text = f'NFG 1 R "random" {{ "row" "column" }} {{ {rows} {columns} }}\n\n{" ".join(cells)}'
        games.append(pygambit.read_nfg(io.StringIO(text)))
    return games


def solve_all(games: list[Any], method: str) -> None:
    """Solve games by one of Gambit's methods, in fractions."""
    import pygambit

    for game in games:
        getattr(pygambit.nash, method)(game, rational=True)
