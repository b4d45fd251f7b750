"""Every statement of a kept file, edited and signed anew, is found out or is named as not recomputed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blueprints import as_solution, made_up
from pokerlab import registry, store
from pokerlab.errors import PokerlabError
from pokerlab.formats.opening import open_game
from pokerlab.lab.analyse.verification import Verification, verify
from pokerlab.lab.solve.solving import resume, solve
from pokerlab.strategy.lock import lock_from_text
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import sequence_form

NEVER = {"version", "seconds", "setup_seconds", "stopped"}  # no recomputing tells them
BY_RERUN = {"seed", "algorithm"}
SEAT = {"range": "AA,KK,QQ,JJ,T9s", "bet": "50%", "raise": "100%"}
SPOT = {"board": "Ks7h2d5c9s", "pot": 100, "stack": 200, "out_of_position": SEAT, "in_position": SEAT}

Contents = tuple[dict[str, Any], dict[str, np.ndarray]]


def contents(path: Path) -> Contents:
    kept = store.load(path)
    return dict(kept.manifest), {name: np.array(array) for name, array in kept.arrays.items()}


def sign(path: Path, words: dict[str, Any], arrays: dict[str, np.ndarray]) -> Path:
    """Write a file whose checksum is right, whatever it says."""
    inside = {name: word for name, word in words.items() if name not in ("kind", "checksum")}
    return store.save(path, arrays, kind=words["kind"], **inside)


def found_out(check: Callable[..., Verification], path: Path, **options: Any) -> bool:
    """Whether verify says no, or refuses the file with a sentence."""
    try:
        return not check(path, **options).matches
    except PokerlabError:
        return True


def edits(word: Any) -> list[Any]:
    """Other values of a word, of the same kind and of another."""
    if isinstance(word, bool):
        return [not word]
    if isinstance(word, int):
        return [word + 1, word * 2 + 3]
    if isinstance(word, float):
        return [word * 1.001 + 1e-6, 0.0 if abs(word) > 1e-9 else 1.0]
    if isinstance(word, str):
        return [word + "x"]
    if isinstance(word, list) and word:
        return [word[:-1], *([[*word[:-1], other] for other in edits(word[-1])[:2]])]
    if isinstance(word, dict):
        return [word | {name: other} for name, value in word.items() for other in edits(value)[:1]]
    return [["x"]]


def array_edits(array: np.ndarray) -> list[np.ndarray]:
    """The array with its first, middle or last number changed, and reversed."""
    found = [np.flip(array).copy()] if not np.array_equal(np.flip(array), array) else []
    for place in {0, len(array) // 2, len(array) - 1} if len(array) else ():
        changed = array.copy()
        changed[place] = changed[place] + 1 if array.dtype.kind != "f" else changed[place] * 0.5 + 0.3
        found.append(changed)
    return found


@pytest.fixture(scope="module", params=["dcfr", "external", "lp"])
def solved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "k.solution"
    solve("kuhn", algorithm=request.param, iterations=30, save=path)
    return path


@pytest.fixture(scope="module")
def spot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "s.spot"
    solve(SPOT, iterations=20, save=path, locks=[lock_from_text("check: check 30%, bet 50 70%")])
    return path


def test_what_was_not_edited_matches(solved: Path, spot: Path, tmp_path: Path) -> None:
    for check, path in ((verify, solved), (verify, spot)):
        assert check(path).matches, check(path).wrong
        assert check(path, rerun=True).matches, check(path, rerun=True).wrong
        again = sign(tmp_path / "again", *contents(path))
        assert check(again).matches
        assert set(check(path).not_recomputed) > set(check(path, rerun=True).not_recomputed)
        assert set(check(path, rerun=True).not_recomputed) <= NEVER


def test_every_word_of_a_solution(solved: Path, tmp_path: Path) -> None:
    words, arrays = contents(solved)
    method = registry.load("algorithms", words["algorithm"])
    idle = NEVER | {"checksum", "quick"} | (set() if method.random else {"seed"})  # a seed that nothing is drawn from
    for name, word in words.items():
        for other in edits(word) + (["cfr+", "outcome"] if name == "algorithm" else []):
            path = sign(tmp_path / "lie", words | {name: other}, arrays)
            if name not in idle:
                assert found_out(verify, path, rerun=name in BY_RERUN), (name, other)


def test_every_array_of_a_solution(solved: Path, tmp_path: Path) -> None:
    words, arrays = contents(solved)
    for name, array in arrays.items():
        for number, other in enumerate(array_edits(array)):
            path = sign(tmp_path / "lie", words, arrays | {name: other})
            inner = name.startswith("state.") and name != "state.counts"
            assert found_out(verify, path, rerun=inner), (name, number)
        less = {key: kept for key, kept in arrays.items() if key != name}
        assert found_out(verify, sign(tmp_path / "lie", words, less)), name


def test_arrays_of_another_length_or_kind_are_refused(solved: Path, tmp_path: Path) -> None:
    """Solvers and kernels never see them: each is a sentence, never a traceback."""
    words, arrays = contents(solved)
    for name, array in arrays.items():
        other_kind = array.astype(np.float32 if array.dtype == np.float64 else np.float64)
        for other in (array[:0], array[:-1], np.tile(array, 3), array[:, None], other_kind):
            assert found_out(verify, sign(tmp_path / "lie", words, arrays | {name: other})), (name, other)


def test_a_state_that_cannot_be_resumed_is_not_verified(solved: Path, tmp_path: Path) -> None:
    """What `solve --resume` refuses, verify refuses without a rerun: other kinds, other shapes, and no numbers."""
    words, arrays = contents(solved)
    for name, array in arrays.items():
        if not name.startswith("state."):
            continue
        others = [
            np.zeros(array.shape, np.float16),
            array.reshape(1, *array.shape),
            np.resize(array, 3 * array.size + 1),
        ]
        others += [np.full_like(array, np.nan)] if array.dtype.kind == "f" and array.size else []
        for other in others:
            path = sign(tmp_path / "lie", words, arrays | {name: other})
            assert found_out(verify, path), (name, other.dtype, other.shape)
            with pytest.raises(PokerlabError):
                resume(path, iterations=40)


def test_points_of_a_curve_by_a_rerun(solved: Path, tmp_path: Path) -> None:
    words, arrays = contents(solved)
    for place in {0, len(words["curve"]) // 2, len(words["curve"]) - 1}:
        point = words["curve"][place]
        for column in (0, 2, 3):
            other = [*point]
            other[column] = point[column] + 1
            curve = [*words["curve"][:place], other, *words["curve"][place + 1 :]]
            assert found_out(verify, sign(tmp_path / "lie", words | {"curve": curve}, arrays), rerun=True)


def test_every_word_of_a_spot(spot: Path, tmp_path: Path) -> None:
    words, arrays = contents(spot)
    for name, word in words.items():
        if name in NEVER | {"algorithm", "checksum", "quick", "locks", "spot", "seed"}:  # nothing is drawn
            continue
        for other in edits(word):
            assert found_out(verify, sign(tmp_path / "lie", words | {name: other}, arrays)), (name, other)
    for name, other in {"pot": 101, "stack": 190, "board": "KsKh2d5c9s", "chip": 3.0, "rake": 0.05}.items():
        changed = words | {"spot": words["spot"] | {name: other}}
        assert found_out(verify, sign(tmp_path / "lie", changed, arrays)), name
    lock = words["locks"][0]
    for locks in ([], [lock | {"strategy": {"check": 0.31, "bet 50": 0.69}}]):
        assert found_out(verify, sign(tmp_path / "lie", words | {"locks": locks}, arrays)), locks


def test_every_array_of_a_spot(spot: Path, tmp_path: Path) -> None:
    words, arrays = contents(spot)
    for name, array in arrays.items():
        if not array.any():
            continue
        inner = not name.startswith("state.average")
        for number, other in enumerate(array_edits(array)[:2]):
            path = sign(tmp_path / "lie", words, arrays | {name: other})
            assert found_out(verify, path, rerun=inner or number > 0), (name, number)


def test_resumed_and_checkpointed_files_verify(tmp_path: Path) -> None:
    solve("kuhn", algorithm="external", iterations=40, save=tmp_path / "k")
    resume(tmp_path / "k", iterations=90, save=tmp_path / "k")
    resume(tmp_path / "k", iterations=90, save=tmp_path / "k")  # nothing left to do
    assert verify(tmp_path / "k", rerun=True).matches
    solve(SPOT, iterations=10, save=tmp_path / "s")
    resume(tmp_path / "s", iterations=25)
    resume(tmp_path / "s", iterations=25)
    assert verify(tmp_path / "s", rerun=True).matches


@pytest.mark.parametrize("scale", [1e-10, 1.0, 1e10])
def test_tolerances_are_shares_of_the_stakes(scale: float, tmp_path: Path) -> None:
    """A tiny game's file may not state just anything, and a huge one's rounding is no lie."""
    game = f"matrix(payoffs=[[{3 * scale!r}, {-1 * scale!r}], [{-2 * scale!r}, {0.7 * scale!r}]])"
    path = tmp_path / "m"
    solve(game, algorithm="dcfr", iterations=20, save=path)
    assert verify(path, rerun=True).matches
    words, arrays = contents(path)
    for name in ("values", "best_responses"):
        for share, lie in ((1e-14, False), (1e-9, True), (0.5, True)):
            other = [number + share * scale for number in words[name]]
            assert found_out(verify, sign(tmp_path / "lie", words | {name: other}, arrays)) == lie


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**30])
def test_the_default_target_is_a_share_of_the_stakes(scale: float) -> None:
    tree = build(open_game("kuhn"))
    usual = solve(sequence_form(tree))
    found = solve(sequence_form(replace(tree, returns=tree.returns * scale)))
    assert (found.stopped, found.iterations) == (usual.stopped, usual.iterations) == ("target", usual.iterations)
    assert usual.iterations > 10
    assert usual.exploitability <= 1e-4 * tree.max_abs_payoff
    assert found.exploitability == usual.exploitability * scale


def test_a_strategy_without_state_is_measured(tmp_path: Path) -> None:
    path = replace(solve("kuhn", iterations=20), state={}).save(tmp_path / "k")
    checked = verify(path)
    assert checked.matches
    assert "iterations" in checked.not_recomputed


def test_what_was_not_measured_is_not_held_against_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = as_solution(made_up("leduc"), measured=False).save(tmp_path / "a.blueprint")
    verified = verify(kept)
    assert not verified.wrong  # measuring may not have fitted while it was trained
    assert verified.measure.is_known  # and fits now
    monkeypatch.setattr(
        "pokerlab.tree.bucketed.real_game.measurer", lambda form: None
    )  # as in a game that is too large
    assert not verify(kept).wrong
