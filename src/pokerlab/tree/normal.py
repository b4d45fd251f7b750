"""The reduced normal form: every pure strategy of a player as one row, and a payoff for each combination of rows.

A reduced strategy chooses only at infosets that its own earlier choices allow, so it is a realization plan of zeros and
ones. The number of strategies grows exponentially; it is counted first, and a form that would not fit is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting, TooLarge
from pokerlab.games.strategic import StrategicGame
from pokerlab.tree.forecast import bytes_text, count_text
from pokerlab.tree.form import Form, FormKind, FormSize, Problem
from pokerlab.tree.history.layout import HistoryTree
from pokerlab.tree.measure import Measure
from pokerlab.tree.sequence import FORM as SEQUENCE
from pokerlab.tree.sequence import SequenceForm, sequence_form
from pokerlab.tree.treeplex import Treeplexes

MOST_BYTES = 2e8


@dataclass(frozen=True, eq=False)
class NormalForm(Form):
    """Pure plans of each player and the payoffs of their combinations."""

    sequence: SequenceForm
    plans: tuple[np.ndarray, ...]  # of each player: [strategy, own sequence], the empty sequence first; 0 and 1
    payoff_table: np.ndarray  # [P, strategy of 0, strategy of 1, ...]

    kind = "normal"

    @property
    def name(self) -> str:
        return self.sequence.name

    @property
    def players(self) -> int:
        return self.sequence.players

    @property
    def max_abs_payoff(self) -> float:
        return self.sequence.max_abs_payoff

    @property
    def pot(self) -> float:
        return self.sequence.pot

    @property
    def is_zero_sum(self) -> bool:
        return self.sequence.is_zero_sum

    @property
    def size(self) -> FormSize:
        sequence = self.sequence.size
        arrays = (self.payoff_table, *self.plans)
        return FormSize(sequence.nodes, sequence.infosets, sequence.bytes + sum(array.nbytes for array in arrays))

    def small(self) -> NormalForm:
        """Kuhn poker for two players; for three, whose form is too large, this form itself."""
        return normal_form(self.sequence.small()) if self.players == 2 else self

    @property
    def solution_form(self) -> SequenceForm:
        """Mixed strategies are named, measured and saved as behaviour strategies."""
        return self.sequence

    @cached_property
    def treeplexes(self) -> Treeplexes:
        """One infoset for each player, whose actions are the reduced strategies."""
        return Treeplexes.joined([(np.array([1, 1 + len(plans)]), np.zeros(1, np.int64)) for plans in self.plans])

    def mixes(self, profile: np.ndarray) -> list[np.ndarray]:
        """A profile player by player.  # [A] -> P times [strategy]"""
        return [profile[self.slots_of(player)] for player in range(self.players)]

    def utilities(self, player: int, mixes: list[np.ndarray]) -> np.ndarray:
        """The value of each strategy of a player against the others' mixtures.  # P times [strategy] -> [strategy]"""
        value = self.payoff_table[player]
        for seat in range(self.players - 1, -1, -1):
            if seat != player:
                value = np.tensordot(value, mixes[seat], axes=(seat, 0))
        return np.asarray(value)

    def payoffs(self, player: int, plan: np.ndarray, out: np.ndarray) -> None:
        out[player] = 0.0
        out[self.treeplexes.sequences_of(player)] = self.utilities(player, self.mixes(plan[self.players :]))

    def largest_payoff_sum(self, player: int) -> float:
        others = tuple(seat for seat in range(self.players) if seat != player)
        return float(np.abs(self.payoff_table[player]).sum(axis=others).max(initial=0.0))

    @property
    def nodes_per_pass(self) -> int:
        """The cells of one player's payoffs."""
        return int(self.payoff_table[0].size)

    def pack(self, profile: np.ndarray) -> dict[str, np.ndarray]:
        """The arrays of the sequence form, in which strategies are saved."""
        return self.sequence.pack(self.sequence_profile(self.mixes(profile)))

    def unpack(self, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
        """Refused: many mixtures of pure strategies play in the same way."""
        raise BadSetting("a behaviour strategy is read in the sequence form; the normal form only writes it")

    def measure(self, profile: np.ndarray) -> Measure:
        return self.sequence.measure(self.sequence_profile(self.mixes(profile)))

    def sequence_profile(self, mixes: list[np.ndarray]) -> np.ndarray:
        """The behaviour equivalent to mixed strategies, by Kuhn's theorem: a profile of the sequence form."""
        plan = np.ones(self.sequence.sequences)
        for player, mix in enumerate(mixes):
            plan[self.sequence.sequences_of(player)] = (mix @ self.plans[player])[1:]
        return self.sequence.behaviour(plan)


def strategy_counts(tree: HistoryTree | SequenceForm, *, reduced: bool = True) -> tuple[int, ...]:
    """The exact number of pure strategies of each player, reduced or with one choice at every infoset."""
    if not reduced:
        history = tree.tree if isinstance(tree, SequenceForm) else tree
        choices = np.diff(history.start).tolist()
        bounds = history.first_infoset.tolist()
        return tuple(math.prod(choices[first:last]) for first, last in pairwise(bounds))
    form = sequence_form(tree)
    counts = [1] * form.sequences
    start, parent = form.start.tolist(), form.parent.tolist()
    for infoset in range(len(parent) - 1, -1, -1):
        counts[parent[infoset]] *= sum(counts[start[infoset] : start[infoset + 1]])
    return tuple(counts[: form.players])


def normal_form(tree: HistoryTree | SequenceForm, *, most_bytes: float = MOST_BYTES) -> NormalForm:
    """The reduced normal form; TooLarge, with its size, if it would not fit."""
    form = sequence_form(tree)
    counts = strategy_counts(form)
    owned = [form.sequences_of(player) for player in range(form.players)]
    cells = math.prod(counts) * form.players + sum(
        count * (own.stop - own.start + 1) for count, own in zip(counts, owned, strict=True)
    )
    if cells * 8 > most_bytes:
        raise TooLarge(
            f"the normal form of {form.tree.game} has {' x '.join(count_text(count) for count in counts)} strategies "
            f"and needs {bytes_text(float(min(8 * cells, 10**300)))}, more than the "
            f"{bytes_text(most_bytes)} available; the sequence form is far smaller (lp, cfr, fictitious-play)"
        )
    plans = tuple(_pure_plans(form, player) for player in range(form.players))
    return NormalForm(form, plans, _payoffs(form, plans))


def as_strategic(normal: NormalForm, *, title: str = "") -> StrategicGame:
    """The normal form as a game of one simultaneous choice; a strategy is named by its choices, "K:=c K:r=f"."""
    names = tuple(_strategy_names(normal, player) for player in range(normal.sequence.players))
    payoffs = {
        tuple(names[player][place] for player, place in enumerate(cell)): tuple(normal.payoff_table[:, *cell].tolist())
        for cell in np.ndindex(*normal.payoff_table.shape[1:])
    }
    return StrategicGame(normal.sequence.tree.game, names, payoffs, title)


def _strategy_names(normal: NormalForm, player: int) -> tuple[str, ...]:
    tree, own = normal.sequence.tree, normal.sequence.sequences_of(player)
    first, last = normal.sequence.tree.first_infoset[player : player + 2].tolist()
    choices = [
        f"{tree.infoset_names[infoset] or '(start)'}={action}"
        for infoset in range(first, last)
        for action in tree.action_names[infoset]
    ]
    assert len(choices) == own.stop - own.start
    return tuple(
        " ".join(choices[place] for place in np.flatnonzero(plan[1:]).tolist()) or "-" for plan in normal.plans[player]
    )


def _pure_plans(form: SequenceForm, player: int) -> np.ndarray:
    """Every reduced strategy of a player.  # [strategy, own sequence]"""
    own = form.sequences_of(player)
    low, high = form.tree.first_infoset[player : player + 2].tolist()
    width = own.stop - own.start + 1
    below: list[list[np.ndarray]] = [[] for _ in range(width)]  # for each own sequence, the plans of what follows it
    for infoset in range(high - 1, low - 1, -1):
        first, last = (int(bound) - own.start + 1 for bound in form.start[infoset : infoset + 2])
        choices = []
        for sequence in range(first, last):
            plans = _combined(below[sequence], width)
            plans[:, sequence] = 1.0
            choices.append(plans)
            below[sequence] = []
        parent = int(form.parent[infoset])
        below[0 if parent < form.players else parent - own.start + 1].insert(0, np.concatenate(choices))
    plans = _combined(below[0], width)
    plans[:, 0] = 1.0
    return plans


def _combined(parts: list[np.ndarray], width: int) -> np.ndarray:
    """Every sum of one row from each part."""
    rows = np.zeros((1, width))
    for part in parts:
        rows = (rows[:, None, :] + part[None, :, :]).reshape(-1, width)
    return rows


def _payoffs(form: SequenceForm, plans: tuple[np.ndarray, ...]) -> np.ndarray:
    """[P, strategy of 0, strategy of 1, ...] Sums over leaves of the product of all players' plans."""
    shape = tuple(len(plan) for plan in plans)
    payoffs = np.zeros((form.players, *shape))
    rows = np.repeat(np.arange(form.sequences), np.diff(form.row).astype(np.int64))  # [Z] the sequence of each leaf
    column = np.zeros(form.sequences, np.int64)  # of each sequence in its player's plans
    owner = np.arange(form.sequences) % max(1, form.players)
    for player in range(form.players):
        own = form.sequences_of(player)
        column[own] = np.arange(1, own.stop - own.start + 1)
        owner[own] = player
    for player in range(form.players):
        leaves = np.flatnonzero(owner[rows] == player)
        for part in np.array_split(leaves, max(1, len(leaves) * max(shape) // 2_000_000)) if len(leaves) else []:
            sequences = np.insert(form.other[part].astype(np.int64), player, rows[part], axis=1)  # [leaf, P]
            reach = form.value[part][None, :]  # [combinations so far, leaf]
            for seat in range(form.players - 1):
                own_reach = plans[seat][:, column[sequences[:, seat]]]
                reach = (reach[:, None, :] * own_reach[None, :, :]).reshape(-1, len(part))
            payoffs[player] += (reach @ plans[-1][:, column[sequences[:, -1]]].T).reshape(shape)
    return payoffs


def _build(problem: Problem, **options: Any) -> NormalForm:
    return normal_form(SEQUENCE.build(problem, **options))  # type: ignore[arg-type]


FORM = FormKind(SEQUENCE.why_not, SEQUENCE.forecast, _build, chosen=False, built_from="sequence")
