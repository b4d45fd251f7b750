"""A range as text: the shortest that parses to the same weights, and the pieces that other writers use."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pokerlab.cards.card import RANKS
from pokerlab.cards.combos import CLASS_COMBOS, COMBO_CLASS, class_of, combo_name

Line = list[tuple[tuple[int, int], int]]  # adjacent classes, best first: ranks and index


def write(weights: np.ndarray) -> str:
    """The shortest plain text that parses to exactly these weights [1326]."""
    if (weights == weights[0]).all():
        return "random" + _suffix(float(weights[0]))
    common, exceptions = _class_weights(weights)
    entries = _entries(PAIRS, common, "")
    for suited, offsuit in zip(SUITED, OFFSUIT, strict=True):
        if _entries(suited, common, "") == _entries(offsuit, common, ""):
            entries += _entries(suited, common, "")
        else:
            entries += _entries(suited, common, "s") + _entries(offsuit, common, "o")
    return ",".join(entries + exceptions)


PAIRS: Line = [((rank, rank), class_of(rank, rank, suited=True)) for rank in range(12, -1, -1)]
SUITED, OFFSUIT = (
    [[((high, low), class_of(high, low, suited=kind)) for low in range(high - 1, -1, -1)] for high in range(12, 0, -1)]
    for kind in (True, False)
)


def _class_weights(weights: np.ndarray) -> tuple[dict[int, float], list[str]]:
    """The weight of each class that has one, and the hands written individually: the fewest entries."""
    common: dict[int, float] = {}
    exceptions: list[str] = []
    for number in np.unique(COMBO_CLASS[weights > 0]):
        combos = CLASS_COMBOS[number]
        values, counts = np.unique(weights[combos], return_counts=True)
        common_weight = float(values[np.argmax(counts)])
        others = len(combos) - int(counts.max())
        nonzero = int(np.count_nonzero(weights[combos]))
        base = common_weight if common_weight > 0 and others + 1 < nonzero + (others == 0) else 0.0
        if base > 0:
            common[int(number)] = base
        for combo in combos[::-1]:
            if weights[combo] != base:
                exceptions.append(combo_name(int(combo)) + _suffix(float(weights[combo])))
    return common, exceptions


def _entries(line: Line, common: Mapping[int, float], suited: str) -> list[str]:
    """Entries of one line of classes, best first, adjacent classes of equal weight joined."""
    entries = []
    for weight, best, worst, first in runs(line, common):
        top, low = ranks_text(best) + suited, ranks_text(worst) + suited
        joined = low if best == worst else f"{low}+" if first else f"{low}-{top}"
        entries.append(joined + _suffix(weight))
    return entries


def runs(line: Line, common: Mapping[int, float]) -> list[tuple[float, tuple[int, int], tuple[int, int], bool]]:
    """Runs of equal positive weight: the weight, the best and the worst class, and whether it starts the line."""
    joined = []
    start = 0
    while start < len(line):
        weight = common.get(line[start][1], 0.0)
        end = start
        while end + 1 < len(line) and common.get(line[end + 1][1], 0.0) == weight:
            end += 1
        if weight > 0:
            joined.append((weight, line[start][0], line[end][0], start == 0))
        start = end + 1
    return joined


def ranks_text(ranks: tuple[int, int]) -> str:
    """Two ranks, the higher first."""
    return RANKS[ranks[0]] + RANKS[ranks[1]]


def _suffix(weight: float) -> str:
    if weight == 1:
        return ""
    return ":0" if weight == 0 else f":{weight!r}"
