"""Weighted subsets of 25, 49, 95 or 184 flops that represent all 1,755, and their accuracy.

The flops and their weights (integers out of the 22,100 deals) were chosen by bench/flop_subsets.py to reproduce the
textures and the exact equities of many ranges over all flops; they are stored in flop_subsets.csv.
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
    """The error of a mean over a subset compared with all flops, in percentage points (bench/flop_subsets.py)."""

    equity: float  # of one range against another: root mean square over 20 held-out pairs
    frequency: float  # of the bet in position after a check in REPORT
    ev: float  # of a player in REPORT, as a fraction of the pot


REPORT = "a four-bet pot solved on every flop"  # bench/reports/four_bet_pot.toml
ERRORS = {
    25: SubsetError(equity=0.096, frequency=2.624, ev=0.675),
    49: SubsetError(equity=0.034, frequency=0.277, ev=0.109),
    95: SubsetError(equity=0.039, frequency=0.106, ev=0.063),
    184: SubsetError(equity=0.027, frequency=0.262, ev=0.009),
}


def flop_subset(size: int) -> list[tuple[str, float]]:
    """The flops of a subset with their weights, which sum to 22,100, heaviest first.

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
