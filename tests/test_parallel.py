"""The same results in the same order, whatever the mode."""

from __future__ import annotations

import time
from itertools import count, islice

import pytest

from pokerlab import parallel
from pokerlab.errors import BadSetting


def slow_square(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return number * number


def fail_on_three(number: int) -> int:
    if number == 3:
        raise ZeroDivisionError
    return number


@pytest.mark.parametrize("mode", parallel.MODES)
def test_order_is_kept(mode: str) -> None:
    assert list(parallel.run(abs, range(-9, 0), mode=mode, workers=2)) == [abs(n) for n in range(-9, 0)]
    if mode != "processes":
        assert list(parallel.run(slow_square, range(9), mode=mode, workers=3)) == [n * n for n in range(9)]


def test_endless_items_are_taken_as_needed() -> None:
    taken = []

    def items() -> object:
        for number in count():
            taken.append(number)
            yield number

    results = parallel.run(slow_square, items(), mode="threads", workers=2)  # type: ignore[arg-type]
    assert list(islice(results, 3)) == [0, 1, 4]
    assert len(taken) <= 8


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        list(parallel.run(fail_on_three, range(9), mode="threads", workers=2))


def test_bad_settings() -> None:
    with pytest.raises(BadSetting, match="serial, threads, processes"):
        parallel.run(abs, [], mode="magic")
    with pytest.raises(BadSetting, match="at least 1"):
        parallel.run(abs, [], workers=0)
