"""Betting as everyone at the table sees it: decisions, deals, and how it ends. Private cards play no part here.

A betting tree says who may do what, when the next public cards come, and what each player gets at the end: a fixed
amount when someone has folded, or amounts for winning and losing when hands are compared (a tie gives the mean of the
two, which also holds for a raked pot that is split). It is the same whatever the cards are, so a public tree is this
tree times the boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Decision:
    """A player chooses one of some named actions."""

    player: int
    actions: tuple[str, ...]
    children: tuple[Node, ...]


@dataclass(frozen=True, eq=False)
class Deal:
    """The public cards of the next round come."""

    child: Node


@dataclass(frozen=True, eq=False)
class Settled:
    """Someone has folded: what each player gets."""

    returns: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Showdown:
    """Hands are compared: what each player gets on winning and on losing; a tie gives the mean of the two."""

    win: tuple[float, float]
    lose: tuple[float, float]


Node = Decision | Deal | Settled | Showdown


def children(node: Node) -> tuple[Node, ...]:
    """What may follow a node."""
    if isinstance(node, Decision):
        return node.children
    return (node.child,) if isinstance(node, Deal) else ()


def walk(node: Node) -> Iterator[Node]:
    """Every node, each before those below it."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))
