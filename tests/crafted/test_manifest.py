"""Any value at any place of a solution's manifest, and any numbers in its arrays: a solution, or a sentence."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crafted.edits import put_together, take_apart
from pokerlab.errors import PokerlabError
from pokerlab.lab.solving import solve
from pokerlab.strategy.solution_file import load

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
WORDS = ("game", "players", "action_sets", "algorithm", "seed", "iterations", "seconds", "values", "best_responses")
MORE_WORDS = ("stopped", "curve", "nodes_touched", "setup_seconds", "zero_sum", "game_file", "kind", "format")
ARRAYS = ("probability", "start", "parent", "player", "names", "name_ends", "action_set")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("manifest") / "kuhn.solution"
    solve("kuhn", algorithm="cfr+", iterations=3, save=path)
    return path


def opened(path: Path, data: bytes) -> None:
    """Open a file and ask it for what commands show."""
    path = path.with_name("crafted.solution")
    path.write_bytes(data)
    with contextlib.suppress(PokerlabError):
        found = load(path)
        json.dumps(found.summary(), allow_nan=False)
        assert np.isfinite(found.strategy.reach()).all()
        assert [found.strategy[key] for key in found.strategy]


@given(word=st.sampled_from((*WORDS, *MORE_WORDS)), value=VALUES)
@settings(max_examples=120)
def test_any_value_in_a_manifest(sound: Path, word: str, value: Any) -> None:
    header, manifest, body = take_apart(sound.read_bytes())
    opened(sound, put_together(header, manifest | {word: value}, body))


@given(name=st.sampled_from(ARRAYS), numbers=st.lists(st.integers(-3, 300), max_size=3), place=st.integers(0, 100))
@settings(max_examples=120)
def test_any_number_in_an_array(sound: Path, name: str, numbers: list[int], place: int) -> None:
    header, manifest, body = take_apart(sound.read_bytes())
    begin, end = header[name]["data_offsets"]
    array = np.frombuffer(body[begin:end], {8: np.int64, 4: np.int32, 1: np.int8}[_width(header[name])]).copy()
    for number in numbers:
        array[(place + number) % len(array)] = np.array(number).astype(array.dtype)
    opened(sound, put_together(header, manifest, body[:begin] + array.tobytes() + body[end:]))


def _width(entry: dict[str, Any]) -> int:
    return {"F64": 8, "I64": 8, "I32": 4, "I8": 1, "U8": 1}[entry["dtype"]]
