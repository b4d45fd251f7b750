"""The bucketed form: the betting tree times buckets of cards, for poker that is too large for the other forms.

An infoset is a decision of the betting with a bucket. A solver stores one array [bucket, row] per round; rounds are
concatenated in one long array, each starting at `base`. Cards are dealt at random (see _kernels/deals.py); nothing is
stored about them but the tables of buckets. Any number of players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.abstraction.abstracted import SAMPLE, Abstracted, BoardSample
from pokerlab.abstraction.buckets import LOSSLESS, Buckets, lossless
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.exchange_buckets import ExchangeBuckets, exchange_buckets
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.strength import HIGH, ranking
from pokerlab.errors import BadSetting, PokerlabError, TooLarge
from pokerlab.events import SILENT, Watch
from pokerlab.games.game import start_pot
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up, strength_of
from pokerlab.games.spot.spot_game import SpotGame
from pokerlab.tree.bucketed.betting import BettingForm, betting_form
from pokerlab.tree.forecast import available_memory, bytes_text, count_text
from pokerlab.tree.form import SHARE_OF_MEMORY, Form, FormKind, FormSize, Pace, Problem, SuitIsomorphism
from pokerlab.tree.measure import Measure
from pokerlab.tree.read_only import locked
from pokerlab.tree.resources import Resources
from pokerlab.tree.treeplex import Treeplexes

if TYPE_CHECKING:
    from pokerlab.tree.bucketed._kernels.deals import DealBuffers, DealTables
    from pokerlab.tree.bucketed.plans import BucketPlans
    from pokerlab.tree.bucketed.real_game import Measured

MOST_ROUNDS = 5
AT_A_TIME = 512  # deals
MISSING = -1  # no entry: an action that strategies over these buckets never take
PACKED = "average"  # the name of the one array of a profile in files
BYTES = 8  # per stored entry: regret and average


@dataclass(frozen=True, eq=False)
class BucketedForm(Form):
    """A poker game as betting and buckets."""

    game: PokerGame
    betting: BettingForm
    buckets: Buckets
    sample: BoardSample = SAMPLE

    kind = "bucketed"
    is_zero_sum = True
    has_draws = False  # whether players exchange cards

    @property
    def name(self) -> str:
        return self.game.name

    @property
    def players(self) -> int:
        return self.game.players

    @cached_property
    def max_abs_payoff(self) -> float:
        """The most that anybody can lose."""
        return float(self.betting.arrays.put.max())

    @property
    def pot(self) -> float:
        return start_pot(self.game)

    @cached_property
    def base(self) -> np.ndarray:
        """The offset of each round's numbers; the last entry is the total.  # [round + 1] int64"""
        sizes = [row * count for row, count in zip(self.betting.rows, self.buckets.counts, strict=True)]
        return np.cumsum([0, *sizes]).astype(np.int64)

    @property
    def numbers(self) -> int:
        """The number of entries of one kind that a solver stores, including padding."""
        return int(self.base[-1])

    @cached_property
    def infosets(self) -> int:
        """Decisions times buckets, of all players."""
        return sum(places * count for places, count in zip(self.betting.decisions, self.buckets.counts, strict=True))

    def first_number(self, node: int, bucket: Any) -> Any:
        """The offset of the numbers of a decision with a bucket, or with each of an array of buckets."""
        round = int(self.betting.arrays.round[node])
        return int(self.base[round]) + bucket * self.betting.rows[round] + int(self.betting.arrays.slot[node])

    def infoset_numbers(self, name: str, moves: int) -> np.ndarray:
        """The offsets of an infoset of the real game, by its name; MISSING for actions without one.  # [action]"""
        words, _, history = name.partition(":")
        hand, *board = (self.game.deck.cards(part) for part in words.split("/"))
        cards = [card for part in board for card in part]
        bucket = int(self.buckets.of(np.array([hand], np.uint8), cards)[0])
        return np.asarray(self.first_number(self.betting.node_of(history), bucket) + np.arange(moves))

    @property
    def size(self) -> FormSize:
        tables = sum(one.table.nbytes for one in self.buckets.rounds if one.table is not None)
        return FormSize(self.betting.nodes, self.infosets, float(self.numbers * BYTES + tables))

    def small(self) -> BucketedForm:
        """A game of few nodes that runs the same compiled code: as many players, and tables of the same type."""
        return _small(self.players, self.deals.tables[0].dtype)

    # ---- operations --------------------------------------------------------------------------------------------------

    @cached_property
    def _in_real_game(self) -> Measured | None:
        from pokerlab.tree.bucketed.real_game import measurer

        return measurer(self)

    def measure(self, profile: np.ndarray) -> Measure:
        """In the real game, against best responses that see their cards; unknown if that is too large."""
        measured = self._in_real_game
        return Measure.unknown(self.players) if measured is None else measured(profile)

    def measure_inside(self, profile: np.ndarray) -> Measure:
        """Inside the abstraction, against best responses that see only buckets; for two players.

        Over every deal, or over the boards of the sample where there are too many (see pairs.py).
        """
        return super().measure(self.normalize(profile))

    @cached_property
    def _plans(self) -> BucketPlans:
        from pokerlab.tree.bucketed.plans import BucketPlans

        return BucketPlans(self)

    def measure_where_known(self, profile: np.ndarray) -> Measure:
        return self.measure_inside(profile) if self.is_measured_inside else self.measure(profile)

    @cached_property
    def is_measured_inside(self) -> bool:
        """Whether the real game is too large to measure, so that measures are those of the abstract game."""
        from pokerlab.tree.bucketed.real_game import measuring_cost

        return measuring_cost(self) is None

    def on_other_boards(self, seed: int) -> BucketedForm:
        """The same abstraction over another sample of boards; BadSetting if every deal is counted."""
        from pokerlab.tree.bucketed.pairs import is_small

        if is_small(self):
            raise BadSetting(f"every deal of {self.name} is counted, and a seed changes nothing: leave it out")
        return replace(self, sample=replace(self.sample, seed=seed))

    @property
    def runs_on_plans(self) -> bool:
        """Whether an algorithm has built plans, so that measuring inside the abstraction costs little more."""
        return "_plans" in vars(self)

    @property
    def treeplexes(self) -> Treeplexes:
        """Decisions and buckets as infosets; BadSetting without perfect recall, TooLarge if deals are too many."""
        return self._plans.treeplexes

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        self._plans.payoffs(player, plan, out)

    def largest_payoff_sum(self, player: int) -> float:
        return self._plans.largest_payoff_sum(player)

    def by_sequence(self, numbers: np.ndarray) -> np.ndarray:
        return np.asarray(np.asarray(numbers)[self._plans.positions])

    def in_treeplexes(self, profile: np.ndarray) -> np.ndarray:
        return self.treeplexes.normalize(np.maximum(self.by_sequence(profile).astype(np.float64), 0.0))

    def behaviour(self, plan: np.ndarray) -> np.ndarray:
        return self._plans.profile(plan)

    def slots_of(self, player: int) -> np.ndarray:
        """A player's part of a profile, in the order of the treeplexes: positions, since rounds are interleaved."""
        return self._plans.slots[player]

    def occupied(self, player: int) -> np.ndarray:
        """Positions leave padding out.  # [slots of the player] bool"""
        return np.ones(len(self.slots_of(player)), np.bool_)

    def infoset_sums(self, numbers: np.ndarray) -> np.ndarray:
        plans = self._plans
        return plans.spread(plans.treeplexes.sums(self.by_sequence(numbers)))

    def normalize(self, weights: np.ndarray) -> np.ndarray:
        return self._plans.spread(self.in_treeplexes(weights))

    def check(self, profile: np.ndarray) -> np.ndarray:
        """The profile as probabilities; BadSetting if it does not fit this form."""
        if np.shape(profile) != (self.numbers,) or not (np.asarray(profile) >= 0).all():
            raise BadSetting(f"a profile of {self.name} with these buckets has {self.numbers:,} nonnegative numbers")
        return self.normalize(profile)

    def regrets(self, profile: np.ndarray) -> np.ndarray:
        """Immediate regrets inside the abstraction.  # [number] -> [number]"""
        return self._plans.spread(super().regrets(profile))

    def count_infosets(self, counts: np.ndarray) -> tuple[int, int]:
        return super().count_infosets(self.by_sequence(counts))

    def uniform(self) -> np.ndarray:
        """Equal numbers: the strategy is proportional to them.  # [number] float32"""
        return np.ones(self.numbers, np.float32)

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        return {PACKED: np.asarray(profile, np.float32)}

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        return arrays[PACKED]

    # ---- cards -----------------------------------------------------------------------------------------------------

    @cached_property
    def deals(self) -> DealTables:
        """How cards are dealt, as kernels read it."""
        from pokerlab.tree.bucketed._kernels.deals import DealTables

        cards, rounds = self.buckets.cards, self.buckets.rounds
        if self.buckets.is_lean:
            raise BadSetting(
                f"{self.buckets.file or 'these buckets'} holds no tables, which dealing needs: make them again"
            )
        last = cards.rounds - 1
        each = [min(round, last) for round in range(MOST_ROUNDS)]
        none = np.zeros((0, 0), np.int32)
        kind = _type_of([one.table for one in rounds if one.table is not None])
        tables = [locked(np.ascontiguousarray(one.table, kind)) for one in rounds]
        strength, evaluator = strength_tables(cards)
        return DealTables(
            deck=cards.deck.size,
            players=self.players,
            private=cards.private,
            boards=np.array(cards.boards, np.int64),
            dealt=np.array([cards.is_dealt(round) for round in range(cards.rounds)]),
            pairs=_pairs(cards),
            indexes=tuple(cards.indexer(round)._tables(-1) for round in each),
            tables=tuple(tables[round] for round in each),
            joins=tuple(locked(none if (join := rounds[round].join) is None else join) for round in each),
            strength=strength,
            evaluator=evaluator,
            full=full_cards(cards),
        )

    def deal_buffers(self, at_a_time: int = AT_A_TIME, *, players: int | None = None) -> DealBuffers:
        """Buffers for deals to all players, or to the given number."""
        from pokerlab.tree.bucketed._kernels.deals import DealBuffers

        cards = self.buckets.cards
        board, players = cards.boards[-1], players or self.players
        return DealBuffers(
            cards=np.zeros((at_a_time, players * cards.private + board), np.uint8),
            rows=np.zeros((at_a_time, cards.private + board), np.uint8),
            hand=np.zeros(at_a_time, np.int64),
            order=np.zeros(at_a_time, np.uint16),
            bucket=np.zeros((at_a_time, cards.rounds, players), np.int32),
            strength=np.zeros((at_a_time, players), np.int32),
        )


def _type_of(tables: Sequence[np.ndarray]) -> np.dtype:
    """The smallest type that holds the classes of all rounds: one for small games, whatever their buckets are."""
    wide = [table for table in tables if table.dtype.itemsize > 2]
    if not wide or all(int(table.max(initial=0)) < 1 << 16 for table in wide):
        return np.dtype(np.uint16)
    return np.result_type(*tables)


def _pairs(cards: CardRounds) -> np.ndarray:
    """The number of each two-card hand before any board; empty for other hands.  # [card, card] int64"""
    if cards.private != 2 or cards.boards[0]:
        return np.zeros((0, 0), np.int64)
    size = cards.deck.size
    one, other = (array.reshape(-1) for array in np.meshgrid(np.arange(size), np.arange(size), indexing="ij"))
    numbers = np.zeros(size * size, np.int64)
    apart = one != other
    numbers[apart] = cards.index(0, np.column_stack([one, other])[apart].astype(np.uint8))
    return numbers.reshape(size, size)


def full_cards(cards: CardRounds) -> np.ndarray:
    """Each card of a deck as one of the full deck, 0 if it has no such card.  # [card] uint8"""
    full = np.zeros(cards.deck.size, np.uint8)
    for card in range(cards.deck.size):
        with suppress(PokerlabError):
            full[card] = FULL_DECK.card(cards.deck.name(card))
    return full


def strength_tables(cards: CardRounds) -> tuple[np.ndarray, Any]:
    """The strength of each hand of the last round, empty if cards are evaluated; and tables that evaluate them."""
    held = cards.private + cards.boards[-1]
    if is_looked_up(cards.showdown, cards.deck, held):
        return np.zeros(0, np.int32), ranking(cards.showdown).tables(held)
    strength = strength_of(cards.showdown, cards.deck, held)
    indexer = cards.indexer(cards.rounds - 1)
    hands = indexer.unindex_batch(np.arange(indexer.size()))
    strengths = [strength(tuple(hand)) for hand in hands.tolist()]
    return np.unique(strengths, return_inverse=True)[1].astype(np.int32), HIGH().tables(7)


@cache
def _small(players: int, dtype: np.dtype) -> BucketedForm:
    from pokerlab.registry import load

    tiny = load("games", "kuhn" if players == 2 else f"kuhn(players={players})")
    return bucketed_form(tiny, _retyped(lossless(CardRounds.of(tiny)), dtype))


def _retyped(buckets: Buckets, dtype: Any) -> Buckets:
    """The same buckets in tables of another type."""
    rounds = tuple(replace(one, table=np.asarray(one.table, dtype)) for one in buckets.rounds)
    return replace(buckets, rounds=rounds)


def why_not(problem: Problem) -> str:
    """Why a problem has no bucketed form; "" if it has one."""
    game = problem.game if isinstance(problem, Abstracted) else problem
    if not isinstance(game, PokerGame) or isinstance(game, SpotGame):
        what = getattr(game, "name", "a spot")
        return f"{what} has no bucketed form: it is not a poker game of the rule engine"
    if game.dealing.draws:
        from pokerlab.tree.bucketed import exchange

        return exchange.why_not(game)
    try:
        cards = CardRounds.of(game)
    except BadSetting as reason:
        return f"{game.name} has no bucketed form: {reason}"
    if cards.rounds > MOST_ROUNDS:
        return f"{game.name} has no bucketed form: it has {cards.rounds} rounds, more than {MOST_ROUNDS}"
    return ""


def bucketed_form(
    game: PokerGame, buckets: Buckets | ExchangeBuckets | None = None, *, watch: Watch = SILENT
) -> BucketedForm:
    """A game with buckets, by default one per hand; BadSetting if they are for other cards."""
    reason = why_not(game)
    if reason:
        raise BadSetting(reason)
    if game.dealing.draws or isinstance(buckets, ExchangeBuckets):
        from pokerlab.tree.bucketed.exchange import exchange_form

        if not isinstance(buckets, ExchangeBuckets):
            buckets = exchange_buckets(LOSSLESS, game)
        return exchange_form(game, buckets, watch=watch)
    cards = CardRounds.of(game)
    chosen = lossless(cards) if buckets is None else buckets
    if replace(chosen.cards, ordered=False) != cards:
        raise BadSetting(
            f"the buckets are of other cards than those of {game.name}: make some with `pokerlab abstract`"
        )
    return BucketedForm(game, betting_form(game, watch=watch), chosen)


def forecast(problem: Problem) -> FormSize:
    """The size that the form would have; without buckets, with one per hand."""
    return build_form(problem).size


def build_form(problem: Problem, *, watch: Watch = SILENT, **_: Any) -> BucketedForm:
    """The bucketed form."""
    if isinstance(problem, Abstracted):
        return bucketed_form(problem.game, problem.buckets, watch=watch)
    assert isinstance(problem, PokerGame)
    return bucketed_form(problem, watch=watch)


def check(problem: Problem, isomorphism: SuitIsomorphism, resources: Resources) -> None:
    """Raise TooLarge, before allocating, if a solver's arrays and the tables would not fit in memory."""
    size, limit = forecast(problem), SHARE_OF_MEMORY * available_memory()
    if size.bytes > limit:
        raise TooLarge(
            f"{problem.name} with these buckets needs {bytes_text(size.bytes)} for {count_text(size.infosets or 0)} "  # type: ignore[union-attr]
            f"infosets, more than the {bytes_text(limit)} available: choose fewer buckets, or fewer bet sizes"
        )


FORM = FormKind(
    why_not,
    forecast,
    build_form,
    check,
    default_algorithm="pure",
    chosen=False,
    pace=Pace(None, 60.0, first=1000),
    in_state=True,
    command="train",
)
