"""The decision network of a hand of poker: two final hands decide who wins, and the opponent's actions show theirs.

Figure 11 of Rubin and Watson, "Computer poker: a review" (2011), with a decision and its utility (section 6.3):

    own final hand, opponent's final hand -> win -> chips <- bet
    opponent's final hand -> current hand of each action -> action

There are two ways to infer, which agree: by pyAgrum's influence diagrams, where it is installed, and by arrays, since
the current hands of a network of this shape can be summed out one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from pokerlab.errors import MissingExtra

AUTO, ARRAYS, PYAGRUM = INFERENCE = "auto", "arrays", "pyagrum"


class Observed(NamedTuple):
    """An action of the opponent."""

    current: np.ndarray  # [final, current] the type of hand at the time, given the final one
    likelihood: np.ndarray  # [current, action]
    action: int


class Network(NamedTuple):
    """Everything that is known at a decision."""

    own: np.ndarray  # [final]
    opponent: np.ndarray  # [final] before any action
    observed: Sequence[Observed]


class Inferred(NamedTuple):
    """What follows for the decision."""

    win: float  # the probability of winning a showdown
    utility: np.ndarray  # [bet] expected


def infer(network: Network, chips: np.ndarray, method: str = AUTO) -> Inferred:
    """The probability of winning and the expected utility of each bet; `chips` [bet, 2] if the hand loses or wins."""
    if method == AUTO:
        method = PYAGRUM if has_pyagrum() else ARRAYS
    return _by_arrays(network, chips) if method == ARRAYS else _by_pyagrum(network, chips)


@lru_cache(maxsize=1)
def has_pyagrum() -> bool:
    """Whether pyAgrum is installed."""
    return find_spec("pyagrum") is not None


def opponent_final(network: Network) -> np.ndarray:
    """The opponent's final hand, given the actions.  # [final]"""
    belief = network.opponent
    for current, likelihood, action in network.observed:
        belief = belief * (current @ likelihood[:, action])
        belief = belief / belief.sum()
    return belief


def _by_arrays(network: Network, chips: np.ndarray) -> Inferred:
    win = float(network.own @ _wins(len(network.own)) @ opponent_final(network))
    return Inferred(win, chips @ np.array([1 - win, win]))


def _wins(types: int) -> np.ndarray:
    """The probability that one final hand beats another; equals share.  # [own, opponent]"""
    number = np.arange(types)
    return np.asarray((1 + np.sign(number[:, None] - number)) / 2)


def _by_pyagrum(network: Network, chips: np.ndarray) -> Inferred:
    gum: Any = _pyagrum()
    types, diagram = len(network.own), gum.InfluenceDiagram()
    for name in ("own final", "opponent final"):
        diagram.addChanceNode(gum.RangeVariable(name, "", 0, types - 1))
    diagram.addChanceNode(gum.LabelizedVariable("win", "", ["no", "yes"]))
    diagram.addDecisionNode(gum.RangeVariable("bet", "", 0, len(chips) - 1))
    diagram.addUtilityNode(gum.LabelizedVariable("chips", "", 1))
    arcs = [("opponent final", "win"), ("own final", "win"), ("win", "chips"), ("bet", "chips")]
    for arc in arcs:  # the last parent of a node is the first axis of its table
        diagram.addArc(*arc)
    wins = _wins(types)
    diagram.cpt("own final")[:], diagram.cpt("opponent final")[:] = network.own, network.opponent
    diagram.cpt("win")[:] = np.stack([1 - wins, wins], axis=-1)
    diagram.utility("chips")[:] = chips[..., None]
    for place, one in enumerate(network.observed):
        hand, action = f"current {place}", f"action {place}"
        diagram.addChanceNode(gum.RangeVariable(hand, "", 0, types - 1))
        diagram.addChanceNode(gum.RangeVariable(action, "", 0, one.likelihood.shape[1] - 1))
        diagram.addArc("opponent final", hand)
        diagram.addArc(hand, action)
        diagram.cpt(hand)[:], diagram.cpt(action)[:] = one.current, one.likelihood
    inference = gum.ShaferShenoyLIMIDInference(diagram)
    for place, one in enumerate(network.observed):
        inference.addEvidence(f"action {place}", one.action)
    inference.makeInference()
    return Inferred(float(inference.posterior("win")[1]), np.array(inference.posteriorUtility("bet").tolist()))


def check_inference(method: str) -> None:
    """Raise MissingExtra for a method whose package is not installed."""
    if method == PYAGRUM:
        _pyagrum()


def _pyagrum() -> Any:
    try:
        return import_module("pyagrum")
    except ImportError:
        raise MissingExtra(
            "inference=pyagrum needs pyAgrum: pip install 'pokerlab[learn]', or inference=arrays"
        ) from None
