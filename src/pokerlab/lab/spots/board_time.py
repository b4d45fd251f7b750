"""Estimate how long a report over boards will take: by forecast at first, then by the finished boards."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from pokerlab.cards.card import FULL_DECK
from pokerlab.errors import PokerlabError
from pokerlab.lab.solve.limits import DEFAULT_PERCENT, read_target
from pokerlab.lab.solve.tasks import spot_task
from pokerlab.lab.spots.board_list import WeightedBoard
from pokerlab.tree.public.forecast import forecast

RUNNING = 0.5  # assumed progress of a board that is being solved


class TimeLeft:
    """The work of every board in seconds of one worker, and the rate at which it is done."""

    def __init__(
        self, settings: Mapping[str, Any], boards: Sequence[WeightedBoard], *, workers: int, **options: Any
    ) -> None:
        self.work = _work(settings, boards, options)  # by board
        self.workers = max(1, min(workers, len(boards)))
        self.began = time.perf_counter()
        self.done = 0.0  # work done in this run

    def begin(self, kept: Sequence[str]) -> None:
        """Start the clock; these boards need no work."""
        for board in kept:
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
