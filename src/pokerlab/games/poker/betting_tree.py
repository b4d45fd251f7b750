"""Betting as everyone at the table sees it: decisions, deals, and how it ends. Private cards play no part here.

A betting tree says who may do what, when the next public cards come, and what each player gets at the end: a fixed
amount when someone has folded, or amounts for winning and losing when hands are compared (a tie gives the mean of the
two, which also holds for a raked pot that is split). It is the same whatever the cards are, so a public tree is this
tree times the boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pokerlab.errors import TooLarge
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting, BettingRules
from pokerlab.games.poker.pots import Payoffs

MOST_BETTING_NODES = 60_000
DEEPEST_BETTING = 400  # actions in a row: the tree is walked by functions that call themselves

Choose = Callable[[Betting, int], Sequence[tuple[str, Action]]]  # (betting, level when its round began)


@dataclass(frozen=True, eq=False)
class Decision:
    """A player chooses one of some named actions."""

    player: int
    actions: tuple[str, ...]  # as people name them
    children: tuple[Node, ...]
    codes: tuple[str, ...] = ()  # the same as the rule engine writes them in a history: "c", "r300"
    put: tuple[float, float] = (0.0, 0.0)  # what each player has put in so far, the ante included


@dataclass(frozen=True, eq=False)
class Deal:
    """The public cards of the next round come."""

    child: Node
    put: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Settled:
    """Someone has folded: what each player gets."""

    returns: tuple[float, float]
    put: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Showdown:
    """Hands are compared: what each player gets on winning and on losing; a tie gives the mean of the two."""

    win: tuple[float, float]
    lose: tuple[float, float]
    put: tuple[float, float] = (0.0, 0.0)


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


@dataclass(frozen=True)
class Rake:
    """What the house takes of every pot: a part of it, at most a cap."""

    part: float = 0.0
    cap: float = float("inf")

    def of(self, pot: float) -> float:
        """What is taken of this pot."""
        return min(self.part * pot, self.cap)


def betting_tree(
    rules: BettingRules, choose: Choose, payoffs: Payoffs, *, unit: float = 1.0, rake: Rake | None = None
) -> Node:
    """The betting of a two-player game: at each decision the actions that `choose` names. Returns are in units."""
    taken = rake or Rake()
    count = 1  # nodes that are known to follow: those of a large game are too many long before all are visited

    def put(betting: Betting) -> tuple[float, float]:
        one, other = (live + ante for live, ante in zip(betting.live, rules.antes, strict=True))
        return one * unit, other * unit

    def visit(betting: Betting, base: int, depth: int) -> Node:
        nonlocal count
        named = () if betting.actor == TERMINAL else choose(betting, base)
        count += len(named)
        if count > MOST_BETTING_NODES or depth > DEEPEST_BETTING:
            raise TooLarge(
                f"the betting alone has more than {MOST_BETTING_NODES:,} nodes or very long raising; "
                "choose fewer bet sizes, a lower cap on raises, or a smaller stack"
            )
        if betting.actor == TERMINAL:
            return _end(betting)
        children = []
        for _, action in named:
            after = rules.act(betting, action)
            child = visit(after, base if after.round == betting.round else after.level, depth + 1)
            deals = 0 if after.folded_out else after.round - betting.round
            for _ in range(deals):
                child = Deal(child, put(after))
            children.append(child)
        labels, codes = tuple(label for label, _ in named), tuple(str(action) for _, action in named)
        return Decision(betting.actor, labels, tuple(children), codes, put(betting))

    def _end(betting: Betting) -> Node:
        if betting.folded_out:
            winner = 0 if betting.alive == 1 else 1
            won, lost = paid(betting, winner)
            return Settled((won, lost) if winner == 0 else (lost, won), put(betting))
        (one, other_lost), (other, one_lost) = paid(betting, 0), paid(betting, 1)
        return Showdown((one, other), (one_lost, other_lost), put(betting))

    def paid(betting: Betting, winner: int) -> tuple[float, float]:
        """What the winner gets, less rake, and what the other does."""
        returns = payoffs.returns(betting, (0, 1) if winner == 0 else (1, 0))  # smaller is stronger
        lost = returns[1 - winner] * unit
        return -lost - taken.of(-2 * lost), lost

    start = rules.start()
    node = visit(start, 0, 0)
    for _ in range(0 if start.folded_out else start.round):
        node = Deal(node, put(start))
    return node
