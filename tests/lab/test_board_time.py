"""How long a report will take: by forecast at first, then by what was done."""

from __future__ import annotations

from typing import Any

import pytest

from pokerlab.lab.solve.tasks import spot_task
from pokerlab.lab.spots import boards
from pokerlab.lab.spots.board_list import all_flops, read_boards
from pokerlab.lab.spots.boards import TimeLeft, symmetries_of
from pokerlab.tree.public.forecast import forecast

SPOT: dict[str, Any] = {
    "board": "Ks7h2d",
    "pot": 50,
    "stack": 100,
    "out_of_position": {"range": "AA,KQs,76s,JTo", "bet": "50%"},
    "in_position": {"range": "QQ+,K9s+,76s", "bet": "50%"},
}
BOARDS = read_boards("Ks7h2d, Qs7s2s, 8d8h3c5s, 7h7d3s4d5d")


class Clock:
    """Time that is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    told = Clock()
    monkeypatch.setattr(boards.time, "perf_counter", told)
    return told


def test_the_forecast_is_that_of_each_board(clock: Clock) -> None:
    left = TimeLeft(SPOT, BOARDS, workers=1, target="1%")
    for item in BOARDS:
        spot = spot_task(SPOT | {"board": item.board}).spot
        assert spot is not None
        assert left.work[item.board] == pytest.approx(forecast(spot, target_percent=1).seconds)
    assert left.left() == left.expected == pytest.approx(sum(left.work.values()))
    few = TimeLeft(SPOT, BOARDS, workers=1, target="1%", iterations=1)
    assert few.expected < left.expected / 10
    assert TimeLeft(SPOT, BOARDS, workers=1, target="1%", seconds=0.001).expected <= 0.004


def test_boards_that_differ_by_names_of_suits_alone_are_forecast_once() -> None:
    counts = {symmetries_of([*flop]) for flop in ((0, 4, 8), (0, 5, 10), (0, 4, 9), (0, 1, 2))}
    assert counts == {6, 1, 2}  # names of the suits that are not there, and of those that come alike
    left = TimeLeft(SPOT, all_flops(), workers=4, target="1%")
    assert len(left.work) == 1755
    assert len(set(left.work.values())) <= 5


def test_time_left_falls_and_follows_what_was_done(clock: Clock) -> None:
    left = TimeLeft(SPOT, BOARDS, workers=1, target="1%")
    for item in BOARDS:
        left.work[item.board] = 10.0
    left.begin([BOARDS[0].board])
    assert left.left() == pytest.approx(30)
    clock.now += 4
    assert left.left() == pytest.approx(26)
    clock.now += 36  # four times as long as forecast
    assert left.left() == pytest.approx(80)
    left.finished(BOARDS[1].board)
    assert 40 <= left.left() <= 80
    left.finished(BOARDS[2].board)
    left.finished(BOARDS[3].board)
    assert left.left() == 0


def test_workers_share_the_work_and_the_longest_board_is_waited_for(clock: Clock) -> None:
    left = TimeLeft(SPOT, BOARDS, workers=8, target="1%")
    assert left.expected == max(left.work.values())
