"""A strategy of any form as a table for CSV files and pandas: a row for each action of each infoset."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from pokerlab.errors import BadSetting, TooLarge
from pokerlab.strategy.policy import StrategyLine
from pokerlab.tables import Columns
from pokerlab.tree.forecast import available_memory, bytes_text
from pokerlab.tree.form import SHARE_OF_MEMORY

if TYPE_CHECKING:
    from pokerlab.strategy.forms.kinds import FormStrategy

PLACE = ("hand", "board", "moves")  # for forms whose infosets are hands at public nodes
BYTES_AN_INFOSET = 700  # of memory for a table

Row = tuple[Any, ...]


def matching(strategy: FormStrategy, *, player: int | None = None, match: str = "") -> Iterator[StrategyLine]:
    """The infosets of one player or of all whose text contains `match`."""
    if player is not None and not 0 <= player < strategy.players:
        raise BadSetting(f"{strategy.game} has players 0 to {strategy.players - 1}, not {player}")
    return (line for line in strategy.lines(match) if player is None or line.player == player)


def lines_as_rows(lines: Iterable[StrategyLine]) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Headings and rows of infosets, with columns for the hand, the board and the moves if the form has them."""
    pending = iter(lines)
    first = next(pending, None)
    place = PLACE if first is not None and first.hand else ()
    heading = ("player", "infoset", *place, "reach", "action", "probability")
    rows = (
        (line.player, line.infoset, *(getattr(line, part) for part in place), line.reach, action, chance)
        for line in chain(() if first is None else (first,), pending)
        for action, chance in line.actions.items()
    )
    return heading, rows


def strategy_columns(strategy: FormStrategy, *, player: int | None = None) -> Columns:
    """The whole table in memory by columns; TooLarge if it would not fit."""
    wanted, limit = BYTES_AN_INFOSET * len(strategy), SHARE_OF_MEMORY * available_memory()
    if wanted > limit:
        raise TooLarge(
            f"a table of the {len(strategy):,} infosets of {strategy.game} needs about {bytes_text(wanted)}, "
            f"more than the {bytes_text(limit)} available; `solution.at(...).to_pandas()` has one node of it"
        )
    heading, rows = lines_as_rows(matching(strategy, player=player))
    columns: list[list[Any]] = [[] for _ in heading]
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return dict(zip(heading, columns, strict=True))


def place_columns(view: Any) -> Columns:
    """A node of a solution, with a row for each action of each hand or infoset of the player to act.

    If no player acts there, a row for each hand of each player; unknown values are None.
    """
    seats = range(len(view.seats)) if view.player is None else (view.player,)
    tables = {seat: view.table(seat) for seat in seats}
    present = {name for table in tables.values() for row in table for name in row}
    known = [name for name in ("reach", "likelihood", "ev", "equity", "bucket") if name in present]
    heading = ["player", "hand", *known]
    if view.player is not None:
        heading += ["action", "probability", *(["action_ev"] if "action_ev" in present else [])]
    rows: list[Row] = []
    for seat, table in tables.items():
        for row in table:
            hand = seat, row["hand"], *(row[name] for name in known)
            if "strategy" not in row:
                rows.append(hand)
            for action, chance in row.get("strategy", {}).items():
                rows.append((*hand, action, chance, *([row["action_ev"][action]] if "action_ev" in row else [])))
    return {name: [row[place] for row in rows] for place, name in enumerate(heading)}
