"""Push or fold with two to nine players: every seat's pushes, calls and over-calls, for chips or for prizes.

Seats are in the order of acting, with the small and big blind last. All-in always means the whole stack, also for a
call, so a later seat faces every earlier all-in. Values are relative to before the hand: chips are big blinds won or
lost, prizes are the expected prize after the hand by the chip model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES, CLASS_SIZES, COMBO_CLASS, COMBO_COUNT
from pokerlab.cards.ranges import Range
from pokerlab.errors import BadSetting, Notice, shortened
from pokerlab.events import CancelToken, Event, OnProgress
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.prizes.payouts import check_payouts, read_numbers
from pokerlab.games.prizes.prize_game import PrizeGame
from pokerlab.games.von_neumann_continuous import number
from pokerlab.lab.preflop.push_fold import Stakes, big_blinds
from pokerlab.lab.solve.solving import Running, given, solver_of
from pokerlab.parallel import core_count
from pokerlab.registry import load
from pokerlab.solvers.core.run import Stop
from pokerlab.solvers.preflop.purifying import purified
from pokerlab.strategy.files.solution import Solution
from pokerlab.tables import records
from pokerlab.tree.form import kind_of
from pokerlab.tree.pushes.evaluator import Assessment
from pokerlab.tree.pushes.form import MOST_PLAYERS, PushForm, push_form, seat_names
from pokerlab.tree.resources import Resources

FINE_TARGET, TARGET = 0.0002, 0.001  # percent of the prize pool, or of all chips: up to six players, and more
FINE_PLAYERS = 6
MOST_ITERATIONS = 3000
ALGORITHMS = ("fictitious-play", "regret-matching+")
OLD_NAME = "cfr"  # for regret matching+, in earlier versions
DIGITS = 2  # of weights in the text of a range
_PLAYED = 0.005  # classes played less often are omitted from the text of a range
_NAMES = {"BTN": "BU", "BUTTON": "BU", "MP": "HJ"}


@dataclass(frozen=True)
class TableStakes(Stakes):
    """The stacks, blinds and prizes; amounts are in big blinds."""

    payouts: tuple[Fraction, ...] = ()  # from first place down; empty: played for chips
    folded: int = 0  # seats that have already folded

    def __post_init__(self) -> None:
        if not 2 <= len(self.stacks) <= MOST_PLAYERS:
            raise BadSetting(f"push or fold is solved for 2 to {MOST_PLAYERS} players, not {len(self.stacks)}")
        if not all(self.stacks):
            raise BadSetting("a player with a stack of 0 is out: leave it out of the stacks")
        super().__post_init__()
        if self.payouts:
            check_payouts(self.payouts)
            if not any(self.payouts[: len(self.stacks)]):
                raise BadSetting("none of these players can win a prize: prizes start with the first place")

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return seat_names(len(self.stacks))

    def opener(self, text: str) -> str:
        """The name of a seat that can be the first to push; BadSetting for any other text."""
        seats = self.seats[self.folded : -1]
        seat = _NAMES.get(text.strip().upper(), text.strip().upper())
        if seat not in seats:
            raise BadSetting(
                f"with {len(self.stacks)} players the seats that can act first are {', '.join(seats)}; "
                f"{shortened(text)!r} is not one of them"
            )
        return seat

    @property
    def prize_pool(self) -> Fraction:
        """What is at stake for these players: their prizes, or all chips."""
        return sum(self.payouts[: len(self.stacks)] or self.stacks, Fraction(0))

    @property
    def unit(self) -> str:
        """The unit of values."""
        return "prize" if self.payouts else "big blinds"

    def game(self) -> PokerGame | PrizeGame:  # type: ignore[override]
        """The game of the rule engine."""
        players = len(self.stacks)
        # the engine's first seat is the small blind; with two players it is the big blind, and the button is last
        by_seat = self.stacks[::-1] if players == 2 else self.stacks[-2:] + self.stacks[:-2]
        amounts: dict[str, Any] = {"ante": float(self.ante), "small_blind": float(self.small_blind)}
        amounts |= {"big_blind_ante": float(self.big_blind_ante)} if self.big_blind_ante else {}
        amounts |= {"stack": tuple(map(float, by_seat)), "payouts": tuple(map(float, self.payouts))}
        game = load("games", "push-fold", players=players, **amounts, big_blind=self.chips_per_blind())
        assert isinstance(game, PokerGame | PrizeGame)
        return game

    def form(self) -> PushForm:  # type: ignore[override]
        """The decisions and terminals of the game; BadSetting if nobody has a decision."""
        form = push_form(self.game(), folded=self.folded)
        if not form.nodes:
            raise BadSetting("everybody is all-in with ante and blind, or has folded: nobody has anything to decide")
        return form

    def text(self) -> str:
        """A description in words."""
        stacks = ", ".join(f"{seat} {float(stack):g}" for seat, stack in zip(self.seats, self.stacks, strict=True))
        ante = f"; ante {float(self.ante):g}" if self.ante else ""
        ante += f"; big-blind ante {float(self.big_blind_ante):g}" if self.big_blind_ante else ""
        blind = f"; small blind {float(self.small_blind):g}" if self.small_blind != Fraction(1, 2) else ""
        prizes = f"; prizes {', '.join(f'{float(prize):g}' for prize in self.payouts)}" if self.payouts else ""
        folded = f"; folded to {self.seats[self.folded]}" if self.folded else ""
        return f"{stacks} big blinds{ante}{blind}{prizes}{folded}"


def table_stakes(
    stacks: str,
    *,
    ante: str = "0",
    small_blind: str = "1/2",
    big_blind_ante: str = "0",
    payouts: str | None = None,
    position: str | None = None,
) -> TableStakes:
    """Parse stakes; `position` is the seat to act, all earlier seats having folded.

    >>> table_stakes("12,8,20", payouts="50,30,20", position="SB").text()
    'BU 12, SB 8, BB 20 big blinds; prizes 50, 30, 20; folded to SB'
    """
    chips = tuple(map(big_blinds, stacks.split(",")))
    prizes = read_numbers(payouts, "prizes") if payouts is not None else ()
    if payouts is not None and not any(prizes):
        raise BadSetting("at least one prize must be above 0")
    stakes = TableStakes(chips, number(ante), number(small_blind), number(big_blind_ante), prizes)
    if position is None:
        return stakes
    return replace(stakes, folded=stakes.seats.index(stakes.opener(position)))


@dataclass(frozen=True, eq=False)
class Decision:
    """A seat's decision facing some all-ins."""

    seat: str
    against: tuple[str, ...]  # seats that went all-in before, by choice
    chance: float  # reach probability
    pushes: np.ndarray  # [169] probability of going all-in
    evs: np.ndarray  # [2, 169] of folding and going all-in, relative to before the hand

    @property
    def kind(self) -> str:
        """push, call or over-call."""
        return ("push", "call", "over-call")[min(len(self.against), 2)]

    @property
    def share(self) -> float:
        """The share of all hands that go all-in."""
        return float(self.pushes @ CLASS_SIZES) / COMBO_COUNT

    @property
    def range(self) -> Range:
        """The hands that go all-in."""
        return Range(np.where(self.pushes < _PLAYED, 0.0, np.round(self.pushes, DIGITS))[COMBO_CLASS])

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        return {
            "seat": self.seat,
            "kind": self.kind,
            "against": list(self.against),
            "chance": self.chance,
            "share": self.share,
            "range": self.range.text(),
            "hands": self.hands(),
        }

    def hands(self) -> list[dict[str, Any]]:
        """Each class: how often it goes all-in, and its EV."""
        evs = {"all_in_ev": self.evs[1], "fold_ev": self.evs[0]}
        return records({"hand": CLASS_NAMES, "all_in": self.pushes, **evs})


@dataclass(frozen=True, eq=False)
class TableSolution:
    """A solved table; values are in big blinds or prizes."""

    stakes: TableStakes
    solution: Solution

    @property
    def form(self) -> PushForm:
        """The form that was solved."""
        form: PushForm = self.solution.strategy.form
        return form

    @cached_property
    def assessment(self) -> Assessment:
        """The values of the strategies."""
        return self.form.assess(self.solution.strategy.profile(self.form))

    @property
    def algorithm(self) -> str:
        """The name of the algorithm, without its settings."""
        return self.solution.algorithm.partition("(")[0]

    @property
    def pushes(self) -> np.ndarray:
        """The probability of going all-in: [node, 169]."""
        return np.asarray(self.solution.strategy.pushes)

    @property
    def before(self) -> np.ndarray:
        """The value of each stack before the hand, blinds and antes unpaid: [seat]."""
        return self.form.before

    @property
    def values(self) -> np.ndarray:
        """The value of the hand to each seat: [seat]."""
        return self.assessment.utilities

    @property
    def epsilon(self) -> float:
        """The largest gain of a seat by a best response."""
        return self.assessment.epsilon

    @property
    def epsilon_percent(self) -> float:
        """The same in percent of the prize pool, or of all chips."""
        return 100 * self.epsilon / float(self.stakes.prize_pool)

    @property
    def multiway_chance(self) -> float:
        """The probability that four or more players are all-in."""
        terminals, chances = self.form.terminals, self.assessment.terminal_chances
        return float(sum(chance for one, chance in zip(terminals, chances, strict=True) if len(one.contenders) > 3))

    @cached_property
    def decisions(self) -> tuple[Decision, ...]:
        """Every decision: pushes, then calls, then over-calls, each by seat."""
        form, assessment, names = self.form, self.assessment, self.stakes.seats
        decisions = []
        for node in range(form.nodes):
            seat = int(form.node_seat[node])
            against = tuple(names[other] for other in form.pushed_before(node))
            evs = assessment.actions[node] - self.before[seat]
            chance = float(assessment.node_chances[node])
            decisions.append(Decision(names[seat], against, chance, self.pushes[node], evs))
        places = {name: place for place, name in enumerate(names)}
        return tuple(
            sorted(decisions, key=lambda one: (len(one.against), places[one.seat], [places[n] for n in one.against]))
        )

    def decision(self, seat: str, *against: str) -> Decision:
        """The decision of a seat facing these all-ins, in the order of acting."""
        for one in self.decisions:
            if (one.seat, one.against) == (seat, against):
                return one
        raise BadSetting(f"{seat} has no decision{' against ' if against else ''}{' and '.join(against)}")

    def calls_of(self, raiser: str) -> tuple[Decision, ...]:
        """The decisions of the seats behind a raiser, everyone else having folded."""
        return tuple(one for one in self.decisions if one.against == (raiser,))

    def rows(self) -> list[dict[str, Any]]:
        """Each hand at each decision with at most two all-ins before it."""
        return [
            {"seat": one.seat, "kind": one.kind, "against": "+".join(one.against), "chance": one.chance} | hand
            for one in self.decisions
            if len(one.against) <= 2
            for hand in one.hands()
        ]

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON; decisions with at most two all-ins before them."""
        assessment = self.assessment
        return {
            "stacks": [float(stack) for stack in self.stakes.stacks],
            "seats": list(self.stakes.seats),
            "ante": float(self.stakes.ante),
            "small_blind": float(self.stakes.small_blind),
            "big_blind_ante": float(self.stakes.big_blind_ante),
            "payouts": [float(prize) for prize in self.stakes.payouts],
            "folded": self.stakes.folded,
            "algorithm": self.algorithm,
            "iterations": self.solution.iterations,
            "seconds": self.solution.seconds,
            "before": self.before.tolist(),
            "expected": self.values.tolist(),
            "gains": assessment.gains.tolist(),
            "epsilon": assessment.epsilon,
            "epsilon_percent": self.epsilon_percent,
            "sampling_error": float(assessment.sampling_error.max()),
            "wide_chance": self.multiway_chance,
            "decisions": [one.as_dict() for one in self.decisions if len(one.against) <= 2],
        }


def push_fold_table(
    stakes: TableStakes,
    *,
    algorithm: str = ALGORITHMS[0],
    target: float | None = None,
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    save: Path | str | None = None,
) -> TableSolution:
    """Solve a table until no seat gains more than `target` percent of the prize pool by a best response.

    Strategies are then made as pure as that allows: what is still mixed has to be. `save` is a file for the solution
    before that, with which the run can be resumed.
    """
    if save is not None and stakes.folded:
        raise BadSetting("a file has the whole hand: leave out the position of the first seat to act")
    wanted = target if target is not None else FINE_TARGET if len(stakes.stacks) <= FINE_PLAYERS else TARGET
    if not wanted > 0:
        raise BadSetting("the target is a distance from equilibrium, more than 0 percent of the prize pool")
    if algorithm == OLD_NAME:
        warn(f"{OLD_NAME!r} is called {ALGORITHMS[1]!r} now: it is simultaneous regret matching+", Notice, stacklevel=2)
        algorithm = ALGORITHMS[1]
    if algorithm not in ALGORITHMS:
        raise BadSetting(f"push or fold of a table is solved by {' or '.join(ALGORITHMS)}, not {algorithm!r}")
    spec = kind_of(PushForm.kind).default_algorithm if algorithm == ALGORITHMS[0] else algorithm
    form = stakes.form()
    percent = float(stakes.prize_pool) * form.unit / 100

    def report(event: Event) -> None:
        measure = event.payload.measure
        if on_progress is not None and measure is not None:
            gap = f"\N{GREEK SMALL LETTER EPSILON} {measure.epsilon / percent:.2g} %"
            on_progress(replace(event, message=f"{event.payload.iterations} iterations, {gap}"))

    built, resources = given(form, algorithm=spec), Resources(workers or core_count())
    solver = solver_of(built.task, form, built.algorithm, seed=0, resources=resources)
    running = Running(solver, built.task, built.algorithm, 0, 0.0, None, resources)  # no time limit, so no warm-up
    stop = Stop(iterations=MOST_ITERATIONS, epsilon=wanted * percent)
    found = running.run(stop, on_progress=report, cancel=cancel, save=save)
    pushes = purified(form, found.strategy.pushes, wanted * percent / form.unit)
    strategy = replace(found.strategy, pushes=pushes)
    return TableSolution(stakes, replace(found, strategy=strategy, measure=strategy.measure_in(form)))
