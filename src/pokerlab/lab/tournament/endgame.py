"""A push-or-fold tournament to its end: the value of every stack, and the strategies."""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from pokerlab.cards.combos import CLASS_SIZES
from pokerlab.errors import BadSetting
from pokerlab.events import CancelToken, OnProgress, Watch
from pokerlab.games.prizes.payouts import check_payouts, read_numbers
from pokerlab.solvers.stochastic.heads_up import Blinds, HeadsUpSolution, solve_heads_up
from pokerlab.tables import records

MOST_CHIPS = 10**9
WORST = 10  # states shown
SEATS = {2: ("small blind", "big blind"), 3: ("button", "small blind", "big blind")}


@dataclass(frozen=True)
class Setting:
    """A tournament as the user describes it."""

    chips: int  # in play
    blinds: tuple[int, int]
    payouts: tuple[float, ...]  # one per player, from first place down
    unit: int  # chips that count as one

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.payouts)

    @property
    def pool(self) -> float:
        """All prizes."""
        return float(sum(self.payouts))

    @property
    def entry_fee(self) -> float:
        """A player's share of the prizes."""
        return self.pool / self.players

    @property
    def units(self) -> int:
        """Chips in play, in units."""
        return self.chips // self.unit

    @property
    def unit_blinds(self) -> Blinds:
        """The blinds in units."""
        return Blinds(self.blinds[0] // self.unit, self.blinds[1] // self.unit)

    @property
    def state_count(self) -> int:
        """The number of chip distributions."""
        units = self.units
        return units - 1 if self.players == 2 else (units - 1) * (units - 2) // 2

    def text(self) -> str:
        """A description in words."""
        prizes, (small, big) = ",".join(f"{prize:g}" for prize in self.payouts), self.blinds
        return f"{self.chips} chips in units of {self.unit}, blinds {small},{big}, {prizes}"

    def as_dict(self) -> dict[str, Any]:
        """For JSON and files."""
        return {"chips": self.chips, "blinds": list(self.blinds), "payouts": list(self.payouts), "unit": self.unit}


def read_setting(*, chips: int, blinds: str, payouts: str = "1,0", unit: int | None = None) -> Setting:
    """Parse a tournament; the unit is by default the largest that divides chips and blinds."""
    posted = [_whole(one, "blinds") for one in read_numbers(blinds, "blinds")]
    if len(posted) != 2:
        raise BadSetting(f"there are two blinds, like 300,600; got {len(posted)}")
    prizes = read_numbers(payouts, "payouts")
    return checked_setting(chips, (posted[0], posted[1]), tuple(map(float, prizes)), unit)


def checked_setting(chips: int, blinds: tuple[int, int], payouts: tuple[float, ...], unit: int | None) -> Setting:
    """A checked tournament, or BadSetting; the unit is by default the largest possible."""
    check_payouts(payouts)
    if len(payouts) not in SEATS:
        raise BadSetting(f"tournaments of 2 or 3 players are solved, with a prize for each place; got {len(payouts)}")
    if not 0 < chips <= MOST_CHIPS:
        raise BadSetting(f"there are more than 0 and at most {MOST_CHIPS:,} chips, not {chips:,}")
    divides = gcd(chips, *blinds)
    counted = divides if unit is None else unit
    if counted < 1 or chips % counted or any(blind % counted for blind in blinds):
        raise BadSetting(f"the unit must divide the chips and both blinds: {divides} or a divisor of it, not {counted}")
    setting = Setting(chips, blinds, payouts, counted)
    if setting.units <= len(payouts):
        raise BadSetting(f"{chips:,} chips are {setting.units} units of {counted}: too few for {len(payouts)} players")
    setting.unit_blinds  # noqa: B018  (which are checked)
    return setting


def _whole(number: Fraction, what: str) -> int:
    if number.denominator != 1:
        raise BadSetting(f"{what} are whole chips, not {float(number):g}")
    return int(number)


@dataclass(frozen=True, eq=False)
class TwoPlayers:
    """A heads-up tournament, solved."""

    setting: Setting
    solution: HeadsUpSolution
    seconds: float

    @property
    def stacks(self) -> np.ndarray:
        """Chips that a player can have: [units + 1]."""
        return np.arange(self.setting.units + 1) * self.setting.unit

    def columns(self) -> dict[str, np.ndarray]:
        """A row for each stack: the probability of winning as either blind, and how often hands are played."""
        solution = self.solution
        weights = class_weights()
        return {
            "chips": self.stacks[1:-1],
            "small_blind_wins": solution.values[1:-1],
            "big_blind_wins": solution.big_values[1:-1],
            "share_of_chips": self.stacks[1:-1] / self.setting.chips,
            "push": (solution.push @ weights)[1:-1],
            "call": (solution.call @ weights)[::-1][1:-1],  # by the big blind's own chips
        }

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        return self.setting.as_dict() | {
            "players": 2,
            "states": self.setting.state_count,
            "rounds": self.solution.rounds,
            "change": self.solution.change,
            "epsilon_percent": 100 * self.solution.epsilon * 2,
            "stacks": records(self.columns()),
            "seconds": self.seconds,
        }


def solve_two(
    setting: Setting,
    *,
    method: str = "policy",
    workers: int | None = None,
    on_progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
) -> TwoPlayers:
    """Compute every stack's exact probability of winning."""
    watch = Watch("endgame", on_progress, cancel, "rounds")
    solution = solve_heads_up(setting.units, setting.unit_blinds, method=method, workers=workers, watch=watch)
    return TwoPlayers(setting, solution, time.perf_counter() - watch.began)


def class_weights() -> np.ndarray:
    """The probability of each hand class: [169]."""
    return np.asarray(CLASS_SIZES / CLASS_SIZES.sum())
