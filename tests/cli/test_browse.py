"""Walking a solution at a terminal, as typed."""

from __future__ import annotations

import builtins
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pokerlab.cli import browse
from pokerlab.lab.browsing import place_dict
from pokerlab.lab.solving import solve


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Walk Leduc by these lines; what was printed after each, and at the end what was told as wrong."""
    solution = solve("leduc", form="public", iterations=3)

    def typed(*lines: str) -> list[str]:
        shown, problems, waiting = [], [], list(lines)

        def answer(_: str) -> str:
            told = capsys.readouterr()
            shown.append(told.out)
            problems.append(told.err)
            if not waiting:
                raise EOFError
            return waiting.pop(0)

        monkeypatch.setattr(builtins, "input", answer)
        monkeypatch.setenv("COLUMNS", "120")
        browse._walk(solution.root)
        return [*shown[1:], "".join(problems)]

    typed.root = solution.root  # type: ignore[attr-defined]
    return typed


def test_moves_up_and_top(typing: Callable[..., list[str]]) -> None:
    first, second, up, again, top, problems = typing("r", "c", "up", "c", "top")
    assert "r" in first.splitlines()[0]
    assert "a card comes" in second
    assert (up, again) == (first, second)
    assert "start" in top.splitlines()[0]
    assert not problems


def test_questions_leave_the_place_as_it_is(typing: Callable[..., list[str]], tmp_path: Path) -> None:
    table, place = tmp_path / "hands.csv", tmp_path / "place.json"
    told, hands, _, _, after, problems = typing("?", "hands", f"csv {table}", f"json {place}", "top")
    assert told.strip() == browse.HELP
    assert "player 0" in hands
    assert table.read_text().startswith("player,hand")
    root = typing.root  # type: ignore[attr-defined]
    assert json.loads(place.read_text()) == json.loads(json.dumps(place_dict(root)))
    assert "start" in after.splitlines()[0]
    assert not problems


def test_a_wrong_word_is_told_and_the_walk_goes_on(typing: Callable[..., list[str]]) -> None:
    wrong, moved, problems = typing("nosuch", "c", "q")
    assert not wrong
    assert "c" in moved.splitlines()[0]
    assert "nosuch" in problems
