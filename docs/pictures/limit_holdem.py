"""How much a best response wins from our strategies of limit hold'em, as measured on a card."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from pokerlab.display.elements.figure import draw
from pokerlab.figure import Figure, Line, Panel

TABLE = Path(__file__).parents[1] / "papers" / "limit-holdem.csv"
PUBLISHED = {"2010 and 2011: 104 to 135": (104.0, 135.0), "CFR-BR 2012: 41.2": (41.2, 41.2)}
SPAN = (500.0, 30_000.0)  # turns


def limit_picture() -> bytes:
    """Exploitability by the turns that CFR-BR was trained on, an interval at each, beside published players."""
    with TABLE.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["turns"]]
    lines = []
    for buckets in dict.fromkeys(row["buckets"] for row in rows):
        own = [row for row in rows if row["buckets"] == buckets]
        turns, won, off = (np.array([float(row[name]) for row in own]) for name in ("turns", "mbb", "interval"))
        if len(own) == 1:  # a band needs a width
            turns, won, off = turns * np.array([0.97, 1.03]), won.repeat(2), off.repeat(2)
        lines.append(Line(turns, won, label=f"{buckets} buckets", low=won - off, high=won + off))
    for name, (low, high) in PUBLISHED.items():
        level = np.array([low, high]).mean().repeat(2)
        band = {"low": np.full(2, low), "high": np.full(2, high)} if high > low else {}
        lines.append(Line(np.array(SPAN), level, label=name, **band))
    panel = Panel(tuple(lines), x_label="turns of CFR-BR", y_label="mbb a hand", x_log=True, y_range=(0.0, 400.0))
    return draw(Figure("limit-holdem", "", (panel,)), ("svg",))["svg"]
