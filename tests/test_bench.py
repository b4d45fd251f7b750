"""What counts as reached in the tables of timings."""

from __future__ import annotations

from bench import Row


def test_a_ratio_without_its_peer_is_missed() -> None:
    assert not Row("a", 10.0, asked=5).reached
    assert not Row("a", 10.0, 3.0, asked=5).reached
    assert Row("a", 10.0, 2.0, asked=5).reached
    assert Row("a", 1.0, 5.0, unit="s", asked=5).reached
    assert Row("a", 10.0).reached
