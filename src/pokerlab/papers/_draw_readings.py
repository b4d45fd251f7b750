"""Other readings of Ee's paper that could explain what it prints: each is tried on the same player.

- Basic may not see suits either. Its printed flushes win half of their hands and lose money, as high cards do; the hand
  strengths of the paper's programs are stored in a file, and a key without suits would make every flush a high card.
- Random may fold when checking is free: the paper says "plays call, raise and fold with a uniform distribution". Ours
  chooses among the legal actions that a player would take, and folding is one of them only to a bet.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from pokerlab.agents.parts.draw_decisions import decisions
from pokerlab.cards.draws import all_hands, draw_measures
from pokerlab.cards.strength import HIGH
from pokerlab.match.draw import BASIC
from pokerlab.solvers.bucketed.draw_hands import DrawContestant
from pokerlab.solvers.bucketed.playing import Gain, gain_of
from pokerlab.tree.bucketed.exchange import ExchangeForm

HIGHEST_HELD = 0b11110  # the mask that discards all but the highest card


@cache
def _rank_keys() -> np.ndarray:
    """The ranks of every hand, highest first, as one number.  # [hand]"""
    return np.asarray((np.sort(all_hands() // 4, axis=1)[:, ::-1].astype(np.int64) * 13 ** np.arange(4, -1, -1)).sum(1))


def blind_basic(form: ExchangeForm) -> DrawContestant:
    """Basic with the strengths and discards of the same ranks without a flush."""
    rule = decisions(BASIC)
    categories = np.searchsorted(HIGH().category_ends, draw_measures().classes)
    names = HIGH().order.categories
    suited = np.isin(categories, [names.index("flush"), names.index("straight flush")])
    keys, groups = np.unique(_rank_keys(), return_inverse=True)
    counts = np.bincount(groups, ~suited, len(keys))
    means = np.bincount(groups, np.where(suited, 0.0, rule.strength), len(keys)) / np.maximum(counts, 1)
    strength = np.where(suited, means[groups], rule.strength)
    discards = np.array(rule.discards)
    discards[categories == names.index("flush")] = HIGHEST_HELD
    return DrawContestant(form, rule=rule._replace(strength=strength, effective=strength, discards=discards))


def against_free_folding_random(form: ExchangeForm, average: np.ndarray, *, deals: int, seed: int) -> Gain:
    """What a strategy wins from a player who calls, raises and folds with a third each, also when checking is free."""
    rng = np.random.default_rng(seed)
    table = _Table(form, average, rng)
    won = np.zeros((deals, 2))
    for deal in range(deals):
        cards = rng.permutation(form.buckets.cards.deck.size)[:20]
        for seat in (0, 1):
            won[deal, seat] = table.play(cards, seat)
    return gain_of(won.mean(axis=1))


class _Table:
    """Hands of a strategy against that player, one by one."""

    def __init__(self, form: ExchangeForm, average: np.ndarray, rng: np.random.Generator) -> None:
        self.form, self.average, self.rng = form, average, rng
        self.discards = form.buckets.discards

    def play(self, cards: np.ndarray, seat: int) -> float:
        """What the strategy wins at a seat; cards: two hands of five, then the stock."""
        form, arrays = self.form, self.form.betting.arrays
        hands = [np.sort(cards[:5]), np.sort(cards[5:10])]
        bucket = int(form.buckets.before[self._number(hands[seat])])
        node, taken = 0, 10
        while arrays.actor[node] >= 0:
            actor, first = int(arrays.actor[node]), int(arrays.first[node])
            exchange = form.betting.actions[node][0].startswith("d")
            action = -1
            if actor == seat:
                action = self._sampled(node, bucket)
            elif not exchange:
                action = self._random(node)
                if action < 0:  # it folds although checking is free
                    return float(arrays.put[node, 1 - seat])
            if not exchange:
                node = first + action
                continue
            number = self._number(hands[actor])
            masks = form.buckets.masks
            mask = made_discards(hands[actor]) if actor != seat else int(masks[number % len(masks), action])
            drawn = mask.bit_count()
            kept = [card for place, card in enumerate(hands[actor]) if not mask >> place & 1]
            hands[actor] = np.sort(np.array([*kept, *cards[taken : taken + drawn]]))
            taken += drawn
            node = first + drawn
            if actor == seat:
                memory = int(form.buckets.memory[bucket, action])
                bucket = int(form.buckets.after[self._number(hands[actor])]) * form.buckets.memories + memory
        return self._payoff(node, hands, seat)

    def _number(self, hand: np.ndarray) -> int:
        return int(self.form.buckets.cards.number(hand[None])[0])

    def _sampled(self, node: int, bucket: int) -> int:
        moves = int(self.form.betting.arrays.moves[node])
        first = int(self.form.first_number(node, bucket))
        weights = np.maximum(self.average[first : first + moves].astype(float), 0)
        total = weights.sum()
        return int(self.rng.integers(moves)) if total <= 0 else int(self.rng.choice(moves, p=weights / total))

    def _random(self, node: int) -> int:
        """The position of a random action; -1 for a fold where there is none."""
        names = self.form.betting.actions[node]
        kinds = ["f", "c", *(["r"] if any(name.startswith("r") for name in names) else [])]
        kind = kinds[self.rng.integers(len(kinds))]
        return next((place for place, name in enumerate(names) if name.startswith(kind)), -1)

    def _payoff(self, node: int, hands: list[np.ndarray], seat: int) -> float:
        put = self.form.betting.arrays.put[node]
        history = self.form.betting.histories[node]
        if history.endswith("f"):
            loser = int(self.form.betting.arrays.actor[self._parent(node)])
            return float(put[1 - seat] if loser != seat else -put[seat])
        strength = self.form.buckets.cards.strength
        own, other = (int(strength[self._number(hands[player])]) for player in (seat, 1 - seat))
        return float(np.sign(other - own) * min(put))

    def _parent(self, node: int) -> int:
        arrays = self.form.betting.arrays
        acting = np.flatnonzero((arrays.actor >= 0) & (arrays.first <= node))
        return int(acting[arrays.first[acting].argmax()])


def made_discards(hand: np.ndarray) -> int:
    """The mask over a sorted hand of the cards outside its made hand; all but the highest card if there is none."""
    ranks = hand // 4
    counts = np.bincount(ranks, minlength=13)[ranks]
    if counts.max() > 1:
        made = counts > 1
        if sorted(counts.tolist()) == [2, 2, 3, 3, 3]:
            made[:] = True
    else:
        spread = sorted(ranks.tolist())
        straight = spread[4] - spread[0] == 4 or spread == [0, 1, 2, 3, 12]
        made = np.full(5, straight or len(set((hand % 4).tolist())) == 1)
        made[4] = True
    return sum(1 << place for place in range(5) if not made[place])
