"""The value of tournament stacks: places, prizes, deals, bounties, and the risk of an all-in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np

from pokerlab.errors import BadSetting
from pokerlab.games.prizes.icm import MOST_EXACT, exact_place_chances, exact_values, place_chances, values
from pokerlab.games.prizes.payouts import (
    Amounts,
    amounts_text,
    check_payouts,
    check_stacks,
    chip_chop,
    for_places,
    read_numbers,
    shared_pool,
    standings_prizes,
)
from pokerlab.games.prizes.pressure import MOST_PLAYERS as MOST_PAIRED
from pokerlab.games.prizes.pressure import Pressure, bounty_values, check_bounties, pressure

CURVE_POINTS = 81


@dataclass(frozen=True, eq=False)
class ChipValues:
    """A tournament's stacks and prizes, and their values by the chip model."""

    stacks: tuple[Fraction, ...]
    payouts: tuple[Fraction, ...]  # as given, in money if there is a prize pool
    places: np.ndarray  # [n, place] probabilities
    prizes: np.ndarray  # [n] expected, without bounties
    exact_prizes: tuple[Fraction, ...] | None  # for few players
    bounties: tuple[Fraction, ...] | None
    bounty_prizes: np.ndarray | None  # [n] expected from bounties
    pressure: Pressure | None  # unless there are many players

    @property
    def in_play(self) -> Fraction:
        """The sum of the prizes that these players can still win, without bounties."""
        return sum(for_places(self.payouts, len(self.stacks)), Fraction(0))

    @property
    def values(self) -> np.ndarray:
        """Each player's expected winnings, including bounties: [n]."""
        return self.prizes if self.bounty_prizes is None else self.prizes + self.bounty_prizes

    @property
    def chip_chop(self) -> list[Fraction]:
        """A deal by chips."""
        return chip_chop(self.stacks, self.payouts)

    @property
    def standings(self) -> list[Fraction]:
        """What each player would get if places were assigned by chips now."""
        return standings_prizes(self.stacks, self.payouts)

    @property
    def notes(self) -> list[str]:
        """Notes for the reader on the stacks and prizes."""
        notes = []
        players, dead = len(self.stacks), sum(stack == 0 for stack in self.stacks)
        if len(self.payouts) > players:
            notes.append(
                f"there are {len(self.payouts)} prizes and {players} players: prizes below place {players} are taken "
                "to be paid to players who are out"
            )
        if dead:
            notes.append(f"players without chips ({dead}) are out, and share the last places")
        if max(self.chip_chop) > self.payouts[0]:
            notes.append("by chips somebody would get more than the first prize")
        return notes

    def curve(self, player: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """The value of a player's stack at any size, the others in proportion: chips and values."""
        chips = np.array(self.stacks, float)
        total, rest = chips.sum(), np.delete(chips, player)
        if not rest.sum():
            rest = np.ones(len(rest))
        sizes = total * np.linspace(0, 1, CURVE_POINTS) ** 2  # denser where short stacks bend the curve
        equities = [
            float(values(np.insert(rest * ((total - size) / rest.sum()), player, size), self.prize_array)[player])
            for size in sizes
        ]
        return sizes, np.array(equities)

    @property
    def prize_array(self) -> np.ndarray:
        """The prizes as numbers."""
        return np.array(self.payouts, float)

    def columns(self) -> dict[str, list[Any]]:
        """One row per player, for CSV."""
        players, stacks = list(range(1, len(self.stacks) + 1)), list(map(float, self.stacks))
        columns: dict[str, list[Any]] = {"player": players, "stack": stacks, "value": self.values.tolist()}
        if self.bounty_prizes is not None:
            columns |= {"prize": self.prizes.tolist(), "bounties": self.bounty_prizes.tolist()}
        columns |= {"chip_chop": list(map(float, self.chip_chop))}
        return columns | {f"place_{place}": self.places[:, place - 1].tolist() for place in players}

    def as_dict(self) -> dict[str, Any]:
        """All results, for JSON."""
        return {
            "stacks": [float(stack) for stack in self.stacks],
            "payouts": [float(prize) for prize in self.payouts],
            "prize_pool": float(self.in_play),
            "values": self.values,
            "prizes": self.prizes,
            "prizes_exact": None if self.exact_prizes is None else list(map(str, self.exact_prizes)),
            "places": self.places,
            "chip_chop": self.chip_chop,
            "standings": self.standings,
            "bounties": None if self.bounties is None else list(self.bounties),
            "bounty_values": self.bounty_prizes,
            "pairs": self.pairs(),
            "notes": self.notes,
        }

    def pairs(self) -> list[dict[str, Any]] | None:
        """Every pair of players with chips, the first all-in against the second; None if not requested."""
        if self.pressure is None:
            return None
        alive = [player for player, stack in enumerate(self.stacks) if stack]
        return [
            {
                "player": one + 1,
                "against": other + 1,
                "bubble_factor": float(self.pressure.bubble_factor[one, other]),
                "needed_equity": float(self.pressure.needed_equity[one, other]),
                "risk_premium": float(self.pressure.risk_premium[one, other]),
            }
            for one, other in permutations(alive, 2)
        ]


def icm(
    stacks: str | Sequence[float],
    payouts: str | Sequence[float],
    *,
    pool: str | float | None = None,
    bounties: Amounts | None = None,
    pairs: bool | None = None,
) -> ChipValues:
    """The value of tournament stacks by the independent chip model: places, prizes, deals and bubble factors.

    - stacks: chips of every player: [5000, 3000, 2000] or "5000,3000,2000"; "1500*9" repeats a stack
    - payouts: prizes from the first place down: [50, 30, 20]
    - pool: the prize pool, if payouts are shares of it
    - bounties: what each player's head is worth, or one number for all
    - pairs: whether to compute the bubble factor of every two players; by default for few players

    >>> icm([5000, 3000, 2000], [50, 30, 20]).values.round(2).tolist()
    [38.39, 32.75, 28.86]
    """
    return chip_values(
        stacks=amounts_text(stacks),
        payouts=amounts_text(payouts),
        pool=None if pool is None else str(pool),
        bounties=None if bounties is None else amounts_text(bounties),
        pairs=pairs,
    )


def chip_values(
    *, stacks: str, payouts: str, pool: str | None = None, bounties: str | None = None, pairs: bool | None = None
) -> ChipValues:
    """Values of stacks; all arguments are text. Every pair's pressure is included for few players, or on request."""
    chips, prizes = read_numbers(stacks, "stacks"), read_numbers(payouts, "payouts")
    check_stacks(chips)
    check_payouts(prizes)
    if pool is not None:
        prizes = shared_pool(prizes, read_numbers(pool, "a prize pool")[0])
    heads = None if bounties is None else read_numbers(bounties, "bounties")
    if heads is not None and len(heads) == 1:  # one for all
        heads *= len(chips)
    if pairs and len(chips) > MOST_PAIRED:
        raise BadSetting(f"bubble factors of every two players are for at most {MOST_PAIRED}, not {len(chips)}")
    chip_array, prize_array = np.array(chips, float), np.array(prizes, float)
    head_array = None if heads is None else np.array(heads, float)
    if head_array is not None:
        check_bounties(chip_array, head_array)
    exact = len(chips) <= MOST_EXACT
    exact_prizes = exact_values(chips, prizes) if exact else None
    return ChipValues(
        stacks=chips,
        payouts=prizes,
        places=np.array(exact_place_chances(chips), float) if exact else place_chances(chip_array),
        prizes=values(chip_array, prize_array) if exact_prizes is None else np.array(exact_prizes, float),
        exact_prizes=None if exact_prizes is None else tuple(exact_prizes),
        bounties=heads,
        bounty_prizes=None if head_array is None else bounty_values(chip_array, head_array),
        pressure=pressure(chip_array, prize_array, head_array) if (exact if pairs is None else pairs) else None,
    )
