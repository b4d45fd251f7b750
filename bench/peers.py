"""Other programs' hand evaluators, each as a loop over rows of cards that were put in its own form beforehand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pokerlab.cards.card import FULL_DECK

Loop = Callable[[], object]

_SHOWDOWN = """GAMEDEF
limit
numplayers = 2
numrounds = 1
blind = 1 1
raisesize = 1
firstplayer = 1
maxraises = 1
numsuits = 4
numranks = 13
numholecards = 2
numboardcards = 5
END GAMEDEF
"""


def phevaluator_loop(rows: np.ndarray) -> Loop:
    """phevaluator's C function of this many cards, called in a loop."""
    from phevaluator import _pheval

    evaluate = getattr(_pheval, f"evaluate_{rows.shape[1]}cards")
    hands = [tuple(row) for row in rows.tolist()]
    return lambda: [evaluate(*hand) for hand in hands]


def eval7_loop(rows: np.ndarray) -> Loop:
    """eval7's Cython function, called in a loop."""
    import eval7

    cards = [eval7.Card(FULL_DECK.name(card)) for card in range(52)]
    hands = [[cards[card] for card in row] for row in rows.tolist()]
    return lambda: [eval7.evaluate(hand) for hand in hands]


def treys_loop(rows: np.ndarray) -> Loop:
    """treys' evaluator, in Python, called in a loop."""
    import treys

    cards = [treys.Card.new(FULL_DECK.name(card)) for card in range(52)]
    hands = [([cards[card] for card in row[2:]], [cards[card] for card in row[:2]]) for row in rows.tolist()]
    evaluate = treys.Evaluator().evaluate
    return lambda: [evaluate(board, hole) for board, hole in hands]


def openspiel_showdowns(holes: Sequence[int], boards: np.ndarray) -> Loop:
    """Showdowns of two hands in OpenSpiel: it has no evaluator of its own to call, so a deal is played to its end."""
    import pyspiel

    game = pyspiel.universal_poker.load_universal_poker_from_acpc_gamedef(_SHOWDOWN)
    dealt = game.new_initial_state()
    for card in holes:
        dealt.apply_action(card)
    rows = boards.tolist()

    def play() -> list[list[float]]:
        results = []
        for board in rows:
            state = dealt.clone()
            for card in board:
                state.apply_action(card)
            state.apply_action(1)
            state.apply_action(1)
            results.append(state.returns())
        return results

    return play
