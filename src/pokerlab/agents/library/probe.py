"""Never folds, calls and raises with equal probability: visits every line of play, to learn how others respond."""

from __future__ import annotations

from dataclasses import dataclass

from pokerlab.agents.parts.triple import ConstantTripleAgent, PotFraction, Triple


@dataclass(frozen=True)
class Probe(ConstantTripleAgent):
    """The player used to learn opponent models."""

    label = "probe"
    constant_triple = Triple(0.0, 0.5, 0.5)
    pot_fraction: PotFraction = 1.0  # raise size outside fixed limit


agent = Probe
