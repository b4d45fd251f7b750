"""Strategies over buckets: the action probabilities of each bucket at each node of the betting.

While a solver runs, they are its averages, in its own layout. A strategy-only file stores each probability as a
multiple of 1/255 or 1/65535, without padding; it opens by memory map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np

from pokerlab.abstraction import exchange_buckets
from pokerlab.abstraction.abstracted import Abstracted
from pokerlab.abstraction.bucket_file import trained_buckets
from pokerlab.errors import BadFile, BadSetting, UnknownName
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.public_node import PublicNode, start_of
from pokerlab.strategy.forms.kinds import Arrays, BuiltStrategy, SlotFinder, StrategyKind, StrategyNames
from pokerlab.strategy.policy import Policy, PolicyTable, StrategyLine, hand_line
from pokerlab.tree.bucketed.exchange import ExchangeForm
from pokerlab.tree.bucketed.form import BucketedForm
from pokerlab.tree.measure import Measure

AVERAGES = (np.uint32, np.float32)  # counts of Pure CFR; sums of probabilities of the samplers
MOST_HANDS_CACHED = 64
WHOLE = {8: (np.uint8, 255), 16: (np.uint16, 65535)}  # by bits


@dataclass(frozen=True, eq=False, repr=False)
class BucketedStrategy(BuiltStrategy):
    """How all players play, bucket by bucket: in proportion to `numbers`, uniform where they are all zero."""

    form: BucketedForm
    numbers: Sequence[np.ndarray]  # [round] of [bucket, width]
    slot: np.ndarray  # [node] offset of a decision's actions in a row
    bits: int = 0  # per number in a strategy-only file; 0 for a solver's averages
    has_buckets = True

    def __repr__(self) -> str:
        return f"<BucketedStrategy of {self.game}: {len(self):,} infosets, buckets {self.form.buckets.text}>"

    def __len__(self) -> int:
        return self.form.infosets

    def details(self) -> dict[str, Any]:
        buckets = self.form.buckets
        return {"bucket_counts": list(buckets.counts), "bucket_methods": list(buckets.methods), "buckets": buckets.file}

    def probabilities(self, view: Any) -> Mapping[str, float]:
        node = self.node(view.betting.history)
        return self.actions_played(node, view, self.form.betting.actions[node])

    def actions_played(self, node: int, view: Any, names: Sequence[str]) -> Mapping[str, float]:
        """Action probabilities for the hand of a view at a decision, by action name."""
        return dict(zip(names, self.row(node, view).tolist(), strict=True))

    def row(self, node: int, view: Any) -> np.ndarray:
        """Action probabilities for the hand of a view at a decision.  # [action]"""
        return np.asarray(self.rows(node, self.bucket_at(node, view))[0])

    def weight(self, node: int, view: Any) -> float:
        """The sum of an infoset's averages, which grows with the visits during training."""
        return float(self._numbers(node, self.bucket_at(node, view)).sum())

    def bucket_at(self, node: int, view: Any) -> np.ndarray:
        """The bucket of the hand of a view at a decision.  # [1]"""
        return self.bucket(int(self.form.betting.arrays.round[node]), view.cards, view.board)

    def bucket(self, round: int, hand: Sequence[int], board: Sequence[int]) -> np.ndarray:
        """The bucket of a hand in a round.  # [1]

        Without a table, computing one hand takes as long as a whole board, so all hands of the board are cached.
        """
        buckets = self.form.buckets
        own = np.array([hand], np.uint8)
        if not buckets.is_lean or buckets.rounds[round].table is not None:
            return buckets.at(round, own, board)
        hands, numbers = self._hands_on(round, tuple(board[: buckets.cards.boards[round]]))
        return numbers[np.isin(hands, own).all(axis=1)][:1]

    def _hands_on(self, round: int, board: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Every hand on a board, highest cards first, and its bucket in a round.  # [n, private], [n]"""

        def compute() -> tuple[np.ndarray, np.ndarray]:
            cards = self.form.buckets.cards
            free = [card for card in range(cards.deck.size - 1, -1, -1) if card not in board]
            hands = np.array(list(combinations(free, cards.private)), np.uint8)
            return hands, self.form.buckets.at(round, hands, board)

        hands, buckets = self._cached((round, board), compute)
        return hands, buckets

    def table(self, place: PublicNode) -> PolicyTable:
        node = self.node(place.betting.history)
        hands, buckets = self.held(place)
        texts = [place.game.text(hand) for hand in hands.tolist()]
        return PolicyTable(texts, self.form.betting.actions[node], self.rows(node, buckets))

    def node(self, history: str) -> int:
        """The decision node after some betting; UnknownName if there is none."""
        node = self.form.betting.node_of(history)
        if node < 0 or self.form.betting.arrays.actor[node] < 0:
            raise UnknownName(f"the strategy of {self.game} does not know the betting {history[:60]!r}")
        return node

    def rows(self, node: int, buckets: np.ndarray) -> np.ndarray:
        """Action probabilities of a decision for some buckets.  # [n] -> [n, action]"""
        numbers = self._numbers(node, buckets)
        totals = numbers.sum(axis=1, keepdims=True)
        return np.where(totals > 0, numbers / np.where(totals > 0, totals, 1), 1 / numbers.shape[1])

    def is_trained(self, node: int, buckets: np.ndarray) -> np.ndarray:
        """Whether training visited a decision with some buckets; where it did not, play is uniform.  # [n] bool"""
        return np.asarray(self._numbers(node, buckets).any(axis=1))

    def _numbers(self, node: int, buckets: np.ndarray | slice) -> np.ndarray:
        """The unnormalized strategy at a decision.  # [n] -> [n, action] float64"""
        first, count = int(self.slot[node]), len(self.form.betting.actions[node])
        level = self.numbers[int(self.form.betting.arrays.round[node])]
        return np.asarray(level[buckets, first : first + count], float)

    def held(self, place: PublicNode) -> tuple[np.ndarray, np.ndarray]:
        """Every possible hand at a node, highest cards first, and its bucket.  # [n, private], [n]"""
        return self._hands_on(place.betting.round, tuple(place.board))

    def measure_in(self, form: BucketedForm) -> Measure:
        """Value and best response of each player in the real game; unknown if that is too large."""
        return self.form.measure(self.padded())

    def fits(self, form: Any) -> bool:
        """Whether a form has buckets of the same game, and as many numbers."""
        own = self.form
        return bool(form.kind == own.kind and form.game.rules == own.game.rules and form.numbers == own.numbers)

    def profile(self, form: BucketedForm) -> np.ndarray:
        return np.asarray(self.padded(), np.float32)

    def padded(self) -> np.ndarray:
        """The numbers in the layout of the form.  # [number]"""
        if not self.bits:
            return np.concatenate([level.reshape(-1) for level in self.numbers])
        padded = np.zeros(self.form.numbers, self.numbers[0].dtype)
        for round, (level, columns) in enumerate(zip(self.numbers, _columns(self.form), strict=True)):
            first, last = self.form.base[round : round + 2]
            padded[first:last].reshape(len(level), -1)[:, columns] = level
        return padded

    def with_best_response(self, player: int, form: BucketedForm) -> BucketedStrategy:
        """Raise an error: a best response sees its cards, not buckets, so it is not a strategy of this form."""
        raise BadSetting(
            f"a best response to strategies over buckets plays {self.game} hand by hand, and is not one over buckets; "
            "`pokerlab verify` measures what it wins, where the game is small enough"
        )

    def solver_arrays(self, form: BucketedForm) -> dict[str, np.ndarray]:
        """Nothing to compare: the solver's own averages are the strategy."""
        return {}

    def file_contents(self) -> tuple[Arrays, dict[str, Any]]:
        """The contents of a file besides the solver's state, which includes the strategy if present."""
        arrays = {f"play_{round}": level for round, level in enumerate(self.numbers)} if self.bits else {}
        buckets = self.form.buckets
        words = {
            "file": buckets.file,
            "fingerprint": buckets.fingerprint,
            "methods": list(buckets.methods),
            "counts": list(buckets.counts),
        }
        return arrays, super().file_contents()[1] | {"buckets": words}

    def strategy_only(self, bits: int = 8) -> BucketedStrategy:
        """The strategy rounded to `bits` bits, without padding; zeros where training never was."""
        if self.bits:
            return self
        kind, most = WHOLE[bits]
        slot, widths = packed_slots(self.form)
        arrays = self.form.betting.arrays
        levels = [np.zeros((count, width), kind) for count, width in zip(self.form.buckets.counts, widths, strict=True)]
        for node in np.flatnonzero(arrays.actor >= 0):
            level = levels[int(arrays.round[node])]
            numbers, first = self._numbers(int(node), slice(None)), int(slot[node])
            totals = numbers.sum(axis=1, keepdims=True)
            level[:, first : first + numbers.shape[1]] = np.rint(numbers / np.where(totals > 0, totals, 1) * most)
        return _made(self.form, levels, slot, bits)

    @cached_property
    def hands(self) -> Any:
        """The hands that the game deals."""
        from pokerlab.strategy.views.bucketed import GameHands

        return GameHands.of(self.form.game)

    @property
    def root(self) -> Any:
        from pokerlab.strategy.views.bucketed import BucketedView

        return BucketedView(self, start_of(self.form.game), (), self.hands.weights)

    def row_limit(self, player: int | None = None) -> int:
        """The number of actions of all infosets; after a draw, fewer are possible."""
        arrays, counts = self.form.betting.arrays, np.array(self.form.buckets.counts, np.int64)
        own = arrays.actor >= 0 if player is None else arrays.actor == player
        return int((counts[arrays.round[own]] * arrays.moves[own]).sum())

    def lines(self, match: str = "") -> Iterator[StrategyLine]:
        """Every infoset whose text contains `match`: a node of the betting with a bucket."""
        betting = self.form.betting
        for node in np.flatnonzero(betting.arrays.actor >= 0).tolist():
            round, moves = int(betting.arrays.round[node]), betting.histories[node]
            buckets = np.arange(self.form.buckets.counts[round])
            rows, trained = self.rows(node, buckets).tolist(), self.is_trained(node, buckets).tolist()
            for bucket, row in enumerate(rows):
                name = f"bucket {bucket}"
                if match in f"{name}:{moves}":
                    actor, known = int(betting.arrays.actor[node]), trained[bucket]
                    yield hand_line(name, moves, actor, betting.actions[node], row, trained=known)


def packed_slots(form: BucketedForm) -> tuple[np.ndarray, tuple[int, ...]]:
    """The offset of each decision's actions in rows without padding, and the row lengths.  # [node], [round]"""
    slot = np.zeros(form.betting.nodes, np.int32)
    widths = []
    for round in range(len(form.betting.rows)):
        slots = form.betting.slots(round)
        starts = np.concatenate([[0], np.cumsum(slots.sizes)])
        slot[slots.nodes] = starts[slots.which]
        widths.append(int(starts[-1]))
    return slot, tuple(widths)


def _columns(form: BucketedForm) -> list[np.ndarray]:
    """For each round, the columns of a padded row that hold numbers, in order.  # [round] of [column]"""
    columns_by_round = []
    for round in range(len(form.betting.rows)):
        _, _, first, sizes = form.betting.slots(round)
        steps = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        columns_by_round.append(np.repeat(first, sizes) + steps)
    return columns_by_round


def _named(form: BucketedForm, arrays: Mapping[str, np.ndarray], naming: StrategyNames) -> BucketedStrategy:
    average = arrays["average"]
    levels = [
        average[form.base[round] : form.base[round + 1]].reshape(count, -1)
        for round, count in enumerate(form.buckets.counts)
    ]
    return _made(form, levels, form.betting.arrays.slot)


def _made(form: BucketedForm, levels: Sequence[np.ndarray], slot: np.ndarray, bits: int = 0) -> BucketedStrategy:
    """A strategy of a form; games with a draw have their own class."""
    if form.has_draws:
        from pokerlab.strategy.forms.exchange import ExchangeStrategy

        return ExchangeStrategy(cast(ExchangeForm, form), levels, slot, bits)
    return BucketedStrategy(form, levels, slot, bits)


def _alone(
    form: BucketedForm, arrays: Mapping[str, np.ndarray], naming: StrategyNames, path: Path | str
) -> BucketedStrategy:
    """Read the strategy of a strategy-only file."""
    slot, widths = packed_slots(form)
    levels = []
    for round, (count, width) in enumerate(zip(form.buckets.counts, widths, strict=True)):
        level = arrays.get(f"play_{round}")
        if level is None or level.shape != (count, width) or level.dtype not in (np.uint8, np.uint16):
            raise BadFile(f"{path} is damaged: its strategy of round {round} is not of {form.name} with these buckets")
        levels.append(level)
    if len({level.dtype for level in levels}) > 1:
        raise BadFile(f"{path} is damaged: its strategies are in several kinds of numbers")
    return _made(form, levels, slot, 8 * levels[0].dtype.itemsize)


def _problem(game: Any, words: Mapping[str, Any], path: Path | str) -> Abstracted:
    """The game with the buckets that the file was solved with."""
    if not isinstance(game, PokerGame):
        raise BadFile(f"{path} is damaged: {game.name} is not a poker game, and has no buckets")
    description = words.get("buckets")
    if not isinstance(description, Mapping):
        raise BadFile(f"{path} is damaged: its manifest does not say which buckets it plays with")
    if game.dealing.draws:
        return Abstracted(game, exchange_buckets.trained_buckets(description, game, path))
    return Abstracted(game, trained_buckets(description, game, beside=Path(path).parent, path=path))


def _betting_profile(policy: Policy, form: BucketedForm) -> np.ndarray:
    """A policy that ignores cards as a profile: each decision is queried with one hand, on one board."""
    profile, arrays, cards = form.uniform(), form.betting.arrays, form.buckets.cards
    hand, board = tuple(range(cards.private)), tuple(range(cards.private, cards.private + cards.boards[-1]))
    pending = [(0, start_of(form.game))]
    while pending:
        node, place = pending.pop()
        if arrays.actor[node] < 0:
            continue
        place = place._replace(board=board[: cards.boards[place.betting.round]])
        actions, first = form.betting.actions[node], int(arrays.first[node])
        pending += [(first + number, place.after(action)) for number, action in enumerate(actions)]
        chances = policy.probabilities(place.view(hand))
        every = form.first_number(node, np.arange(form.buckets.counts[int(arrays.round[node])]))
        for number, action in enumerate(actions):
            profile[every + number] = chances.get(action, 0.0)
    return profile


def _slot_finder(form: BucketedForm) -> SlotFinder:
    """By the betting, and the bucket of the hand."""
    buckets, betting = form.buckets, form.betting
    known: dict[tuple[Any, ...], int] = {}  # of the last hands

    def bucket_of(hand: tuple[int, ...], board: tuple[int, ...]) -> int:
        if (hand, board) not in known:
            if len(known) >= MOST_HANDS_CACHED:
                known.clear()
            known[hand, board] = int(buckets.of(np.array([hand], np.uint8), board)[0])
        return known[hand, board]

    def find(game: Any, state: Any, seat: int, action: str) -> int | None:
        node = betting.node_of(state.betting.history)
        if node < 0 or action not in betting.actions[node]:
            return None
        bucket = bucket_of(tuple(game.hand(state, seat)), tuple(game.board(state)))
        return int(form.first_number(node, bucket)) + betting.actions[node].index(action)

    return find


KIND = StrategyKind(
    _named,
    lambda form, storage: {"average": (form.numbers, AVERAGES)},
    max_entry=np.inf,
    agent="blueprint",
    alone=_alone,
    problem=_problem,
    betting_profile=_betting_profile,
    slot_finder=_slot_finder,
)
