"""Makes the table of preflop match-ups that ships with the package, in seconds.

    python -m bench.preflop_table              # writes src/pokerlab/cards/preflop.table

Pairs of hands that differ by a renaming of suits win equally often: the file holds the wins of one pair of each kind.
"""

from __future__ import annotations

import zlib

import numpy as np

from pokerlab import store
from pokerlab.cards.preflop import PACKED_KIND, SHIPPED, compute, isomorphic_pairs


def main() -> None:
    """Count and write."""
    wins = compute(5)["wins"].reshape(-1)[isomorphic_pairs()[0]]
    packed = np.frombuffer(zlib.compress(wins.tobytes(), 9), np.uint8)
    store.save(SHIPPED, {"wins": packed}, kind=PACKED_KIND)
    print(f"wrote {SHIPPED.name}: {len(wins):,} kinds of pairs in {SHIPPED.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
