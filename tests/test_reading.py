"""Files that other people made: what is no file, too large, too deep or no number is a sentence."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab import reading
from pokerlab.errors import BadFile, BadSetting, PokerlabError
from pokerlab.formats.gamedef import rules_from, toml_rules
from pokerlab.formats.spot_file import spot_from

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**65), 2**65)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["Ks7h2d", "AA", "50%", "9" * 400 + "%", "1e", "e", "-5%", "nan%", "allin"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
SPOT: dict[str, Any] = {
    "board": "Ks7h2d5c9s",
    "pot": 100,
    "stack": 300,
    "out_of_position": {"range": "AA", "bet": "50%", "raise": "3x"},
    "in_position": {"range": "KK", "bet": {"river": "75%"}},
}
SPOT_WORDS = (*SPOT, "chip", "limit", "merge", "rake", "rake_cap", "raise_cap", "all_in_from")
RULES: dict[str, Any] = {
    "players": 2,
    "stacks": 10,
    "ranks": ["J", "Q", "K"],
    "rounds": [{"private": 1}, {"public": 1}],
}
RULES_WORDS = (
    *RULES,
    "suits",
    "antes",
    "blinds",
    "limit",
    "showdown",
    "odd_chips",
    "reopens_at",
    "least_raise",
    "deck",
)
ROUND_WORDS = ("private", "public", "draw", "bet", "raises", "first", "betting", "bettors")


@given(word=st.sampled_from(SPOT_WORDS), value=VALUES)
@settings(max_examples=150)
def test_any_value_of_a_spot_is_taken_or_refused(word: str, value: Any) -> None:
    with contextlib.suppress(PokerlabError):
        assert spot_from(SPOT | {word: value}).betting is not None


@given(word=st.sampled_from(RULES_WORDS), value=VALUES, of_round=st.none() | st.sampled_from(ROUND_WORDS))
@settings(max_examples=150)
def test_any_value_of_rules_is_taken_or_refused(word: str, value: Any, of_round: str | None) -> None:
    changed = RULES | {word: value} if of_round is None else RULES | {"rounds": [{"private": 1, of_round: value}]}
    with contextlib.suppress(PokerlabError):
        assert rules_from(changed).players >= 2


@given(depth=st.integers(1, 100), table=st.booleans())
def test_nesting_is_bounded(depth: int, table: bool) -> None:
    start, end = ('{"a":', "}") if table else ("[", "]")
    text = start * depth + "1" + end * depth
    if depth < reading.DEEPEST:
        assert reading.json_value(text) is not None
    else:
        with pytest.raises(BadSetting, match="nested more than 32 deep"):
            reading.json_value(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + "[" * 100_000, "nested|not TOML"),
        ("a = " + "9" * 5000, "not TOML"),
        ("a = " + "9" * 4300, "40 digits"),
        ("a = 0x" + "f" * 5000, "40 digits"),
        ("a." * 400_000 + "b = 1", "32 parts"),
        ('"="."#".' * 100_000 + "b = 1", "32 parts"),
        ("[" + "a . " * 100_000 + "b]", "32 parts"),
        ("'''" + "a." * 100_000, "not TOML"),
        ('"' + '\\"' * 400_000, "not TOML"),
        ("a", "not TOML"),
        ("a = 1\na = 2", "not TOML"),
    ],
)
def test_bad_toml(text: str, words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        reading.toml_table(text)


def test_dots_in_texts_and_remarks_are_no_names() -> None:
    dots = "a." * 1000
    assert reading.toml_table(f'a = \'{dots}\' # {dots}\nb = """{dots}\n{dots}"""\nc.d.e = [0.5, 1.5]')["b"]


def test_a_file_of_any_kind(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    (tmp_path / "letters").write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert reading.read_text(tmp_path / "letters") == "one\ntwo"
    for name, most, words in (
        ("pipe", 9, "it is a pipe" if hasattr(os, "mkfifo") else "there is no such file"),
        (".", 9, "it is a folder"),
        ("letters", 10, "more than 10 bytes"),
        ("bytes", 9, "not a text file"),
        ("nothing", 9, "there is no such file"),
        ("\0", 9, "cannot read"),
        ("x" * 5000, 9, "cannot read"),
    ):
        with pytest.raises(BadFile, match=words):
            reading.read_text(tmp_path / name, most=most)
    with pytest.raises(BadFile, match="it is a device"):
        reading.read_bytes("/dev/zero")


def test_a_pipe_of_the_shell_is_read() -> None:
    source = "from pokerlab.reading import read_text; print(len(read_text('/dev/stdin')))"
    environment = os.environ | {"PYTHONPATH": str(Path(reading.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", source], input="x" * 200_000, capture_output=True, text=True, env=environment
    )
    assert done.stdout == "200000\n"


@pytest.mark.parametrize("value", [None, True, "1", float("nan"), float("inf"), [], 10**400])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises((ValueError, OverflowError)):
        reading.finite(value)
    with pytest.raises(ValueError):
        reading.count(value)


def test_half_a_character_is_refused() -> None:
    assert reading.plain({"é": ["a", "\U0001f0a1"]}) == {"é": ["a", "\U0001f0a1"]}
    for value in ("\ud83c", {"a": ["b\udca1c"]}, {"\ud800": 1}):
        with pytest.raises(BadSetting, match="half a character"):
            reading.plain(value)


def test_rules_in_toml_are_read() -> None:
    assert toml_rules("players = 2\nstacks = 9\n[[rounds]]\nprivate = 1\n").stacks == (9, 9)
