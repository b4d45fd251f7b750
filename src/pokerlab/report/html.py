"""Pieces of HTML for notebooks: facts, tables and grids that need no other file and no style sheet.

Text has the notebook's own colour, and lines and shades are half transparent, so that light and dark notebooks look
alike well. Every text from outside goes through `text`.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.errors import printable

RULE = "rgba(128,128,128,.35)"
SHADE = "rgba(128,128,128,.14)"
BAR = "rgba(47,127,196,.38)"
CELL = 40, 26  # of a grid: width and height
GAP = 2
TABLE = "border-collapse:collapse;border:none;margin:4px 0;font-variant-numeric:tabular-nums"


def text(words: object) -> str:
    """Any text as it reads, letter by letter."""
    return html.escape(printable(str(words)))


def block(*parts: str) -> str:
    """Pieces one below the other."""
    return f'<div style="max-width:60em">{"".join(part for part in parts if part)}</div>'


def title(words: str, *, more: str = "") -> str:
    """A line above the rest, its beginning bold."""
    return f'<div style="margin:4px 0"><b>{text(words)}</b>{f"  {note_text(more)}" if more else ""}</div>'


def note(words: str) -> str:
    """A line of smaller import."""
    return f"<div>{note_text(words)}</div>" if words else ""


def note_text(words: str) -> str:
    """A text of smaller import."""
    return f'<span style="opacity:.65">{text(words)}</span>'


@dataclass(frozen=True)
class Share:
    """A probability, shown with a bar behind it, after the name of what is so likely where there is one."""

    chance: float | None
    name: str = ""


Value = str | Share


def table(heading: Sequence[str], rows: Sequence[Sequence[Value]], *, left: int = 1) -> str:
    """Rows under a heading; the first columns stand left and the others, numbers, right. No heading, no line."""
    lines = []
    if any(heading):
        cells = [
            _cell("th", words, place < left, f"border-bottom:1px solid {RULE}") for place, words in enumerate(heading)
        ]
        lines.append(f"<thead><tr>{''.join(cells)}</tr></thead>")
    body = [
        "<tr>" + "".join(_cell("td", cell, place < left) for place, cell in enumerate(row)) + "</tr>" for row in rows
    ]
    return f'<table style="{TABLE}">{"".join(lines)}<tbody>{"".join(body)}</tbody></table>'


def facts(rows: Sequence[tuple[str, str]]) -> str:
    """What is known, a line each."""
    return table((), rows, left=2)


def _cell(tag: str, value: Value, left: bool, more: str = "") -> str:
    side = "left" if left else "right"
    style = f"text-align:{side};padding:1px 9px 1px 0;border:none;white-space:nowrap"
    if isinstance(value, Share):
        if value.chance is None:
            return f'<td style="{style}"></td>'
        percent = 100 * value.chance
        style += f";background:linear-gradient(90deg,{BAR} {percent:.1f}%,transparent {percent:.1f}%);min-width:4.5em"
        return f'<td style="{style}">{text(f"{value.name}  ") if value.name else ""}{percent:.1f} %</td>'
    if more:
        style += f";{more};font-weight:600;opacity:.8"
    return f'<{tag} style="{style}">{text(value)}</{tag}>'


# ---- the grid of starting hands --------------------------------------------------------------------------------------

Colour = tuple[int, int, int]


def grid(shares: np.ndarray, colours: Sequence[Colour], names: Sequence[str] = ()) -> str:
    """The 13×13 grid of starting hands, each cell filled from the left by the shares of actions [13, 13, action].

    Pointing at a cell tells its numbers; `names` are those of the actions.
    """
    width, height = CELL
    cells = []
    for place, name in enumerate(CLASS_NAMES):
        row, column = divmod(place, 13)
        x, y = column * (width + GAP), row * (height + GAP)
        cells.append(_grid_cell(name, x, y, shares[row, column], colours, names))
    wide, high = 13 * (width + GAP) - GAP, 13 * (height + GAP) - GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        'style="max-width:100%;height:auto;display:block;margin:4px 0" font-family="sans-serif" font-size="12" '
        f'text-anchor="middle" fill="currentColor">{"".join(cells)}</svg>'
    )


def _grid_cell(
    name: str, x: float, y: float, shares: np.ndarray, colours: Sequence[Colour], names: Sequence[str]
) -> str:
    width, height = CELL
    total = float(shares.sum())
    parts = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{SHADE}"/>'] if total < 0.9995 else []
    left, told = 0.0, []
    for number, share in enumerate(shares.tolist()):
        if share < 0.0005:
            continue
        place, wide = x + left * width, share * width
        parts.append(
            f'<rect x="{place:.1f}" y="{y}" width="{wide:.1f}" height="{height}" fill="{_hex(colours[number])}"/>'
        )
        told.append(f"{names[number] + ' ' if names else ''}{100 * share:.1f} %")
        left += share
    ink = _ink(shares, colours) if total > 0.5 else 'opacity=".75"' if told else 'opacity=".4"'
    parts.append(f'<text x="{x + width / 2:.0f}" y="{y + height / 2 + 4:.0f}" {ink}>{name}</text>')
    return f"<g><title>{text(f'{name}: ' + (', '.join(told) or '0'))}</title>{''.join(parts)}</g>"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _ink(shares: np.ndarray, colours: Sequence[Colour]) -> str:
    """Black or white letters, by how bright the cell is on the whole."""
    mean = shares @ np.array(colours, float) / shares.sum()
    return 'fill="#111"' if mean @ (0.299, 0.587, 0.114) > 135 else 'fill="#fff"'


def legend(names: Sequence[str], colours: Sequence[Colour]) -> str:
    """What each colour means."""
    box = "display:inline-block;width:.9em;height:.9em;vertical-align:-.1em;margin:0 .35em 0 0"
    parts = [
        f'<span style="margin-right:1.2em"><span style="{box};background:{_hex(colour)}"></span>{text(name)}</span>'
        for name, colour in zip(names, colours, strict=True)
    ]
    return f"<div>{''.join(parts)}</div>"
