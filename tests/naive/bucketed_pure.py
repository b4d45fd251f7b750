"""Plain twin of Pure CFR on the bucketed form: recursion over the rule engine's betting, lists by infoset."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from pokerlab.games.game import TERMINAL
from pokerlab.games.poker.betting import Betting
from pokerlab.tree.bucketed.form import BucketedForm

WORD = 2**64
STRIDE = 0x9E3779B97F4A7C15
BITS = 27
MOST = 2**30


def mixed(word: int) -> int:
    """splitmix64's hash."""
    word %= WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


class PureTwin:
    """Pure CFR, an iteration at a time, with cards that are given."""

    def __init__(self, form: BucketedForm, *, seed: int, unit: float) -> None:
        self.form, self.seed, self.unit = form, seed, unit
        self.rules, self.node = form.game.betting, form.betting.node_of
        self.regret: dict[tuple[int, int], list[int]] = {}  # by node and bucket
        self.count: dict[tuple[int, int], list[int]] = {}
        self.number = self._numbers()
        self.visited = 0

    def _numbers(self) -> dict[int, int]:
        """Decisions numbered by the round's subtree, then by player, each from an even number on."""
        groups: dict[tuple[int, int], list[int]] = defaultdict(list)

        def visit(betting: Betting, entry: int, round: int) -> None:
            if betting.actor == TERMINAL:
                return
            here = self.node(betting.history)
            entry = entry if betting.round == round else here
            groups[entry, betting.actor].append(here)
            for action in self.rules.actions(betting):
                visit(self.rules.act(betting, action), entry, betting.round)

        visit(self.rules.start(), 0, 0)
        found, following = {}, 0
        for group in sorted(groups):
            for offset, node in enumerate(sorted(groups[group])):
                found[node] = following + offset
            following += len(groups[group]) + len(groups[group]) % 2
        return found

    def iterate(self, iteration: int, bucket: np.ndarray, strength: np.ndarray) -> None:
        """One iteration.  bucket [round, player], strength [player]"""
        players = self.form.players
        for player in range(players):
            key = mixed(self.seed + STRIDE * (iteration * players + player + 1))
            self._walk(self.rules.start(), player, key, bucket, strength)

    def _walk(self, betting: Betting, player: int, key: int, bucket: np.ndarray, strength: np.ndarray) -> int:
        self.visited += 1
        if betting.actor == TERMINAL:
            won = self.form.game.payoffs.returns(betting, strength.tolist())[player] / self.unit
            assert won == round(won)
            return round(won)
        actions = list(self.rules.actions(betting))
        infoset = self.node(betting.history), int(bucket[betting.round, betting.actor])
        regret = self.regret.setdefault(infoset, [0] * len(actions))
        count = self.count.setdefault(infoset, [0] * len(actions))
        taken = self._sampled(regret, key, self.number[infoset[0]])
        if betting.actor != player:
            count[taken] += 1
            return self._walk(self.rules.act(betting, actions[taken]), player, key, bucket, strength)
        values = [self._walk(self.rules.act(betting, action), player, key, bucket, strength) for action in actions]
        for index, value in enumerate(values):
            regret[index] = min(max(regret[index] + value - values[taken], -MOST), MOST)
        return values[taken]

    def _sampled(self, regret: list[int], key: int, number: int) -> int:
        word = mixed(key + STRIDE * (number // 2 + 1))
        bits = (word >> 5 if number % 2 else word >> 37) % 2**BITS
        weights = [max(one, 0) for one in regret]
        if not any(weights):
            weights = [1] * len(regret)
        goal = bits * sum(weights) >> BITS
        for action, weight in enumerate(weights):
            goal -= weight
            if goal < 0:
                return action
        raise AssertionError

    def arrays(self) -> tuple[np.ndarray, np.ndarray]:
        """Regrets and counts as the form lays them out."""
        form, arrays = self.form, self.form.betting.arrays
        found = np.zeros((2, form.numbers), np.int64)
        for kind, sums in enumerate((self.regret, self.count)):
            for (node, bucket), numbers in sums.items():
                turn = int(arrays.round[node])
                first = int(form.base[turn]) + form.betting.rows[turn] * bucket + int(arrays.slot[node])
                found[kind, first : first + len(numbers)] = numbers
        return found[0], found[1]
