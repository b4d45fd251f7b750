"""The same spot over many boards: frequencies and EVs in one table, at any decision, in parallel, resumable.

Every finished board is written to the table immediately, so an interrupted report can be resumed; a table of another
spot, decision or settings is rejected. The columns are the same from the first board to the last: the subject of a row,
its numbers, then how it was computed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any

from pokerlab import parallel, places
from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import BadFile, IllegalAction, PokerlabError, shortened
from pokerlab.events import Cancelled, CancelToken, OnProgress, Watch
from pokerlab.games.poker.betting_tree import Deal, Decision, Node
from pokerlab.games.spot.spot import Spot
from pokerlab.lab.solve.limits import DEFAULT_PERCENT, read_target
from pokerlab.lab.solve.solving import solve
from pokerlab.lab.solve.tasks import spot_task
from pokerlab.lab.spots.board_list import WeightedBoard
from pokerlab.reading import finite, read_text
from pokerlab.strategy.spot_actions import action_number
from pokerlab.strategy.views.hands import number_or_none
from pokerlab.tree.public.forecast import forecast
from pokerlab.writing import replacing

RUNNING = 0.5  # assumed progress of a board that is being solved
UNKNOWN = (None, "", "nan")  # such as the equity of two ranges without compatible hands
NUMBERS = ("ev_out_of_position", "ev_in_position")  # of every solved board
FREQUENCY = "frequency "  # prefix of an action's name
_ABOUT = ("board", "weight", "reach", *NUMBERS, "equity_out_of_position", "equity_in_position")
_MADE = ("exploitability_percent", "iterations", "seconds", "problem", "spot")
_FIXED = (*_ABOUT, *_MADE)  # the columns of every report
_NEEDED = {"board", "weight", "exploitability_percent", "iterations"}  # of a solved board
_WORDS = ("board", "problem", "spot")  # text columns
_OF_DEALS = ("reach", "exploitability_percent", "iterations", "seconds")  # over all hands, also off path


# ---- the decision that the report is about -------------------------------------------------------------------------


def read_moves(text: str) -> tuple[str, ...]:
    """Parse the moves to a decision.

    >>> read_moves("check, bet 50"), read_moves("")
    (('check', 'bet 50'), ())
    """
    return tuple(word.strip() for word in text.split(",") if word.strip())


def actions_at(spot: Spot, moves: Sequence[str]) -> tuple[str, ...]:
    """The legal actions after some moves; raises an error if the moves are illegal, or nobody acts then."""
    node: Node = spot.betting
    for done, move in enumerate(moves):
        try:
            if isinstance(node, Deal):
                FULL_DECK.card(move)
                node = node.child
            elif isinstance(node, Decision):
                node = node.children[action_number(move, node.actions)]
            else:
                raise IllegalAction(f"{move[:40]!r} cannot be done: the hand is over")
        except PokerlabError as problem:
            before = f"after {', '.join(moves[:done])!r}: " if done else ""
            raise IllegalAction(f"{before}{problem}") from problem
    if isinstance(node, Decision):
        return node.actions
    if not moves:
        return ()  # all-in from the start: values but no decisions
    why = "a card comes; name it too, as Td" if isinstance(node, Deal) else "the hand is over"
    raise IllegalAction(f"nobody acts after {', '.join(moves)!r}: {why}")


def check_report(settings: Mapping[str, Any], boards: Sequence[WeightedBoard], moves: Sequence[str]) -> tuple[str, ...]:
    """The actions that the report has columns for; raises an error for moves that are illegal on some street."""
    streets = {len(FULL_DECK.cards(item.board)): item.board for item in reversed(boards)}
    names: dict[str, None] = {}
    for _, board in sorted(streets.items()):
        try:
            names |= dict.fromkeys(actions_at(_spot_on(settings, board), moves))
        except IllegalAction as problem:
            where = f"on {board}: " if len(streets) > 1 else ""
            raise IllegalAction(f"{where}{problem}") from problem
    return tuple(names)


def _spot_on(settings: Mapping[str, Any], board: str) -> Spot:
    """The betting of the spot on a board, with full ranges for both players."""
    seats = {
        name: dict(value) | {"range": "random"} if isinstance(value, Mapping) else value
        for name, value in settings.items()
        if name.endswith("_position")
    }
    spot = spot_task(dict(settings) | seats | {"board": board}).spot
    assert spot is not None
    return spot


# ---- one board -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardTask:
    """One board of a report."""

    settings: Mapping[str, Any]
    board: WeightedBoard
    moves: tuple[str, ...]
    options: Mapping[str, Any]


def solve_board(task: BoardTask, *, cancel: CancelToken | None = None) -> dict[str, Any]:
    """The row of one board, or the error message of a board that cannot be solved."""
    row: dict[str, Any] = {"board": task.board.board, "weight": task.board.weight}
    try:
        solution = solve(spot_task(dict(task.settings) | {"board": task.board.board}), cancel=cancel, **task.options)
        if solution.stopped == "interrupted":  # an unfinished board is not saved
            raise Cancelled("cancelled")
        place, reach = solution.root, 1.0  # given the cards among the moves
        for move in task.moves:
            if place.player is not None:
                reach *= place.strategy()[place.actions[place.action_number(move)]]
            place = place.at(move)
    except PokerlabError as problem:
        return row | {"problem": str(problem).splitlines()[0]}
    reach = min(reach, 1.0)  # above 1 only by rounding
    values = solution.values if not task.moves else (place.ev(0), place.ev(1))
    shares = place.strategy() if place.player is not None else {}
    row |= {
        "reach": reach,
        "ev_out_of_position": number_or_none(values[0]),
        "ev_in_position": number_or_none(values[1]),
        "equity_out_of_position": number_or_none(place.equity(0)),
        "equity_in_position": number_or_none(place.equity(1)),
    }
    row |= {FREQUENCY + action: share if reach > 0 else None for action, share in shares.items()}
    return row | {
        "exploitability_percent": solution.exploitability_percent,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
    }


# ---- all boards ------------------------------------------------------------------------------------------------------


def report(
    settings: Mapping[str, Any],
    boards: Sequence[WeightedBoard],
    *,
    at: Sequence[str] = (),
    out: Path | None = None,
    workers: int = 1,
    backend: str = "processes",
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Solve a spot on every board; rows in the order of the boards. With `out`, rows saved there are not solved again.

    `at` are the moves to the decision that the rows are about. The payload of the first event is the list of rows that
    are already saved, of each later one its row. A cancelled report raises Cancelled; its finished rows are saved.
    """
    moves = tuple(at)
    actions = check_report(settings, boards, moves)
    columns = (*_ABOUT, *(FREQUENCY + action for action in actions), *_MADE)
    mark = _mark(settings, moves, options)
    done = saved_rows(out, boards, mark)
    if out is not None:
        for street in {len(board) for board in done}:
            solved = [item for item in boards if item.board in done and len(item.board) == street]
            frequencies = [FREQUENCY + action for action in check_report(settings, solved, moves)]
            _check_saved(out, [done[item.board] for item in solved], frequencies)
    rows: list[dict[str, Any]] = [done[item.board] | {"weight": item.weight} for item in boards if item.board in done]
    todo = [BoardTask(settings, item, moves, options) for item in boards if item.board not in done]
    place = backend if workers > 1 and len(todo) > 1 else "serial"
    with Watch("report", on_progress, cancel, "boards").interruptible() as watch:
        watch.at("", len(rows), len(boards), payload=list(rows))
        solve_one = partial(solve_board, cancel=watch.cancel) if place in ("serial", "threads") else solve_board
        for row in parallel.run(solve_one, todo, backend=place, workers=workers, cancel=watch.cancel):
            rows.append(row | {"spot": mark})
            if out is not None:
                write_table(out, rows, columns)
            watch.at(row["board"], len(rows), len(boards), payload=row)
    order = {item.board: number for number, item in enumerate(boards)}
    return sorted(rows, key=lambda row: order[row["board"]])


def saved_rows(out: Path | None, boards: Sequence[WeightedBoard], mark: str) -> dict[str, dict[str, Any]]:
    """The rows that a table already contains, by board; BadFile if it is of another report, or would lose rows."""
    saved = read_table(out) if out is not None and places.exists(out) else []
    if any(row.get("spot") != mark for row in saved):
        raise BadFile(f"{out} is the report of another spot, decision or settings; name another file")
    requested = {item.board for item in boards}
    others = [row["board"] for row in saved if row["board"] not in requested]
    if others:
        raise BadFile(f"{out} holds {others[0]} too, which is not in this report; name another file, or that board too")
    return {row["board"]: row for row in saved if "problem" not in row}


def _check_saved(path: Path, rows: Iterable[Mapping[str, Any]], frequencies: Sequence[str]) -> None:
    """Raise BadFile unless rows have the frequencies of these columns, and no others: the header was edited."""
    for row in rows:
        named = [name for name in row if name.startswith(FREQUENCY)]
        if row.get("reach") and set(named) != set(frequencies):
            raise BadFile(
                f"the header of {path} was edited: on {row['board']} it has {_listed(named)}, "
                f"and this report {_listed(frequencies)}; name another file"
            )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(shortened(name, 40)) for name in names) or "no frequency"


def _mark(settings: Mapping[str, Any], moves: Sequence[str], options: Mapping[str, Any]) -> str:
    """A short fingerprint of the spot, the precision, and the decision of the report."""
    words = {name: value for name, value in settings.items() if name != "board"}
    how = {name: value for name, value in options.items() if name != "threads"}
    contents = (sorted(words.items()), sorted(how.items()), *([tuple(moves)] if moves else []))
    mark = hashlib.blake2b(repr(contents).encode(), digest_size=4).hexdigest()
    return f"s{mark}"  # starts with a letter: a spreadsheet reads 12345e67 as a number


def totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The weighted mean of every number over the solved boards.

    Numbers given the decision (frequencies, EV, equity) are also weighted by its reach probability.
    """
    good = [row for row in rows if "problem" not in row]
    names = {name: None for row in good for name in row if name not in (*_WORDS, "weight") and _is_number(row[name])}
    means = {}
    for name in names:
        known = [
            (row["weight"] * (1.0 if name in _OF_DEALS else row.get("reach", 1.0)), row[name])
            for row in good
            if _is_number(row.get(name))
        ]
        total = sum(weight for weight, _ in known)
        means[name] = sum(weight * value for weight, value in known) / total if total > 0 else 0.0
    return means


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool)


# ---- the table -------------------------------------------------------------------------------------------------------


def write_table(path: Path, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Write all rows to a CSV file, atomically."""
    target = io.StringIO(newline="")
    writer = csv.DictWriter(target, columns)
    writer.writeheader()
    writer.writerows(rows)
    with replacing(path) as temporary:
        temporary.write_bytes(target.getvalue().encode())


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a CSV file that `write_table` wrote; BadFile for any other."""
    text = read_text(path)
    try:
        table = csv.DictReader(io.StringIO(text))
        rows = list(table)
        names = list(table.fieldnames or ())
        if text.strip() and not {"board", "weight", "spot"} <= set(names):
            raise ValueError
        if any(None in row for row in rows):  # more cells in a line than columns
            raise ValueError
        _check_columns(path, names if text.strip() else _FIXED)
        read = [{name: _value(name, text) for name, text in row.items() if text not in UNKNOWN} for row in rows]
        if not all(set(row) >= _NEEDED or {"board", "weight", "problem"} <= set(row) for row in read):
            raise ValueError
        return read
    except BadFile:
        raise
    except (ValueError, csv.Error) as problem:
        raise BadFile(f"{path} is not a report of boards: a table with a column 'board' and numbers") from problem


def _check_columns(path: Path, names: Sequence[str]) -> None:
    """Raise BadFile for an unknown column, which the next board would lose, for a missing one, and for duplicates."""
    for name in names:
        if name not in _FIXED and not name.startswith(FREQUENCY):
            raise BadFile(f"{path} has a column {shortened(name, 40)!r}, which no report has; save it elsewhere")
        if names.count(name) > 1:
            raise BadFile(f"{path} has two columns {shortened(name, 40)!r}: its first line was edited")
    for name in _FIXED:
        if name not in names:
            raise BadFile(f"{path} is not a report of boards: it has no column {name!r}")


def _value(name: str, text: str) -> Any:
    if name in _WORDS:
        return text
    return int(finite(float(text))) if name == "iterations" else finite(float(text))  # whole numbers stay whole


# ---- the time that it takes: by forecast at first, then by the finished boards ---------------------------------------


class TimeLeft:
    """The work of every board in seconds of one worker, and the rate at which it is done."""

    def __init__(
        self, settings: Mapping[str, Any], boards: Sequence[WeightedBoard], *, workers: int, **options: Any
    ) -> None:
        self.work = _work(settings, boards, options)  # by board
        self.workers = max(1, min(workers, len(boards)))
        self.began = time.perf_counter()
        self.done = 0.0  # work done in this run

    def begin(self, solved: Sequence[str]) -> None:
        """Start the clock; these boards need no work."""
        for board in solved:
            self.work.pop(board, None)
        self.began = time.perf_counter()

    def finished(self, board: str) -> None:
        """Record that a board is solved."""
        self.done += self.work.pop(board, 0.0)

    @property
    def expected(self) -> float:
        """Total seconds by forecast alone."""
        left = sum(self.work.values())
        longest = max(self.work.values(), default=0.0)
        return max(left / self.workers, longest)

    def left(self) -> float:
        """Seconds until the last board is solved."""
        spent = time.perf_counter() - self.began
        work = list(self.work.values())
        total, running = sum(work), sum(work[: self.workers])
        if self.done:
            speed = (self.done + RUNNING * running) / max(spent, 1e-3)
            return max(0.0, total - RUNNING * running) / speed
        at_least = spent * (total - running) / running if running else 0.0  # since no board has finished yet
        return max(self.expected - spent, at_least, 0.0)


def _work(settings: Mapping[str, Any], boards: Sequence[WeightedBoard], options: Mapping[str, Any]) -> dict[str, float]:
    """[board] Seconds by forecast, computed once for all boards with as many cards and symmetries."""
    seconds: dict[tuple[int, int], float] = {}
    work: dict[str, float] = {}
    for item in boards:
        cards = FULL_DECK.cards(item.board)
        kind = len(cards), symmetries_of(cards)
        if kind not in seconds:
            try:
                seconds[kind] = _seconds(dict(settings) | {"board": item.board}, options)
            except PokerlabError:  # reported in the board's row; similar boards may be solvable
                work[item.board] = 0.0
                continue
        work[item.board] = seconds[kind]
    return work


def _seconds(settings: Mapping[str, Any], options: Mapping[str, Any]) -> float:
    task = spot_task(settings)
    assert task.spot is not None
    target = options.get("target")
    percent = 100 * read_target(str(target), pot=task.spot.pot) / task.spot.pot if target else DEFAULT_PERCENT
    how = {name: options[name] for name in ("storage", "threads") if name in options}
    size = forecast(task.spot, target_percent=percent, **vars(task.isomorphism), **how)
    iterations = options.get("iterations")
    ends = [size.seconds] if target or not iterations else []
    ends += [size.seconds * iterations / size.iterations] if iterations else []
    return float(min([*ends, *([options["seconds"]] if options.get("seconds") else [])]))


def symmetries_of(cards: Sequence[int]) -> int:
    """The number of suit permutations that leave a board unchanged.

    >>> [symmetries_of(FULL_DECK.cards(board)) for board in ("Ks7h2d", "Ks7s2d", "Ks7s2s")]
    [1, 2, 6]
    """
    board = set(cards)
    return sum({card // 4 * 4 + names[card % 4] for card in cards} == board for names in permutations(range(4)))
