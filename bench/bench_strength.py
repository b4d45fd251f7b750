"""Hand strength: hands a second, one thread, random hands in one batch; other programs called in a loop."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bench import Row, interleaved
from bench.peers import eval7_loop, openspiel_showdowns, phevaluator_loop, treys_loop
from pokerlab.cards.strength import strengths

OURS = 1_000_000
QUICK = {"OURS": 2000, "PHEVALUATOR": 100, "EVAL7": 100, "TREYS": 20, "OPENSPIEL": 20}
PHEVALUATOR, EVAL7, TREYS, OPENSPIEL = 50_000, 50_000, 3_000, 2_000


def measure() -> Iterator[Row]:
    """Seven, six and five cards."""
    deck = np.tile(np.arange(52, dtype=np.uint8), (OURS, 1))
    cards = np.random.default_rng(1).permuted(deck, axis=1)[:, :7]
    for size in (7, 6, 5):
        rows = np.ascontiguousarray(cards[:, :size])
        contenders = {
            "ours": lambda rows=rows: strengths(rows, check=False),
            "phevaluator": phevaluator_loop(rows[:PHEVALUATOR]),
            "eval7": eval7_loop(rows[:EVAL7]),
            "treys": treys_loop(rows[:TREYS]),
        }
        counts = {"ours": OURS, "phevaluator": PHEVALUATOR, "eval7": EVAL7, "treys": TREYS}
        if size == 7:
            hole = rows[0, :4].tolist()
            boards = np.array([row for row in cards if not set(row[:5]) & set(hole)][:OPENSPIEL])[:, :5]
            contenders["OpenSpiel"] = openspiel_showdowns(hole, boards)
            counts["OpenSpiel"] = 2 * len(boards)
        assert (strengths(rows[:PHEVALUATOR]) == contenders["phevaluator"]()).all()
        seconds = interleaved(contenders, repeats=9)
        speed = {name: counts[name] / seconds[name] for name in contenders}
        for peer in list(contenders)[1:]:
            yield Row(
                f"{size} cards",
                ours=speed["ours"],
                theirs=speed[peer],
                peer=peer,
                asked=15 if (size, peer) == (7, "phevaluator") else None,
                note="two hands a showdown, played out" if peer == "OpenSpiel" else "",
            )
