"""Kernels of later scenes are compiled by another process while the first scenes are played."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import numba
import pytest

from command_line import CommandLine
from pokerlab.cli import demo


class Process:
    """A process that does nothing."""

    started: list[Process]

    def __init__(self, words: list[str], *, cwd: str, **streams: Any) -> None:
        self.words, self.folder, self.ended = words, Path(cwd), []
        assert self.folder.is_dir()
        Process.started.append(self)

    def kill(self) -> None:
        self.ended.append("killed")

    def wait(self) -> None:
        self.ended.append("waited for")


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    monkeypatch.setattr(demo.subprocess, "Popen", Process)
    monkeypatch.setattr("pokerlab.parallel.core_count", lambda: 2)
    Process.started = []
    return Process.started


def compile_something() -> None:
    numba.njit(lambda number: number + 1)(1)


def test_one_process_is_started_when_the_first_kernel_is_compiled(
    processes: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo.compiling_ahead():
        assert not processes
        compile_something()
        compile_something()
        [process] = processes
        assert not process.ended
    assert process.ended == ["killed", "waited for"]
    assert not process.folder.exists()
    played: list[bool] = []
    monkeypatch.setattr(demo, "play_ahead", lambda: played.append(True))
    exec(process.words[2])
    assert played


def test_it_is_ended_when_the_demo_is(processes: list[Process]) -> None:
    def interrupted() -> None:
        with demo.compiling_ahead():
            compile_something()
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert processes[0].ended == ["killed", "waited for"]


def test_none_is_started_where_all_is_kept_or_there_is_one_core(
    processes: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    with demo.compiling_ahead():
        pass
    monkeypatch.setattr("pokerlab.parallel.core_count", lambda: 1)
    with demo.compiling_ahead():
        compile_something()
    assert not processes


def test_where_none_can_be_started_the_demo_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError("too many processes")

    monkeypatch.setattr(demo.subprocess, "Popen", refuse)
    with demo.compiling_ahead():
        compile_something()
        reached = True
    assert reached


def test_scenes_are_played_ahead_each_in_a_folder_and_past_a_failure(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(demo.AHEAD) <= set(range(2, len(demo.SCENES) + 1))
    scenes = (("", ("range 22",)), ("", ("no-such-command",)), ("", ("examples", "range AKs")))
    monkeypatch.setattr(demo, "SCENES", scenes)
    monkeypatch.setattr(demo, "AHEAD", (2, 3))
    demo.play_ahead()
    assert sorted(path.name for path in folder.iterdir()) == ["2", "3"]
    assert (folder / "3" / "examples" / "river.toml").exists()
    assert "AKs" in capsys.readouterr().out


def test_topics_and_their_commands_are_played_as_they_are_typed(cli: CommandLine) -> None:
    assert len(demo.TOPICS[demo.TOUR]) <= 7
    shown = cli(["demo", "hands", "--only", "2"]).out
    assert "$ pokerlab range '[50]22-66,A5s-A2s[/50],77+,ATs+,AJo+:75%'" in shown
    assert "114 of 1,326 hands" in shown
    assert cli(["demo", "hands", "--only", "4"]).refusal == "pokerlab: there are 3 scenes, and no scene 4"
    assert "topics: tour, hands" in cli(["demo", "elsewhere"]).refusal
