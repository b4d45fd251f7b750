"""Pieces of HTML for notebooks: facts, tables and grids, drawn by the macros of pages/pieces.html."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES
from pokerlab.errors import printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

RULE = "rgba(128,128,128,.35)"
SHADE = "rgba(128,128,128,.14)"
BAR = "rgba(47,127,196,.38)"
CELL = 40, 26  # of a grid: width and height
GAP = 2


@cache
def pages() -> Environment:
    """The templates of pages/, which escape every text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["printable"] = lambda words: printable(str(words))
    environment.globals |= {"rule": RULE, "bar": BAR}
    return environment


@cache
def _macros() -> Any:
    return pages().get_template("pieces.html").module


def block(*parts: str) -> Markup:
    """Pieces one below the other; a part that is not Markup is text."""
    return _piece("block", parts)


def title(words: str, *, more: str = "") -> Markup:
    """A heading, its beginning bold."""
    return _piece("title", words, more)


def note(words: str) -> Markup:
    """A dim line; nothing if there are no words."""
    return _piece("note", words) if words else _piece("nothing")


@dataclass(frozen=True)
class Share:
    """A probability, shown with a bar behind it, after the name of the action if there is one."""

    chance: float | None
    name: str = ""


Value = str | Share


def table(heading: Sequence[str], rows: Sequence[Sequence[Value]], *, left: int = 1) -> Markup:
    """Rows below a heading, if there is one; the first `left` columns are aligned left, the others right."""
    return _piece("table", heading, rows, left)


def facts(rows: Sequence[tuple[str, str]]) -> Markup:
    """Rows of a name and a text."""
    return table((), rows, left=2)


def _piece(name: str, *arguments: Any) -> Markup:
    piece: Markup = getattr(_macros(), name)(*arguments)
    return piece


# ---- the grid of starting hands --------------------------------------------------------------------------------------

Colour = tuple[int, int, int]


def grid(shares: np.ndarray, colours: Sequence[Colour], names: Sequence[str] = ()) -> Markup:
    """The 13×13 grid of starting hands, each cell filled from the left by the shares of actions [13, 13, action].

    Pointing at a cell shows its numbers; `names` are those of the actions.
    """
    width, height = CELL
    cells = [
        _grid_cell(name, divmod(number, 13), shares[divmod(number, 13)], colours, names)
        for number, name in enumerate(CLASS_NAMES)
    ]
    return _piece("grid", cells, 13 * (width + GAP) - GAP, 13 * (height + GAP) - GAP, width, height)


def _grid_cell(
    name: str, position: tuple[int, int], shares: np.ndarray, colours: Sequence[Colour], names: Sequence[str]
) -> dict[str, Any]:
    """A cell for the template: its bars are left edge, width and colour, its ink an attribute of the text."""
    width, height = CELL
    x, y = position[1] * (width + GAP), position[0] * (height + GAP)
    total = float(shares.sum())
    bars = [(str(x), str(width), SHADE)] if total < 0.9995 else []
    left, words = 0.0, []
    for number, share in enumerate(shares.tolist()):
        if share < 0.0005:
            continue
        bars.append((f"{x + left * width:.1f}", f"{share * width:.1f}", _hex(colours[number])))
        words.append(f"{names[number] + ' ' if names else ''}{100 * share:.1f} %")
        left += share
    ink = ("fill", _ink(shares, colours)) if total > 0.5 else ("opacity", ".75" if words else ".4")
    return {"name": name, "words": f"{name}: {', '.join(words) or '0'}", "x": x, "y": y, "bars": bars, "ink": ink}


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def _ink(shares: np.ndarray, colours: Sequence[Colour]) -> str:
    """Black or white letters, by the mean brightness of the cell."""
    mean = shares @ np.array(colours, float) / shares.sum()
    return "#111" if mean @ (0.299, 0.587, 0.114) > 135 else "#fff"


def legend(names: Sequence[str], colours: Sequence[Colour]) -> Markup:
    """What each colour means."""
    return _piece("legend", list(zip(names, map(_hex, colours), strict=True)))
