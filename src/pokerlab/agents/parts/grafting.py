"""Strategy grafting: a coarse equilibrium of a whole game, with finer strategies solved for parts of its tree.

Waugh, Bard and Bowling, "Strategy grafting in extensive games", 2009. For each part and each player a game of its own
is solved: the player is held to the base strategy outside the part; inside, hands are in finer buckets for both; the
opponent plays freely, outside with the buckets of the base. The player's solution inside is grafted onto the base.
Parts share no decisions, so that grafts are solved one by one, and fit together because all are tied to the same base.

Here a part is everything after one betting sequence of the first round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from pokerlab.agents.parts.bucket_signals import BucketSignals
from pokerlab.agents.parts.models import Model, ModelPolicy
from pokerlab.agents.parts.subgames import Effort, run
from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.betting_tree import Deal, Decision, Node, walk
from pokerlab.solvers.cfr.fixed import FixedCfr, held_to
from pokerlab.solvers.cfr.general import GeneralCfr
from pokerlab.tree.signals import FinerPart, SignalForm, Signals


class Grafted(ModelPolicy):
    """The base strategy of a game and its grafts, each solved when it is first needed."""

    def __init__(
        self, buckets: BucketSignals, betting: Node, finer: Sequence[int], effort: Effort, *, grafts: bool = True
    ) -> None:
        """Buckets are those of the parts; in round k the base merges `finer[k]` at a time."""
        self.buckets, self.effort, self.grafts = buckets, effort, grafts
        rounds = len(buckets.counts)
        self._fine = buckets.model(0, rounds - 1)
        self._merged = _merged(buckets.counts, finer)
        form = SignalForm(
            f"the base of {buckets.game.name}", betting, _coarse(self._fine, self._merged, buckets.counts, finer)
        )
        solver = GeneralCfr(form, effort.schedule)
        run(solver, effort)
        self.base = Model(buckets, form, solver.result(), 0, rounds - 1, merged=self._merged)
        self.parts = dict(_parts(betting, ""))
        self._solved: dict[tuple[str, int], Model] = {}

    def model_at(self, betting: Betting) -> Model:
        if betting.round == 0 or not self.grafts:
            return self.base
        key = betting.history[: betting.history.index("/")], betting.actor
        if key not in self._solved:
            self._solved[key] = self._graft(*key)
        return self._solved[key]

    def _graft(self, history: str, player: int) -> Model:
        """A player's strategy in a part, as a model of the whole game in which the rest is the base."""
        root = self.parts[history]
        part = FinerPart(root, self._fine, (self._merged, self._merged))
        form = SignalForm(self.base.form.title, self.base.form.betting, self.base.form.signals, part)
        inside = {node for node in walk(root) if isinstance(node, Decision)}
        model, shares = np.array(form.uniform()), np.zeros(len(form.uniform()))
        for node in form.decisions:
            if node.player == player and node not in inside:
                model[form.slots(node)] = self.base.form.rows(self.base.profile, node)
                shares[form.slots(node)] = 1.0
        fixed = held_to(form.treeplexes, player, model, whole=0.0, shares=shares)
        solver = FixedCfr(form, self.effort.schedule, fixed)
        run(solver, self.effort)
        return Model(self.buckets, form, solver.result(), 0, len(self.buckets.counts) - 1)


def _merged(counts: Sequence[int], finer: Sequence[int]) -> np.ndarray:
    """The hand of the base that each signal is: all its buckets, merged.  # [signal]"""
    signals, hand = np.arange(prod(counts)), np.zeros(prod(counts), np.int64)
    for number, (count, size) in enumerate(zip(counts, finer, strict=True)):
        bucket = signals // prod(counts[number + 1 :]) % count
        hand = hand * -(-count // size) + bucket // size
    return hand


def _coarse(fine: Signals, merged: np.ndarray, counts: Sequence[int], finer: Sequence[int]) -> Signals:
    """The signals of the base."""
    left = [-(-count // size) for count, size in zip(counts, finer, strict=True)]
    matrices = np.zeros((2, prod(left), prod(left)))
    for matrix, of_fine in zip(matrices, (fine.together, fine.ahead), strict=True):
        np.add.at(matrix, (merged[:, None], merged), of_fine)
    hands = np.arange(prod(left))
    labels = tuple(hands // prod(left[number + 1 :]) for number in range(len(left)))
    return Signals(matrices[0], matrices[1], (labels, labels))


def _parts(node: Node, history: str) -> Iterator[tuple[str, Node]]:
    """What follows each betting sequence of the first round that more cards follow."""
    if isinstance(node, Deal):
        yield history, node
    elif isinstance(node, Decision):
        for code, child in zip(node.codes, node.children, strict=True):
            yield from _parts(child, history + code)
