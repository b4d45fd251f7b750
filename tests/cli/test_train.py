"""The command `pokerlab train`: how long it runs."""

from __future__ import annotations

from typing import Any

import pytest

from command_line import CommandLine
from pokerlab.cli.train import DEFAULT_SECONDS
from pokerlab.errors import BadSetting


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ([], (None, DEFAULT_SECONDS)),
        (["--iterations", "500"], (500, None)),
        (["--seconds", "7"], (None, 7)),
        (["--iterations", "500", "--seconds", "7"], (500, 7)),
    ],
)
def test_it_stops_where_it_is_told_or_after_a_minute(
    words: list[str], limits: tuple[Any, Any], cli: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, Any]] = []

    def stop(*, iterations: int | None, seconds: float | None) -> None:
        asked.append((iterations, seconds))
        raise BadSetting("that is all")

    monkeypatch.setattr("pokerlab.solvers.core.run.Stop", stop)
    assert "that is all" in cli(["train", "leduc", *words]).refusal
    assert asked == [limits]
