"""Pots and how they are paid: main pot and side pots, split pots and odd chips.

A pot holds the seats' chips up to some level; seats that put in that much and have not folded can win it. Antes that
are equal for all are layered like bets; an ante that one seat posts for the table is part of every seat's pot.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pokerlab.games.poker.betting import Betting, BettingRules
from pokerlab.games.poker.rules import Rules


class Pot(NamedTuple):
    """Chips, and the seats that can win them."""

    amount: int
    seats: tuple[int, ...]


def add_side_pots(pots: list[Pot], paid: Sequence[int], alive: Sequence[int]) -> None:
    """Append the main pot and the side pots of the amounts paid, by the levels that the remaining seats have paid.

    A folded seat's chips above the highest level go to the last pot.
    """
    below = 0
    for level in sorted({paid[seat] for seat in alive}):
        amount = sum(min(chips, level) - min(chips, below) for chips in paid)
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in alive if paid[seat] >= level)))
        below = level
    if rest := sum(max(chips - below, 0) for chips in paid):
        pots.append(Pot(rest, pots[-1].seats if pots else tuple(alive)))


class Payoffs:
    """How the pots of one game are paid out."""

    def __init__(self, rules: Rules, betting_rules: BettingRules) -> None:
        self._players = rules.players
        self._antes = betting_rules.antes
        self._layered_antes = len(set(rules.antes)) == 1
        self._ante_sum = sum(self._antes)
        self._even_antes = len(set(self._antes)) == 1
        self._odd_chips = rules.odd_chips

    @property
    def splits_in_half(self) -> bool:
        """Whether two tied seats each get half of every pot, with no odd chip for one of them.

        What two players have matched is even, so only unequal antes can make a pot odd.
        """
        return self._odd_chips == "split" or self._layered_antes or self._ante_sum % 2 == 0

    def pots(self, betting: Betting) -> list[Pot]:
        """The main pot and the side pots; unmatched chips are a pot of the one seat that gets them back."""
        alive = [seat for seat in range(self._players) if betting.alive >> seat & 1]
        pots: list[Pot] = []
        layers = [betting.live]
        if self._ante_sum:
            if self._layered_antes:
                layers.insert(0, self._antes)
            else:
                pots.append(Pot(self._ante_sum, tuple(alive)))
        for paid in layers:
            add_side_pots(pots, paid, alive)
        merged: dict[tuple[int, ...], int] = {}
        for pot in pots:
            merged[pot.seats] = merged.get(pot.seats, 0) + pot.amount
        return [Pot(amount, seats) for seats, amount in sorted(merged.items(), key=lambda item: -len(item[0]))]

    def returns(self, betting: Betting, strengths: Sequence[int | None]) -> tuple[float, ...]:
        """Each seat's net result, given the strength of each seat's hand (smaller is stronger).

        Strengths of folded seats are ignored, as are all if only one seat is left.
        """
        live, alive = betting.live, betting.alive
        if alive & (alive - 1) == 0:
            winner = alive.bit_length() - 1
            if self._players == 2:
                lost = self._antes[1 - winner] + live[1 - winner]
                return (-lost, lost) if winner else (lost, -lost)
            net = [-ante - chips for ante, chips in zip(self._antes, live, strict=True)]
            net[winner] = 0
            net[winner] = -sum(net)
            return tuple(net)
        if self._players == 2 and self._even_antes:
            return self._heads_up(live, strengths)
        won: list[float] = [-ante - chips for ante, chips in zip(self._antes, live, strict=True)]
        for amount, seats in self.pots(betting):
            best = min(strengths[seat] for seat in seats)  # type: ignore[type-var]
            winners = [seat for seat in seats if strengths[seat] == best]
            for seat, share in zip(winners, self._shares(amount, len(winners)), strict=True):
                won[seat] += share
        return tuple(won)

    def _heads_up(self, live: tuple[int, ...], strengths: Sequence[int | None]) -> tuple[float, ...]:
        mine, theirs = live
        stake = self._antes[0] + (mine if mine < theirs else theirs)
        first, second = strengths
        assert first is not None
        assert second is not None
        if first < second:
            return (stake, -stake)
        if first > second:
            return (-stake, stake)
        return (0, 0)

    def _shares(self, amount: int, winners: int) -> Sequence[float]:
        if self._odd_chips == "split":
            return [amount / winners] * winners if amount % winners else [amount // winners] * winners
        share, odd = divmod(amount, winners)
        return [share + 1] * odd + [share] * (winners - odd)
