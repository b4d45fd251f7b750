"""Engines by form and device: another device is one more key, and a form that lacks it says so."""

from __future__ import annotations

import pytest

from pokerlab import registry
from pokerlab.errors import BadSetting
from pokerlab.formats.opening import open_game
from pokerlab.solvers.core.algorithm import Algorithm
from pokerlab.tree.form import build_form
from pokerlab.tree.resources import Resources


def test_an_engine_of_another_device_is_chosen_by_its_key() -> None:
    dcfr = registry.load("algorithms", "dcfr")
    started = []

    def engine(form, seed, resources):
        started.append((form.kind, resources.device))
        return dcfr.start(form, seed=seed)

    both = Algorithm("both", {"sequence": dcfr.engines["sequence"], ("sequence", "card"): engine}, general=dcfr.general)
    form = build_form(open_game("kuhn"), "sequence")
    one, other = both.start(form), both.start(form, resources=Resources(device="card"))
    for solver in (one, other):
        solver.advance(5)
    assert started == [("sequence", "card")]
    assert one.measure() == other.measure()
    assert both.forms[0] == "sequence"
    with pytest.raises(BadSetting, match="both does not run on the device 'card' in the public form; choose cpu"):
        both.start(build_form(open_game("kuhn"), "public"), resources=Resources(device="card"))
    with pytest.raises(BadSetting, match="'cuda' in the sequence form; choose card or cpu"):
        both.start(form, resources=Resources(device="cuda"))
