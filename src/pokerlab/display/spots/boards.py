"""A spot on many boards, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.markup import escape

from pokerlab.cards.flop_subsets import ERRORS, REPORT
from pokerlab.display.elements.table import plain_table
from pokerlab.lab.spots.boards import FREQUENCY

MOST_SHOWN = 60  # boards


def show_boards(
    screen: Any,
    rows: Sequence[Mapping[str, Any]],
    means: Mapping[str, float],
    *,
    moves: Sequence[str] = (),
    subset: int | None = None,
) -> None:
    """A row for each of the first boards, and the weighted means."""
    names = [name for name in means if name.startswith(FREQUENCY)]
    headings = ["board", "weight", *(["reach"] if moves else []), "EV oop", "EV ip", "equity oop"]
    headings += [name.removeprefix(FREQUENCY) for name in names]
    lines = [(row["board"], f"{row['weight']:g}", *_cells(row, names, reach=bool(moves))) for row in rows[:MOST_SHOWN]]
    if means:
        weight = sum(row["weight"] for row in rows if "problem" not in row)
        lines.append(("[bold]all[/bold]", f"{weight:g}", *_cells(means, names, reach=bool(moves))))
    if moves:
        screen.print(f"[dim]after[/dim] {escape(', '.join(moves))}")
    screen.print(plain_table(headings, lines))
    if len(rows) > MOST_SHOWN:
        screen.print(f"[dim]and {len(rows) - MOST_SHOWN:,} more boards[/dim]")
    for row in rows:
        if "problem" in row:
            screen.print(f"{row['board']}: {escape(row['problem'])}", soft_wrap=True)
    known = [row["exploitability_percent"] for row in rows if _has(row, "exploitability_percent")]
    if "exploitability_percent" in means and known:  # an edited table may have none
        mean, worst = means["exploitability_percent"], max(known)
        screen.print(f"[dim]exploitability[/dim] mean {mean:.2g} % of the pot, at most {worst:.2g} %")
    if subset is not None:
        screen.print(f"[dim]{subset_text(subset)}[/dim]", soft_wrap=True)


def _cells(row: Mapping[str, Any], names: Sequence[str], *, reach: bool) -> list[str]:
    """The numbers of a row, empty where unknown."""
    if "problem" in row:
        return []
    texts = {name: f"{row[name]:.2f}" for name in ("ev_out_of_position", "ev_in_position") if _has(row, name)}
    texts |= {
        name: f"{100 * row[name]:.1f} %" for name in ("reach", "equity_out_of_position", *names) if _has(row, name)
    }
    order = [*(["reach"] if reach else []), "ev_out_of_position", "ev_in_position", "equity_out_of_position", *names]
    return [texts.get(name, "") for name in order]


def _has(row: Mapping[str, Any], name: str) -> bool:
    return row.get(name) is not None


def subset_error(size: int) -> dict[str, Any]:
    """The measured error of a subset of flops, in percentage points, for JSON."""
    return {
        "flops": size,
        "measured_error": asdict(ERRORS[size]),
        "measured_on": f"{REPORT}; equity: 20 pairs of ranges",
    }


def subset_text(size: int) -> str:
    """The same as a sentence."""
    error = ERRORS[size]
    solved = f"{error.frequency:.1f} percentage points of frequency and {error.ev:.2f} % of the pot in EV ({REPORT})"
    equity = f"{error.equity:.2f} percentage points of equity (20 pairs of ranges)"
    return f"{size} flops represent 1,755: measured error {solved}, {equity}"
