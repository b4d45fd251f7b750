"""Push or fold by whole deals: all hands and the board at random, every seat acting by its strategy.

Nothing is approximated but by chance, so that it shows how far the chances of tree/pushes/chances.py are off.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards._kernels.randomness import unit
from pokerlab.cards._kernels.strength import FLUSH_BITS, flush_class, plain_class
from pokerlab.cards.combos import COMBO_CLASS, combo_indices
from pokerlab.cards.strength import HIGH
from pokerlab.compiled import kernel
from pokerlab.tree.pushes.form import PushForm

_CHUNK = 500_000


def dealt_utilities(form: PushForm, pushes: np.ndarray, *, deals: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """What each seat gets on average over random deals, and the standard error of that: [seat] each."""
    state = np.array([seed], np.uint64) * np.uint64(2**32)
    sums, squares = np.zeros(form.players), np.zeros(form.players)
    for start in range(0, deals, _CHUNK):
        values, counts = _values(form, pushes, min(_CHUNK, deals - start), state)
        sums += counts @ values
        squares += counts @ values**2
    mean = sums / deals
    return mean, np.sqrt(np.maximum(squares / deals - mean**2, 0) / deals)


def _values(form: PushForm, pushes: np.ndarray, deals: int, state: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different results of some deals, [result, seat], and how often each came: [result]."""
    pairs = np.stack(np.meshgrid(np.arange(52), np.arange(52), indexing="ij"), axis=-1).reshape(-1, 2)
    pairs = np.where(pairs[:, :1] == pairs[:, 1:], [[0, 1]], pairs).astype(np.uint8)
    classes = COMBO_CLASS[combo_indices(pairs)].reshape(52, 52)
    contenders = np.full((len(form.terminals), form.players), -1, np.int64)
    for number, terminal in enumerate(form.terminals):
        contenders[number, : len(terminal.contenders)] = terminal.contenders
    ends, codes = np.empty((2, deals), np.int64)
    play_deals(form.child, form.node_seat, pushes, classes, contenders, HIGH().tables(7), state, ends, codes)
    values, counts = [], []
    for number, terminal in enumerate(form.terminals):
        found, often = np.unique(codes[ends == number], return_counts=True)
        if found.size:
            size = len(terminal.contenders)
            ranks = found[:, None] // form.players ** np.arange(size) % form.players
            values.append(form.utilities_of(number, ranks))
            counts.append(often)
    return np.concatenate(values), np.concatenate(counts)


@kernel
def play_deals(
    child,  # [node, 2] int64: decisions, or -1 - the number of a terminal
    node_seat,  # [node] int64
    pushes,  # [node, 169] float64
    classes,  # [52, 52] uint8: the class of two cards
    contenders,  # [terminal, seat] int64: padded with -1
    tables,  # StrengthTables of seven cards
    state,  # [1] uint64: randomness
    ends,  # [deal] int64, written: the terminal
    codes,  # [deal] int64, written: how many contenders are better, for each of them, as digits in base `seats`
):
    """Deal cards, walk the decisions, and rank who is in."""
    seats = contenders.shape[1]
    deck = np.arange(52).astype(np.uint8)
    row = np.empty(7, np.uint8)
    strengths = np.empty(seats, np.int64)
    for deal in range(ends.shape[0]):
        for place in range(2 * seats + 5):
            other = place + np.int64(unit(state) * (52 - place))
            deck[place], deck[other] = deck[other], deck[place]
        node = 0
        while node >= 0:
            seat = node_seat[node]
            held = classes[deck[2 * seat], deck[2 * seat + 1]]
            node = child[node, np.int64(unit(state) < pushes[node, held])]
        end = -1 - node
        count = 0
        while count < seats and contenders[end, count] >= 0:
            seat = contenders[end, count]
            row[:2] = deck[2 * seat : 2 * seat + 2]
            row[2:] = deck[2 * seats : 2 * seats + 5]
            key = tables.start
            for card in row:
                key += tables.keys[card]
            best = plain_class(key, tables)
            if key & FLUSH_BITS:
                best = min(best, flush_class(row, tables.flushes))
            strengths[count] = best
            count += 1
        code, digit = 0, 1
        for one in range(count):
            for other in range(count):
                code += digit * np.int64(strengths[other] < strengths[one])
            digit *= seats
        ends[deal], codes[deal] = end, code
