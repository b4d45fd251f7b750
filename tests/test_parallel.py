"""The same results in the same order, whatever the mode."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import count, islice
from pathlib import Path

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


ORPHANS = """
import os, time
from pokerlab import parallel

def wait(item):
    print(os.getpid(), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    list(parallel.run(wait, range(2), mode="processes", workers=2))
"""


def test_workers_leave_with_a_killed_parent(tmp_path: Path) -> None:
    program = tmp_path / "orphans.py"
    program.write_text(ORPHANS)
    running = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None
    workers = [int(running.stdout.readline()) for _ in range(2)]
    running.kill()
    running.wait()
    deadline = time.monotonic() + 30
    while any(_alive(worker) for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    running.stdout.close()


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().split(") ")[1][0] != "Z"  # one that nobody has waited for is gone


INTERRUPTED = """
import sys, time
from pokerlab import parallel

if __name__ == "__main__":
    try:
        for number in parallel.run(time.sleep, SECONDS, mode="processes", workers=3):
            print("begun", flush=True)
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are those of POSIX")
@pytest.mark.parametrize("delay", [0.05, 0.15, 0.3, None])
def test_workers_are_interrupted_without_a_word(delay: float | None, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal, to those that are just starting and to idle ones as well."""
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED.replace("SECONDS", "[0, 60]" if delay is None else "[60] * 3"))
    process = subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout is not None
    if delay is None:
        assert process.stdout.readline() == "begun\n"
    else:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while children.exists() and len(children.read_text().split()) < 2 and process.poll() is None:
            time.sleep(0.01)
        time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert (out, error) == ("stopped\n", "")
