"""Strategies in the public form: the action probabilities and values of each hand at every decision.

A solver's averages stay in the solver's layout, which only `tree.public.reading` knows. A strategy is a policy
(policy.py), and is browsed node by node (views/public.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.errors import BadCards, BadFile, UnknownName
from pokerlab.games.poker.betting_tree import Deal, Decision, Node, Showdown
from pokerlab.games.poker.public_node import PublicNode
from pokerlab.strategy.forms.kinds import Arrays, BuiltStrategy, SlotFinder, StrategyKind, StrategyNames
from pokerlab.strategy.lock import LockedDecision, fixed_by
from pokerlab.strategy.policy import PolicyTable, StrategyLine
from pokerlab.strategy.public_profile import PublicSlots, decision_after, public_profile_of, same_layout
from pokerlab.strategy.views.public import PublicView
from pokerlab.tree.form import Problem, SuitIsomorphism
from pokerlab.tree.measure import Measure
from pokerlab.tree.public.assessor import Assessor
from pokerlab.tree.public.forecast import BYTES, size_of
from pokerlab.tree.public.form import outline
from pokerlab.tree.public.layout import PublicTree
from pokerlab.tree.public.packing import MOST_RATIO, packed, rounded, unpacked
from pokerlab.tree.public.profiles import Followers, Sums, joined
from pokerlab.tree.public.reading import BoardMapping, at_start, boards_to, chances, map_board


@dataclass(frozen=True, eq=False, repr=False)
class PublicStrategy(BuiltStrategy):
    """How both players play, hand by hand."""

    form: PublicTree
    sums: Sums
    threads: int = 1
    fixed: Sequence[LockedDecision] = ()  # by locks: best responses leave it unchanged
    seats: tuple[str, str] = ("player 0", "player 1")
    amounts: str = ""  # the unit of EV and of sizes, unless it is chips
    is_alone: bool = False  # whether it is rounded as in a strategy-only file

    def __len__(self) -> int:
        return self.form.infosets

    @property
    def hands(self) -> PublicTree:
        """The hands, which the form lists."""
        return self.form

    def probabilities(self, view: Any) -> Mapping[str, float]:
        node, rows = self._rows(view.betting.history, view.board)
        number = self.form.hand_numbers.get(frozenset(view.cards))
        if number is None or np.isnan(rows[number, 0]):
            hand = view.game.text(view.cards)
            raise UnknownName(f"the strategy of {self.game} has no hand {hand} for {self.seats[node.player]} here")
        return dict(zip(node.codes, rows[number].tolist(), strict=True))

    def table(self, place: PublicNode) -> PolicyTable:
        node, rows = self._rows(place.betting.history, place.board)
        present = np.flatnonzero(~np.isnan(rows[:, 0]))[::-1]
        return PolicyTable([self.form.hand_text(int(hand)) for hand in present], node.codes, rows[present])

    def _rows(self, history: str, board: Sequence[int]) -> tuple[Decision, np.ndarray]:
        """A decision, and its action probabilities on a board.  # [hand, action]"""
        node, rows = self._cached((history, tuple(board)), lambda: self._rows_at(history, board))
        return node, rows

    def _rows_at(self, history: str, board: Sequence[int]) -> tuple[Decision, np.ndarray]:
        node = decision_after(self.form.betting, history, self.game)
        try:
            mapping = map_board(self.form, self.form.places[node].round, board)
        except BadCards:
            raise UnknownName(f"the strategy of {self.game} does not begin with this board") from None
        rows = chances(self.form, self.sums, node, mapping)
        shown = np.empty_like(rows)
        shown[self.form.image(mapping.frame)] = rows
        return node, shown

    @cached_property
    def assessor(self) -> Assessor:
        """Evaluates strategies over this form, with locked nodes unchanged."""
        made = Assessor(self.form, threads=self.threads)
        for lock in self.fixed:
            made.hold(lock.number, lock.player, lock.places)
        return made

    def measure_in(self, form: PublicTree) -> Measure:
        """Value and best response of each player, in float64."""
        return self.assessor.measure(self.sums)

    def fits(self, form: Any) -> bool:
        """Whether a form has the same actions, boards and hands, whatever its payoffs."""
        return form.kind == self.form.kind and same_layout(self.form, form)

    def profile(self, form: PublicTree) -> np.ndarray:
        return np.asarray(form.normalize(joined(self.sums)))

    def solver_arrays(self, form: PublicTree) -> dict[str, np.ndarray]:
        """Nothing to compare: the solver's own averages are the strategy."""
        return {}

    def file_contents(self) -> tuple[Arrays, dict[str, Any]]:
        """The contents of a file besides the solver's state, which includes the strategy if present."""
        return packed(self.form, self.sums) if self.is_alone else {}, super().file_contents()[1]

    def strategy_only(self, bits: int = 8) -> PublicStrategy:
        """The strategy rounded as a strategy-only file stores it."""
        if self.is_alone:
            return self
        return replace(self, sums=rounded(self.form, self.sums), is_alone=True)

    def with_best_response(self, player: int, form: PublicTree) -> PublicStrategy:
        choice = [np.zeros(len(pair[player]), np.float32) for pair in self.sums]
        self.assessor.hands(self.sums, player, choice)
        followers = Followers(self.form, player)
        for number, chosen in enumerate(choice):  # rounding may choose any of equally good actions
            followers.share_numbers(number, chosen)
        sums = [
            [choice[number] if seat == player else np.asarray(pair[seat], np.float32) for seat in (0, 1)]
            for number, pair in enumerate(self.sums)
        ]
        return replace(self, sums=sums, is_alone=False)

    @cached_property
    def showdown(self) -> PublicStrategy:
        """The same cards without any betting: its values are equities."""
        node: Node = Showdown((1.0, 1.0), (0.0, 0.0))
        for _ in self.form.rounds[1:]:
            node = Deal(node)
        empty = [[np.zeros(32, np.float32) for _ in (0, 1)] for _ in self.form.rounds]
        return PublicStrategy(self.form.with_betting(node), empty, self.threads)

    def sequence_values(self, mapping: BoardMapping, player: int, *, root: int, reach: np.ndarray) -> np.ndarray:
        """[hand, sequence] A player's values on a board, times the opponent's reach [hand] at the start of its round.

        `root` is the node of the round's betting from which the board was reached.
        """
        number, board = mapping.number, mapping.board
        key = number, board, root, player, reach.tobytes()
        values = self._cached(
            key,
            lambda: self.assessor.sequences(self.sums, player, number=number, board=board, root=root, reach=reach),
        )
        return np.asarray(values)

    @property
    def root(self) -> PublicView:
        """The root node; cards that must be dealt first are still to come."""
        form, weights = self.form, tuple(self.form.weights)
        start = PublicView(self, form.betting, (), at_start(form), weights, weights, form.rounds[0].boards[0])
        return start.past_empty_deals()

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`, earlier rounds first; suit-isomorphic boards appear once."""
        form, paths = self.form, dict(_paths(self.form.betting, ""))
        texts = [form.hand_text(hand) for hand in range(len(form.hands))]
        for number, level in enumerate(form.rounds):
            for board, cards in enumerate(level.boards):
                shown = form.deck.text(cards)
                for node, rows, reach in self._reached(boards_to(form, number, board)):
                    moves = paths[node]
                    where = f" {shown}:{moves}" if shown else f":{moves}"
                    for hand in np.flatnonzero(~np.isnan(rows[:, 0]))[::-1].tolist():
                        text = texts[hand]
                        infoset = text + where
                        if match in infoset:
                            actions = dict(zip(node.actions, rows[hand].tolist(), strict=True))
                            yield StrategyLine(infoset, node.player, float(reach[hand]), actions, text, shown, moves)

    def _reached(self, boards: Sequence[BoardMapping]) -> Iterator[tuple[Decision, np.ndarray, np.ndarray]]:
        """Every decision on the last of some boards, one per round, each the representative of its isomorphic boards.

        With the action probabilities there [hand, action], and the player's own reach probability [hand].
        """
        last = boards[-1].number
        certain = np.ones(len(self.form.hands))
        pending: list[tuple[Node, tuple[np.ndarray, np.ndarray]]] = [(self.form.betting, (certain, certain))]
        while pending:
            node, reach = pending.pop()
            number = self.form.places[node].round
            if number > last:
                continue
            if isinstance(node, Deal):
                pending.append((node.child, reach))
            elif isinstance(node, Decision):
                rows = chances(self.form, self.sums, node, boards[number])
                if number == last:
                    yield node, rows, reach[node.player]
                chosen = reach[node.player][:, None] * rows  # NaN for hands that every later board blocks
                pairs = [(one, reach[1]) if node.player == 0 else (reach[0], one) for one in chosen.T]
                pending.extend(reversed(list(zip(node.children, pairs, strict=True))))


def _paths(node: Node, path: str) -> Iterator[tuple[Node, str]]:
    """Every node with the actions that lead to it, rounds separated by "/"."""
    yield node, path
    if isinstance(node, Decision):
        for action, child in zip(node.actions, node.children, strict=True):
            apart = ", " if path and path[-1] != "/" and len(action) > 1 else ""  # words, not letters
            yield from _paths(child, f"{path}{apart}{action}")
    elif isinstance(node, Deal):
        yield from _paths(node.child, f"{path}/")


def _named(form: PublicTree, arrays: Mapping[str, np.ndarray], naming: StrategyNames) -> PublicStrategy:
    sums = [[arrays[form.packed_name(number, player)] for player in (0, 1)] for number in range(len(form.rounds))]
    return PublicStrategy(form, sums, naming.threads, fixed_by(form, naming.locks), naming.seats, naming.money)


def _stored(form: PublicTree, storage: str) -> dict[str, tuple[int, Any]]:
    kind = {"float32": np.float32, "int16": np.int16}[storage]
    numbers = range(len(form.rounds))
    return {
        form.packed_name(number, player): (form.stored(number, player), kind) for number in numbers for player in (0, 1)
    }


def _check_size(
    problem: Problem, isomorphism: SuitIsomorphism, storage: str, arrays: Mapping[str, np.ndarray], path: Path | str
) -> None:
    """Before anything is built: TooLarge if it does not fit, BadFile if the file belongs to another problem."""
    if storage not in BYTES:
        raise BadFile(f"{path} is damaged: numbers are stored as {' or '.join(BYTES)}, not {storage[:40]!r}")
    size = size_of(outline(problem, isomorphism), storage=storage)
    size.check()
    alone = sum(array.size for name, array in arrays.items() if name.startswith("play_"))
    if alone:
        if 2 * size.slots > MOST_RATIO * alone:
            raise BadFile(f"{path} is damaged: its {alone:,} bytes of strategy are too few for its spot")
        return
    stored = sum(array.size for name, array in arrays.items() if name.startswith("average_") and "scale" not in name)
    if stored != size.slots:
        raise BadFile(f"{path} is damaged: it holds {stored:,} numbers of strategies, and its spot has {size.slots:,}")


def _slot_finder(form: PublicTree) -> SlotFinder:
    """By betting, board and hand, up to suit isomorphism."""
    slots = PublicSlots(form)
    return lambda game, state, seat, action: slots.find(
        state.betting.history, game.board(state), game.hand(state, seat), action
    )


KIND = StrategyKind(
    _named,
    _stored,
    max_entry=np.inf,
    check_size=_check_size,
    alone=lambda form, arrays, naming, path: replace(_named(form, unpacked(form, arrays, path), naming), is_alone=True),
    profile_of=public_profile_of,
    slot_finder=_slot_finder,
)
