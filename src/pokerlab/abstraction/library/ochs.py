"""k-means of strength against clusters of the opponent's hands: OCHS (Johanson and others 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from pokerlab.abstraction.by_feature import ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.ochs import OpponentClusters
from pokerlab.abstraction.method import Arrays, counted_spec, is_array
from pokerlab.settings import declared, whole


@dataclass(frozen=True)
class ByOpponents(ByFeature):
    """Points with one coordinate per cluster of the opponent's hands."""

    spec: str
    count: int
    opponents: int

    def feature(self, cards: CardRounds, arrays: Arrays | None = None) -> OpponentClusters:
        """The clusters of the opponent's hands are part of the rule because they take a while to compute."""
        if arrays is None:
            return OpponentClusters.of_game(cards, self.opponents)
        return OpponentClusters(tuple(np.asarray(arrays["opponents"]).tolist()))

    def arrays(self, rule: Any, feature: Any) -> Arrays:
        return {**super().arrays(rule, feature), "opponents": np.array(feature.clusters, np.uint8)}

    def is_sound(self, arrays: Arrays, cards: CardRounds, round: int, count: int) -> bool:
        has_clusters = is_array(arrays, "opponents", (cards.private_indexer.size(),), "u")
        return has_clusters and super().is_sound(arrays, cards, round, count)


@declared("ochs")
def method(
    name: str, *, count: Annotated[int, whole(1, 10**6)] = 100, opponents: Annotated[int, whole(1, 255)] = 8
) -> ByOpponents:
    """Classes around centres of strengths against this many clusters of the opponent's hands."""
    return ByOpponents(counted_spec(name, count), count, opponents)
