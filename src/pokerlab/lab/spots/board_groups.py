"""Flops in groups: by suits, pairs, the highest card and how connected they are; the rows of a report averaged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pokerlab.cards.card import FULL_DECK, RANKS

SUITS = {1: "one suit", 2: "two suits", 3: "three suits", 4: "four suits"}


def group_names(board: str) -> dict[str, str]:
    """The groups that a board is in, by kind of group.

    >>> group_names("Ks7h2d")
    {'high card': 'K high', 'pair': 'unpaired', 'suits': 'three suits', 'connected': 'not connected'}
    """
    cards = FULL_DECK.cards(board)[:3]
    ranks = sorted((card // 4 for card in cards), reverse=True)
    kinds = len(set(ranks))
    pair = {3: "unpaired", 2: "paired", 1: "three of a kind"}[kinds]
    gaps = _straight_gaps(ranks)
    connected = "connected" if gaps == 2 else "one gap" if gaps == 3 else "two gaps" if gaps == 4 else "not connected"
    suits = SUITS[len({card % 4 for card in cards})]
    return {"high card": f"{RANKS[ranks[0]]} high", "pair": pair, "suits": suits, "connected": connected}


def _straight_gaps(ranks: Sequence[int]) -> int:
    """The distance from the lowest to the highest rank, an ace also low; 99 with a pair."""
    if len(set(ranks)) < 3:
        return 99
    low = [-1 if rank == 12 else rank for rank in ranks]
    return min(max(ranks) - min(ranks), max(low) - min(low))


def grouped(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The weighted mean of every number over the boards of each group; boards that were not solved are left out."""
    sums: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row.get("problem"):
            continue
        for kind, name in group_names(row["board"]).items():
            group = sums.setdefault((kind, name), {"boards": 0, "weights": {}, "totals": {}})
            group["boards"] += 1
            for column, value in row.items():
                if isinstance(value, float) and value == value and column not in ("weight", "seconds"):
                    weight = float(row["weight"])
                    group["weights"][column] = group["weights"].get(column, 0.0) + weight
                    group["totals"][column] = group["totals"].get(column, 0.0) + weight * value
    return [
        {"by": kind, "group": name, "boards": group["boards"]}
        | {column: total / group["weights"][column] for column, total in group["totals"].items()}
        for (kind, name), group in sorted(sums.items())
    ]
