"""Real games between populations of a game of one decision each, and their expected scores.

Games are dealt from counted streams of random words (see _kernels/deals.py) in a fixed number of stripes, each with its
own stream, so that the result does not depend on how many threads play them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pokerlab import parallel
from pokerlab.errors import BadSetting
from pokerlab.tree.class_deals import CardDeal, NumberDeal
from pokerlab.tree.classes import ClassForm
from pokerlab.tree.units import MOST_WHOLE, whole_payoffs

if TYPE_CHECKING:
    from pokerlab.solvers.evolve._kernels.deals import Numbers, Pack

STRIPES = 8  # pieces of the games of a generation


def stream(seed: int, generation: int, purpose: int) -> np.uint64:
    """The start of an independent stream of random words."""
    return np.uint64(np.random.SeedSequence((seed, generation, purpose)).generate_state(1, np.uint64)[0])


def packed(genes: np.ndarray) -> np.ndarray:
    """Genes [agents, genes] as bits of words [agents, words] uint64."""
    agents, count = genes.shape
    bits = np.zeros((agents, -(-count // 64) * 64), np.uint8)
    bits[:, :count] = genes
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)


def score_tables(form: ClassForm, fitness: str) -> tuple[np.ndarray, np.ndarray, float]:
    """What each player scores in a game, [12] int32 by showdown and the two decisions, and the unit of a score."""
    whole = whole_payoffs(form.one_decision.payoffs)
    if whole is None:
        raise BadSetting(f"the payoffs of {form.name} are not whole numbers of any unit, which played games need")
    first, unit = whole[0].reshape(-1), whole[1]
    second = -first
    if fitness == "squared-loss-per-game":
        first, second, unit = -(np.minimum(first, 0) ** 2), -(np.minimum(second, 0) ** 2), unit**2
    if max(np.abs(first).max(), np.abs(second).max()) >= MOST_WHOLE:
        raise BadSetting(f"the payoffs of {form.name} are too large in their unit of {whole[1]:g} chips to be squared")
    return first.astype(np.int32), second.astype(np.int32), unit


def play(
    form: ClassForm,
    first: np.ndarray,
    second: np.ndarray,
    *,
    rounds: int,
    start: np.uint64,
    united: bool,
    fitness: str = "bankroll",
    workers: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Scores of each agent as first and as second player over real games: [agents] float64 each.

    first, second: genes [agents, hands] uint8; in each round every agent meets one other, in a new random pairing.
    """
    from pokerlab.solvers.evolve._kernels.genetic import Population, play_cards, play_numbers

    agents = len(first)
    tables = score_tables(form, fitness)
    words = packed(first), packed(second)
    largest = int(max(np.abs(tables[0]).max(), np.abs(tables[1]).max(), 1))
    most = (2**31 - 1) // largest  # rounds that cannot overflow a 32-bit sum
    count = max(STRIPES, -(-rounds // most))
    needs_showdown = np.ptp(form.one_decision.payoffs, axis=0).reshape(-1) > 0  # [4]
    bounds = [rounds * i // count for i in range(count + 1)]

    def stripe(number: int) -> tuple[np.ndarray, np.ndarray]:
        totals = np.zeros(agents, np.int32), np.zeros(agents, np.int32)
        pair = tuple(Population(*each) for each in zip(words, tables[:2], totals, strict=True))
        begin = np.uint64(np.random.SeedSequence((int(start), number)).generate_state(1, np.uint64)[0])
        count, order = bounds[number + 1] - bounds[number], np.arange(agents, dtype=np.uint16)
        if isinstance(form.deal, CardDeal):
            play_cards(begin, count, order, *pair, pack_of(form.deal), needs_showdown, united)
        else:
            play_numbers(begin, count, order, *pair, numbers_of(form.deal), united)
        return totals

    sums = np.zeros((2, agents), np.int64)
    for totals in parallel.run(stripe, range(count), workers=workers):
        sums += np.stack(totals)
    return sums[0] * tables[2], sums[1] * tables[2]


def numbers_of(deal: NumberDeal) -> Numbers:
    """A deal of numbers as kernels take it."""
    from pokerlab.solvers.evolve._kernels.deals import Numbers

    return Numbers(np.uint64(deal.count), deal.replacement)


def pack_of(deal: CardDeal) -> Pack:
    """A deal of cards as kernels take it, from a fresh deck."""
    from pokerlab.cards.combos import COMBO_CLASS, COMBOS
    from pokerlab.cards.strength import HIGH
    from pokerlab.solvers.evolve._kernels.deals import Pack

    hand_class = np.zeros((52, 52), np.uint8)
    hand_class[COMBOS[:, 0], COMBOS[:, 1]] = COMBO_CLASS
    hand_class[COMBOS[:, 1], COMBOS[:, 0]] = COMBO_CLASS
    return Pack(np.arange(52, dtype=np.uint8), hand_class, deal.board_size, HIGH().tables(2 + deal.board_size))


def score_weights(form: ClassForm, fitness: str) -> tuple[np.ndarray, np.ndarray]:
    """Expected scores of each player, weighted by the chance of the hands: [2, 2, i, j] by the two decisions."""
    first, second, unit = score_tables(form, fitness)
    game = form.one_decision
    return game.weighted(first.reshape(3, 2, 2) * unit), game.weighted(second.reshape(3, 2, 2) * unit)


def expected_scores(weights: np.ndarray, role: int, genes: np.ndarray, others: np.ndarray) -> np.ndarray:
    """The expected score per game of each agent of a role against each of some strategies: [agents, others].

    weights: [2, 2, i, j] of the role, from `score_weights`; genes: [agents, hands]; others: [others, hands].
    """
    table = weights if role == 0 else weights.transpose(1, 0, 3, 2)  # [own act, other's act, own hand, other's hand]
    never = table[:, 0].sum(2)[:, :, None]  # [act, hand, 1]: the other never acts
    acting = never + (table[:, 1] - table[:, 0]) @ others.T  # [act, hand, others]
    return np.asarray(acting[0].sum(0) + genes @ (acting[1] - acting[0]))
