"""Strategies that the samplers of the bucketed form find, in files: averages are floats there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.lab.solve.solving import resume
from pokerlab.lab.solve.training import train
from pokerlab.strategy.files.solution_file import load


@pytest.mark.parametrize("algorithm", ["external(schedule=dcfr)", "public-chance", "pure"])
def test_kept_loaded_and_resumed(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "leduc.solution"
    found = train("leduc", algorithm=algorithm, iterations=400, seed=3, save=path)
    kept = load(path)
    wanted = np.uint32 if algorithm == "pure" else np.float32
    assert kept.state["average"].dtype == wanted
    assert np.array_equal(kept.state["average"], found.state["average"])
    assert kept.measure.exploitability == pytest.approx(found.measure.exploitability)
    assert list(kept.strategy.lines()) == list(found.strategy.lines())
    resumed = resume(path, iterations=1000)
    whole = train("leduc", algorithm=algorithm, iterations=1000, seed=3)
    assert np.array_equal(resumed.state["average"], whole.state["average"])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -1.0])
def test_averages_that_are_no_weights_are_refused(wrong: float, tmp_path: Path) -> None:
    path, spoiled = tmp_path / "kuhn.solution", tmp_path / "spoiled.solution"
    train("kuhn", algorithm="external", iterations=50, seed=3, save=path)
    kept = store.load(path, kind="solution")
    arrays = {name: np.array(array) for name, array in kept.arrays.items()}
    words = {name: word for name, word in kept.manifest.items() if name not in ("version", "checksum", "quick")}
    arrays["state.average"][3] = wrong
    store.save(spoiled, arrays, **words)
    with pytest.raises(BadFile):
        load(spoiled)
    arrays["state.average"] = np.zeros(len(arrays["state.average"]), np.float64)
    store.save(spoiled, arrays, **words)
    with pytest.raises(BadFile, match="are not of kuhn"):
        load(spoiled)
