"""The command line as tests call it: in this process, on a terminal of a told width, with what a person types.

A process of its own is started only by tests that are about processes: signals, closed streams, what is imported.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

WIDTH = 200  # columns: sentences stay on one line


class Answer(NamedTuple):
    """What a command answered."""

    code: int
    out: str
    error: str

    @property
    def printed(self) -> str:
        """What a command that went well printed."""
        assert self.code == 0, self.error
        return self.out

    @property
    def json(self) -> Any:
        """The one JSON value that a command that went well printed."""
        return json.loads(self.printed)

    @property
    def refusal(self) -> str:
        """The sentence of a command that did nothing but say why, and the lines that point at the place."""
        assert self.code == 2, self.error
        _, start, sentence = f"\n{self.error.strip()}".partition("\npokerlab: ")  # before it: that kernels are compiled
        assert sentence, self.error
        if self.out:  # under --json, the same as an object
            told = json.loads(self.out)
            assert (told["code"], set(told)) == (2, {"error", "code"})
            assert self.error.strip().endswith(told["error"])
        return start.strip() + " " + sentence


class CommandLine:
    """Calls commands in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def __call__(self, words: Sequence[str], *, width: int = WIDTH, typed: str = "") -> Answer:
        """What `pokerlab WORDS` answers to a person who types these lines."""
        from pokerlab.cli import main

        self._capsys.readouterr()  # what was printed before is not of this command
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["pokerlab", *words])
            patch.setattr(sys, "stdin", io.StringIO(typed))
            patch.setenv("COLUMNS", str(width))
            with pytest.raises(SystemExit) as left:
                main()
        return Answer(int(left.value.code or 0), *self._capsys.readouterr())
