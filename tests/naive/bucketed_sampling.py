"""Plain twins of the samplers of the bucketed form: recursion over the betting, hand by hand, in chips."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pokerlab.solvers.bucketed._kernels.matching import decision_word, point
from pokerlab.solvers.cfr.sampled.sampler import Sampler
from pokerlab.tree.bucketed.betting import FOLDED
from pokerlab.tree.bucketed.form import BucketedForm


def payoff(form: BucketedForm, node: int, player: int, strength: Any, alive: set[int]) -> float:
    """What an end is worth to a player."""
    arrays = form.betting.arrays
    put = arrays.put[node].tolist()
    if arrays.actor[node] == FOLDED:
        (last,) = alive
        return sum(put) - put[player] if player == last else -put[player]
    won = -float(put[player])
    for pot in range(arrays.pot_first[node], arrays.pot_first[node + 1]):
        seats = [seat for seat in range(form.players) if arrays.pot_seats[pot] >> seat & 1]
        best = min(strength[seat] for seat in seats)
        winners = [seat for seat in seats if strength[seat] == best]
        won += arrays.pot_chips[pot] / len(winners) if player in winners else 0.0
    return won


def slots(form: BucketedForm, node: int, bucket: int) -> slice:
    """The numbers of a decision with a bucket."""
    arrays, turn = form.betting.arrays, int(form.betting.arrays.round[node])
    first = int(form.base[turn]) + bucket * form.betting.rows[turn] + int(arrays.slot[node])
    return slice(first, first + int(arrays.children[node]))


def behaviour(play: np.ndarray, where: slice) -> np.ndarray:
    """Regret matching."""
    positive = np.maximum(play[where].astype(float), 0)
    return positive / positive.sum() if positive.sum() > 0 else np.full(len(positive), 1 / len(positive))


@dataclass
class Walk:
    """One walk of a player with one deal; regrets and averages are added to."""

    form: BucketedForm
    sampler: Sampler
    player: int
    key: Any
    bucket: np.ndarray  # [round, player]
    strength: np.ndarray  # [player]
    play: np.ndarray
    regret: np.ndarray
    average: np.ndarray
    limit: float = -np.inf  # of regret; actions below are left out
    floor: float = -np.inf

    def value(self, node: int = 0, others: float = 1, own: float = 1, share: float = 1, alive: Any = None) -> float:
        """The sampled value of a place to the walking player."""
        arrays = self.form.betting.arrays
        alive = set(range(self.form.players)) if alive is None else alive
        actor = int(arrays.actor[node])
        if actor < 0:
            return payoff(self.form, node, self.player, self.strength, alive)
        where = slots(self.form, node, int(self.bucket[arrays.round[node], actor]))
        current, base = behaviour(self.play, where), np.uint64(decision_word(self.key, node))
        below = [
            (int(arrays.first[node]) + move, alive - {actor} if name == "f" else alive)
            for move, name in enumerate(self.form.betting.actions[node])
        ]
        if actor == self.player:
            return self.own(node, where, current, base, below, (others, own, share))
        following = actor == (self.player + 1) % self.form.players
        if following:
            self.average[where] += share * current
        if self.sampler.others == "sample":
            chosen = int(np.searchsorted(np.cumsum(current)[:-1], point(base, 0), side="right"))
            child, left = below[chosen]
            return self.value(child, others, own, share if following else share / current[chosen], left)
        return sum(
            chance * self.value(child, others * chance, own, share * chance if following else share, left)
            for chance, (child, left) in zip(current, below, strict=True)
        )

    def own(self, node: int, where: slice, current: np.ndarray, base: Any, below: Any, weights: Any) -> float:
        """The same at the walking player's own decision, which learns its regrets."""
        others, own, share = weights
        tried = self.tried(node, where, current, base, below)
        values = np.zeros(len(current))  # over the probabilities of being tried
        for move, chance in enumerate(tried):
            if chance > 0:
                child, left = below[move]
                values[move] = self.value(child, others, own * chance, share / chance, left) / chance
        worth = float(current @ values)
        gained = np.maximum(self.regret[where] + others / own * (values - worth), self.floor)
        left_out = (tried == 0) & (self.limit > -np.inf)
        self.regret[where] = np.where(left_out, self.regret[where], gained)
        return worth

    def tried(self, node: int, where: slice, current: np.ndarray, base: Any, below: Any) -> np.ndarray:
        """The probability with which each action was tried; 0 for those that are not."""
        count, sampler = len(current), self.sampler
        if sampler.own == "explore":
            if point(base, 0) < sampler.exploration:
                chosen = int(point(base, 1) * count)
            else:
                chosen = int(np.searchsorted(np.cumsum(current)[:-1], point(base, 1), side="right"))
            chances = sampler.exploration / count + (1 - sampler.exploration) * current
            return np.where(np.arange(count) == chosen, chances, 0)
        if sampler.own == "average":
            weights = self.average[where].astype(float)
            chances = (sampler.bonus + sampler.threshold * weights) / (sampler.bonus + weights.sum())
            chances = np.clip(chances, sampler.exploration, 1)
            points = np.array([point(base, move) for move in range(count)])
            return np.where(points < chances, chances, 0)
        arrays = self.form.betting.arrays
        ends = np.array([arrays.actor[child] < 0 for child, _ in below])
        last = arrays.round[node] == len(self.form.betting.rows) - 1
        out = (self.regret[where] < self.limit) & (current == 0) & ~ends & (not last)
        return np.where(out, 0.0, 1.0)


class Board:
    """A walk of a player with all hands of a board, pair by pair."""

    def __init__(self, form: BucketedForm, player: int, board: list[int], hands: list[tuple[int, ...]]) -> None:
        self.form, self.player = form, player
        self.hands = [hand for hand in hands if not set(hand) & set(board)]
        rounds = form.buckets.cards.boards
        cards = np.array(self.hands, np.uint8)
        self.bucket = [form.buckets.of(cards, board[:lying]) for lying in rounds]  # [round][hand]
        self.strength = [form.game.strength((*hand, *board)) for hand in self.hands]
        apart = [[not set(one) & set(other) for other in self.hands] for one in self.hands]
        self.pair = np.array(apart, float) / np.array(apart).sum()  # [hand, hand] probability

    def learn(self, play: np.ndarray, regret: np.ndarray, average: np.ndarray) -> None:
        """Add the regrets of the player and the average of the opponent."""
        gained, weighed = np.zeros(len(regret)), np.zeros(len(average))
        self.values(0, np.ones(len(self.hands)), play, gained, weighed, {0, 1})
        regret += gained
        average += weighed

    def values(
        self, node: int, reach: np.ndarray, play: np.ndarray, gained: np.ndarray, weighed: np.ndarray, alive: Any
    ) -> np.ndarray:
        """What each hand of the player is worth against the opponent's reach, times probabilities of pairs."""
        arrays = self.form.betting.arrays
        actor = int(arrays.actor[node])
        if actor < 0:
            return self.end(node, reach, alive)
        held = self.bucket[int(arrays.round[node])]
        where = [slots(self.form, node, int(bucket)) for bucket in held]
        current = np.array([behaviour(play, one) for one in where])  # [hand, action]
        found = []
        for move, name in enumerate(self.form.betting.actions[node]):
            after = reach if actor == self.player else reach * current[:, move]
            left = alive - {actor} if name == "f" else alive
            found.append(self.values(int(arrays.first[node]) + move, after, play, gained, weighed, left))
        values = np.array(found).T  # [hand, action]
        if actor != self.player:
            for hand, one in enumerate(where):
                weighed[one] += reach[hand] * current[hand] / len(self.hands)
            return np.asarray(values.sum(axis=1))
        worth = (current * values).sum(axis=1)
        for hand, one in enumerate(where):
            gained[one] += values[hand] - worth[hand]
        return np.asarray(worth)

    def end(self, node: int, reach: np.ndarray, alive: Any) -> np.ndarray:
        """The same at an end."""
        found = np.zeros(len(self.hands))
        for hand, own in enumerate(self.strength):
            for other, theirs in enumerate(self.strength):
                strength = (own, theirs) if self.player == 0 else (theirs, own)
                weight = self.pair[hand, other] * reach[other]
                found[hand] += weight * payoff(self.form, node, self.player, strength, alive)
        return found
