"""Sparse distributions over the next round's buckets, as rows of entries and amounts (CSR)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pokerlab.errors import BadSetting

_UNITS = 128


@dataclass(frozen=True, eq=False)
class Distributions:
    """Number of hands that reach each bucket; the amounts of a row need not sum to 1.

    >>> Distributions(np.array([0, 2, 3]), np.array([3, 5, 4]), np.array([2, 1, 1]), 6).dense().tolist()[0]
    [0.0, 0.0, 0.0, 0.6666666865348816, 0.0, 0.3333333432674408]
    """

    starts: np.ndarray  # [n + 1] int64: where each row begins
    entries: np.ndarray  # [nonzero] integers: buckets
    amounts: np.ndarray  # [nonzero] positive numbers
    buckets: int

    def __post_init__(self) -> None:
        if len(self.entries) != len(self.amounts) or self.starts[0] != 0 or self.starts[-1] != len(self.entries):
            raise BadSetting("rows of a distribution must begin at 0 and end at the number of entries and amounts")
        if not (np.diff(self.starts) > 0).all():
            raise BadSetting("each row of a distribution must hold something")
        if not (self.entries.min() >= 0 and self.entries.max() < self.buckets):
            raise BadSetting(f"entries of distributions are buckets from 0 to {self.buckets - 1}")
        if not (self.amounts.min() > 0 and np.isfinite(self.amounts.max())):
            raise BadSetting("amounts of distributions must be finite and above 0")

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, chosen: np.ndarray) -> Distributions:
        """Some of the rows.  # [m] int64"""
        lengths = np.diff(self.starts)[chosen]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(self.starts[chosen] - starts[:-1], lengths) + np.arange(starts[-1])
        return Distributions(starts, self.entries[places], self.amounts[places], self.buckets)

    def shares(self, first: int, last: int) -> np.ndarray:
        """The amounts of rows first to last (exclusive), each as a share of its row.  # float32"""
        starts = self.starts[first : last + 1]
        amounts = self.amounts[starts[0] : starts[-1]].astype(np.float64)
        totals = np.add.reduceat(amounts, starts[:-1] - starts[0])
        shares: np.ndarray = (amounts / np.repeat(totals, np.diff(starts))).astype(np.float32)
        return shares

    def dense(self) -> np.ndarray:
        """Shares of every bucket.  # [n, bucket] float32"""
        table = np.zeros((len(self), self.buckets), np.float32)
        owners = np.repeat(np.arange(len(self)), np.diff(self.starts))
        np.add.at(table, (owners, self.entries), self.shares(0, len(self)))
        return table

    def units(self, row: int) -> np.ndarray:
        """A row as units of equal mass: exact if it consists of a few integers, else rounded.  # [unit]"""
        part = slice(self.starts[row], self.starts[row + 1])
        amounts = self.amounts[part].astype(np.float64)
        if amounts.sum() > _UNITS or (amounts != np.floor(amounts)).any():
            return self.rounded_units(row)
        return np.repeat(self.entries[part].astype(np.int64), amounts.astype(np.int64))

    def rounded_units(self, row: int) -> np.ndarray:
        """A row rounded to 128 units of equal mass.  # [unit]"""
        part = slice(self.starts[row], self.starts[row + 1])
        reached = np.cumsum(self.amounts[part], dtype=np.float64)
        ends = np.floor(reached * (_UNITS / reached[-1]) + 0.5)
        return np.repeat(self.entries[part].astype(np.int64), np.diff(ends, prepend=0.0).astype(np.int64))
