"""An agent that always does the same: it folds both blinds to raises, and only the button to calls."""

from __future__ import annotations

import pokerlab


def test_what_always_fold_loses() -> None:
    lost = {}
    for opponent in ("always-raise", "always-call"):
        result = pokerlab.match(["always-fold", opponent], game="holdem-limit", hands=400, workers=1, seed=3)
        lost[opponent] = result.as_dict()["agents"][0]["mbb"]
    assert lost["always-raise"] == {"mean": -750.0, "low": -750.0, "high": -750.0}
    assert lost["always-call"]["low"] < -250 < lost["always-call"]["high"] < 0  # in the big blind, free showdowns
