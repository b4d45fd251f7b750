"""What a comparison tells of algorithms that were run."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from pokerlab.lab.solve.comparing import Comparison
from pokerlab.lab.solve.solving import solve
from pokerlab.tree.measure import Measure


def test_what_was_not_measured_ranks_last() -> None:
    """In whatever order they ran: what is no number sorts nothing."""
    solution = solve("kuhn", iterations=1)
    measures = {name: Measure((0.0, 0.0), (gap, gap)) for name, gap in (("a", 0.3), ("b", 0.1), ("c", 0.2))}
    measures |= {"unknown": Measure.unknown(2), "unknown too": Measure.unknown(2)}
    for names in permutations(measures):
        found = Comparison("kuhn", {name: replace(solution, measure=measures[name]) for name in names})
        ranked = [name for name, _ in found.ranking]
        assert ranked[:3] == ["b", "c", "a"]
        assert ranked[3:] == [name for name in names if name.startswith("unknown")]
