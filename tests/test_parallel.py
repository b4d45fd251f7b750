"""The same results in the same order, whatever the back end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from itertools import count, islice
from pathlib import Path

import pytest

from pokerlab import parallel, registry
from pokerlab.errors import BadSetting, Notice, WorkerLost
from pokerlab.events import Cancelled, CancelToken


def slow_square(number: int) -> int:
    time.sleep(0.01 * (number % 3))
    return number * number


def fail_on_three(number: int) -> int:
    if number == 3:
        raise ZeroDivisionError
    return number


@pytest.mark.parametrize("backend", parallel.BACKENDS)
def test_order_is_kept(backend: str) -> None:
    assert list(parallel.run(abs, range(-9, 0), backend=backend, workers=2)) == [abs(n) for n in range(-9, 0)]
    if backend != "processes":
        assert list(parallel.run(slow_square, range(9), backend=backend, workers=3)) == [n * n for n in range(9)]


@pytest.mark.parametrize("backend", parallel.BACKENDS)
def test_a_cancelled_job_raises_at_once(backend: str) -> None:
    token = CancelToken()
    items = [1.0] * 20 if backend == "threads" else [60.0] * 9  # threads finish the items that they work on
    results = parallel.run(time.sleep, [0.0, *items], backend=backend, workers=2, cancel=token)
    next(results)
    timer = threading.Timer(0.0 if backend == "serial" else 0.3, token.cancel)
    timer.start()
    timer.join(timeout=0.1)
    began = time.perf_counter()
    with pytest.raises(Cancelled):
        list(results)
    assert time.perf_counter() - began < 10


def test_endless_items_are_taken_as_needed() -> None:
    taken = []

    def items() -> object:
        for number in count():
            taken.append(number)
            yield number

    results = parallel.run(slow_square, items(), backend="threads", workers=2)  # type: ignore[arg-type]
    assert list(islice(results, 3)) == [0, 1, 4]
    assert len(taken) <= 8


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        list(parallel.run(fail_on_three, range(9), backend="threads", workers=2))


def test_bad_settings() -> None:
    with pytest.raises(BadSetting, match="serial, threads, processes"):
        parallel.run(abs, [], backend="magic")
    with pytest.raises(BadSetting, match="at least 1"):
        parallel.run(abs, [], workers=0)


ORPHANS = """
import os, time
from pokerlab import parallel

def wait(item):
    print(os.getpid(), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    list(parallel.run(wait, range(2), backend="processes", workers=2))
"""


def test_workers_leave_with_a_killed_parent(tmp_path: Path) -> None:
    program = tmp_path / "orphans.py"
    program.write_text(ORPHANS, encoding="utf-8")
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
    return (
        not status.exists() or status.read_text(encoding="utf-8").split(") ")[1][0] != "Z"
    )  # one that nobody has waited for is gone


INTERRUPTED = """
import sys, time
from pokerlab import parallel

if __name__ == "__main__":
    try:
        for number in parallel.run(time.sleep, SECONDS, backend="processes", workers=3):
            print("begun", flush=True)
    except KeyboardInterrupt:
        print("stopped")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="groups of processes are those of POSIX")
@pytest.mark.parametrize("delay", [0.05, 0.15, 0.3, None])
def test_workers_are_interrupted_without_a_word(delay: float | None, tmp_path: Path) -> None:
    """Ctrl-C goes to all processes of a terminal, to those that are just starting and to idle ones as well."""
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED.replace("SECONDS", "[0, 60]" if delay is None else "[60] * 3"), encoding="utf-8")
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
        while children.exists() and len(children.read_text(encoding="utf-8").split()) < 2 and process.poll() is None:
            time.sleep(0.01)
        time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert (out, error) == ("stopped\n", "")


# ---- scripts, sessions and a person's own code -----------------------------------------------------------------------

UNGUARDED = """
import multiprocessing, sys
from pokerlab import parallel
if len(sys.argv) > 1:
    multiprocessing.set_start_method(sys.argv[1])
print("run")
print(sum(parallel.run(abs, range(-9, 0), backend="processes", workers=2)))
"""

OWN_CLASS = """
import os
from pokerlab import parallel

class Halves:
    def __call__(self, number):
        return number / 2, os.getpid()

GUARD
    found = list(parallel.run(Halves(), range(9), backend="processes", workers=2))
    assert [half for half, _ in found] == [number / 2 for number in range(9)]
    print(any(process != os.getpid() for _, process in found))
"""


ADDS = """
class Adds:
    def __init__(self, what=1):
        self.what = what

    def __call__(self, number):
        return self.what + number
"""


def run_script(folder: Path, text: str, *words: str) -> subprocess.CompletedProcess[str]:
    script = folder / "script.py"
    script.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, cwd=folder, check=False)


@pytest.mark.parametrize(
    "method", ["", "spawn", *sorted({"fork", "forkserver"} & set(multiprocessing.get_all_start_methods()))]
)
def test_a_script_without_a_guard_is_run_once(method: str, tmp_path: Path) -> None:
    done = run_script(tmp_path, UNGUARDED, *[method] * bool(method))
    assert (done.stdout, done.stderr) == ("run\n45\n", "")


@pytest.mark.parametrize(("guard", "elsewhere"), [("if __name__ == '__main__':", True), ("if True:", False)])
def test_classes_of_a_script_go_to_processes_where_it_can_be_run_again(
    guard: str, elsewhere: bool, tmp_path: Path
) -> None:
    done = run_script(tmp_path, OWN_CLASS.replace("GUARD", guard))
    assert done.stdout == f"{elsewhere}\n", done.stderr
    assert ("everything runs in one process" in done.stderr) is not elsewhere


@pytest.mark.parametrize("words", [["-"], ["-i"]])
def test_classes_of_a_session_stay_in_it(words: list[str], tmp_path: Path) -> None:
    text = OWN_CLASS.replace("GUARD", "if True:") + "\n"
    done = subprocess.run(
        [sys.executable, *words], input=text, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert "False\n" in done.stdout
    assert "definitions of this session" in done.stderr


def test_what_cannot_be_sent_stays() -> None:
    with pytest.warns(Notice, match="everything runs in one process: .*lambda"):
        assert list(parallel.run(lambda number: number + 1, [1, 2], backend="processes", workers=2)) == [2, 3]


def test_own_code_is_found_by_processes(folder: Path) -> None:
    """Objects of a file, and of a module of this folder that is not on the path."""
    for name in ("my adder.py", "adders.py"):
        (folder / name).write_text(ADDS, encoding="utf-8")
    for spec in ("./my adder.py:Adds(what=5)", "adders:Adds(what=5)"):
        adds = registry.load("agents", spec)
        assert list(parallel.run(adds, range(3), backend="processes", workers=2)) == [5, 6, 7]


def test_a_lost_process_is_a_sentence() -> None:
    with pytest.raises(WorkerLost, match="a worker process ended before its work was done"):
        list(parallel.run(os._exit, [3, 3], backend="processes", workers=2))


def test_systems_that_wait_for_few_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "MOST_PROCESSES", 2)
    assert list(parallel.run(abs, [-1, -2, -3], backend="processes", workers=64)) == [1, 2, 3]


def test_cores_where_the_system_does_not_tell_which_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert parallel.core_count() == os.cpu_count()
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert parallel.core_count() == 1
