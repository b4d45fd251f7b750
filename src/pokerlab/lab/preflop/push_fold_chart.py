"""A chart of heads-up push or fold: the equilibrium at every stack, and each hand's largest stack to play."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.library.push_fold import MOST
from pokerlab.games.von_neumann_continuous import number
from pokerlab.lab.preflop.push_fold import CALL, PUSH, Stakes
from pokerlab.papers import schmid_pushfold
from pokerlab.papers.result import Row
from pokerlab.solvers.preflop.classes.chart import Chart, chart
from pokerlab.tree.classes import class_form, why_not

MOST_STACKS = 2000  # of a chart
FIGURE_STAKES = (Fraction(schmid_pushfold.MOST), Fraction(1, 10), Fraction(0), Fraction(1, 2))  # of figure 6.1


@dataclass(frozen=True, eq=False)
class PushFoldChart:
    """Equilibria over many equal stacks."""

    ante: Fraction
    small_blind: Fraction
    big_blind_ante: Fraction
    chart: Chart
    published: tuple[Row, ...] | None  # cells that differ from the published chart; None for other stakes

    def rows(self) -> list[dict[str, Any]]:
        """Each class: the largest stack and all stacks at which it is pushed and called."""
        names, spans = ("push", "call"), [self.chart.spans(role) for role in (PUSH, CALL)]
        largest = [self.chart.largest(role) for role in (PUSH, CALL)]
        rows = []
        for place, hand in enumerate(self.chart.hands):
            row: dict[str, Any] = {"hand": hand}
            for role, name in enumerate(names):
                most = float(largest[role][place])
                row |= {
                    name: None if np.isnan(most) else most,
                    f"{name}_spans": [list(one) for one in spans[role][hand]],
                }
            rows.append(row)
        return rows

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        solved = self.chart
        return {
            "ante": float(self.ante),
            "small_blind": float(self.small_blind),
            "big_blind_ante": float(self.big_blind_ante),
            "stacks": solved.stacks,
            "values": solved.values,
            "exploitability": float(solved.exploitabilities.max()),
            "cells": self.rows(),
            "push_gaps": list(solved.with_gaps(PUSH)),
            "call_gaps": list(solved.with_gaps(CALL)),
            "published": None
            if self.published is None
            else [{"cell": row.what, "printed": row.printed, "ours": row.ours["ours"]} for row in self.published],
        }


def push_fold_chart(
    most: str,
    *,
    ante: str = "0",
    small_blind: str = "1/2",
    big_blind_ante: str = "0",
    step: str = "0.1",
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> PushFoldChart:
    """The equilibrium at every stack from one big blind to the largest; amounts are given as text.

    Stacks too small for any decision are left out. With the stakes of Schmid's figure 6.1 the cells are compared with
    it.
    """
    highest, each, put, small, for_all = map(number, (most, step, ante, small_blind, big_blind_ante))
    if not 1 <= highest <= MOST or each <= 0:
        raise BadSetting(
            f"a chart goes from 1 to at most {MOST:,.0f} big blinds in steps above 0; got {most} by {step}"
        )
    count = int((highest - 1) / each) + 1
    if count > MOST_STACKS:
        raise BadSetting(f"a chart has at most {MOST_STACKS:,} stacks, not {count:,}: choose a larger --step")
    forms = {}
    for place in range(count):
        stack = 1 + place * each
        game = Stakes((stack, stack), put, small, for_all).game()
        if not why_not(game):
            forms[float(stack)] = class_form(game)
    if not forms:
        taken = big_blind_ante if for_all else ante
        raise BadSetting(f"an ante of {taken} takes every stack up to {most} big blinds before anybody decides")
    solved = chart(forms, watch=Watch("pushfold", on_progress, cancel, "stacks"))
    standard = (highest, each, put, small) == FIGURE_STAKES and not for_all
    return PushFoldChart(put, small, for_all, solved, tuple(schmid_pushfold.differences(solved)) if standard else None)
