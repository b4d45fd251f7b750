"""Players whose networks were evolved: which inputs they have, and how their weights lie in one vector.

Evolution itself plays matches and tournaments, so it is in lab/play/evolution.py; the weights of one run ship.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from pokerlab import store
from pokerlab.agents.parts.network import Network
from pokerlab.agents.parts.self_play import path_of
from pokerlab.errors import BadFile

KIND = "evolved agent"


class Shape(NamedTuple):
    """The layers of each network of a player."""

    networks: tuple[tuple[int, int, int], ...]  # inputs, hidden and outputs of each

    @property
    def genes(self) -> int:
        """The number of weights, biases included."""
        return sum((inputs + 1) * hidden + (hidden + 1) * outputs for inputs, hidden, outputs in self.networks)

    def networks_of(self, genes: np.ndarray) -> tuple[Network, ...]:
        """The networks of a vector of weights."""
        found, start = [], 0
        for inputs, hidden, outputs in self.networks:
            layers = []
            for rows, columns in ((inputs + 1, hidden), (hidden + 1, outputs)):
                layers.append(genes[start : start + rows * columns].reshape(rows, columns).astype(np.float64))
                start += rows * columns
            found.append(Network(*layers))
        return tuple(found)


def load_genes(file: str, agent: str, shape: Shape) -> np.ndarray:
    """The weights in a file of `pokerlab learn`, or those that ship.  # [gene]"""
    stored = store.load(file, kind=KIND) if file else store.load(path_of(agent), kind=KIND)
    if stored.manifest.get("agent") != agent:
        of = str(stored.manifest.get("agent"))[:40]
        raise BadFile(f"{file} was evolved for {of}, and cannot be played by {agent}: use {of}:{file}")
    genes = stored.arrays.get("genes")
    if genes is None or genes.shape != (shape.genes,):
        raise BadFile(f"{file or path_of(agent)} does not hold the {shape.genes:,} weights of {agent}")
    return genes


def save_genes(path: str, agent: str, genes: np.ndarray, settings: Mapping[str, object]) -> None:
    """Write the weights of a player, and how they were evolved."""
    store.save(path, {"genes": genes.astype(np.float32)}, kind=KIND, agent=agent, evolution=dict(settings))
