"""Heads-up push or fold: the equilibrium for any stacks, antes and blinds, and the best response to a given range.

The small blind pushes or folds, the big blind calls or folds. The equilibrium is computed over the 169 hand classes,
weighted by the number of compatible pairs of hands, which is lossless: the rules are symmetric in suits. It is measured
by best responses over all 1,326 hands, and given ranges may distinguish suits.

Amounts are in big blinds. EV is relative to the stack before blinds and antes, so a small blind of half a big blind has
EV -0.5 when it folds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_NAMES, CLASS_SIZES, COMBO_CLASS
from pokerlab.cards.ranges import Range, class_averages
from pokerlab.errors import BadSetting, shortened
from pokerlab.events import CancelToken, OnProgress
from pokerlab.games.library.push_fold import BIG_BLIND, MOST, MOST_CHIPS
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.von_neumann_continuous import number
from pokerlab.lab.solve.solving import solve
from pokerlab.registry import load
from pokerlab.strategy.files.solution import Solution
from pokerlab.strategy.forms.classes import ClassStrategy
from pokerlab.tables import records
from pokerlab.tree.classes import ClassForm, class_form, why_not
from pokerlab.tree.measure import Measure
from pokerlab.tree.one_decision import OneDecision

TARGET = 1e-4  # big blinds of exploitability, for approximate algorithms
SECONDS = 60.0
DIGITS = 4  # of weights in the text of a range
PUSH, CALL = 0, 1  # the roles: the small blind, and the big blind
ORDER = "by equity against a random hand"  # ranking of hands for percentage ranges
_PERCENT = re.compile(r"\s*\d+(\.\d+)?\s*%\s*")


@dataclass(frozen=True)
class Stakes:
    """Stacks, blinds and antes, in big blinds."""

    stacks: tuple[Fraction, ...]  # before blinds and antes, in the order of acting: the big blind's is last
    ante: Fraction = Fraction(0)  # per player
    small_blind: Fraction = Fraction(1, 2)
    big_blind_ante: Fraction = Fraction(0)  # posted by the big blind for all players

    def __post_init__(self) -> None:
        for stack in self.stacks:
            if not 0 < stack <= MOST:
                raise BadSetting(f"a stack is more than 0 and at most {MOST:,.0f} big blinds, not {_text(stack)}")
        for ante in (self.ante, self.big_blind_ante):
            if not 0 <= ante <= MOST:
                raise BadSetting(f"an ante is from 0 to {MOST:,.0f} big blinds, not {_text(ante)}")
        if self.ante and self.big_blind_ante:
            raise BadSetting("an ante is posted by every player, or by the big blind for all: name one of the two")
        if not 0 <= self.small_blind < 1:
            raise BadSetting(f"the small blind is from 0 to less than the big blind, 1, not {_text(self.small_blind)}")

    def chips_per_blind(self) -> int:
        """Chips per big blind that make all amounts whole."""
        return chips_per_blind(BIG_BLIND, *self.stacks, self.ante, self.small_blind, self.big_blind_ante)

    def game(self) -> PokerGame:
        """The game of the rule engine."""
        unit, (small, big) = self.chips_per_blind(), map(_number, self.stacks)
        settings: dict[str, Any] = {"big_blind": unit} if unit != BIG_BLIND else {}
        settings |= {"stack": big if small == big else (big, small)}  # by seat: the button is last
        settings |= {"ante": _number(self.ante)} if self.ante else {}
        settings |= {"big_blind_ante": _number(self.big_blind_ante)} if self.big_blind_ante else {}
        settings |= {"small_blind": float(self.small_blind)} if self.small_blind != Fraction(1, 2) else {}
        return poker_game("push-fold", settings)

    def form(self) -> ClassForm:
        """The game over classes; BadSetting if nobody has a decision."""
        game = self.game()
        if why_not(game):
            raise BadSetting(
                f"with {self.text()} somebody is all-in before anybody decides: "
                "every hand is shown down, and both win 0 big blinds on average"
            )
        return class_form(game)

    def text(self) -> str:
        """A description in words."""
        small, big = map(_text, self.stacks)
        stacks = f"stacks of {small}" if small == big else f"{small} (small blind) against {big} (big blind)"
        ante = f", ante {_text(self.ante)}" if self.ante else ""
        ante += f", big-blind ante {_text(self.big_blind_ante)}" if self.big_blind_ante else ""
        blind = f", small blind {_text(self.small_blind)}" if self.small_blind != Fraction(1, 2) else ""
        return f"{stacks} big blinds{ante}{blind}"


def chips_per_blind(least: int, *amounts: Fraction) -> int:
    """A multiple of `least` chips per big blind that makes all amounts whole; BadSetting if it is too large."""
    unit = lcm(least, *(amount.denominator for amount in amounts))
    if unit > MOST_CHIPS:
        raise BadSetting(f"amounts must be whole chips of at most {MOST_CHIPS:,} to a big blind: use fewer decimals")
    return unit


def poker_game(name: str, settings: dict[str, Any]) -> PokerGame:
    """A poker game of the library."""
    game = load("games", name, **settings)
    assert isinstance(game, PokerGame)
    return game


def big_blinds(text: str) -> Fraction:
    """Parse an amount in big blinds, as everything here is; "10bb" says so.

    >>> big_blinds("10bb") == big_blinds("10")
    True
    """
    return number(text.strip().lower().removesuffix("bb"))


def stakes(
    *,
    stack: str | None = None,
    stacks: str | None = None,
    ante: str = "0",
    small_blind: str = "1/2",
    big_blind_ante: str = "0",
) -> Stakes:
    """Parse stakes: one stack for both, or the small blind's and the big blind's as in "8,20".

    >>> stakes(stack="10").text(), stakes(stacks="8,20", small_blind="1/3").text()
    ('stacks of 10 big blinds', '8 (small blind) against 20 (big blind) big blinds, small blind 1/3')
    """
    if stack is not None and stacks is not None:
        raise BadSetting("name one stack of both players, or the stacks of each, not both")
    words = (stacks if stacks is not None else stack or "10").split(",")
    if len(words) == 1:
        words *= 2
    if len(words) != 2:
        raise BadSetting(f"heads-up there are two stacks, the small blind's and the big blind's, not {len(words)}")
    amounts = (big_blinds(text) for text in (ante, small_blind, big_blind_ante))
    return Stakes((big_blinds(words[0]), big_blinds(words[1])), *amounts)


@dataclass(frozen=True, eq=False)
class HeadsUp:
    """A solved game of push or fold."""

    stakes: Stakes
    solution: Solution
    given: Mapping[int, Range]  # ranges to respond to, by the role that plays them

    @property
    def strategy(self) -> ClassStrategy:
        """How often each class pushes and calls."""
        strategy: ClassStrategy = self.solution.strategy
        return strategy

    @property
    def form(self) -> ClassForm:
        """The game over classes."""
        return self.strategy.form

    @property
    def game(self) -> OneDecision:
        """The same in the order of deciding and in big blinds."""
        return self.form.one_decision

    @cached_property
    def combos(self) -> ClassForm:
        """The game over all 1,326 hands."""
        return self.form.by_combos()

    @property
    def value(self) -> float:
        """The small blind's expected value per hand."""
        return self.game.value(*self.strategy.acts)

    @cached_property
    def measure(self) -> Measure:
        """Value and best responses over all 1,326 hands, by seat and in chips."""
        return self.combos.measure(self.combos.profile_of(self.combos.behaviours_of(self._combo_acts)))

    @property
    def _combo_acts(self) -> tuple[np.ndarray, np.ndarray]:
        pushes, calls = self.strategy.acts
        return pushes[COMBO_CLASS], calls[COMBO_CLASS]

    @cached_property
    def responses(self) -> tuple[RangeResponse, ...]:
        """The best responses to the given ranges."""
        acts, game = self._combo_acts, self.combos.one_decision
        return tuple(respond_to_range(game, 1 - role, held, acts, self.value) for role, held in self.given.items())

    @property
    def exploitability(self) -> float:
        """The average gain of a best response over both roles."""
        return max(self.measure.exploitability, 0.0) / self.form.chips

    def range_of(self, role: int) -> Range:
        """The range that a role pushes or calls with."""
        return Range(np.round(self.strategy.acts[role], DIGITS)[COMBO_CLASS])

    @cached_property
    def evs(self) -> tuple[np.ndarray, np.ndarray]:
        """EV of each class by action: the small blind's, and the big blind's facing a push."""
        return evs(self.game, *self.strategy.acts)

    def rows(self) -> list[dict[str, Any]]:
        """Each class: how often it pushes and calls, and the EV of that."""
        (pushes, calls), (push_ev, call_ev) = self.strategy.acts, self.evs  # [169] and [2, 169] each
        return records(
            {
                "hand": CLASS_NAMES,
                "combos": CLASS_SIZES,
                "push": pushes,
                "push_ev": push_ev[1],
                "fold_ev": push_ev[0],
                "call": calls,
                "call_ev": call_ev[1],
                "call_fold_ev": call_ev[0],
            }
        )

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        shares = self.game.frequencies(*self.strategy.acts)
        return {
            "game": self.form.name,
            "stacks": [float(stack) for stack in self.stakes.stacks],
            "ante": float(self.stakes.ante),
            "small_blind": float(self.stakes.small_blind),
            "big_blind_ante": float(self.stakes.big_blind_ante),
            "algorithm": self.solution.algorithm,
            "iterations": self.solution.iterations,
            "seconds": self.solution.seconds,
            "value": self.value,
            "exploitability": self.exploitability,
            "big_blind_decides": self.game.second_decides,
            "push": {"share": shares[PUSH], "range": self.range_of(PUSH).text()},
            "call": {"share": shares[CALL], "range": self.range_of(CALL).text()},
            "hands": self.rows(),
            "answers": [response.as_dict() for response in self.responses],
        }


@dataclass(frozen=True, eq=False)
class RangeResponse:
    """The best response of a role to a range of the other."""

    role: int  # that responds
    given: Range  # of the other role
    best: np.ndarray  # [1326]: 1 where the best response acts
    value: float  # big blinds per hand
    equilibrium: float  # the role's value in equilibrium
    keeping: float  # the value of the equilibrium strategy against the range
    evs: np.ndarray  # [2, 13, 13] EV of not acting and of acting, averaged by class

    @property
    def gain(self) -> float:
        """The gain of the best response over the equilibrium value."""
        return self.value - self.equilibrium

    @property
    def range(self) -> Range:
        """The hands that the best response acts with."""
        return Range(self.best)

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        return {
            "role": ("small blind", "big blind")[self.role],
            "against": self.given.text(),
            "against_share": self.given.fraction,
            "range": self.range.text(),
            "share": self.range.fraction,
            "value": self.value,
            "equilibrium": self.equilibrium,
            "gain": self.gain,
            "keeping": self.keeping,
            "hands": records({"hand": CLASS_NAMES, "fold_ev": self.evs[0].ravel(), "act_ev": self.evs[1].ravel()}),
        }


def push_fold(
    stakes: Stakes,
    *,
    algorithm: str = "lp",
    target: float = TARGET,
    push: str | None = None,
    call: str | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    save: Path | str | None = None,
) -> HeadsUp:
    """Solve the game, and compute best responses to given ranges: `push` of the small blind, `call` of the big blind.

    `target` is in big blinds; the linear program, the default, is exact to its last digits. `save` is a file for the
    solution.
    """
    given = {role: read_range(text) for role, text in ((PUSH, push), (CALL, call)) if text is not None}
    form = stakes.form()
    limits: dict[str, Any] = {"target": target * form.chips, "seconds": SECONDS}
    solution = solve(form, algorithm=algorithm, **limits, on_progress=on_progress, cancel=cancel, save=save)
    return HeadsUp(stakes, solution, given)


def respond_to_range(
    game: OneDecision, role: int, given: Range, equilibrium: tuple[np.ndarray, np.ndarray], value: float
) -> RangeResponse:
    """The best response of a role to a range, over all 1,326 hands; indifferent hands do not act."""
    values = game.counterfactual(role, given.weights)  # [2, 1326]
    best = (values[1] > values[0]).astype(float)
    own = equilibrium[role]
    pair = (equilibrium[PUSH], given.weights) if role == PUSH else (given.weights, equilibrium[CALL])
    return RangeResponse(
        role=role,
        given=given,
        best=best,
        value=float(values.max(0).sum()),
        equilibrium=value if role == PUSH else -value,
        keeping=float((1 - own) @ values[0] + own @ values[1]),
        evs=np.stack([class_averages(row) for row in evs(game, *pair)[role]]),
    )


def evs(game: OneDecision, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """EV of each hand by not acting and acting, [2, hand] for each role: the second's given that the first acted.

    NaN for a hand of the second role if no compatible hand is pushed.
    """
    own = game.counterfactual(PUSH, second) / game.hand_chances[PUSH]
    facing_push = first @ game.chance  # [j]: probability that a hand faces a push
    lost = -np.stack([first @ game.utilities[1, calls] for calls in (0, 1)])
    return own, np.divide(lost, facing_push, out=np.full_like(lost, np.nan), where=facing_push > 0)


def read_range(text: str) -> Range:
    """Parse a range; a bare percentage means that share of all hands, the best first.

    >>> read_range("20%") == read_range("top 20%"), read_range("22+,A2+").count
    (True, 270.0)
    """
    return Range.parse(f"top {text.strip()}" if _PERCENT.fullmatch(text) else text)


def _text(amount: Fraction) -> str:
    short = f"{float(amount):g}"
    return short if Fraction(short) == amount else shortened(str(amount))


def _number(amount: Fraction) -> float:
    return int(amount) if amount.denominator == 1 else float(amount)
