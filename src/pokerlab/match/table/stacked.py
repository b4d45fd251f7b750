"""The games of a table at which stacks, blinds and the number of players change from hand to hand.

Every hand is an ordinary `PokerGame` with unequal stacks, so that agents, referee and saved hands need to know nothing
else. Blinds are posted as at the full table: by the seats left of the button, and heads-up by the button and the other,
in the order of acting that the game has. In fixed limit, bets grow with the big blind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pokerlab.errors import BadSetting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.games.poker.rules import Round, Rules
from pokerlab.match.table.blinds import BlindLevel

MOST_GAMES = 2000  # stored


class StackedTable:
    """Makes the game of each hand from that of the full table."""

    def __init__(self, game: PokerGame) -> None:
        if type(game) is not PokerGame:
            raise BadSetting(f"{game.name} has no blinds and stacks of its own, so its stacks cannot change")
        for number, round_ in enumerate(game.rules.rounds, start=1):
            if round_.bettors is not None or len(round_.menu or ()) > 1:
                raise BadSetting(f"round {number} of {game.name} has rules for each seat, and players change seats")
        if game.rules.replacement:
            raise BadSetting(f"{game.name} deals every player from a deck of their own, and players leave the table")
        self.base = game
        rules = game.rules
        self.own_level = BlindLevel(*_posted(rules), ante=max(rules.antes))
        self.game = lru_cache(maxsize=MOST_GAMES)(self._game)

    def check_level(self, level: BlindLevel) -> None:
        """Raise BadSetting if the game cannot be played with these blinds."""
        if bool(level.big) != bool(self.own_level.big):
            has, written = ("blinds", "small/big") if self.own_level.big else ("antes and no blinds", "the ante alone")
            raise BadSetting(f"{self.base.name} has {has}: write a level as {written}; got {level}")
        self._rounds(self.base.players, level)

    def big_blind_seat(self, players: int) -> int:
        """The seat that posts the big blind, or the first seat if nobody does."""
        blinds = self._blinds(players, self.own_level)
        return blinds.index(max(blinds))

    def _game(self, stacks: tuple[int, ...], level: BlindLevel) -> PokerGame:
        """The game of these stacks, by seat."""
        players = len(stacks)
        rules = replace(
            self.base.rules,
            players=players,
            rounds=self._rounds(players, level),
            antes=self._antes(players, level),
            blinds=self._blinds(players, level),
            stacks=stacks,
            odd_chips="seat",
        )
        return PokerGame(rules, self.base.name)

    def _blinds(self, players: int, level: BlindLevel) -> tuple[int, ...]:
        base = self.base.rules
        straddles = () if level != self.own_level else tuple(blind for blind in base.blinds[2:] if blind)
        if players > 2:
            return ((level.small, level.big, *straddles) + (0,) * players)[:players]
        small_first = base.blinds[0] < base.blinds[1] if base.players == 2 else base.rounds[0].first == 0
        return (level.small, level.big) if small_first else (level.big, level.small)

    def _antes(self, players: int, level: BlindLevel) -> tuple[int, ...]:
        """One for every player; an ante that the big blind posts for the table stays with it."""
        base = self.base.rules.antes
        if len(set(base)) == 1:
            return (level.ante,) * players
        blinds = self._blinds(players, level)
        return tuple(level.ante if seat == blinds.index(max(blinds)) else 0 for seat in range(players))

    def _rounds(self, players: int, level: BlindLevel) -> tuple[Round, ...]:
        base = self.base.rules
        rounds = []
        for number, round_ in enumerate(base.rounds):
            bet, rest = divmod(round_.bet * level.size, self.own_level.size)
            if not round_.betting:
                bet, rest = round_.bet, 0
            if rest or not bet:
                raise BadSetting(
                    f"with blinds of {level}, the bets of {self.base.name} would not be whole chips: choose multiples"
                )
            first = round_.first
            if players < base.players:
                posted = sum(blind > 0 for blind in self._blinds(players, level))
                first = 0 if not first else 1 if players == 2 else posted % players if number == 0 else first % players
            rounds.append(replace(round_, bet=bet, first=first))
        return tuple(rounds)


def _posted(rules: Rules) -> tuple[int, int]:
    """The small and the big blind of a game."""
    if rules.players == 2:
        return min(rules.blinds), max(rules.blinds)
    return rules.blinds[0], rules.blinds[1]


@lru_cache(maxsize=16)
def _table_of(game: PokerGame) -> StackedTable:
    return StackedTable(game)


def game_at(base: PokerGame, stacks: tuple[int, ...], blinds: tuple[int, ...], antes: tuple[int, ...]) -> PokerGame:
    """The game of a saved hand, given that of the full table; raises BadSetting if they do not fit."""
    small, big = (min(blinds), max(blinds)) if len(blinds) == 2 else blinds[:2]
    game = _table_of(base).game(stacks, BlindLevel(small, big, max(antes)))
    if (game.rules.blinds, game.rules.antes) != (blinds, antes):
        raise BadSetting(f"{base.name} is not played with blinds of {blinds} and antes of {antes}")
    return game


def check_stacks(stacks: Sequence[int], players: int) -> tuple[int, ...]:
    """A stack for every player, from one for all or one for each."""
    each = tuple(stacks) * players if len(stacks) == 1 else tuple(stacks)
    if min(each, default=1) < 1:
        raise BadSetting(f"a stack must be positive; got {min(each)}")
    if len(each) != players:
        raise BadSetting(f"stacks are one number for all {players} players or one for each; got {len(stacks)} numbers")
    return each
