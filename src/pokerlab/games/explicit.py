"""A game given node by node, as in files: every method is a lookup."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pokerlab.games.game import CHANCE, TERMINAL


@dataclass(frozen=True)
class Infoset:
    """Data shared by all nodes of one infoset (or chance move)."""

    player: int  # CHANCE for a chance move
    text: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] = ()  # chance only

    @cached_property
    def positions(self) -> dict[str, int]:
        """The position of each action."""
        return {action: position for position, action in enumerate(self.actions)}


@dataclass(frozen=True)
class Node:
    """One node; a terminal node has no infoset and no children."""

    infoset: Infoset | None
    children: tuple[int, ...]
    payoffs: tuple[Fraction, ...] = ()  # at a terminal node, including payoffs along the path


@dataclass(frozen=True, eq=False)
class ExplicitGame:
    """Nodes by number, the root first; a state is the number of a node."""

    name: str
    player_names: tuple[str, ...]
    nodes: tuple[Node, ...]
    title: str = ""

    @property
    def players(self) -> int:
        return len(self.player_names)

    def node_count(self) -> int:
        """The number of nodes, for estimates."""
        return len(self.nodes)

    def root(self) -> int:
        return 0

    def player(self, state: int) -> int:
        infoset = self.nodes[state].infoset
        return TERMINAL if infoset is None else infoset.player

    def actions(self, state: int) -> tuple[str, ...]:
        return self._infoset(state).actions

    def outcomes(self, state: int) -> list[tuple[str, float]]:
        infoset = self._infoset(state)
        assert infoset.player == CHANCE
        return [(a, float(p)) for a, p in zip(infoset.actions, infoset.probabilities, strict=True)]

    def child(self, state: int, action: str) -> int:
        return self.nodes[state].children[self._infoset(state).positions[action]]

    def returns(self, state: int) -> tuple[float, ...]:
        return tuple(float(payoff) for payoff in self.nodes[state].payoffs)

    def infoset(self, state: int, player: int) -> str:
        return self._infoset(state).text

    view = infoset

    def _infoset(self, state: int) -> Infoset:
        infoset = self.nodes[state].infoset
        assert infoset is not None, "a terminal node has no actions"
        return infoset
