"""Push or fold in one call: heads-up exactly, or a table of 3 to 9 players, for chips or prizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress
from pokerlab.games.prizes.payouts import Amounts, amounts_text
from pokerlab.lab.preflop.push_fold import TARGET, HeadsUp, push_fold, stakes
from pokerlab.lab.preflop.push_fold_table import TableSolution, push_fold_table, table_stakes


def pushfold(
    stacks: Amounts = 10,
    *,
    ante: str | float = 0,
    small_blind: str | float = "1/2",
    payouts: str | Sequence[float] | None = None,
    position: str | None = None,
    call: str | None = None,
    push: str | None = None,
    algorithm: str | None = None,
    target: float | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> HeadsUp | TableSolution:
    """Solve push or fold before the flop; all amounts are in big blinds.

    - stacks: one stack of both players, or all stacks in the order of acting, the big blind last: 10, [8, 20],
      [12, 8, 20] or "12,8,20"
    - ante: of each player
    - small_blind: half a big blind by default
    - payouts: prizes from the first place down, [50, 30, 20]; without them players play for chips
    - position: the seat to act, all before it having folded: "CO", "BU", "SB"
    - call: heads-up, a range that the big blind calls; the result has the best pushes against it
    - push: heads-up, a range that the small blind pushes; the result has the best calls against it
    - algorithm: heads-up "lp", which is exact, or "cfr", "cfr+", "dcfr"; otherwise "fictitious-play" or
      "regret-matching+"
    - target: stop at this distance from equilibrium: heads-up in big blinds, otherwise in percent of the prize pool
    - on_progress: called with an Event for each step
    - cancel: a CancelToken that stops the run

    >>> solved = pushfold(10, call="20%")
    >>> round(solved.value, 3), solved.responses[0].range.fraction > solved.range_of(0).fraction
    (-0.045, True)
    """
    text = amounts_text(stacks)
    blinds: dict[str, Any] = {"ante": str(ante), "small_blind": str(small_blind)}
    watching: dict[str, Any] = {"on_progress": on_progress, "cancel": cancel}
    if payouts is None and position is None and text.count(",") < 2:
        accuracy = TARGET if target is None else target
        heads_up = stakes(stacks=text, **blinds)
        return push_fold(heads_up, algorithm=algorithm or "lp", target=accuracy, push=push, call=call, **watching)
    if call is not None or push is not None:
        raise BadSetting("best responses to a range are heads-up and for chips: leave out call and push")
    prizes = None if payouts is None else amounts_text(payouts)
    table = table_stakes(text, payouts=prizes, position=position, **blinds)
    return push_fold_table(table, algorithm=algorithm or "fictitious-play", target=target, **watching)
