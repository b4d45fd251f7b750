"""Hands that play the same game are one class: lossless for two players, lossy with a threshold (GameShrink)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pokerlab.abstraction.buckets import MOST_LOSSLESS, RoundBuckets
from pokerlab.abstraction.clustering.clusters import label_type
from pokerlab.abstraction.gameshrink import by_outcomes, lossless, signal_tree
from pokerlab.abstraction.method import ClusteringTask, Method
from pokerlab.settings import Flag, declared, number


@dataclass(frozen=True)
class GameShrink(Method):
    """Classes of a whole game, served one round at a time."""

    spec: str
    outcomes: bool
    threshold: float
    count: int = MOST_LOSSLESS
    for_two: bool = True
    is_rule = False  # a hand is compared with all others
    is_nested = True

    def make_buckets(self, work: ClusteringTask) -> RoundBuckets:
        tree = signal_tree(work.cards)
        work.watch.at(f"signals of round {work.round}", 0.0)
        if self.outcomes or self.threshold > 0:
            classes = by_outcomes(tree, threshold=self.threshold)[work.round]
        else:
            classes = lossless(tree)[work.round]
        count = int(classes.max()) + 1
        return RoundBuckets(self.spec, count, classes.astype(label_type(count)))


@declared("gameshrink")
def method(name: str, *, outcomes: Flag = False, threshold: Annotated[float, number(0, 1)] = 0.0) -> GameShrink:
    """Hands that play the same game; with `outcomes` those that win equally often, with a threshold nearly so."""
    changed = ["outcomes=true"] if outcomes else []
    changed += [f"threshold={float(threshold)}"] if threshold else []
    settings = f"({', '.join(changed)})" if changed else ""
    return GameShrink(f"gameshrink{settings}", outcomes, float(threshold), for_two=not changed)
