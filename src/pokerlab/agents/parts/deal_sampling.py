"""Complete deals that agree with what a seat sees: opponents' hands by their weights, the rest of the deck at random.

A sampled deal is a State as `PokerGame.start` makes it, so a simulation continues with `child` and `returns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np

from pokerlab.agents.parts.roll_out import Hands, hands_of
from pokerlab.games.poker.state import State, View

_TRIES = 20  # draws of all opponents' hands before a shared card is resolved seat by seat


def sample_deals(
    view: View, weights: Mapping[int, np.ndarray], count: int, rng: np.random.Generator, *, run_outs: int = 0
) -> list[State]:
    """This many deals. `weights` [hand] are those of opponents, by seat; hands of other seats are random.

    With `run_outs`, the deals share this number of orders of the deck, each cleared of the hands that were drawn: fewer
    boards to evaluate.
    """
    hands, size = hands_of(view.game), view.game.deck.size
    seats = [seat for seat in range(view.game.players) if seat != view.seat]
    sampled = [seat for seat in seats if seat in weights]
    drawn = [_draws(weights[seat], count, rng) for seat in sampled]
    decks = rng.random((min(run_outs or count, count), size)).argsort(axis=1).tolist()
    states = []
    for deal in range(count):
        held = {seat: hands.cards[numbers[deal]] for seat, numbers in zip(sampled, drawn, strict=True)}
        if len(sampled) > 1 and _collide(held):
            held = _redrawn(hands, {seat: weights[seat] for seat in sampled}, rng)
        states.append(_state(view, held, decks[deal % len(decks)]))
    return states


def _draws(weights: np.ndarray, count: int, rng: np.random.Generator) -> list[int]:
    sums = np.cumsum(weights)
    found = np.searchsorted(sums, rng.random(count) * sums[-1], side="right")
    return [min(number, len(sums) - 1) for number in found.tolist()]


def _collide(held: Mapping[int, tuple[int, ...]]) -> bool:
    cards = list(chain.from_iterable(held.values()))
    return len(set(cards)) < len(cards)


def _redrawn(hands: Hands, weights: Mapping[int, np.ndarray], rng: np.random.Generator) -> dict[int, tuple[int, ...]]:
    """Hands of several opponents without a common card: by rejection, which is exact, then one after the other."""
    for _ in range(_TRIES):
        held = {seat: hands.cards[_draws(one, 1, rng)[0]] for seat, one in weights.items()}
        if not _collide(held):
            return held
    one_by_one: dict[int, tuple[int, ...]] = {}
    taken: list[int] = []
    for seat in rng.permutation(list(weights)).tolist():
        free = hands.without(taken)
        left = weights[seat] * free
        one_by_one[seat] = hands.cards[_draws(left if left.any() else free.astype(float), 1, rng)[0]]
        taken += one_by_one[seat]
    return one_by_one


def _state(view: View, held: Mapping[int, tuple[int, ...]], deck: list[int]) -> State:
    game = view.game
    known = {*view.cards, *view.board, *chain.from_iterable(held.values())}
    rest = (card for card in deck if card not in known)
    private = game.rules.rounds[0].private
    cards: list[int] = []
    later = list(rest)
    coming = game.dealing.public(len(game.rules.rounds) - 1) - len(view.board)
    board, others = (*view.board, *later[:coming]), iter(later[coming:])
    for seat in range(game.players):
        if seat == view.seat:
            cards += view.cards
        elif seat in held:
            cards += held[seat]
        else:
            cards += [next(others) for _ in range(private)]
    return State(view.betting, (*cards, *board))
