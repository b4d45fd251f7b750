"""What a comparison tells of algorithms that were run."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from command_line import CommandLine
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


def test_iterations_of_samplers_are_marked_beside_those_of_full_traversals(cli: CommandLine) -> None:
    words = ["compare", "kuhn", "--iterations", "5", "--with"]
    shown = cli([*words, "dcfr,external,outcome"]).printed
    marked = {line.split()[1]: "5*" in line.split() for line in shown.splitlines() if " 5" in line and "%" not in line}
    assert {"dcfr": False, "external": True, "outcome": True}.items() <= marked.items()
    assert "* iterations that sample a part of the game" in shown
    for alike in ("dcfr,cfr", "external,outcome"):
        assert "*" not in cli([*words, alike]).printed
    results = cli([*words, "dcfr,external", "--json"]).json["results"]
    assert {name: one["samples"] for name, one in results.items()} == {"dcfr": False, "external": True}
