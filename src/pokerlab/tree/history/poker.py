"""The history tree of a poker game, built many histories at a time.

Where a hand can go next depends on the betting and on how many cards are dealt, never on which. So the tree below a
betting state has the same shape after every deal: it is built once and repeated for each deal, and only what the cards
decide (who knows what, who wins) is filled in. The result equals that of `build` in layout.py, entry for entry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL, action_text, outcome_text
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.tree.history.layout import NO_EDGE, NO_LABEL, NO_PARENT, HistoryTree


@dataclass(frozen=True, eq=False)
class Kind:
    """What all histories of one betting state with the same number of cards dealt have in common."""

    number: int
    state: State  # of one of them
    actor: int
    moves: Sequence[Any]  # of the player to act
    outcomes: int  # of chance; 0 if a player acts
    children: tuple[Kind, ...]  # by move; one where chance deals
    below: int  # the number of histories below each


class Shape(NamedTuple):
    """All histories below one history of a kind, in the order of the tree. S histories."""

    kind: np.ndarray  # [S] int32
    parent: np.ndarray  # [S] int32: a position in this shape, -1 for the history above
    first: np.ndarray  # [S] int32: position of the first child
    move: np.ndarray  # [S] int32: which of the parent's moves or outcomes led here
    deal: np.ndarray  # [S] int32: which of the deals that can follow the cards dealt above
    visit: np.ndarray  # [S] int32: position in a depth-first walk, in which the history above is number 0


Deals = dict[int, list[tuple[int, ...]]]  # by number of cards dealt: every deal, in the order of the tree


def can_build(game: Any) -> TypeGuard[PokerGame]:
    """Whether this module can build a game: poker without draws, private cards all dealt at once."""
    return type(game) is PokerGame and not game.dealing.draws and game.dealing.at_once


class PokerLayout:
    """The kinds of a game, and the arrays of its tree."""

    def __init__(self, game: PokerGame) -> None:
        self.game = game
        self.kinds: list[Kind] = []
        self.top = self._kind(game.root())
        self.cards = np.array([len(kind.state.cards) for kind in self.kinds])  # [kind] dealt so far
        self.actors = np.array([kind.actor for kind in self.kinds], np.int8)  # [kind]
        self._shapes: dict[int, Shape] = {}
        # The number of outcomes of chance, by the number of cards dealt before.
        self._outcomes = {len(kind.state.cards): kind.outcomes for kind in self.kinds if kind.actor == CHANCE}

    def _kind(self, state: State) -> Kind:
        game, actor = self.game, self.game.player(state)
        moves: Sequence[Any] = ()
        children: tuple[Kind, ...] = ()
        outcomes, below = 0, 0
        if actor == CHANCE:
            outcomes = game.outcome_count(state)
            children = (self._kind(game.child(state, next(game.dealing.every(state)))),)
            below = outcomes * (1 + children[0].below)
        elif actor != TERMINAL:
            moves = list(game.actions(state))
            children = tuple(self._kind(game.child(state, move)) for move in moves)
            below = sum(1 + child.below for child in children)
        kind = Kind(len(self.kinds), state, actor, moves, outcomes, children, below)
        self.kinds.append(kind)
        return kind

    # ---- shape -----------------------------------------------------------------------------------------------------

    def shape(self, kind: Kind) -> Shape:
        """The histories below one of a kind."""
        if kind.number not in self._shapes:
            self._shapes[kind.number] = self._repeated(kind) if kind.actor == CHANCE else self._joined(kind)
        return self._shapes[kind.number]

    def whole_tree(self) -> Shape:
        """All histories, the root first. Shapes built on the way are dropped to free their memory."""
        below = self.shape(self.top)
        self._shapes.clear()
        below = below._replace(parent=below.parent + 1, first=below.first + 1)
        root = Shape(*np.array([[self.top.number], [NO_PARENT], [1], [0], [0], [0]], np.int32))
        return Shape(*map(np.concatenate, zip(root, below, strict=True)))

    def _joined(self, kind: Kind) -> Shape:
        """What follows each move, one after another."""
        count = len(kind.children)
        sizes = np.array([child.below for child in kind.children], np.int64)
        starts = count + np.cumsum(sizes) - sizes
        visits = np.cumsum(1 + sizes) - sizes
        parts = [self.shape(child) for child in kind.children]

        def column(own: Any, later: Any) -> np.ndarray:
            moved = (later(part, k) for k, part in enumerate(parts))
            return np.concatenate([np.asarray(own, np.int32), *moved]).astype(np.int32, copy=False)

        return Shape(
            kind=column([child.number for child in kind.children], lambda part, _: part.kind),
            parent=column(np.full(count, -1), lambda part, k: np.where(part.parent < 0, k, part.parent + starts[k])),
            first=column(starts, lambda part, k: part.first + starts[k]),
            move=column(np.arange(count), lambda part, _: part.move),
            deal=column(np.zeros(count), lambda part, _: part.deal),
            visit=column(visits, lambda part, k: part.visit + visits[k]),
        )

    def _repeated(self, kind: Kind) -> Shape:
        """The same after every deal."""
        child, outcomes = kind.children[0], kind.outcomes
        part, size = self.shape(child), child.below
        each = np.arange(outcomes, dtype=np.int64)[:, None]
        starts, visits = outcomes + each * size, 1 + each * (1 + size)
        dealt = len(child.state.cards)
        counts = {cards: self._deals_from(dealt, cards) for cards in np.unique(self.cards[part.kind]).tolist()}
        follow = np.zeros(1 + max(counts, default=0), np.int64)
        follow[list(counts)] = list(counts.values())

        def column(own: np.ndarray, later: np.ndarray) -> np.ndarray:
            result = np.empty(outcomes * (1 + size), np.int32)
            result[:outcomes] = own
            result[outcomes:].reshape(outcomes, size)[:] = later
            return result

        return Shape(
            kind=column(np.full(outcomes, child.number), part.kind),
            parent=column(np.full(outcomes, -1), np.where(part.parent < 0, each, part.parent + starts)),
            first=column(starts[:, 0], part.first + starts),
            move=column(each[:, 0], part.move),
            deal=column(each[:, 0], part.deal + each * follow[self.cards[part.kind]]),
            visit=column(visits[:, 0], part.visit + visits),
        )

    def _deals_from(self, dealt: int, cards: int) -> int:
        """The number of deals of `cards` cards that follow each deal of the first `dealt` ones."""
        levels = dict.fromkeys([0, *self.game.dealing.needed])
        return math.prod(self._outcomes[level] for level in levels if dealt <= level < cards)

    # ---- cards -----------------------------------------------------------------------------------------------------

    def deals(self) -> Deals:
        """Every deal, by the number of cards dealt."""
        deals: Deals = {0: [()]}
        for kind in reversed(self.kinds):  # a kind comes after those below it
            before, after = len(kind.state.cards), len(kind.children[0].state.cards) if kind.children else 0
            if kind.actor == CHANCE and after not in deals:
                state = kind.state
                dealt = ((cards, self.game.dealing.every(State(state.betting, cards))) for cards in deals[before])
                deals[after] = [cards + more for cards, outcomes in dealt for more in outcomes]
        return deals

    def returns(self, deals: Deals, kind: np.ndarray, deal: np.ndarray) -> np.ndarray:
        """[terminal, player] The payoffs of terminal histories, given their kinds and deals."""
        game = self.game
        returns = np.zeros((len(kind), game.players))
        ranks = _ranks(game, deals[game.dealing.needed[-1]]) if game.dealing.needed[-1] in deals else None
        order = np.argsort(kind, kind="stable")
        numbers, first = np.unique(kind[order], return_index=True)
        for number, rows in zip(numbers, np.split(order, first[1:]), strict=True):
            state = self.kinds[number].state
            alive = state.betting.alive
            if alive & (alive - 1) == 0:
                returns[rows] = game.returns(state)
                continue
            assert ranks is not None
            patterns, index = np.unique(ranks[deal[rows]], axis=0, return_inverse=True)
            shown = [[int(r) if alive >> seat & 1 else None for seat, r in enumerate(pattern)] for pattern in patterns]
            payoffs = [game.payoffs.returns(state.betting, strengths) for strengths in shown]
            returns[rows] = np.array(payoffs, float)[index.reshape(-1)]
        return returns

    def knowledge(self, deals: Deals) -> dict[tuple[int, int], np.ndarray]:
        """By number of cards and player: for each deal, a number for what the player knows of it."""
        game = self.game
        knowledge: dict[tuple[int, int], np.ndarray] = {}
        for kind in self.kinds:
            key = (len(kind.state.cards), kind.actor)
            if kind.actor >= 0 and key not in knowledge:
                states = (State(kind.state.betting, cards) for cards in deals[key[0]])
                seen = [game.infoset(state, kind.actor).rpartition(":")[0] for state in states]
                numbers: dict[str, int] = {}
                knowledge[key] = np.array([numbers.setdefault(text, len(numbers)) for text in seen], np.int64)
        return knowledge


def _ranks(game: PokerGame, deals: Sequence[tuple[int, ...]]) -> np.ndarray:
    """[deal, player] Hand strengths of complete deals, as the number of weaker hands of the deal."""
    hole, first = game.rules.rounds[0].private, game.players * game.rules.rounds[0].private
    strength = cache(game.strength)
    powers = np.array(
        [[strength(cards[k * hole : (k + 1) * hole] + cards[first:]) for k in range(game.players)] for cards in deals],
        np.int64,
    )
    return np.asarray((powers[:, :, None] > powers[:, None, :]).sum(axis=2))


def build_form(layout: PokerLayout) -> HistoryTree:
    """The whole tree."""
    game, kinds, nodes, deals = layout.game, layout.kinds, layout.whole_tree(), layout.deals()
    actor = layout.actors[nodes.kind]
    counts = np.array([kind.outcomes or len(kind.moves) for kind in kinds], np.int32)[nodes.kind]
    outcomes = np.array([kind.outcomes for kind in kinds])[nodes.kind[nodes.parent[1:]]]
    label = np.full(len(actor), NO_LABEL, np.int32)
    terminals = np.flatnonzero(actor == TERMINAL)
    terminals = terminals[np.argsort(nodes.visit[terminals])]
    label[terminals] = np.arange(len(terminals), dtype=np.int32)
    infosets = _infosets(layout, deals, nodes, label)
    edge, edge_names = _edges(layout, deals, nodes)
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    actions, names = [], []
    for node in infosets:
        kind = kinds[nodes.kind[node]]
        texts = tuple(action_text(game, move) for move in kind.moves)
        actions.append(shared.setdefault(texts, texts))
        cards = deals[len(kind.state.cards)][nodes.deal[node]]
        names.append(game.infoset(State(kind.state.betting, cards), kind.actor))
    return HistoryTree(
        game=game.name,
        players=game.players,
        actor=actor,
        parent=nodes.parent,
        first_child=np.where(counts > 0, nodes.first, 0).astype(np.int32),
        child_count=counts,
        label=label,
        probability=np.concatenate([[1.0], np.where(outcomes > 0, 1.0 / np.maximum(outcomes, 1), 1.0)]),
        edge=edge,
        returns=layout.returns(deals, nodes.kind[terminals], nodes.deal[terminals]),
        start=np.cumsum([0, *map(len, actions)]).astype(np.int32),
        infoset_player=actor[infosets],
        infoset_names=names,
        action_names=actions,
        edge_names=edge_names,
    )


def _infosets(layout: PokerLayout, deals: Deals, nodes: Shape, label: np.ndarray) -> np.ndarray:
    """[infoset] The first history of each infoset in a depth-first walk, players in order; writes `label`."""
    acting = np.flatnonzero(layout.actors[nodes.kind] >= 0)
    kind, deal, visit = nodes.kind[acting], nodes.deal[acting], nodes.visit[acting]
    known = np.zeros(len(acting), np.int64)
    for (cards, player), numbers in layout.knowledge(deals).items():
        here = (layout.cards[kind] == cards) & (layout.actors[kind] == player)
        known[here] = numbers[deal[here]]
    key = kind.astype(np.int64) * (1 + known.max(initial=0)) + known
    order = np.argsort(visit)
    _, first, index = np.unique(key[order], return_index=True, return_inverse=True)
    rank = np.lexsort((first, layout.actors[kind[order[first]]]))
    label[acting[order]] = np.argsort(rank).astype(np.int32)[index.reshape(-1)]
    return np.asarray(acting[order[first[rank]]])


def _edges(layout: PokerLayout, deals: Deals, nodes: Shape) -> tuple[np.ndarray, list[str]]:
    """[node] int32 The move that led to each history, and the moves' names in the order of a depth-first walk."""
    game = layout.game
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    kind, parent, _, move, deal, _ = (column[1:] for column in nodes)
    above = nodes.kind[parent]
    edge = np.zeros(len(above), np.int32)
    chosen = layout.actors[above] >= 0
    widest = max((len(each.moves) for each in layout.kinds), default=0)
    table = np.zeros((len(layout.kinds), max(1, widest)), np.int32)
    for each in layout.kinds:
        table[each.number, : len(each.moves)] = [number(action_text(game, action)) for action in each.moves]
    edge[chosen] = table[above[chosen], move[chosen]]
    for cards in np.unique(layout.cards[kind[~chosen]]).tolist():
        before = max(level for level in (0, *game.dealing.needed) if level < cards)
        here = ~chosen & (layout.cards[kind] == cards)
        names = np.array([number(outcome_text(game, dealt[before:])) for dealt in deals[cards]], np.int32)
        edge[here] = names[deal[here]]
    order = np.lexsort((move, nodes.visit[parent]))
    known, first = np.unique(edge[order], return_index=True)
    used = known[np.argsort(first)]
    renumbered = np.zeros(len(texts), np.int32)
    renumbered[used] = np.arange(len(used), dtype=np.int32)
    words = list(texts)
    return np.concatenate([np.array([NO_EDGE], np.int32), renumbered[edge]]), [words[number] for number in used]
