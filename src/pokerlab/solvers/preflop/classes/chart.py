"""Equilibria of a game of one decision each over many stacks, and up to which stack each hand acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pokerlab.events import SILENT, Watch
from pokerlab.solvers.preflop.classes.one_decision import solve_one_decision
from pokerlab.tree.classes import ClassForm

ACTS_FROM = 0.5  # a hand is charted where it acts at least this often

Span = tuple[float, float]  # the smallest and the largest stack


@dataclass(frozen=True, eq=False)
class Chart:
    """What both players do at each stack, in the order of deciding."""

    stacks: np.ndarray  # [stack], ascending
    acts: tuple[np.ndarray, np.ndarray]  # [stack, hand] of each player
    values: np.ndarray  # [stack] to the first player, in units of the form
    exploitabilities: np.ndarray  # [stack], in the same
    hands: tuple[str, ...]

    def spans(self, role: int) -> dict[str, tuple[Span, ...]]:
        """The stacks at which each hand acts at least half of the time, as spans from the largest stack down."""
        return {
            hand: tuple(_spans(self.stacks, self.acts[role][:, column] >= ACTS_FROM))
            for column, hand in enumerate(self.hands)
        }

    def largest(self, role: int) -> np.ndarray:
        """The largest stack at which each hand acts; NaN where there is none. [hand]"""
        return np.array([spans[0][1] if spans else np.nan for spans in self.spans(role).values()])

    def cells(self, role: int) -> dict[str, str]:
        """The largest stack of each hand as people write it: "20+" where a hand acts at the largest of all."""
        last = self.stacks[-1]
        digits = 1 if np.allclose(self.stacks * 10, np.round(self.stacks * 10)) else 2
        return {
            hand: "" if np.isnan(stack) else f"{last:g}+" if stack == last else f"{stack:.{digits}f}"
            for hand, stack in zip(self.hands, self.largest(role), strict=True)
        }

    def with_gaps(self, role: int) -> dict[str, tuple[Span, ...]]:
        """The hands that act at some stack and not at every smaller one."""
        low, by_hand = float(self.stacks[0]), self.spans(role)
        return {hand: spans for hand, spans in by_hand.items() if len(spans) > 1 or (spans and spans[0][0] > low)}

    def mixed(self, role: int, *, least: float = 1e-6) -> dict[str, tuple[float, ...]]:
        """The stacks at which each hand acts in part."""
        part = (self.acts[role] > least) & (self.acts[role] < 1 - least)
        mixed = {hand: tuple(self.stacks[part[:, column]].tolist()) for column, hand in enumerate(self.hands)}
        return {hand: stacks for hand, stacks in mixed.items() if stacks}


def span_text(span: Span) -> str:
    """A span as people write it.

    >>> span_text((5.1, 7.1)), span_text((6.0, 6.0))
    ('5.1-7.1', '6')
    """
    return f"{span[0]:g}" if span[0] == span[1] else f"{span[0]:g}-{span[1]:g}"


def chart(forms: Mapping[float, ClassForm], *, watch: Watch = SILENT) -> Chart:
    """The equilibrium at every stack, by one linear program each."""
    stacks = sorted(forms)
    acts: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    values, gaps = [], []
    for done, stack in enumerate(stacks, start=1):
        game = forms[stack].one_decision
        solution = solve_one_decision(game)
        best = game.counterfactual(0, solution.second), game.counterfactual(1, solution.first)
        acts[0].append(solution.first)
        acts[1].append(solution.second)
        values.append(solution.value)
        gaps.append(max(sum(float(values.max(0).sum()) for values in best) / 2, 0.0))
        watch.at("solving", done, len(stacks))
    hands = next(iter(forms.values())).hands
    pushes, calls = (np.array(rows) for rows in acts)
    return Chart(np.array(stacks), (pushes, calls), np.array(values), np.array(gaps), hands)


def _spans(stacks: np.ndarray, acting: np.ndarray) -> list[Span]:
    """Neighbouring stacks at which a hand acts, as spans from the largest down."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], acting, [False]]).astype(int)))
    spans = [(float(stacks[start]), float(stacks[stop - 1])) for start, stop in list(pairwise(edges.tolist()))[::2]]
    return spans[::-1]
