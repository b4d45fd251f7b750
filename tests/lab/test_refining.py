"""Subgame solving on a named blueprint."""

from __future__ import annotations

from pokerlab.lab.analyse.refining import compare_subgame_solving


def test_a_uniform_blueprint() -> None:
    measured = compare_subgame_solving("leduc", "random", methods=("maxmargin",), iterations=60)
    assert list(measured) == ["blueprint", "maxmargin"]
    gaps = [one.measure.exploitability for one in measured.values()]
    assert abs(gaps[0] - 2.373611) < 1e-6
    assert gaps[1] < 0.7 * gaps[0]
