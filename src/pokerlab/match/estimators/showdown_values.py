"""Payoffs alone, for any number of players: no guesses, so no control variates."""

from __future__ import annotations

import numpy as np

from pokerlab.games.poker.betting import Betting
from pokerlab.games.poker.engine import PokerGame
from pokerlab.match.estimators.path import Acted, Dealt, Path
from pokerlab.match.estimators.values import Side


class ShowdownValues:
    """A value function without columns."""

    weights = np.zeros(0)

    def __init__(self, game: PokerGame) -> None:
        self._game = game

    def start(self, *, varies: bool) -> np.ndarray:
        return np.zeros((0, self._game.players))

    def of(self, path: Path, side: Side) -> ShowdownDeal:
        return ShowdownDeal(self._game, path, side)


class ShowdownDeal:
    """The payoffs in one deal, on the board that came."""

    def __init__(self, game: PokerGame, path: Path, side: Side) -> None:
        self._game, self._path, self._side = game, path, side
        self._none = np.zeros((0, game.players, len(side.hands)))

    def deal(self) -> np.ndarray:
        return self._none

    def dealt(self, event: Dealt) -> tuple[np.ndarray, np.ndarray]:
        return self._none, self._none

    def acted(self, event: Acted, after: Betting) -> np.ndarray:
        return self._none

    def end(self) -> np.ndarray:
        """Payoffs depend only on which other hands a hand beats or ties, so each such case is paid once."""
        game, path, side = self._game, self._path, self._side
        alive = [seat for seat in range(game.players) if path.end.alive >> seat & 1]
        paid = np.zeros((game.players, len(side.hands)))
        others = [seat for seat in alive if seat != side.seat]
        if len(alive) == 1 or side.seat not in alive:
            paid[:] = np.array(game.payoffs.returns(path.end, self._strengths(others)))[:, None]
            return paid
        shown, strengths = set(path.full_board), self._strengths(others)
        cases: dict[tuple[int, ...], np.ndarray] = {}
        for number, hand in enumerate(side.hands):
            if shown.intersection(hand):
                continue
            mine = game.strength((*hand, *path.full_board))
            case = tuple((mine > theirs) - (mine < theirs) for theirs in (strengths[seat] or 0 for seat in others))
            if case not in cases:
                strengths[side.seat] = mine
                cases[case] = np.array(game.payoffs.returns(path.end, strengths))
            paid[:, number] = cases[case]
        return paid

    def _strengths(self, seats: list[int]) -> list[int | None]:
        game, path = self._game, self._path
        shown = {seat: game.strength((*path.hands[seat], *path.full_board)) for seat in seats}
        return [shown.get(seat) for seat in range(game.players)]
