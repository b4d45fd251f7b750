"""A kept strategy, infoset by infoset."""

from __future__ import annotations

import io

from rich.console import Console

from pokerlab.display.browse.listing import line_table
from pokerlab.strategy.policy import StrategyLine


def test_four_actions_stay_on_one_line_at_80_columns() -> None:
    actions = {"fold": 0.1, "call": 0.2, "raise": 0.3, "all-in": 0.4}
    lines = [StrategyLine("Kb/Qb:cc/cr", 0, 0.5, actions)]
    written = io.StringIO()
    screen = Console(file=written, width=80)
    screen.print(line_table(lines, 80))
    assert len(written.getvalue().splitlines()) == 2
