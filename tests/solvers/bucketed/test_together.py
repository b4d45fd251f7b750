"""Training in shares: one share is the run of one machine, and many are reproducible and converge as fast."""

from __future__ import annotations

import numpy as np
import pytest

from pokerlab.errors import BadSetting
from pokerlab.lab.solve.training import abstracted, build_form
from pokerlab.registry import load
from pokerlab.solvers.bucketed import together
from pokerlab.solvers.bucketed.together import divided, next_exchange, run_share
from pokerlab.tree.resources import Resources

IN_SHARES = {"backend": "serial", "interval": 12_000}


def trained(algorithm: str, *steps: int, **settings: object) -> dict[str, np.ndarray]:
    """The state after some steps."""
    form = build_form(abstracted("leduc", None)).form
    solver = load("algorithms", algorithm).start(form, seed=3, resources=Resources(**settings))  # type: ignore[arg-type]
    for step in steps:
        solver.advance(step)
    arrays: dict[str, np.ndarray] = {name: array.copy() for name, array in solver.arrays().items()}
    return arrays


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all((array == other[name]).all() for name, array in one.items())


def test_one_share_is_the_run_of_one_machine() -> None:
    ends = next_exchange(20_000, 10_000, 12_000)
    assert same(trained("pure", ends), trained("pure", 20_000, 1, **IN_SHARES, workers=1))


def test_where_a_run_is_divided_does_not_matter() -> None:
    at_once = trained("pure", 30_000, **IN_SHARES, workers=3)
    assert same(at_once, trained("pure", 1, 9_000, 8_000, **IN_SHARES, workers=3))
    assert not same(at_once, trained("pure", 30_000, **IN_SHARES, workers=2))


def test_an_interval_adds_averages_and_takes_means_of_regrets(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = []

    def noting(share: together.Share) -> together.Change:
        changes.append((share, run_share(share)))
        return changes[-1][1]

    monkeypatch.setattr(together, "run_share", noting)
    before = trained("pure", 10_000, **IN_SHARES, workers=3)
    changes.clear()
    after = trained("pure", 10_000, 10_000, **IN_SHARES, workers=3)
    last = [one for one in changes if one[0].first >= 10_000]
    assert [(share.first, share.last) for share, _ in last] == divided(10_000, 20_000, 3)
    assert (after["average"] - before["average"] == sum(change.average for _, change in last)).all()
    mean = np.mean([change.regret for _, change in last], axis=0)
    assert abs(after["regret"] - before["regret"] - mean).max() <= 0.5
    assert mean.any()


def test_only_samplers_on_buckets_run_on_machines() -> None:
    with pytest.raises(BadSetting, match="several machines train in the bucketed form only"):
        Resources(backend="ray").check("public")
    with pytest.raises(BadSetting, match="dcfr runs on one machine only"):
        load("algorithms", "dcfr").start(
            build_form(abstracted("kuhn", None)).form, resources=Resources(backend="serial")
        )
