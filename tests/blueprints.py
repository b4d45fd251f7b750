"""Made-up strategies over buckets, for tests of what shows and plays them."""

from __future__ import annotations

import numpy as np

from pokerlab.abstraction.buckets import Buckets, RoundBuckets
from pokerlab.abstraction.card_rounds import CardRounds
from pokerlab.abstraction.exchange_buckets import exchange_buckets
from pokerlab.formats.opening import open_game
from pokerlab.games.poker.engine import PokerGame
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.bucketed import BucketedStrategy
from pokerlab.strategy.forms.exchange import ExchangeStrategy
from pokerlab.tree.bucketed.exchange import exchange_form
from pokerlab.tree.bucketed.form import BucketedForm, bucketed_form
from pokerlab.tree.measure import Measure


def made_up(game: str, buckets: Buckets | None = None, *, seed: int = 0) -> BucketedStrategy:
    """A strategy of random numbers, some of them nothing; without buckets one for every hand."""
    opened = open_game(game)
    assert isinstance(opened, PokerGame)
    form, rng = bucketed_form(opened, buckets), np.random.default_rng(seed)
    shapes = zip(form.buckets.counts, form.betting.rows, strict=True)
    numbers = [rng.random(shape) ** 3 * (rng.random(shape) > 0.1) for shape in shapes]
    return BucketedStrategy(form, numbers, form.betting.arrays.slot)


def made_up_exchange(game: str, buckets: str, *, seed: int = 0) -> ExchangeStrategy:
    """A strategy of a game with an exchange of cards, of random numbers, some of them nothing."""
    opened = open_game(game)
    assert isinstance(opened, PokerGame)
    form, rng = exchange_form(opened, exchange_buckets(buckets, opened)), np.random.default_rng(seed)
    shapes = zip(form.buckets.counts, form.betting.rows, strict=True)
    numbers = []
    for shape in shapes:
        weights = rng.random(shape, np.float32)
        numbers.append(weights * weights * weights * (rng.random(shape, np.float32) > 0.1))
    return ExchangeStrategy(form, numbers, form.betting.arrays.slot)


def few_buckets(game: str, counts: tuple[int, ...], *, seed: int = 0) -> Buckets:
    """Hands in buckets at random; a round with one bucket has a table that takes no memory."""
    opened = open_game(game)
    assert isinstance(opened, PokerGame)
    cards, rng = CardRounds.of(opened), np.random.default_rng(seed)
    rounds = []
    for round, count in enumerate(counts):
        hands = cards.hands(round)
        table = np.broadcast_to(np.uint16(0), hands) if count == 1 else rng.integers(0, count, hands, dtype=np.uint16)
        rounds.append(RoundBuckets(f"random:{count}", count, table))
    return Buckets(cards, tuple(rounds))


def as_solution(strategy: BucketedStrategy, *, measured: bool = True) -> Solution:
    """The strategy as a solution that was kept alone."""
    form: BucketedForm = strategy.form
    alone = strategy.strategy_only()
    return Solution(
        strategy=alone,
        form="bucketed",
        algorithm="pure",
        seed=0,
        iterations=1234,
        seconds=5.6,
        measure=alone.measure_in(form) if measured else Measure.unknown(form.players),
        stopped="iterations",
        pot=form.pot,
        built=form,
    )
