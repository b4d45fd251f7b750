"""All-in equity adjustment: a showdown settled before the last card counts for its expected value.

When betting ends with cards still to come, the rest is luck. The payoff of such a hand is replaced by its exact
expectation over all run-outs, given every dealt card (folded hands included). This reduces the variance of a match
without changing its mean. Split pots and odd chips are paid by the rules: the payoff of a run-out depends only on the
order of the hands at the showdown, so run-outs are counted by order and each order is paid once.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np

from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import combo_index
from pokerlab.cards.strength import Ranking, ranking
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.showdown import is_looked_up
from pokerlab.games.poker.state import State

_CHUNK = 100_000  # run-outs at a time


def expected_payoffs(game: PokerGame, state: State) -> tuple[float, ...] | None:
    """Each seat's expected payoff from the point where betting ended; None if that was after the last card."""
    betting = state.betting
    if betting.folded_out or game.dealing.draws or not game.dealing.at_once:
        return None
    acted = betting.history.rstrip("/").count("/")  # the round of the last action
    seen = game.dealing.needed[acted]
    coming = game.dealing.needed[-1] - seen
    if not coming:
        return None
    hands = [game.hand(state, seat) for seat in range(game.players)]
    board = state.cards[game.players * len(hands[0]) : seen]
    alive = [seat for seat in range(game.players) if betting.alive >> seat & 1]
    orders = run_out_orders(game, hands, board, alive=alive, coming=coming)
    total = np.zeros(game.players)
    for order, count in orders.items():
        strengths: list[int | None] = [None] * game.players
        for seat, place in zip(alive, order, strict=True):
            strengths[seat] = place
        total += count * np.array(game.payoffs.returns(betting, strengths))
    return tuple((total / sum(orders.values())).tolist())


Order = tuple[int, ...]  # by live seat: how many others are better


def run_out_orders(
    game: PokerGame, hands: list[tuple[int, ...]], board: tuple[int, ...], *, alive: list[int], coming: int
) -> Counter[Order]:
    """The number of run-outs with each order of the hands."""
    if _is_holdem(game) and game.players == 2 and not board:
        return _from_table(hands)
    dead = {card for hand in hands for card in hand} | set(board)
    unseen = [card for card in range(game.deck.size) if card not in dead]
    size = len(hands[0]) + len(board) + coming
    ranking = _ranking(game, size)
    if ranking is None:
        known = [(*hands[seat], *board) for seat in alive]
        run_outs = combinations(unseen, coming)
        return Counter(_order([game.strength(cards + later) for cards in known]) for later in run_outs)
    table, mapped = ranking
    choices = _choices(len(unseen), coming)
    live = mapped[unseen]
    tally: Counter[Order] = Counter()
    for start in range(0, len(choices), _CHUNK):
        later = live[choices[start : start + _CHUNK]]
        rows = np.empty((len(later), size), np.uint8)
        rows[:, size - coming :] = later
        strengths = []
        for seat in alive:
            rows[:, : size - coming] = mapped[[*hands[seat], *board]]
            strengths.append(table.strengths(rows, check=False))
        tally.update(_counted(strengths))
    return tally


def _order(strengths: list[int]) -> Order:
    return tuple(sum(theirs < mine for theirs in strengths) for mine in strengths)


@lru_cache(maxsize=8)
def _choices(count: int, chosen: int) -> np.ndarray:
    """Every combination of `chosen` out of `count` cards, [way, chosen] uint8."""
    flat = np.fromiter((card for way in combinations(range(count), chosen) for card in way), np.uint8)
    return flat.reshape(-1, chosen)


def _counted(strengths: list[np.ndarray]) -> Counter[Order]:
    """The number of run-outs with each order, from the strengths [run-out] of each live seat."""
    seats = len(strengths)
    code = np.zeros(len(strengths[0]), np.int64)  # the ranks of all seats, as digits
    for mine in reversed(strengths):
        code *= seats
        for theirs in strengths:
            code += theirs < mine
    codes, counts = np.unique(code, return_counts=True)
    orders = [tuple(int(one) // seats**digit % seats for digit in range(seats)) for one in codes]
    return Counter(dict(zip(orders, counts.tolist(), strict=True)))


def _from_table(hands: list[tuple[int, ...]]) -> Counter[Order]:
    """Two hold'em hands before the flop, from the complete table."""
    from pokerlab.cards.preflop import preflop_table

    table = preflop_table()
    first, second = (combo_index(*hand) for hand in hands)
    counts = {(0, 1): table.wins[first, second], (1, 0): table.wins[second, first], (0, 0): table.ties[first, second]}
    return Counter({order: int(count) for order, count in counts.items()})


@lru_cache(maxsize=32)
def _ranking(game: PokerGame, size: int) -> tuple[Ranking, np.ndarray] | None:
    """The strength tables of a game and its cards as full-deck cards [card]; None if there are no tables."""
    if not is_looked_up(game.rules.showdown, game.deck, size):
        return None
    cards = [FULL_DECK.card(game.deck.name(card)) for card in range(game.deck.size)]
    return ranking(game.rules.showdown), np.array(cards, np.uint8)


def _is_holdem(game: PokerGame) -> bool:
    rules = game.rules
    return rules.showdown == "high" and game.deck == FULL_DECK and game.dealing.needed[-1] == 5 + 2 * game.players
