"""Strategies answer by name, mix as plans do, and come back from files the same; damaged files are refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab
from pokerlab import store
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.formats.game_file import checksum_of
from pokerlab.formats.opening import open_game
from pokerlab.lab.solve.solving import reopened, resume, solve
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.files.solution_file import load
from pokerlab.strategy.forms.kinds import kind_of
from pokerlab.strategy.forms.sequence import Strategy, named
from pokerlab.tree.history.layout import build
from pokerlab.tree.sequence import SequenceForm, sequence_form


@pytest.fixture(scope="module")
def form() -> SequenceForm:
    return sequence_form(build(open_game("leduc")))


@pytest.fixture(scope="module")
def solution(form: SequenceForm) -> Solution:
    return solve(form, algorithm="dcfr", iterations=40)


def random_strategy(form: SequenceForm, seed: int) -> Strategy:
    return named(form, form.behaviour(np.random.default_rng(seed).random(form.sequences)))


def test_a_strategy_knows_its_infosets_in_any_order(form: SequenceForm) -> None:
    strategy = random_strategy(form, 4)
    order = np.lexsort((strategy.infosets, strategy.player))[::-1]
    order = order[np.argsort(strategy.player[order], kind="stable")]  # by other names, with the players as they were
    slots = [np.arange(strategy.start[one], strategy.start[one + 1]) for one in order.tolist()]
    other = replace(
        strategy,
        infosets=tuple(strategy.infosets[one] for one in order.tolist()),
        actions=tuple(strategy.actions[one] for one in order.tolist()),
        player=strategy.player[order],
        start=np.cumsum([0, *map(len, slots)]).astype(np.int32),
        probability=strategy.probability[np.concatenate(slots)],
    )
    assert np.array_equal(other.profile(form), strategy.profile(form))


def test_access_by_name(solution: Solution, form: SequenceForm) -> None:
    strategy = solution.strategy
    assert len(strategy) == 936
    assert set(strategy["Kb:rr"]) == {"f", "c"}
    assert sum(strategy["Kb:"].values()) == pytest.approx(1)
    assert strategy[0, "Kb:"] == strategy["Kb:"]
    assert len(strategy.of(1)) == 468
    assert "Kb:" in strategy
    assert "Zz" not in strategy
    assert strategy.get("Zz") is None
    with pytest.raises(UnknownName, match="no infoset 'Kb:rrrr'; there is 'Kb:rr'"):
        strategy["Kb:rrrr"]
    with pytest.raises(BadSetting):
        strategy.of(2)


def test_infosets_of_the_same_text_need_a_player() -> None:
    player, start, parent = np.array([0, 1], np.int8), np.array([0, 2, 3]), np.array([-1, -1])
    actions = [("a", "b"), ("a",)]
    strategy = Strategy("twins", 2, ["x", "x"], actions, player, start, parent, np.array([0.5, 0.5, 1.0]))
    with pytest.raises(UnknownName, match="two players"):
        strategy["x"]
    assert strategy[1, "x"] == {"a": 1.0}
    assert list(strategy) == [(0, "x"), (1, "x")]


def test_a_mix_plays_each_with_its_weight(form: SequenceForm) -> None:
    one, other = random_strategy(form, 1), random_strategy(form, 2)
    mixed = one.mix(other, 0.3)
    assert mixed.plan() == pytest.approx(0.7 * one.plan() + 0.3 * other.plan())
    values = [
        form.measure(np.where(first_player(form), strategy.probability, one.probability)).values[0]
        for strategy in (one, other, mixed)
    ]
    assert values[2] == pytest.approx(0.7 * values[0] + 0.3 * values[1])
    with pytest.raises(BadSetting):
        one.mix(other, 1.5)


def first_player(form: SequenceForm) -> np.ndarray:
    return np.repeat(form.tree.infoset_player, np.diff(form.tree.start)) == 0


def test_purify_and_threshold(form: SequenceForm) -> None:
    strategy = random_strategy(form, 3)
    pure = strategy.purify()
    assert set(pure.probability) == {0.0, 1.0}
    assert np.add.reduceat(pure.probability, pure.start[:-1]) == pytest.approx(1)
    cut = strategy.threshold(0.2)
    assert np.add.reduceat(cut.probability, cut.start[:-1]) == pytest.approx(1)
    assert np.all((strategy.probability >= 0.2) | (cut.probability == 0) | (pure.probability == 1))
    assert np.array_equal(strategy.threshold(1.0).probability, pure.probability)
    with pytest.raises(BadSetting):
        strategy.threshold(-0.1)


def test_saved_and_loaded_is_the_same(solution: Solution, tmp_path: Path) -> None:
    again = load(solution.save(tmp_path / "leduc.solution"))
    assert again.summary() == solution.summary()
    assert dict(again.strategy) == dict(solution.strategy)
    assert again.curve == solution.curve
    assert again.measure == solution.measure
    manifest = store.manifest_of(tmp_path / "leduc.solution")
    assert {"game", "algorithm", "seed", "version", "iterations", "exploitability"} <= set(manifest)


@pytest.mark.parametrize("algorithm", ["dcfr", "pcfr+", "external", "pure", "fictitious-play"])
def test_resumed_is_the_very_same(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "part.solution"
    solve("kuhn", algorithm=algorithm, iterations=33, seed=5, save=path)
    resumed = resume(path, iterations=100, save=path)
    whole = solve("kuhn", algorithm=algorithm, iterations=100, seed=5)
    assert np.array_equal(resumed.strategy.probability, whole.strategy.probability)
    assert resumed.measure == whole.measure
    assert resumed.nodes_touched == whole.nodes_touched
    assert [point[0] for point in resumed.curve if point[0] != 33] == [
        point[0] for point in whole.curve if point[0] != 33
    ]
    assert np.array_equal(load(path).strategy.probability, whole.strategy.probability)


def test_damaged_and_foreign_files_are_refused(solution: Solution, tmp_path: Path) -> None:
    path = solution.save(tmp_path / "x.solution")
    data = path.read_bytes()
    for name, damaged in {
        "cut": data[: len(data) // 2],
        "flipped": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "empty": b"",
        "text": b"not a solution at all",
    }.items():
        (tmp_path / name).write_bytes(damaged)
        with pytest.raises(BadFile):
            load(tmp_path / name)
    with pytest.raises(BadFile, match="there is no such file"):
        load(tmp_path / "missing")
    other = store.save(tmp_path / "table", {"x": np.zeros(3)}, kind="table")
    with pytest.raises(BadFile, match="is a table file"):
        load(other)
    hollow = store.save(tmp_path / "hollow", {"x": np.zeros(3)}, kind="solution", game="leduc")
    with pytest.raises(BadFile, match="damaged"):
        load(hollow)


EVIL = 'from pathlib import Path\n\nPath("ran").touch()\n\n\ndef game(**settings):\n    raise ValueError\n'


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of code in the folder one works in, which leaves the file "ran" when it is run."""
    (tmp_path / "evil.py").write_text(EVIL + EVIL[EVIL.index("def") :].replace("game", "algorithm"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def opened(path: Path) -> None:
    """Everything that is done with the game and the algorithm of a saved solution."""
    kept = load(path)
    assert kept.algorithm_text
    kept.built_form()
    reopened(path)


def rewritten(path: Path, **words: Any) -> Path:
    kept = store.load(path)
    told = {
        name: word
        for name, word in kept.manifest.items()
        if name not in ("format", "kind", "version", "quick", "checksum")
    }
    return store.save(path.with_name("crafted"), kept.arrays, kind="solution", **told | words)


@pytest.mark.parametrize("form", ["sequence", "public", "classes"])
@pytest.mark.parametrize("name", ["./evil.py", "evil.py(cards=3)", "evil:game", "{folder}/evil.py:game"])
def test_a_file_that_names_code_does_not_run_it(form: str, name: str, evil: Path) -> None:
    game = "von-neumann(cards=5)" if form == "classes" else "kuhn"
    path = solve(game, form=form, algorithm="dcfr", iterations=3).save(evil / "x.solution")
    opened(rewritten(path))
    crafted = name.format(folder=evil)
    with pytest.raises(BadFile, match="user code"):
        opened(rewritten(path, game=crafted))
    gone = {"path": str(evil / "other" / "evil.py"), "checksum": checksum_of(evil / "evil.py")}
    with pytest.raises(BadFile, match="is gone"):
        opened(rewritten(path, game=crafted, game_file=gone))
    other = {"path": str(evil / "evil.py"), "checksum": checksum_of(path)}
    with pytest.raises(BadFile, match="has changed"):
        opened(rewritten(path, game=crafted, game_file=other))
    for algorithm in (crafted, f"chance(schedule={crafted!r})", f"pure(schedule={f'chance(schedule={crafted!r})'!r})"):
        with pytest.raises(BadFile, match="user code"):
            opened(rewritten(path, algorithm=algorithm))
    assert not (evil / "ran").exists()


def test_a_strategy_of_another_game_is_refused(form: SequenceForm) -> None:
    kuhn = solve("kuhn", iterations=1)
    with pytest.raises(BadFile, match="another version"):
        kuhn.strategy.profile(form)


def test_the_package_is_callable_and_still_a_package() -> None:
    from pokerlab.solvers.core.run import run

    assert callable(run)
    found = pokerlab.solve("kuhn", target=1e-3)
    assert found.exploitability <= 1e-3
    assert found.stopped == "target"
    assert json.dumps(found.summary())
    with pytest.raises(BadSetting):
        pokerlab.solve("kuhn", target=-1)
    with pytest.raises(UnknownName):
        pokerlab.solve("kuhn", algorithm="magic")
    with pytest.raises(UnknownName):
        pokerlab.solve("khun")


@pytest.mark.parametrize("form", ["planar", ["public"], None, {"a": 1}])
def test_a_form_that_is_none_is_told(form: object) -> None:
    with pytest.raises(BadFile, match="a.solution holds a solution in the form .* which this version does not know"):
        kind_of(form, "a.solution")
