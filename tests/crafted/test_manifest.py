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
from pokerlab.lab.solve.solving import solve
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
RIGHT: dict[str, tuple[type, ...]] = {  # what may stand at each word; what is true or false is no number
    **dict.fromkeys(("game", "algorithm", "stopped", "kind", "format"), (str,)),
    **dict.fromkeys(("players", "seed", "iterations", "nodes_touched"), (int,)),
    **dict.fromkeys(("seconds", "setup_seconds"), (int, float)),
    **dict.fromkeys(("action_sets", "values", "best_responses"), (list,)),
    "curve": (list, dict),
    "game_file": (dict, type(None)),
}
ARRAYS = ("probability", "start", "parent", "player", "names", "name_ends", "action_set")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("manifest") / "kuhn.solution"
    solve("kuhn", algorithm="cfr+", iterations=3, save=path)
    return path


def opened(path: Path, data: bytes) -> Solution | None:
    """Open a file and ask it for what commands show; None where it is refused."""
    path = path.with_name("crafted.solution")
    path.write_bytes(data)
    with contextlib.suppress(PokerlabError):
        found = load(path)
        json.dumps(found.summary(), allow_nan=False)
        assert np.isfinite(found.strategy.reach()).all()
        for key in found.strategy:
            assert sum(found.strategy[key].values()) == pytest.approx(1)
        return found
    return None


def test_a_file_put_together_again_opens(sound: Path) -> None:
    """So that what is refused below is refused for what was changed."""
    found = opened(sound, put_together(*take_apart(sound.read_bytes())))
    assert found is not None
    assert (found.game, found.algorithm_text, found.iterations, len(found.strategy)) == ("kuhn", "cfr+", 3, 12)


@pytest.mark.parametrize("word", RIGHT)
def test_a_value_of_another_kind_is_refused(sound: Path, word: str) -> None:
    header, manifest, body = take_apart(sound.read_bytes())
    for value in (True, [[1]], {"x": 1}):
        if isinstance(value, bool) or not isinstance(value, RIGHT[word]) or word != "curve":
            assert opened(sound, put_together(header, manifest | {word: value}, body)) is None, value


@given(word=st.sampled_from((*RIGHT, "zero_sum")), value=VALUES)
@settings(max_examples=120)
def test_any_value_in_a_manifest(sound: Path, word: str, value: Any) -> None:
    header, manifest, body = take_apart(sound.read_bytes())
    found = opened(sound, put_together(header, manifest | {word: value}, body))
    if found is not None and word in RIGHT:
        assert isinstance(value, RIGHT[word])
        assert not isinstance(value, bool)
        if word in ("game", "algorithm", "seed", "iterations", "seconds"):
            assert getattr(found, word) == value


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("number", [-3, 127])
def test_a_number_that_cannot_be_is_refused(sound: Path, name: str, number: int) -> None:
    header, manifest, body = take_apart(sound.read_bytes())
    begin, end = header[name]["data_offsets"]
    dtype = {"F64": np.float64, "I64": np.int64, "I32": np.int32, "I8": np.int8, "U8": np.int8}[header[name]["dtype"]]
    if name == "names" and number > 0:
        return  # a letter
    for place in (0, 6, -1):
        array = np.frombuffer(body[begin:end], dtype).copy()
        array[place] = number
        assert opened(sound, put_together(header, manifest, body[:begin] + array.tobytes() + body[end:])) is None


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
