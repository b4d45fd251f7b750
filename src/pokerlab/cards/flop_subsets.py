"""Weighted subsets of flops: 25, 49, 95 or 184 that stand for all 1,755, and how far off they are.

Which flops, and with which weights (whole numbers of the 22,100 deals), was chosen by bench/flop_subsets.py so that
textures and exact equities of many ranges come out as over all flops; the choice is kept in flop_subsets.csv.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SIZES = (25, 49, 95, 184)
DEALS = 22_100  # three cards of 52
DATA = Path(__file__).with_name("flop_subsets.csv")


@dataclass(frozen=True)
class SubsetError:
    """How far means over a subset are from those over all flops, as root mean square, as bench/flop_subsets.py measures
    it on ranges and reports that were not used to choose."""

    equity: float  # points of percent, of one range against another, 20 pairs


ERRORS = {
    25: SubsetError(equity=0.096),
    49: SubsetError(equity=0.034),
    95: SubsetError(equity=0.039),
    184: SubsetError(equity=0.027),
}


def flop_subset(size: int) -> list[tuple[str, float]]:
    """The flops of a subset with their weights, which add up to 22,100, the heaviest first.

    >>> flops = flop_subset(25)
    >>> len(flops), sum(weight for _, weight in flops)
    (25, 22100.0)
    """
    return list(_subsets()[size])


@cache
def _subsets() -> dict[int, tuple[tuple[str, float], ...]]:
    with DATA.open(newline="", encoding="utf-8") as source:
        rows = [(int(row["flops"]), row["board"], float(row["weight"])) for row in csv.DictReader(source)]
    return {size: tuple((board, weight) for of, board, weight in rows if of == size) for size in SIZES}
