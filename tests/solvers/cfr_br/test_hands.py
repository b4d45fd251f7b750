"""CFR-BR over classes of hands: the iterates of the sequence form, and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pokerlab import registry
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.tree.form import build_form

GAMES = [
    ("von-neumann(cards=8, ante=5, bet=3)", "classes"),
    ("von-neumann(cards=6, replacement=False, ante=5, bet=7)", "classes"),
    ("von-neumann(cards=5, replacement=False, bet=2)", "classes"),
    ("one-card(cards=5)", "classes"),
    ("kuhn", "classes"),
]


def started(name: str, kind: str, **settings: Any) -> Any:
    return registry.load("algorithms", "cfr-br", **settings).start(build_form(open_game(name), kind))


@pytest.mark.parametrize("schedule", ["cfr", "cfr+", "pcfr+"])
@pytest.mark.parametrize(("name", "kind"), GAMES)
def test_iterates_are_those_of_the_sequence_form(name: str, kind: str, schedule: str) -> None:
    """As long as no two actions are equally good to rounding."""
    for strategy in ("average", "current"):
        one, other = (started(name, form, schedule=schedule, strategy=strategy) for form in (kind, "sequence"))
        for _ in range(4):  # the average is not what is played from the second on
            one.advance(1)
            other.advance(1)
            assert one.measure().values == pytest.approx(other.measure().values, abs=1e-9)
            assert one.measure().best_responses == pytest.approx(other.measure().best_responses, abs=1e-9)
        assert one.nodes_touched > 0


@pytest.mark.parametrize(("name", "kind"), GAMES)
def test_the_value_is_bracketed(name: str, kind: str) -> None:
    value = solve(open_game(name), algorithm="lp", form=kind, iterations=1).value
    for strategy in ("average", "current"):
        solver = started(name, kind, strategy=strategy)
        left = []
        for iterations in (20, 300):
            solver.advance(iterations - solver.iterations)
            found = solver.measure()
            assert found.bounds[0] - 1e-9 <= value <= found.bounds[1] + 1e-9
            left.append(found.exploitability)
        assert left[1] < (left[0] / 2 if strategy == "average" else 0.05 * solver.form.max_abs_payoff)


@pytest.mark.parametrize("spec", ["cfr-br(strategy=current)", "cfr-br(schedule=dcfr)"])
@pytest.mark.parametrize(("name", "kind"), GAMES[1:4])
def test_a_run_is_resumed_bit_for_bit(name: str, kind: str, spec: str, tmp_path: Any) -> None:
    file = tmp_path / "kept"
    solve(open_game(name), algorithm=spec, form=kind, iterations=5, save=file)
    more, whole = resume(file, iterations=12), solve(open_game(name), algorithm=spec, form=kind, iterations=12)
    assert more.measure == whole.measure
    for array, again in zip(whole.state.values(), more.state.values(), strict=True):
        assert np.array_equal(array, again)
