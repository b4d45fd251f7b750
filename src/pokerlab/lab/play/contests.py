"""Freeze-outs and match play: their rules from the words of people, and running them."""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

from pokerlab.errors import BadSetting, shortened
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.prizes.payouts import check_payouts, read_numbers
from pokerlab.match.hands.history import History
from pokerlab.match.run.contest import MOST_HANDS, ContestRules
from pokerlab.match.run.contest_result import ContestResult
from pokerlab.match.run.contests import ContestSettings, play_contests
from pokerlab.match.table.blinds import BlindSchedule, read_schedule
from pokerlab.match.table.stacked import StackedTable, check_stacks
from pokerlab.parallel import worker_count

_STACK = re.compile(r"(\d{1,10})(?:\.(\d{1,3}))?\s*(bb)?", re.IGNORECASE)


def contest_rules(
    game: PokerGame,
    *,
    kind: str,
    stack: str | None = None,
    blinds: str | None = None,
    payouts: str | None = None,
    most_hands: int = MOST_HANDS,
    when_broke: str = "rebuy",
) -> ContestRules:
    """The rules of contests at a table.

    - stack: "1500", "1000,2000,500" for each agent, or in big blinds of the first level, "50bb"; default: the game's
    - blinds: "10/20x20, 15/30x20, 25/50", or a file; default: those of the game throughout
    - payouts: of a freeze-out, from the first place down: "50,30,20"; default: all for the winner
    """
    schedule = None if blinds is None else read_schedule(blinds)
    shares: tuple[float, ...] = (1.0,)
    if payouts is not None:
        numbers = read_numbers(payouts, "prizes")
        check_payouts(numbers)
        shares = tuple(float(number / sum(numbers)) for number in numbers)
    stacks = _stacks(game, stack, schedule)
    return ContestRules(stacks, kind, schedule, shares, most_hands, when_broke)


def _stacks(game: PokerGame, stack: str | None, schedule: BlindSchedule | None) -> tuple[int, ...]:
    if stack is None:
        if game.rules.stacks is None:
            raise BadSetting(f"{game.name} has no stacks of its own: name them with --stack, in chips or as 50bb")
        return game.rules.stacks
    size = (StackedTable(game).own_level if schedule is None else schedule.levels[0]).size
    return check_stacks([_chips(word, size) for word in stack.split(",")], game.players)


def _chips(word: str, big_blind: int) -> int:
    found = _STACK.fullmatch(word.strip())
    if found is None or (found[2] and not found[3]):
        raise BadSetting(f"a stack is a number of chips, or of big blinds as 50bb; got {shortened(word.strip())!r}")
    return round(float(f"{found[1]}.{found[2] or 0}") * big_blind) if found[3] else int(found[1])


def run_contests(
    settings: ContestSettings,
    *,
    workers: int | None = None,
    backend: str = "processes",
    out: Path | None = None,
    resume: bool = False,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> ContestResult:
    """Play contests; their hands are saved if a file is named."""
    with nullcontext() if out is None else History(out) as history:
        watch = Watch("match", on_progress, cancel, "contests")
        running = {"workers": worker_count(backend, workers), "backend": backend}
        return play_contests(settings, history=history, resume=resume, watch=watch, **running)  # type: ignore[arg-type]
