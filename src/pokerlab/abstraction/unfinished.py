"""Finished rounds of unfinished buckets: a file beside the target, from which the work is resumed.

A round may look ahead to later ones, so a saved round is valid as long as no later round's method has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab import store
from pokerlab.abstraction import bucket_file
from pokerlab.abstraction.buckets import RoundBuckets
from pokerlab.abstraction.making import Plan
from pokerlab.abstraction.method import open_method
from pokerlab.errors import BadFile
from pokerlab.reading import LARGEST_WHOLE, count, finite, text_of

KIND = "unfinished buckets"


@dataclass(frozen=True, eq=False)
class DoneRound:
    """A finished round, and how long it took."""

    buckets: RoundBuckets
    seconds: float


def path_of(out: Path | str) -> Path:
    """The file in which finished rounds are saved until all are done."""
    return Path(f"{out}.part")


def save(path: Path, plan: Plan, done: dict[int, DoneRound]) -> None:
    """Save the finished rounds."""
    arrays: dict[str, np.ndarray] = {}
    for turn, one in done.items():
        arrays |= bucket_file.arrays_of(turn, one.buckets)
    store.save(path, arrays, kind=KIND, **_words(plan, done))


def _words(plan: Plan, done: dict[int, DoneRound]) -> dict[str, Any]:
    turns = range(plan.cards.rounds)
    return {
        "cards": repr(plan.cards),
        "methods": _methods(plan),
        "seed": plan.seed,
        "done": sorted(done),
        "counts": [done[turn].buckets.count if turn in done else 0 for turn in turns],
        "distortions": [done[turn].buckets.distortion if turn in done else 0.0 for turn in turns],
        "seconds": [done[turn].seconds if turn in done else 0.0 for turn in turns],
    }


def _methods(plan: Plan) -> list[str]:
    return [open_method(text).spec for text in plan.methods]


def load(path: Path, plan: Plan) -> dict[int, DoneRound]:
    """The saved rounds of a plan; none if there is no file, or if its cards, seed or methods differ."""
    if not path.exists():
        return {}
    kept = store.load(path, kind=KIND, quick=True)
    words, methods = kept.manifest, _methods(plan)
    try:
        told = [text_of(word) for word in words["methods"]]
        turns = [count(turn) for turn in words["done"]]
        counts, seconds = [count(one) for one in words["counts"]], [finite(one) for one in words["seconds"]]
        same = text_of(words["cards"]) == repr(plan.cards) and count(words["seed"], most=LARGEST_WHOLE) == plan.seed
        if same and (
            max(turns, default=0) >= plan.cards.rounds
            or not len(counts) == len(seconds) == len(told) == plan.cards.rounds
        ):
            raise ValueError
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(f"{path} is damaged: it does not say what of it is done; remove it to begin anew") from problem
    if not same:
        return {}
    return {
        turn: DoneRound(
            bucket_file.read_round(kept, plan.cards, turn, method=told[turn], total=counts[turn]), seconds[turn]
        )
        for turn in turns
        if told[turn:] == methods[turn:]
    }
