"""Estimates of the time and memory needed to make buckets.

The work of a round is its features (every holding on every complete board, up to suit isomorphism), its hands, and
comparisons of hands with centres: a sample is fitted and all hands are assigned. The rates were measured on two cores
at 2.8 GHz on hold'em; other machines are assumed to be as fast per core.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from pokerlab.abstraction.by_feature import MOST_HELD, SAMPLE, ByFeature
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.features.run_outs import RoundBoards
from pokerlab.abstraction.making import Plan
from pokerlab.abstraction.method import method_name, open_method
from pokerlab.cards.canonical import HandIndexer

FITTED = 300_000  # most hands that k-means fits
FIT_POWER, ASSIGN_POWER = 0.1, 0.3  # of the number of centres: bounds skip nearly all distances
OVERHEAD_BYTES = 250e6  # of the program, its kernels and strength tables


@dataclass(frozen=True)
class Rates:
    """Nanoseconds on one core."""

    showdown: float  # per holding on a complete board
    hand: float  # per hand: computing its index and storing its feature
    fit: float = 0.0  # per dimension of a hand while fitting, times the number of centres to the power of FIT_POWER
    assign: float = 0.0  # the same when all hands are assigned, with ASSIGN_POWER
    dims: int = 1  # dimensions of a hand
    width: int = 4  # bytes of each while in memory
    beside: int = 4  # further bytes per hand: its class, its weight, its position in an order


RATES = {
    "lossless": Rates(0.0, 2.0),
    "gameshrink": Rates(0.0, 60_000.0, beside=2000),
    "strength": Rates(17.0, 340.0, beside=30),
    "nested": Rates(17.0, 500.0, dims=2, beside=45),
    "emd": Rates(18.0, 700.0, fit=350.0, assign=4.0, dims=50, width=2),
    "histogram": Rates(18.0, 700.0, fit=350.0, assign=4.0, dims=50, width=2),
    "ochs": Rates(45.0, 300.0, fit=1250.0, assign=7.0, dims=8),
}
OTHERS = Rates(40.0, 500.0, fit=400.0, assign=4.3, dims=50)  # methods that were not measured


@dataclass(frozen=True)
class RoundForecast:
    """The cost of a round."""

    round: int
    seconds: float
    bytes: float  # peak size of its arrays


@dataclass(frozen=True)
class Forecast:
    """The total cost of buckets."""

    rounds: tuple[RoundForecast, ...]

    @property
    def seconds(self) -> float:
        """The sum over all rounds still to be made."""
        return sum(one.seconds for one in self.rounds)

    @property
    def bytes(self) -> float:
        """That of the most expensive round."""
        return OVERHEAD_BYTES + max((one.bytes for one in self.rounds), default=0.0)


def forecast(plan: Plan, *, threads: int = 1, done: tuple[int, ...] = ()) -> Forecast:
    """The cost of the rounds of a plan that are not done yet."""
    rounds = [round for round in range(plan.cards.rounds) if round not in done]
    return Forecast(tuple(_round(plan.cards, round, plan.methods[round], threads) for round in rounds))


def _round(cards: CardRounds, round: int, text: str, threads: int) -> RoundForecast:
    method, rates = open_method(text), RATES.get(method_name(text).replace("_", "-"), OTHERS)
    hands = cards.hands(round)
    boards = RoundBoards(cards, round)
    missing = cards.boards[-1] - boards.size
    deals = (*boards.deals, missing) if missing else boards.deals
    work = 0.0  # holdings on complete boards, boards up to suit isomorphism
    if rates.showdown:
        complete = HandIndexer(deals, len(cards.deck.ranks), len(cards.deck.suits)).size() if deals else 1
        work = float(complete * comb(cards.deck.size, cards.private))
    streamed = isinstance(method, ByFeature) and 4.0 * hands * rates.dims > MOST_HELD
    fitted, passes = (SAMPLE, 2) if streamed else (min(hands, FITTED), 1)
    count = min(method.count, hands)
    nanoseconds = passes * (rates.showdown * work + rates.hand * hands)
    nanoseconds += rates.dims * rates.fit * min(fitted, hands) * count**FIT_POWER
    nanoseconds += rates.dims * rates.assign * hands * count**ASSIGN_POWER
    held = 0.0 if streamed else float(rates.width * hands * rates.dims)
    return RoundForecast(round, nanoseconds / 1e9 / max(1, threads), held + float(rates.beside * hands))
