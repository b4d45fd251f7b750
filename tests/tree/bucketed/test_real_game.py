"""What measuring in the real game is said to take."""

from __future__ import annotations

import pytest

from pokerlab.lab.solve.training import abstracted, build_form
from pokerlab.tree.bucketed.real_game import measuring_cost
from pokerlab.tree.form import kind_of


@pytest.mark.parametrize("name", ["kuhn(players=3)", "small-draw(cards=1, ranks=3, suits=2)"])
def test_to_build_a_form_takes_more_than_to_keep_it(name: str) -> None:
    form = build_form(abstracted(name, None)).form
    cost, kept = measuring_cost(form), kind_of("sequence").forecast(form.game)  # type: ignore[arg-type, attr-defined]
    assert cost is not None
    assert (cost.kind, cost.histories) == ("sequence", kept.nodes)
    assert kept.bytes < cost.bytes < 5 * kept.bytes
