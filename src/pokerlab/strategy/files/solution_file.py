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


def read_file(path: Path | str) -> store.Kept:
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
    kept = store.load(path, kind=OF_A_SPOT if kind == OF_A_SPOT else KIND)
    if not is_earlier(kept):
        return kept
    form: Any = build_form(_game_of(kept), "classes")
    return upgraded(kept, form)


def _game_of(kept: store.Kept) -> Game:
    """The game that a file names; BadFile if its own file has changed or is missing."""
    try:
        file = file_of(kept.manifest.get("game_file"), kept.path)
        name = text_of(kept.manifest["game"])
    except (KeyError, TypeError, ValueError) as problem:
        raise _not_said(kept.path) from problem
    if file is not None:
        name = file.current_name(name, beside=Path(kept.path).parent)
    check_saved(name, file)
    return open_game(name)


def load(path: Path | str, *, threads: int = 1) -> Solution:
    """Load a solution; BadFile says what is wrong with a missing, damaged or foreign file.

    - path: the file, as saved by `Solution.save` or by the option --out of a command
    - threads: that its form may use
    """
    kept = read_file(path)
    words: dict[str, Any] = dict(kept.manifest)
    if words["kind"] == OF_A_SPOT:  # their arrays held only the state
        words |= {"form": "public", "game": "spot", "seed": 0, "setup_seconds": 0.0, "nodes_touched": 0}
        state = dict(kept.arrays)
    else:
        state = {name.removeprefix("state."): kept.arrays[name] for name in kept.arrays if name.startswith("state.")}
    if words.setdefault("keeps", FULL) not in (FULL, STRATEGY) or (words["keeps"] == STRATEGY and state):
        raise BadFile(f"{path} is damaged: a solution keeps its run in full, or the strategy alone")
    form = words.get("form", "sequence")
    unmeasured = ("exploitability", "nash_conv") if form == "bucketed" and words.get("values") is None else ()
    if "form" in kept.manifest and any(words.get(word) is None for word in STATED if word not in unmeasured):
        raise _not_said(path)
    if kind_of(form, path).unlaid is not None:
        return _unlaid_solution(kept, words, state, form)
    return _laid_out_solution(kept, words, state, form, threads)


def _unlaid_solution(kept: store.Kept, words: Mapping[str, Any], state: dict[str, np.ndarray], form: str) -> Solution:
    """A solution whose file contains the names of its strategies."""
    unlaid = kind_of(form).unlaid
    assert unlaid is not None
    file = file_of(words.get("game_file"), kept.path)
    if file is not None and isinstance(words.get("game"), str):
        words = {**words, "game": file.current_name(words["game"], beside=Path(kept.path).parent)}
    strategy = unlaid(kept.arrays, words, str(kept.path))
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
        raise _not_said(kept.path) from problem


def _laid_out_solution(
    kept: store.Kept, words: Mapping[str, Any], state: dict[str, np.ndarray], form: str, threads: int
) -> Solution:
    """A solution that needs its form: built after its size was compared with the file."""
    try:
        spot = spot_from(words["spot"]) if "spot" in words else None
        locks = tuple(lock_from(item) for item in words.get("locks", ()))
        storage = text_of(words.get("storage", "float32"))
        file = file_of(words.get("game_file"), kept.path)
        text_of(words["game"])  # stated for spots as well
        measure, run_fields = measure_from(words, count(words.get("players", 2))), _run_fields(words)
    except (KeyError, TypeError, ValueError) as trouble:
        raise _not_said(kept.path) from trouble
    problem: Problem = spot if spot is not None else _game_of(kept)
    folded = words.get("folded", True) is not False
    isomorphism = isomorphism_of(locks) if folded else SuitIsomorphism(symmetric=False)
    kind = kind_of(form)
    if kind.problem is not None:
        problem = kind.problem(problem, words, kept.path)
    alone = kind.alone if words["keeps"] == STRATEGY else None
    if kind.check_size is not None:
        kind.check_size(problem, isomorphism, storage, state if alone is None else kept.arrays, kept.path)
    laid = build_form(problem, form, isomorphism=isomorphism)
    naming = naming_of(spot, locks, threads=threads)
    if alone is not None:
        strategy = alone(laid, kept.arrays, naming, kept.path)
    else:
        answer = state if form_kind(form).in_state else kept.arrays
        _check_answer(laid, kind, answer, storage, kept.path)
        strategy = kind.named(laid, answer, naming)
    return Solution(
        strategy=strategy,
        form=form,
        measure=replace(measure, zero_sum=laid.is_zero_sum),
        pot=laid.pot,
        zero_sum=laid.is_zero_sum,
        game_file=file,
        state=state,
        spot=spot,
        locks=locks,
        storage=storage,
        folded=folded,
        laid=laid,
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


def _check_answer(
    form: Form, kind: StrategyKind, answer: Mapping[str, np.ndarray], storage: str, path: Path | str
) -> None:
    """Raise BadFile if the strategy arrays do not fit the form."""
    wanted = kind.stored(form, storage)
    for name, (length, types) in wanted.items():
        array = answer.get(name)
        allowed = types if isinstance(types, tuple) else (types,)
        if array is None or array.shape != (length,) or array.dtype not in allowed:
            raise BadFile(f"{path} is damaged: its strategies ({name}) are not of {form.name}")
        if (array < 0).any() or (array > kind.max_entry).any():
            raise BadFile(f"{path} is damaged: its strategies ({name}) are no probabilities")
    check_finite({name: answer[name] for name in wanted})
