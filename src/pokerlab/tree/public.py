"""The public form: a betting tree times the boards, with one number for each private hand at every node.

Betting does not depend on the cards, so each round is a product: its boards times its betting, compiled once into a
*treeplex* for each player (infosets, and sequences that are roots of the round or actions). Where betting ends, the
value of a player's hand is a number that depends only on the opponent's sequence, times an amount: the weight of
compatible opposing hands ("compatible") or the same with beaten hands counted +1 and beating ones -1 ("ahead"). A
*lane* is one such opposing sequence; all lanes of a board are evaluated together, side by side in vectors.

Nothing here knows hold'em. A hand is one or two cards, two hands exclude each other when they share a card, and a
board is a set of cards that excludes the hands it meets. Boards that a symmetry of the cards maps onto each other are
kept once, with the images of their hands, when the symmetry preserves the first board and both ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.tree.betting import Deal, Decision, Node, Settled, Showdown

LANES = 16  # lanes are padded to a multiple of this
BLOCK = 32  # and hands to a multiple of this

# (cards of the board) -> one number per hand, larger is stronger; hands that meet the board may get any number
Strength = Callable[[tuple[int, ...]], np.ndarray]


def padded(count: int, unit: int = LANES) -> int:
    """The least multiple of a unit that holds this many."""
    return -(-count // unit) * unit


@dataclass(frozen=True)
class Treeplex:
    """One player's betting in one round, on any board. Sequences: the padded roots of the round, then the slots."""

    roots: int  # padded: the first slot is sequence number `roots`
    node_sequence: np.ndarray  # [node] int32: the sequence that leads to each infoset, parents first
    node_slot: np.ndarray  # [node] int32: first of its slots (a slot is an action of an infoset)
    node_actions: np.ndarray  # [node] int32
    source_start: np.ndarray  # [sequence + 1] int32: where a sequence's value comes from
    source_value: np.ndarray  # [source] int32: a value lane, or the lanes' count + an infoset further down
    source_factor: np.ndarray  # [source] float64: the amount that the lane is worth
    lane_sequence: np.ndarray  # [lane, padded] int32: OWN sequences that the opponent's values depend on
    ahead_vectors: int  # the first so many vectors of those lanes are compared at showdown
    compatible_first: int  # vectors from this one on are weighed by compatible hands
    deal_sequence: np.ndarray  # [root of the next round, padded] int32: own sequence at each deal

    @property
    def nodes(self) -> int:
        """Infosets of a hand on a board."""
        return len(self.node_slot)

    @property
    def slots(self) -> int:
        """Actions of all those infosets."""
        return int(self.node_actions.sum())

    @property
    def vectors(self) -> int:
        """Vectors of lanes."""
        return len(self.lane_sequence) // LANES


@dataclass(frozen=True)
class Hands:
    """One player's hands on every board of a round. Rows beyond `count` are empty."""

    rows: int  # padded
    count: np.ndarray  # [board] int32
    hand: np.ndarray  # [board, row] int16: number among all hands, -1 where empty
    cards: np.ndarray  # [board, row, 2] int16
    above: np.ndarray  # [board, row] int16: row on the board before; empty rows point one past its last
    twin: np.ndarray  # [board, row] int16: the opponent's row of the same hand, or one past their last
    image_row: np.ndarray  # [image, row] int16: where each image of the board puts a row on the board before
    group: np.ndarray  # [groups of all boards + boards] int32: first row of each strength, then the count


@dataclass(frozen=True)
class Round:
    """All of one round: the betting of both players and the boards, children of a board side by side."""

    treeplexes: tuple[Treeplex, Treeplex]
    hands: tuple[Hands, Hands]
    boards: tuple[tuple[int, ...], ...]  # public cards so far, the first board's included
    parent: np.ndarray  # [board] int32
    children: np.ndarray  # [board + 1] int32: where the boards of the next round that follow begin
    image_start: np.ndarray  # [board + 1] int32
    images: tuple[np.ndarray, ...]  # each a permutation of the cards that maps the board onto its image
    group_start: np.ndarray  # [board + 1] int32: where a board's groups begin, in the last round
    chance: float  # probability of each board, images counted, given two hands and the board before


@dataclass(frozen=True)
class Place:
    """Where a betting node is: its round and, for a decision, the infoset and first slot in the player's treeplex."""

    round: int
    root: int
    sequences: tuple[int, int]
    node: int = -1
    slot: int = -1


@dataclass(frozen=True)
class PublicTree:
    """A two-player game of one or two private cards as flat arrays."""

    betting: Node
    places: dict[Node, Place]
    rounds: tuple[Round, ...]
    hand_cards: np.ndarray  # [hand, 2] int16
    weights: tuple[np.ndarray, np.ndarray]  # [hand] float64 of each player, zero where the first board meets the hand
    pairs: float  # total weight of compatible pairs of hands
    tokens: int  # cards are 0 .. tokens - 1

    @property
    def infosets(self) -> int:
        """Infosets of both players, symmetric ones counted once."""
        return sum(
            treeplex.nodes * int(hands.count.sum())
            for level in self.rounds
            for treeplex, hands in zip(level.treeplexes, level.hands, strict=True)
        )

    @property
    def slots(self) -> int:
        """Stored numbers of one kind, padding included: one for each action of each infoset."""
        return sum(slots_of(level, player) for level in self.rounds for player in (0, 1))

    def probabilities(self, player: int) -> np.ndarray:
        """[hand] How likely each hand of a player is, opposing hands counted."""
        other = compatible_weight(self.hand_cards, self.weights[1 - player], self.tokens)
        return np.asarray(self.weights[player] * other / self.pairs)


def slots_of(level: Round, player: int) -> int:
    """Stored numbers of one kind for a player in a round: boards, rows and slots."""
    return len(level.boards) * level.hands[player].rows * level.treeplexes[player].slots


def compatible_weight(hand_cards: np.ndarray, weights: np.ndarray, tokens: int) -> np.ndarray:
    """[hand] The weight of the hands that share no card with each hand."""
    of_card = np.bincount(hand_cards.reshape(-1), np.repeat(weights, 2), minlength=tokens)
    return np.asarray(weights.sum() - of_card[hand_cards].sum(axis=1) + weights)


def build(
    betting: Node,
    *,
    hands: Sequence[tuple[int, ...]],
    weights: tuple[np.ndarray, np.ndarray],
    deck_size: int,
    board: tuple[int, ...] = (),
    deals: tuple[int, ...] = (),
    strength: Strength,
    symmetries: Sequence[np.ndarray] = (),
) -> PublicTree:
    """The public tree of a betting tree over cards.

    `hands` are sets of one or two cards, `deals` the number of public cards that each later round brings;
    `symmetries` are permutations of the deck, a group, of which those are used that keep the board and both ranges.
    """
    hand_cards, tokens = _two_cards(hands, deck_size)
    meets = np.isin(hand_cards, board).any(axis=1)
    live = (np.where(meets, 0.0, weights[0]), np.where(meets, 0.0, weights[1]))
    pairs = float(live[0] @ compatible_weight(hand_cards, live[1], tokens))
    if pairs <= 1e-12 * max(1.0, live[0].sum() * live[1].sum()):
        raise BadSetting("no two hands of these ranges can be dealt together on this board: every pair shares a card")
    places: dict[Node, Place] = {}
    plexes = _compile(betting, len(deals) + 1, places)
    group = _kept_symmetries(symmetries, hands, board, live)
    levels = _deal(hands, hand_cards, live, deck_size, board, deals, strength, group)
    rounds = tuple(Round(treeplexes=plex, **level) for plex, level in zip(plexes, levels, strict=True))
    return PublicTree(betting, places, rounds, hand_cards, live, pairs, tokens)


def _two_cards(hands: Sequence[tuple[int, ...]], deck_size: int) -> tuple[np.ndarray, int]:
    """Hands of two cards each; a hand of one card gets a second that no other hand holds."""
    cards = [hand if len(hand) == 2 else (hand[0], deck_size + i) for i, hand in enumerate(hands)]
    array = np.array(cards, np.int16).reshape(-1, 2)
    return array, max(deck_size, int(array.max()) + 1)


# ---- betting -------------------------------------------------------------------------------------------------------


@dataclass
class _Draft:
    """One player's treeplex of one round, while it is made."""

    node_sequence: list[int]
    node_slot: list[int]
    node_actions: list[int]
    sources: list[tuple[int, str, int, float]]  # (own sequence, kind of lane, which, amount)
    slots: int = 0


def _compile(betting: Node, rounds: int, places: dict[Node, Place]) -> list[tuple[Treeplex, Treeplex]]:
    roots: list[Node] = [betting]
    result = []
    for number in range(rounds):
        last = number == rounds - 1
        drafts, deals = _walk_round(roots, number, places, last=last)
        result.append(_finish(drafts, padded(len(roots)), [sequences for _, sequences in deals]))
        roots = [node.child for node, _ in deals]
    return result


def _walk_round(
    roots: list[Node], number: int, places: dict[Node, Place], *, last: bool
) -> tuple[tuple[_Draft, _Draft], list[tuple[Deal, tuple[int, int]]]]:
    drafts = (_Draft([], [], [], []), _Draft([], [], [], []))
    deals: list[tuple[Deal, tuple[int, int]]] = []
    first_slot = padded(len(roots))

    def visit(node: Node, root: int, sequences: tuple[int, int]) -> None:
        if isinstance(node, Decision):
            player, draft = node.player, drafts[node.player]
            index, slot = len(draft.node_slot), draft.slots
            places[node] = Place(number, root, sequences, index, slot)
            draft.sources.append((sequences[player], "node", index, 1.0))
            draft.node_sequence.append(sequences[player])
            draft.node_slot.append(slot)
            draft.node_actions.append(len(node.actions))
            draft.slots += len(node.actions)
            for k, child in enumerate(node.children):
                own = first_slot + slot + k
                visit(child, root, (own, sequences[1]) if player == 0 else (sequences[0], own))
            return
        places[node] = Place(number, root, sequences)
        if isinstance(node, Deal):
            if last:
                raise BadSetting("the betting deals more rounds than there are cards for")
            for player in (0, 1):
                drafts[player].sources.append((sequences[player], "deal", len(deals), 1.0))
            deals.append((node, sequences))
            return
        for player in (0, 1):
            own, other = sequences[player], sequences[1 - player]
            if isinstance(node, Settled):
                drafts[player].sources.append((own, "compatible", other, node.returns[player]))
                continue
            if not last:
                raise BadSetting("hands are compared before all public cards are dealt")
            half = (node.win[player] - node.lose[player]) / 2
            mean = (node.win[player] + node.lose[player]) / 2
            drafts[player].sources.append((own, "ahead", other, half))
            if mean:
                drafts[player].sources.append((own, "compatible", other, mean))

    for root, node in enumerate(roots):
        visit(node, root, (root, root))
    return drafts, deals


def _finish(drafts: tuple[_Draft, _Draft], roots: int, deals: list[tuple[int, int]]) -> tuple[Treeplex, Treeplex]:
    lanes = []  # of each player's sequences, as the other's values need them
    for player in (0, 1):
        needed = drafts[1 - player].sources
        ahead = {which for _, kind, which, _ in needed if kind == "ahead"}
        compatible = {which for _, kind, which, _ in needed if kind == "compatible"}
        lanes.append((sorted(ahead - compatible), sorted(ahead & compatible), sorted(compatible - ahead)))
    return (
        _treeplex(drafts[0], roots, deals=[pair[0] for pair in deals], own=lanes[0], other=lanes[1]),
        _treeplex(drafts[1], roots, deals=[pair[1] for pair in deals], own=lanes[1], other=lanes[0]),
    )


_Lanes = tuple[list[int], list[int], list[int]]  # sequences: ahead only, both, compatible only


def _treeplex(draft: _Draft, roots: int, *, deals: list[int], own: _Lanes, other: _Lanes) -> Treeplex:
    ahead_vectors, compatible_first, count = _extent(other)
    order = {sequence: lane for lane, sequence in enumerate(other[0] + other[1] + other[2])}
    compatible_from = LANES * (ahead_vectors - compatible_first)  # value lanes: ahead, compatible, deals, infosets
    deals_from = LANES * (ahead_vectors + count - compatible_first)
    nodes_from = deals_from + padded(len(deals))
    sources: list[list[tuple[int, float]]] = [[] for _ in range(roots + draft.slots)]
    for sequence, kind, which, amount in draft.sources:
        value = {
            "ahead": lambda which: order[which],
            "compatible": lambda which: compatible_from + order[which],
            "deal": lambda which: deals_from + which,
            "node": lambda which: nodes_from + which,
        }[kind](which)
        sources[sequence].append((value, amount))
    flat = [source for group in sources for source in group]
    own_ahead, own_first, own_count = _extent(own)
    own_lanes = own[0] + own[1] + own[2]
    return Treeplex(
        roots=roots,
        node_sequence=np.array(draft.node_sequence, np.int32),
        node_slot=np.array(draft.node_slot, np.int32),
        node_actions=np.array(draft.node_actions, np.int32),
        source_start=np.cumsum([0] + [len(group) for group in sources], dtype=np.int32),
        source_value=np.array([value for value, _ in flat], np.int32),
        source_factor=np.array([amount for _, amount in flat], np.float64),
        lane_sequence=np.array(own_lanes + [0] * (LANES * own_count - len(own_lanes)), np.int32),
        ahead_vectors=own_ahead,
        compatible_first=own_first,
        deal_sequence=np.array(deals + [0] * (padded(len(deals)) - len(deals)), np.int32),
    )


def _extent(lanes: _Lanes) -> tuple[int, int, int]:
    """(vectors compared at showdown, first vector weighed by compatible hands, vectors in all)."""
    ahead_only, both, compatible_only = (len(group) for group in lanes)
    count = padded(ahead_only + both + compatible_only) // LANES
    first = ahead_only // LANES if both or compatible_only else count
    return padded(ahead_only + both) // LANES, first, count


# ---- cards ---------------------------------------------------------------------------------------------------------


def _kept_symmetries(
    symmetries: Sequence[np.ndarray],
    hands: Sequence[tuple[int, ...]],
    board: tuple[int, ...],
    weights: tuple[np.ndarray, np.ndarray],
) -> list[np.ndarray]:
    """Those permutations of the cards that map the board and both ranges to themselves."""
    numbers = {frozenset(hand): i for i, hand in enumerate(hands)}
    kept = []
    for permutation in symmetries:
        if {int(permutation[card]) for card in board} != set(board):
            continue
        image = [numbers.get(frozenset(int(permutation[card]) for card in hand), -1) for hand in hands]
        if min(image) >= 0 and all(np.array_equal(weight[image], weight) for weight in weights):
            kept.append(np.asarray(permutation))
    return kept


@dataclass(frozen=True)
class _Board:
    cards: tuple[int, ...]
    parent: int
    group: list[np.ndarray]  # symmetries that keep this board
    images: list[np.ndarray]  # a permutation for each board that this one stands for, itself first


def _next_boards(board: _Board, number: int, deck_size: int, count: int) -> list[_Board]:
    """The boards after a deal, one of each class under the symmetries that keep the board."""
    free = [card for card in range(deck_size) if card not in board.cards]
    identity = np.arange(deck_size)
    seen: set[frozenset[int]] = set()
    result = []
    for dealt in combinations(free, count):
        if frozenset(dealt) in seen:
            continue
        images: dict[frozenset[int], np.ndarray] = {frozenset(dealt): identity}
        keep = []
        for permutation in board.group:
            image = frozenset(int(permutation[card]) for card in dealt)
            images.setdefault(image, permutation)
            if image == frozenset(dealt):
                keep.append(permutation)
        seen.update(images)
        result.append(_Board((*board.cards, *dealt), number, keep, list(images.values())))
    return result


def _deal(
    hands: Sequence[tuple[int, ...]],
    hand_cards: np.ndarray,
    weights: tuple[np.ndarray, np.ndarray],
    deck_size: int,
    board: tuple[int, ...],
    deals: tuple[int, ...],
    strength: Strength,
    group: list[np.ndarray],
) -> list[dict[str, object]]:
    """The boards and hands of every round, as the fields of Round."""
    numbers = {frozenset(hand): i for i, hand in enumerate(hands)}
    boards = [_Board(tuple(board), 0, group, [np.arange(deck_size)])]
    private = sum(len(hand) for hand in hands[:1]) * 2
    chance = 1.0
    above = [np.full((1, len(hands)), -1, np.int64), np.full((1, len(hands)), -1, np.int64)]
    for player in (0, 1):
        live = np.flatnonzero(weights[player] > 0)
        above[player][0, live] = np.arange(len(live))
    above_rows = [padded(int((weight > 0).sum()), BLOCK) for weight in weights]
    levels: list[dict[str, object]] = []
    for number in range(len(deals) + 1):
        last = number == len(deals)
        following = (
            []
            if last
            else [_next_boards(item, index, deck_size, deals[number]) for index, item in enumerate(boards)]
        )
        level, above, above_rows = _round_hands(
            boards, numbers, hands, hand_cards, weights, above, above_rows, strength if last else None
        )
        level["chance"] = chance
        level["children"] = np.cumsum([0] + [len(group) for group in following], dtype=np.int32)
        if last:
            level["children"] = np.zeros(len(boards) + 1, np.int32)
        else:
            left = deck_size - len(boards[0].cards) - private
            if left < deals[number]:
                raise BadSetting(f"there are not enough cards: {left} are left for a deal of {deals[number]}")
            chance = 1.0 / _choose(left, deals[number])
        levels.append(level)
        boards = [item for group in following for item in group]
    return levels


def _choose(total: int, count: int) -> int:
    from math import comb

    return comb(total, count)


def _round_hands(
    boards: list[_Board],
    numbers: dict[frozenset[int], int],
    hands: Sequence[tuple[int, ...]],
    hand_cards: np.ndarray,
    weights: tuple[np.ndarray, np.ndarray],
    above: list[np.ndarray],
    above_rows: list[int],
    strength: Strength | None,
) -> tuple[dict[str, object], list[np.ndarray], list[int]]:
    """Hands of both players on each board, weakest first in the last round, and the rows they have there."""
    order: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    groups: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    cache: dict[frozenset[int], np.ndarray] = {}
    for item in boards:
        open_hand = ~np.isin(hand_cards, item.cards).any(axis=1)
        live = [np.flatnonzero(open_hand & (weight > 0)) for weight in weights]
        if strength is None:
            for player in (0, 1):
                order[player].append(live[player])
            continue
        key = frozenset(item.cards)
        if key not in cache:
            cache[key] = np.asarray(strength(item.cards))
        power = cache[key]
        for player in (0, 1):
            live[player] = live[player][np.argsort(power[live[player]], kind="stable")]
            order[player].append(live[player])
        classes = np.unique(power[np.concatenate(live)])
        for player in (0, 1):
            starts = np.searchsorted(power[live[player]], classes)
            groups[player].append(np.append(starts, len(live[player])).astype(np.int32))
    rows = [padded(max(len(live) for live in order[player]), BLOCK) for player in (0, 1)]
    place = [_rows_of(order[player], len(hands)) for player in (0, 1)]
    image_start = np.cumsum([0] + [len(item.images) for item in boards], dtype=np.int32)
    images = tuple(image for item in boards for image in item.images)
    mapped = _hand_images(images, hands, numbers)
    level: dict[str, object] = {
        "boards": tuple(item.cards for item in boards),
        "parent": np.array([item.parent for item in boards], np.int32),
        "image_start": image_start,
        "images": images,
        "hands": tuple(
            _hands(
                order[player],
                rows[player],
                hand_cards=hand_cards,
                parents=[item.parent for item in boards],
                above=above[player],
                above_rows=above_rows[player],
                twins=place[1 - player],
                twin_rows=rows[1 - player],
                mapped=mapped,
                image_start=image_start,
                groups=groups[player],
            )
            for player in (0, 1)
        ),
        "group_start": np.cumsum([0] + [len(group) for group in groups[0]], dtype=np.int32),
    }
    return level, place, rows


def _rows_of(order: list[np.ndarray], hand_count: int) -> np.ndarray:
    """[board, hand] The row of each hand on each board, -1 where it is not there."""
    place = np.full((len(order), hand_count), -1, np.int32)
    for number, live in enumerate(order):
        place[number, live] = np.arange(len(live))
    return place


def _hand_images(
    images: tuple[np.ndarray, ...], hands: Sequence[tuple[int, ...]], numbers: dict[frozenset[int], int]
) -> list[np.ndarray]:
    """[image][hand] The hand that each hand is mapped to."""
    known: dict[bytes, np.ndarray] = {}
    result = []
    for permutation in images:
        key = permutation.tobytes()
        if key not in known:
            if np.array_equal(permutation, np.arange(len(permutation))):
                known[key] = np.arange(len(hands))
            else:
                known[key] = np.array([numbers[frozenset(int(permutation[card]) for card in hand)] for hand in hands])
        result.append(known[key])
    return result


def _hands(
    order: list[np.ndarray],
    rows: int,
    *,
    hand_cards: np.ndarray,
    parents: list[int],
    above: np.ndarray,
    above_rows: int,
    twins: np.ndarray,
    twin_rows: int,
    mapped: list[np.ndarray],
    image_start: np.ndarray,
    groups: list[np.ndarray],
) -> Hands:
    boards = len(order)
    hand = np.full((boards, rows), -1, np.int16)
    cards = np.zeros((boards, rows, 2), np.int16)
    up = np.full((boards, rows), above_rows, np.int16)
    twin = np.full((boards, rows), twin_rows, np.int16)
    image_row = np.zeros((int(image_start[-1]), rows), np.int16)
    for number, live in enumerate(order):
        count = len(live)
        hand[number, :count] = live
        cards[number, :count] = hand_cards[live]
        up[number, :count] = above[parents[number], live]
        other = twins[number, live]
        twin[number, :count] = np.where(other >= 0, other, twin_rows)
        for image in range(int(image_start[number]), int(image_start[number + 1])):
            image_row[image, :count] = above[parents[number], mapped[image][live]]
    return Hands(
        rows=rows,
        count=np.array([len(live) for live in order], np.int32),
        hand=hand,
        cards=cards,
        above=up,
        twin=twin,
        image_row=image_row,
        group=np.concatenate(groups) if groups else np.zeros(0, np.int32),
    )
