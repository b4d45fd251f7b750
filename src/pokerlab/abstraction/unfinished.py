"""Finished rounds of unfinished buckets: a file beside the target, from which the work is resumed.

A round may look ahead to later ones, so a saved round is valid as long as no later round's method has changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pokerlab import places, store
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
    rounds = [done.get(round) for round in range(plan.cards.rounds)]
    store.save(
        path,
        bucket_file.arrays_of({round: one.buckets for round, one in done.items()}),
        kind=KIND,
        cards=repr(plan.cards),
        methods=_methods(plan),
        seed=plan.seed,
        done=sorted(done),
        counts=[one.buckets.count if one else 0 for one in rounds],
        distortions=[one.buckets.distortion if one else 0.0 for one in rounds],
        seconds=[one.seconds if one else 0.0 for one in rounds],
    )


def _methods(plan: Plan) -> list[str]:
    return [open_method(text).spec for text in plan.methods]


def load(path: Path, plan: Plan) -> dict[int, DoneRound]:
    """The saved rounds of a plan; none if there is no file, or if its cards, seed or methods differ."""
    if not places.exists(path):
        return {}
    saved = store.load(path, kind=KIND, quick=True)
    words, total = saved.manifest, plan.cards.rounds
    try:
        methods = [text_of(word) for word in words["methods"]]
        done = [count(round) for round in words["done"]]
        counts, seconds = [count(one) for one in words["counts"]], [finite(one) for one in words["seconds"]]
        same = text_of(words["cards"]) == repr(plan.cards) and count(words["seed"], most=LARGEST_WHOLE) == plan.seed
        if same and (max(done, default=0) >= total or not len(counts) == len(seconds) == len(methods) == total):
            raise ValueError
    except (KeyError, TypeError, ValueError) as problem:
        raise BadFile(
            f"{path} is damaged: it does not say which rounds are done; delete it to start again"
        ) from problem
    return {
        round: DoneRound(bucket_file.read_round(saved, plan.cards, round, method=methods[round]), seconds[round])
        for round in done
        if same and methods[round:] == _methods(plan)[round:]
    }
