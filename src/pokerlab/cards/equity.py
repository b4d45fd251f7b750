"""Equity: each player's share of the pot between hands or ranges, with any board and any dead cards.

Exact if that is fast enough: known hands by enumerating the boards, two ranges before the flop from the preflop table,
two ranges on a board by one sweep per run-out, more players by enumerating all deals. If exact counting would exceed
the time limit, random deals with a seed and a standard error. The result states the method and the reason.

If all hands of a range have the same weight, wins, ties and losses are whole numbers of deals, and the equities are
fractions whose sum is exactly 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import perf_counter

import numpy as np

from pokerlab import parallel
from pokerlab.cards import contest as counting
from pokerlab.cards import preflop, sampling
from pokerlab.cards.card import FULL_DECK
from pokerlab.cards.combos import combo_name, combo_names
from pokerlab.cards.contest import Contest, Splits
from pokerlab.cards.hand_array import HandArray
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadCards, BadRange, BadSetting, TooLarge, shortened
from pokerlab.events import CancelToken, OnProgress, Watch

EXACT_SECONDS = 10.0  # count exactly if that should take no longer
SAMPLES = 1_000_000  # default number of random deals otherwise
_LONGEST_SECONDS = 86_400.0
_MOST_MATCH_UPS = 20_000  # most choices of hands that are searched for isomorphic ones

# estimated costs in seconds on one core; measured, and used only to choose the method
_BOARD_COST = 1.2e-8  # one known hand on one board
_SWEEP_COST = 3.2e-8  # one hand on one run-out
_RUN_OUT_COST = 8e-6  # the strength of all hands on one run-out
_DEAL_COST = 3.2e-9  # one choice of hands on one run-out
_TABLE_COST = 9.0  # the preflop table
_MATCH_UP_COST = 0.002  # overhead of one more match-up


@dataclass(frozen=True)
class Share:
    """One player's share: probabilities, and whole numbers of deals if all hands have the same weight."""

    held: str
    win: float
    tie: float
    lose: float
    equity: float
    standard_error: float = 0.0  # of the equity; 0 when exact
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    fraction: Fraction | None = None  # the exact equity


@dataclass(frozen=True)
class Equity:
    """The result for each player, and the method."""

    players: tuple[Share, ...]
    board: str
    dead: str
    exact: bool
    method: str  # the method, as text
    reason: str  # why it was chosen
    deals: float  # weight of the deals counted; number of random deals if not exact
    seconds: float
    interrupted: bool = False  # by Ctrl-C, before all random deals were made


@dataclass(frozen=True)
class _Plan:
    """An exact method, its estimated cost, and its description."""

    count: Callable[[Contest, Watch], Splits]
    seconds: float
    method: str


def equity(
    players: Sequence[str | Range],
    *,
    board: str | Iterable[int] = "",
    dead: str | Iterable[int] = "",
    exact: bool = False,
    samples: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> Equity:
    """The equities of two or more hands or ranges.

    - players: hands or ranges, as text or as Range
    - board: cards that lie, "Td7s2c"
    - dead: cards that nobody can have
    - exact: whether to count exactly, however long it takes
    - samples: deal at random, this many times
    - seconds: count exactly if that should take no longer (10 by default), otherwise deal at random for this long
    - seed: of random deals
    - on_progress: called with an Event for each step
    - cancel: a CancelToken; set from any thread, it stops dealing

    >>> result = equity(["AhKh", "2c2d"])
    >>> [share.wins for share in result.players], result.players[0].ties
    ([852207, 849322], 10775)
    >>> print(result.players[0].fraction)
    1715189/3424608
    """
    _check_settings(exact, samples, seconds, seed)
    ranges = [Range.parse(held) if isinstance(held, str) else held for held in players]
    names = [held.strip() if isinstance(held, str) else held.text() for held in players]
    contest = _contest(ranges, _cards(board), _cards(dead))
    watch = Watch("equity", on_progress, cancel)
    plan = min(_plans(contest), key=lambda plan: plan.seconds)
    limit = EXACT_SECONDS if seconds is None else seconds
    if exact and plan.seconds > _LONGEST_SECONDS:
        raise TooLarge(f"exact enumeration would take {_duration(plan.seconds)}; leave out exact to sample deals")
    counts = exact or (samples is None and plan.seconds <= limit)
    interrupted = False
    if counts:
        reason = "asked for" if exact else f"estimated to take {_duration(plan.seconds)}, {_duration(limit)} allowed"
        shares, deals = _counted(contest, names, plan.count(contest, watch))
        method = plan.method
    else:
        too_long = f"exact enumeration would take {_duration(plan.seconds)}, more than the {limit:g} s allowed"
        reason = "asked for" if samples is not None else too_long
        most = samples if samples is not None else SAMPLES if seconds is None else 10**12
        drawn = sampling.sample(contest, samples=most, seconds=seconds, seed=seed, watch=watch)
        shares, deals, interrupted = _sampled(names, drawn), float(drawn.samples), drawn.interrupted
        method = f"{deals:,.0f} random deals from seed {seed}"
    return Equity(
        players=shares,
        board=FULL_DECK.text(contest.board),
        dead=FULL_DECK.text(contest.dead),
        exact=counts,
        method=method,
        reason=reason,
        deals=deals,
        seconds=perf_counter() - watch.began,
        interrupted=interrupted,
    )


@dataclass(frozen=True, eq=False)
class AgainstRange:
    """Each hand against one range: probabilities [1326] by hand, 0 for impossible hands."""

    win: HandArray
    tie: HandArray
    lose: HandArray

    @property
    def equity(self) -> HandArray:
        """Share of the pot, ties split: [1326]."""
        return HandArray.of(self.win + self.tie / 2, combo_names())


def equity_of_hands(
    opponent: str | Range, *, board: str | Iterable[int] = "", dead: str | Iterable[int] = ""
) -> AgainstRange:
    """Every hand against one range, exactly: by one sweep per run-out, or before the flop from the preflop table."""
    held = Range.parse(opponent) if isinstance(opponent, str) else opponent
    contest = _contest([Range.random(), held], _cards(board), _cards(dead))
    if not contest.board and not contest.dead:
        table = preflop.preflop_table(5)
        weights = contest.weights[1]
        win, tie, lose = table.wins @ weights, table.ties @ weights, weights @ table.wins
    else:
        win, tie, total = counting.against(contest, 1, contest.hands[0])
        lose = total - win - tie
    total = win + tie + lose
    return AgainstRange(
        *(
            HandArray.of(np.divide(part, total, out=np.zeros(len(total)), where=total > 0), combo_names())
            for part in (win, tie, lose)
        )
    )


def _check_settings(exact: bool, samples: int | None, seconds: float | None, seed: int) -> None:
    if exact and (samples is not None or seconds is not None):
        raise BadSetting("exact enumeration has no limits: leave out samples and seconds, or leave out exact")
    if samples is not None and not 1 <= samples <= 10**12:
        raise BadSetting(f"samples must be from 1 to 10^12, not {samples}")
    if seconds is not None and not 0 < seconds <= _LONGEST_SECONDS:
        raise BadSetting(f"seconds must be more than 0 and at most a day (86,400), not {seconds}")
    if seed < 0:
        raise BadSetting(f"a seed is a whole number from 0 up, not {seed}")


def _cards(text_or_cards: str | Iterable[int]) -> tuple[int, ...]:
    if isinstance(text_or_cards, str):
        return tuple(FULL_DECK.cards(text_or_cards))
    cards = tuple(int(card) for card in text_or_cards)
    FULL_DECK.check(cards)
    return cards


def _contest(ranges: Sequence[Range], board: tuple[int, ...], dead: tuple[int, ...]) -> Contest:
    if len(board) > 5:
        raise BadCards(f"a board has at most five cards, and {FULL_DECK.text(board)} has {len(board)}")
    for card in dead:
        if card in board:
            raise BadCards(f"the card {FULL_DECK.name(card)} is dead and on the board; name it once")
    if len(ranges) < 2:
        raise BadSetting(f"equity needs at least two players, got {len(ranges)}; add a range, or random")
    cards = 2 * len(ranges) + 5 + len(dead)
    if cards > 52:
        raise BadSetting(f"{len(ranges)} players, a board and {len(dead)} dead cards need {cards} cards of 52")
    _check_known_hands(ranges)
    left = tuple(held.without([*board, *dead]) for held in ranges)
    for number, (held, rest) in enumerate(zip(ranges, left, strict=True), start=1):
        if not held.count:
            raise BadRange(f"the range of player {number} holds no hand: give at least one hand a weight above 0")
        if not rest.count:
            raise BadRange(
                f"player {number} cannot hold {shortened(held.text(), 40)}: "
                "the board or the dead cards take every hand of it"
            )
    return Contest(left, board, dead)


def _check_known_hands(ranges: Sequence[Range]) -> None:
    """Reject a card that is in two known hands; ranges that conflict are detected when they are counted."""
    holders: dict[str, str] = {}
    for held in ranges:
        if len(held.combos) == 1:
            name = combo_name(int(held.combos[0]))
            for card in (name[:2], name[2:]):
                if card in holders:
                    raise BadCards(f"the card {card} is in both {holders[card]} and {name}")
                holders[card] = name


def _plans(contest: Contest) -> Iterator[_Plan]:
    """The exact methods that apply."""
    players, run_outs = len(contest.ranges), contest.run_outs
    boards = f"{run_outs:,} run-out" + "s" * (run_outs != 1)
    if contest.known:
        yield _Plan(counting.count_boards, _on_cores(contest.boards * players * _BOARD_COST), "every board counted")
        return
    if players == 2 and not contest.board and not contest.dead:
        table = "from the exact table of all hands against all hands"
        if preflop.is_saved():
            yield _Plan(counting.table_splits, 0.1, table)
        else:
            yield _Plan(counting.table_splits, _on_cores(_TABLE_COST), table + ", computed now and saved")
    elif players == 2:
        hands = len(np.union1d(*contest.hands))
        cost = run_outs * (_RUN_OUT_COST + hands * _SWEEP_COST)
        yield _Plan(counting.sweep_splits, _on_cores(cost), f"both ranges swept over {boards}")
    else:
        cost = run_outs * (_RUN_OUT_COST + contest.assignments * _DEAL_COST)
        yield _Plan(counting.deal_splits, _on_cores(cost), f"every deal of the {players} ranges counted over {boards}")
    if contest.assignments <= _MOST_MATCH_UPS and players <= 6:
        kinds = len(counting.match_ups(contest)[0])
        cost = kinds * (_MATCH_UP_COST + contest.boards * players * _BOARD_COST)
        yield _Plan(
            counting.count_match_ups,
            _on_cores(cost),
            f"every board counted for {kinds:,} match-up type" + "s" * (kinds != 1),
        )


def _on_cores(cost: float) -> float:
    return cost / parallel.core_count()


def _counted(contest: Contest, names: Sequence[str], splits: Splits) -> tuple[tuple[Share, ...], float]:
    if splits.total <= 0:
        raise BadRange("these ranges cannot be held at the same time: every choice of hands uses some card twice")
    players = len(names)
    shares = []
    for name, row in zip(names, splits.weights, strict=True):
        if contest.is_unweighted and splits.total < 2**53:
            counts = [round(weight) for weight in row]
            total = round(splits.total)
            wins, ties = counts[1], sum(counts[2:])
            fraction = sum((Fraction(counts[k], k * total) for k in range(1, players + 1)), Fraction(0))
            win, tie, lose = wins / total, ties / total, (total - wins - ties) / total
            share = Share(name, win, tie, lose, float(fraction), 0.0, wins, ties, total - wins - ties, fraction)
        else:
            part = row / splits.total
            win, tie = float(part[1]), float(part[2:].sum())
            equity_ = float(sum(part[k] / k for k in range(1, players + 1)))
            share = Share(name, win, tie, max(0.0, 1 - win - tie), equity_)
        shares.append(share)
    return tuple(shares), splits.total


def _sampled(names: Sequence[str], drawn: sampling.SampledEquity) -> tuple[Share, ...]:
    if not drawn.weight:
        raise BadRange(f"in {drawn.samples:,} random deals these ranges could never be held at the same time")
    return tuple(
        Share(name, win, tie, max(0.0, 1 - win - tie), share, error)
        for name, (win, tie, share, error) in zip(names, drawn.shares.tolist(), strict=True)
    )


def _duration(seconds: float) -> str:
    for size, name in ((365.25 * 86400, "years"), (86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"about {seconds / size:,.0f} {name}"
    return f"{seconds:.1f} s" if seconds >= 0.1 else "less than 0.1 s"
