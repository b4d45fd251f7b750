"""Betting as everyone at the table sees it: decisions, deals, and endings, independent of private cards.

A betting tree defines the actions of each player, when the next public cards are dealt, and what each player gets at
the end: a fixed amount if someone has folded, or amounts for winning and losing a showdown (a tie gives the mean of the
two, which also holds for a raked split pot). It does not depend on the cards, so a public tree is this tree times the
boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pokerlab.errors import TooLarge
from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Action, Betting, BettingRules
from pokerlab.games.poker.pots import Payoffs

MOST_BETTING_NODES = 60_000
DEEPEST_BETTING = 400  # actions in a row: the tree is traversed recursively

Choose = Callable[[Betting, int], Sequence[tuple[str, Action]]]  # (betting, level at the start of its round)


@dataclass(frozen=True, eq=False)
class Decision:
    """A player chooses one of some named actions."""

    player: int
    actions: tuple[str, ...]  # readable names
    children: tuple[Node, ...]
    codes: tuple[str, ...] = ()  # the same as the rule engine writes them in a history: "c", "r300"
    put: tuple[float, float] = (0.0, 0.0)  # each player's chips in the pot so far, including the ante


@dataclass(frozen=True, eq=False)
class Deal:
    """The public cards of the next round are dealt."""

    child: Node
    put: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class FoldPayoffs:
    """Someone has folded: what each player gets."""

    returns: tuple[float, float]
    put: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Showdown:
    """A showdown: what each player gets on winning and on losing; a tie gives the mean of the two."""

    win: tuple[float, float]
    lose: tuple[float, float]
    put: tuple[float, float] = (0.0, 0.0)


Node = Decision | Deal | FoldPayoffs | Showdown


def walk(node: Node) -> Iterator[Node]:
    """Every node in preorder."""
    pending = [node]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, Decision):
            pending.extend(reversed(node.children))
        elif isinstance(node, Deal):
            pending.append(node.child)


@dataclass(frozen=True)
class Rake:
    """The house's share of every pot, with a cap."""

    part: float = 0.0
    cap: float = float("inf")

    def of(self, pot: float) -> float:
        """The rake from this pot."""
        return min(self.part * pot, self.cap)


def betting_tree(
    rules: BettingRules,
    choose: Choose,
    payoffs: Payoffs,
    *,
    unit: float = 1.0,
    rake: Rake | None = None,
    after: Betting | None = None,
) -> Node:
    """The betting tree of a two-player game, with the actions of `choose` at each decision. Returns are in units.

    With `after`, the tree of the betting that follows a decision, whose public cards have been dealt.
    """
    taken = rake or Rake()
    count = 1  # nodes known so far: a large tree exceeds the limit long before all are visited

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
            following = rules.act(betting, action)
            child = visit(following, base if following.round == betting.round else following.level, depth + 1)
            deals = 0 if following.folded_out else following.round - betting.round
            for _ in range(deals):
                child = Deal(child, put(following))
            children.append(child)
        labels, codes = tuple(label for label, _ in named), tuple(str(action) for _, action in named)
        return Decision(betting.actor, labels, tuple(children), codes, put(betting))

    def _end(betting: Betting) -> Node:
        if betting.folded_out:
            winner = 0 if betting.alive == 1 else 1
            won, lost = paid(betting, winner)
            return FoldPayoffs((won, lost) if winner == 0 else (lost, won), put(betting))
        (one, other_lost), (other, one_lost) = paid(betting, 0), paid(betting, 1)
        return Showdown((one, other), (one_lost, other_lost), put(betting))

    def paid(betting: Betting, winner: int) -> tuple[float, float]:
        """The payoffs of the winner, less rake, and of the loser."""
        returns = payoffs.returns(betting, (0, 1) if winner == 0 else (1, 0))  # smaller is stronger
        lost = returns[1 - winner] * unit
        return -lost - taken.of(-2 * lost), lost

    if after is not None:
        return visit(after, rules.level_before(after.history), 0)
    start = rules.start()
    node = visit(start, 0, 0)
    for _ in range(0 if start.folded_out else start.round):
        node = Deal(node, put(start))
    return node
