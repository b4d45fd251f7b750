"""Read solutions from files: all contents are checked before a form is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.formats.game_file import check_saved, file_of
from pokerlab.formats.opening import open_game
from pokerlab.formats.spot_file import spot_from
from pokerlab.games.game import Game
from pokerlab.reading import LARGEST_WHOLE, count, finite, text_of
from pokerlab.solvers.core.curve import curve_from
from pokerlab.solvers.core.run import check_finite
from pokerlab.strategy.files.solution import FULL, KIND, STRATEGY, Solution, naming_of
from pokerlab.strategy.forms.earlier_classes import is_earlier, upgraded
from pokerlab.strategy.forms.kinds import StrategyKind, kind_of
from pokerlab.strategy.lock import isomorphism_of, lock_from
from pokerlab.tree.form import Form, Problem, SuitIsomorphism, build_form
from pokerlab.tree.form import kind_of as form_kind
from pokerlab.tree.measure import measure_from

OF_A_SPOT = "spot solution"  # the kind of spot files of earlier versions
STATED = ("players", "zero_sum", "pot", "exploitability", "nash_conv")  # besides what every version states
OF_A_TOURNAMENT = "tournament solution"  # the kind of files of `pokerlab endgame`
OF_AN_EVOLUTION = "evolution"  # the kind of checkpoints of evolve


def read_file(path: Path | str) -> store.StoredFile:
    """The arrays and the manifest of a file, with those over hand classes converted to this version."""
    kind = store.manifest_of(path).get("kind")
    if kind == OF_AN_EVOLUTION:
        raise BadFile(
            f"{path} is a checkpoint of an earlier version, which this one cannot resume: run `pokerlab evolve` again "
            "with another --checkpoint"
        )
    if kind == OF_A_TOURNAMENT:
        raise BadFile(
            f"{path} is a tournament, of which every state has a hand: `pokerlab endgame --resume {path} --rounds 0` "
            "shows it and measures it again, with --at CHIPS a state"
        )
    stored = store.load(path, kind=OF_A_SPOT if kind == OF_A_SPOT else KIND)
    if not is_earlier(stored):
        return stored
    form: Any = build_form(_game_of(stored), "classes")
    return upgraded(stored, form)


def _game_of(stored: store.StoredFile) -> Game:
    """The game that a file names; BadFile if its own file has changed or is missing."""
    try:
        file = file_of(stored.manifest.get("game_file"), stored.path)
        name = text_of(stored.manifest["game"])
    except (KeyError, TypeError, ValueError) as problem:
        raise _not_said(stored.path) from problem
    if file is not None:
        name = file.current_name(name, beside=Path(stored.path).parent)
    check_saved(name, file)
    return open_game(name)


def load(path: Path | str, *, threads: int = 1) -> Solution:
    """Load a solution; BadFile says what is wrong with a missing, damaged or foreign file.

    - path: the file, as saved by `Solution.save` or by the option --out of a command
    - threads: that its form may use
    """
    stored = read_file(path)
    words: dict[str, Any] = dict(stored.manifest)
    if words["kind"] == OF_A_SPOT:  # their arrays held only the state
        words |= {"form": "public", "game": "spot", "seed": 0, "setup_seconds": 0.0, "nodes_touched": 0}
        state = dict(stored.arrays)
    else:
        state = {
            name.removeprefix("state."): stored.arrays[name] for name in stored.arrays if name.startswith("state.")
        }
    if words.setdefault("keeps", FULL) not in (FULL, STRATEGY) or (words["keeps"] == STRATEGY and state):
        raise BadFile(f"{path} is damaged: a solution keeps its run in full, or the strategy alone")
    form = words.get("form", "sequence")
    unmeasured = ("exploitability", "nash_conv") if form == "bucketed" and words.get("values") is None else ()
    if "form" in stored.manifest and any(words.get(word) is None for word in STATED if word not in unmeasured):
        raise _not_said(path)
    if kind_of(form, path).without_form is not None:
        return _unbuilt_solution(stored, words, state, form)
    return _built_solution(stored, words, state, form, threads)


def _unbuilt_solution(
    stored: store.StoredFile, words: Mapping[str, Any], state: dict[str, np.ndarray], form: str
) -> Solution:
    """A solution whose file contains the names of its strategies."""
    without_form = kind_of(form).without_form
    assert without_form is not None
    file = file_of(words.get("game_file"), stored.path)
    if file is not None and isinstance(words.get("game"), str):
        words = {**words, "game": file.current_name(words["game"], beside=Path(stored.path).parent)}
    strategy = without_form(stored.arrays, words, str(stored.path))
    try:
        zero_sum = bool(words["zero_sum"])
        measure = replace(measure_from(words, strategy.players), zero_sum=zero_sum)
        largest = max(map(abs, (*measure.values, *measure.best_responses))) or 1.0
        pot = finite(words["pot"]) if "pot" in words else largest
        if not pot > 0:
            raise ValueError
        return Solution(
            strategy=strategy,
            form=form,
            measure=measure,
            pot=pot,
            zero_sum=zero_sum,
            game_file=file,
            state=state,
            **_run_fields(words),
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise _not_said(stored.path) from problem


def _built_solution(
    stored: store.StoredFile, words: Mapping[str, Any], state: dict[str, np.ndarray], form: str, threads: int
) -> Solution:
    """A solution that needs its form: built after its size was compared with the file."""
    try:
        spot = spot_from(words["spot"]) if "spot" in words else None
        locks = tuple(lock_from(item) for item in words.get("locks", ()))
        storage = text_of(words.get("storage", "float32"))
        file = file_of(words.get("game_file"), stored.path)
        text_of(words["game"])  # stated for spots as well
        measure, run_fields = measure_from(words, count(words.get("players", 2))), _run_fields(words)
    except (KeyError, TypeError, ValueError) as trouble:
        raise _not_said(stored.path) from trouble
    problem: Problem = spot if spot is not None else _game_of(stored)
    folded = words.get("folded", True) is not False
    isomorphism = isomorphism_of(locks) if folded else SuitIsomorphism(symmetric=False)
    kind = kind_of(form)
    if kind.problem is not None:
        problem = kind.problem(problem, words, stored.path)
    alone = kind.alone if words["keeps"] == STRATEGY else None
    if kind.check_size is not None:
        kind.check_size(problem, isomorphism, storage, state if alone is None else stored.arrays, stored.path)
    built = build_form(problem, form, isomorphism=isomorphism)
    naming = naming_of(spot, locks, threads=threads)
    if alone is not None:
        strategy = alone(built, stored.arrays, naming, stored.path)
    else:
        arrays = state if form_kind(form).in_state else stored.arrays
        _check_arrays(built, kind, arrays, storage, stored.path)
        strategy = kind.named(built, arrays, naming)
    return Solution(
        strategy=strategy,
        form=form,
        measure=replace(measure, zero_sum=built.is_zero_sum),
        pot=built.pot,
        zero_sum=built.is_zero_sum,
        game_file=file,
        state=state,
        spot=spot,
        locks=locks,
        storage=storage,
        folded=folded,
        built=built,
        **run_fields,
    )


def _run_fields(words: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a manifest on how a solution was made; raises ValueError or similar if invalid."""
    return {
        "algorithm": text_of(words["algorithm"]),
        "seed": count(words["seed"], most=LARGEST_WHOLE),
        "iterations": count(words["iterations"]),
        "seconds": finite(words["seconds"]),
        "stopped": text_of(words["stopped"]),
        "setup_seconds": finite(words["setup_seconds"]),
        "nodes_touched": count(words["nodes_touched"]),
        "curve": curve_from(words),
    }


def _not_said(path: Path | str) -> BadFile:
    return BadFile(f"{path} is damaged: its manifest does not say how the solution was made")


def _check_arrays(
    form: Form, kind: StrategyKind, arrays: Mapping[str, np.ndarray], storage: str, path: Path | str
) -> None:
    """Raise BadFile if the strategy arrays do not fit the form."""
    wanted = kind.stored(form, storage)
    for name, (length, types) in wanted.items():
        array = arrays.get(name)
        allowed = types if isinstance(types, tuple) else (types,)
        if array is None or array.shape != (length,) or array.dtype not in allowed:
            raise BadFile(f"{path} is damaged: its strategies ({name}) are not of {form.name}")
        if (array < 0).any() or (array > kind.max_entry).any():
            raise BadFile(f"{path} is damaged: its strategies ({name}) are not probabilities")
    check_finite({name: arrays[name] for name in wanted})
