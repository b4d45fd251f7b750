"""Hand strength measures the slow way: every opponent's hand, every run-out, one after the other."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from pokerlab.cards.combos import COMBOS
from pokerlab.cards.strength import Ranking


def measure(
    hole: list[int], board: list[int], weights: np.ndarray, *, lookahead: int, ranking: Ranking
) -> dict[str, float]:
    """All measures of one hand against an opponent with weights [1326]."""
    deck = [card for card in range(4 * ranking.order.lowest_rank, 52) if card not in hole + board]
    held = {tuple(hand): float(weight) for hand, weight in zip(COMBOS.tolist(), weights, strict=True) if weight > 0}
    opponents = {hand: weight for hand, weight in held.items() if hand[0] in deck and hand[1] in deck}
    now = compare(hole, board, opponents, ranking)
    met = sum(opponents.values())
    ahead, tied, behind = (sum(opponents[hand] for hand in now if now[hand] == state) for state in (1, 0, -1))
    improved = worsened = 0.0
    was_ahead = was_behind = 0.0
    for run_out in combinations(deck, lookahead):
        for hand, outcome in compare(hole, board + list(run_out), opponents, ranking).items():
            change = (outcome - now[hand]) / 2
            improved += opponents[hand] * max(change, 0)
            worsened += opponents[hand] * max(-change, 0)
            was_ahead += opponents[hand] * (1 + now[hand]) / 2
            was_behind += opponents[hand] * (1 - now[hand]) / 2
    shares, chances = [], []
    for run_out in combinations(deck, 5 - len(board)):
        outcomes = compare(hole, board + list(run_out), opponents, ranking)
        total = sum(opponents[hand] for hand in outcomes)
        if total > 0:
            shares.append(sum(opponents[hand] * (1 + outcome) / 2 for hand, outcome in outcomes.items()) / total)
            chances.append(total)
    immediate = (ahead + tied / 2) / met
    positive = improved / was_behind if was_behind else 0.0
    return {
        "wins": ahead,
        "ties": tied,
        "losses": behind,
        "immediate": immediate,
        "positive": positive,
        "negative": worsened / was_ahead if was_ahead else 0.0,
        "effective": immediate + (1 - immediate) * positive,
        "rollout": float(np.average(shares, weights=chances)),
        "squared": float(np.average(np.square(shares), weights=chances)),
    }


def compare(
    hole: list[int], board: list[int], opponents: dict[tuple[int, ...], float], ranking: Ranking
) -> dict[tuple[int, ...], int]:
    """1 where we are ahead, 0 tied, -1 behind, for each opponent's hand that the board allows."""
    hands = [hand for hand in opponents if hand[0] not in board and hand[1] not in board]
    ours, *others = ranking.strengths(np.array([[*hand, *board] for hand in [hole, *hands]])).tolist()
    return {hand: (theirs > ours) - (theirs < ours) for hand, theirs in zip(hands, others, strict=True)}
