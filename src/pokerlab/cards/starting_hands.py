"""The 169 classes of hole cards in order of merit: Sklansky's groups, and income rates by roll-out simulation.

Sklansky and Malmuth ("Hold'em poker for advanced players", 1994) put the playable hands into eight groups. Poki's
authors simulated instead (Billings, Davidson, Schaeffer and Szafron, "The challenge of poker", 2002): deals in which
players call the blind and see the board without further bets give the income rate of each hand, in big blinds. In the
next iteration, players fold the hands that lost by calling, and so on. They report a strong correlation with the groups
(Rubin and Watson, "Computer poker: a review", 2011, section 2.3). Here the blinds are dead money and seats are equal.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab import store
from pokerlab.cards.combos import CLASS_COUNT, CLASS_NAMES, CLASS_SIZES, COMBO_CLASS, combo_indices
from pokerlab.cards.strength import HIGH, NO_CLASS

SKLANSKY = (
    "AA KK QQ JJ AKs",
    "TT AQs AJs KQs AKo",
    "99 JTs QJs KJs ATs AQo",
    "T9s KQo 88 QTs 98s J9s AJo KTs",
    "77 87s Q9s T8s KJo QJo JTo 76s 97s A9s A8s A7s A6s A5s A4s A3s A2s 65s",
    "66 ATo 55 86s KTo QTo 54s K9s J8s 75s",
    "44 J9o 64s T9o 53s 33 98o 43s 22 K8s K7s K6s K5s K4s K3s K2s T7s Q8s",
    "87o A9o Q9o 76o 42s 32s 96s 85s J8o J7s 65o 54o 74s K9o T8o",
)
UNLISTED = len(SKLANSKY) + 1
DEALS, ITERATIONS = 100_000, 4
BLINDS = 1.5  # big blinds in the pot that nobody gets back
_EDITION = 1


@cache
def sklansky_groups() -> np.ndarray:
    """The group, 1 to 8, of each class; 9 for hands in no group.  # [169] int64"""
    groups = np.full(CLASS_COUNT, UNLISTED)
    for number, names in enumerate(SKLANSKY, 1):
        groups[[list(CLASS_NAMES).index(name) for name in names.split()]] = number
    return groups


@cache
def income_rates(players: int, *, deals: int = DEALS, iterations: int = ITERATIONS, seed: int = 0) -> np.ndarray:
    """The income rate of each class at a table of this size, in big blinds per hand; computed once.  # [169]"""
    name = f"income-{players}-{deals}-{iterations}-{seed}"
    saved = store.computed(
        name,
        lambda: {"income": simulate_income(players, deals=deals, iterations=iterations, seed=seed)},
        kind="income rates",
        edition=_EDITION,
    )
    return np.array(saved.arrays["income"])


def simulate_income(players: int, *, deals: int, iterations: int, seed: int) -> np.ndarray:
    """Roll-out simulations: in the first everybody calls, in the next only hands that then won more than folding."""
    rng = np.random.default_rng(seed)
    cards = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (deals, 1)), axis=1)[:, : 2 * players + 5]
    board, holes = cards[:, 2 * players :], cards[:, : 2 * players].reshape(deals, players, 2)
    classes = COMBO_CLASS[combo_indices(holes.reshape(-1, 2))].reshape(deals, players).astype(np.int64)
    every = np.concatenate([holes, np.broadcast_to(board[:, None], (deals, players, 5))], axis=2)
    ranks = HIGH().strengths(every.reshape(-1, 7), check=False).reshape(deals, players).astype(np.int64)
    plays, counts = np.ones(CLASS_COUNT, np.bool_), np.bincount(classes.ravel(), minlength=CLASS_COUNT)
    income = np.zeros(CLASS_COUNT)
    for _ in range(iterations):
        won = _results(ranks, plays[classes])
        income = np.bincount(classes.ravel(), won.ravel(), CLASS_COUNT) / np.maximum(counts, 1)
        plays = income > 0
    return income


def _results(ranks: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """What each player wins by calling, compared with folding, if the others do as given.  # [deal, player]"""
    deals, players = ranks.shape
    shown = np.where(stays, ranks, NO_CLASS)
    won = np.empty((deals, players))
    for seat in range(players):
        others = np.delete(shown, seat, axis=1)
        best = others.min(axis=1)
        ties = (others == ranks[:, seat, None]).sum(axis=1)
        pot = BLINDS + 1 + np.delete(stays, seat, axis=1).sum(axis=1)
        won[:, seat] = np.where(ranks[:, seat] <= best, pot / (1 + ties * (ranks[:, seat] == best)), 0.0) - 1
    return won


def correlation_with_groups(income: np.ndarray) -> float:
    """Spearman's rank correlation of income rates and groups over all hands, each class by its number of hands.

    Groups count down, so that 1 is full agreement.
    """
    first, second = (_ranks(values) for values in (income, -sklansky_groups().astype(float)))
    return float(np.cov(first, second, aweights=CLASS_SIZES)[0, 1] / _deviation(first) / _deviation(second))


def _ranks(values: np.ndarray) -> np.ndarray:
    """The share of all hands below each class, ties counting one half.  # [169]"""
    below = (values[None, :] < values[:, None]) + 0.5 * (values[None, :] == values[:, None])
    return np.asarray(below @ CLASS_SIZES / CLASS_SIZES.sum())


def _deviation(values: np.ndarray) -> float:
    return float(np.sqrt(np.cov(values, aweights=CLASS_SIZES)))


def top_shares(order: np.ndarray) -> np.ndarray:
    """The share of all hands that are at most as good, by an order of merit: 1 is the best.  # [169]"""
    return _ranks(order)
