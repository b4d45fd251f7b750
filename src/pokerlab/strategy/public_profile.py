"""Any policy as a profile of the public form: queried at every public node, it can be measured and countered.

A form stores suit-isomorphic boards once. A policy is queried on those, and on some of their images to check that it
treats suits equally; one that does not needs a form that stores every board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from pokerlab.errors import BadSetting, UnknownName, shortened
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.betting_tree import Deal, Decision, Node
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.games.poker.text import read_action
from pokerlab.strategy.policy import Policy, has_profiles, policy_name
from pokerlab.tree.public.layout import BLOCK, PublicTree
from pokerlab.tree.public.profiles import equivalent_rows, is_folded, parts, renamings, shares
from pokerlab.tree.public.reading import map_board, past_deals, stored_hands, stored_places

ROUNDING = 1e-6  # tolerance for the sum of probabilities at a decision
MOST_ASKED = 20_000_000  # infosets, hand by hand: takes minutes
MOST_CHECKED = 200  # boards of a round on which suit symmetry is checked
_WORD = re.compile(r"[fc]|r\d*")


class SuitsMatter(BadSetting):
    """A policy plays boards differently that a form merges."""


def public_profile_of(
    policy: Policy,
    game: PokerGame,
    tree: PublicTree,
    *,
    player: int | None = None,
    root: tuple[Node, Betting] | None = None,
) -> np.ndarray:
    """The action probabilities of a policy for every hand at every node of a form.  # [A] float32

    With `root`, at the nodes from there on: a node of the form and the betting of the game that it stands for.
    SuitsMatter if the form merges boards that the policy plays differently; BadSetting if the policy does not know a
    decision.
    """
    if tree.infosets > MOST_ASKED and not has_profiles(policy):
        raise BadSetting(
            f"{tree.name} has {tree.infosets:,} infosets, too many to ask an agent at each of them: name the file of a "
            "solution, or 'uniform'"
        )
    profile = np.zeros(tree.slots, np.float32)
    pieces, everything = parts(tree, profile), np.ones(len(tree.hands), bool)
    query = _PolicyQuery(policy, game, tree)
    if is_folded(tree):
        query.check_suits()
    firsts = [equivalent_rows(tree, seat) for seat in (0, 1)]  # equivalent hands are queried once
    start, betting = root or (tree.betting, game.betting.start())
    nodes = [one for one in decisions(game, start, betting) if player is None or one[0].player == player]
    for number, level in enumerate(tree.rounds):
        here = [(node, betting) for node, betting in nodes if tree.places[node].round == number]
        for board, cards in enumerate(level.boards):
            query.known.clear()  # of the board before
            for node, betting in here:
                hands = level.hands[node.player].hand[board]
                first = hands[firsts[node.player][number][board]][hands >= 0]
                rows = query.rows(node, betting, cards, only=first)[first]
                pieces[number][node.player][stored_places(tree, node, [board], everything)] = rows
    return shares(tree, profile)


def same_layout(one: PublicTree, other: PublicTree) -> bool:
    """Whether two forms store strategies identically: the same actions, boards and hands, whatever the payoffs."""
    if len(one.rounds) != len(other.rounds) or not _same_betting(one.betting, other.betting):
        return False
    return all(
        mine.boards == theirs.boards
        and all(np.array_equal(mine.hands[player].hand, theirs.hands[player].hand) for player in (0, 1))
        for mine, theirs in zip(one.rounds, other.rounds, strict=True)
    )


def _same_betting(one: Node, other: Node) -> bool:
    if isinstance(one, Deal) and isinstance(other, Deal):
        return _same_betting(one.child, other.child)
    if isinstance(one, Decision) and isinstance(other, Decision):
        return (one.player, one.codes) == (other.player, other.codes) and all(
            _same_betting(mine, theirs) for mine, theirs in zip(one.children, other.children, strict=True)
        )
    return not isinstance(one, Deal | Decision) and not isinstance(other, Deal | Decision)


def decisions(game: PokerGame, root: Node, start: Betting | None = None) -> Iterator[tuple[Decision, Betting]]:
    """Every decision of a betting tree, with the rule engine's betting state there; the root's is `start`."""
    pending: list[tuple[Node, Betting]] = [(root, start or game.betting.start())]
    while pending:
        node, betting = pending.pop()
        if isinstance(node, Deal):
            pending.append((node.child, betting))
        elif isinstance(node, Decision):
            yield node, betting
            for code, child in zip(node.codes, node.children, strict=True):
                pending.append((child, game.betting.act(betting, read_action(game, code))))


def decision_after(root: Node, history: str, game: str) -> Decision:
    """The decision after a history of the rule engine; UnknownName if the betting tree of the game has none."""
    node = past_deals(root)
    for word in _WORD.findall(history):
        if not isinstance(node, Decision) or word not in node.codes:
            raise UnknownName(f"the strategy of {game} does not know the betting {history[:60]!r}")
        node = past_deals(node.children[node.codes.index(word)])
    if not isinstance(node, Decision):
        raise UnknownName(f"nobody decides after {history[:60]!r} in {game}")
    return node


class _PolicyQuery:
    """Queries a policy about the hands of a form."""

    def __init__(self, policy: Policy, game: PokerGame, tree: PublicTree) -> None:
        self.policy, self.game, self.tree = policy, game, tree
        self.names = {tree.hand_text(number): number for number in range(len(tree.hands))}
        self._sorted = [tuple(sorted(hand, reverse=True)) for hand in tree.hands]
        self._listed: tuple[Sequence[str], np.ndarray, np.ndarray] = ((), np.zeros(0, int), np.zeros(0, int))
        self.known: dict[tuple[int, tuple[int, ...]], tuple[np.ndarray, frozenset[tuple[int, ...]]]] = {}

    def rows(
        self, node: Decision, betting: Betting, board: Sequence[int], *, only: np.ndarray | None = None
    ) -> np.ndarray:
        """[hand, action] Action probabilities of the player to act, for all hands or some; NaN for the others."""
        tree = self.tree
        held, among = self._held(node.player, tuple(board), only)
        try:
            table = self.policy.table(PublicNode(self.game, betting, tuple(board), among))
        except UnknownName as problem:
            raise BadSetting(f"{self._name} does not know every decision of {tree.name}: {problem}") from problem
        rows = np.full((len(tree.hands), len(node.codes)), np.nan)
        if table.hands is not self._listed[0]:  # often the same for all nodes of a board
            numbers = np.array([self.names.get(hand, -1) for hand in table.hands], np.int64)
            self._listed = table.hands, np.flatnonzero(numbers >= 0), numbers[numbers >= 0]
        _, known, numbers = self._listed
        if set(table.actions) != set(node.codes):
            theirs = ", ".join(table.actions)
            raise BadSetting(
                f"{self._name} has {theirs} at {self._where(betting)}, and there are {', '.join(node.codes)}"
            )
        order = [list(table.actions).index(code) for code in node.codes]
        rows[numbers] = np.asarray(table.probability, np.float64)[known][:, order]
        self._check(rows[held], np.flatnonzero(held), betting)
        rows[held] /= rows[held].sum(axis=1, keepdims=True)
        return rows

    def _held(
        self, player: int, board: tuple[int, ...], only: np.ndarray | None
    ) -> tuple[np.ndarray, frozenset[tuple[int, ...]]]:
        """[hand] Whether a player may hold each hand on a board and it is queried; and these hands by their cards."""
        key = player, board
        if key not in self.known or only is None:
            held = (self.tree.weights[player] > 0) & ~np.isin(self.tree.hand_cards, board).any(axis=1)
            if only is not None:
                held &= np.isin(np.arange(len(held)), only)
            self.known[key] = held, frozenset(self._sorted[hand] for hand in np.flatnonzero(held))
        return self.known[key]

    def _check(self, rows: np.ndarray, hands: np.ndarray, betting: Betting) -> None:
        unknown = np.isnan(rows).any(axis=1)
        if unknown.any():
            hand = self.tree.hand_text(int(hands[unknown][0]))
            raise BadSetting(f"{self._name} does not know what to do with {hand} at {self._where(betting)}")
        wrong = (rows < 0).any(axis=1) | (np.abs(rows.sum(axis=1) - 1) > ROUNDING)
        if wrong.any():
            hand, given = self.tree.hand_text(int(hands[wrong][0])), rows[wrong][0].tolist()
            raise BadSetting(
                f"with {hand} at {self._where(betting)} a policy must give probabilities that sum to 1, not {given}"
            )

    @property
    def _name(self) -> str:
        return shortened(policy_name(self.policy, "the opponent's strategy"))

    def _where(self, betting: Betting) -> str:
        return repr(betting.history) if betting.history else "the start"

    def check_suits(self) -> None:
        """Raise SuitsMatter if a board and its image under a suit permutation are played differently."""
        tree, rng = self.tree, np.random.default_rng(0)
        group = renamings(tree)[1:]  # the first is the identity
        nodes = list(decisions(self.game, tree.betting))
        for number, level in enumerate(tree.rounds):
            here = [(node, betting) for node, betting in nodes if tree.places[node].round == number]
            for board in rng.permutation(len(level.boards))[:MOST_CHECKED] if here else ():
                node, betting = here[int(rng.integers(len(here)))]
                renamed = group[int(rng.integers(len(group)))]
                cards = level.boards[int(board)]
                rows = self.rows(node, betting, cards)
                image = self.rows(node, betting, [int(renamed[card]) for card in cards])[tree.image(renamed)]
                if not np.allclose(rows, image, rtol=0, atol=ROUNDING, equal_nan=True):
                    raise SuitsMatter(
                        f"{self._name} plays hands apart that differ by names of suits alone, at {self._where(betting)}"
                    )


class PublicSlots:
    """Slots of a profile of a form by betting, board and hand."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree
        numbers = np.arange(tree.slots)
        self._first = [[int(part[0]) if len(part) else 0 for part in pair] for pair in parts(tree, numbers)]
        self._places: dict[tuple[str, tuple[int, ...]], tuple[Decision, np.ndarray]] = {}

    def find(self, history: str, board: Sequence[int], hand: Sequence[int], action: str) -> int | None:
        """The slot of an action with a hand at a node; None if the form has none."""
        key = history, tuple(board)
        if key not in self._places:
            node_slots = self._at(history, board)
            if node_slots is None:
                return None
            self._places[key] = node_slots
        node, slots = self._places[key]
        number = self.tree.hand_numbers.get(frozenset(hand))
        if number is None or action not in node.codes or slots[number] < 0:
            return None
        return int(slots[number]) + node.codes.index(action) * BLOCK

    def _at(self, history: str, board: Sequence[int]) -> tuple[Decision, np.ndarray] | None:
        """The decision after a history, and the offset of each hand's first action, -1 if it cannot be held."""
        tree = self.tree
        try:
            node = decision_after(tree.betting, history, tree.name)
        except UnknownName:
            return None
        mapping = map_board(tree, tree.places[node].round, board)
        everything = np.ones(len(tree.hands), bool)
        hands = stored_hands(tree, node, mapping.board, everything)
        slots = np.full(len(tree.hands), -1, np.int64)
        shown = tree.image(mapping.frame)[hands]
        slots[shown] = stored_places(tree, node, [mapping.board], everything)[:, 0]
        slots[shown] += self._first[mapping.number][node.player]
        return node, slots
