"""The history tree of a poker game, laid out many histories at a time.

Where a hand can go next depends on the betting and on how many cards are dealt, never on which. So the tree below a
betting is the same shape after every deal: it is made once and repeated for each, and only what cards decide (who knows
what, who wins) is filled in. What comes out is what `build` of layout.py makes one history at a time, entry for entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from pokerlab.games.game import CHANCE, TERMINAL, action_text, outcome_text
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.state import State
from pokerlab.tree.history.layout import NO_EDGE, NO_LABEL, NO_PARENT, HistoryTree


@dataclass(frozen=True, eq=False)
class Kind:
    """A betting with so many cards dealt: what all its histories have in common."""

    number: int
    state: State  # one of them
    actor: int
    moves: Sequence[Any]  # of the player to act
    ways: int  # in which chance may deal, where it does
    children: tuple[Kind, ...]  # by move; one where chance deals
    below: int  # histories below each


@dataclass(frozen=True, eq=False)
class Shape:
    """Everything below one history of a kind, in the order of the tree. S histories."""

    kind: np.ndarray  # [S] int32
    parent: np.ndarray  # [S] int32: a place in here, -1 for the history above
    first: np.ndarray  # [S] int32: place of the first child
    move: np.ndarray  # [S] int32: which of the parent's moves, or ways to deal, led here
    deal: np.ndarray  # [S] int32: which of the deals that can follow the cards dealt above
    met: np.ndarray  # [S] int32: when it is met walking depth first, the history above being met at 0


def can_lay_out(game: Any) -> TypeGuard[PokerGame]:
    """Whether a game is one of those laid out here: poker without draws, private cards all dealt at once."""
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
        self._levels: dict[int, int] = {}  # ways to deal on from so many cards
        for kind in self.kinds:
            if kind.actor == CHANCE:
                self._levels[len(kind.state.cards)] = kind.ways

    @property
    def nodes(self) -> int:
        """How many histories there are, counted without laying them out."""
        return 1 + self.top.below

    def _kind(self, state: State) -> Kind:
        game, actor = self.game, self.game.player(state)
        moves: Sequence[Any] = ()
        children: tuple[Kind, ...] = ()
        ways, below = 0, 0
        if actor == CHANCE:
            ways = game.outcome_count(state)
            children = (self._kind(game.child(state, next(game.dealing.every(state)))),)
            below = ways * (1 + children[0].below)
        elif actor != TERMINAL:
            moves = list(game.actions(state))
            children = tuple(self._kind(game.child(state, move)) for move in moves)
            below = sum(1 + child.below for child in children)
        kind = Kind(len(self.kinds), state, actor, moves, ways, children, below)
        self.kinds.append(kind)
        return kind

    # ---- shape -----------------------------------------------------------------------------------------------------

    def shape(self, kind: Kind) -> Shape:
        """The histories below one of a kind."""
        if kind.number not in self._shapes:
            self._shapes[kind.number] = self._repeated(kind) if kind.actor == CHANCE else self._joined(kind)
        return self._shapes[kind.number]

    def forget_shapes(self) -> None:
        """Give back the room of shapes that were made on the way."""
        self._shapes.clear()

    def _joined(self, kind: Kind) -> Shape:
        """What follows each move, one after another."""
        count = len(kind.children)
        sizes = np.array([child.below for child in kind.children], np.int64)
        starts = count + np.concatenate([[0], np.cumsum(sizes)[:-1]]) if count else np.zeros(0, np.int64)
        met = 1 + np.concatenate([[0], np.cumsum(1 + sizes)[:-1]]) if count else np.zeros(0, np.int64)
        parts = [self.shape(child) for child in kind.children]

        def column(own: Any, later: Any) -> np.ndarray:
            moved = (later(part, place) for place, part in enumerate(parts))
            return np.concatenate([np.asarray(own, np.int32), *moved]).astype(np.int32, copy=False)

        return Shape(
            kind=column([child.number for child in kind.children], lambda part, _: part.kind),
            parent=column(np.full(count, -1), lambda part, k: np.where(part.parent < 0, k, part.parent + starts[k])),
            first=column(starts, lambda part, k: part.first + starts[k]),
            move=column(np.arange(count), lambda part, _: part.move),
            deal=column(np.zeros(count), lambda part, _: part.deal),
            met=column(met, lambda part, k: part.met + met[k]),
        )

    def _repeated(self, kind: Kind) -> Shape:
        """The same after every deal."""
        child, ways = kind.children[0], kind.ways
        part, size = self.shape(child), child.below
        each = np.arange(ways, dtype=np.int64)[:, None]
        starts, met = ways + each * size, 1 + each * (1 + size)
        dealt = len(child.state.cards)
        counts = {cards: self._deals_from(dealt, cards) for cards in np.unique(self.cards[part.kind]).tolist()}
        follow = np.zeros(1 + max(counts, default=0), np.int64)
        follow[list(counts)] = list(counts.values())

        def column(own: np.ndarray, later: np.ndarray) -> np.ndarray:
            made = np.empty(ways * (1 + size), np.int32)
            made[:ways] = own
            made[ways:].reshape(ways, size)[:] = later
            return made

        return Shape(
            kind=column(np.full(ways, child.number), part.kind),
            parent=column(np.full(ways, -1), np.where(part.parent < 0, each, part.parent + starts)),
            first=column(starts[:, 0], part.first + starts),
            move=column(each[:, 0], part.move),
            deal=column(each[:, 0], part.deal + each * follow[self.cards[part.kind]]),
            met=column(met[:, 0], part.met + met),
        )

    def _deals_from(self, dealt: int, cards: int) -> int:
        """How many deals of so many cards follow each deal of fewer."""
        count = 1
        needed = [0, *dict.fromkeys(self.game.dealing.needed)]
        for level in needed:
            if dealt <= level < cards:
                count *= self._levels[level]
        return count

    # ---- cards -----------------------------------------------------------------------------------------------------

    def deals(self) -> dict[int, list[tuple[int, ...]]]:
        """Every deal by how many cards are dealt, in the order of the tree."""
        game = self.game
        found: dict[int, list[tuple[int, ...]]] = {0: [()]}
        for kind in reversed(self.kinds):  # a kind comes after those below it
            before, after = len(kind.state.cards), len(kind.children[0].state.cards) if kind.children else 0
            if kind.actor == CHANCE and after not in found:
                betting = kind.state.betting
                found[after] = [
                    cards + way for cards in found[before] for way in game.dealing.every(State(betting, cards))
                ]
        return found

    def returns(self, deals: dict[int, list[tuple[int, ...]]], kind: np.ndarray, deal: np.ndarray) -> np.ndarray:
        """[terminal, player] What terminal histories pay, given their kinds and deals."""
        game, players = self.game, self.game.players
        found = np.zeros((len(kind), players))
        ranks = _ranks(game, deals[game.dealing.needed[-1]]) if game.dealing.needed[-1] in deals else None
        order = np.argsort(kind, kind="stable")
        numbers, first = np.unique(kind[order], return_index=True)
        for number, rows in zip(numbers, np.split(order, first[1:]), strict=True):
            state = self.kinds[number].state
            alive = state.betting.alive
            if alive & (alive - 1) == 0:
                found[rows] = game.returns(state)
                continue
            assert ranks is not None
            patterns, index = np.unique(ranks[deal[rows]], axis=0, return_inverse=True)
            paid = [
                game.payoffs.returns(
                    state.betting, [int(rank) if alive >> seat & 1 else None for seat, rank in enumerate(pattern)]
                )
                for pattern in patterns
            ]
            found[rows] = np.array(paid, float)[index.reshape(-1)]
        return found

    def knowledge(self, deals: dict[int, list[tuple[int, ...]]]) -> dict[tuple[int, int], np.ndarray]:
        """By number of cards and player: for each deal, a number for what the player knows of it."""
        game = self.game
        found: dict[tuple[int, int], np.ndarray] = {}
        for kind in self.kinds:
            key = (len(kind.state.cards), kind.actor)
            if kind.actor >= 0 and key not in found:
                betting = kind.state.betting
                words: dict[str, int] = {}
                found[key] = np.array(
                    [
                        words.setdefault(game.infoset(State(betting, cards), kind.actor).rpartition(":")[0], len(words))
                        for cards in deals[key[0]]
                    ],
                    np.int64,
                )
        return found


def _ranks(game: PokerGame, deals: Sequence[tuple[int, ...]]) -> np.ndarray:
    """[deal, player] Strengths of whole deals as small numbers that keep their order in the deal."""
    hole, first = game.rules.rounds[0].private, game.players * game.rules.rounds[0].private
    known: dict[tuple[int, ...], int] = {}

    def strength(cards: tuple[int, ...]) -> int:
        if cards not in known:
            known[cards] = game.strength(cards)
        return known[cards]

    powers = np.array(
        [
            [strength(cards[seat * hole : (seat + 1) * hole] + cards[first:]) for seat in range(game.players)]
            for cards in deals
        ],
        np.int64,
    )
    return np.asarray((powers[:, :, None] > powers[:, None, :]).sum(axis=2))


def build_form(layout: PokerLayout) -> HistoryTree:
    """The whole tree."""
    game, shape, deals = layout.game, layout.shape(layout.top), layout.deals()
    layout.forget_shapes()
    kind, deal, met = _below(layout.top.number, shape.kind), _below(0, shape.deal), _below(0, shape.met)
    parent = _below(NO_PARENT, shape.parent + 1)
    actor = layout.actors[kind]
    counts = np.array([each.ways or len(each.moves) for each in layout.kinds], np.int32)[kind]
    first = _below(1, shape.first + 1)
    ways = np.array([each.ways for each in layout.kinds])[kind[parent[1:]]]
    label = np.full(len(kind), NO_LABEL, np.int32)
    ends = np.flatnonzero(actor == TERMINAL)
    ends = ends[np.argsort(met[ends])]
    label[ends] = np.arange(len(ends), dtype=np.int32)
    infosets = _infosets(layout, deals, kind, deal, met, label)
    move = _below(0, shape.move)
    edge, edge_names = _edges(layout, deals, kind, deal, met, parent, move)
    actions = [tuple(action_text(game, each) for each in layout.kinds[kind[node]].moves) for node in infosets]
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    actions = [shared.setdefault(texts, texts) for texts in actions]
    states = [
        (State(layout.kinds[kind[node]].state.betting, deals[layout.cards[kind[node]]][deal[node]]))
        for node in infosets
    ]
    return HistoryTree(
        game=game.name,
        players=game.players,
        actor=actor,
        parent=parent,
        first_child=np.where(counts > 0, first, 0).astype(np.int32),
        child_count=counts,
        label=label,
        probability=np.concatenate([[1.0], np.where(ways > 0, 1.0 / np.maximum(ways, 1), 1.0)]),
        edge=edge,
        returns=layout.returns(deals, kind[ends], deal[ends]),
        start=np.cumsum([0, *map(len, actions)]).astype(np.int32),
        infoset_player=actor[infosets],
        infoset_names=[game.infoset(state, int(actor[node])) for state, node in zip(states, infosets, strict=True)],
        action_names=actions,
        edge_names=edge_names,
    )


def _below(root: int, column: np.ndarray) -> np.ndarray:
    """A column of the histories below the root, with the root's entry before them."""
    return np.concatenate([np.array([root], np.int32), column])


def _infosets(
    layout: PokerLayout,
    deals: dict[int, list[tuple[int, ...]]],
    kind: np.ndarray,
    deal: np.ndarray,
    met: np.ndarray,
    label: np.ndarray,
) -> np.ndarray:
    """[infoset] The history in which each infoset is first met, players in order; labels are written."""
    nodes = np.flatnonzero(layout.actors[kind] >= 0)
    known = np.zeros(len(nodes), np.int64)
    for (cards, player), numbers in layout.knowledge(deals).items():
        here = (layout.cards[kind[nodes]] == cards) & (layout.actors[kind[nodes]] == player)
        known[here] = numbers[deal[nodes[here]]]
    key = kind[nodes].astype(np.int64) * (1 + known.max(initial=0)) + known
    order = np.argsort(met[nodes])
    _, first, index = np.unique(key[order], return_index=True, return_inverse=True)
    owner = layout.actors[kind[nodes[order[first]]]]
    rank = np.lexsort((first, owner))
    place = np.empty(len(rank), np.int32)
    place[rank] = np.arange(len(rank), dtype=np.int32)
    label[nodes[order]] = place[index.reshape(-1)]
    return np.asarray(nodes[order[first[rank]]])


def _edges(
    layout: PokerLayout,
    deals: dict[int, list[tuple[int, ...]]],
    kind: np.ndarray,
    deal: np.ndarray,
    met: np.ndarray,
    parent: np.ndarray,
    move: np.ndarray,
) -> tuple[np.ndarray, list[str]]:
    """[node] int32 The move that led to each history, and the moves' names in the order in which they are met."""
    game = layout.game
    texts: dict[str, int] = {}

    def number(text: str) -> int:
        return texts.setdefault(text, len(texts))

    above = kind[parent[1:]]
    found = np.zeros(len(above), np.int32)
    chosen = layout.actors[above] >= 0
    widest = max((len(each.moves) for each in layout.kinds), default=0)
    table = np.zeros((len(layout.kinds), max(1, widest)), np.int32)
    for each in layout.kinds:
        table[each.number, : len(each.moves)] = [number(action_text(game, action)) for action in each.moves]
    found[chosen] = table[above[chosen], move[1:][chosen]]
    for cards in np.unique(layout.cards[kind[1:][~chosen]]).tolist():
        before = max(level for level in (0, *game.dealing.needed) if level < cards)
        here = ~chosen & (layout.cards[kind[1:]] == cards)
        names = np.array([number(outcome_text(game, dealt[before:])) for dealt in deals[cards]], np.int32)
        found[here] = names[deal[1:][here]]
    order = np.lexsort((move[1:], met[parent[1:]]))
    known, first = np.unique(found[order], return_index=True)
    rank = np.argsort(first)
    place = np.zeros(len(texts), np.int32)
    place[known[rank]] = np.arange(len(rank), dtype=np.int32)
    words = list(texts)
    return _below(NO_EDGE, place[found]), [words[known[each]] for each in rank]
