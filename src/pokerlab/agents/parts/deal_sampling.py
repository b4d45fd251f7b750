"""Complete deals that agree with what a seat sees: opponents' hands by their weights, the rest of the deck at random.

A sampled deal is a State as `PokerGame.start` makes it, so a simulation continues with `child` and `returns`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from pokerlab.agents.parts.roll_out import Hands, hands_of
from pokerlab.games.poker.state import State, View

_TRIES = 20  # draws of all opponents' hands for each deal, before some are drawn seat by seat


def sample_deals(
    view: View, weights: Mapping[int, np.ndarray], count: int, rng: np.random.Generator, *, run_outs: int = 0
) -> list[State]:
    """This many deals. `weights` [hand] are those of opponents, by seat; hands of other seats are random.

    With weights for the view's own seat, its hand is sampled too, as others see it.

    With `run_outs`, the deals share this number of orders of the deck, each cleared of the hands that were drawn: fewer
    boards to evaluate.
    """
    hands, size = hands_of(view.game), view.game.deck.size
    sampled = [seat for seat in range(view.game.players) if seat in weights]
    drawn = _held(hands, [weights[seat] for seat in sampled], count, rng)
    decks = rng.random((min(run_outs or count, count), size)).argsort(axis=1).tolist()
    return [
        _state(
            view, dict(zip(sampled, (hands.cards[number] for number in numbers), strict=True)), decks[deal % len(decks)]
        )
        for deal, numbers in enumerate(drawn)
    ]


def _held(hands: Hands, weights: Sequence[np.ndarray], count: int, rng: np.random.Generator) -> list[list[int]]:
    """The numbers of opponents' hands without a common card: by rejection, which is exact, then one after the other."""
    tries = count if len(weights) < 2 else _TRIES * count
    drawn = np.array([_draws(one, tries, rng) for one in weights], np.int64).reshape(len(weights), tries).T
    if len(weights) > 1:
        cards = np.sort(np.array(hands.cards)[drawn].reshape(tries, -1), axis=1)
        drawn = drawn[(np.diff(cards, axis=1) > 0).all(axis=1)]
    found: list[list[int]] = drawn[:count].tolist()
    return found + [_one_by_one(hands, weights, rng) for _ in range(count - len(found))]


def _draws(weights: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    sums = np.cumsum(weights)
    return np.asarray(np.searchsorted(sums, rng.random(count) * sums[-1], side="right").clip(max=len(sums) - 1))


def _one_by_one(hands: Hands, weights: Sequence[np.ndarray], rng: np.random.Generator) -> list[int]:
    numbers, taken = [0] * len(weights), list[int]()
    for seat in rng.permutation(len(weights)).tolist():
        free = hands.without(taken)
        left = weights[seat] * free
        numbers[seat] = int(_draws(left if left.any() else free.astype(float), 1, rng)[0])
        taken += hands.cards[numbers[seat]]
    return numbers


def _state(view: View, held: Mapping[int, tuple[int, ...]], deck: list[int]) -> State:
    game = view.game
    held = {view.seat: view.cards, **held}
    known = {*view.board, *chain.from_iterable(held.values())}
    rest = (card for card in deck if card not in known)
    private = game.rules.rounds[0].private
    cards: list[int] = []
    later = list(rest)
    coming = game.dealing.public(len(game.rules.rounds) - 1) - len(view.board)
    board, others = (*view.board, *later[:coming]), iter(later[coming:])
    for seat in range(game.players):
        if seat in held:
            cards += held[seat]
        else:
            cards += [next(others) for _ in range(private)]
    return State(view.betting, (*cards, *board))
