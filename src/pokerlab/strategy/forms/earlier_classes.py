"""Convert solutions over hand classes from files of earlier versions.

Games with one decision per player had their own form, "roles": how often each hand acts, by player in the order of
deciding, and regrets in big blinds. In both forms the states of CFR and of fictitious play were tables of each player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.errors import BadFile
from pokerlab.tree.classes import ClassForm

ROLES = "roles"
STATE = "state."
CONVERTED = "converted"  # in a manifest: the state is not bit-identical to the saved one

Arrays = Mapping[str, np.ndarray]
Tables = tuple[np.ndarray, np.ndarray]  # [S, hand] for each player


def is_earlier(stored: store.StoredFile) -> bool:
    """Whether an earlier version wrote a file over hand classes."""
    form = stored.manifest.get("form")
    return form == ROLES or (
        form == "classes" and any(name in stored.arrays for name in ("state.playing0", "state.plan0"))
    )


def upgraded(stored: store.StoredFile, form: ClassForm) -> store.StoredFile:
    """The file as this version writes it; BadFile if its arrays do not fit the game."""
    words = dict(stored.manifest)
    state = {name.removeprefix(STATE): array for name, array in stored.arrays.items() if name.startswith(STATE)}
    roles = words["form"] == ROLES
    try:
        arrays = {name: stored.arrays[name] for name in ("player0", "player1") if not roles}
        if roles:
            arrays = form.pack(form.profile_of(_tables(form, stored.arrays, "acts")))
        converted = (_roles_state if roles else _classes_state)(form, state)
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise BadFile(f"{stored.path} is damaged: its arrays are not those of {form.name}") from problem
    if roles:
        words["form"] = form.kind
        _recount(words, form, state)
    if converted is None:
        converted = state
    else:
        if "counts" in converted and str(words["algorithm"]).startswith("cfr-br"):  # which also computes best responses
            converted["counts"][1] *= 2
        words |= {CONVERTED: True} if converted else {"keeps": "strategy"}
    return replace(stored, manifest=words, arrays=arrays | {STATE + name: array for name, array in converted.items()})


def _tables(form: ClassForm, arrays: Arrays, name: str) -> Tables:
    """The behaviour strategies of both players from their acting frequencies."""
    acts = [np.asarray(arrays[f"{name}{role}"], np.float64) for role in (0, 1)]
    if any(act.shape != (len(form.hands),) for act in acts):
        raise ValueError
    return form.behaviours_of((acts[0], acts[1]))


def _roles_state(form: ClassForm, state: Arrays) -> dict[str, np.ndarray] | None:
    """The solver state in the current layout; None if unchanged, empty if it cannot be converted."""
    if "regret0" in state and "playing0" in state:

        def by_player(name: str, unit: float = 1.0) -> Tables:
            ones = np.ones((1, len(form.hands)))
            tables = [np.concatenate([ones, unit * state[f"{name}{role}"]]) for role in (0, 1)]
            first, second = (tables[form.order.index(player)][: own.sequences] for player, own in enumerate(form.own))
            return first, second

        return _cfr(form, state, (by_player("regret", form.chips), _tables(form, state, "playing"), by_player("sum")))
    if set(state) == {"iterations", "average0", "average1"}:
        return _fictitious(form, state, _tables(form, state, "average"))
    if set(state) == {"iterations", "output0", "output1"}:
        output = _tables(form, state, "output")
        return {"iterations": state["iterations"], "output0": output[0], "output1": output[1]}
    same = form.order == (0, 1) or not state or "counter" in state or "genes0" in state
    return None if same else {}  # plans of both players were in the order of deciding


def _classes_state(form: ClassForm, state: Arrays) -> dict[str, np.ndarray] | None:
    """The same for a state in the classes form."""

    def tables(name: str) -> Tables:
        return np.asarray(state[f"{name}0"]), np.asarray(state[f"{name}1"])

    if "regret0" in state and "playing0" in state:
        return _cfr(form, state, (tables("regret"), tables("playing"), tables("sum")))
    return _fictitious(form, state, tables("plan")) if "plan0" in state else None


def _cfr(form: ClassForm, state: Arrays, tables: tuple[Tables, Tables, Tables]) -> dict[str, np.ndarray]:
    regret, current, average = (_flat(form, one, empty) for one, empty in zip(tables, (0.0, 1.0, 0.0), strict=True))
    return {"counts": _counts(state), "regret": regret, "current": current, "average": average}


def _fictitious(form: ClassForm, state: Arrays, tables: Tables) -> dict[str, np.ndarray]:
    return {"counts": _counts(state), "average": _flat(form, tables, 1.0)}


def _flat(form: ClassForm, tables: Tables, empty: float) -> np.ndarray:
    """Tables of both players in sequence numbering.  # [S]"""
    flat = np.concatenate([np.full(2, empty), form.profile_of(tables)])
    if len(flat) != form.treeplexes.sequences:
        raise ValueError
    return flat


def _counts(state: Arrays) -> np.ndarray:
    """Iterations, and payoff evaluations."""
    iterations = int(state["iterations"][0])
    return np.array([iterations, 2 * iterations])


def _recount(words: dict[str, Any], form: ClassForm, state: Arrays) -> None:
    """Convert node counts: betting nodes are counted now, pairs of hands were before; games played are unchanged."""
    if not state or "counter" in state or "genes0" in state:
        return
    pairs = form.nodes_per_pass // form.chance.size * (2 if "output0" in state else 1)
    words["nodes_touched"] = words["nodes_touched"] * pairs
    words["curve"] = [[*point[:3], point[3] * pairs, *point[4:]] for point in words["curve"]]
