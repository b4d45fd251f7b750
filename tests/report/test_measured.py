"""What is told of how exploitable agents are."""

from __future__ import annotations

import io

from rich.console import Console

from pokerlab.lab.measuring import Measured
from pokerlab.report.measured import show_measured
from pokerlab.tree.measure import Measure


def test_a_gain_that_is_nothing_but_rounding_is_told_as_none() -> None:
    measure = Measure((-0.0856, 0.0856), (-0.0836, 0.0856 + 5.55e-16), zero_sum=True)
    written = io.StringIO()
    show_measured(Console(file=written, width=100), Measured("leduc", ("first", "second"), measure, pot=2.0))
    _, first, second, _ = written.getvalue().splitlines()
    assert first.split()[-1] == "+0.002000"
    assert second.split()[-1] == "+0.000000"
