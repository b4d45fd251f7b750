"""The cancel token and the events."""

from __future__ import annotations

import signal
import threading

import pytest

from pokerlab.events import Cancelled, CancelToken, Event, Watch


def press() -> None:
    signal.raise_signal(signal.SIGINT)


def test_ctrl_c_sets_the_token_and_a_second_one_raises() -> None:
    token = CancelToken()
    with token.on_interrupt():
        press()
        assert token.cancelled
        with pytest.raises(KeyboardInterrupt), token.on_interrupt():  # the second counts in a block inside as well
            press()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_at_once_the_first_raises() -> None:
    token = CancelToken()
    with pytest.raises(KeyboardInterrupt), token.on_interrupt(at_once=True):
        press()
    assert token.cancelled


def test_ctrl_c_after_a_cancelled_token_is_the_first_one() -> None:
    token = CancelToken()
    token.cancel()
    with token.on_interrupt():
        press()  # does not raise: the job is still saving


def test_ignored_interrupts_and_other_threads_leave_the_handler_alone() -> None:
    token = CancelToken()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with token.on_interrupt():
        press()
    assert not token.cancelled
    signal.signal(signal.SIGINT, before)
    handlers = []

    def look() -> None:
        with token.on_interrupt():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert handlers == [before]


def test_a_watch_reports_before_it_raises() -> None:
    token, events = CancelToken(), []
    watch = Watch("job", events.append, token, "rows")
    token.cancel()
    with pytest.raises(Cancelled):
        watch.at("saving", 3, 4, payload="row")
    (event,) = events
    assert (event.job, event.message, event.done, event.total, event.unit, event.payload) == (
        "job",
        "saving",
        3,
        4,
        "rows",
        "row",
    )
    assert event.seconds >= 0


def test_parts_of_a_job_join_without_gaps() -> None:
    events: list[Event] = []
    whole = Watch("job", events.append)
    for number in range(7):
        part = whole.within(number / 7, (number + 1) / 7, f"part {number}")
        for done in range(4):
            part.within(0.0, 1.0).at("" if done else "start", done, 3)
    shares = [event.share for event in events]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert [event.message for event in events[:2]] == ["part 0: start", "part 0"]
